/* SPDX-License-Identifier: MIT */
/*
 * mempool.h - a reserve of elements that lets somebody always go on.
 *
 * An allocation asks the pool's source first; if that has nothing, the reserve; if that is empty
 * and the caller may wait, it waits until an element comes back. A free fills the reserve before
 * anything goes back to the source. So with all memory refused, as many users as the reserve has
 * elements are at work at any time, and each that finishes lets the next go on.
 *
 * The reserve is an array under the pool's lock; who waits sleeps on a word that each free changes.
 * A pool on a slab cache pins it: a cache whose reserve were filled by strangers' objects, or whose
 * slabs strangers hold, would promise nothing.
 */
#ifndef SLABKIT_SLAB_MEMPOOL_H
#define SLABKIT_SLAB_MEMPOOL_H

#include <slab/slab.h>
#include <stdbool.h>
#include <stdint.h>

#include "lock.h"

struct mempool {
	struct lock lock;
	uint32_t freed; /* changes with each element that comes back: waiters sleep on it */
	uint32_t waiters;
	int min_nr, curr_nr;
	void **element; /* room for min_nr */
	void *data;
	mempool_alloc_t *alloc;
	mempool_free_t *free;
	struct mempool *next, *prev; /* the root's list: fork takes every lock */
};

/* Around fork: the locks of all pools, under the root's lock. */
void mempool_before_fork(void);
void mempool_after_fork(void);

#endif
