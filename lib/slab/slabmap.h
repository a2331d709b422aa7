/* SPDX-License-Identifier: MIT */
/*
 * slabmap.h - from an address to the chunk that holds it, or to nothing.
 *
 * Two levels of pointers, indexed by the address bits above a chunk (4 MiB): the root table lies in
 * the allocator's root, leaves come from the system and stay. Readers take no lock: an entry is
 * written before any object of the chunk is handed out and cleared after the last one is back, so
 * an address that may be asked about has a stable entry; any other answers NULL or is stale by a
 * bug of the caller.
 */
#ifndef SLABKIT_SLAB_SLABMAP_H
#define SLABKIT_SLAB_SLABMAP_H

#include <stddef.h>
#include <stdint.h>

#define CHUNK_SHIFT	  22
#define CHUNK_BYTES	  ((size_t)1 << CHUNK_SHIFT)
#define SLABMAP_LEAF_BITS 13
#define SLABMAP_ROOT_BITS 13 /* 48 bits of address in all */

struct chunk;

struct slabmap_leaf {
	struct chunk *chunk[1 << SLABMAP_LEAF_BITS];
};

struct slabmap {
	struct slabmap_leaf *leaf[1 << SLABMAP_ROOT_BITS];
};

static inline struct chunk *slabmap_find(const struct slabmap *map, const void *p)
{
	uintptr_t i = (uintptr_t)p >> CHUNK_SHIFT;
	const struct slabmap_leaf *leaf;

	if (__builtin_expect(i >> (SLABMAP_LEAF_BITS + SLABMAP_ROOT_BITS), 0))
		return NULL;
	leaf = __atomic_load_n(&map->leaf[i >> SLABMAP_LEAF_BITS], __ATOMIC_ACQUIRE);
	if (__builtin_expect(!leaf, 0))
		return NULL;
	return __atomic_load_n(&leaf->chunk[i & ((1 << SLABMAP_LEAF_BITS) - 1)], __ATOMIC_ACQUIRE);
}

/* slabmap_set - under the pages lock. 0, or -ENOMEM when a leaf cannot be had. */
int slabmap_set(struct slabmap *map, void *base, struct chunk *chunk);

#endif
