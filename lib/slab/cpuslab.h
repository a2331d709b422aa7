/* SPDX-License-Identifier: MIT */
/*
 * cpuslab.h - caches without sheaves: SLUB's own way.
 *
 * A CPU owns one slab, whose free objects hang on the CPU's freelist, and some partial slabs for
 * when that is used up. Owned slabs are *frozen*: on no list of the node, and nobody else moves
 * them. An allocation takes from the freelist in a restartable sequence that ends in one store; so
 * does a free of an object of the CPU's slab. Any other free puts the object into its slab by one
 * compare-exchange of the slab's state; a slab that was full till then is frozen by the same step
 * and joins the partial slabs of the freeing CPU. When those hold more than cpu_partial objects'
 * worth of slabs, they go to the node.
 */
#ifndef SLABKIT_SLAB_CPUSLAB_H
#define SLABKIT_SLAB_CPUSLAB_H

#include <stddef.h>

#include "cache.h"

/* cpuslab_default_partial - objects that a CPU may keep on partial slabs; as SLUB. */
uint32_t cpuslab_default_partial(uint32_t size);

/* cpuslab_alloc - one object; NULL: no memory. */
void *cpuslab_alloc(struct kmem_cache *s);
/* cpuslab_alloc_on - one object, round the CPU's slab, as node_take_one. */
void *cpuslab_alloc_on(struct kmem_cache *s, int node);
/* cpuslab_free - takes object. */
void cpuslab_free(struct kmem_cache *s, void *object);
/* cpuslab_take - up to n objects into p; fewer only when memory is out. */
size_t cpuslab_take(struct kmem_cache *s, void **p, size_t n);
/* cpuslab_give - takes n objects. */
void cpuslab_give(struct kmem_cache *s, void **p, size_t n);
/* cpuslab_drain - the caller owns b: its slabs go to the node. */
void cpuslab_drain(struct kmem_cache *s, struct cpu_block *b);

#endif
