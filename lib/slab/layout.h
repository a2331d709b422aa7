/* SPDX-License-Identifier: MIT */
/* layout.h - where objects lie in a slab: size, alignment, link, order. */
#ifndef SLABKIT_SLAB_LAYOUT_H
#define SLABKIT_SLAB_LAYOUT_H

#include <stdint.h>

#include "cache.h"

#define LAYOUT_MAX_ORDER 3 /* of slabs, where objects fit */
#define LAYOUT_MAX_SIZE	 (1U << 20)

/*
 * layout_set - size, align, offset, order, objects, recip of s from its object_size, flags, ctor
 * and args. What lies round an object of LAYOUT_MAX_SIZE still fits into the largest block.
 */
void layout_set(struct kmem_cache *s, const struct kmem_cache_args *args, uint32_t cpus,
	       uint32_t min_order);
/* layout_align - of objects, from what is asked for. */
uint32_t layout_align(uint32_t size, uint32_t align, slab_flags_t flags);

static inline uint32_t layout_align_up(uint32_t x, uint32_t align)
{
	return (x + align - 1) & ~(align - 1);
}

#endif
