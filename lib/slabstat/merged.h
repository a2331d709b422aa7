/* SPDX-License-Identifier: MIT */
/*
 * merged.h - which caches have to be counted together, so that recordings can be compared of which
 * one merges caches and another keeps them apart.
 *
 * Whoever shares a cache anywhere belongs together, and so do those who share with them. With
 * merging, a set is one cache; without, it is several, and only their sum can be set against it.
 */
#ifndef SLABSTAT_MERGED_H
#define SLABSTAT_MERGED_H

#include <slab/slabstat.h>

struct merged;

/* merged_new - *returns owned*, NULL: no memory. */
struct merged *merged_new(void);
void merged_free(struct merged *m);

/* merged_cache - a cache goes by label here. 0 or -ENOMEM. */
int merged_cache(struct merged *m, const char *label);

/* merged_share - user shares the cache that goes by label. 0 or -ENOMEM. */
int merged_share(struct merged *m, const char *label, const char *user);

/*
 * merged_label - what the set of the cache is called, when all caches are known: the label itself
 * where it is one cache everywhere, else "anon_vma_chain (+11)" after the one with the most users.
 * *borrows*; NULL: no memory.
 */
const char *merged_label(struct merged *m, const char *label);

#endif
