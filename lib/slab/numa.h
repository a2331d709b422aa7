/* SPDX-License-Identifier: MIT */
/*
 * numa.h - memory nodes: which there are, whose the CPUs are, and where pages come from.
 *
 * A chunk belongs to one node, which the system is asked to take its pages from, and so do its
 * blocks and the objects in them. Memory for who has set a policy of his own (numactl,
 * set_mempolicy) is in chunks that nothing is asked for: these count as one more node, numa.policy,
 * which is near to every CPU. On a machine with one node, or where the system tells nothing,
 * numa.nr is 1, every index is 0, and nothing of this is looked at.
 */
#ifndef SLABKIT_SLAB_NUMA_H
#define SLABKIT_SLAB_NUMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NUMA_MOST 64 /* nodes; a machine with more is taken for one with one */

/* In the root. */
struct numa {
	uint32_t nr;	   /* nodes, those that do not exist between others included */
	uint32_t policy;   /* the index behind them; 0 where nr is 1 */
	bool fake;	   /* dealt out by us: the system knows nothing of them */
	uint64_t usable;   /* a bit for each node that we may have memory of */
	uint8_t *cpu_node; /* for each CPU the node that it takes memory from; NULL: one node */
};

/* numa_init - for a root that is being made; its options are known. */
void numa_init(struct numa *nu, uint32_t nr_cpus);
/* numa_default - the node that new memory for cpu comes from, when the caller names none. */
unsigned int numa_default(const struct numa *nu, unsigned int cpu);
/* numa_bind - asks for the pages of a new mapping from a node. */
void numa_bind(const struct numa *nu, void *base, size_t bytes, unsigned int node);
/* numa_holds - whether the page at p, which was written to, really came from node. */
bool numa_holds(const struct numa *nu, const void *p, unsigned int node);

/* numa_indices - how many nodes there are with numa.policy. */
static inline unsigned int numa_indices(const struct numa *nu)
{
	return nu->nr == 1 ? 1 : nu->nr + 1;
}

static inline unsigned int numa_of_cpu(const struct numa *nu, unsigned int cpu)
{
	return nu->cpu_node ? nu->cpu_node[cpu] : 0;
}

/* numa_near - the CPUs, by the bit of their node, that memory of a node is near to. */
static inline uint64_t numa_near(const struct numa *nu, unsigned int node)
{
	return node == nu->policy ? ~0ULL : 1ULL << node;
}

#endif
