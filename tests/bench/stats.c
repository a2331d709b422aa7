// SPDX-License-Identifier: MIT
/*
 * stats.c - the cost of reading all counters of a cache with many partial slabs, and what the
 * reading does to a thread that allocates from it.
 *
 * Every slab is left with one object in use. One thread runs batches of 32 on its CPU, first
 * alone, then with another thread that reads 100,000 times a second. The tail is the time that one
 * batch in a hundred exceeds: what a reader that holds a lock would lengthen.
 */
#include "worker.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "clock.h"
#include "pool.h"

#if POOL_STATS
#define LIST_MAX       8
#define BATCH	       32u
#define ROUNDS	       50000u
#define READS	       1000u
#define READ_PERIOD_NS 10000u
#define SLAB_SHIFT     12 /* objects of 256 bytes are on slabs of one page */

struct stats {
	struct pool *pool;
	void *v[BATCH];
	uint32_t perm[BATCH];
	double *ticks; /* of each round */
	atomic_bool stop;
};

/* Takes objects for so many slabs, and frees all but the first of each. */
static void make_partial(struct pool *p, void **v, size_t slabs)
{
	size_t n = slabs << (SLAB_SHIFT - 8);
	uintptr_t last = 0;

	for (size_t i = 0; i < n; i++)
		if (!(v[i] = pool_alloc(p)))
			die("no object after %zu", i);
	for (size_t i = 0; i < n; i++) {
		uintptr_t slab = (uintptr_t)v[i] >> SLAB_SHIFT;

		if (slab != last)
			last = slab;
		else
			pool_free(p, v[i]);
	}
}

static double time_read(struct pool *p)
{
	static double ns[READS];

	for (size_t i = 0; i < READS; i++) {
		uint64_t start = clock_ns();

		pool_partial_slabs(p);
		ns[i] = (double)(clock_ns() - start);
	}
	return median(ns, READS);
}

static void *read_on(void *arg)
{
	struct stats *s = arg;

	pin_to(1);
	while (!atomic_load_explicit(&s->stop, memory_order_relaxed)) {
		uint64_t next = clock_ns() + READ_PERIOD_NS;

		pool_partial_slabs(s->pool);
		while (clock_ns() < next)
			;
	}
	return NULL;
}

/* A hundred batches at a time; those in which the thread was preempted are run again. */
static void emit_batches(struct stats *s, size_t slabs, const char *kind)
{
	size_t n = 0;

	for (size_t tries = 0; n < ROUNDS; tries++) {
		long preemptions = count_preemptions();

		for (size_t i = n; i < n + 100; i++) {
			uint64_t start = clock_ticks();

			run_rounds(s->pool, s->v, s->perm, BATCH, 1, true);
			s->ticks[i] = (double)(clock_ticks() - start);
		}
		if (count_preemptions() == preemptions || tries > ROUNDS / 25)
			n += 100;
	}
	emit(median(s->ticks, n) / BATCH, "ticks", "stats.%zu.%s", slabs, kind);
	emit(s->ticks[n - n / 100], "ticks", "stats.%zu.%s_tail", slabs, kind);
}

int bench_stats(const struct worker *w, char **args)
{
	size_t list[LIST_MAX], count = parse_list(args[0], list, LIST_MAX);

	if (w->size != 1u << 8)
		die("partial slabs are made of 256-byte objects");
	for (size_t i = 0; i < count; i++) {
		struct stats s = { .pool = make_pool(w, "bench_stats", list[i] << 4) };
		pthread_t reader;

		s.ticks = map_array(ROUNDS * sizeof(*s.ticks));
		for (uint32_t j = 0; j < BATCH; j++)
			s.perm[j] = j;
		make_partial(s.pool, map_pointers(w, list[i] << 4), list[i]);
		emit((double)pool_partial_slabs(s.pool), "count", "stats.%zu.partial", list[i]);
		emit(time_read(s.pool), "ns", "stats.%zu.read", list[i]);
		emit_batches(&s, list[i], "alone");
		if (pthread_create(&reader, NULL, read_on, &s) != 0)
			die("no thread");
		emit_batches(&s, list[i], "read_on");
		atomic_store(&s.stop, true);
		pthread_join(reader, NULL);
	}
	return 0;
}
#else
int bench_stats(const struct worker *w, char **args)
{
	(void)w;
	(void)args;
	die("this allocator has no counters to read");
}
#endif
