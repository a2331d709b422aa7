/* SPDX-License-Identifier: MIT */
/*
 * pool_slabkit.h - libslabkit as its user has it: the public header and the shared library.
 */
#ifndef BENCH_POOL_SLABKIT_H
#define BENCH_POOL_SLABKIT_H

#include <slab/slab.h>

#include <stdio.h>

#define POOL_BULK  1
#define POOL_GROWS 1
#define POOL_STATS 1
#define POOL_RCU   1

/* A pool is a cache; its address is only cast, so that no load stands before the call. */
struct pool;

static inline struct kmem_cache *pool_cache(struct pool *p)
{
	return (struct kmem_cache *)p;
}

static inline struct pool *pool_create(const char *name, size_t size, size_t capacity, int flags)
{
	slab_flags_t f = 0;

	(void)capacity;
	if (flags & POOL_ACCOUNT)
		f |= SLAB_ACCOUNT;
	if (flags & POOL_NO_MERGE)
		f |= SLAB_NO_MERGE;
	return (struct pool *)kmem_cache_create(name, (unsigned)size, 0, f, NULL);
}

static inline void pool_thread_init(struct pool *p)
{
	(void)p;
}

static inline void pool_thread_exit(struct pool *p)
{
	(void)p;
}

static inline void *pool_alloc(struct pool *p)
{
	return kmem_cache_alloc(pool_cache(p), GFP_KERNEL);
}

static inline void pool_free(struct pool *p, void *object)
{
	kmem_cache_free(pool_cache(p), object);
}

static inline int pool_alloc_bulk(struct pool *p, size_t n, void **v)
{
	return kmem_cache_alloc_bulk(pool_cache(p), GFP_KERNEL, n, v);
}

static inline void pool_free_bulk(struct pool *p, size_t n, void **v)
{
	kmem_cache_free_bulk(pool_cache(p), n, v);
}

static inline void pool_rcu_enter(struct pool *p)
{
	(void)p;
}

static inline void pool_rcu_leave(struct pool *p)
{
	(void)p;
}

static inline void pool_free_rcu(struct pool *p, void *object)
{
	kmem_cache_free_rcu(pool_cache(p), object);
}

static inline void pool_rcu_barrier(struct pool *p)
{
	(void)p;
	kvfree_rcu_barrier();
}

static inline void pool_trim(struct pool *p)
{
	kmem_cache_shrink(pool_cache(p));
}

/* Reads all counters. */
static inline size_t pool_partial_slabs(struct pool *p)
{
	struct kmem_cache_stats st;

	kmem_cache_stats(pool_cache(p), &st);
	return st.partial_slabs;
}

static inline void pool_describe(char *buf, size_t len)
{
	snprintf(buf, len, "this tree, through slab.h");
}

#endif
