// SPDX-License-Identifier: MIT
/* run.c - finding, joining and giving back runs of units. */
#include "run.h"

#include <pthread.h>
#include <string.h>

#include "slab/lock.h"
#include "slab/pages.h"
#include "slab/peek.h"
#include "slab/report.h"
#include "slab/root.h"

#define UNITS	   (CHUNK_BYTES / RUN_UNIT)
#define PAGE_UNITS (PAGE_BYTES / RUN_UNIT)
#define PAGES	   (CHUNK_BYTES / PAGE_BYTES)
#define FLOOR_MIN  ((size_t)256 << 10)
#define FLOOR_MAX  ((size_t)64 << 20)
#define USED_SHARE 16
#define RANGES	   128 /* given back in one call, of any chunks */
#define LEAST	   8   /* units; a chunk whose free runs are shorter is full */

struct run_chunk {
	struct run_chunk *next, **link; /* link: what points to it */
	struct slab *slab;
	uint32_t nr_free;  /* units */
	uint32_t longest;  /* no free run is longer */
	uint32_t first;	   /* units before it hold the header */
	uint32_t nr_dirty; /* pages that are free as a whole and hold data */
	uint64_t free[UNITS / 64];
	uint64_t dirty[PAGES / 64]; /* pages that were in use since they came from the system */
	uint16_t units[UNITS];	    /* of the run that begins here; 0: none does */
};

static struct {
	struct lock lock;
	struct run_chunk
		*chunks; /* open ones first, in the order of their making; then full ones */
	size_t used_bytes;
	size_t dirty_bytes; /* in pages that are free as a whole */
	size_t mapped_bytes;
	size_t floor;	    /* of dirty_bytes that stay */
	size_t given_bytes; /* given back, and not asked for again since */
	bool asked;	    /* some of it was, since the last giving back */
	bool forks;	    /* the fork handlers are there */
} runs = { .floor = FLOOR_MIN };

/* ---- bitmaps --------------------------------------------------------------------------------- */

static bool bit(const uint64_t *map, unsigned int i)
{
	return map[i / 64] >> (i % 64) & 1;
}

static void bits_set(uint64_t *map, unsigned int from, unsigned int to, bool value)
{
	while (from < to) {
		unsigned int n = 64 - from % 64 < to - from ? 64 - from % 64 : to - from;
		uint64_t mask = (n == 64 ? ~0ULL : (1ULL << n) - 1) << (from % 64);

		if (value)
			map[from / 64] |= mask;
		else
			map[from / 64] &= ~mask;
		from += n;
	}
}

/* The first bit of the value at or behind i; UNITS: none. */
static unsigned int next_bit(const uint64_t *map, unsigned int i, bool value)
{
	uint64_t flip = value ? 0 : ~0ULL, word;

	if (i >= UNITS)
		return UNITS;
	word = (map[i / 64] ^ flip) & ~0ULL << (i % 64);
	for (i /= 64; !word; word = map[i] ^ flip)
		if (++i == UNITS / 64)
			return UNITS;
	return i * 64 + (unsigned int)__builtin_ctzll(word);
}

/* The start of the set bits that end before i. */
static unsigned int back_to(const uint64_t *map, unsigned int i)
{
	while (i) {
		unsigned int n = (i - 1) % 64 + 1;
		uint64_t clear = ~map[(i - 1) / 64] & (n == 64 ? ~0ULL : (1ULL << n) - 1);

		if (clear)
			return (i - 1) / 64 * 64 + 64 - (unsigned int)__builtin_clzll(clear);
		i -= n;
	}
	return 0;
}

/* ---- chunks ---------------------------------------------------------------------------------- */

static char *chunk_base(const struct run_chunk *c)
{
	return (char *)((uintptr_t)c & ~(uintptr_t)(CHUNK_BYTES - 1));
}

static unsigned int unit_of(const void *p)
{
	return (unsigned int)(((uintptr_t)p & (CHUNK_BYTES - 1)) / RUN_UNIT);
}

static void list_del(struct run_chunk *c)
{
	*c->link = c->next;
	if (c->next)
		c->next->link = c->link;
}

static void list_add(struct run_chunk *c, struct run_chunk **link)
{
	c->link = link;
	c->next = *link;
	if (c->next)
		c->next->link = &c->next;
	*link = c;
}

/* Where the open chunks end, or with open false the list. */
static struct run_chunk **list_end(bool open)
{
	struct run_chunk **link = &runs.chunks;

	while (*link && !(open && (*link)->longest < LEAST))
		link = &(*link)->next;
	return link;
}

static struct run_chunk *chunk_new(void)
{
	struct slab *slab = pages_alloc_own(CHUNK_BYTES - root.page_bytes, 0);
	struct run_chunk *c;
	uintptr_t end;

	if (!slab)
		return NULL;
	slab->kind = BLOCK_RUNS;
	c = (struct run_chunk *)slab->base;
	c->slab = slab;
	end = (uintptr_t)(c + 1) + root.page_bytes - 1;
	c->first = unit_of((void *)(end & ~(root.page_bytes - 1)));
	c->nr_free = c->longest = UNITS - c->first;
	bits_set(c->free, c->first, UNITS, true);
	list_add(c, list_end(true));
	runs.mapped_bytes += CHUNK_BYTES;
	return c;
}

static void chunk_forget(struct run_chunk *c)
{
	list_del(c);
	runs.mapped_bytes -= CHUNK_BYTES;
}

/* What is known of its longest free run; a chunk that was full is looked at first from here on. */
static void chunk_reopen(struct run_chunk *c, uint32_t longest)
{
	bool was_full = c->longest < LEAST;

	if (longest <= c->longest)
		return;
	c->longest = longest;
	if (was_full && longest >= LEAST) {
		list_del(c);
		list_add(c, &runs.chunks);
	}
}

static bool page_is_free(const struct run_chunk *c, unsigned int page)
{
	uint64_t mask = (1ULL << PAGE_UNITS) - 1;
	unsigned int i = page * PAGE_UNITS;

	return (c->free[i / 64] >> (i % 64) & mask) == mask;
}

/* How many pages of these units are free as a whole and hold data. */
static uint32_t dirty_in(const struct run_chunk *c, unsigned int from, unsigned int to)
{
	uint32_t n = 0;

	for (unsigned int page = from / PAGE_UNITS; page <= (to - 1) / PAGE_UNITS; page++)
		n += bit(c->dirty, page) && page_is_free(c, page);
	return n;
}

static void add_dirty(struct run_chunk *c, uint32_t pages)
{
	c->nr_dirty += pages;
	runs.dirty_bytes += pages * PAGE_BYTES;
}

static void drop_dirty(struct run_chunk *c, uint32_t pages)
{
	c->nr_dirty -= pages;
	runs.dirty_bytes -= pages * PAGE_BYTES;
}

/* Pages that were given back were wanted after all: so much more stays the next time. */
static void note_fresh(size_t bytes)
{
	if (bytes > runs.given_bytes)
		bytes = runs.given_bytes;
	if (!bytes)
		return;
	runs.given_bytes -= bytes;
	runs.asked = true;
	runs.floor = runs.floor + bytes < FLOOR_MAX ? runs.floor + bytes : FLOOR_MAX;
}

/* And where none was, a quarter less. */
static void note_giving(void)
{
	if (!runs.asked && runs.floor > FLOOR_MIN)
		runs.floor -= runs.floor / 4;
	runs.asked = false;
}

/* The units become used; true: they read as zero. */
static bool take(struct run_chunk *c, unsigned int from, unsigned int to)
{
	unsigned int page = from / PAGE_UNITS, end = (to - 1) / PAGE_UNITS + 1, dirty = 0;

	for (unsigned int i = page; i < end; i++)
		dirty += bit(c->dirty, i);
	note_fresh((end - page - dirty) * PAGE_BYTES);
	drop_dirty(c, dirty_in(c, from, to));
	bits_set(c->dirty, page, end, true);
	bits_set(c->free, from, to, false);
	c->nr_free -= to - from;
	runs.used_bytes += (to - from) * RUN_UNIT;
	return !dirty;
}

/* The units become free. */
static void give(struct run_chunk *c, unsigned int from, unsigned int to)
{
	unsigned int start, end;

	bits_set(c->free, from, to, true);
	c->nr_free += to - from;
	runs.used_bytes -= (to - from) * RUN_UNIT;
	add_dirty(c, dirty_in(c, from, to));
	start = back_to(c->free, from);
	end = next_bit(c->free, to, false);
	chunk_reopen(c, end - start);
}

/* A free run of n units at a multiple of align units; 0: there is none. */
static unsigned int find(struct run_chunk *c, unsigned int n, unsigned int align)
{
	unsigned int longest = 0, i = c->first, end;

	while ((i = next_bit(c->free, i, true)) < UNITS) {
		unsigned int start = (i + align - 1) & ~(align - 1);

		end = next_bit(c->free, i, false);
		if (start + n <= end)
			return start;
		if (longest < end - i)
			longest = end - i;
		i = end;
	}
	c->longest = longest;
	if (longest < LEAST) {
		list_del(c);
		list_add(c, list_end(false));
	}
	return 0;
}

/* ---- giving back ----------------------------------------------------------------------------- */

/* Pages that are given back, of any chunks: neither free nor used meanwhile. */
struct parcel {
	struct iovec range[RANGES];
	unsigned int n;
};

static struct run_chunk *chunk_of(const void *p)
{
	return (struct run_chunk *)(((uintptr_t)p & ~(uintptr_t)(CHUNK_BYTES - 1)) +
				    root.page_bytes);
}

/* One page of the machine's; false: there is no room for another range. */
static bool parcel_add(struct parcel *p, char *at)
{
	struct iovec *last = p->n ? &p->range[p->n - 1] : NULL;

	if (last && (char *)last->iov_base + last->iov_len == at)
		last->iov_len += root.page_bytes;
	else if (p->n < RANGES)
		p->range[p->n++] = (struct iovec){ at, root.page_bytes };
	else
		return false;
	return true;
}

/* Free pages of the chunk that hold data go into the parcel; false: it is full. */
static bool take_pages(struct run_chunk *c, struct parcel *p)
{
	unsigned int step = (unsigned int)(root.page_bytes / PAGE_BYTES);
	unsigned int units = step * PAGE_UNITS;
	unsigned int page = (c->first / (unsigned int)PAGE_UNITS + step - 1) / step * step;

	for (; c->nr_dirty && page + step <= PAGES; page += step) {
		unsigned int i = page, dirty = 0;

		for (; i < page + step && page_is_free(c, i); i++)
			dirty += bit(c->dirty, i);
		if (i < page + step || !dirty)
			continue;
		if (!parcel_add(p, chunk_base(c) + page * PAGE_BYTES))
			return false;
		bits_set(c->free, page * PAGE_UNITS, page * PAGE_UNITS + units, false);
		c->nr_free -= units;
		drop_dirty(c, dirty);
		runs.given_bytes += dirty * PAGE_BYTES;
	}
	return true;
}

/* They become free and clean. Called with the lock held, and drops it meanwhile. */
static void give_pages(struct parcel *p)
{
	if (!p->n)
		return;
	lock_drop(&runs.lock, LOCK_RUNS);
	pages_discard(p->range, p->n);
	lock_take(&runs.lock, LOCK_RUNS);
	for (unsigned int i = 0; i < p->n; i++) {
		struct run_chunk *c = chunk_of(p->range[i].iov_base);
		unsigned int from = unit_of(p->range[i].iov_base);
		unsigned int to = from + (unsigned int)(p->range[i].iov_len / RUN_UNIT);

		bits_set(c->dirty, from / PAGE_UNITS, to / PAGE_UNITS, false);
		bits_set(c->free, from, to, true);
		c->nr_free += to - from;
		chunk_reopen(c, c->nr_free);
	}
	p->n = 0;
}

/*
 * Chunks that are free as a whole, until the bound is met, or with keep 0 all: one call for each.
 */
static void purge_chunks(size_t keep)
{
	struct run_chunk *c, *next;

	for (c = runs.chunks; c && (!keep || runs.dirty_bytes > keep); c = next) {
		next = c->next;
		if (c->nr_free != UNITS - c->first)
			continue;
		runs.given_bytes += c->nr_dirty * PAGE_BYTES;
		drop_dirty(c, c->nr_dirty);
		chunk_forget(c);
		lock_drop(&runs.lock, LOCK_RUNS);
		pages_free(c->slab);
		lock_take(&runs.lock, LOCK_RUNS);
		next = runs.chunks; /* the list may have changed */
	}
}

void run_purge(size_t keep)
{
	struct parcel parcel;
	struct run_chunk *c;
	bool room;

	parcel.n = 0;
	lock_take(&runs.lock, LOCK_RUNS);
	note_giving();
	purge_chunks(keep);
	do {
		room = true;
		for (c = runs.chunks; c && room && runs.dirty_bytes > keep; c = c->next)
			room = take_pages(c, &parcel);
		give_pages(&parcel);
	} while (!room);
	lock_drop(&runs.lock, LOCK_RUNS);
}

/* ---- fork ------------------------------------------------------------------------------------ */

/* After the root's, so that this lock, which comes before its, is taken before them. */
static void prepare(void)
{
	lock_take_fork(&runs.lock);
}

static void at_rest(void)
{
	lock_drop_fork(&runs.lock);
}

/* A child of a running program finds the runs at rest. */
static void install_forks(void)
{
	if (!__atomic_exchange_n(&runs.forks, true, __ATOMIC_ACQ_REL))
		pthread_atfork(prepare, at_rest, at_rest);
}

/* ---- the callers' side ----------------------------------------------------------------------- */

void *run_alloc(size_t bytes, size_t align, bool *zeroed)
{
	unsigned int n = (unsigned int)((bytes + RUN_UNIT - 1) / RUN_UNIT), at = 0;
	unsigned int align_units = align > RUN_UNIT ? (unsigned int)(align / RUN_UNIT) : 1;
	struct run_chunk *c, *next;

	if (!peek(runs.forks)) {
		root_init();
		install_forks();
	}
	lock_take(&runs.lock, LOCK_RUNS);
	for (c = runs.chunks; c && c->longest >= LEAST; c = next) {
		next = c->next; /* find may move it */
		if (c->longest >= n && (at = find(c, n, align_units)))
			break;
	}
	if (!at && (c = chunk_new()))
		at = find(c, n, align_units);
	if (at) {
		*zeroed = take(c, at, at + n);
		c->units[at] = (uint16_t)n;
	}
	lock_drop(&runs.lock, LOCK_RUNS);
	return at ? chunk_base(c) + at * RUN_UNIT : NULL;
}

size_t run_bytes(const struct slab *slab, const void *p)
{
	const struct run_chunk *c = (const struct run_chunk *)slab->base;

	return (uintptr_t)p % RUN_UNIT ? 0 : peek(c->units[unit_of(p)]) * RUN_UNIT;
}

void run_free(struct slab *slab, void *p)
{
	struct run_chunk *c = (struct run_chunk *)slab->base;
	unsigned int at = unit_of(p), n;
	size_t bound = 0;

	lock_take(&runs.lock, LOCK_RUNS);
	n = (uintptr_t)p % RUN_UNIT ? 0 : c->units[at];
	if (n) {
		poke(c->units[at], 0);
		give(c, at, at + n);
		bound = runs.floor + runs.used_bytes / USED_SHARE;
		if (runs.dirty_bytes <= bound)
			bound = 0;
	}
	lock_drop(&runs.lock, LOCK_RUNS);
	if (!n)
		report_misuse(NULL, p, "free of an address that is no block's start, or is free");
	if (bound)
		run_purge(bound / 2);
}

bool run_resize(struct slab *slab, void *p, size_t bytes)
{
	struct run_chunk *c = (struct run_chunk *)slab->base;
	unsigned int want = (unsigned int)((bytes + RUN_UNIT - 1) / RUN_UNIT), at = unit_of(p), n;
	bool fits;

	lock_take(&runs.lock, LOCK_RUNS);
	n = c->units[at];
	fits = want <= n || (at + want <= UNITS && bit(c->free, at + n) &&
			     next_bit(c->free, at + n, false) >= at + want);
	if (fits && want > n)
		take(c, at + n, at + want);
	else if (fits && want < n)
		give(c, at + want, at + n);
	if (fits)
		poke(c->units[at], (uint16_t)want);
	lock_drop(&runs.lock, LOCK_RUNS);
	return fits;
}

void run_count(struct run_counts *n)
{
	lock_take(&runs.lock, LOCK_RUNS);
	n->used_bytes = runs.used_bytes;
	n->kept_bytes = runs.dirty_bytes;
	n->idle_bytes = runs.mapped_bytes - runs.used_bytes - runs.dirty_bytes;
	lock_drop(&runs.lock, LOCK_RUNS);
}
