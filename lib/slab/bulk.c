// SPDX-License-Identifier: MIT
/*
 * bulk.c - many objects in one call.
 *
 * What main can serve or take alone is copied in one restartable sequence, which programs inline;
 * else the owner of the block moves it, whole sheaves at a time, and beyond the barn straight from
 * or to the slabs.
 */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "alloc.h"
#include "cpuslab.h"
#include "debug.h"
#include "node.h"
#include "publish.h"
#include "slab.h"

/* Entries in one pass when each object must be asked for its cache. */
#define RUN 64
/* Without sheaves so many are faster one by one: each by a sequence, none by the block's lock. */
#define FEW 2

static size_t take_slow(struct kmem_cache *s, void **p, size_t n, const void *caller)
{
	struct cpu_block *b;
	size_t got = 0;

	publish_note();
	if (s->debug) {
		while (got < n && (p[got] = debug_alloc(s, NUMA_NO_NODE, caller)))
			got++;
		return got;
	}
	if (s->sheafless && n <= FEW) {
		while (got < n && (p[got] = cpuslab_alloc(s)))
			got++;
		return got;
	}
	if (s->sheafless)
		return cpuslab_take(s, p, n);
	b = cpu_lock(s);
	if (b) {
		got = sheaf_take(s, b, p, n);
		cpu_unlock(s, b);
	}
	if (got < n)
		got += node_take(s, cpu_current(), p + got, (unsigned int)(n - got));
	if (got < n)
		got += node_take_far(s, cpu_current(), p + got, (unsigned int)(n - got));
	return got;
}

/* What is missing, with the rest kept meanwhile; how many of them. */
static __attribute__((noinline, cold)) size_t take_reclaimed(struct kmem_cache *s, gfp_t gfp,
							     void **p, size_t n, const void *caller)
{
	struct reclaim r = { .gfp = gfp };
	size_t got = 0;

	while (got < n && reclaim_more(&r))
		got += take_slow(s, p + got, n - got, caller);
	return got;
}

/* Where there are several nodes: what is near into the sheaves, the rest to its slabs. */
static void give_by_node(struct kmem_cache *s, void **p, size_t n)
{
	while (n) {
		struct cpu_block *b = cpu_lock(s);
		size_t near = 0, far = 0, i;
		void *run[2][RUN];

		for (i = 0; i < n && i < RUN; i++) {
			if (b && b->near & slab_near(p[i]))
				run[0][near++] = p[i];
			else
				run[1][far++] = p[i];
		}
		if (b) {
			sheaf_give(s, b, run[0], near);
			cpu_unlock(s, b);
		}
		node_put(s, run[1], far);
		p += i;
		n -= i;
	}
}

static void give_slow(struct kmem_cache *s, void **p, size_t n, const void *caller)
{
	struct cpu_block *b;

	publish_note();
	if (s->debug) {
		for (size_t i = 0; i < n; i++)
			debug_free(s, p[i], caller);
		return;
	}
	if (s->sheafless && n <= FEW) {
		for (size_t i = 0; i < n; i++)
			cpuslab_free(s, p[i]);
		return;
	}
	if (s->sheafless) {
		cpuslab_give(s, p, n);
		return;
	}
	if (root.numa.nr > 1) {
		give_by_node(s, p, n);
		return;
	}
	b = cpu_lock(s);
	if (b) {
		sheaf_give(s, b, p, n);
		cpu_unlock(s, b);
	} else {
		node_put(s, p, n);
	}
}

typedef uint64_t pair_t __attribute__((vector_size(16)));

/* Two pointers less one: only NULL has the highest bit set then. */
static inline pair_t less_one(void **p)
{
	pair_t two;

	memcpy(&two, p, sizeof(two));
	return two - 1;
}

static bool has_null(size_t n, void **p)
{
	pair_t seen = { 0, 0 };
	bool null = false;
	size_t i = 0;

	for (; i + 8 <= n; i += 8)
		seen |= (less_one(p + i) | less_one(p + i + 2)) |
			(less_one(p + i + 4) | less_one(p + i + 6));
	for (; i < n; i++)
		null |= !p[i];
	return null || (seen[0] | seen[1]) >> 63;
}

/* With holes in the array: the runs between them. */
static void give_runs(struct kmem_cache *s, void **p, size_t n, const void *caller)
{
	size_t start = 0;

	for (size_t i = 0; i <= n; i++) {
		if (i < n && p[i])
			continue;
		if (i > start)
			give_slow(s, p + start, i - start, caller);
		start = i + 1;
	}
}

/* n is 1 or more. What the sheaf would not take as a whole. */
static void give_rest(struct kmem_cache *s, void **p, size_t n, const void *caller)
{
	if (has_null(n, p))
		give_runs(s, p, n, caller);
	else
		give_slow(s, p, n, caller);
}

static void hide(struct kmem_cache *s, void **p, size_t n)
{
#ifdef SLABKIT_ASAN
	for (size_t i = 0; i < n; i++)
		if (p[i])
			alloc_hide(s, p[i]);
#else
	(void)s, (void)p, (void)n;
#endif
}

/* n is 1 or more. */
static void give(struct kmem_cache *s, void **p, size_t n, const void *caller)
{
	size_t done;

	hide(s, p, n);
	done = cpu_push_bulk(s, p, n);
	if (done < n)
		give_rest(s, p + done, n - done, caller);
}

/* n, of which p holds got already; or 0, and they have gone back. */
static int take_rest(struct kmem_cache *s, gfp_t gfp, size_t n, void **p, size_t got,
		     const void *caller)
{
	if (got < n) {
		if (__builtin_expect(s->debug, 0) && fault_hits(s, gfp, n))
			return 0;
		got += take_slow(s, p + got, n - got, caller);
	}
	if (__builtin_expect(got < n, 0)) {
		got += take_reclaimed(s, gfp, p + got, n - got, caller);
		if (got < n) {
			if (got)
				give(s, p, got, caller);
			errno = ENOMEM;
			return 0;
		}
	}
#ifdef SLABKIT_ASAN
	for (size_t i = 0; i < n; i++)
		alloc_show(s, p[i]);
#endif
	if (gfp & __GFP_ZERO)
		for (size_t i = 0; i < n; i++)
			cache_zero(s, p[i]);
	return (int)n;
}

/* None is no failure; more than can be returned is one. */
static __attribute__((noinline, cold)) int refuse(size_t n)
{
	if (n)
		errno = EINVAL;
	return 0;
}

int kmem_cache_alloc_bulk(struct kmem_cache *s, gfp_t gfp, size_t n, void **p)
{
	if (__builtin_expect(!n || n > INT_MAX, 0))
		return refuse(n);
	return take_rest(s, gfp, n, p, cpu_pop_bulk(s, p, n), __builtin_return_address(0));
}

/* For programs that inlined the fast path, which has failed or did not apply (see fast.h). */
SLAB_API int slab_alloc_bulk_slow(struct kmem_cache *s, gfp_t gfp, size_t n, void **p);
SLAB_API void slab_free_bulk_slow(struct kmem_cache *s, size_t n, void **p);

int slab_alloc_bulk_slow(struct kmem_cache *s, gfp_t gfp, size_t n, void **p)
{
	if (__builtin_expect(!n || n > INT_MAX, 0))
		return refuse(n);
	return take_rest(s, gfp, n, p, 0, __builtin_return_address(0));
}

/* Objects of any caches: runs of one cache go back together. */
static void free_any(size_t n, void **p, const void *caller)
{
	void *run[RUN];
	struct kmem_cache *s = NULL;
	unsigned int len = 0;

	for (size_t i = 0; i < n; i++) {
		struct slab *slab;

		if (ZERO_OR_NULL_PTR(p[i]))
			continue;
		slab = slab_find(&root.map, p[i]);
		if (!slab) {
			kfree(p[i]);
			continue;
		}
		if (len && (slab->cache != s || len == RUN)) {
			give(s, run, len, caller);
			len = 0;
		}
		s = slab->cache;
		run[len++] = p[i];
	}
	if (len)
		give(s, run, len, caller);
}

void kmem_cache_free_bulk(struct kmem_cache *s, size_t n, void **p)
{
	if (!s)
		free_any(n, p, __builtin_return_address(0));
	else if (n)
		give(s, p, n, __builtin_return_address(0));
}

void slab_free_bulk_slow(struct kmem_cache *s, size_t n, void **p)
{
	if (!s) {
		free_any(n, p, __builtin_return_address(0));
	} else if (n) {
		hide(s, p, n);
		give_rest(s, p, n, __builtin_return_address(0));
	}
}
