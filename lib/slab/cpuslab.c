// SPDX-License-Identifier: MIT
/* cpuslab.c - a slab for each CPU, and its partial slabs. */
#include "cpuslab.h"

#include "cpu.h"
#include "link.h"
#include "node.h"
#include "peek.h"
#include "report.h"
#include "slab.h"

uint32_t cpuslab_default_partial(uint32_t size)
{
	return size >= PAGE_BYTES ? 6 : size >= 1024 ? 24 : size >= 256 ? 52 : 120;
}

/* cpu_partial counts objects; a partial slab is taken to be half full. */
static uint32_t partial_slabs(const struct kmem_cache *s)
{
	return (2 * peek(s->cpu_partial) + s->objects - 1) / s->objects;
}

/* ---- allocation ------------------------------------------------------------------------------ */

static const char damaged[] = "freelist damaged: a free object was written to";

static void *pop(struct kmem_cache *s, struct cpu_block *b)
{
	void *object = b->freelist;
	uint64_t next = link_load(s, object);

	if (__builtin_expect(next && !link_in_slab(b->slab, next), 0)) {
		report_misuse(s, object, damaged);
		next = 0;
	}
	b->freelist = (void *)next;
	link_wipe(s, object);
	return object;
}

/*
 * Up to n (1 or more) objects from the freelist, which is not empty. Each link tells where the next
 * is found: a chain of loads. Mostly objects lie at one distance from each other, so that one is
 * tried and the link only compared with it, which the processor need not wait for; the asm keeps
 * the compiler from seeing that the two are equal then.
 */
static size_t pop_run(struct kmem_cache *s, struct cpu_block *b, void **p, size_t n)
{
	const uintptr_t base = (uintptr_t)b->slab->base, bytes = pages_block_bytes(b->slab);
	uintptr_t at = (uintptr_t)b->freelist, step = 0;
	size_t got = 0;

	do {
		uint64_t next = link_load(s, (void *)at);
		uintptr_t guess = at + step;

		link_wipe(s, (void *)at);
		p[got++] = (void *)at;
		if (__builtin_expect(next - base >= bytes, 0)) {
			if (next)
				report_misuse(s, (void *)at, damaged);
			at = 0;
			break;
		}
		__asm__("" : "+r"(guess));
		if (next == guess) {
			at = guess;
		} else {
			step = next - at;
			at = next;
		}
	} while (got < n);
	b->freelist = (void *)at;
	return got;
}

static void *take_freelist(struct kmem_cache *s, struct slab *slab)
{
	uint32_t n;
	void *head = slab_freeze(s, slab, &n);

	cpu_count_freed(s, slab->node, -(uint64_t)n);
	return head;
}

static struct slab *new_slab(struct kmem_cache *s, unsigned int node, unsigned int home)
{
	struct slab *slab;

	if (!slab_new(s, node, home, &slab, 1))
		return NULL;
	slab_link_all(s, slab);
	node_note_new(s, slab);
	return slab;
}

/* Up to max frozen slabs of a node, partial ones or a new one; how many. */
static unsigned int slabs_on(struct kmem_cache *s, unsigned int node, unsigned int home,
			     struct slab **chain, unsigned int max)
{
	unsigned int got = node_freeze(s, node, home, chain, max);

	if (!got) {
		poke(*chain, new_slab(s, node, home));
		got = *chain != NULL;
	}
	return got;
}

/* The same of memory near to CPU home. */
static unsigned int slabs_near(struct kmem_cache *s, unsigned int home, struct slab **chain,
			       unsigned int max)
{
	unsigned int got = node_freeze(s, numa_of_cpu(&root.numa, home), home, chain, max);

	return got ? got : slabs_on(s, numa_default(&root.numa, home), home, chain, max);
}

/* And of any other, when there is none. */
static unsigned int slabs_far(struct kmem_cache *s, unsigned int home, struct slab **chain,
			      unsigned int max)
{
	unsigned int n = numa_indices(&root.numa), near = numa_of_cpu(&root.numa, home), got = 0;

	for (unsigned int i = 1; i < n && !got; i++)
		got = slabs_on(s, (near + i) % n, home, chain, max);
	return got;
}

/* What was freed into b's slab by others, or the CPU's next slab; false: no memory. */
static bool refill(struct kmem_cache *s, struct cpu_block *b)
{
	unsigned int home = cache_home(s, b);

	while (b->slab) {
		if (slab_word(b->slab).head) {
			b->freelist = take_freelist(s, b->slab);
			return true;
		}
		if (slab_thaw_full(s, b->slab))
			poke(b->slab, NULL);
	}
	if (!b->slabs) {
		unsigned int max = 1 + partial_slabs(s) / 2;

		poke(b->nr_slabs, slabs_near(s, home, &b->slabs, max));
		if (!b->nr_slabs)
			poke(b->nr_slabs, slabs_far(s, home, &b->slabs, max));
	}
	if (!b->slabs)
		return false;
	poke(b->slab, b->slabs);
	poke(b->slabs, b->slab->next);
	poke_sub(b->nr_slabs, 1);
	b->freelist = take_freelist(s, b->slab);
	return true;
}

/* Gives the rest of a frozen slab's freelist back to it. */
static void put_chain(struct kmem_cache *s, struct slab *slab, void *head)
{
	struct detached d = { .slab = slab, .head = head };
	union slab_word w = slab_word(slab);

	for (uint64_t at = (uintptr_t)head; at && link_in_slab(slab, at);
	     at = link_load(s, (void *)at)) {
		d.tail = (void *)at;
		d.count++;
	}
	if (!d.count)
		return;
	while (!slab_put_word(s, &d, &w, true))
		;
	cpu_count_freed(s, slab->node, d.count);
}

void *cpuslab_alloc_on(struct kmem_cache *s, int node)
{
	unsigned int home = cpu_current();
	struct cpu_block one = { .slab = NULL };
	bool got;
	void *object;

	if (node == NUMA_NO_NODE)
		got = slabs_near(s, home, &one.slab, 1) || slabs_far(s, home, &one.slab, 1);
	else
		got = slabs_on(s, (unsigned int)node, home, &one.slab, 1);
	if (!got)
		return NULL;
	one.freelist = take_freelist(s, one.slab);
	object = pop(s, &one);
	put_chain(s, one.slab, one.freelist);
	one.slab->next = NULL;
	node_thaw(s, one.slab);
	bump(s->cpu[home].stat[STAT_ALLOC_BYPASS], 1);
	return object;
}

void *cpuslab_alloc(struct kmem_cache *s)
{
	struct cpu_block *b;
	void *object = cpu_slab_pop(s);

	if (__builtin_expect(object != NULL, 1)) {
		link_wipe(s, object);
		return object;
	}
	b = cpu_lock(s);
	if (!b)
		return cpuslab_alloc_on(s, NUMA_NO_NODE);
	if (b->freelist || refill(s, b))
		object = pop(s, b);
	cpu_unlock(s, b);
	return object;
}

size_t cpuslab_take(struct kmem_cache *s, void **p, size_t n)
{
	struct cpu_block *b = cpu_lock(s);
	size_t got = 0;

	if (b) {
		while (got < n && (b->freelist || refill(s, b)))
			got += pop_run(s, b, p + got, n - got);
		cpu_unlock(s, b);
		return got;
	}
	for (; got < n; got++) {
		p[got] = cpuslab_alloc_on(s, NUMA_NO_NODE);
		if (!p[got])
			break;
	}
	return got;
}

/* ---- free ------------------------------------------------------------------------------------ */

/* A slab that was full is frozen now and ours to keep. */
static void keep_partial(struct kmem_cache *s, struct slab *slab)
{
	struct cpu_block *b = cpu_lock(s);
	struct slab *chain = NULL;

	if (!b) {
		slab->next = NULL;
		node_thaw(s, slab);
		return;
	}
	if (b->nr_slabs >= partial_slabs(s)) {
		chain = b->slabs;
		poke(b->slabs, NULL);
		poke(b->nr_slabs, 0);
	}
	slab->next = b->slabs;
	poke(b->slabs, slab);
	poke_add(b->nr_slabs, 1);
	cpu_unlock(s, b);
	if (chain)
		node_thaw(s, chain);
}

/* To the CPU we run on: what is not, it does not keep. */
static bool is_near(const struct slab *slab)
{
	return slab->node == root.numa.policy ||
	       slab->node == numa_of_cpu(&root.numa, cpu_current());
}

static void put(struct kmem_cache *s, struct detached *d)
{
	bool freeze = peek(s->cpu_partial) && (root.numa.nr == 1 || is_near(d->slab));

	if (node_put_word(s, d, freeze))
		keep_partial(s, d->slab);
}

/* What belongs to b's own slab goes on its freelist. */
static void put_own(struct kmem_cache *s, struct cpu_block *b, struct detached *d)
{
	link_store(s, d->tail, b->freelist);
	b->freelist = d->head;
	d->count = 0;
}

void cpuslab_give(struct kmem_cache *s, void **p, size_t n)
{
	struct detached_set set;

	while (n) {
		size_t did = detached_fill(s, &set, p, n);
		struct cpu_block *b = cpu_lock(s);

		if (b) {
			for (unsigned int i = 0; i < set.n; i++)
				if (set.list[i].slab == b->slab && set.list[i].count)
					put_own(s, b, &set.list[i]);
			cpu_unlock(s, b);
		}
		for (unsigned int i = 0; i < set.n; i++)
			if (set.list[i].count)
				put(s, &set.list[i]);
		p += did;
		n -= did;
	}
}

void cpuslab_free(struct kmem_cache *s, void *object)
{
	struct slab *slab = slab_of_object(s, object);
	struct detached d = { .slab = slab, .head = object, .tail = object, .count = 1 };

	if (!slab)
		return;
	if (__builtin_expect(link_looks_free(s, slab, object), 0)) {
		cpuslab_give(s, &object, 1); /* looks closer */
		return;
	}
	if (cpu_slab_push(s, object, slab, link_mask(s, object)))
		return;
	if (!root.rseq) {
		struct cpu_block *b = cpu_lock(s);

		if (b && b->slab == slab)
			put_own(s, b, &d);
		if (b)
			cpu_unlock(s, b);
	}
	if (d.count)
		put(s, &d);
}

void cpuslab_drain(struct kmem_cache *s, struct cpu_block *b)
{
	struct slab *chain = b->slabs;

	if (b->slab) {
		if (b->freelist)
			put_chain(s, b->slab, b->freelist);
		b->slab->next = chain;
		chain = b->slab;
	}
	poke(b->slab, NULL);
	poke(b->slabs, NULL);
	b->freelist = NULL;
	poke(b->nr_slabs, 0);
	if (chain)
		node_thaw(s, chain);
}
