/* SPDX-License-Identifier: MIT */
/*
 * link.h - where a free object keeps the next one, and where objects lie in a slab.
 *
 * A link is masked with the cache's key and its own address, so that a write past the end of an
 * object does not become a pointer of the writer's choice, and so that the word tells, with next to
 * no doubt, whether an object is free: in a free one it reads as NULL or an address in its slab.
 */
#ifndef SLABKIT_SLAB_LINK_H
#define SLABKIT_SLAB_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "asan.h"
#include "cache.h"
#include "pages.h"

#ifdef SLABKIT_ASAN
#define LINK_FUNCTION static ASAN_IGNORE __attribute__((unused))
#else
#define LINK_FUNCTION static inline
#endif

static inline uint64_t *link_at(const struct kmem_cache *s, void *object)
{
	return (uint64_t *)((char *)object + s->offset);
}

static inline uint64_t link_mask(const struct kmem_cache *s, const void *object)
{
	return s->key ^ __builtin_bswap64((uintptr_t)object + s->offset);
}

/* Atomic, because a word that looks like a link may be read while its object is in use. */
LINK_FUNCTION uint64_t link_load(const struct kmem_cache *s, void *object)
{
	return __atomic_load_n(link_at(s, object), __ATOMIC_RELAXED) ^ link_mask(s, object);
}

LINK_FUNCTION void link_store(const struct kmem_cache *s, void *object, const void *next)
{
	__atomic_store_n(link_at(s, object), (uintptr_t)next ^ link_mask(s, object),
			 __ATOMIC_RELAXED);
}

/* For an object that is handed out: what no link looks like. */
LINK_FUNCTION void link_wipe(const struct kmem_cache *s, void *object)
{
	__atomic_store_n(link_at(s, object), 0, __ATOMIC_RELAXED);
}

/*
 * off / size by multiplication: recip is 2^32 / size rounded up, exact for off < 2^16 since the
 * error, off * (recip * size - 2^32) <= off * size, stays below 2^32; beyond it the slab holds one
 * object.
 */
static inline uint32_t link_index(const struct kmem_cache *s, const struct slab *slab,
				  const void *object)
{
	return (uint32_t)(((uint64_t)(uint32_t)((const char *)object - slab->base) * s->recip) >>
			  32);
}

static inline void *link_object(const struct kmem_cache *s, const struct slab *slab, uint32_t index)
{
	return slab->base + (size_t)index * s->size;
}

static inline bool link_in_slab(const struct slab *slab, uint64_t address)
{
	return address - (uintptr_t)slab->base < pages_block_bytes(slab);
}

/* link_looks_free - by its link; true for one object in use in 2^50 or so. */
static inline bool link_looks_free(const struct kmem_cache *s, const struct slab *slab,
				   void *object)
{
	uint64_t next = link_load(s, object);

	return !next || link_in_slab(slab, next);
}

#endif
