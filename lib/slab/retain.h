/* SPDX-License-Identifier: MIT */
/*
 * retain.h - how many free bytes the pages layer keeps from the system.
 *
 * A floor, and a share of what is in use. The floor is small until memory that was given back is
 * asked for again within a second: it then grows by what is asked for, which is what would have
 * been worth keeping. A program that takes and frees in waves pays for the faults of two of them.
 * The floor falls by what nobody asked for during a second, and goes back to its least when
 * somebody asks for everything to be given back. All of this happens when blocks are taken or
 * freed, and under the pages lock.
 */
#ifndef SLABKIT_SLAB_RETAIN_H
#define SLABKIT_SLAB_RETAIN_H

#include <stdint.h>

#define RETAIN_ORDERS	 10
#define RETAIN_FLOOR_MIN ((uint64_t)256 << 10)
#define RETAIN_FLOOR_MAX ((uint64_t)64 << 20)
#define RETAIN_SOON_MS	 1000

struct retain {
	uint64_t floor;
	/* bytes of each order, given back lately and not taken since */
	uint64_t gone[RETAIN_ORDERS];
	uint64_t gone_ms;	      /* when the last went */
	uint64_t least;		      /* fewest free bytes kept since ... */
	uint64_t since_ms;
};

void retain_init(struct retain *r);
/* retain_bound - the free bytes to keep at most, of kept ones, with used ones in use. */
uint64_t retain_bound(struct retain *r, uint64_t kept, uint64_t used);
/* retain_note_gone - bytes in blocks of an order have been given back. */
void retain_note_gone(struct retain *r, unsigned int order, uint64_t bytes);
/* retain_note_new - a block that must be faulted in was taken. */
void retain_note_new(struct retain *r, unsigned int order, uint64_t bytes);

/* retain_note_kept - one that was kept was; kept: what is left of those. */
static inline void retain_note_kept(struct retain *r, uint64_t kept)
{
	if (kept < r->least)
		r->least = kept;
}

#endif
