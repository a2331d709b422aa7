// SPDX-License-Identifier: MIT
/*
 * norcu.c - in the place of lib/slab/rcu.c: malloc frees nothing through RCU.
 *
 * No cache of the shim is SLAB_TYPESAFE_BY_RCU, and nobody outside can reach kfree_rcu in it.
 * Without these the library would load liburcu into every program.
 */
#include <stdlib.h>

#include "slab/rcu.h"

void rcu_settle(struct kmem_cache *s)
{
	(void)s;
}

uint64_t rcu_waiting_objects(const struct kmem_cache *s)
{
	(void)s;
	return 0;
}

bool rcu_hurry(void)
{
	return false;
}

void rcu_defer_slabs(struct slab *chain)
{
	(void)chain;
	abort(); /* only slabs of SLAB_TYPESAFE_BY_RCU caches wait for readers */
}

void rcu_before_fork(void)
{
}

void rcu_after_fork(bool child)
{
	(void)child;
}
