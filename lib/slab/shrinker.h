/* SPDX-License-Identifier: MIT */
/*
 * shrinker.h - the program's own caches of objects, asked to let some go.
 *
 * How many objects a shrinker is asked for is the kernel's rule: of what it counts a share that
 * doubles from one priority to the next (12 to 0: all), four times that share divided by what an
 * object costs to make again (seeks), in calls of a batch each; what falls short of a batch, or was
 * refused, is owed the next time, up to twice of what there is.
 *
 * Callbacks run with no lock of ours held, from several threads at once if these are out of memory
 * at once. One that is under way keeps its shrinker on the list; shrinker_free waits for it.
 */
#ifndef SLABKIT_SLAB_SHRINKER_H
#define SLABKIT_SLAB_SHRINKER_H

#include <slab/slab.h>
#include <stdbool.h>
#include <stdint.h>

#include "lock.h"

#define SHRINKER_PRIORITY 12 /* the first, gentlest one */

/* What the program sees, and what it does not. */
struct shrinker_entry {
	struct shrinker shrinker;
	struct shrinker_entry *next, *prev;
	uint32_t calls; /* under way; under the lock, and who frees sleeps on it */
	unsigned int flags; /* as it was made; the program may write its own */
	bool listed, leaving;
	char *name;	 /* behind owed */
	uint64_t owed[]; /* a node each: objects that were to be scanned and were not */
};

/* In the root. */
struct shrinkers {
	struct lock lock;
	struct shrinker_entry *first;
};

/* shrinker_run - each one once; the number of objects that they say they have freed. */
unsigned long shrinker_run(gfp_t gfp, int priority);

/* Around fork, under the root's lock; in the child only this thread's calls go on. */
void shrinker_before_fork(void);
void shrinker_after_fork(bool child);

#endif
