/* SPDX-License-Identifier: MIT */
/*
 * sheaf.h - an array of object pointers that moves between CPU and barn as one thing.
 *
 * Header and slots together are a power of two for the default capacities (126 to 6), and a
 * CPU's sheaves come from memory of its own, so that the processor's prefetch, which runs past the
 * end of an array, meets no line that another CPU writes. The slots of main have no count in the
 * sheaf: it is in the per-CPU block. Every function here is called by the owner of the block.
 */
#ifndef SLABKIT_SLAB_SHEAF_H
#define SLABKIT_SLAB_SHEAF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cache.h"

struct sheaf {
	struct sheaf *next;
	uint64_t pad;
	void *slot[];
};
_Static_assert(offsetof(struct sheaf, slot) == 16, "layout that the fast path knows");

static inline size_t sheaf_bytes(uint32_t capacity)
{
	return sizeof(struct sheaf) + (size_t)capacity * sizeof(void *);
}

/* sheaf_default_capacity - for objects of size bytes. */
uint32_t sheaf_default_capacity(uint32_t size);
/* sheaf_default_stock - full sheaves a barn may hold. */
uint32_t sheaf_default_stock(uint32_t size, uint32_t capacity);

/* sheaf_refill - main holds at least one object afterwards; returns how many (0: no memory). */
uint32_t sheaf_refill(struct kmem_cache *s, struct cpu_block *b);
/* sheaf_make_room - main has room for at least one object; false: there is no memory for one. */
bool sheaf_make_room(struct kmem_cache *s, struct cpu_block *b);
/* sheaf_take - up to want objects, whole sheaves where it can; returns how many. */
size_t sheaf_take(struct kmem_cache *s, struct cpu_block *b, void **p, size_t want);
/* sheaf_give - takes all n objects. */
void sheaf_give(struct kmem_cache *s, struct cpu_block *b, void **p, size_t n);
/* sheaf_stock_empty - the barn has empty sheaves for n objects that will come home, if it can. */
void sheaf_stock_empty(struct kmem_cache *s, struct cpu_block *b, uint32_t n);
/*
 * sheaf_give_home - whole sheaves' worth of p[n] into b's barn, as far as that has room; returns
 * how many objects. For anybody who holds s->drain.
 */
size_t sheaf_give_home(struct kmem_cache *s, struct cpu_block *b, void **p, size_t n);
/* sheaf_drain - everything the block and its barn hold goes back to slabs. */
void sheaf_drain(struct kmem_cache *s, struct cpu_block *b);
/* sheaf_forget - after a drain: the sheaves' memory goes; every CPU's block is in one hand. */
void sheaf_forget(struct cpu_block *b);

#endif
