/* SPDX-License-Identifier: MIT */
/*
 * history.h - every sample of a source as columns: one row a cache (or family), one value a sample.
 *
 * A long recording is thinned to every k-th sample, at most HISTORY_POINTS of them; starts, ends,
 * peaks and the values after each run are those of all samples. A cache that is not there counts
 * as 0.
 */
#ifndef SLABINFO_HISTORY_H
#define SLABINFO_HISTORY_H

#include <slab/slabstat.h>

struct merged;

#define HISTORY_POINTS 4096

/* What is followed of a row. Live bytes: objects x slab_size, which is what leaks. */
enum history_value {
	HISTORY_FOOTPRINT,
	HISTORY_OBJECTS,
	HISTORY_LIVE,
	HISTORY_LOSS,
	HISTORY_USED,		/* of the total only */
	HISTORY_VALUES
};

struct history_row {
	char *name;			/* as rows are told apart */
	char *label;			/* as it is shown */
	char *users;			/* of a merged cache, "a, b, c"; NULL for one user */
	bool users_noted;
	size_t occurrence;		/* of several with one name */
	bool has[HISTORY_VALUES];
	bool reclaimable, known_reclaim;	/* all of it; does any tell */
	double *value[HISTORY_VALUES];	/* points; NULL unless has */
	double start[HISTORY_VALUES], end[HISTORY_VALUES];
	double all[HISTORY_VALUES];	/* sum over all samples */
	double peak;			/* footprint */
	size_t peak_sample;
	double *run[HISTORY_VALUES];	/* after each run, from run 0: runs + 1; NULL likewise */
	double sum;			/* footprint of what was seen of it in sample sum_at - 1 */
	size_t sum_at;
	size_t next;			/* same hash + 1; 0: none */
};

struct history {
	size_t samples, points, stride;
	/* of the points: seconds since the first sample, or number */
	double *x;
	bool timed;			/* x is in seconds */
	double length;			/* x of the last sample */
	struct history_row *row;
	size_t rows, room;
	struct history_row total;	/* of all caches, or as the source stated it */
	size_t *settled;		/* sample after each run, from run 0 */
	size_t runs;			/* 0: not made with two or more */
	size_t *bucket, buckets;
	struct merged *merged;		/* borrowed; NULL: nobody wants to know */
};

/*
 * history_read - all samples of a source; families: kin as one row. merged, where it is not NULL,
 * is told every cache and who shares it. 0 or a negative errno (-ENOMEM without a message).
 * history_free takes what it left in any case.
 */
int history_read(struct history *y, struct slabstat_source *source, bool families,
		 struct merged *merged);
void history_free(struct history *y);

/* history_leak_value - what to follow of a row: live bytes where they are known. */
enum history_value history_leak_value(const struct history_row *row);

#endif
