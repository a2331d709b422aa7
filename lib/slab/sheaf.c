// SPDX-License-Identifier: MIT
/* sheaf.c - refilling and emptying a CPU's sheaves: the slow path between block and barn. */
#include "sheaf.h"

#include <string.h>

#include "node.h"
#include "peek.h"
#include "root.h"
#include "slab.h"

#define SPARE_SHEAVES 18 /* a CPU's sheaves beside those its barn may hold full */
#define SHEAF_MOST    126
#define SHEAF_LEAST   6
#define SHEAF_BYTES   ((uint32_t)32 << 10)  /* of objects in one sheaf */
#define STOCK_BYTES   ((uint32_t)320 << 10) /* of objects in one barn */
#define STOCK_OBJECTS 1240

uint32_t sheaf_default_capacity(uint32_t size)
{
	uint32_t capacity = SHEAF_MOST;

	/* With the header of two words: a power of two. */
	while (capacity > SHEAF_LEAST && capacity * size > SHEAF_BYTES)
		capacity = capacity / 2 - 1;
	return capacity;
}

uint32_t sheaf_default_stock(uint32_t size, uint32_t capacity)
{
	uint64_t sheaves = STOCK_BYTES / ((uint64_t)size * capacity);
	uint64_t most = (STOCK_OBJECTS + capacity - 1) / capacity;

	if (sheaves > most)
		sheaves = most;
	return sheaves < 2 ? 2 : (uint32_t)sheaves;
}

/* The block's owner alone writes these; what is done round the sheaves is counted by bump. */
static inline void count(struct cpu_block *b, enum cpu_stat stat, uint64_t n)
{
	poke_add(b->stat[stat], n);
}

/* A sheaf from the CPU's own memory; NULL when that is used up or cannot be had. */
static struct sheaf *sheaf_new(struct kmem_cache *s, struct cpu_block *b)
{
	size_t bytes = sheaf_bytes(s->capacity);
	struct sheaf *sh;

	if (!b->area_block) {
		size_t want = bytes * (s->barn_max + SPARE_SHEAVES);
		unsigned int order = 0;

		while (PAGE_BYTES << order < want && order < PAGES_MAX_ORDER)
			order++;
		b->area_block = pages_alloc_any(order, numa_of_cpu(&root.numa, cache_home(s, b)),
						BLOCK_META, cache_home(s, b));
		if (!b->area_block)
			return NULL;
		b->area = b->area_block->base;
		b->area_end = b->area + (PAGE_BYTES << order);
		if ((size_t)(b->area_end - b->area) > want)
			b->area_end = b->area + want;
	}
	if ((size_t)(b->area_end - b->area) < bytes)
		return NULL;
	sh = (struct sheaf *)b->area;
	b->area += bytes;
	return sh;
}

static inline void swap(struct cpu_block *b)
{
	struct sheaf *main = b->main;
	uint32_t n = b->n;

	poke(b->main, b->spare);
	b->spare = main;
	poke(b->n, b->spare_n);
	poke(b->spare_n, n);
	count(b, STAT_SHEAF_SWAP, 1);
}

/*
 * The first lines of a sheaf's objects, which are in another CPU's cache. One after the other, as
 * the user will write to them, they would take a third longer.
 */
static void fetch_objects(const struct kmem_cache *s, const struct sheaf *sh)
{
	for (uint32_t i = s->capacity; i--;)
		__builtin_prefetch(sh->slot[i], 1);
}

/* A full sheaf from the barn, or after many misses in a row from another CPU's. */
static struct sheaf *get_full(struct kmem_cache *s, struct cpu_block *b)
{
	bool one_way = peek(b->barn.misses) > s->barn_max;
	struct sheaf *full = barn_get_full(&b->barn, b->main);

	if (!full && one_way) {
		unsigned int stolen = barn_steal(s, b);

		if (stolen) {
			count(b, STAT_BARN_STEAL, stolen);
			full = barn_get_full(&b->barn, b->main);
		}
	}
	if (full)
		count(b, STAT_BARN_GET, 1);
	if (full && one_way)
		fetch_objects(s, full);
	return full;
}

uint32_t sheaf_refill(struct kmem_cache *s, struct cpu_block *b)
{
	struct sheaf *full;

	if (b->n)
		return b->n;
	if (b->spare_n) {
		swap(b);
		return b->n;
	}
	if (!b->main) {
		poke(b->main, sheaf_new(s, b));
		if (!b->main)
			return 0;
	}
	full = get_full(s, b);
	if (full) {
		poke(b->main, full);
		poke(b->n, s->capacity);
		return b->n;
	}
	barn_note_miss(s, &b->barn);
	poke(b->n, node_take(s, cache_home(s, b), b->main->slot, s->capacity));
	count(b, STAT_ALLOC_REFILL, 1);
	return b->n;
}

/* A full sheaf's objects go to their slabs, and with them what the barn has too much of. */
static void flush(struct kmem_cache *s, struct cpu_block *b, struct sheaf *full)
{
	struct sheaf *excess = barn_note_flush(s, &b->barn), *sh;

	node_put(s, full->slot, s->capacity);
	count(b, STAT_FREE_FLUSH, 1);
	for (sh = excess; sh; sh = sh->next) {
		node_put(s, sh->slot, s->capacity);
		count(b, STAT_FREE_FLUSH, 1);
	}
	if (excess)
		barn_give(&b->barn, NULL, excess);
}

bool sheaf_make_room(struct kmem_cache *s, struct cpu_block *b)
{
	struct sheaf *empty;

	if (!b->main) {
		poke(b->main, sheaf_new(s, b));
		return b->main != NULL;
	}
	if (b->n < s->capacity)
		return true;
	if (!b->spare)
		b->spare = sheaf_new(s, b);
	if (b->spare && b->spare_n && barn_put_full(&b->barn, b->spare, &empty)) {
		/* The older of the two leaves; an empty one takes its place. */
		count(b, STAT_BARN_PUT, 1);
		b->spare = empty ? empty : sheaf_new(s, b);
		poke(b->spare_n, 0);
	}
	if (b->spare_n) {
		flush(s, b, b->spare);
		poke(b->spare_n, 0);
	}
	if (b->spare && peek(b->barn.limit)) {
		swap(b);
	} else {
		/*
		 * In a long flow of frees the barn's bound is 0, and nothing is kept beside main.
		 */
		flush(s, b, b->main);
		poke(b->n, 0);
	}
	return true;
}

/* Whole sheaves from the barn, copied and given back empty. */
static size_t take_sheaves(struct kmem_cache *s, struct cpu_block *b, void **p, size_t want)
{
	struct sheaf *chain, *sh;
	size_t got = 0;
	unsigned int n = barn_take_full(&b->barn, &chain, (unsigned int)(want / s->capacity));

	for (sh = chain; sh; sh = sh->next) {
		memcpy(p + got, sh->slot, s->capacity * sizeof(*p));
		got += s->capacity;
	}
	if (n) {
		barn_give(&b->barn, NULL, chain);
		count(b, STAT_BARN_GET, n);
	}
	return got;
}

size_t sheaf_take(struct kmem_cache *s, struct cpu_block *b, void **p, size_t want)
{
	size_t got = 0;

	for (;;) {
		size_t k = b->n < want - got ? b->n : want - got;

		if (k) {
			memcpy(p + got, b->main->slot + b->n - k, k * sizeof(*p));
			poke_sub(b->n, (uint32_t)k);
			got += k;
		}
		if (got == want)
			return got;
		if (!b->spare_n && want - got >= s->capacity) {
			k = take_sheaves(s, b, p + got, want - got);
			got += k;
			if (k)
				continue;
			if (!barn_note_miss(s, &b->barn) || !barn_steal(s, b)) {
				k = node_take(s, cache_home(s, b), p + got,
					      (unsigned int)(want - got));
				bump(b->stat[STAT_ALLOC_BYPASS], k);
				return got + k;
			}
			continue;
		}
		if (!sheaf_refill(s, b))
			return got;
	}
}

/* A chain of empty sheaves into the barn, full of objects from p; how many. */
static size_t fill_sheaves(struct kmem_cache *s, struct cpu_block *b, struct sheaf *chain, void **p)
{
	size_t done = 0;

	for (struct sheaf *sh = chain; sh; sh = sh->next) {
		memcpy(sh->slot, p + done, s->capacity * sizeof(*p));
		done += s->capacity;
	}
	if (chain)
		barn_give(&b->barn, chain, NULL);
	return done;
}

/* Whole sheaves into the barn, as many as it has room for. */
static size_t give_sheaves(struct kmem_cache *s, struct cpu_block *b, void **p, size_t n)
{
	struct sheaf *chain, *sh;
	unsigned int want = (unsigned int)(n / s->capacity), got;

	got = barn_take_empty(&b->barn, &chain, want);
	while (got < want && got + peek(b->barn.nr_full) < peek(b->barn.limit) &&
	       (sh = sheaf_new(s, b))) {
		sh->next = chain;
		chain = sh;
		got++;
	}
	if (got)
		count(b, STAT_BARN_PUT, got);
	return fill_sheaves(s, b, chain, p);
}

size_t sheaf_give_home(struct kmem_cache *s, struct cpu_block *b, void **p, size_t n)
{
	struct sheaf *chain;
	unsigned int got = barn_take_empty(&b->barn, &chain, (unsigned int)(n / s->capacity));

	bump(b->stat[STAT_BARN_PUT], got);
	return fill_sheaves(s, b, chain, p);
}

void sheaf_stock_empty(struct kmem_cache *s, struct cpu_block *b, uint32_t n)
{
	uint32_t have = (uint32_t)peek(b->barn.nr_full) + peek(b->barn.nr_empty);
	struct sheaf *chain = NULL, *sh;

	for (; n >= s->capacity && have < s->barn_max && (sh = sheaf_new(s, b)); have++) {
		sh->next = chain;
		chain = sh;
		n -= s->capacity;
	}
	if (chain)
		barn_give(&b->barn, NULL, chain);
}

void sheaf_give(struct kmem_cache *s, struct cpu_block *b, void **p, size_t n)
{
	while (n) {
		size_t k;

		if (b->main && b->n < s->capacity) {
			k = s->capacity - b->n < n ? s->capacity - b->n : n;
			memcpy(b->main->slot + b->n, p, k * sizeof(*p));
			poke_add(b->n, (uint32_t)k);
		} else if (n >= s->capacity && b->main && b->spare_n) {
			k = give_sheaves(s, b, p, n);
			if (!k) {
				struct sheaf *excess = barn_note_flush(s, &b->barn);

				k = n - n % s->capacity;
				node_put(s, p, k);
				bump(b->stat[STAT_FREE_BYPASS], k);
				for (struct sheaf *sh = excess; sh; sh = sh->next)
					node_put(s, sh->slot, s->capacity);
				barn_give(&b->barn, NULL, excess);
			}
		} else if (sheaf_make_room(s, b)) {
			k = 0;
		} else {
			node_put(s, p, n);
			k = n;
		}
		p += k;
		n -= k;
	}
}

void sheaf_drain(struct kmem_cache *s, struct cpu_block *b)
{
	struct sheaf *chain, *sh;

	if (b->n)
		node_put(s, b->main->slot, b->n);
	poke(b->n, 0);
	if (b->spare_n)
		node_put(s, b->spare->slot, b->spare_n);
	poke(b->spare_n, 0);
	while (barn_take_full(&b->barn, &chain, s->barn_max + 1)) {
		for (sh = chain; sh; sh = sh->next)
			node_put(s, sh->slot, s->capacity);
		barn_give(&b->barn, NULL, chain);
	}
}

void sheaf_forget(struct cpu_block *b)
{
	b->main = b->spare = NULL;
	b->barn.full = b->barn.empty = NULL;
	poke(b->barn.nr_empty, 0);
	if (b->area_block)
		pages_free(b->area_block);
	b->area_block = NULL;
	b->area = b->area_end = NULL;
}
