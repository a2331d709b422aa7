// SPDX-License-Identifier: MIT
/*
 * alloc.c - objects one by one: the fast path, and the way down when it fails.
 *
 * The fast path is cpu_pop or cpu_push and nothing else. It fails for an empty or full sheaf, for
 * a block that somebody owns, and always for caches without sheaves; what follows is out of line.
 */
#include <errno.h>
#include <string.h>

#include "asan.h"
#include "cpu.h"
#include "cpuslab.h"
#include "node.h"
#include "peek.h"

/* Round the sheaves: the block is somebody's, or the cache has none. */
static void *alloc_bypass(struct kmem_cache *s)
{
	unsigned int cpu = cpu_current();
	void *object;

	if (!node_take(s, cpu, &object, 1))
		return NULL;
	bump(s->cpu[cpu].stat[STAT_ALLOC_BYPASS], 1);
	return object;
}

static void *alloc_sheaf(struct kmem_cache *s)
{
	struct cpu_block *b = cpu_lock(s);
	void *object = NULL;

	if (b) {
		if (sheaf_refill(s, b))
			object = b->main->slot[--b->n];
		cpu_unlock(s, b);
	}
	return object ? object : alloc_bypass(s);
}

static __attribute__((noinline)) void *alloc_slow(struct kmem_cache *s, gfp_t gfp)
{
	void *object = s->sheafless ? cpuslab_alloc(s) : alloc_sheaf(s);

	if (!object) {
		errno = ENOMEM;
		return NULL;
	}
	asan_unpoison(object, s->object_size);
	return gfp & __GFP_ZERO ? cache_zero(s, object) : object;
}

static __attribute__((noinline)) void free_slow(struct kmem_cache *s, void *object)
{
	struct cpu_block *b;
	bool room;

	if (s->sheafless) {
		cpuslab_free(s, object);
		return;
	}
	b = cpu_lock(s);
	if (b) {
		room = sheaf_make_room(s, b);
		if (room)
			b->main->slot[b->n++] = object;
		cpu_unlock(s, b);
		if (room)
			return;
	}
	node_put(s, &object, 1);
	bump(s->cpu[cpu_current()].stat[STAT_FREE_BYPASS], 1);
}

void *kmem_cache_alloc(struct kmem_cache *s, gfp_t gfp)
{
	void *object = cpu_pop(s);

	if (__builtin_expect(!object, 0))
		return alloc_slow(s, gfp);
	asan_unpoison(object, s->object_size);
	return __builtin_expect(gfp & __GFP_ZERO, 0) ? cache_zero(s, object) : object;
}

void *kmem_cache_zalloc(struct kmem_cache *s, gfp_t gfp)
{
	return kmem_cache_alloc(s, gfp | __GFP_ZERO);
}

void kmem_cache_free(struct kmem_cache *s, void *object)
{
	if (__builtin_expect(!object, 0))
		return;
	asan_poison(object, s->size);
	if (__builtin_expect(!cpu_push(s, object), 0))
		free_slow(s, object);
}
