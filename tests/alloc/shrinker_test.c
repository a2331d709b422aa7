// SPDX-License-Identifier: MIT
/*
 * shrinker_test.c - a program with a cache of results goes on under a limit, because the shrinker
 * lets results go; what shrinkers are asked for; and that none is asked from within another.
 */
#include "cmocka_all.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <slab/slab.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <urcu/flavor.h>

#include "report_trap.h"

#define ALL (SLAB_RED_ZONE | SLAB_POISON | SLAB_STORE_USER | SLAB_CONSISTENCY_CHECKS)
#define KIB ((uint64_t)1 << 10)
#define MIB ((uint64_t)1 << 20)

static const struct {
	unsigned int capacity;
	slab_flags_t flags;
} kinds[] = { { 0, 0 }, { 5, 0 }, { SLAB_NO_SHEAVES, 0 }, { 0, ALL } };

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static uint64_t held(void)
{
	struct slab_memory m;

	slab_memory(&m);
	return m.held_bytes;
}

/* ---- a cache of results: the oldest go first ------------------------------------------------- */

struct result {
	struct result *next, *prev;
	unsigned char value[984];
};

struct results {
	struct kmem_cache *cache;
	struct shrinker *shrinker;
	struct result *newest, *oldest;
	pthread_mutex_t mutex;
	unsigned long nr, added, calls;
	bool inside, by_rcu, allocates;
	unsigned int nested;
};

static unsigned long count_results(struct shrinker *shrinker, struct shrink_control *sc)
{
	struct results *r = shrinker->private_data;

	(void)sc;
	return __atomic_load_n(&r->nr, __ATOMIC_RELAXED);
}

static void drop_oldest(struct results *r)
{
	struct result *res = r->oldest;

	r->oldest = res->next;
	if (r->oldest)
		r->oldest->prev = NULL;
	else
		r->newest = NULL;
	__atomic_sub_fetch(&r->nr, 1, __ATOMIC_RELAXED);
	if (r->by_rcu)
		kmem_cache_free_rcu(r->cache, res);
	else
		kmem_cache_free(r->cache, res);
}

/* What a callback asks for: it may get it, and nobody is called again for it. */
static void ask_in_turn(struct results *r)
{
	void *p = kmem_cache_alloc(r->cache, GFP_KERNEL), *q = kmalloc(5 * MIB, GFP_KERNEL);
	struct slab_sheaf *sheaf = kmem_cache_prefill_sheaf(r->cache, GFP_KERNEL, 300);

	kmem_cache_free(r->cache, p);
	kfree(q);
	kmem_cache_return_sheaf(r->cache, GFP_KERNEL, sheaf);
}

static unsigned long scan_results(struct shrinker *shrinker, struct shrink_control *sc)
{
	struct results *r = shrinker->private_data;
	unsigned long freed = 0;

	if (pthread_mutex_trylock(&r->mutex))
		return SHRINK_STOP;
	r->nested += r->inside;
	r->inside = true;
	r->calls++;
	if (r->allocates)
		ask_in_turn(r);
	for (; freed < sc->nr_to_scan && r->oldest; freed++)
		drop_oldest(r);
	r->inside = false;
	pthread_mutex_unlock(&r->mutex);
	return freed;
}

static void open_results(struct results *r, unsigned int kind)
{
	struct kmem_cache_args args = { .sheaf_capacity = kinds[kind].capacity };

	*r = (struct results){ .mutex = PTHREAD_MUTEX_INITIALIZER };
	r->cache = kmem_cache_create("results", sizeof(struct result), &args,
				     SLAB_NO_MERGE | kinds[kind].flags);
	assert_non_null(r->cache);
	assert_int_equal(kmem_cache_pin(r->cache), 0);
	r->shrinker = shrinker_alloc(0, "results-%u", kind);
	assert_non_null(r->shrinker);
	r->shrinker->count_objects = count_results;
	r->shrinker->scan_objects = scan_results;
	r->shrinker->private_data = r;
	shrinker_register(r->shrinker);
}

static bool add_result(struct results *r, gfp_t gfp)
{
	struct result *res = kmem_cache_alloc(r->cache, gfp);

	if (!res)
		return false;
	pthread_mutex_lock(&r->mutex);
	memset(res->value, (int)r->added, sizeof(res->value));
	res->next = NULL;
	res->prev = r->newest;
	if (r->newest)
		r->newest->next = res;
	else
		r->oldest = res;
	r->newest = res;
	__atomic_add_fetch(&r->nr, 1, __ATOMIC_RELAXED);
	r->added++;
	pthread_mutex_unlock(&r->mutex);
	return true;
}

static void close_results(struct results *r)
{
	shrinker_free(r->shrinker);
	while (r->oldest)
		drop_oldest(r);
	kvfree_rcu_barrier();
	slab_set_limit(0);
	assert_int_equal(kmem_cache_validate(r->cache), 0);
	assert_destroys(r->cache);
}

static void test_the_program_goes_on(void **state)
{
	(void)state;
	for (unsigned int kind = 0; kind < KINDS; kind++) {
		for (unsigned int by_rcu = 0; by_rcu < 2; by_rcu++) {
			struct slab_memory m;
			struct results r;
			unsigned long missing = 0;

			open_results(&r, kind);
			r.by_rcu = by_rcu;
			slab_set_limit(held() + 2 * MIB);
			for (unsigned int i = 0; i < 20000; i++)
				missing += !add_result(&r, GFP_KERNEL);
			slab_memory(&m);
			printf("# kind %u%s: 20000 results, %lu refused, %lu kept, %lu calls\n",
			       kind, by_rcu ? " through RCU" : "", missing, r.nr, r.calls);
			assert_int_equal(missing, 0);
			assert_true(m.held_bytes <= m.limit_bytes);
			assert_true(m.shrunk_objects > 10000);
			close_results(&r);
		}
	}
}

/* Whatever is asked for: bulk, sheaves, sizes, pages. */
/* ---- readers that take their time ------------------------------------------------------------ */

extern const struct rcu_flavor_struct urcu_memb_flavor;

static void *read_slowly(void *arg)
{
	bool *reading = arg;

	urcu_memb_flavor.register_thread();
	urcu_memb_flavor.read_lock();
	__atomic_store_n(reading, true, __ATOMIC_RELEASE);
	usleep(500000);
	urcu_memb_flavor.read_unlock();
	urcu_memb_flavor.unregister_thread();
	return NULL;
}

/* What was freed through RCU is worth waiting for while a reader is only slow. */
static void test_a_slow_reader(void **state)
{
	unsigned long missing = 0;
	bool reading = false;
	struct results r;
	pthread_t thread;

	(void)state;
	open_results(&r, 0);
	r.by_rcu = true;
	slab_set_limit(held() + 2 * MIB);
	while (!r.calls && r.added < 20000)
		missing += !add_result(&r, GFP_KERNEL);
	assert_int_equal(pthread_create(&thread, NULL, read_slowly, &reading), 0);
	while (!__atomic_load_n(&reading, __ATOMIC_ACQUIRE))
		sched_yield();
	for (unsigned int i = 0; i < 500; i++)
		missing += !add_result(&r, GFP_KERNEL);
	pthread_join(thread, NULL);
	close_results(&r);
	assert_int_equal(missing, 0);
}

static void test_every_allocation_shrinks(void **state)
{
	struct slab_sheaf *sheaf;
	struct kmem_cache *other;
	struct results r;
	void *p[1000], *large;

	(void)state;
	open_results(&r, 0);
	slab_set_limit(held() + 4 * MIB);
	while (r.calls == 0)
		assert_true(add_result(&r, GFP_KERNEL));
	assert_int_equal(kmem_cache_alloc_bulk(r.cache, GFP_KERNEL, 1000, p), 1000);
	kmem_cache_free_bulk(r.cache, 1000, p);
	while (add_result(&r, GFP_NOWAIT))
		;
	sheaf = kmem_cache_prefill_sheaf(r.cache, GFP_KERNEL, 1500);
	assert_non_null(sheaf);
	kmem_cache_return_sheaf(r.cache, GFP_KERNEL, sheaf);
	while (add_result(&r, GFP_NOWAIT))
		;
	large = kmalloc(3 * MIB, GFP_KERNEL);
	assert_non_null(large);
	kfree(large);
	while (add_result(&r, GFP_NOWAIT))
		;
	other = kmem_cache_create("other", 30000, 0, SLAB_NO_MERGE, NULL);
	assert_non_null(other);
	for (unsigned int i = 0; i < 20; i++)
		assert_non_null(p[i] = kmem_cache_alloc(other, GFP_KERNEL));
	kmem_cache_free_bulk(other, 20, p);
	assert_destroys(other);
	close_results(&r);
}

static void test_not_for_those_who_may_not_wait(void **state)
{
	static const gfp_t never[] = { 0, GFP_NOWAIT, GFP_ATOMIC, GFP_NOWAIT | __GFP_NORETRY };
	struct results r;

	(void)state;
	open_results(&r, 0);
	slab_set_limit(held() + MIB);
	for (unsigned int i = 0; i < 4; i++) {
		while (add_result(&r, never[i]))
			;
		assert_int_equal(errno, ENOMEM);
		assert_null(kmalloc(2 * MIB, never[i]));
	}
	assert_int_equal(r.calls, 0);
	assert_true(add_result(&r, GFP_NOIO));
	assert_true(r.calls > 0);
	close_results(&r);
}

static void test_callbacks_may_allocate(void **state)
{
	(void)state;
	for (unsigned int kind = 0; kind < KINDS; kind++) {
		struct results r;

		open_results(&r, kind);
		r.allocates = true;
		slab_set_limit(held() + MIB);
		for (unsigned int i = 0; i < 5000; i++)
			assert_true(add_result(&r, GFP_KERNEL));
		assert_int_equal(r.nested, 0);
		close_results(&r);
	}
}

/* ---- what is asked for ----------------------------------------------------------------------- */

struct probe {
	unsigned long count, result, look_at, asked, calls, most;
	gfp_t gfp;
	bool stop;
};

static unsigned long count_probe(struct shrinker *shrinker, struct shrink_control *sc)
{
	struct probe *p = shrinker->private_data;

	p->gfp = sc->gfp_mask;
	return p->count;
}

static unsigned long scan_probe(struct shrinker *shrinker, struct shrink_control *sc)
{
	struct probe *p = shrinker->private_data;

	p->calls++;
	p->asked += sc->nr_to_scan;
	if (sc->nr_to_scan > p->most)
		p->most = sc->nr_to_scan;
	assert_int_equal(sc->nr_scanned, sc->nr_to_scan);
	if (p->look_at)
		sc->nr_scanned = p->look_at;
	return p->stop ? SHRINK_STOP : p->result;
}

/* One allocation that cannot be had, with this shrinker alone. */
static struct probe ask(struct probe p, long batch, int seeks)
{
	struct shrinker *shrinker = shrinker_alloc(SHRINKER_NONSLAB, "probe");

	assert_non_null(shrinker);
	assert_int_equal(shrinker->seeks, DEFAULT_SEEKS);
	shrinker->count_objects = count_probe;
	shrinker->scan_objects = scan_probe;
	shrinker->private_data = &p;
	shrinker->batch = batch;
	shrinker->seeks = seeks;
	shrinker_register(shrinker);
	slab_set_limit(held() + MIB);
	assert_null(kmalloc(64 * MIB, GFP_NOFS));
	assert_int_equal(p.gfp, GFP_NOFS);
	slab_set_limit(0);
	shrinker_free(shrinker);
	return p;
}

static void test_what_is_asked_for(void **state)
{
	struct probe p;

	(void)state;
	/* Nothing there: not asked. */
	assert_int_equal(ask((struct probe){ .count = 0 }, 0, 2).calls, 0);
	assert_int_equal(ask((struct probe){ .count = SHRINK_EMPTY }, 0, 2).calls, 0);
	/* Rising shares, 1/4096 * 2 up to all * 2: in all about four times of what there is. */
	p = ask((struct probe){ .count = 40960 }, 0, 2);
	assert_true(p.asked > 3 * p.count && p.asked < 5 * p.count);
	assert_int_equal(p.most, 128);
	p = ask((struct probe){ .count = 40960 }, 1000, 2);
	assert_true(p.asked > 3 * p.count && p.asked < 5 * p.count);
	assert_int_equal(p.most, 1000);
	/* Dear to make again: less of it. */
	assert_true(ask((struct probe){ .count = 40960 }, 0, 8).asked < 40960 * 3 / 2);
	/* Few, below a batch: they too. */
	p = ask((struct probe){ .count = 3 }, 0, 2);
	assert_true(p.calls > 0 && p.most <= 6);
	/* Cheap: half, at each of thirteen rounds. */
	p = ask((struct probe){ .count = 2560 }, 0, 0);
	assert_in_range(p.asked, 13 * 1280, 26 * 1280);
	/* Not at present: one call a round. */
	p = ask((struct probe){ .count = 40960, .stop = true }, 0, 2);
	assert_true(p.calls >= 5 && p.calls <= 13);
	/* Looked at more than asked for: the rest is less. */
	assert_true(ask((struct probe){ .count = 40960, .look_at = 5000 }, 0, 2).calls < 60);
	/* Says that it frees for ever: comes to an end. */
	p = ask((struct probe){ .count = 100, .result = 1 }, 0, 2);
	assert_true(p.calls < 1000);
}

static void test_mistakes(void **state)
{
	struct shrinker *shrinker;

	(void)state;
	errno = 0;
	assert_null(shrinker_alloc(1, "internal flag"));
	assert_int_equal(errno, EINVAL);
	shrinker_free(NULL);
	shrinker = shrinker_alloc(0, "half");
	assert_reports("shrinker half has no", shrinker_register(shrinker));
	shrinker_free(shrinker);
}

static unsigned long free_yourself(struct shrinker *shrinker, struct shrink_control *sc)
{
	(void)sc;
	assert_reports("freed by its own callback", shrinker_free(shrinker));
	return SHRINK_STOP;
}

static void test_one_that_frees_itself(void **state)
{
	struct probe p = { .count = 1000 };
	struct shrinker *shrinker = shrinker_alloc(0, "suicidal");

	(void)state;
	shrinker->count_objects = count_probe;
	shrinker->scan_objects = free_yourself;
	shrinker->private_data = &p;
	shrinker_register(shrinker);
	slab_set_limit(held() + 64 * KIB);
	assert_null(kmalloc(MIB, GFP_KERNEL));
	slab_set_limit(0);
	shrinker_free(shrinker);
}

/* ---- merging --------------------------------------------------------------------------------- */

static void test_its_cache_is_pinned(void **state)
{
	struct kmem_cache *s = kmem_cache_create("pinned", 4040, 0, 0, NULL), *later;
	struct kmem_cache *other = kmem_cache_create("merged", 3000, 0, 0, NULL);
	struct kmem_cache *same = kmem_cache_create("merged-too", 3000, 0, 0, NULL);

	(void)state;
	assert_int_equal(kmem_cache_pin(s), 0);
	assert_int_equal(kmem_cache_pin(s), 0);
	later = kmem_cache_create("later", 4040, 0, 0, NULL);
	assert_ptr_not_equal(later, s);
	if (other == same)
		assert_int_equal(kmem_cache_pin(same), -EBUSY);
	kmem_cache_destroy(other);
	kmem_cache_destroy(same);
	kmem_cache_destroy(later);
	assert_destroys(s);
}

/* ---- many at once ---------------------------------------------------------------------------- */

#define THREADS 4

/* A thread that finds the results' lock taken whenever it asks is refused, and tries again. */
static void *add_results(void *arg)
{
	struct results *r = arg;

	for (unsigned int i = 0; i < 5000; i++)
		while (!add_result(r, GFP_KERNEL))
			sched_yield();
	return NULL;
}

/* Shrinkers come and go meanwhile; none is called after it is gone. */
static void test_many_threads(void **state)
{
	pthread_t thread[THREADS];
	struct results r;

	(void)state;
	alarm(120);
	open_results(&r, 0);
	slab_set_limit(held() + 2 * MIB);
	for (unsigned int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, add_results, &r), 0);
	for (unsigned int i = 0; i < 200; i++) {
		struct probe *p = calloc(1, sizeof(*p));
		struct shrinker *shrinker = shrinker_alloc(0, "passing-%u", i);

		/* Under the limit there may be none to be had. */
		if (shrinker) {
			shrinker->count_objects = count_probe;
			shrinker->scan_objects = scan_probe;
			shrinker->private_data = p;
			shrinker_register(shrinker);
			sched_yield();
			shrinker_free(shrinker);
		}
		free(p);
	}
	for (unsigned int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	assert_int_equal(r.added, THREADS * 5000);
	close_results(&r);
	alarm(0);
}

struct pause {
	bool entered, go_on;
};

static unsigned long count_slowly(struct shrinker *shrinker, struct shrink_control *sc)
{
	struct pause *p = shrinker->private_data;

	(void)sc;
	__atomic_store_n(&p->entered, true, __ATOMIC_RELEASE);
	while (!__atomic_load_n(&p->go_on, __ATOMIC_ACQUIRE))
		usleep(1000);
	return 0;
}

static void *ask_for_much(void *arg)
{
	kfree(kmalloc(64 * MIB, GFP_KERNEL));
	return arg;
}

/* The child does without the thread that was in a callback. */
static void test_fork(void **state)
{
	struct pause pause = { false, false };
	struct shrinker *shrinker = shrinker_alloc(0, "slow");
	int status = -1;
	pthread_t thread;
	pid_t pid;

	(void)state;
	shrinker->count_objects = count_slowly;
	shrinker->scan_objects = scan_probe;
	shrinker->private_data = &pause;
	shrinker_register(shrinker);
	slab_set_limit(held() + MIB);
	pthread_create(&thread, NULL, ask_for_much, NULL);
	while (!__atomic_load_n(&pause.entered, __ATOMIC_ACQUIRE))
		usleep(1000);
	pid = fork();
	if (!pid) {
		alarm(20);
		pause.go_on = true;
		kfree(kmalloc(64 * MIB, GFP_KERNEL));
		shrinker_free(shrinker);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	__atomic_store_n(&pause.go_on, true, __ATOMIC_RELEASE);
	shrinker_free(shrinker);
	pthread_join(thread, NULL);
	slab_set_limit(0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_program_goes_on),
		cmocka_unit_test(test_a_slow_reader),
		cmocka_unit_test(test_every_allocation_shrinks),
		cmocka_unit_test(test_not_for_those_who_may_not_wait),
		cmocka_unit_test(test_callbacks_may_allocate),
		cmocka_unit_test(test_what_is_asked_for),
		cmocka_unit_test(test_mistakes),
		cmocka_unit_test(test_one_that_frees_itself),
		cmocka_unit_test(test_its_cache_is_pinned),
		cmocka_unit_test(test_many_threads),
		cmocka_unit_test(test_fork),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
