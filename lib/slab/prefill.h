/* SPDX-License-Identifier: MIT */
/*
 * prefill.h - a sheaf that is lent out: objects set aside before they are needed.
 *
 * A user who must not fail later (an update of a tree, under its lock) borrows the worst case
 * first, takes what it turns out to need, and returns the rest. The sheaf is memory of its own
 * (from kmalloc), filled and emptied by the bulk calls; no CPU's sheaf and no barn knows of it, so
 * its size has no bound, and caches that watch their objects need no other way. Its objects count
 * as in use. Taking one is a decrement of a count that nobody else knows: it takes no lock, asks
 * nobody for memory, and is safe in a signal handler if the sheaf is the handler's alone.
 */
#ifndef SLABKIT_SLAB_PREFILL_H
#define SLABKIT_SLAB_PREFILL_H

#include <stdint.h>

struct kmem_cache;

struct slab_sheaf {
	struct kmem_cache *cache;
	uint32_t n, capacity;
	void *slot[];
};

#endif
