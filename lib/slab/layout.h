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
 * and args. 0, or -EINVAL where no slab can be made of it.
 */
int layout_set(struct kmem_cache *s, const struct kmem_cache_args *args, uint32_t cpus);

#endif
