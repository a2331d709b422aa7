/* SPDX-License-Identifier: MIT */
/*
 * recencode.h - snapshots to the lines of a recording.
 *
 * A segment is a run of samples of one machine and boot, with a header of its own. In it a cache
 * is known by a number, given when it is first seen, together with its facts; from then on a
 * sample tells only what changed, and all of it at least every 256 samples. Computed fields are
 * stored only where the reader could not compute the same from the rest, as with output of tools
 * that print sizes but not what they were made of.
 */
#ifndef SLABSTAT_RECENCODE_H
#define SLABSTAT_RECENCODE_H

#include "slabstat/snapshot.h"

struct known;

/* Zero-initialise, then set spec, which must outlive it. */
struct recencode {
	const struct slabstat_record_spec *spec;

	char *out;			/* the lines that recencode_sample made */
	size_t out_len, out_room;

	/* The segment. */
	bool begun;
	struct slabstat_machine machine;
	struct arena arena;		/* strings of machine */
	struct known **known;		/* by id */
	size_t known_count, known_room;
	struct known **bucket;		/* by name */
	size_t buckets;
	uint64_t number;		/* of the next sample */
	uint64_t stamp;			/* of the sample being made; never repeats */
	struct slabstat_notes notes;	/* of the last sample */
	struct slabstat_meminfo meminfo;
};

/*
 * recencode_sample - put header (of a new segment), new caches and the sample into out. 0 or
 * -ENOMEM.
 */
int recencode_sample(struct recencode *r, const struct slabstat_snapshot *s,
		     const struct slabstat_taken *taken);
void recencode_free(struct recencode *r);

#endif
