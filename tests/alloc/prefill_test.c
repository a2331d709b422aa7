// SPDX-License-Identifier: MIT
/*
 * prefill_test.c - a borrowed sheaf keeps its promise: with no memory left, in a signal handler, in
 * caches that watch their objects, and beyond the capacity of the CPUs' sheaves.
 *
 * SLABKIT_PREFILL_CALLS: calls with memory exhausted (default: 1,000,000).
 */
#include "cmocka_all.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <slab/slab.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "report_trap.h"

#define ALL (SLAB_RED_ZONE | SLAB_POISON | SLAB_STORE_USER | SLAB_CONSISTENCY_CHECKS)

/* Every kind of cache: default, small sheaves, none, watched. */
static const struct {
	unsigned int capacity;
	slab_flags_t flags;
} kinds[] = { { 0, 0 }, { 5, 0 }, { SLAB_NO_SHEAVES, 0 }, { 0, ALL } };

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static struct kmem_cache *make(unsigned int kind)
{
	struct kmem_cache_args args = { .sheaf_capacity = kinds[kind].capacity };
	struct kmem_cache *s =
		kmem_cache_create("lent", 120, &args, SLAB_NO_MERGE | kinds[kind].flags);

	assert_non_null(s);
	return s;
}

/* By its flags, or those of the environment for all. */
static bool is_watched(unsigned int kind)
{
	const char *options = getenv("SLAB_OPTIONS");

	return kinds[kind].flags || (options && strstr(options, "debug"));
}

static uint64_t in_use(struct kmem_cache *s)
{
	struct kmem_cache_stats st;

	kmem_cache_shrink(s);
	kmem_cache_stats(s, &st);
	return st.objects_in_use;
}

static void take_all(struct kmem_cache *s, struct slab_sheaf *sheaf, void **p, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++) {
		p[i] = kmem_cache_alloc_from_sheaf(s, GFP_NOWAIT, sheaf);
		if (!p[i])
			fail_msg("object %u of %u is missing", i, n);
		memset(p[i], (int)i, 120);
	}
	for (unsigned int i = 0; i < n; i++)
		assert_int_equal(((unsigned char *)p[i])[119], i & 255);
}

static void test_as_many_as_asked_for(void **state)
{
	static const unsigned int sizes[] = { 1, 4, 5, 6, 126, 127, 5000, 40000 };
	void **p = calloc(40000, sizeof(*p));

	(void)state;
	for (unsigned int kind = 0; kind < KINDS; kind++) {
		struct kmem_cache *s = make(kind);

		for (unsigned int i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
			unsigned int n = sizes[i];
			struct slab_sheaf *sheaf = kmem_cache_prefill_sheaf(s, GFP_KERNEL, n);

			if (is_watched(kind) && n > 5000) {
				kmem_cache_return_sheaf(s, GFP_KERNEL, sheaf);
				continue;
			}
			assert_non_null(sheaf);
			assert_int_equal(kmem_cache_sheaf_size(sheaf), n);
			take_all(s, sheaf, p, n);
			assert_int_equal(kmem_cache_sheaf_size(sheaf), 0);
			assert_null(kmem_cache_alloc_from_sheaf(s, GFP_KERNEL, sheaf));
			kmem_cache_return_sheaf(s, GFP_KERNEL, sheaf);
			kmem_cache_free_bulk(s, n, p);
			assert_int_equal(kmem_cache_validate(s), 0);
		}
		assert_int_equal(in_use(s), 0);
		assert_destroys(s);
	}
	free(p);
}

static void test_refill_keeps_and_adds(void **state)
{
	void *p[700];

	(void)state;
	for (unsigned int kind = 0; kind < KINDS; kind++) {
		struct kmem_cache *s = make(kind);
		struct slab_sheaf *sheaf = kmem_cache_prefill_sheaf(s, GFP_KERNEL, 3);

		assert_int_equal(kmem_cache_refill_sheaf(s, GFP_KERNEL, &sheaf, 2), 0);
		assert_int_equal(kmem_cache_sheaf_size(sheaf), 3);
		assert_int_equal(kmem_cache_refill_sheaf(s, GFP_KERNEL, &sheaf, 5), 0);
		assert_int_equal(kmem_cache_sheaf_size(sheaf), 5);
		take_all(s, sheaf, p, 1);
		assert_int_equal(kmem_cache_refill_sheaf(s, GFP_KERNEL, &sheaf, 600), 0);
		assert_int_equal(kmem_cache_sheaf_size(sheaf), 600);
		assert_int_equal(in_use(s), 601);
		take_all(s, sheaf, p + 1, 600);
		assert_int_equal(((unsigned char *)p[0])[0], 0);
		kmem_cache_free_bulk(s, 601, p);
		kmem_cache_return_sheaf(s, GFP_KERNEL, sheaf);
		assert_destroys(s);
	}
}

static void test_what_is_left_comes_back(void **state)
{
	(void)state;
	for (unsigned int kind = 0; kind < KINDS; kind++) {
		struct kmem_cache *s = make(kind);
		struct slab_sheaf *sheaf = kmem_cache_prefill_sheaf(s, GFP_KERNEL | __GFP_ZERO, 90);
		unsigned char *p;

		for (unsigned int i = 0; i < 20; i++) {
			p = kmem_cache_alloc_from_sheaf(s, GFP_KERNEL, sheaf);
			memset(p, 0xff, 120);
			kmem_cache_free(s, p);
			assert_int_equal(kmem_cache_refill_sheaf(s, GFP_KERNEL, &sheaf, 90), 0);
		}
		p = kmem_cache_alloc_from_sheaf(s, __GFP_ZERO, sheaf);
		for (unsigned int i = 0; i < 120; i++)
			assert_int_equal(p[i], 0);
		kmem_cache_free(s, p);
		kmem_cache_return_sheaf(s, GFP_KERNEL, sheaf);
		kmem_cache_return_sheaf(s, GFP_KERNEL, NULL);
		assert_int_equal(in_use(s), 0);
		assert_destroys(s);
	}
}

static void test_of_another_cache(void **state)
{
	struct kmem_cache *s = make(0), *other = make(0);
	struct slab_sheaf *sheaf = kmem_cache_prefill_sheaf(s, GFP_KERNEL, 4);

	(void)state;
	errno = 0;
	assert_null(kmem_cache_prefill_sheaf(s, GFP_KERNEL, 0));
	assert_int_equal(errno, EINVAL);
	assert_reports("sheaf of another cache",
		       assert_null(kmem_cache_alloc_from_sheaf(other, GFP_KERNEL, sheaf)));
	assert_reports("sheaf of another cache", kmem_cache_return_sheaf(other, GFP_KERNEL, sheaf));
	assert_reports(
		"sheaf of another cache",
		assert_int_equal(kmem_cache_refill_sheaf(other, GFP_KERNEL, &sheaf, 9), -EINVAL));
	assert_int_equal(kmem_cache_sheaf_size(sheaf), 4);
	kmem_cache_return_sheaf(s, GFP_KERNEL, sheaf);
	assert_destroys(s);
	assert_destroys(other);
}

static unsigned long exhausted_calls(void)
{
	const char *text = getenv("SLABKIT_PREFILL_CALLS");

	return text ? strtoul(text, NULL, 10) : 1000000;
}

/* What other CPUs' sheaves hold is out of reach: the thread stays where its objects are. */
static void stay_on_one_cpu(cpu_set_t *before)
{
	int cpu = 0;
	cpu_set_t one;

	sched_getaffinity(0, sizeof(*before), before);
	while (!CPU_ISSET(cpu, before))
		cpu++;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
}

/* At the limit, and the system would refuse as well. */
static void exhaust_memory(void)
{
	struct slab_memory m;

	slab_memory(&m);
	slab_set_limit(m.held_bytes);
	slab_fail_pages(0);
}

/*
 * With no block of memory to be had, what was prefilled is there, and what was freed fills again:
 * the cache keeps its empty slabs for that.
 */
static void test_never_fails_without_memory(void **state)
{
	enum { N = 2000 };
	unsigned long calls = exhausted_calls(), missing = 0, done = 0;
	void **p = calloc(N, sizeof(*p));
	cpu_set_t before;

	(void)state;
	stay_on_one_cpu(&before);
	for (unsigned int kind = 0; kind < KINDS; kind++) {
		unsigned long want = is_watched(kind) ? calls / 200 : kind ? calls / 50 : calls;
		struct kmem_cache *s = make(kind);
		struct slab_sheaf *sheaf = kmem_cache_prefill_sheaf(s, GFP_KERNEL, N);

		assert_non_null(sheaf);
		assert_int_equal(kmem_cache_tune(s, "min_partial", N), 0);
		exhaust_memory();
		for (unsigned long i = 0; i < want; i += N) {
			for (unsigned int k = 0; k < N; k++) {
				p[k] = kmem_cache_alloc_from_sheaf(s, GFP_NOWAIT, sheaf);
				missing += !p[k];
			}
			kmem_cache_free_bulk(s, N, p);
			if (kmem_cache_refill_sheaf(s, GFP_NOWAIT, &sheaf, N))
				fail_msg("%u free objects do not fill a sheaf of %u", N, N);
			done += N;
		}
		assert_null(kmem_cache_prefill_sheaf(s, GFP_NOWAIT, 2 * N));
		slab_fail_pages(-1);
		slab_set_limit(0);
		kmem_cache_return_sheaf(s, GFP_KERNEL, sheaf);
		assert_int_equal(in_use(s), 0);
		assert_destroys(s);
	}
	printf("# %lu calls with memory exhausted, %lu failed\n", done, missing);
	assert_int_equal(missing, 0);
	sched_setaffinity(0, sizeof(before), &before);
	free(p);
}

/* Memory ends after 0, 1, 2, ... blocks: all or nothing, and the old sheaf as it was. */
static void test_failure_leaks_nothing(void **state)
{
	(void)state;
	for (unsigned int kind = 0; kind < KINDS; kind++) {
		struct kmem_cache *s = make(kind);
		struct slab_sheaf *old = kmem_cache_prefill_sheaf(s, GFP_KERNEL, 7), *sheaf = NULL;
		unsigned int failed = 0;
		unsigned int n = is_watched(kind) ? 800 : 3000;
		int err = -ENOMEM;

		for (long after = 0; !sheaf; after++) {
			assert_int_equal(in_use(s), 7);
			slab_fail_pages(after);
			errno = 0;
			sheaf = kmem_cache_prefill_sheaf(s, GFP_KERNEL, n);
			slab_fail_pages(-1);
			failed += !sheaf;
			assert_true(sheaf || errno == ENOMEM);
		}
		kmem_cache_return_sheaf(s, GFP_KERNEL, sheaf);
		for (long after = 0; err; after++) {
			assert_int_equal(in_use(s), 7);
			assert_int_equal(kmem_cache_sheaf_size(old), 7);
			slab_fail_pages(after);
			err = kmem_cache_refill_sheaf(s, GFP_KERNEL, &old, n);
			slab_fail_pages(-1);
			failed += err != 0;
			assert_true(!err || err == -ENOMEM);
		}
		assert_true(failed > 3);
		kmem_cache_return_sheaf(s, GFP_KERNEL, old);
		assert_int_equal(in_use(s), 0);
		assert_destroys(s);
	}
}

/* The same under a limit, with a little more room from try to try. */
static void test_limit_leaks_nothing(void **state)
{
	(void)state;
	for (unsigned int kind = 0; kind < KINDS; kind++) {
		struct kmem_cache *s = make(kind);
		struct slab_sheaf *sheaf = NULL;
		unsigned int failed = 0;
		struct slab_memory m;

		kmem_cache_free(s, kmem_cache_alloc(s, GFP_KERNEL));
		kmem_cache_shrink(s);
		slab_memory(&m);
		for (unsigned int room = 0; !sheaf; room += 16384) {
			assert_int_equal(in_use(s), 0);
			slab_set_limit(m.held_bytes + room);
			errno = 0;
			sheaf = kmem_cache_prefill_sheaf(s, GFP_KERNEL, 3000);
			failed += !sheaf;
			assert_true(sheaf || errno == ENOMEM);
		}
		slab_set_limit(0);
		assert_true(failed > 3);
		assert_int_equal(kmem_cache_sheaf_size(sheaf), 3000);
		kmem_cache_return_sheaf(s, GFP_KERNEL, sheaf);
		assert_destroys(s);
	}
}

/* ---- in a signal handler --------------------------------------------------------------------- */

#define SIGNALS 3000

static struct {
	struct kmem_cache *cache;
	struct slab_sheaf *sheaf;
	void *taken[SIGNALS];
	volatile sig_atomic_t open, n, missing;
} handler;

static void on_signal(int sig)
{
	sig_atomic_t i = handler.n;

	(void)sig;
	if (!handler.open || i == SIGNALS)
		return;
	/* ThreadSanitizer may deliver the next signal inside of this handler. */
	handler.n = i + 1;
	handler.taken[i] = kmem_cache_alloc_from_sheaf(handler.cache, 0, handler.sheaf);
	if (handler.taken[i])
		memset(handler.taken[i], 0x77, 120);
	else
		handler.missing = handler.missing + 1;
}

/* The signal meets the same thread at every point of the same cache's own calls. */
static void churn_until_signalled(struct kmem_cache *s)
{
	struct sigevent ev = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1 };
	struct itimerspec every = { .it_interval.tv_nsec = 20000, .it_value.tv_nsec = 20000 };
	void *p[40];
	timer_t timer;

	assert_int_equal(timer_create(CLOCK_MONOTONIC, &ev, &timer), 0);
	timer_settime(timer, 0, &every, NULL);
	for (unsigned int round = 0; handler.n < SIGNALS / 2; round++) {
		for (unsigned int i = 0; i < 40; i++) {
			p[i] = kmem_cache_alloc(s, GFP_KERNEL);
			memset(p[i], 0x11, 120);
		}
		for (unsigned int i = 0; i < 40; i++) {
			assert_int_equal(*(unsigned char *)p[i], 0x11);
			kmem_cache_free(s, p[i]);
		}
		if (round % 16 == 0)
			raise(SIGUSR1);
	}
	timer_delete(timer);
	handler.open = 0;
}

static void test_in_a_signal_handler(void **state)
{
	struct sigaction sa = { .sa_handler = on_signal, .sa_flags = SA_RESTART };

	(void)state;
	sigaction(SIGUSR1, &sa, NULL);
	for (unsigned int kind = 0; kind < KINDS; kind++) {
		handler.cache = make(kind);
		handler.sheaf = kmem_cache_prefill_sheaf(handler.cache, GFP_KERNEL, SIGNALS);
		handler.n = 0;
		handler.open = 1;
		churn_until_signalled(handler.cache);
		assert_int_equal(handler.missing, 0);
		for (int i = 0; i < handler.n; i++)
			assert_int_equal(*(unsigned char *)handler.taken[i], 0x77);
		kmem_cache_free_bulk(handler.cache, (size_t)handler.n, handler.taken);
		kmem_cache_return_sheaf(handler.cache, GFP_KERNEL, handler.sheaf);
		assert_int_equal(kmem_cache_validate(handler.cache), 0);
		assert_destroys(handler.cache);
	}
	signal(SIGUSR1, SIG_DFL);
}

/* ---- caches that watch ----------------------------------------------------------------------- */

static void test_watched_objects_are_watched(void **state)
{
	struct kmem_cache *s = make(3);
	struct slab_sheaf *sheaf = kmem_cache_prefill_sheaf(s, GFP_KERNEL, 4);
	char *p = kmem_cache_alloc_from_sheaf(s, GFP_KERNEL, sheaf);
	char *q = kmem_cache_alloc_from_sheaf(s, GFP_KERNEL, sheaf);

	(void)state;
	kmem_cache_free(s, q);
	assert_reports("double free", kmem_cache_free(s, q));
	p[120] = 1;
	assert_reports("overrun", kmem_cache_free(s, p));
	assert_non_null(strstr(trapped, "allocated at"));
	kmem_cache_return_sheaf(s, GFP_KERNEL, sheaf);
	assert_reports("destroyed with 1 objects in use", kmem_cache_destroy(s));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_as_many_as_asked_for),
		cmocka_unit_test(test_refill_keeps_and_adds),
		cmocka_unit_test(test_what_is_left_comes_back),
		cmocka_unit_test(test_of_another_cache),
		cmocka_unit_test(test_never_fails_without_memory),
		cmocka_unit_test(test_failure_leaks_nothing),
		cmocka_unit_test(test_limit_leaks_nothing),
		cmocka_unit_test(test_in_a_signal_handler),
		cmocka_unit_test(test_watched_objects_are_watched),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
