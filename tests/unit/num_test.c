// SPDX-License-Identifier: MIT
/* num_test.c - numbers are read strictly and shown with the right unit. */
#include "cmocka_all.h"
#include "util/num.h"

#include <errno.h>

static void test_parse_takes_whole_numbers(void **state)
{
	uint64_t v = 7;

	(void)state;
	assert_int_equal(num_parse_u64("0", &v), 0);
	assert_int_equal(v, 0);
	assert_int_equal(num_parse_u64("18446744073709551615", &v), 0);
	assert_true(v == UINT64_MAX);
	assert_int_equal(num_parse_u64("007", &v), 0);
	assert_int_equal(v, 7);
}

static void test_parse_refuses_the_rest(void **state)
{
	static const char *const bad[] = {
		"", " 1", "1 ", "+1", "-1", "0x10", "1.5", "1e3", "one"
	};
	uint64_t v = 42;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(num_parse_u64(bad[i], &v), -EINVAL);
	assert_int_equal(num_parse_u64("18446744073709551616", &v), -ERANGE);
	assert_int_equal(v, 42);
}

static void test_seconds(void **state)
{
	double s;

	(void)state;
	assert_int_equal(num_parse_seconds("0.25", &s), 0);
	assert_true(s > 0.2499 && s < 0.2501);
	assert_int_equal(num_parse_seconds(".", &s), -EINVAL);
	assert_int_equal(num_parse_seconds("1,5", &s), -EINVAL);
	assert_int_equal(num_parse_seconds("0", &s), -ERANGE);
	assert_int_equal(num_parse_seconds("nan", &s), -EINVAL);
}

static void test_human_bytes(void **state)
{
	static const struct {
		uint64_t bytes;
		const char *text;
	} cases[] = {
		{ 0, "0 B" },		  { 1023, "1023 B" },
		{ 1024, "1.0 KiB" },	  { 4096, "4.0 KiB" },
		{ 1048575, "1.0 MiB" },	  { 1048576, "1.0 MiB" },
		{ 79296512, "75.6 MiB" }, { UINT64_MAX, "16.0 EiB" },
	};
	char buf[NUM_HUMAN_SIZE];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(num_human_bytes(cases[i].bytes, buf), cases[i].text);
	assert_string_equal(num_human_delta(-2048, buf), "-2.0 KiB");
	assert_string_equal(num_human_delta(2048, buf), "+2.0 KiB");
	assert_string_equal(num_human_delta(0, buf), "0 B");
	assert_string_equal(num_human_delta(INT64_MIN, buf), "-8.0 EiB");
}

static void test_muldiv(void **state)
{
	(void)state;
	assert_true(num_muldiv(UINT64_MAX, 100, UINT64_MAX) == 100);
	assert_true(num_muldiv(UINT64_MAX, 2, 1) == UINT64_MAX);
	assert_true(num_muldiv(1, 1, 0) == 0);
	assert_true(num_add_sat(UINT64_MAX, 1) == UINT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parse_takes_whole_numbers),
		cmocka_unit_test(test_parse_refuses_the_rest),
		cmocka_unit_test(test_seconds),
		cmocka_unit_test(test_human_bytes),
		cmocka_unit_test(test_muldiv),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
