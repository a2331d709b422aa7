// SPDX-License-Identifier: MIT
/* compare_test.c - groups of figures: means, intervals, and when they do not differ. */
#include "cmocka_all.h"
#include "slabstat/compare.h"

#include <math.h>
#include <stdlib.h>

static bool near(double a, double b, double tolerance)
{
	return fabs(a - b) <= tolerance;
}

static void test_side(void **state)
{
	const double v[] = { 4, 1, 3, 2 };
	struct compare_side s;

	(void)state;
	assert_true(compare_side_of(v, 4, &s));
	assert_true(s.mean == 2.5 && s.median == 2.5 && s.min == 1 && s.max == 4);
	assert_true(near(s.deviation, 1.29099, 1e-5));
	assert_true(v[0] == 4);
}

static void test_known_difference(void **state)
{
	/* By hand: means 20 and 25, variances 4 and 9, three each: se 2.0817, df 3.482, t 2.946. */
	const double a[] = { 18, 20, 22 }, b[] = { 22, 25, 28 };
	struct compare c;

	(void)state;
	assert_true(compare_groups(a, 3, b, 3, &c));
	assert_true(c.difference == 5);
	assert_true(near(c.relative, 0.25, 1e-12));
	assert_true(near(c.low, 5 - 2.946 * 2.0817, 0.02));
	assert_true(near(c.high, 5 + 2.946 * 2.0817, 0.02));
	assert_false(c.differs);
	assert_true(compare_groups(b, 3, a, 3, &c));
	assert_true(c.difference == -5);
}

static void test_far_apart(void **state)
{
	const double a[] = { 10, 11, 12 }, b[] = { 30, 31, 32 };
	struct compare c;

	(void)state;
	assert_true(compare_groups(a, 3, b, 3, &c));
	assert_true(c.differs && c.low > 0);
	assert_true(compare_groups(b, 3, a, 3, &c));
	assert_true(c.differs && c.high < 0);
}

static void test_edges(void **state)
{
	const double one[] = { 5 }, same[] = { 7, 7 }, other[] = { 8, 8 }, zero[] = { 0, 0 };
	struct compare c;

	(void)state;
	assert_true(compare_groups(one, 1, same, 2, &c));
	assert_false(c.known || c.differs);
	assert_true(isinf(c.low) && isinf(c.high));
	assert_true(compare_groups(same, 2, same, 2, &c));
	assert_false(c.differs);
	assert_true(c.low == 0 && c.high == 0);
	assert_true(compare_groups(same, 2, other, 2, &c));
	assert_true(c.differs);
	assert_true(compare_groups(zero, 2, same, 2, &c));
	assert_true(isnan(c.relative));
}

/* Groups of three of one kind: at most one in twenty may be told apart, give or take. */
static void test_false_alarms(void **state)
{
	int alarms = 0;

	(void)state;
	srand(5);
	for (int round = 0; round < 2000; round++) {
		double v[6];
		struct compare c;

		for (int i = 0; i < 6; i++) {
			v[i] = 0;
			for (int k = 0; k < 12; k++)
				v[i] += (double)rand() / RAND_MAX;
		}
		assert_true(compare_groups(v, 3, v + 3, 3, &c));
		alarms += c.differs;
	}
	assert_in_range(alarms, 0, 2000 * 6 / 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_side),	  cmocka_unit_test(test_known_difference),
		cmocka_unit_test(test_far_apart), cmocka_unit_test(test_edges),
		cmocka_unit_test(test_false_alarms),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
