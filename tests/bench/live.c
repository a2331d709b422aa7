// SPDX-License-Identifier: MIT
/*
 * live.c - many live objects: the cost of replacing a random one, and the memory that stays
 * resident when the set is full, when most of it is freed at random, and when all of it is.
 */
#include "worker.h"

#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "pool.h"

#define STEPS_PER_SAMPLE 100000

struct live {
	const struct worker *w;
	struct pool *pool;
	void **v;
	uint32_t *walk; /* the slots of one sample, drawn before the clock starts */
	size_t count;
	uint64_t random;
	size_t start_bytes; /* resident before the first object */
};

static void draw_walk(struct live *l)
{
	for (size_t i = 0; i < STEPS_PER_SAMPLE; i++)
		l->walk[i] = (uint32_t)(random_next(&l->random) % l->count);
}

static double resident(const struct live *l)
{
	size_t bytes = rss_bytes();

	return bytes > l->start_bytes ? (double)(bytes - l->start_bytes) : 0;
}

static void fill(struct live *l)
{
	for (size_t i = 0; i < l->count; i++) {
		l->v[i] = pool_alloc(l->pool);
		if (!l->v[i])
			die("no object after %zu", i);
		memset(l->v[i], (int)i, l->w->size);
	}
}

/* The same walk and write without allocator: what the cold memory itself costs. */
static double time_walk(struct live *l, size_t samples)
{
	struct sampler s = { 0 };

	while (sample_more(&s, (unsigned)samples)) {
		draw_walk(l);
		sample_begin(&s);
		for (size_t i = 0; i < STEPS_PER_SAMPLE; i++) {
			*(volatile uint64_t *)l->v[l->walk[i]] = i;
			pool_barrier();
		}
		sample_end(&s, STEPS_PER_SAMPLE);
	}
	return sample_median(&s);
}

static void replace(struct live *l)
{
	for (size_t i = 0; i < STEPS_PER_SAMPLE; i++) {
		void **slot = &l->v[l->walk[i]];

		pool_free(l->pool, *slot);
		*slot = pool_alloc(l->pool);
		*(volatile uint64_t *)*slot = i;
		pool_barrier();
	}
}

static double time_replace(struct live *l, size_t warm_up, size_t samples)
{
	struct sampler s = { 0 };

	while (warm_up-- > 0) {
		draw_walk(l);
		replace(l);
	}
	while (sample_more(&s, (unsigned)samples)) {
		draw_walk(l);
		sample_begin(&s);
		replace(l);
		sample_end(&s, STEPS_PER_SAMPLE);
	}
	return sample_median(&s);
}

/* Frees each with probability tenths / 10; what is freed becomes NULL. */
static void free_some(struct live *l, unsigned tenths)
{
	for (size_t i = 0; i < l->count; i++)
		if (l->v[i] && random_next(&l->random) % 10 < tenths) {
			pool_free(l->pool, l->v[i]);
			l->v[i] = NULL;
		}
}

/* How much comes back: by trimming a thinned-out set, by freeing alone, by trimming at the end. */
static void measure_return(struct live *l, double full)
{
	free_some(l, 9);
	pool_trim(l->pool);
	emit(resident(l) / full, "ratio", "live.%zu.tenth", l->w->size);
	free_some(l, 10);
	emit(resident(l) / full, "ratio", "live.%zu.freed", l->w->size);
	if (l->w->full) {
		sleep(2);
		pool_free(l->pool, pool_alloc(l->pool));
		emit(resident(l) / full, "ratio", "live.%zu.later", l->w->size);
	}
	pool_trim(l->pool);
	emit(resident(l) / full, "ratio", "live.%zu.trimmed", l->w->size);
}

int bench_live(const struct worker *w, char **args)
{
	struct live l = { .w = w, .random = w->seed };
	double full, live_bytes;

	parse_list(args[0], &l.count, 1);
	l.v = map_pointers(w, l.count);
	l.walk = map_array(STEPS_PER_SAMPLE * sizeof(*l.walk));
	l.pool = make_pool(w, "bench_live", l.count);
	l.start_bytes = rss_bytes();
	live_bytes = (double)l.count * (double)w->size;
	fill(&l);
	full = resident(&l);
	emit(time_walk(&l, 5), "ticks", "live.%zu.walk", w->size);
	/* Replacing as many as there are makes the order random, as in a program long at work. */
	emit(time_replace(&l, l.count / STEPS_PER_SAMPLE, w->full ? 20 : 7), "ticks",
	     "live.%zu.replace", w->size);
	if (POOL_GROWS) {
		emit(full / live_bytes, "ratio", "live.%zu.filled", w->size);
		emit(resident(&l) / live_bytes, "ratio", "live.%zu.churned", w->size);
		measure_return(&l, full);
	}
	return 0;
}
