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

#include <stdlib.h>

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

static int compare_pointers(const void *a, const void *b)
{
	const char *x = *(char *const *)a, *y = *(char *const *)b;

	return (x > y) - (x < y);
}

/* Share of short-lived objects followed, within less than two sizes, by a long-lived one. */
static double count_neighbours(const struct worker *w, const struct users *u)
{
	size_t n = BURST_SHORT + u->n_long, hits = 0;
	void **all = map_array(n * sizeof(*all)), **longs = map_array(u->n_long * sizeof(*longs));

	for (size_t i = 0; i < n; i++)
		all[i] = i < BURST_SHORT ? u->short_v[i] : u->long_v[i - BURST_SHORT];
	for (size_t i = 0; i < u->n_long; i++)
		longs[i] = u->long_v[i];
	qsort(all, n, sizeof(*all), compare_pointers);
	qsort(longs, u->n_long, sizeof(*longs), compare_pointers);
	for (size_t i = 0, l = 0; i + 1 < n; i++) {
		while (l < u->n_long && longs[l] <= all[i])
			l++;
		if (l == u->n_long)
			break;
		if (l > 0 && longs[l - 1] == all[i])
			continue;
		if (longs[l] == all[i + 1] &&
		    (size_t)((char *)all[i + 1] - (char *)all[i]) < 2 * w->size)
			hits++;
	}
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
	/* The sorted copies of count_neighbours were mapped meanwhile; they are not the pools'. */
	start_bytes += (BURST_SHORT + 2 * u.n_long) * sizeof(void *);
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
