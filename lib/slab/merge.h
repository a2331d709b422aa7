/* SPDX-License-Identifier: MIT */
/*
 * merge.h - caches of like objects share their slabs; the later names are aliases of the first.
 *
 * The kernel's rules: sizes that differ by less than a word after alignment, the same accounting
 * flags, an alignment that the other's size keeps; no constructor, no user copy region, no debug
 * flag, no SLAB_TYPESAFE_BY_RCU, no SLAB_NO_MERGE, no sheaf capacity of one's own on either side.
 */
#ifndef SLABKIT_SLAB_MERGE_H
#define SLABKIT_SLAB_MERGE_H

#include "cache.h"

/* A further name of a cache. */
struct alias {
	struct alias *next;
	char name[];
};

/* merge_allowed - whether a cache made so may share its slabs. */
bool merge_allowed(const char *name, const struct kmem_cache_args *args, slab_flags_t flags);
/* merge_alias - *returns owned* a name that is no cache's yet; NULL: no memory. */
struct alias *merge_alias(const char *name);
/*
 * merge_into - a cache that can take such objects: it takes the alias and one more user. NULL where
 * there is none; the alias is then still the caller's. Under the root's lock.
 */
struct kmem_cache *merge_into(struct alias *a, unsigned int size,
			      const struct kmem_cache_args *args, slab_flags_t flags);
/* merge_release - takes the aliases of a cache that goes away. */
void merge_release(struct kmem_cache *s);

#endif
