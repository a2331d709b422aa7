/* SPDX-License-Identifier: MIT */
/*
 * pool.h - what a benchmark may ask of an allocator: objects of one size.
 *
 * Each worker program is the same sources compiled with another POOL_HEADER; everything below is
 * static inline there, so that a loop calls the allocator as its user would, and nothing else.
 * An adapter defines struct pool and
 *
 *	pool_create(name, size, capacity, flags)	capacity: most objects that live at a time
 *	pool_thread_init(pool)				before the first use on a thread
 *	pool_thread_exit(pool)				after the last, where a thread ends early
 *	pool_alloc(pool), pool_free(pool, object)
 *	pool_alloc_bulk(pool, n, v), pool_free_bulk(pool, n, v)	where POOL_BULK is 1
 *	pool_rcu_enter(pool), pool_rcu_leave(pool)	a thread that frees through RCU, where
 *	pool_free_rcu(pool, object), pool_rcu_barrier(pool)	POOL_RCU is 1
 *	pool_trim(pool)					give free memory back as far as it can
 *	pool_partial_slabs(pool)			reads all counters, where POOL_STATS is 1
 *	POOL_GROWS					1: memory comes and goes with the objects
 *	pool_describe(buf, len)				which library, which version
 */
#ifndef BENCH_POOL_H
#define BENCH_POOL_H

#include <stddef.h>

/* For adapters whose allocator knows such things; others ignore them. */
enum pool_flags {
	POOL_ACCOUNT = 1,  /* the kernel's SLAB_ACCOUNT */
	POOL_NO_MERGE = 2, /* this user's objects on slabs of its own */
};

#include POOL_HEADER

#ifndef POOL_RCU
#define POOL_RCU 0
#endif

/* Keeps the compiler from pairing an allocation with its free, or moving either. */
#define pool_barrier() __asm__ volatile("" ::: "memory")

#endif
