// SPDX-License-Identifier: MIT
/*
 * bound.c - objects of a memory node that the caller names.
 *
 * Round the sheaves, but where the CPU's own are of that node.
 */
#include <errno.h>

#include "alloc.h"
#include "cpuslab.h"
#include "debug.h"
#include "link.h"
#include "node.h"
#include "reclaim.h"

static bool is_node(int node)
{
	return node >= 0 && (uint32_t)node < root.numa.nr && root.numa.usable >> node & 1;
}

/*
 * The CPU's sheaf, when it is near to the node; what comes may still be another CPU's, or no
 * node's.
 */
static void *alloc_near(struct kmem_cache *s, int node)
{
	void *object;

	if (s->sheafless || numa_of_cpu(&root.numa, cpu_current()) != (unsigned int)node)
		return NULL;
	object = alloc_object(s, 0);
	if (!object || slab_node_of(object) == node)
		return object;
	free_object(s, object);
	return NULL;
}

static void *alloc_there(struct kmem_cache *s, int node, const void *caller)
{
	void *object = alloc_near(s, node);

	if (object)
		return object;
	if (s->debug)
		object = debug_alloc(s, node, caller);
	else if (s->sheafless)
		object = cpuslab_alloc_on(s, node);
	else
		object = node_take_one(s, node);
	if (object)
		alloc_show(s, object);
	return object;
}

/* A page tells where it is once it was written to. */
static bool is_there(struct kmem_cache *s, void *object, int node)
{
	link_wipe(s, object);
	return numa_holds(&root.numa, link_at(s, object), (unsigned int)node);
}

/* From there and nowhere else. */
static void *alloc_strict(struct kmem_cache *s, gfp_t gfp, int node, const void *caller)
{
	struct reclaim r = { .gfp = gfp };
	void *object = NULL;

	do {
		if (is_node(node))
			object = alloc_there(s, node, caller);
	} while (!object && reclaim_more(&r));
	if (!object || is_there(s, object, node))
		return object;
	kmem_cache_free(s, object);
	errno = ENOMEM;
	return NULL;
}

void *kmem_cache_alloc_node(struct kmem_cache *s, gfp_t gfp, int node)
{
	const void *caller = __builtin_return_address(0);
	void *object;

	if (gfp & __GFP_NOFAIL)
		gfp &= ~__GFP_THISNODE; /* the node may be full for good */
	if (node == NUMA_NO_NODE || (root.numa.nr == 1 && !node))
		return alloc_object(s, gfp);
	if (s->debug && fault_hits(s, gfp, 1))
		return NULL;
	if (gfp & __GFP_THISNODE)
		object = alloc_strict(s, gfp, node, caller);
	else if (!is_node(node) || !(object = alloc_there(s, node, caller)))
		return alloc_object(s, gfp);
	return object && gfp & __GFP_ZERO ? cache_zero(s, object) : object;
}

unsigned int slab_nr_nodes(void)
{
	root_init();
	return root.numa.nr;
}

int slab_node_here(void)
{
	root_init();
	return (int)numa_of_cpu(&root.numa, cpu_current());
}

int slab_node_of(const void *p)
{
	const struct chunk *c = slabmap_find(&root.map, p);

	return !c || (c->node == root.numa.policy && root.numa.nr > 1) ? NUMA_NO_NODE : c->node;
}
