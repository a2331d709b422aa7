// SPDX-License-Identifier: MIT
/*
 * rule_test.c - what is refused, and as what, on which kernel; defaults as the kernels gave them.
 */
#include "cmocka_all.h"
#include "slabstat/rule.h"

#include <errno.h>
#include <string.h>

static const struct rule_facts k6_18 = { .kernel = SLABSTAT_KERNEL(6, 18), .slab_size = 256,
					 .page_size = 4096 };
static const struct rule_facts k7_3 = { .kernel = SLABSTAT_KERNEL(7, 3), .retired = true,
					.slab_size = 256, .page_size = 4096 };
static const struct rule_facts k5_10 = { .kernel = SLABSTAT_KERNEL(5, 10), .slab_size = 256,
					 .page_size = 4096 };

static int check(const struct rule_facts *facts, enum slabstat_field field, uint64_t value)
{
	const char *why = NULL;
	int err = rule_check(facts, field, value, &why);

	assert_true(!err == !why);
	return err;
}

static void test_ranges(void **state)
{
	(void)state;
	assert_int_equal(check(&k6_18, SLABSTAT_CPU_PARTIAL, 0), 0);
	assert_int_equal(check(&k6_18, SLABSTAT_CPU_PARTIAL, 16384), 0);
	assert_int_equal(check(&k6_18, SLABSTAT_CPU_PARTIAL, 16385), -EDOM);
	assert_int_equal(check(&k6_18, SLABSTAT_CPU_PARTIAL, UINT32_MAX), -EDOM);
	assert_int_equal(check(&k6_18, SLABSTAT_CPU_PARTIAL, (uint64_t)UINT32_MAX + 1), -ERANGE);
	assert_int_equal(check(&k6_18, SLABSTAT_MIN_PARTIAL, 0), 0);
	assert_int_equal(check(&k6_18, SLABSTAT_MIN_PARTIAL, UINT64_MAX), -EDOM);
	assert_int_equal(check(&k6_18, SLABSTAT_REMOTE_NODE_DEFRAG_RATIO, 100), 0);
	assert_int_equal(check(&k6_18, SLABSTAT_REMOTE_NODE_DEFRAG_RATIO, 101), -ERANGE);
	assert_int_equal(check(&k6_18, SLABSTAT_SKIP_KFENCE, 1), 0);
	assert_int_equal(check(&k6_18, SLABSTAT_SKIP_KFENCE, 2), -EINVAL);
	assert_int_equal(check(&k6_18, SLABSTAT_FAILSLAB, 1), 0);
}

static void test_cpu_partial_is_retired_or_debug(void **state)
{
	struct rule_facts debug = k6_18;
	const char *why = NULL;

	(void)state;
	debug.debug = true;
	assert_int_equal(rule_check(&k7_3, SLABSTAT_CPU_PARTIAL, 30, &why), -EINVAL);
	assert_non_null(strstr(why, "7.0"));
	assert_int_equal(rule_check(&debug, SLABSTAT_CPU_PARTIAL, 30, &why), -EINVAL);
	assert_non_null(strstr(why, "debug"));
	assert_int_equal(check(&k7_3, SLABSTAT_CPU_PARTIAL, 0), 0);
	assert_int_equal(check(&debug, SLABSTAT_CPU_PARTIAL, 0), 0);
}

static void test_failslab_is_for_one_user(void **state)
{
	struct rule_facts shared = k6_18;

	(void)state;
	shared.aliases = 1;
	assert_int_equal(check(&shared, SLABSTAT_FAILSLAB, 0), -EINVAL);
	assert_int_equal(check(&shared, SLABSTAT_FAILSLAB, 1), -EINVAL);
}

static void test_min_partial_is_clamped_before_5_17(void **state)
{
	uint64_t low, high;

	(void)state;
	rule_range(&k5_10, SLABSTAT_MIN_PARTIAL, &low, &high);
	assert_int_equal(low, 5);
	assert_int_equal(high, 10);
	assert_non_null(rule_note(&k5_10, SLABSTAT_MIN_PARTIAL));
	assert_int_equal(check(&k5_10, SLABSTAT_MIN_PARTIAL, 30), 0);	/* taken, and changed */
	rule_range(&k6_18, SLABSTAT_MIN_PARTIAL, &low, &high);
	assert_int_equal(low, 0);
	assert_true(high == UINT64_MAX);
	assert_null(rule_note(&k6_18, SLABSTAT_MIN_PARTIAL));
}

/* Read off real kernels: 5.10 gives a 256-byte cache 13, 6.18 gives 52. */
static void test_standard_values(void **state)
{
	static const struct {
		uint64_t size, min_partial, before, since;
	} cases[] = { { 8, 5, 30, 120 },    { 255, 5, 30, 120 },   { 256, 5, 13, 52 },
		      { 1023, 5, 13, 52 },  { 1024, 5, 6, 24 },	   { 4095, 5, 6, 24 },
		      { 4096, 6, 2, 6 },    { 8192, 6, 2, 6 },	   { 1 << 20, 10, 2, 6 },
		      { 1 << 30, 10, 2, 6 } };
	uint64_t value;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct rule_facts now = k6_18, then = k5_10;

		now.slab_size = then.slab_size = cases[i].size;
		assert_true(rule_standard(&now, SLABSTAT_CPU_PARTIAL, &value));
		assert_int_equal(value, cases[i].since);
		assert_true(rule_standard(&then, SLABSTAT_CPU_PARTIAL, &value));
		assert_int_equal(value, cases[i].before);
		assert_true(rule_standard(&now, SLABSTAT_MIN_PARTIAL, &value));
		assert_int_equal(value, cases[i].min_partial);
	}
	assert_true(rule_standard(&k7_3, SLABSTAT_CPU_PARTIAL, &value));
	assert_int_equal(value, 0);
}

static void test_what_is_unknown_is_not_guessed(void **state)
{
	struct rule_facts unknown = { .kernel = 0 };
	uint64_t value;

	(void)state;
	assert_false(rule_standard(&unknown, SLABSTAT_CPU_PARTIAL, &value));
	assert_false(rule_standard(&unknown, SLABSTAT_MIN_PARTIAL, &value));
	assert_false(rule_standard(&k6_18, SLABSTAT_SKIP_KFENCE, &value));
	assert_int_equal(check(&unknown, SLABSTAT_CPU_PARTIAL, 30), 0);
	assert_null(rule_note(&unknown, SLABSTAT_MIN_PARTIAL));
}

static void test_validate_wants_a_debug_cache_since_6_1(void **state)
{
	struct rule_facts facts = k6_18;
	const char *why;

	(void)state;
	assert_int_equal(rule_action(&facts, SLABSTAT_TUNE_VALIDATE, &why), -EINVAL);
	assert_int_equal(rule_action(&facts, SLABSTAT_TUNE_SHRINK, &why), 0);
	facts.debug = true;
	assert_int_equal(rule_action(&facts, SLABSTAT_TUNE_VALIDATE, &why), 0);
	assert_int_equal(rule_action(&k5_10, SLABSTAT_TUNE_VALIDATE, &why), 0);
}

/* The refusals of kmem_cache_tune(). */
static void test_programs(void **state)
{
	const struct rule_facts with = { .program = true },
				without = { .program = true, .sheafless = true };
	const char *why;

	(void)state;
	assert_int_equal(rule_check(&with, SLABSTAT_MIN_PARTIAL, 0xffffffff, &why), 0);
	assert_int_equal(rule_check(&with, SLABSTAT_MIN_PARTIAL, 0x100000000, &why), -EINVAL);
	assert_int_equal(rule_check(&with, SLABSTAT_CPU_PARTIAL, 0, &why), 0);
	assert_int_equal(rule_check(&with, SLABSTAT_CPU_PARTIAL, 1, &why), -EINVAL);
	assert_int_equal(rule_check(&without, SLABSTAT_CPU_PARTIAL, 1000000, &why), 0);
	assert_int_equal(rule_check(&without, SLABSTAT_CPU_PARTIAL, 1000001, &why), -EINVAL);
	assert_int_equal(rule_check(&with, SLABSTAT_SHEAF_CAPACITY, 1022, &why), 0);
	assert_int_equal(rule_check(&with, SLABSTAT_SHEAF_CAPACITY, 1023, &why), -EINVAL);
	assert_int_equal(rule_check(&with, SLABSTAT_SHEAF_CAPACITY, 0, &why), -EINVAL);
	assert_non_null(why);
	assert_int_equal(rule_check(&without, SLABSTAT_SHEAF_CAPACITY, 10, &why), -EINVAL);
}

static void test_table(void **state)
{
	size_t n = 0;

	(void)state;
	for (int f, i = 0; (f = rule_field((size_t)i)) >= 0; i++) {
		const struct slabstat_field_info *info =
			slabstat_field_info((enum slabstat_field)f);

		n += !rule_of_program((enum slabstat_field)f);
		assert_true(info->kind == SLABSTAT_KIND_TUNABLE ||
			    rule_of_program((enum slabstat_field)f));
		assert_true(rule_exists((enum slabstat_field)f));
		assert_non_null(rule_attribute((enum slabstat_field)f));
	}
	for (int f = 0; f < SLABSTAT_NFIELDS; f++) {
		const struct slabstat_field_info *info =
			slabstat_field_info((enum slabstat_field)f);

		if (info->kind == SLABSTAT_KIND_TUNABLE && info->sysfs)
			n--;
	}
	assert_int_equal(n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_cpu_partial_is_retired_or_debug),
		cmocka_unit_test(test_failslab_is_for_one_user),
		cmocka_unit_test(test_min_partial_is_clamped_before_5_17),
		cmocka_unit_test(test_standard_values),
		cmocka_unit_test(test_what_is_unknown_is_not_guessed),
		cmocka_unit_test(test_validate_wants_a_debug_cache_since_6_1),
		cmocka_unit_test(test_programs),
		cmocka_unit_test(test_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
