// SPDX-License-Identifier: MIT
/* node.c - partial slabs: taking objects from them and putting objects back. */
#include "node.h"

#include "cpu.h"
#include "hole.h"
#include "peek.h"
#include "root.h"
#include "slab.h"

static inline struct node *node_of(struct kmem_cache *s, const struct slab *slab)
{
	return &s->nodes[slab->node];
}

static inline struct slab **home_of(struct kmem_cache *s, const struct slab *slab)
{
	return slab->home == SLAB_NO_HOME ? &node_of(s, slab)->partial
					  : &s->cpu[slab->home].partial;
}

/* The lock of the slab's node; that of another node (or NULL), which is held, is dropped first. */
static struct node *enter(struct kmem_cache *s, struct node *held, const struct slab *slab)
{
	struct node *n = node_of(s, slab);

	if (n == held)
		return n;
	if (held)
		lock_drop(&held->lock, LOCK_NODE);
	lock_take(&n->lock, LOCK_NODE);
	return n;
}

static void leave(struct node *held)
{
	if (held)
		lock_drop(&held->lock, LOCK_NODE);
}

static void list_add(struct kmem_cache *s, struct slab *slab)
{
	struct slab **head = home_of(s, slab);

	slab->prev = NULL;
	slab->next = *head;
	if (slab->next)
		slab->next->prev = slab;
	*head = slab;
	slab->listed = 1;
	poke_add(node_of(s, slab)->nr_partial, 1);
}

static void list_del(struct kmem_cache *s, struct slab *slab)
{
	if (slab->prev)
		slab->prev->next = slab->next;
	else
		*home_of(s, slab) = slab->next;
	if (slab->next)
		slab->next->prev = slab->prev;
	slab->listed = 0;
	poke_sub(node_of(s, slab)->nr_partial, 1);
}

struct slab **node_list(struct kmem_cache *s, unsigned int node, unsigned int home, unsigned int i)
{
	unsigned int cpu = (home + i) % root.nr_cpus;

	if (i == root.nr_cpus)
		return &s->nodes[node].partial;
	return numa_of_cpu(&root.numa, cpu) == node ? &s->cpu[cpu].partial : NULL;
}

/* From a home's list, beginning with slab. */
static unsigned int take_from(struct kmem_cache *s, struct slab *slab, void **p, unsigned int want)
{
	unsigned int got = 0;
	struct slab *next;

	for (; got < want && slab; slab = next) {
		next = slab->next;
		if (slab->digging)
			continue;
		got += slab_take(s, slab, p + got, want - got);
		if (!slab_free_objects(s, slab))
			list_del(s, slab);
	}
	return got;
}

/*
 * What is free already: the CPU's own slabs, then those of the others, beginning next to it. While
 * there is memory (all: there is none) the others keep the first of their lists: it is the rest of
 * their newest slab, whose objects would else lie side by side in the hands of two CPUs.
 */
static unsigned int take_partial(struct kmem_cache *s, unsigned int node, unsigned int home,
				 void **p, unsigned int want, bool all)
{
	struct node *n = &s->nodes[node];
	unsigned int got = 0;

	if (!want || !peek(n->nr_partial))
		return 0;
	lock_take(&n->lock, LOCK_NODE);
	for (unsigned int i = 0; got < want && n->nr_partial && i <= root.nr_cpus; i++) {
		struct slab **list = node_list(s, node, home, i);
		struct slab *slab = list ? *list : NULL;

		if (slab && !all && i && i < root.nr_cpus)
			slab = slab->next;
		got += take_from(s, slab, p + got, want - got);
	}
	poke_sub(n->free_objects, got);
	lock_drop(&n->lock, LOCK_NODE);
	return got;
}

/* New slabs are taken from before anybody else can see them, a few in one go. */
static unsigned int take_new(struct kmem_cache *s, unsigned int node, unsigned int home, void **p,
			     unsigned int want)
{
	struct slab *slab[16];
	unsigned int need = (want + s->objects - 1) / s->objects, got = 0, made;
	struct node *n = &s->nodes[node];

	made = slab_new(s, node, home, slab, need < 16 ? need : 16);
	if (!made)
		return 0;
	for (unsigned int i = 0; i < made; i++)
		got += slab_take(s, slab[i], p + got, want - got);
	lock_take(&n->lock, LOCK_NODE);
	for (unsigned int i = 0; i < made; i++)
		poke(slab[i]->counted, 1);
	poke_add(n->nr_slabs, made);
	poke_add(n->free_objects, (uint64_t)made * s->objects - got);
	if (slab_free_objects(s, slab[made - 1]))
		list_add(s, slab[made - 1]);
	lock_drop(&n->lock, LOCK_NODE);
	return got;
}

static unsigned int take_all_new(struct kmem_cache *s, unsigned int node, unsigned int home,
				 void **p, unsigned int want)
{
	unsigned int got = 0, more;

	while (got < want && (more = take_new(s, node, home, p + got, want - got)))
		got += more;
	return got;
}

unsigned int node_take_on(struct kmem_cache *s, unsigned int node, unsigned int home, void **p,
			  unsigned int want)
{
	unsigned int got = take_partial(s, node, home, p, want, false);

	got += take_all_new(s, node, home, p + got, want - got);
	return got + take_partial(s, node, home, p + got, want - got, true);
}

unsigned int node_take(struct kmem_cache *s, unsigned int home, void **p, unsigned int want)
{
	unsigned int near = numa_of_cpu(&root.numa, home);
	unsigned int got = take_partial(s, near, home, p, want, false);

	if (root.numa.nr > 1)
		got += take_partial(s, root.numa.policy, home, p + got, want - got, true);
	if (got < want)
		got += take_all_new(s, numa_default(&root.numa, home), home, p + got, want - got);
	return got + take_partial(s, near, home, p + got, want - got, true);
}

/* Memory that is free already before any new. */
unsigned int node_take_far(struct kmem_cache *s, unsigned int home, void **p, unsigned int want)
{
	unsigned int n = numa_indices(&root.numa), near = numa_of_cpu(&root.numa, home), got = 0;

	for (unsigned int i = 1; i < n; i++)
		got += take_partial(s, (near + i) % n, home, p + got, want - got, true);
	for (unsigned int i = 1; i < n && got < want; i++)
		got += take_all_new(s, (near + i) % n, home, p + got, want - got);
	return got;
}

void *node_take_one(struct kmem_cache *s, int node)
{
	unsigned int home = cpu_current();
	void *object;
	bool got;

	if (node == NUMA_NO_NODE)
		got = node_take(s, home, &object, 1) || node_take_far(s, home, &object, 1);
	else
		got = node_take_on(s, (unsigned int)node, home, &object, 1);
	return got ? object : NULL;
}

/* Under the lock: an empty slab that is on no list leaves the node. */
static void go_away(struct kmem_cache *s, struct slab *slab, struct slab **empty)
{
	struct node *n = node_of(s, slab);

	poke(slab->counted, 0);
	poke_sub(n->nr_slabs, 1);
	poke_sub(n->free_objects, s->objects);
	poke_sub(n->nr_holes, hole_count(slab));
	slab->next = *empty;
	*empty = slab;
}

/* Under the lock: the slab may become partial, or empty and then leave the node. */
static void settle(struct kmem_cache *s, struct slab *slab, struct slab **gone)
{
	bool empty = !slab_word(slab).inuse && !slab->digging;

	if (empty && node_of(s, slab)->nr_partial >= s->min_partial) {
		if (slab->listed)
			list_del(s, slab);
		go_away(s, slab, gone);
	} else if (!slab->listed) {
		list_add(s, slab);
	}
}

static void put_lists(struct kmem_cache *s, struct detached_set *set)
{
	struct slab *empty = NULL;
	struct node *n = NULL;

	for (unsigned int i = 0; i < set->n; i++) {
		struct detached *d = &set->list[i];

		if (!d->count)
			continue;
		n = enter(s, n, d->slab);
		slab_put(s, d);
		poke_add(n->free_objects, d->count);
		/* A later list may be of the same slab: it leaves only with nothing in use. */
		settle(s, d->slab, &empty);
	}
	leave(n);
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

static void shrink_list(struct kmem_cache *s, struct slab *slab, uint32_t *keep,
			struct slab **empty)
{
	struct slab *next;

	for (; slab; slab = next) {
		next = slab->next;
		if (slab_word(slab).inuse)
			continue;
		if (*keep) {
			--*keep;
			continue;
		}
		list_del(s, slab);
		go_away(s, slab, empty);
	}
}

/* One at a time with the diggers, whose slabs may not go. */
void node_shrink(struct kmem_cache *s, uint32_t keep)
{
	lock_take(&s->drain, LOCK_DRAIN);
	for (unsigned int node = 0; node < numa_indices(&root.numa); node++) {
		struct node *n = &s->nodes[node];
		struct slab *empty = NULL, **list;
		uint32_t left = keep;

		lock_take(&n->lock, LOCK_NODE);
		for (unsigned int i = 0; i <= root.nr_cpus; i++)
			if ((list = node_list(s, node, 0, i)))
				shrink_list(s, *list, &left, &empty);
		lock_drop(&n->lock, LOCK_NODE);
		slab_release(empty);
	}
	lock_drop(&s->drain, LOCK_DRAIN);
}

/* Slabs that are looked at while the lock is held; more, and others would wait for long. */
#define DIG_SLABS 32

struct dig {
	struct slab *slab[DIG_SLABS];
	struct iovec range[DIG_SLABS * HOLE_RANGES];
	unsigned int slabs, ranges;
};

static void dig_some(struct kmem_cache *s, struct slab *at, struct dig *d)
{
	d->slabs = d->ranges = 0;
	for (; at && d->slabs < DIG_SLABS; at = at->next) {
		if (slab_word(at).inuse)
			d->ranges += hole_dig(s, at, d->range + d->ranges);
		poke(at->digging, 1);
		d->slab[d->slabs++] = at;
	}
}

/*
 * Under the node's lock, which is dropped while pages go. Nothing is taken from the slabs in
 * question meanwhile, and they stay listed, so that the last of them leads to the next.
 */
static void dig_list(struct kmem_cache *s, struct node *n, struct slab *at, struct slab **empty)
{
	struct dig d;

	while (at) {
		dig_some(s, at, &d);
		lock_drop(&n->lock, LOCK_NODE);
		pages_lend(d.range, d.ranges);
		lock_take(&n->lock, LOCK_NODE);
		at = d.slab[d.slabs - 1]->next;
		for (unsigned int i = 0; i < d.slabs; i++) {
			poke(d.slab[i]->digging, 0);
			settle(s, d.slab[i], empty);
		}
	}
}

void node_dig(struct kmem_cache *s)
{
	if (!hole_possible(s))
		return;
	lock_take(&s->drain, LOCK_DRAIN);
	for (unsigned int node = 0; node < numa_indices(&root.numa); node++) {
		struct node *n = &s->nodes[node];
		struct slab *empty = NULL, **list;

		lock_take(&n->lock, LOCK_NODE);
		for (unsigned int i = 0; i <= root.nr_cpus; i++)
			if ((list = node_list(s, node, 0, i)))
				dig_list(s, n, *list, &empty);
		lock_drop(&n->lock, LOCK_NODE);
		slab_release(empty);
	}
	lock_drop(&s->drain, LOCK_DRAIN);
}

bool node_has_free(struct kmem_cache *s, const struct slab *slab, const void *object)
{
	struct node *n = node_of(s, slab);
	bool found;

	lock_take(&n->lock, LOCK_NODE);
	found = slab_on_freelist(s, slab, object);
	lock_drop(&n->lock, LOCK_NODE);
	return found;
}

uint64_t node_slabs(const struct kmem_cache *s)
{
	uint64_t slabs = 0;

	for (unsigned int node = 0; node < numa_indices(&root.numa); node++)
		slabs += peek(s->nodes[node].nr_slabs);
	return slabs;
}

uint64_t node_partial_slabs(const struct kmem_cache *s)
{
	uint64_t slabs = 0;

	for (unsigned int node = 0; node < numa_indices(&root.numa); node++)
		slabs += peek(s->nodes[node].nr_partial);
	return slabs;
}

uint64_t node_holes(const struct kmem_cache *s, unsigned int node)
{
	return peek(s->nodes[node].nr_holes);
}

uint64_t node_free(const struct kmem_cache *s, unsigned int node)
{
	uint64_t objects = peek(s->nodes[node].free_objects) + peek(s->nodes[node].freed);

	for (unsigned int cpu = 0; s->sheafless && root.numa.nr == 1 && cpu < root.nr_cpus; cpu++)
		objects += peek(s->cpu[cpu].freed);
	return objects;
}

uint64_t node_free_objects(const struct kmem_cache *s)
{
	uint64_t objects = 0;

	for (unsigned int node = 0; node < numa_indices(&root.numa); node++)
		objects += node_free(s, node);
	return objects;
}

/* ---- caches without sheaves ------------------------------------------------------------------ */

void node_note_new(struct kmem_cache *s, struct slab *slab)
{
	struct node *n = enter(s, NULL, slab);

	poke(slab->counted, 1);
	poke_add(n->nr_slabs, 1);
	poke_add(n->free_objects, s->objects);
	leave(n);
	slab->next = NULL;
}

unsigned int node_freeze(struct kmem_cache *s, unsigned int node, unsigned int home,
			 struct slab **chain, unsigned int max)
{
	struct node *n = &s->nodes[node];
	struct slab *slab, **list;
	unsigned int got = 0;

	if (!peek(n->nr_partial))
		return 0;
	lock_take(&n->lock, LOCK_NODE);
	for (unsigned int i = 0; i <= root.nr_cpus; i++) {
		list = node_list(s, node, home, i);
		while (list && got < max && (slab = *list)) {
			list_del(s, slab);
			slab_mark_frozen(slab);
			slab->next = *chain;
			poke(*chain, slab);
			got++;
		}
	}
	lock_drop(&n->lock, LOCK_NODE);
	return got;
}

void node_thaw(struct kmem_cache *s, struct slab *chain)
{
	struct slab *empty = NULL;
	struct node *n = NULL;

	while (chain) {
		struct slab *slab = chain;

		chain = slab->next;
		n = enter(s, n, slab);
		/* A full slab stays on no list: the next free to it will see that it was full. */
		if (slab_thaw(slab).head)
			settle(s, slab, &empty);
	}
	leave(n);
	slab_release(empty);
}

bool node_put_word(struct kmem_cache *s, struct detached *d, bool freeze)
{
	struct slab *slab = d->slab, *empty = NULL;
	union slab_word old = slab_word(slab);
	struct node *n = NULL;
	unsigned int node = slab->node; /* the slab may be gone as soon as its objects are back */
	bool was_full, frozen;

	do {
		was_full = !old.head && !old.frozen;
		frozen = old.frozen || (was_full && freeze);
		/* It joins a list, or may leave one: that takes the lock first. */
		if (!n && !frozen && (was_full || old.inuse == d->count)) {
			n = enter(s, NULL, slab);
			old = slab_word(slab);
			was_full = !old.head && !old.frozen;
			frozen = old.frozen || (was_full && freeze);
		}
	} while (!slab_put_word(s, d, &old, frozen));
	cpu_count_freed(s, node, d->count);
	if (n) {
		if (!frozen && (was_full || !old.inuse))
			settle(s, slab, &empty);
		leave(n);
		slab_release(empty);
	}
	return was_full && frozen;
}
