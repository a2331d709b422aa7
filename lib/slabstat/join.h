/* SPDX-License-Identifier: MIT */
/*
 * join.h - which row of /proc/slabinfo tells of which cache of the slab directory.
 *
 * /proc names a merged cache by its first user, the directory by an id with a link for each user:
 * so a row belongs to the directory that its name leads to. That it is the same cache is certain
 * only if slot size and objects per slab agree too, and no other row fits as well: names come
 * again, and a name may be given to another cache between the two readings.
 */
#ifndef SLABSTAT_JOIN_H
#define SLABSTAT_JOIN_H

#include "slabstat/procfs.h"
#include "slabstat/snapshot.h"

struct join {
	const struct procfs_table *table;
	size_t *first, *next;	/* of each cache its first row, of each row the next of its cache */
	bool *taken;		/* of each row: it is told already */
};

/* join_make - lead each row's name to a cache of the unsealed snapshot. 0 or -ENOMEM. */
int join_make(struct join *j, const struct procfs_table *t, const struct slabstat_snapshot *s);
void join_free(struct join *j);

/* join_only - the row whose name leads to cache i, if no other row's does; else NULL. */
const struct procfs_row *join_only(const struct join *j, size_t i);

/*
 * join_take - the row that is cache i for sure, or NULL. Where the layout of the cache is unknown
 * its name alone decides. The row, and where none is sure the likeliest, will not be told again.
 */
const struct procfs_row *join_take(struct join *j, const struct slabstat_snapshot *s, size_t i);

/* join_rest - the next row that belongs to no cache, from *at on; NULL past the last. */
const struct procfs_row *join_rest(const struct join *j, size_t *at);

#endif
