/* SPDX-License-Identifier: MIT */
/* heap.h - what malloc has: the caches of its size classes, and counts of the largest blocks. */
#ifndef SLABKIT_MALLOC_HEAP_H
#define SLABKIT_MALLOC_HEAP_H

#include <stdint.h>

#include "class.h"

/* Tests link the same functions by other names. */
#ifndef MALLOC_NAME
#define MALLOC_NAME(name) name
#endif
#define EXPORT __attribute__((visibility("default")))

struct heap {
	struct kmem_cache *cache[CLASSES]; /* NULL until it is asked for */
	uint64_t maps, maps_bytes;	   /* blocks with a mapping of their own */
};

extern struct heap heap __attribute__((visibility("hidden")));

/* heap_cache - of a class, or NULL. */
static inline struct kmem_cache *heap_cache(unsigned int class)
{
	return __atomic_load_n(&heap.cache[class], __ATOMIC_ACQUIRE);
}

#endif
