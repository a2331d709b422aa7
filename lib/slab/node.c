// SPDX-License-Identifier: MIT
/* node.c - partial slabs: taking objects from them and putting objects back. */
#include "node.h"

#include "peek.h"
#include "root.h"
#include "slab.h"

/*
 * Objects are grouped by slab before the lock is taken. A group is looked for among the latest
 * few only: what was allocated together mostly comes back together, and a long search would cost
 * more than a group too many.
 */
#define GROUPS	  64
#define LOOK_BACK 4

static void list_add(struct kmem_cache *s, struct slab *slab)
{
	struct slab **head = &s->cpu[slab->home].partial;

	slab->prev = NULL;
	slab->next = *head;
	if (slab->next)
		slab->next->prev = slab;
	*head = slab;
	slab->listed = 1;
	poke_add(s->node.nr_partial, 1);
}

static void list_del(struct kmem_cache *s, struct slab *slab)
{
	if (slab->prev)
		slab->prev->next = slab->next;
	else
		s->cpu[slab->home].partial = slab->next;
	if (slab->next)
		slab->next->prev = slab->prev;
	slab->listed = 0;
	poke_sub(s->node.nr_partial, 1);
}

static unsigned int take_from(struct kmem_cache *s, unsigned int home, void **p, unsigned int want)
{
	unsigned int got = 0;
	struct slab *slab;

	while (got < want && (slab = s->cpu[home].partial)) {
		got += slab_take(s, slab, p + got, want - got);
		if (!slab_free_objects(s, slab))
			list_del(s, slab);
	}
	return got;
}

/* What is free already: the CPU's own slabs, then those of the others, beginning next to it. */
static unsigned int take_partial(struct kmem_cache *s, unsigned int home, void **p,
				 unsigned int want)
{
	struct node *n = &s->node;
	unsigned int got;

	if (!peek(n->nr_partial))
		return 0;
	lock_take(&n->lock, LOCK_NODE);
	got = take_from(s, home, p, want);
	for (unsigned int i = 1; got < want && n->nr_partial && i < root.nr_cpus; i++)
		got += take_from(s, (home + i) % root.nr_cpus, p + got, want - got);
	poke_sub(n->free_objects, got);
	lock_drop(&n->lock, LOCK_NODE);
	return got;
}

/* New slabs are taken from before anybody else can see them, a few in one go. */
static unsigned int take_new(struct kmem_cache *s, unsigned int home, void **p, unsigned int want)
{
	struct slab *slab[16];
	unsigned int need = (want + s->objects - 1) / s->objects, got = 0, made;

	made = slab_new(s, home, slab, need < 16 ? need : 16);
	if (!made)
		return 0;
	for (unsigned int i = 0; i < made; i++)
		got += slab_take(s, slab[i], p + got, want - got);
	lock_take(&s->node.lock, LOCK_NODE);
	poke_add(s->node.nr_slabs, made);
	poke_add(s->node.free_objects, (uint64_t)made * s->objects - got);
	if (slab_free_objects(s, slab[made - 1]))
		list_add(s, slab[made - 1]);
	lock_drop(&s->node.lock, LOCK_NODE);
	return got;
}

unsigned int node_take(struct kmem_cache *s, unsigned int home, void **p, unsigned int want)
{
	unsigned int got = take_partial(s, home, p, want);

	while (got < want) {
		unsigned int more = take_new(s, home, p + got, want - got);

		if (!more)
			break;
		got += more;
	}
	return got;
}

/* Under the lock: the slab may become partial, or empty and then leave the node. */
static void settle(struct kmem_cache *s, struct slab *slab, struct slab **empty)
{
	if (!slab->w.inuse && s->node.nr_partial >= s->min_partial) {
		if (slab->listed)
			list_del(s, slab);
		poke_sub(s->node.nr_slabs, 1);
		poke_sub(s->node.free_objects, s->objects);
		slab->next = *empty;
		*empty = slab;
	} else if (!slab->listed) {
		list_add(s, slab);
	}
}

static void put_groups(struct kmem_cache *s, struct detached *d, unsigned int groups)
{
	struct slab *empty = NULL;

	lock_take(&s->node.lock, LOCK_NODE);
	for (unsigned int i = 0; i < groups; i++) {
		if (!d[i].count)
			continue;
		slab_put(s, &d[i]);
		poke_add(s->node.free_objects, d[i].count);
		/* A later group may be of the same slab: it leaves only with nothing in use. */
		settle(s, d[i].slab, &empty);
	}
	lock_drop(&s->node.lock, LOCK_NODE);
	slab_release(empty);
}

void node_put(struct kmem_cache *s, void **p, size_t n)
{
	struct detached d[GROUPS];
	unsigned int groups = 0;

	for (size_t i = 0; i < n; i++) {
		struct slab *slab = slab_of_object(s, p[i]);
		unsigned int g = groups, stop = groups > LOOK_BACK ? groups - LOOK_BACK : 0;

		if (!slab)
			continue;
		while (g > stop && d[g - 1].slab != slab)
			g--;
		if (g == stop) {
			if (groups == GROUPS) {
				put_groups(s, d, groups);
				groups = 0;
			}
			g = ++groups;
			d[g - 1].slab = slab;
			d[g - 1].count = 0;
		}
		slab_detach(s, &d[g - 1], p[i]);
	}
	if (groups)
		put_groups(s, d, groups);
}

void node_shrink(struct kmem_cache *s, uint32_t keep)
{
	struct slab *empty = NULL;

	lock_take(&s->node.lock, LOCK_NODE);
	for (unsigned int cpu = 0; cpu < root.nr_cpus; cpu++) {
		struct slab *slab = s->cpu[cpu].partial, *next;

		for (; slab; slab = next) {
			next = slab->next;
			if (slab->w.inuse)
				continue;
			if (keep) {
				keep--;
				continue;
			}
			list_del(s, slab);
			poke_sub(s->node.nr_slabs, 1);
			poke_sub(s->node.free_objects, s->objects);
			slab->next = empty;
			empty = slab;
		}
	}
	lock_drop(&s->node.lock, LOCK_NODE);
	slab_release(empty);
}
