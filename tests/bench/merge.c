// SPDX-License-Identifier: MIT
/*
 * merge.c - two users of one object size, one that keeps its objects and one that frees them soon.
 *
 * In each of several bursts the short-lived user takes many objects, the long-lived one a few in
 * between, and then all the short-lived ones are freed. On shared slabs the few pin the many. The
 * neighbour figure is fault isolation: the share of the short-lived user's objects from which an
 * overrun reaches a long-lived object, found by address while both are alive.
 */
#include "worker.h"

#include <sys/mman.h>

#include "clock.h"
#include "pool.h"

#define BURSTS	     4
#define BURST_SHORT  100000
#define SHORT_A_LONG 10 /* short-lived objects between two long-lived ones */
#define BURST_LONG   (BURST_SHORT / SHORT_A_LONG)

struct users {
	struct pool *short_pool, *long_pool;
	void **short_v, **long_v;
	size_t n_long;
};

static void take(void **slot, struct pool *p)
{
	*slot = pool_alloc(p);
	if (!*slot)
		die("no object");
	*(volatile uint64_t *)*slot = 1;
}

static void take_burst(struct users *u)
{
	for (size_t i = 0; i < BURST_SHORT; i++) {
		take(&u->short_v[i], u->short_pool);
		if (i % SHORT_A_LONG == SHORT_A_LONG - 1)
			take(&u->long_v[u->n_long++], u->long_pool);
	}
}

static void free_burst(struct users *u, const uint32_t *perm)
{
	for (size_t i = 0; i < BURST_SHORT; i++)
		pool_free(u->short_pool, u->short_v[perm[i]]);
}

/* A set of addresses; of our own, since the C library's sort would call the measured malloc. */
#define SET_SLOTS (1u << 18)

static size_t set_slot(const uintptr_t *set, uintptr_t address)
{
	size_t i = (address >> 4) * 0x9e3779b97f4a7c15 >> 46;

	while (set[i] && set[i] != address)
		i = (i + 1) % SET_SLOTS;
	return i;
}

/* Share of short-lived objects that a long-lived one follows within less than two sizes. */
static double count_neighbours(const struct worker *w, const struct users *u)
{
	uintptr_t *longs = map_array(SET_SLOTS * sizeof(*longs));
	size_t hits = 0;

	for (size_t i = 0; i < u->n_long; i++)
		longs[set_slot(longs, (uintptr_t)u->long_v[i])] = (uintptr_t)u->long_v[i];
	for (size_t i = 0; i < BURST_SHORT; i++)
		for (uintptr_t step = w->size; step < 2 * w->size; step += 8) {
			uintptr_t next = (uintptr_t)u->short_v[i] + step;

			if (longs[set_slot(longs, next)] == next) {
				hits++;
				break;
			}
		}
	munmap(longs, SET_SLOTS * sizeof(*longs));
	return (double)hits / BURST_SHORT;
}

int bench_merge(const struct worker *w, char **args)
{
	uint32_t *perm = map_array(BURST_SHORT * sizeof(*perm));
	struct users u = {
		.short_v = map_pointers(w, BURST_SHORT),
		.long_v = map_pointers(w, (size_t)BURSTS * BURST_LONG),
	};
	double neighbours = 0, live, footprint;
	size_t start_bytes;
	uint64_t ticks = 0;

	(void)args;
	random_permutation(perm, BURST_SHORT, w->seed);
	u.short_pool = make_pool(w, "bench_short", 2 * BURST_SHORT);
	u.long_pool = pool_create("bench_long", w->size, BURST_SHORT, w->pool_flags);
	if (!u.long_pool)
		die("no second pool");
	start_bytes = rss_bytes();
	for (size_t b = 0; b < BURSTS; b++) {
		uint64_t start = clock_ticks();

		take_burst(&u);
		ticks += clock_ticks() - start;
		if (b == BURSTS - 1)
			neighbours = count_neighbours(w, &u);
		start = clock_ticks();
		free_burst(&u, perm);
		ticks += clock_ticks() - start;
	}
	pool_trim(u.short_pool);
	pool_trim(u.long_pool);
	live = (double)u.n_long * (double)w->size;
	footprint = (double)rss_bytes() - (double)start_bytes;
	emit(footprint / live, "ratio", "merge.%zu.footprint", w->size);
	emit(1 - live / footprint, "ratio", "merge.%zu.loss", w->size);
	emit((double)ticks / (BURSTS * (double)(BURST_SHORT + BURST_LONG)), "ticks",
	     "merge.%zu.pair", w->size);
	emit(neighbours, "ratio", "merge.%zu.neighbours", w->size);
	return 0;
}
