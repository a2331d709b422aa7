// SPDX-License-Identifier: MIT
/*
 * threads.c - private batches on one and on every CPU, and ten times more threads than CPUs.
 */
#include "worker.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "pool.h"

#define LIST_MAX	   32
#define OBJECTS_PER_SAMPLE 20000

/* ---- private batches ---- */

struct private_run {
	const struct worker *w;
	struct pool *pool;
	pthread_barrier_t *barrier;
	atomic_uint *done;
	unsigned threads;
	size_t n;
};

struct private_thread {
	const struct private_run *run;
	pthread_t thread;
	unsigned index;
	double ticks;
};

/* Goes on making load until every thread has its samples, so that none measures a quiet machine. */
static void *run_private(void *arg)
{
	struct private_thread *t = arg;
	const struct private_run *run = t->run;
	size_t rounds = (OBJECTS_PER_SAMPLE + run->n - 1) / run->n;
	struct sampler s = { 0 };
	uint32_t *perm = map_array(run->n * sizeof(*perm));
	void **v = map_pointers(run->w, run->n);
	bool counted = false;

	pin_to(t->index);
	pool_thread_init(run->pool);
	for (size_t i = 0; i < run->n; i++)
		perm[i] = (uint32_t)i;
	run_rounds(run->pool, v, perm, run->n, rounds, true);
	pthread_barrier_wait(run->barrier);
	while (atomic_load_explicit(run->done, memory_order_relaxed) < run->threads) {
		if (sample_more(&s, run->w->samples)) {
			sample_begin(&s);
			run_rounds(run->pool, v, perm, run->n, rounds, true);
			sample_end(&s, (double)(run->n * rounds));
			continue;
		}
		if (!counted)
			atomic_fetch_add(run->done, 1);
		counted = true;
		run_rounds(run->pool, v, perm, run->n, 1, true);
	}
	t->ticks = sample_median(&s);
	pool_thread_exit(run->pool);
	return NULL;
}

static double time_private(const struct worker *w, struct pool *p, unsigned threads, size_t n)
{
	struct private_thread *t = calloc(threads, sizeof(*t));
	pthread_barrier_t barrier;
	atomic_uint done = 0;
	struct private_run run = { w, p, &barrier, &done, threads, n };
	double sum = 0;

	if (!t)
		die("no memory");
	pthread_barrier_init(&barrier, NULL, threads);
	for (unsigned i = 0; i < threads; i++) {
		t[i].run = &run;
		t[i].index = i;
		if (pthread_create(&t[i].thread, NULL, run_private, &t[i]) != 0)
			die("no thread");
	}
	for (unsigned i = 0; i < threads; i++) {
		pthread_join(t[i].thread, NULL);
		sum += t[i].ticks;
	}
	pthread_barrier_destroy(&barrier);
	free(t);
	return sum / threads;
}

int bench_threads(const struct worker *w, char **args)
{
	size_t list[LIST_MAX], count = parse_list(args[0], list, LIST_MAX);
	unsigned cpus = cpu_count();
	struct pool *p = make_pool(w, "bench_threads", list[count - 1] * cpus);

	for (size_t i = 0; i < count; i++) {
		double one = time_private(w, p, 1, list[i]);
		double all = time_private(w, p, cpus, list[i]);

		emit(one, "ticks", "threads.%zu.one.%zu", w->size, list[i]);
		emit(all, "ticks", "threads.%zu.all.%zu", w->size, list[i]);
		emit(all / one, "ratio", "threads.%zu.ratio.%zu", w->size, list[i]);
	}
	return 0;
}

/* ---- ten times more threads than CPUs ---- */

#define MANY_FACTOR 10u
#define MANY_BATCH  250u

struct many {
	const struct worker *w;
	struct pool *pool;
	pthread_barrier_t barrier;
	pthread_mutex_t turn;
	size_t rounds;
	unsigned few; /* threads that take part in the first phase */
};

struct many_thread {
	struct many *many;
	pthread_t thread;
	unsigned index;
	uint64_t cpu_ns; /* of the last phase */
};

static uint64_t thread_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (uint64_t)ts.tv_sec * NS_PER_SEC + (uint64_t)ts.tv_nsec;
}

/*
 * Three phases: a few threads work, all work one after the other, all work at once. Memory is
 * compared between the first two: no more objects are alive at a time in the second, so what it
 * adds is kept for the threads.
 */
static void *run_many(void *arg)
{
	struct many_thread *t = arg;
	struct many *m = t->many;
	uint32_t *perm = map_array(MANY_BATCH * sizeof(*perm));
	void **v = map_pointers(m->w, MANY_BATCH);
	uint64_t start;

	pool_thread_init(m->pool);
	for (uint32_t i = 0; i < MANY_BATCH; i++)
		perm[i] = i;
	pthread_barrier_wait(&m->barrier);
	if (t->index < m->few) {
		pin_to(t->index); /* else both may fill the same CPU's stock */
		run_rounds(m->pool, v, perm, MANY_BATCH, m->rounds, true);
		unpin();
	}
	pthread_barrier_wait(&m->barrier);
	pthread_barrier_wait(&m->barrier);
	pthread_mutex_lock(&m->turn);
	run_rounds(m->pool, v, perm, MANY_BATCH, 4, true);
	pthread_mutex_unlock(&m->turn);
	pthread_barrier_wait(&m->barrier);
	pthread_barrier_wait(&m->barrier);
	start = thread_ns();
	run_rounds(m->pool, v, perm, MANY_BATCH, m->rounds, true);
	t->cpu_ns = thread_ns() - start;
	pool_thread_exit(m->pool);
	return NULL;
}

/* Starts phase after phase; returns the growth of memory from the first to the second. */
static double run_phases(struct many *m)
{
	size_t few_bytes, all_bytes;

	pthread_barrier_wait(&m->barrier); /* a few */
	pthread_barrier_wait(&m->barrier);
	few_bytes = rss_bytes();
	pthread_barrier_wait(&m->barrier); /* all in turn */
	pthread_barrier_wait(&m->barrier);
	all_bytes = rss_bytes();
	pthread_barrier_wait(&m->barrier); /* all at once */
	return all_bytes > few_bytes ? (double)(all_bytes - few_bytes) : 0;
}

int bench_many(const struct worker *w, char **args)
{
	struct many m = { .w = w,
			  .turn = PTHREAD_MUTEX_INITIALIZER,
			  .few = cpu_count(),
			  .rounds = w->full ? 8000 : 2000 };
	unsigned threads = MANY_FACTOR * m.few;
	struct many_thread *t = calloc(threads, sizeof(*t));
	double growth, objects = (double)threads * MANY_BATCH * (double)m.rounds;
	uint64_t cpu_ns = 0;

	(void)args;
	if (!t)
		die("no memory");
	m.pool = make_pool(w, "bench_many", threads * MANY_BATCH);
	unpin();
	pthread_barrier_init(&m.barrier, NULL, threads + 1);
	for (unsigned i = 0; i < threads; i++) {
		t[i].many = &m;
		t[i].index = i;
		if (pthread_create(&t[i].thread, NULL, run_many, &t[i]) != 0)
			die("no thread");
	}
	growth = run_phases(&m);
	for (unsigned i = 0; i < threads; i++) {
		pthread_join(t[i].thread, NULL);
		cpu_ns += t[i].cpu_ns;
	}
	emit((double)cpu_ns * clock_hz() / (double)NS_PER_SEC / objects, "ticks", "many.%zu.pair",
	     w->size);
	emit(growth / (threads - m.few), "bytes", "many.%zu.growth", w->size);
	return 0;
}
