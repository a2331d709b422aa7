/* SPDX-License-Identifier: MIT */
/*
 * rcu.h - objects that are free once every reader of today is gone.
 *
 *	kfree_rcu -> a CPU's batch -> waiting -> covered
 *		  -> (grace period) -> ready -> the CPU's barn, or slabs
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
 * read-side critical section, or under a lock that a reader wants. Who is outside of such sections
 * and frees while FLIGHTS times the bound is in flight for every CPU gives two batches back for
 * each that he sends, if a grace period has set some free: the thread alone, on a busy machine,
 * would fall behind without end. If none has ended he makes a pause, the longer the more is in
 * flight.
 *
 * Memory. A batch comes from kmalloc and returns by kfree, never by way of another batch. When
 * there is none, an object freed by kfree_rcu waits by itself, linked through the head that it
 * carries; one freed without a head is waited for on the spot.
 *
 * Fork. No round begins and nothing more is given back once somebody wants to fork, who waits for
 * the grace period under way, so that none is half waited for in the child, unless he is a reader
 * himself: then he would wait for himself. The child has no thread of the library until it frees;
 * what was covered or ready waits again.
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

enum rcu_round {
	ROUND_NONE,
	ROUND_WAITS, /* for a grace period; covered is its maker's */
	ROUND_GIVES, /* what is ready back; others may help */
};

/* In the root. */
struct rcu {
	struct lock lock; /* queues and what follows them */
	struct rcu_queue waiting, covered, ready;
	enum rcu_round round;
	uint32_t givers; /* who give back a part of what was ready */
	bool fork_waits; /* until it is over, no round begins and nobody becomes a giver */
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
 * rcu_hurry - the CPUs' batches are sent, and all that waits is hurried; waits for it, but only for
 * a moment, and not if the caller is a reader. True: it has come back.
 */
bool rcu_hurry(void);
/* rcu_defer_slabs - takes a chain of empty slabs: to the page layer, after a grace period. */
void rcu_defer_slabs(struct slab *chain);

/* Around fork: before every other lock, after them; in the child. */
void rcu_before_fork(void);
void rcu_after_fork(bool child);

#endif
