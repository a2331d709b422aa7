/* SPDX-License-Identifier: MIT */
/*
 * root.h - the allocator's root: its one piece of global state.
 *
 * Made once, before main or by the first call, whichever comes first; constant afterwards but for
 * the list of caches (under its lock), the pages layer and the map.
 */
#ifndef SLABKIT_SLAB_ROOT_H
#define SLABKIT_SLAB_ROOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fault.h"
#include "lock.h"
#include "numa.h"
#include "opts.h"
#include "pages.h"
#include "publish.h"
#include "rcu.h"
#include "reclaim.h"
#include "shrinker.h"
#include "slabmap.h"

struct kmem_cache;
struct mempool;

#define KMALLOC_CLASSES	  13
#define KMALLOC_MAX_CACHE 8192

struct root {
	/* Read by every operation. */
	ptrdiff_t rseq_offset; /* the thread's rseq area, from the thread pointer */
	bool rseq;	       /* per-CPU work by restartable sequences; else by locks */
	bool ready;
	uint8_t publish_due; /* the next slow path goes to publish_visit() */
	uint32_t nr_cpus;
	size_t page_bytes; /* of the machine */
	struct kmem_cache *kmalloc[KMALLOC_CLASSES];

	struct opts opts;
	struct lock lock;
	struct kmem_cache *caches; /* linked by their next and prev */
	struct mempool *pools;	   /* likewise */
	uint32_t nr_created;
	bool forks_alone; /* a fork is under way, of a process with one thread */
	uint64_t seed;
	int (*report_hook)(const char *text);

	struct publish publish;
	struct rcu rcu;
	struct shrinkers shrinkers;
	struct reclaim_counts reclaim;
	bool pressure; /* its thread was started, or cannot be */
	struct fault fault; /* for caches with SLAB_FAILSLAB and no rule of their own */
	struct numa numa;
	struct pages pages;
	struct slabmap map;
};

extern struct root root __attribute__((visibility("hidden")));

/* root_init - makes the root ready; cheap when it is. */
void root_init(void);
/* root_mix - another 64 bits for each x, the same for the same. */
uint64_t root_mix(uint64_t x);
/* root_random - 64 bits that differ for each call; for keys, not for secrets of others. */
uint64_t root_random(void);

#endif
