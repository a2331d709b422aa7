// SPDX-License-Identifier: MIT
/* stats_test.c - robust statistics against values from tables and by hand. */
#include "cmocka_all.h"
#include "util/stats.h"

#include <math.h>
#include <stdlib.h>

static bool near(double a, double b, double tolerance)
{
	return fabs(a - b) <= tolerance;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void test_quantiles(void **state)
{
	double odd[] = { 5, 1, 4, 2, 3 }, even[] = { 4, 1, 3, 2 }, same[] = { 7, 7, 7 };
	double many[101], sorted[101];

	(void)state;
	assert_true(stats_median(odd, 5) == 3);
	assert_true(stats_median(even, 4) == 2.5);
	assert_true(stats_median(same, 3) == 7);
	assert_true(stats_median(odd, 0) == 0);
	assert_true(stats_quantile(odd, 5, 0) == 1);
	assert_true(stats_quantile(odd, 5, 1) == 5);
	/* Against sorting, on many orders with ties. */
	srand(7);
	for (int round = 0; round < 200; round++) {
		size_t n = 1 + (size_t)rand() % 101, i;

		for (i = 0; i < n; i++)
			many[i] = sorted[i] = rand() % 40;
		qsort(sorted, n, sizeof(*sorted), compare);
		i = (size_t)rand() % n;
		assert_true(near(stats_quantile(many, n, n > 1 ? (double)i / (double)(n - 1) : 0),
				 sorted[i], 1e-6));
	}
}

static void test_moments(void **state)
{
	const double v[] = { 2, 4, 4, 4, 5, 5, 7, 9 };

	(void)state;
	assert_true(stats_mean(v, 8) == 5);
	assert_true(near(stats_deviation(v, 8), 2.13809, 1e-5));
	assert_true(stats_deviation(v, 1) == 0);
	assert_true(stats_autocorrelation(v, 2) == 0);
}

static void test_student(void **state)
{
	(void)state;
	assert_true(near(stats_student(1, 0.95), 12.706, 0.05));
	assert_true(near(stats_student(4, 0.95), 2.776, 0.001));
	assert_true(near(stats_student(10, 0.99), 3.169, 0.001));
	assert_true(near(stats_student(1000, 0.95), 1.962, 0.001));
	assert_true(isinf(stats_student(0, 0.95)));
}

static void test_slope(void **state)
{
	double x[40], y[40];
	struct stats_slope s;

	(void)state;
	for (int i = 0; i < 40; i++) {
		x[i] = 2 * i;
		y[i] = 6 * i + 1;
	}
	y[7] = 1e9;	/* one spike moves nothing */
	assert_true(stats_theil_sen(x, y, 40, 0.95, 1, &s));
	assert_true(near(s.slope, 3, 1e-9));
	assert_true(near(s.low, 3, 1e-9) && near(s.high, 3, 1e-9));
	assert_true(s.z > 8);
	assert_false(stats_theil_sen(x, y, 1, 0.95, 1, &s));
	assert_false(stats_theil_sen(x, y, STATS_SLOPE_MAX + 1, 0.95, 1, &s));
}

static void test_interval_of_few_points(void **state)
{
	/*
	 * Five points, ten slopes: only |S| = 10 is beyond 95 % (p = 0.017), so the interval leaves
	 * out none of the slopes; with four, nothing is.
	 */
	const double x[] = { 0, 1, 2, 3, 4 }, y[] = { 0, 2, 3, 7, 8 };
	struct stats_slope s;

	(void)state;
	assert_true(stats_theil_sen(x, y, 5, 0.95, 1, &s));
	assert_true(near(s.slope, 2, 1e-9));
	assert_true(near(s.low, 1, 1e-9) && near(s.high, 4, 1e-9));
	assert_true(stats_theil_sen(x, y, 4, 0.95, 1, &s));
	assert_true(isinf(s.low) && isinf(s.high));
}

static double noise(void)
{
	double sum = 0;

	for (int i = 0; i < 12; i++)
		sum += (double)rand() / RAND_MAX;
	return sum - 6;
}

static void test_interval_covers(void **state)
{
	int covered = 0;

	(void)state;
	srand(11);
	for (int round = 0; round < 1000; round++) {
		double x[9], y[9];
		struct stats_slope s;

		for (int i = 0; i < 9; i++) {
			x[i] = i;
			y[i] = 5 * i + 20 * noise();
		}
		assert_true(stats_theil_sen(x, y, 9, 0.95, 1, &s));
		covered += s.low <= 5 && s.high >= 5;
	}
	assert_in_range(covered, 940, 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quantiles),
		cmocka_unit_test(test_moments),
		cmocka_unit_test(test_student),
		cmocka_unit_test(test_slope),
		cmocka_unit_test(test_interval_of_few_points),
		cmocka_unit_test(test_interval_covers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
