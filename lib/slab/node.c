// SPDX-License-Identifier: MIT
/* node.c - partial slabs: taking objects from them and putting objects back. */
#include "node.h"

#include "cpu.h"
#include "peek.h"
#include "root.h"
#include "slab.h"

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

/* From a home's list, beginning with slab. */
static unsigned int take_from(struct kmem_cache *s, struct slab *slab, void **p, unsigned int want)
{
	unsigned int got = 0;
	struct slab *next;

	for (; got < want && slab; slab = next) {
		next = slab->next;
		got += slab_take(s, slab, p + got, want - got);
		if (!slab_free_objects(s, slab))
			list_del(s, slab);
	}
	return got;
}

/*
 * What is free already: the CPU's own slabs, then those of the others, beginning next to it. While
 * there is memory they keep the first of their lists: it is the rest of their newest slab, whose
 * objects would else lie side by side in the hands of two CPUs.
 */
static unsigned int take_partial(struct kmem_cache *s, unsigned int home, void **p,
				 unsigned int want, bool all)
{
	struct node *n = &s->node;
	unsigned int got;

	if (!peek(n->nr_partial))
		return 0;
	lock_take(&n->lock, LOCK_NODE);
	got = take_from(s, s->cpu[home].partial, p, want);
	for (unsigned int i = 1; got < want && n->nr_partial && i < root.nr_cpus; i++) {
		struct slab *first = s->cpu[(home + i) % root.nr_cpus].partial;

		got += take_from(s, all || !first ? first : first->next, p + got, want - got);
	}
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
	unsigned int got = take_partial(s, home, p, want, false);

	while (got < want) {
		unsigned int more = take_new(s, home, p + got, want - got);

		if (!more)
			return got + take_partial(s, home, p + got, want - got, true);
		got += more;
	}
	return got;
}

/* Under the lock: the slab may become partial, or empty and then leave the node. */
static void settle(struct kmem_cache *s, struct slab *slab, struct slab **empty)
{
	if (!slab_word(slab).inuse && s->node.nr_partial >= s->min_partial) {
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

static void put_lists(struct kmem_cache *s, struct detached_set *set)
{
	struct slab *empty = NULL;

	lock_take(&s->node.lock, LOCK_NODE);
	for (unsigned int i = 0; i < set->n; i++) {
		struct detached *d = &set->list[i];

		if (!d->count)
			continue;
		slab_put(s, d);
		poke_add(s->node.free_objects, d->count);
		/* A later list may be of the same slab: it leaves only with nothing in use. */
		settle(s, d->slab, &empty);
	}
	lock_drop(&s->node.lock, LOCK_NODE);
	slab_release(empty);
}

void node_put(struct kmem_cache *s, void **p, size_t n)
{
	struct detached_set set;

	while (n) {
		size_t did = detached_fill(s, &set, p, n);

		if (set.n)
			put_lists(s, &set);
		p += did;
		n -= did;
	}
}

void node_shrink(struct kmem_cache *s, uint32_t keep)
{
	struct slab *empty = NULL;

	lock_take(&s->node.lock, LOCK_NODE);
	for (unsigned int cpu = 0; cpu < root.nr_cpus; cpu++) {
		struct slab *slab = s->cpu[cpu].partial, *next;

		for (; slab; slab = next) {
			next = slab->next;
			if (slab_word(slab).inuse)
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

/* ---- caches without sheaves ------------------------------------------------------------------ */

void node_note_new(struct kmem_cache *s, struct slab *slab)
{
	lock_take(&s->node.lock, LOCK_NODE);
	poke_add(s->node.nr_slabs, 1);
	poke_add(s->node.free_objects, s->objects);
	lock_drop(&s->node.lock, LOCK_NODE);
	slab->next = NULL;
}

unsigned int node_freeze(struct kmem_cache *s, unsigned int home, struct slab **chain,
			 unsigned int max)
{
	unsigned int got = 0;

	if (!peek(s->node.nr_partial))
		return 0;
	lock_take(&s->node.lock, LOCK_NODE);
	for (unsigned int i = 0; i < root.nr_cpus; i++) {
		struct slab *slab;

		while (got < max && (slab = s->cpu[(home + i) % root.nr_cpus].partial)) {
			list_del(s, slab);
			slab_mark_frozen(slab);
			slab->next = *chain;
			*chain = slab;
			got++;
		}
	}
	lock_drop(&s->node.lock, LOCK_NODE);
	return got;
}

void node_thaw(struct kmem_cache *s, struct slab *chain)
{
	struct slab *empty = NULL;

	lock_take(&s->node.lock, LOCK_NODE);
	while (chain) {
		struct slab *slab = chain;

		chain = slab->next;
		/* A full slab stays on no list: the next free to it will see that it was full. */
		if (slab_thaw(slab).head)
			settle(s, slab, &empty);
	}
	lock_drop(&s->node.lock, LOCK_NODE);
	slab_release(empty);
}

bool node_put_word(struct kmem_cache *s, struct detached *d, bool freeze)
{
	struct slab *slab = d->slab, *empty = NULL;
	union slab_word old = slab_word(slab);
	bool locked = false, was_full, frozen;

	do {
		was_full = !old.head && !old.frozen;
		frozen = old.frozen || (was_full && freeze);
		/* It joins a list, or may leave one: that takes the lock first. */
		if (!locked && !frozen && (was_full || old.inuse == d->count)) {
			lock_take(&s->node.lock, LOCK_NODE);
			locked = true;
			old = slab_word(slab);
			was_full = !old.head && !old.frozen;
			frozen = old.frozen || (was_full && freeze);
		}
	} while (!slab_put_word(s, d, &old, frozen));
	cpu_count_freed(s, d->count);
	if (locked) {
		if (!frozen && (was_full || !old.inuse))
			settle(s, slab, &empty);
		lock_drop(&s->node.lock, LOCK_NODE);
		slab_release(empty);
	}
	return was_full && frozen;
}
