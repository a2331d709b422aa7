/* SPDX-License-Identifier: MIT */
/*
 * recdecode.h - the lines of a recording to snapshots: what recencode.h took apart, put together.
 *
 * The state of one segment: its machine, its caches, and the values as of the sample applied last.
 * Lines go in, in their order; a full sample needs none of the samples before it.
 */
#ifndef SLABSTAT_RECDECODE_H
#define SLABSTAT_RECDECODE_H

#include "slabstat/recline.h"

struct recdecode_cache {
	struct slabstat_cache cache;	/* facts, and values of the last sample */
	struct arena shares;		/* of the last sample */
	bool alive;
};

/* Zero-initialise; recdecode_free() makes it so again. */
struct recdecode {
	struct arena arena;		/* everything that lives as long as the segment */
	struct slabstat_machine machine;
	struct slabstat_recording about;	/* what the header says; counts are the reader's */
	const char *why_absent[SLABSTAT_NFIELDS];
	int *column;			/* field of each column, or -1 for one unknown here */
	size_t column_count;
	struct recdecode_cache **cache;	/* by id */
	size_t count, room;

	/* Of the last sample. */
	struct slabstat_instant instant;
	struct slabstat_cache *reported;	/* what the source stated itself, or NULL */
	bool has_reported;
	struct slabstat_meminfo meminfo;
	struct slabstat_notes notes;
};

/*
 * Each takes one line. 0; -EBADMSG: not as slab-recording(5) says; -EPROTO: a later version;
 * -ENOMEM.
 */
int recdecode_header(struct recdecode *d, const char *line, size_t len);
int recdecode_cache(struct recdecode *d, const char *line, size_t len);
int recdecode_sample(struct recdecode *d, const char *line, size_t len);

/* recdecode_fill - an unsealed snapshot with the state as it is. 0 or -ENOMEM. */
int recdecode_fill(const struct recdecode *d, struct slabstat_snapshot *s);

void recdecode_free(struct recdecode *d);

#endif
