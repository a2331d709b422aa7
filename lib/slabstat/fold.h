/* SPDX-License-Identifier: MIT */
/*
 * fold.h - one record that stands for several caches.
 *
 * Levels, counters and sizes in bytes are sums, shares by node and CPU too, so that the sum over
 * any set of folds is the sum over their members. A fact, tunable or flag is kept where all
 * members agree, and is absent elsewhere. Percentages follow from the sums.
 */
#ifndef SLABSTAT_FOLD_H
#define SLABSTAT_FOLD_H

#include "slabstat/snapshot.h"

/* fold_caches - the record, from the arena; name is copied. NULL: no memory. n is at least 1. */
struct slabstat_cache *fold_caches(struct arena *a, const char *name,
				   const struct slabstat_cache *const *members, size_t n);

#endif
