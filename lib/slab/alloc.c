// SPDX-License-Identifier: MIT
/*
 * alloc.c - objects one by one: the fast path, and the way down when it fails.
 *
 * The fast path is cpu_pop or cpu_push and nothing else. It fails for an empty or full sheaf, for
 * a block that somebody owns, and always for caches without sheaves; what follows is out of line.
 */
#include "alloc.h"

#include "cpuslab.h"
#include "debug.h"
#include "node.h"
#include "peek.h"
#include "publish.h"
#include "slab.h"

/* Round the sheaves: the block is somebody's, or the cache has none. */
static void *alloc_bypass(struct kmem_cache *s)
{
	void *object = node_take_one(s, NUMA_NO_NODE);

	if (object)
		bump(s->cpu[cpu_current()].stat[STAT_ALLOC_BYPASS], 1);
	return object;
}

static void *alloc_sheaf(struct kmem_cache *s)
{
	struct cpu_block *b = cpu_lock(s);
	void *object = NULL;

	if (b) {
		if (sheaf_refill(s, b)) {
			poke_sub(b->n, 1);
			object = b->main->slot[b->n];
		}
		cpu_unlock(s, b);
	}
	return object ? object : alloc_bypass(s);
}

static inline void *take(struct kmem_cache *s, const void *caller)
{
	if (!s->sheafless)
		return alloc_sheaf(s);
	return s->debug ? debug_alloc(s, NUMA_NO_NODE, caller) : cpuslab_alloc(s);
}

/* There is no memory: until reclaim has found some, or has nothing more to try. */
static __attribute__((noinline, cold)) void *take_reclaimed(struct kmem_cache *s, gfp_t gfp,
							    const void *caller)
{
	struct reclaim r = { .gfp = gfp };
	void *object = NULL;

	while (!object && reclaim_more(&r))
		object = take(s, caller);
	return object;
}

__attribute__((noinline)) void *alloc_slow(struct kmem_cache *s, gfp_t gfp)
{
	const void *caller = __builtin_return_address(0);
	void *object;

	if (__builtin_expect(s->debug, 0) && fault_hits(s, gfp, 1))
		return NULL;
	object = take(s, caller);
	publish_note();
	if (__builtin_expect(!object, 0)) {
		object = take_reclaimed(s, gfp, caller);
		if (!object)
			return NULL;
	}
	alloc_show(s, object);
	return gfp & __GFP_ZERO ? cache_zero(s, object) : object;
}

static bool free_sheaf(struct kmem_cache *s, void *object, uint64_t where)
{
	struct cpu_block *b = cpu_lock(s);
	bool room;

	if (!b)
		return false;
	room = b->near & where && sheaf_make_room(s, b);
	if (room) {
		b->main->slot[b->n] = object;
		poke_add(b->n, 1);
	}
	cpu_unlock(s, b);
	return room;
}

__attribute__((noinline)) void free_slow(struct kmem_cache *s, void *object)
{
	uint64_t where;

	if (s->debug) {
		debug_free(s, object, __builtin_return_address(0));
		return;
	}
	if (s->sheafless) {
		cpuslab_free(s, object);
		return;
	}
	where = slab_near(object);
	if (root.numa.nr > 1 && cpu_push_near(s, object, where))
		return;
	if (!free_sheaf(s, object, where)) {
		node_put(s, &object, 1);
		bump(s->cpu[cpu_current()].stat[STAT_FREE_BYPASS], 1);
	}
	publish_note();
}

/* The same by names that programs know, which inline the fast path. */
SLAB_API void *slab_alloc_slow(struct kmem_cache *s, gfp_t gfp)
	__attribute__((alias("alloc_slow")));
SLAB_API void slab_free_slow(struct kmem_cache *s, void *object)
	__attribute__((alias("free_slow")));

void *kmem_cache_alloc(struct kmem_cache *s, gfp_t gfp)
{
	return alloc_object(s, gfp);
}

void *kmem_cache_zalloc(struct kmem_cache *s, gfp_t gfp)
{
	return alloc_object(s, gfp | __GFP_ZERO);
}

void kmem_cache_free(struct kmem_cache *s, void *object)
{
	if (__builtin_expect(object != NULL, 1))
		free_object(s, object);
}
