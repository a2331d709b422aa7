// SPDX-License-Identifier: MIT
/*
 * check.c - every invariant of a cache's slabs, walked.
 *
 * With the node's lock held the lists, the freelists and the counters of a cache with sheaves stand
 * still. The slabs of a cache without sheaves may change on other CPUs meanwhile: it must be quiet.
 */
#include "check.h"

#include <stdio.h>

#include "cpu.h"
#include "debug.h"
#include "hole.h"
#include "link.h"
#include "node.h"
#include "report.h"
#include "slab.h"

struct tally {
	struct kmem_cache *s;
	unsigned int node;
	uint64_t slabs, partial, free, holes, faults;
};

static void fault(struct tally *t, const void *object, const char *what)
{
	t->faults++;
	report_misuse(t->s, object, what);
}

/* Objects on the freelist, each inside the slab and none more often than there are objects. */
static uint32_t walk_freelist(struct tally *t, const struct slab *slab, uint64_t at)
{
	struct kmem_cache *s = t->s;
	uint32_t n = 0;

	while (at) {
		const char *object = (const char *)at;
		uint32_t off = (uint32_t)(object - slab->base);

		if (!link_in_slab(slab, at) || link_index(s, slab, object) * s->size != off) {
			fault(t, object, "freelist leads out of its slab");
			break;
		}
		if (++n > s->objects) {
			fault(t, object, "freelist runs in a circle");
			break;
		}
		if (hole_hides(s, slab, object)) {
			fault(t, object, "freelist leads into a page that was given back");
			break;
		}
		if (s->debug && !debug_check_free(s, (void *)at))
			t->faults++;
		at = link_load(s, (void *)at);
	}
	return n;
}

static uint32_t count_hidden(const struct kmem_cache *s, const struct slab *slab)
{
	uint32_t n = 0;

	for (uint32_t i = 0; slab->holes && i < slab->fresh; i++)
		n += hole_hides(s, slab, link_object(s, slab, i));
	return n;
}

static void check_used(struct tally *t, const struct slab *slab)
{
	for (uint32_t i = 0; i < slab->fresh; i++) {
		void *object = link_object(t->s, slab, i);

		if (!slab_on_freelist(t->s, slab, object) && !debug_check_used(t->s, object))
			t->faults++;
	}
}

static void check_slab(struct slab *slab, void *arg)
{
	struct tally *t = arg;
	struct kmem_cache *s = t->s;
	union slab_word w = slab_word(slab);
	uint32_t free;

	if (slab->kind != BLOCK_SLAB || peek(slab->cache) != s || !peek(slab->counted))
		return;
	t->slabs++;
	t->partial += slab->listed;
	free = walk_freelist(t, slab, w.head ? (uintptr_t)link_object(s, slab, w.head - 1U) : 0);
	free += s->objects - slab->fresh + count_hidden(s, slab);
	if (free + w.inuse != s->objects)
		fault(t, slab->base, "slab's count of objects in use is wrong");
	if (!w.frozen && !slab->listed != (w.inuse == s->objects))
		fault(t, slab->base,
		      slab->listed ? "full slab on the partial list" : "partial slab on no list");
	t->free += free;
	t->holes += hole_count(slab);
	if (s->debug)
		check_used(t, slab);
}

static uint64_t check_list(struct tally *t, struct slab **list, unsigned int home)
{
	uint64_t listed = 0;

	for (struct slab *slab = *list; slab; slab = slab->next) {
		listed++;
		if (slab->cache != t->s || slab->node != t->node || slab->home != home ||
		    !slab->listed || (slab->next && slab->next->prev != slab))
			fault(t, slab->base, "partial list is damaged");
	}
	return listed;
}

static void check_lists(struct tally *t)
{
	const struct node *n = &t->s->nodes[t->node];
	uint64_t listed = 0;

	for (unsigned int i = 0; i <= root.nr_cpus; i++) {
		struct slab **list = node_list(t->s, t->node, 0, i);

		if (list)
			listed += check_list(t, list, i == root.nr_cpus ? SLAB_NO_HOME : i);
	}
	if (listed != t->partial || listed != n->nr_partial)
		fault(t, NULL, "node's count of partial slabs is wrong");
	if (t->slabs != n->nr_slabs)
		fault(t, NULL, "node's count of slabs is wrong");
	if (t->holes != n->nr_holes)
		fault(t, NULL, "count of pages given back is wrong");
	if (t->free != node_free(t->s, t->node))
		fault(t, NULL, "count of free objects is wrong");
}

long kmem_cache_validate(struct kmem_cache *s)
{
	struct tally t = { .s = s };

	for (; t.node < numa_indices(&root.numa); t.node++) {
		lock_take(&s->nodes[t.node].lock, LOCK_NODE);
		t.slabs = t.partial = t.free = t.holes = 0;
		pages_walk(t.node, check_slab, &t);
		check_lists(&t);
		lock_drop(&s->nodes[t.node].lock, LOCK_NODE);
	}
	return (long)t.faults;
}

struct listing {
	struct kmem_cache *s;
	char *text;
	size_t len, size;
};

static void list_used(struct slab *slab, void *arg)
{
	struct listing *l = arg;

	if (slab->kind != BLOCK_SLAB || slab->cache != l->s)
		return;
	for (uint32_t i = 0; i < slab->fresh && l->len < l->size; i++) {
		void *object = link_object(l->s, slab, i);
		int n;

		if (slab_on_freelist(l->s, slab, object))
			continue;
		n = snprintf(l->text + l->len, l->size - l->len, "slabkit:   object %p in use\n",
			     object);
		if (n < 0 || (size_t)n >= l->size - l->len)
			break;
		l->len += (size_t)n;
		l->len += debug_describe(l->s, object, l->text + l->len, l->size - l->len);
	}
}

size_t check_describe_used(struct kmem_cache *s, char *text, size_t size)
{
	struct listing l = { .s = s, .text = text, .size = size };

	for (unsigned int node = 0; node < numa_indices(&root.numa); node++)
		pages_walk(node, list_used, &l);
	return l.len;
}
