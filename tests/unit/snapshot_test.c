// SPDX-License-Identifier: MIT
/* snapshot_test.c - what a source said, in one order, found by name, never zero where absent. */
#include "cmocka_all.h"
#include "slabstat/snapshot.h"

#include <stdio.h>
#include <string.h>

static struct slabstat_cache *add(struct slabstat_snapshot *s, const char *name)
{
	struct slabstat_cache *c = snapshot_add(s, name, strlen(name));

	assert_non_null(c);
	return c;
}

static struct slabstat_snapshot *start(void)
{
	struct slabstat_snapshot *s = snapshot_new(SLABSTAT_SOURCE_SYSFS);

	assert_non_null(s);
	return s;
}

static void test_order_is_by_name_not_by_source(void **state)
{
	static const char *const given[] = { "zebra", "b", "B", "a", ":0000064", "A", "b" };
	static const char *const wanted[] = { ":0000064", "A", "a", "B", "b", "b", "zebra" };
	struct slabstat_snapshot *s = start();

	(void)state;
	for (size_t i = 0; i < 7; i++)
		add(s, given[i]);
	assert_int_equal(snapshot_finish(s), 0);
	assert_int_equal(slabstat_snapshot_count(s), 7);
	for (size_t i = 0; i < 7; i++)
		assert_string_equal(slabstat_cache_name(slabstat_snapshot_cache(s, i)), wanted[i]);
	assert_null(slabstat_snapshot_cache(s, 7));
	assert_int_equal(slabstat_snapshot_notes(s)->repeats, 1);
	slabstat_snapshot_free(s);
}

static void test_equal_names_keep_the_order_of_the_source(void **state)
{
	struct slabstat_snapshot *s = start();

	(void)state;
	for (uint64_t i = 0; i < 20; i++)
		cache_set(add(s, "same"), SLABSTAT_SLABS, i, SLABSTAT_EXACT);
	assert_int_equal(snapshot_finish(s), 0);
	for (size_t i = 0; i < 20; i++)
		assert_int_equal(
			slabstat_cache_or(slabstat_snapshot_cache(s, i), SLABSTAT_SLABS, 99), i);
	assert_ptr_equal(slabstat_snapshot_find(s, "same"), slabstat_snapshot_cache(s, 0));
	slabstat_snapshot_free(s);
}

static void test_absent_is_not_zero(void **state)
{
	struct slabstat_snapshot *s = start();
	struct slabstat_cache *c = add(s, "dentry");
	const struct slabstat_cache *found;
	uint64_t value = 77;

	(void)state;
	cache_set(c, SLABSTAT_PARTIAL, 0, SLABSTAT_EXACT);
	assert_int_equal(snapshot_finish(s), 0);
	found = slabstat_snapshot_find(s, "dentry");
	assert_int_equal(slabstat_cache_value(found, SLABSTAT_OBJECTS, &value), SLABSTAT_ABSENT);
	assert_int_equal(value, 77);
	assert_int_equal(slabstat_cache_or(found, SLABSTAT_OBJECTS, 5), 5);
	assert_int_equal(slabstat_cache_value(found, SLABSTAT_PARTIAL, &value), SLABSTAT_EXACT);
	assert_int_equal(value, 0);
	assert_int_equal(slabstat_snapshot_has(s, SLABSTAT_PARTIAL), SLABSTAT_EXACT);
	assert_int_equal(slabstat_snapshot_has(s, SLABSTAT_OBJECTS), SLABSTAT_ABSENT);
	assert_int_equal(slabstat_cache_value(found, SLABSTAT_NFIELDS, &value), SLABSTAT_ABSENT);
	assert_null(slabstat_cache_ctor(found));
	slabstat_snapshot_free(s);
}

static void test_why_absent_goes_down_to_the_cause(void **state)
{
	struct slabstat_snapshot *s = start();

	(void)state;
	add(s, "dentry");
	snapshot_why(s, SLABSTAT_OBJECT_SIZE, "the reason");
	snapshot_why(s, SLABSTAT_OBJECT_SIZE, "a later reason");
	cache_set(s->cache[0], SLABSTAT_OBJECTS, 3, SLABSTAT_EXACT);
	assert_int_equal(snapshot_finish(s), 0);
	assert_string_equal(slabstat_snapshot_why_absent(s, SLABSTAT_OBJECT_SIZE), "the reason");
	assert_string_equal(slabstat_snapshot_why_absent(s, SLABSTAT_USED), "the reason");
	assert_null(slabstat_snapshot_why_absent(s, SLABSTAT_OBJECTS));
	assert_null(slabstat_snapshot_why_absent(s, SLABSTAT_NFIELDS));
	slabstat_snapshot_free(s);
}

static void test_best_quality_is_reported(void **state)
{
	struct slabstat_snapshot *s = start();

	(void)state;
	cache_set(add(s, "a"), SLABSTAT_SLABS, 1, SLABSTAT_ESTIMATE);
	cache_set(add(s, "b"), SLABSTAT_SLABS, 1, SLABSTAT_LOWER);
	assert_int_equal(snapshot_finish(s), 0);
	assert_int_equal(slabstat_snapshot_has(s, SLABSTAT_SLABS), SLABSTAT_LOWER);
	slabstat_snapshot_free(s);
}

static void test_dropped_caches_are_gone(void **state)
{
	struct slabstat_snapshot *s = start();

	(void)state;
	add(s, "a");
	add(s, "b");
	add(s, "c");
	add(s, "d");
	snapshot_drop(s, 1);
	snapshot_drop(s, 2);
	assert_int_equal(snapshot_finish(s), 0);
	assert_int_equal(slabstat_snapshot_count(s), 2);
	assert_non_null(slabstat_snapshot_find(s, "a"));
	assert_null(slabstat_snapshot_find(s, "b"));
	assert_non_null(slabstat_snapshot_find(s, "d"));
	slabstat_snapshot_free(s);
}

static void test_shares_rise_by_index(void **state)
{
	static const unsigned given[] = { 7, 0, 300, 2, 1 }, wanted[] = { 0, 1, 2, 7, 300 };
	struct slabstat_snapshot *s = start();
	struct slabstat_cache *c = add(s, "dentry");
	const struct slabstat_share *share;
	size_t n;

	(void)state;
	cache_set(c, SLABSTAT_SLABS, 310, SLABSTAT_EXACT);
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(snapshot_share(s, c, SLABSTAT_SLABS, given[i], given[i] + 1), 0);
	assert_int_equal(snapshot_share(s, c, SLABSTAT_PARTIAL, 0, 1), 0);
	assert_int_equal(snapshot_finish(s), 0);
	share = slabstat_cache_shares(c, SLABSTAT_SLABS, &n);
	assert_int_equal(n, 5);
	for (size_t i = 0; i < 5; i++) {
		assert_int_equal(share[i].index, wanted[i]);
		assert_int_equal(share[i].value, wanted[i] + 1);
	}
	/* Shares of a total that is absent are not shown either. */
	assert_null(slabstat_cache_shares(c, SLABSTAT_PARTIAL, &n));
	assert_int_equal(n, 0);
	slabstat_snapshot_free(s);
}

static void test_ten_thousand_are_found(void **state)
{
	struct slabstat_snapshot *s = start();
	char name[32];

	(void)state;
	for (unsigned i = 0; i < 10000; i++) {
		snprintf(name, sizeof(name), "cache-%u", i * 7919 % 10000);
		cache_set(add(s, name), SLABSTAT_SLABS, i * 7919 % 10000, SLABSTAT_EXACT);
	}
	assert_int_equal(snapshot_finish(s), 0);
	for (unsigned i = 0; i < 10000; i++) {
		snprintf(name, sizeof(name), "cache-%u", i);
		assert_int_equal(
			slabstat_cache_or(slabstat_snapshot_find(s, name), SLABSTAT_SLABS, 0), i);
	}
	assert_null(slabstat_snapshot_find(s, "cache-10000"));
	slabstat_snapshot_free(s);
}

static void test_nothing_is_a_snapshot_too(void **state)
{
	struct slabstat_snapshot *s = start();

	(void)state;
	assert_int_equal(snapshot_finish(s), 0);
	assert_int_equal(slabstat_snapshot_count(s), 0);
	assert_null(slabstat_snapshot_find(s, "dentry"));
	assert_null(slabstat_snapshot_reported(s));
	assert_int_equal(slabstat_snapshot_has(s, SLABSTAT_SLABS), SLABSTAT_ABSENT);
	slabstat_snapshot_free(s);
	slabstat_snapshot_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order_is_by_name_not_by_source),
		cmocka_unit_test(test_equal_names_keep_the_order_of_the_source),
		cmocka_unit_test(test_absent_is_not_zero),
		cmocka_unit_test(test_why_absent_goes_down_to_the_cause),
		cmocka_unit_test(test_best_quality_is_reported),
		cmocka_unit_test(test_dropped_caches_are_gone),
		cmocka_unit_test(test_shares_rise_by_index),
		cmocka_unit_test(test_ten_thousand_are_found),
		cmocka_unit_test(test_nothing_is_a_snapshot_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
