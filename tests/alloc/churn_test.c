// SPDX-License-Identifier: MIT
/* churn_test.c - threads come and go, or are many more than CPUs, and memory stays what it was. */
#include "cmocka_all.h"

#include <pthread.h>
#include <slab/slab.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "report_trap.h"

#define HELD 100

struct churn {
	struct kmem_cache *cache;
	pthread_barrier_t *together;
};

static void *use(void *arg)
{
	struct churn *c = arg;
	void *p[HELD];

	for (unsigned int round = 0; round < 3; round++) {
		for (unsigned int i = 0; i < HELD; i++) {
			p[i] = kmem_cache_alloc(c->cache, GFP_KERNEL);
			*(long *)p[i] = (long)i;
		}
		for (unsigned int i = 0; i < HELD; i++)
			kmem_cache_free(c->cache, p[i]);
	}
	if (c->together)
		pthread_barrier_wait(c->together);
	return NULL;
}

static long resident_pages(void)
{
	long size = 0, resident = 0;
	FILE *f = fopen("/proc/self/statm", "r");

	assert_non_null(f);
	assert_int_equal(fscanf(f, "%ld %ld", &size, &resident), 2);
	fclose(f);
	return resident;
}

static void test_thread_exit_leaves_nothing(void **state)
{
	struct churn c = { .cache = kmem_cache_create("churn", 256, NULL, SLAB_NO_MERGE) };
	long before = 0, cpus = sysconf(_SC_NPROCESSORS_ONLN);

	(void)state;
	for (unsigned int i = 0; i < 600; i++) {
		pthread_t thread[2];

		for (unsigned int t = 0; t < 2; t++)
			assert_int_equal(pthread_create(&thread[t], NULL, use, &c), 0);
		for (unsigned int t = 0; t < 2; t++)
			pthread_join(thread[t], NULL);
		if (i == 100)
			before = resident_pages();
	}
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
	/* A thread that left its sheaves behind would leave 32 KiB. */
	assert_true(resident_pages() - before < 100 + 80 * cpus);
#else
	(void)before;
	(void)cpus;
#endif
	assert_destroys(c.cache);
}

static void test_many_threads_share_the_cpus_sheaves(void **state)
{
	long n = 10 * sysconf(_SC_NPROCESSORS_ONLN);
	struct churn c = { .cache = kmem_cache_create("many", 256, NULL, SLAB_NO_MERGE) };
	pthread_t *thread;
	pthread_barrier_t together;

	(void)state;
	if (n > 100)
		n = 100;
	thread = calloc((size_t)n, sizeof(*thread));
	pthread_barrier_init(&together, NULL, (unsigned int)n);
	c.together = &together;
	for (long i = 0; i < n; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, use, &c), 0);
	for (long i = 0; i < n; i++)
		pthread_join(thread[i], NULL);
	pthread_barrier_destroy(&together);
	assert_destroys(c.cache);
	free(thread);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_thread_exit_leaves_nothing),
		cmocka_unit_test(test_many_threads_share_the_cpus_sheaves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
