/* SPDX-License-Identifier: MIT */
/*
 * detached.h - objects on their way back, chained by slab before anything is locked.
 *
 * The caller owns the objects, so their links may be written at leisure; each list then goes into
 * its slab in one step. An object is put to one of the latest few lists or begins a new one: what
 * was allocated together mostly comes back together, and a long search would cost more than a list
 * too many.
 */
#ifndef SLABKIT_SLAB_DETACHED_H
#define SLABKIT_SLAB_DETACHED_H

#include <stddef.h>
#include <stdint.h>

#include "cache.h"

struct detached {
	struct slab *slab;
	void *head, *tail;
	uint32_t count;
};

#define DETACHED_LISTS 64

struct detached_set {
	unsigned int n;
	struct detached list[DETACHED_LISTS];
};

/*
 * detached_fill - takes objects of s from p[n] until all are in lists or the set is full; how many
 * it took. What is no object of s, or is free already, is reported and left out.
 */
size_t detached_fill(struct kmem_cache *s, struct detached_set *set, void **p, size_t n);

#endif
