// SPDX-License-Identifier: MIT
/*
 * storm_test.c - no object is ever handed out twice.
 *
 * Threads allocate and free, one by one and in bulk, while they are pinned to CPUs at random,
 * interrupted by a timer and drained by kmem_cache_shrink. Each object's first word says who owns
 * it: exchanged atomically at alloc and free, it must be free before and the owner's after. At the
 * end every object must be accounted for.
 *
 * SLABKIT_STORM_SECS: how long (default: 2 in all).
 */
#include "cmocka_all.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <slab/slab.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "report_trap.h"

#define THREADS 8
#define HELD	400
#define BULK	150

struct storm {
	struct kmem_cache *cache;
	bool pin, signals;
	bool stop;
	uint64_t errors;
	uint64_t allocations;
};

struct worker {
	struct storm *storm;
	unsigned int id;
	uint64_t seed;
	void *held[HELD];
	unsigned int nr_held;
	uint64_t allocations;
};

static uint64_t rnd(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

static void own(struct worker *w, void *object)
{
	uint64_t was = __atomic_exchange_n((uint64_t *)object, w->id + 1, __ATOMIC_RELAXED);

	if (was)
		__atomic_add_fetch(&w->storm->errors, 1, __ATOMIC_RELAXED);
	w->allocations++;
}

static void disown(struct worker *w, void *object)
{
	uint64_t was = __atomic_exchange_n((uint64_t *)object, 0, __ATOMIC_RELAXED);

	if (was != w->id + 1)
		__atomic_add_fetch(&w->storm->errors, 1, __ATOMIC_RELAXED);
}

static void pin(struct worker *w)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((int)(rnd(&w->seed) % (uint64_t)cpus), &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static void step(struct worker *w)
{
	struct kmem_cache *s = w->storm->cache;
	uint64_t r = rnd(&w->seed);
	unsigned int n;

	if (r % 4 < 2 && w->nr_held) {
		n = r % 8 == 0 ? (unsigned int)(r >> 8) % BULK : 1;
		if (n > w->nr_held)
			n = w->nr_held;
		w->nr_held -= n;
		for (unsigned int i = 0; i < n; i++)
			disown(w, w->held[w->nr_held + i]);
		if (n == 1)
			kmem_cache_free(s, w->held[w->nr_held]);
		else
			kmem_cache_free_bulk(s, n, w->held + w->nr_held);
		return;
	}
	n = r % 8 == 2 ? (unsigned int)(r >> 8) % BULK : 1;
	if (n > HELD - w->nr_held)
		n = HELD - w->nr_held;
	if (n == 1) {
		w->held[w->nr_held] = kmem_cache_alloc(s, GFP_KERNEL);
		n = w->held[w->nr_held] != NULL;
	} else {
		n = (unsigned int)kmem_cache_alloc_bulk(s, GFP_KERNEL, n, w->held + w->nr_held);
	}
	for (unsigned int i = 0; i < n; i++)
		own(w, w->held[w->nr_held + i]);
	w->nr_held += n;
}

static void on_signal(int sig)
{
	(void)sig;
}

static timer_t start_timer(void)
{
	struct sigevent ev = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR1 };
	struct itimerspec every = { .it_interval.tv_nsec = 37000, .it_value.tv_nsec = 37000 };
	timer_t timer;

	ev._sigev_un._tid = (pid_t)syscall(SYS_gettid);
	if (timer_create(CLOCK_THREAD_CPUTIME_ID, &ev, &timer))
		abort();
	timer_settime(timer, 0, &every, NULL);
	return timer;
}

static void *work(void *arg)
{
	struct worker *w = arg;
	bool timed = w->storm->signals && w->id % 2;
	timer_t timer = timed ? start_timer() : NULL;

	while (!__atomic_load_n(&w->storm->stop, __ATOMIC_RELAXED)) {
		for (unsigned int i = 0; i < 200; i++)
			step(w);
		if (w->storm->pin && rnd(&w->seed) % 4 == 0)
			pin(w);
		if (rnd(&w->seed) % 16 == 0)
			sched_yield();
	}
	if (timed)
		timer_delete(timer);
	while (w->nr_held) {
		disown(w, w->held[--w->nr_held]);
		kmem_cache_free(w->storm->cache, w->held[w->nr_held]);
	}
	__atomic_add_fetch(&w->storm->allocations, w->allocations, __ATOMIC_RELAXED);
	return NULL;
}

static void *drain(void *arg)
{
	struct storm *storm = arg;
	struct timespec nap = { .tv_nsec = 50000 };
	struct kmem_cache_stats st;

	kmem_cache_stats(storm->cache, &st);
	while (!__atomic_load_n(&storm->stop, __ATOMIC_RELAXED)) {
		/* Slabs come and go meanwhile; without sheaves they also change. */
		if (st.sheaf_capacity && kmem_cache_validate(storm->cache))
			__atomic_add_fetch(&storm->errors, 1, __ATOMIC_RELAXED);
		kmem_cache_shrink(storm->cache);
		nanosleep(&nap, NULL);
	}
	return NULL;
}

static double storm_seconds(void)
{
	const char *text = getenv("SLABKIT_STORM_SECS");

	return text ? atof(text) : 2;
}

/* Objects are zeroed once and stay so while they are free: the owner word must outlive them. */
static void clear(void *object)
{
	memset(object, 0, 64);
}

static void run(struct storm storm, unsigned int capacity, bool drained, double share)
{
	struct kmem_cache_args args = { .ctor = clear, .sheaf_capacity = capacity };
	struct sigaction sa = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	struct worker *w = calloc(THREADS, sizeof(*w));
	double secs = storm_seconds() * share;
	struct timespec span = { .tv_sec = (time_t)secs };
	pthread_t thread[THREADS], drainer;

	span.tv_nsec = (long)((secs - (double)span.tv_sec) * 1e9);
	sigaction(SIGUSR1, &sa, NULL);
	storm.cache = kmem_cache_create("storm", 64, &args, SLAB_NO_MERGE);
	assert_non_null(storm.cache);
	for (unsigned int i = 0; i < THREADS; i++) {
		w[i] = (struct worker){ .storm = &storm,
					.id = i,
					.seed = 88172645463325252ULL + i };
		assert_int_equal(pthread_create(&thread[i], NULL, work, &w[i]), 0);
	}
	if (drained)
		assert_int_equal(pthread_create(&drainer, NULL, drain, &storm), 0);
	nanosleep(&span, NULL);
	__atomic_store_n(&storm.stop, true, __ATOMIC_RELAXED);
	for (unsigned int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	if (drained)
		pthread_join(drainer, NULL);
	printf("# %llu allocations\n", (unsigned long long)storm.allocations);
	assert_true(storm.allocations > 0);
	assert_int_equal(storm.errors, 0);
	assert_destroys(storm.cache);
	free(w);
}

static void test_threads(void **state)
{
	(void)state;
	run((struct storm){ 0 }, 0, false, 0.1);
}

static void test_migration_and_signals(void **state)
{
	(void)state;
	run((struct storm){ .pin = true, .signals = true }, 0, false, 0.2);
}

static void test_migration_and_drains(void **state)
{
	(void)state;
	run((struct storm){ .pin = true, .signals = true }, 0, true, 0.4);
}

static void test_small_sheaves_and_drains(void **state)
{
	(void)state;
	run((struct storm){ .pin = true, .signals = true }, 4, true, 0.2);
}

static void test_without_sheaves(void **state)
{
	(void)state;
	run((struct storm){ .pin = true, .signals = true }, SLAB_NO_SHEAVES, true, 0.1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_migration_and_signals),
		cmocka_unit_test(test_migration_and_drains),
		cmocka_unit_test(test_small_sheaves_and_drains),
		cmocka_unit_test(test_without_sheaves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
