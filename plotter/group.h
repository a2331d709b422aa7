/* SPDX-License-Identifier: MIT */
/* group.h - recordings of the same job, seen as one: mean line, band, names. */
#ifndef SLABPLOT_GROUP_H
#define SLABPLOT_GROUP_H

#include "plot.h"

struct group {
	struct series **member;
	size_t count;
	char *name;			/* of the file, or what the members' names have in common */
};

/*
 * groups_load - the request's files as groups: two where "vs" parts them, else one a file.
 * *returns owned* in *groups. 0 or the exit status after a message.
 */
int groups_load(const struct request *req, enum slabstat_field by, struct group **groups,
		size_t *count);
void groups_free(struct group *groups, size_t count);

/* group_has - whether any member has the total. */
bool group_has(const struct group *g, enum total t);

/*
 * group_label - "merge: mean 364.0 KiB, median 347.5 KiB, max 2.0 MiB (3 runs)"; *returns owned*.
 */
char *group_label(const struct group *g, enum total t);

/*
 * group_block - a data block of time, mean, lowest and highest over the members, at points at the
 * most; for one member its own samples, decimated. The number of columns is 4 either way; rows in
 * *rows. Returns the block's number, or -1 where memory is exhausted.
 */
int group_block(struct script *script, const struct group *g, enum total t, size_t points,
		struct axis_unit x, struct axis_unit y, size_t *rows);

/* group_span - what all members cover, in seconds (or samples). */
double group_span(const struct group *g);

/*
 * groups_relabel - caches that are merged in one recording and apart in another get one name, the
 * same in all (merged.h), by which group_track_mean adds them up. 0 or the exit status.
 */
int groups_relabel(struct group *groups, size_t count);

/* group_track_mean - mean over the members of a cache's mean; 0 where no member has it. */
double group_track_mean(const struct group *g, const char *name);

#endif
