// SPDX-License-Identifier: MIT
/* reclaim.c - getting memory back from caches, grace periods and shrinkers. */
#include "reclaim.h"

#include <errno.h>
#include <time.h>

#include "cache.h"
#include "node.h"
#include "pages.h"
#include "peek.h"
#include "rcu.h"
#include "report.h"
#include "root.h"
#include "shrinker.h"

#define TRIES 16 /* more than that with everything asked of the shrinkers, and it is over */
/* Naps of 1, 2, 4 ... 64 ms; so many of them are a second. */
#define NAP_NS		  1000000L
#define NAP_DOUBLINGS	  6
#define NAPS_OF_A_SECOND  20
#define PRESSURE_PRIORITY 2 /* half: see wanted() in shrinker.c */

enum step { STEP_SLABS, STEP_SHEAVES, STEP_GRACE, STEP_PAGES, STEP_SHRINK };

/* What goes back of each cache: its empty slabs; what CPUs hold; free pages inside slabs in use. */
enum depth { SLABS, SHEAVES, PAGES };

static __thread unsigned int forbidden __attribute__((tls_model("initial-exec")));

void reclaim_forbid(void)
{
	forbidden++;
}

void reclaim_permit(void)
{
	forbidden--;
}

static void empty_caches(enum depth depth)
{
	lock_take(&root.lock, LOCK_ROOT);
	for (struct kmem_cache *s = root.caches; s; s = s->next) {
		if (depth >= SHEAVES)
			cache_drain(s);
		node_shrink(s, 0);
		if (depth >= PAGES)
			node_dig(s);
	}
	lock_drop(&root.lock, LOCK_ROOT);
	pages_purge(0);
}

/* With what they freed in its slabs again, and the empty ones gone. */
static unsigned long shrink(gfp_t gfp, int priority)
{
	unsigned long freed;

	reclaim_forbid();
	freed = shrinker_run(gfp, priority);
	reclaim_permit();
	bump(root.reclaim.shrunk, freed);
	if (freed) {
		rcu_hurry();
		empty_caches(PAGES);
	}
	return freed;
}

/* Rounds of rising pressure, until one frees something; false: all was asked for in vain. */
static bool shrink_more(struct reclaim *r)
{
	while (r->priority >= 0) {
		unsigned long freed = shrink(r->gfp, r->priority);

		if (r->priority)
			r->priority--;
		else if (!freed || r->gfp & __GFP_NORETRY || ++r->tries > TRIES)
			r->priority = -1;
		if (freed)
			return true;
	}
	return false;
}

/* Without either flag the caller has something better than reclaim; see mempool.c. */
static bool may_reclaim(gfp_t gfp)
{
	return gfp & __GFP_DIRECT_RECLAIM || (gfp & __GFP_KSWAPD_RECLAIM && !(gfp & __GFP_NORETRY));
}

static bool take_step(struct reclaim *r)
{
	switch (r->step++) {
	case STEP_SLABS:
		if (!r->naps)
			bump(root.reclaim.runs, 1);
		r->priority = SHRINKER_PRIORITY;
		empty_caches(SLABS);
		return true;
	case STEP_SHEAVES:
		empty_caches(SHEAVES);
		return true;
	case STEP_GRACE:
		if (r->gfp & __GFP_DIRECT_RECLAIM && rcu_hurry()) {
			empty_caches(SHEAVES);
			return true;
		}
		r->step++;
		/* fall through */
	case STEP_PAGES:
		if (!(r->gfp & __GFP_DIRECT_RECLAIM))
			return false;
		empty_caches(PAGES);
		return true;
	default:
		return r->gfp & __GFP_DIRECT_RECLAIM && shrink_more(r);
	}
}

/* For others to free something: as in the kernel for as long as it takes, which is said once. */
static void wait_for_memory(struct reclaim *r)
{
	unsigned int doublings = r->naps < NAP_DOUBLINGS ? r->naps : NAP_DOUBLINGS;
	struct timespec nap = { .tv_nsec = NAP_NS << doublings };

	nanosleep(&nap, NULL);
	if (++r->naps == NAPS_OF_A_SECOND && !(r->gfp & __GFP_NOWARN))
		report_warn("no memory for an allocation that must not fail: it waits\n");
	r->step = STEP_SLABS;
	r->tries = 0;
}

bool reclaim_more(struct reclaim *r)
{
	if (!forbidden && may_reclaim(r->gfp) && take_step(r))
		return true;
	if (!forbidden && r->gfp & __GFP_NOFAIL && r->gfp & __GFP_DIRECT_RECLAIM) {
		wait_for_memory(r);
		return true;
	}
	bump(root.reclaim.refused, 1);
	errno = ENOMEM;
	return false;
}

bool reclaim_down_to(uint64_t bytes)
{
	struct reclaim r = { .gfp = GFP_KERNEL };

	if (peek(root.pages.held_bytes) > bytes)
		pages_purge(0);
	while (peek(root.pages.held_bytes) > bytes)
		if (forbidden || !take_step(&r))
			return false;
	return true;
}

void reclaim_for_pressure(void)
{
	rcu_hurry();
	empty_caches(PAGES);
	shrink(GFP_KERNEL, PRESSURE_PRIORITY);
}
