/* SPDX-License-Identifier: MIT */
/* alloc.h - one object by the fast path, for the entry points that come in by other names. */
#ifndef SLABKIT_SLAB_ALLOC_H
#define SLABKIT_SLAB_ALLOC_H

#include "asan.h"
#include "cpu.h"

/*
 * What follows when the fast path fails. Both are called last of all in the program's call, which
 * the compiler makes a jump: their return address is the program's, for caches that watch, and the
 * fast path need not pass it on. (Without optimisation it is the library's own.)
 */
void *alloc_slow(struct kmem_cache *s, gfp_t gfp);
void free_slow(struct kmem_cache *s, void *object);

/* AddressSanitizer's view of an object; caches that watch their objects do without
 * it, and a free object that stays what it is may be read. */
static inline void alloc_hide(const struct kmem_cache *s, void *object)
{
	asan_poison(object, s->debug || s->flags & SLAB_TYPESAFE_BY_RCU ? 0 : s->size);
}

static inline void alloc_show(const struct kmem_cache *s, void *object)
{
	asan_unpoison(object, s->object_size);
}

static inline __attribute__((always_inline)) void *alloc_object(struct kmem_cache *s, gfp_t gfp)
{
	void *object = cpu_pop(s);

	if (__builtin_expect(!object, 0))
		return alloc_slow(s, gfp);
	alloc_show(s, object);
	return __builtin_expect(gfp & __GFP_ZERO, 0) ? cache_zero(s, object) : object;
}

static inline __attribute__((always_inline)) void free_object(struct kmem_cache *s, void *object)
{
	alloc_hide(s, object);
	if (__builtin_expect(!cpu_push(s, object), 0))
		free_slow(s, object);
}

#endif
