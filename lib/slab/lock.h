/* SPDX-License-Identifier: MIT */
/*
 * lock.h - the one lock of the allocator, and the order in which locks may be taken.
 *
 * A word: taken by one compare-exchange, dropped by one plain release store, which is what a lock
 * costs least where nobody waits (barns are per CPU, so nobody does). A waiter spins a little, then
 * yields, then sleeps for growing moments: sections are a few hundred cycles, so a waiter that
 * meets a preempted holder only has to let it run.
 *
 * Ranks grow on the way down the layers. Debug builds keep the ranks that a thread holds and stop
 * at the first lock taken out of order. fork takes every lock there is, in rank order, many of one
 * rank: lock_take_fork() allows that.
 */
#ifndef SLABKIT_SLAB_LOCK_H
#define SLABKIT_SLAB_LOCK_H

#include <stdbool.h>
#include <stdint.h>

enum lock_rank {
	LOCK_PUBLISH = 1, /* writing the page; slow paths, which may hold others, only try it */
	LOCK_ROOT,     /* the list of caches */
	LOCK_POOL,     /* a mempool's reserve */
	LOCK_SHRINKER, /* the list of shrinkers */
	LOCK_DRAIN,    /* one remote drain of a cache at a time */
	LOCK_CPU,      /* a per-CPU block: see cpu.h */
	LOCK_BARN,
	LOCK_NODE,
	LOCK_RCU,  /* what waits for a grace period */
	LOCK_RUNS, /* malloc's larger blocks */
	LOCK_PAGES,
};

struct lock {
	uint32_t word;
};

void lock_wait(struct lock *l);

#ifdef SLABKIT_DEBUG
void lock_rank_enter(enum lock_rank rank);
void lock_rank_leave(enum lock_rank rank);
#else
static inline void lock_rank_enter(enum lock_rank rank)
{
	(void)rank;
}
static inline void lock_rank_leave(enum lock_rank rank)
{
	(void)rank;
}
#endif

static inline bool lock_try(struct lock *l)
{
	uint32_t free = 0;

	return __atomic_compare_exchange_n(&l->word, &free, 1, false, __ATOMIC_ACQUIRE,
					   __ATOMIC_RELAXED);
}

static inline void lock_take(struct lock *l, enum lock_rank rank)
{
	lock_rank_enter(rank);
	if (__builtin_expect(!lock_try(l), 0))
		lock_wait(l);
}

static inline void lock_drop(struct lock *l, enum lock_rank rank)
{
	__atomic_store_n(&l->word, 0, __ATOMIC_RELEASE);
	lock_rank_leave(rank);
}

static inline void lock_take_fork(struct lock *l)
{
	if (!lock_try(l))
		lock_wait(l);
}

static inline void lock_drop_fork(struct lock *l)
{
	__atomic_store_n(&l->word, 0, __ATOMIC_RELEASE);
}

#endif
