// SPDX-License-Identifier: MIT
/* tune_test.c - settings at run time, and the statistics that show their effect. */
#include "cmocka_all.h"

#include <errno.h>
#include <sched.h>
#include <slab/slab.h>
#include <string.h>

#include "report_trap.h"

#define MANY 2000

static struct kmem_cache_stats stats_of(struct kmem_cache *s)
{
	struct kmem_cache_stats st;

	kmem_cache_stats(s, &st);
	return st;
}

static void fill_and_free(struct kmem_cache *s)
{
	static void *p[MANY];

	for (unsigned int i = 0; i < MANY; i++)
		p[i] = kmem_cache_alloc(s, GFP_KERNEL);
	for (unsigned int i = 0; i < MANY; i++)
		kmem_cache_free(s, p[i]);
}

static void assert_adds_up(struct kmem_cache_stats st, uint64_t in_use)
{
	assert_int_equal(st.objects_in_use, in_use);
	assert_int_equal(st.total_objects,
			 st.objects_in_use + st.sheaf_objects + st.barn_objects + st.free_objects);
	assert_int_equal(st.total_objects, st.slabs * st.objects_per_slab);
}

static void test_stats_add_up(void **state)
{
	struct kmem_cache_args args = { .sheaf_capacity = 20 };
	struct kmem_cache *s = kmem_cache_create("stats", 100, &args, 0);
	void *p[150];

	(void)state;
	assert_adds_up(stats_of(s), 0);
	assert_int_equal(kmem_cache_alloc_bulk(s, GFP_KERNEL, 150, p), 150);
	assert_adds_up(stats_of(s), 150);
	kmem_cache_free_bulk(s, 100, p);
	assert_adds_up(stats_of(s), 50);
	fill_and_free(s);
	assert_adds_up(stats_of(s), 50);
	assert_int_equal(stats_of(s).footprint_bytes, stats_of(s).slabs * 4096);
	kmem_cache_free_bulk(s, 50, p + 100);
	kmem_cache_shrink(s);
	assert_int_equal(stats_of(s).slabs, 0);
	assert_destroys(s);
}

static void test_sheaf_capacity(void **state)
{
	static const unsigned long sizes[] = { 1, 200, SLAB_SHEAF_MAX, 7, 62 };
	struct kmem_cache_args args = { .sheaf_capacity = 20 };
	struct kmem_cache *s = kmem_cache_create("resized", 100, &args, 0);
	unsigned long value = 0;
	void *kept = kmem_cache_alloc(s, GFP_KERNEL);

	(void)state;
	for (unsigned int i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		fill_and_free(s);
		assert_int_equal(kmem_cache_tune(s, "sheaf_capacity", sizes[i]), 0);
		assert_int_equal(kmem_cache_tunable(s, "sheaf_capacity", &value), 0);
		assert_int_equal(value, sizes[i]);
		fill_and_free(s);
		assert_adds_up(stats_of(s), 1);
	}
	assert_int_equal(kmem_cache_tune(s, "sheaf_capacity", 0), -EINVAL);
	assert_int_equal(kmem_cache_tune(s, "sheaf_capacity", SLAB_SHEAF_MAX + 1), -EINVAL);
	assert_int_equal(kmem_cache_tune(s, "cpu_partial", 30), -EINVAL);
	assert_int_equal(kmem_cache_tune(s, "no_such", 1), -ENOENT);
	kmem_cache_free(s, kept);
	assert_destroys(s);
}

static bool move_to(int cpu)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	return !sched_setaffinity(0, sizeof(one), &one);
}

/* A sheaf that went from one CPU to another lies in the first one's memory still. */
static void test_stolen_sheaves(void **state)
{
	struct kmem_cache_args args = { .sheaf_capacity = 20 };
	struct kmem_cache *s = kmem_cache_create("stolen", 512, &args, 0);
	static void *p[6000];
	unsigned int n;
	cpu_set_t all;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
	if (!CPU_ISSET(0, &all) || !move_to(1)) {
		print_message("# needs CPUs 0 and 1\n");
		kmem_cache_destroy(s);
		return;
	}
	for (unsigned int round = 0; round < 6; round++) {
		move_to(1);
		for (n = 0; n < 3000; n++)
			p[n] = kmem_cache_alloc(s, GFP_KERNEL);
		/* What one CPU frees the other takes, until it takes several sheaves at a time. */
		for (unsigned int turn = 0; turn < 10; turn++) {
			move_to(0);
			for (unsigned int i = 0; i < 600; i++)
				kmem_cache_free(s, p[--n]);
			move_to(1);
			for (unsigned int i = 0; i < 500; i++)
				p[n++] = kmem_cache_alloc(s, GFP_KERNEL);
		}
		assert_int_equal(kmem_cache_tune(s, "sheaf_capacity", round % 2 ? 20 : 21), 0);
		assert_adds_up(stats_of(s), n);
		while (n)
			kmem_cache_free(s, p[--n]);
		assert_adds_up(stats_of(s), 0);
	}
	assert_true(stats_of(s).barn_steal > 0);
	sched_setaffinity(0, sizeof(all), &all);
	assert_destroys(s);
}

static void test_partial_bounds(void **state)
{
	struct kmem_cache_args args = { .sheaf_capacity = SLAB_NO_SHEAVES };
	struct kmem_cache *s = kmem_cache_create("partial", 256, &args, SLAB_NO_MERGE);
	unsigned long value = 0;

	(void)state;
	assert_int_equal(kmem_cache_tune(s, "cpu_partial", 0), 0);
	assert_int_equal(kmem_cache_tune(s, "min_partial", 9), 0);
	assert_int_equal(kmem_cache_tunable(s, "min_partial", &value), 0);
	assert_int_equal(value, 9);
	fill_and_free(s);
	/* Beside the CPUs' own slabs, so many empty ones stay as the node may keep. */
	assert_in_range(stats_of(s).partial_slabs, 1, 9);
	assert_in_range(stats_of(s).slabs - stats_of(s).cpu_slabs, 1, 9);
	assert_int_equal(kmem_cache_tune(s, "cpu_partial", 256), 0);
	fill_and_free(s);
	assert_true(stats_of(s).cpu_slabs > 9);
	assert_int_equal(kmem_cache_tune(s, "sheaf_capacity", 10), -EINVAL);
	assert_destroys(s);
}

static int count(struct kmem_cache *s, void *arg)
{
	*(unsigned int *)arg += !strncmp(kmem_cache_name(s), "walked", 6);
	return 0;
}

static void test_walk_meets_every_cache(void **state)
{
	struct kmem_cache *a = kmem_cache_create("walked-1", 100, 0, SLAB_NO_MERGE, NULL);
	struct kmem_cache *b = kmem_cache_create("walked-2", 100, 0, SLAB_NO_MERGE, NULL);
	unsigned int n = 0;

	(void)state;
	assert_int_equal(slab_walk(count, &n), 0);
	assert_int_equal(n, 2);
	assert_destroys(a);
	assert_destroys(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stats_add_up),
		cmocka_unit_test(test_sheaf_capacity),
		cmocka_unit_test(test_stolen_sheaves),
		cmocka_unit_test(test_partial_bounds),
		cmocka_unit_test(test_walk_meets_every_cache),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
