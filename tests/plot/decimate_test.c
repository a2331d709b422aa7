// SPDX-License-Identifier: MIT
/* decimate_test.c - fewer points, no peak lost, no line across a gap. */
#include "cmocka_all.h"
#include "decimate.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define N 40000

static bool kept(const size_t *row, size_t n, size_t sample)
{
	for (size_t i = 0; i < n; i++) {
		if (row[i] == sample)
			return true;
	}
	return false;
}

static void test_peaks_stay(void **state)
{
	double *a = calloc(N, sizeof(*a)), *b = calloc(N, sizeof(*b));
	const double *lines[] = { a, b };
	size_t n, *row;

	(void)state;
	for (size_t i = 0; i < N; i++)
		a[i] = b[i] = 100;
	a[12345] = 1e6;		/* one sample wide */
	b[12346] = 1;
	row = decimate(lines, 2, N, 600, &n);
	assert_non_null(row);
	assert_true(n <= 600 * 6);
	assert_true(kept(row, n, 0) && kept(row, n, N - 1));
	assert_true(kept(row, n, 12345));
	assert_true(kept(row, n, 12346));
	for (size_t i = 1; i < n; i++)
		assert_true(row[i] > row[i - 1]);
	free(row);
	free(a);
	free(b);
}

static void test_few_samples_all_stay(void **state)
{
	const double a[] = { 1, 2, 3, 2, 1 };
	const double *lines[] = { a };
	size_t n, *row = decimate(lines, 1, 5, 600, &n);

	(void)state;
	assert_int_equal(n, 5);
	free(row);
	row = decimate(lines, 1, 1, 600, &n);
	assert_int_equal(n, 1);
	free(row);
}

static void test_edges_of_a_gap_stay(void **state)
{
	double *a = calloc(N, sizeof(*a));
	const double *lines[] = { a };
	size_t n, *row;

	(void)state;
	for (size_t i = 20010; i < 20020; i++)
		a[i] = NAN;
	row = decimate(lines, 1, N, 100, &n);
	assert_true(kept(row, n, 20009) && kept(row, n, 20010));
	assert_true(kept(row, n, 20019) && kept(row, n, 20020));
	free(row);
	free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_peaks_stay),
		cmocka_unit_test(test_few_samples_all_stay),
		cmocka_unit_test(test_edges_of_a_gap_stay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
