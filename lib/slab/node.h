/* SPDX-License-Identifier: MIT */
/*
 * node.h - the partial slabs of a memory node, and counters that make reading them cheap.
 *
 * Partial slabs stand on one list per home CPU, all under the node's one lock. An allocation takes
 * from its own CPU's list, then from the others' but for the first of each, then makes new slabs; a
 * free goes to the slab's home whoever frees. Empty slabs stay as long as there are no more than
 * min_partial partial slabs.
 */
#ifndef SLABKIT_SLAB_NODE_H
#define SLABKIT_SLAB_NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cache.h"
#include "detached.h"

/* node_take - up to want objects for CPU home into p; fewer only when memory is out. */
unsigned int node_take(struct kmem_cache *s, unsigned int home, void **p, unsigned int want);
/* node_put - takes n objects of s. */
void node_put(struct kmem_cache *s, void **p, size_t n);
/* node_shrink - releases empty slabs beyond keep. */
void node_shrink(struct kmem_cache *s, uint32_t keep);

/*
 * For caches without sheaves (see cpuslab.h):
 *
 * node_note_new - a slab that is on no list has come into being.
 * node_freeze - up to max partial slabs off the lists, frozen, as a chain; how many.
 * node_thaw - takes a chain of frozen slabs: onto the lists, or, if empty, away.
 * node_put_word - d into its slab. True: the slab was full, and is now frozen and the caller's;
 *	only where freeze says that it may be.
 */
void node_note_new(struct kmem_cache *s, struct slab *slab);
unsigned int node_freeze(struct kmem_cache *s, unsigned int home, struct slab **chain,
			 unsigned int max);
void node_thaw(struct kmem_cache *s, struct slab *chain);
bool node_put_word(struct kmem_cache *s, struct detached *d, bool freeze);

#endif
