// SPDX-License-Identifier: MIT
/* sampler_test.c - slow reads make the interval longer, quick ones bring it back. */
#include "cmocka_all.h"
#include "sampler.h"

#define MS 1000000u

static void test_slow_reads_make_the_interval_longer(void **state)
{
	struct sampler s = { .asked_s = 1, .interval_s = 1 };

	(void)state;
	sampler_back_off(&s, 500 * MS, 0);
	assert_true(s.interval_s == 1);		/* one alone may be a hiccup */
	sampler_back_off(&s, 40 * MS, 0);
	assert_true(s.interval_s == 2);
	sampler_back_off(&s, 20 * MS, 0);
	assert_true(s.interval_s == 1);
	for (int i = 0; i < 5; i++)
		sampler_back_off(&s, 1000 * MS, 0);
	assert_true(s.interval_s == 50);
	sampler_back_off(&s, 5 * MS, 0);
	assert_true(s.interval_s == 1);
}

static void test_a_long_interval_stays(void **state)
{
	struct sampler s = { .asked_s = 600, .interval_s = 600 };

	(void)state;
	for (int i = 0; i < 5; i++)
		sampler_back_off(&s, 100 * MS, 0);
	assert_true(s.interval_s == 600);
}

static void test_overhead_has_a_limit(void **state)
{
	struct sampler s = { .asked_s = 0.01, .interval_s = 0.01, .max_overhead = 0.01 };

	(void)state;
	sampler_back_off(&s, 1 * MS, 2 * MS);
	assert_true(s.interval_s > 0.1999 && s.interval_s < 0.2001);
	sampler_back_off(&s, 5 * MS, 5 * MS);
	assert_true(s.interval_s > 0.4999 && s.interval_s < 0.5001);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_slow_reads_make_the_interval_longer),
		cmocka_unit_test(test_a_long_interval_stays),
		cmocka_unit_test(test_overhead_has_a_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
