/* SPDX-License-Identifier: MIT */
/*
 * reclaim.h - what an allocation does that found no memory, before it says so.
 *
 * The steps, each followed by another try of the allocation:
 *
 *	slabs		every cache's empty slabs go back
 *	sheaves		what CPUs and barns hold goes to slabs, and those that are empty then go
 *			back
 *	grace periods	what waits for one is hurried, and waited for a moment
 *	pages		whole free pages inside slabs in use go back: see hole.h
 *	shrinkers	are asked for objects: a few, then more and more of what they have
 *
 * The first two run none of the program's code. The others want __GFP_DIRECT_RECLAIM. (Before all
 * of them the pages layer has given back free blocks: see pages.h.) The caller holds no lock of
 * ours and keeps what it has got so far.
 *
 * No recursion: while a thread is in here, and while it is called back under the root's lock, its
 * own allocations reclaim nothing and get what there is.
 */
#ifndef SLABKIT_SLAB_RECLAIM_H
#define SLABKIT_SLAB_RECLAIM_H

#include <slab/slab.h>
#include <stdbool.h>
#include <stdint.h>

/* One allocation that has failed at least once: { .gfp = gfp }, priority is reclaim.c's. */
struct reclaim {
	gfp_t gfp;
	unsigned int step, tries, naps;
	int priority;
};

/* In the root. */
struct reclaim_counts {
	uint64_t runs;	  /* allocations that came here */
	uint64_t refused; /* and got nothing in the end */
	uint64_t shrunk;  /* objects that shrinkers say they freed */
};

/*
 * reclaim_more - one more step. True: try again; false: there is nothing to be had (sets errno).
 * With __GFP_NOFAIL and __GFP_DIRECT_RECLAIM it waits a little instead, and begins anew.
 */
bool reclaim_more(struct reclaim *r);
/*
 * reclaim_down_to - all steps until no more than bytes are held; false: there is nothing to be had.
 */
bool reclaim_down_to(uint64_t bytes);
/* reclaim_for_pressure - all steps once, with half of what the shrinkers have. */
void reclaim_for_pressure(void);
/*
 * reclaim_forbid, reclaim_permit - in between this thread's allocations reclaim nothing; they nest.
 */
void reclaim_forbid(void);
void reclaim_permit(void);

#endif
