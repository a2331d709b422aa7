/* SPDX-License-Identifier: MIT */
/*
 * node.h - the partial slabs of a memory node, and counters that make reading them cheap.
 *
 * Partial slabs stand on one list per home CPU, and one of the node for those that none of its CPUs
 * made, all under the node's one lock. An allocation takes from its own CPU's list, then from the
 * others of the node but for the first of each, then makes new slabs; a free goes to the slab's
 * home whoever frees. Empty slabs stay as long as the node has no more than min_partial partial
 * slabs.
 */
#ifndef SLABKIT_SLAB_NODE_H
#define SLABKIT_SLAB_NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cache.h"
#include "detached.h"

/*
 * Up to want objects for CPU home into p; how many:
 * node_take - of memory that is near to it; fewer only when that is out.
 * node_take_far - of any other, which may not go into sheaves; when node_take has not found enough.
 * node_take_on - of that node.
 */
unsigned int node_take(struct kmem_cache *s, unsigned int home, void **p, unsigned int want);
unsigned int node_take_far(struct kmem_cache *s, unsigned int home, void **p, unsigned int want);
unsigned int node_take_on(struct kmem_cache *s, unsigned int node, unsigned int home, void **p,
			  unsigned int want);
/* node_take_one - of that node, or with NUMA_NO_NODE of any, near ones first; NULL: no memory. */
void *node_take_one(struct kmem_cache *s, int node);
/* node_put - takes n objects of s. */
void node_put(struct kmem_cache *s, void **p, size_t n);
/* node_shrink - releases empty slabs beyond keep of each node. */
void node_shrink(struct kmem_cache *s, uint32_t keep);
/*
 * node_dig - gives back whole free pages inside slabs in use, where that may be done: see hole.h.
 */
void node_dig(struct kmem_cache *s);
/* node_has_free - whether the slab, of s, has object on its freelist. */
bool node_has_free(struct kmem_cache *s, const struct slab *slab, const void *object);

/*
 * For caches without sheaves (see cpuslab.h):
 *
 * node_note_new - a slab that is on no list has come into being.
 * node_freeze - up to max partial slabs off a node's lists, frozen, as a chain; how many.
 * node_thaw - takes a chain of frozen slabs: onto the lists, or, if empty, away.
 * node_put_word - d into its slab. True: the slab was full, and is now frozen and the caller's;
 *	only where freeze says that it may be.
 */
void node_note_new(struct kmem_cache *s, struct slab *slab);
unsigned int node_freeze(struct kmem_cache *s, unsigned int node, unsigned int home,
			 struct slab **chain, unsigned int max);
void node_thaw(struct kmem_cache *s, struct slab *chain);
bool node_put_word(struct kmem_cache *s, struct detached *d, bool freeze);

/*
 * node_list - for CPU home the list i of a node's, its own first; NULL: another node's. They are
 * root.nr_cpus + 1, the last one that of the slabs without a home.
 */
struct slab **node_list(struct kmem_cache *s, unsigned int node, unsigned int home, unsigned int i);
/* node_slabs, node_partial_slabs - of all nodes. */
uint64_t node_slabs(const struct kmem_cache *s);
uint64_t node_partial_slabs(const struct kmem_cache *s);
/* node_holes - pages of a node's slabs that the system has back. */
uint64_t node_holes(const struct kmem_cache *s, unsigned int node);
/*
 * node_free - objects on a node's freelists, node_free_objects of all; exact when nobody is at
 * work.
 */
uint64_t node_free(const struct kmem_cache *s, unsigned int node);
uint64_t node_free_objects(const struct kmem_cache *s);

#endif
