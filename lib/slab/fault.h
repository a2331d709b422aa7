/* SPDX-License-Identifier: MIT */
/*
 * fault.h - allocations that fail because a test wants it.
 *
 * Caches with SLAB_FAILSLAB take the slow path for every object, as those that watch do, and ask
 * here first; no other cache pays for it. A rule stands in the cache or, for those without one, in
 * the root. What it decides about the k-th object depends on k and the seed alone.
 */
#ifndef SLABKIT_SLAB_FAULT_H
#define SLABKIT_SLAB_FAULT_H

#include <slab/slab.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fault {
	bool on;
	struct slab_fault rule;
	uint64_t seen;	/* objects asked for since it was set */
	uint64_t bytes; /* of those */
	uint64_t failed;
};

/*
 * fault_hits - n objects of s are asked for: whether the allocation shall fail (sets errno then).
 */
bool fault_hits(struct kmem_cache *s, gfp_t gfp, size_t n);
/* fault_set - takes a rule over, with its counts at 0; NULL: none. */
void fault_set(struct fault *f, const struct slab_fault *rule);

#endif
