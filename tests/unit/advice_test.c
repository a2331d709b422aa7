// SPDX-License-Identifier: MIT
/* advice_test.c - something is proposed where something is wrong, and nothing where nothing is. */
#include "cmocka_all.h"
#include "advice.h"

#include <string.h>

/* A busy, healthy cache: 4 KiB slabs of 21 objects, two CPUs, one node. */
static const struct advice_facts healthy = {
	.seconds = 10, .samples = 100, .cpus = 2, .nodes = 1, .slab_bytes = 4096, .slab_size = 192,
	.objs_per_slab = 21, .slabs_first = 1000, .slabs_last = 1004, .slabs_min = 998,
	.slabs_max = 1005, .came = 20, .went = 16, .turns = 6, .partial_known = true,
	.partial = 12, .partial_free_objs = 90,
	.held_known = true, .held_min = 4, .min_partial_known = true, .cpu_partial_known = true,
	.min_partial_standard_known = true, .min_partial = 5, .cpu_partial = 120,
	.min_partial_standard = 5,
};

static size_t make(const struct advice_facts *f, struct advice *a)
{
	return advice_make(f, a, 4);
}

static void test_nothing_is_wrong(void **state)
{
	struct advice_facts f = healthy, nothing = { .samples = 0 };
	struct advice a[4];

	(void)state;
	assert_int_equal(make(&f, a), 0);
	assert_int_equal(make(&nothing, a), 0);
	f.idle = true;
	assert_int_equal(make(&f, a), 0);
	/* Growth, or one growth and one release, is no churn. */
	f = healthy;
	f.slabs_max = 9000;
	f.came = f.went = 8000;
	f.turns = 1;
	assert_int_equal(make(&f, a), 0);
	f.went = 0;
	f.turns = 9;
	assert_int_equal(make(&f, a), 0);
}

static void test_churn(void **state)
{
	struct advice_facts f = healthy;
	struct advice a[4];
	char text[256];

	(void)state;
	f.came = 4100;
	f.went = 4000;
	f.turns = 80;
	f.slabs_min = 1000;
	f.slabs_max = 1050;
	assert_int_equal(make(&f, a), 1);
	assert_int_equal(a[0].field, SLABSTAT_MIN_PARTIAL);
	assert_int_equal(a[0].proposed, 55);
	assert_int_equal(a[0].cost_bytes, 50 * 4096);
	assert_string_equal(advice_evidence(&a[0], &f, text, sizeof(text)),
			    "at least 4100 slabs came and 4000 went in 10.0 s (400 a second), "
			    "between 1000 and 1050");
	/* Spread over nodes, each keeps a share. */
	f.nodes = 4;
	assert_int_equal(make(&f, a), 1);
	assert_int_equal(a[0].proposed, 5 + 13);
	assert_int_equal(a[0].cost_bytes, 13 * 4 * 4096);
	/* Where it would cost too much, nothing. */
	f.nodes = 1;
	f.slabs_max = 1000000;
	assert_int_equal(make(&f, a), 0);
}

static void test_stock_of_an_idle_cache(void **state)
{
	struct advice_facts f = healthy;
	struct advice a[4];

	(void)state;
	f.idle = true;
	f.held_min = 400;
	assert_int_equal(make(&f, a), 1);
	assert_int_equal(a[0].field, SLABSTAT_CPU_PARTIAL);
	assert_int_equal(a[0].proposed, 30);
	assert_int_equal(a[0].cost_bytes, -300 * 4096);
	f.idle = false;
	assert_int_equal(make(&f, a), 0);
	f.idle = true;
	f.retired = true;
	assert_int_equal(make(&f, a), 0);
}

static void test_hoard(void **state)
{
	struct advice_facts f = healthy;
	struct advice a[4];

	(void)state;
	f.min_partial = 2000;
	f.partial = 1500;
	f.partial_free_objs = 1500 * 20;
	assert_int_equal(make(&f, a), 1);
	assert_int_equal(a[0].kind, ADVICE_HOARD);
	assert_int_equal(a[0].proposed, 5);
	assert_true(a[0].cost_bytes < 0);
	/* The kernel's own setting keeps few slabs: a long list then has another cause. */
	f.min_partial = 5;
	assert_int_equal(make(&f, a), 0);
	f.min_partial = 2000;
	f.partial_free_objs = 1500 * 5;
	assert_int_equal(make(&f, a), 0);
	/* Impossible figures of a race. */
	f.partial_free_objs = UINT64_MAX;
	make(&f, a);
}

static void test_slow_paths(void **state)
{
	struct advice_facts f = healthy;
	struct advice a[4];

	(void)state;
	f.paths_known = true;
	f.fast = 600000;
	f.slow = 400000;
	assert_int_equal(make(&f, a), 1);
	assert_int_equal(a[0].kind, ADVICE_SLOW);
	assert_int_equal(a[0].proposed, 240);
	assert_int_equal(a[0].cost_bytes, 120 * 192 * 2);
	f.slow = 4000;
	assert_int_equal(make(&f, a), 0);
	f.slow = 40;
	f.fast = 60;
	assert_int_equal(make(&f, a), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing_is_wrong),
		cmocka_unit_test(test_churn),
		cmocka_unit_test(test_stock_of_an_idle_cache),
		cmocka_unit_test(test_hoard),
		cmocka_unit_test(test_slow_paths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
