/* SPDX-License-Identifier: MIT */
/* feed.h - the source that is watched, and the snapshot that came from it last. */
#ifndef SLABTOP_FEED_H
#define SLABTOP_FEED_H

#include <slab/slabstat.h>

#include "cli/source_opts.h"

struct feed {
	struct slabstat *h;
	struct slabstat_source *source;
	const struct source_opts *opts;
	/* the same with shares by node, once they were asked for */
	struct slabstat_source *by_node;
	bool shares;				/* they were, in the last read */
	char *whole;				/* of what all was wanted then, or NULL */
	struct slabstat_snapshot *snapshot;	/* NULL before the first read */
	struct slabstat_fieldset asked;		/* fields of the last read */
	/* it goes on: the running kernel, or a sysfs under a root */
	bool live;
	size_t samples;				/* of a file */
	/* sample that snapshot is, where there are several */
	size_t at;
	uint64_t read_ns;			/* time that the last read took */
	int64_t read_at_ns;			/* when, where the snapshot does not tell */
};

/* feed_open - at the sample that --at names, else at the last. False after a message. */
bool feed_open(struct feed *f, struct slabstat *h, const struct source_opts *opts);
void feed_close(struct feed *f);

/* What a read has to give. */
struct feed_want {
	struct slabstat_fieldset fields;
	bool shares;			/* slabs by NUMA node, which cost a live source more */
	const char *whole;		/* name of a cache of which everything is wanted; or NULL */
};

/*
 * feed_read - the present, or sample f->at of a file, with at least what is wanted. On failure the
 * snapshot from before stays. 0 or a negative errno.
 */
int feed_read(struct feed *f, const struct feed_want *want);

/*
 * feed_glance - the present as /proc/slabinfo alone tells it, a copy's too: of ten thousand caches
 * in the time that their directories take to be listed. Caches are then called by their rows, so
 * what follows is another sequence of samples. False, and nothing changed, where that file is not
 * what is watched, or where caches are so few that a whole read takes no longer.
 */
bool feed_glance(struct feed *f);

/* feed_lacks - whether the last read was not asked for all of this. */
bool feed_lacks(const struct feed *f, const struct feed_want *want);

/*
 * feed_over - of a program: why nothing new will come of it ("ENDED"), NULL while something may.
 * What was read last stays.
 */
const char *feed_over(const struct feed *f);

/* feed_clock - time of the snapshot in ns on a clock that does not jump where there is one. */
int64_t feed_clock(const struct feed *f);

/* clock_ns - nanoseconds of one of the system's clocks. */
uint64_t clock_ns(int clock);

#endif
