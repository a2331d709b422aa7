// SPDX-License-Identifier: MIT
/*
 * batch.c - n objects allocated, then n freed: one by one, and by the bulk calls where there are.
 *
 * The frees go through a permutation of the array, the identity for "fifo", so that both orders
 * run the same loop. "touch" writes the object's first word after the allocation, as every user
 * does; "bare" does not.
 */
#include "worker.h"

#include "clock.h"
#include "pool.h"

#define OBJECTS_PER_SAMPLE 20000
#define LIST_MAX	   32

/* Constant arguments: one loop for each kind, no test inside. */
static inline __attribute__((always_inline)) void run_kind(struct pool *p, void **v,
							   const uint32_t *perm, size_t n,
							   size_t rounds, bool touch)
{
	for (size_t r = 0; r < rounds; r++) {
		for (size_t i = 0; i < n; i++) {
			void *o = pool_alloc(p);

			if (touch)
				*(volatile uint64_t *)o = r;
			v[i] = o;
			pool_barrier();
		}
		for (size_t i = 0; i < n; i++) {
			pool_free(p, v[perm[i]]);
			pool_barrier();
		}
	}
}

__attribute__((noinline)) void run_rounds(struct pool *p, void **v, const uint32_t *perm, size_t n,
					  size_t rounds, bool touch)
{
	if (touch)
		run_kind(p, v, perm, n, rounds, true);
	else
		run_kind(p, v, perm, n, rounds, false);
}

static double time_batch(const struct worker *w, struct pool *p, void **v, const uint32_t *perm,
			 size_t n, bool touch)
{
	size_t rounds = (OBJECTS_PER_SAMPLE + n - 1) / n;
	struct sampler s = { 0 };

	run_rounds(p, v, perm, n, rounds, touch);
	while (sample_more(&s, w->samples)) {
		sample_begin(&s);
		run_rounds(p, v, perm, n, rounds, touch);
		sample_end(&s, (double)(n * rounds));
	}
	return sample_median(&s);
}

struct arrays {
	void **v, **copy;
	uint32_t *fifo, *shuffled;
	size_t list[LIST_MAX];
	size_t count, max;
};

static struct arrays make_arrays(const struct worker *w, const char *list)
{
	struct arrays a = { .max = 1 };

	a.count = parse_list(list, a.list, LIST_MAX);
	for (size_t i = 0; i < a.count; i++)
		if (a.list[i] > a.max)
			a.max = a.list[i];
	a.v = map_pointers(w, a.max);
	a.copy = map_pointers(w, a.max);
	a.fifo = map_array(a.max * sizeof(*a.fifo));
	a.shuffled = map_array(a.max * sizeof(*a.shuffled));
	for (size_t i = 0; i < a.max; i++)
		a.fifo[i] = (uint32_t)i;
	return a;
}

int bench_batch(const struct worker *w, char **args)
{
	struct arrays a = make_arrays(w, args[0]);
	struct pool *p = make_pool(w, "bench_batch", a.max);

	for (size_t i = 0; i < a.count; i++) {
		size_t n = a.list[i];

		random_permutation(a.shuffled, n, w->seed * 1000 + n);
		emit(time_batch(w, p, a.v, a.fifo, n, true), "ticks", "batch.%zu.fifo.%zu", w->size,
		     n);
		emit(time_batch(w, p, a.v, a.shuffled, n, true), "ticks", "batch.%zu.shuffled.%zu",
		     w->size, n);
		emit(time_batch(w, p, a.v, a.fifo, n, false), "ticks", "batch.%zu.bare.%zu",
		     w->size, n);
	}
	return 0;
}

#if POOL_BULK
static inline __attribute__((always_inline)) void run_bulk_kind(struct pool *p, void **v, size_t n,
								size_t rounds, bool touch)
{
	for (size_t r = 0; r < rounds; r++) {
		if (!pool_alloc_bulk(p, n, v))
			die("no %zu objects in bulk", n);
		if (touch)
			for (size_t i = 0; i < n; i++)
				*(volatile uint64_t *)v[i] = r;
		pool_barrier();
		pool_free_bulk(p, n, v);
		pool_barrier();
	}
}

static double time_bulk(const struct worker *w, struct pool *p, void **v, size_t n, bool touch)
{
	size_t rounds = (OBJECTS_PER_SAMPLE + n - 1) / n;
	struct sampler s = { 0 };
	bool warm = false;

	while (sample_more(&s, w->samples)) {
		sample_begin(&s);
		if (touch)
			run_bulk_kind(p, v, n, rounds, true);
		else
			run_bulk_kind(p, v, n, rounds, false);
		if (warm)
			sample_end(&s, (double)(n * rounds));
		warm = true;
	}
	return sample_median(&s);
}

/* Freed in another order than allocated: what a bulk free sees after objects were in use. */
static double time_bulk_shuffled(const struct worker *w, struct pool *p, const struct arrays *a,
				 size_t n)
{
	size_t rounds = (OBJECTS_PER_SAMPLE + n - 1) / n;
	struct sampler s = { 0 };

	while (sample_more(&s, w->samples)) {
		sample_begin(&s);
		for (size_t r = 0; r < rounds; r++) {
			if (!pool_alloc_bulk(p, n, a->v))
				die("no %zu objects in bulk", n);
			for (size_t i = 0; i < n; i++)
				*(volatile uint64_t *)a->v[i] = r;
			for (size_t i = 0; i < n; i++)
				a->copy[i] = a->v[a->shuffled[i]];
			pool_barrier();
			pool_free_bulk(p, n, a->copy);
			pool_barrier();
		}
		sample_end(&s, (double)(n * rounds));
	}
	return sample_median(&s);
}

static void emit_bulk(const struct worker *w, struct pool *p, const struct arrays *a, size_t n)
{
	emit(time_bulk(w, p, a->v, n, true), "ticks", "bulk.%zu.bulk.%zu", w->size, n);
	emit(time_bulk(w, p, a->v, n, false), "ticks", "bulk.%zu.bare.%zu", w->size, n);
	emit(time_bulk_shuffled(w, p, a, n), "ticks", "bulk.%zu.shuffled.%zu", w->size, n);
}
#else
static void emit_bulk(const struct worker *w, struct pool *p, const struct arrays *a, size_t n)
{
	(void)w;
	(void)p;
	(void)a;
	(void)n;
}
#endif

int bench_bulk(const struct worker *w, char **args)
{
	struct arrays a = make_arrays(w, args[0]);
	struct pool *p = make_pool(w, "bench_bulk", a.max);

	for (size_t i = 0; i < a.count; i++) {
		size_t n = a.list[i];

		random_permutation(a.shuffled, n, w->seed * 1000 + n);
		emit(time_batch(w, p, a.v, a.fifo, n, true), "ticks", "bulk.%zu.single.%zu",
		     w->size, n);
		emit_bulk(w, p, &a, n);
	}
	return 0;
}
