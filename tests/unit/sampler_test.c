// SPDX-License-Identifier: MIT
/* sampler_test.c - a slow read makes the interval longer, quick ones bring it back. */
#include "cmocka_all.h"
#include "sampler.h"

#define MS 1000000u

static void test_slow_reads_double_the_interval(void **state)
{
	struct sampler s = { .asked_s = 1, .interval_s = 1 };

	(void)state;
	sampler_back_off(&s, 20 * MS, 0);
	assert_true(s.interval_s == 1);
	sampler_back_off(&s, 21 * MS, 0);
	assert_true(s.interval_s == 2);
	sampler_back_off(&s, 500 * MS, 0);
	assert_true(s.interval_s == 4);
	/* Between quick and slow it stays. */
	sampler_back_off(&s, 15 * MS, 0);
	assert_true(s.interval_s == 4);
	sampler_back_off(&s, 5 * MS, 0);
	assert_true(s.interval_s == 2);
	for (int i = 0; i < 5; i++)
		sampler_back_off(&s, 5 * MS, 0);
	assert_true(s.interval_s == 1);
}

static void test_the_longest_interval(void **state)
{
	struct sampler s = { .asked_s = 1, .interval_s = 1 }, slow = { .asked_s = 600, .interval_s = 600 };

	(void)state;
	for (int i = 0; i < 20; i++) {
		sampler_back_off(&s, 100 * MS, 0);
		sampler_back_off(&slow, 100 * MS, 0);
	}
	assert_true(s.interval_s == SAMPLER_SLOWEST_S);
	assert_true(slow.interval_s == 600);
}

static void test_overhead_has_a_limit(void **state)
{
	struct sampler s = { .asked_s = 0.01, .interval_s = 0.01, .max_overhead = 0.01 };

	(void)state;
	sampler_back_off(&s, 1 * MS, 2 * MS);
	assert_true(s.interval_s > 0.1999 && s.interval_s < 0.2001);
	sampler_back_off(&s, 5 * MS, 2 * MS);
	assert_true(s.interval_s > 0.4999 && s.interval_s < 0.5001);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_slow_reads_double_the_interval),
		cmocka_unit_test(test_the_longest_interval),
		cmocka_unit_test(test_overhead_has_a_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
