// SPDX-License-Identifier: MIT
/*
 * stats.c - what a cache holds and what it did, in a time that depends on the CPUs alone.
 *
 * Nothing is walked and no lock is taken: every number is a counter that its layer keeps. Numbers
 * read while others work are each true for some moment, not all for the same one; differences of
 * them are cut off at 0.
 */
#include <errno.h>
#include <string.h>

#include "cpu.h"
#include "merge.h"
#include "node.h"
#include "peek.h"
#include "root.h"

static uint64_t less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

static void add_cpu(const struct kmem_cache *s, const struct cpu_block *b,
		    struct kmem_cache_stats *st)
{
	st->alloc_refill += peek(b->stat[STAT_ALLOC_REFILL]);
	st->alloc_bypass += peek(b->stat[STAT_ALLOC_BYPASS]);
	st->free_flush += peek(b->stat[STAT_FREE_FLUSH]);
	st->free_bypass += peek(b->stat[STAT_FREE_BYPASS]);
	st->sheaf_swap += peek(b->stat[STAT_SHEAF_SWAP]);
	st->barn_get += peek(b->stat[STAT_BARN_GET]);
	st->barn_put += peek(b->stat[STAT_BARN_PUT]);
	st->barn_steal += peek(b->stat[STAT_BARN_STEAL]);
	if (s->sheafless) {
		st->cpu_slabs += peek(b->nr_slabs) + (peek(b->slab) != NULL);
		return;
	}
	st->sheaf_objects += peek(b->n) + peek(b->spare_n);
	st->barn_objects += (uint64_t)peek(b->barn.nr_full) * peek(s->capacity);
}

void kmem_cache_stats(struct kmem_cache *s, struct kmem_cache_stats *st)
{
	uint64_t outside;

	memset(st, 0, sizeof(*st));
	st->object_size = s->object_size;
	st->size = s->size;
	st->align = s->align;
	st->order = s->order;
	st->objects_per_slab = s->objects;
	st->sheaf_capacity = peek(s->capacity);
	st->min_partial = peek(s->min_partial);
	st->cpu_partial = peek(s->cpu_partial);
	st->slabs = node_slabs(s);
	st->partial_slabs = node_partial_slabs(s);
	st->total_objects = st->slabs * s->objects;
	st->footprint_bytes = st->slabs * (PAGE_BYTES << s->order);
	st->rcu_sheaves = peek(s->rcu.sent);
	st->rcu_waiting = peek(s->rcu.flight);
	st->rcu_waiting_peak = peek(s->rcu.peak);
	st->rcu_objects = rcu_waiting_objects(s);
	for (unsigned int cpu = 0; cpu < root.nr_cpus; cpu++)
		add_cpu(s, &s->cpu[cpu], st);
	st->free_objects = node_free_objects(s);
	for (unsigned int node = 0; node < numa_indices(&root.numa); node++)
		st->released_bytes += node_holes(s, node) * root.page_bytes;
	outside = less(st->total_objects, st->free_objects);
	st->objects_in_use = less(outside, st->sheaf_objects + st->barn_objects);
}

int kmem_cache_node_stats(struct kmem_cache *s, int node, struct kmem_cache_node_stats *st)
{
	unsigned int index = node == NUMA_NO_NODE ? root.numa.policy : (unsigned int)node;
	struct kmem_cache_stats cpus = { 0 };

	memset(st, 0, sizeof(*st));
	if (node == NUMA_NO_NODE && root.numa.nr == 1)
		return 0;
	if (node < NUMA_NO_NODE || (node >= 0 && index >= root.numa.nr))
		return -EINVAL;
	st->slabs = peek(s->nodes[index].nr_slabs);
	st->partial_slabs = peek(s->nodes[index].nr_partial);
	st->total_objects = st->slabs * s->objects;
	st->footprint_bytes = st->slabs * (PAGE_BYTES << s->order);
	st->free_objects = node_free(s, index);
	st->released_bytes = node_holes(s, index) * root.page_bytes;
	for (unsigned int cpu = 0; cpu < root.nr_cpus; cpu++)
		if (numa_of_cpu(&root.numa, cpu) == index)
			add_cpu(s, &s->cpu[cpu], &cpus);
	st->sheaf_objects = cpus.sheaf_objects;
	st->barn_objects = cpus.barn_objects;
	return 0;
}

unsigned long kmem_cache_nr_allocated(struct kmem_cache *s)
{
	struct kmem_cache_stats st;

	/* What is free in a CPU's own slab would count. */
	if (s->sheafless)
		cache_drain(s);
	kmem_cache_stats(s, &st);
	return st.objects_in_use;
}

const char *kmem_cache_name(struct kmem_cache *s)
{
	return s->name;
}

const char *kmem_cache_alias(struct kmem_cache *s, unsigned int index)
{
	struct alias *a = __atomic_load_n(&s->aliases, __ATOMIC_ACQUIRE);

	while (a && index--)
		a = a->next;
	return a ? a->name : NULL;
}

int slab_walk(int (*fn)(struct kmem_cache *s, void *arg), void *arg)
{
	int err = 0;

	root_init();
	lock_take(&root.lock, LOCK_ROOT);
	/* An allocation by fn must not walk the caches itself. */
	reclaim_forbid();
	for (struct kmem_cache *s = root.caches; s && !err; s = s->next)
		err = fn(s, arg);
	reclaim_permit();
	lock_drop(&root.lock, LOCK_ROOT);
	return err;
}
