/* SPDX-License-Identifier: MIT */
/*
 * rcu.h - objects that are free once every reader of today is gone.
 *
 *	kfree_rcu -> a CPU's batch -> waiting -> (grace period) covered -> the CPU's barn, or slabs
 *
 * Each CPU gathers objects of a cache in a batch, the third kind of sheaf: its owner writes it, as
 * it does main and spare. A full batch joins the queue of what waits. A *round* takes the whole
 * queue, waits for one grace period and gives all of it back: full sheaves' worth into the barn of
 * the CPU that freed them, as far as that has room, the rest to slabs. Rounds are made by a thread
 * of the library, begun with the first batch and asleep while nothing waits, and by whoever wants
 * to wait (barrier, destroy). One round runs at a time.
 *
 * Bounds. The thread lets work gather for a moment, and is hurried when a cache has as many batches
 * in flight as its barn holds sheaves. Frees never wait for readers: a free may be made inside a
 * read-side critical section, or under a lock that a reader wants. Who frees faster than grace
 * periods end, is outside of such sections and has FLIGHTS times the bound in flight is slowed by a
 * short nap for each batch.
 *
 * Memory. A batch comes from kmalloc and returns by kfree, never by way of another batch. When there
 * is none, an object freed by kfree_rcu waits by itself, linked through the head that it carries;
 * one freed without a head is waited for on the spot.
 *
 * Fork. The forking thread makes itself the one that runs the round, so that no grace period is
 * half waited for in the child, unless it is a reader itself: then it would wait for itself. The
 * child has no thread of the library until it frees; what was covered waits again.
 *
 * Caches whose memory is type-safe give slabs back to the page layer by the same queue.
 */
#ifndef SLABKIT_SLAB_RCU_H
#define SLABKIT_SLAB_RCU_H

#include <stdbool.h>
#include <stdint.h>

#include "lock.h"

struct kmem_cache;
struct rcu_flavor_struct;
struct slab;

struct rcu_batch {
	struct rcu_batch *next;
	struct kmem_cache *cache;
	uint32_t home; /* CPU whose barn it goes to */
	uint32_t n, capacity;
	void *slot[];
};

/* An object that waits by itself: what kfree_rcu writes into its head. */
struct rcu_lone {
	struct rcu_lone *next;
	const void *object;
};

struct rcu_queue {
	struct rcu_batch *batches;
	struct rcu_lone *lone;
	struct slab *slabs;
};

/* In the root. */
struct rcu {
	struct lock lock;    /* queues and what follows them */
	struct lock reclaim; /* objects of a round are being given back: no fork meanwhile */
	struct rcu_queue waiting, covered;
	bool busy; /* a round is under way; covered is its maker's */
	bool fork_holds;
	bool worker;	 /* there is a thread */
	uint32_t nr_odd; /* lone objects and slabs in waiting */
	uint64_t begun, ended; /* rounds */
	uint32_t call;	       /* the thread sleeps on it: see enum call in rcu.c */
	const struct rcu_flavor_struct *flavor;
};

/* In a cache. */
struct rcu_cache {
	uint32_t flight, peak; /* batches that wait: at present, at most */
	uint64_t sent;	       /* in all */
	/* Objects: sent round the CPUs' batches; given back. See rcu_waiting_objects(). */
	uint64_t direct, given;
};

/* rcu_waiting_objects - of s, in batches sent or not; exact when nobody is at work. */
uint64_t rcu_waiting_objects(const struct kmem_cache *s);
/* rcu_flush - the CPUs' batches of s, however full, are sent. */
void rcu_flush(struct kmem_cache *s);
/* rcu_settle - s is going away: everything that waits for a grace period has been given back. */
void rcu_settle(struct kmem_cache *s);
/*
 * rcu_hurry - the CPUs' batches are sent, and all that waits is hurried; waits for it, but only for a
 * moment, and not if the caller is a reader. True: it has come back.
 */
bool rcu_hurry(void);
/* rcu_defer_slabs - takes a chain of empty slabs: to the page layer, after a grace period. */
void rcu_defer_slabs(struct slab *chain);

/* Around fork: before every other lock, after them; in the child. */
void rcu_before_fork(void);
void rcu_after_fork(bool child);

#endif
