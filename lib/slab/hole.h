/* SPDX-License-Identifier: MIT */
/*
 * hole.h - holes: whole pages inside a slab in use that the system has back.
 *
 * A slab of several pages is empty only when all of its objects are free, and among objects freed
 * at random few are. A page of it is free much sooner. On shrink, pages on which nothing but free
 * objects lie, in whole or in part, go back to the system; the objects leave the freelist, since a
 * free object's link is written into it, and a bit for each such page stands in the slab's
 * descriptor. Objects are found again by arithmetic: free, and on no freelist, are just those that
 * touch a hole. They count as free like any other.
 *
 * When a slab's freelist is dry, it takes back one page after the other, each accounted for like a
 * new block of pages; objects that no longer touch a hole are handed out, or linked if nobody wants
 * them. So a hole has no pages: nothing is written to it, and nothing but a caller's mistake reads
 * it.
 *
 * Holes are for caches with sheaves, whose slabs change under the node's lock alone, and not for
 * those whose free objects must keep what they hold: constructed ones, SLAB_TYPESAFE_BY_RCU,
 * watched ones.
 *
 * All of this under the lock of the slab's node.
 */
#ifndef SLABKIT_SLAB_HOLE_H
#define SLABKIT_SLAB_HOLE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/uio.h>

#include "cache.h"
#include "pages.h"
#include "peek.h"
#include "root.h"

#define HOLE_RANGES 4 /* of a slab, at most: every other one of its pages */

/* hole_possible - whether slabs of s may have holes. */
bool hole_possible(const struct kmem_cache *s);
/*
 * hole_dig - takes the objects of every free page off the freelist; the pages' ranges, which the
 * caller gives back (pages_lend), into range[HOLE_RANGES]; how many.
 */
unsigned int hole_dig(struct kmem_cache *s, struct slab *slab, struct iovec *range);
/*
 * hole_take - up to want objects into p, never-used ones and those that holes hid, of a slab with
 * nothing on its freelist; what is over goes to *freelist. How many: fewer when there is no memory.
 */
unsigned int hole_take(struct kmem_cache *s, struct slab *slab, void **freelist, void **p,
		       unsigned int want);

/* The pages of a slab that an object touches, as bits. */
static inline uint32_t hole_pages(const struct kmem_cache *s, const struct slab *slab,
				  const void *object)
{
	unsigned int shift = (unsigned int)__builtin_ctzll(root.page_bytes);
	uint32_t at = (uint32_t)((const char *)object - slab->base);

	return (2U << ((at + s->size - 1) >> shift)) - (1U << (at >> shift));
}

/*
 * hole_hides - whether object touches a hole, and so is free. Also without the lock, by whom object
 * is given or taken by: one in use touches none.
 */
static inline bool hole_hides(const struct kmem_cache *s, const struct slab *slab,
			      const void *object)
{
	uint32_t holes = peek(slab->holes);

	return __builtin_expect(holes, 0) && holes & hole_pages(s, slab, object);
}

static inline unsigned int hole_count(const struct slab *slab)
{
	return (unsigned int)__builtin_popcount(slab->holes);
}

#endif
