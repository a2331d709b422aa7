// SPDX-License-Identifier: MIT
/* merged_test.c - caches that one recording merges and another keeps apart count together. */
#include "cmocka_all.h"
#include "slabstat/merged.h"

static void add(struct merged *m, const char *label, const char *const *user)
{
	assert_int_equal(merged_cache(m, label), 0);
	for (; user && *user; user++)
		assert_int_equal(merged_share(m, label, *user), 0);
}

static void test_a_cache_alone_keeps_its_name(void **state)
{
	struct merged *m = merged_new();

	(void)state;
	add(m, "dentry", NULL);
	assert_string_equal(merged_label(m, "dentry"), "dentry");
	assert_string_equal(merged_label(m, "never seen"), "never seen");
	merged_free(m);
}

static void test_merged_alike_everywhere(void **state)
{
	static const char *const users[] = { "a", "b", "c", NULL };
	struct merged *m = merged_new();

	(void)state;
	add(m, "b", users);
	add(m, "b", users);
	assert_string_equal(merged_label(m, "b"), "b");
	merged_free(m);
}

static void test_merged_here_and_apart_there(void **state)
{
	static const char *const users[] = { "a", "b", "c", NULL };
	struct merged *m = merged_new();

	(void)state;
	for (int i = 0; i < 4; i++)
		add(m, (const char *[]){ "a", "b", "c", "other" }[i], NULL);
	add(m, "b", users);
	for (int i = 0; i < 3; i++)
		assert_string_equal(merged_label(m, users[i]), "b (+2)");
	assert_string_equal(merged_label(m, "other"), "other");
	merged_free(m);
}

/* Different mergings on two kernels: what overlaps is one set. */
static void test_sets_that_overlap(void **state)
{
	static const char *const one[] = { "a", "b", NULL }, *const two[] = { "b", "c", "d", NULL };
	struct merged *m = merged_new();

	(void)state;
	add(m, "a", one);
	add(m, "c", two);
	for (int i = 0; i < 3; i++)
		assert_string_equal(merged_label(m, two[i]), "c (+1)");
	assert_string_equal(merged_label(m, "a"), "c (+1)");
	merged_free(m);
	merged_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_cache_alone_keeps_its_name),
		cmocka_unit_test(test_merged_alike_everywhere),
		cmocka_unit_test(test_merged_here_and_apart_there),
		cmocka_unit_test(test_sets_that_overlap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
