// SPDX-License-Identifier: MIT
/* alias_test.c - links find their caches, and caches get the name that people know them by. */
#include "cmocka_all.h"
#include "slabstat/alias.h"

#include <stdio.h>
#include <string.h>

static struct slabstat_snapshot *with_caches(const char *const *names, size_t n)
{
	struct slabstat_snapshot *s = snapshot_new(SLABSTAT_SOURCE_SYSFS);

	assert_non_null(s);
	for (size_t i = 0; i < n; i++)
		assert_non_null(snapshot_add(s, names[i], strlen(names[i])));
	return s;
}

static void test_target_is_its_last_component(void **state)
{
	(void)state;
	assert_string_equal(alias_target(":0000064"), ":0000064");
	assert_string_equal(alias_target("../../sys/kernel/slab/:0000064"), ":0000064");
	assert_string_equal(alias_target("/"), "");
}

static void test_aliases_in_order_and_label_the_first(void **state)
{
	static const char *const caches[] = { "plain", ":0000064", ":A-0000128" };
	struct slabstat_snapshot *s = with_caches(caches, 3);
	const struct slabstat_cache *c;

	(void)state;
	assert_int_equal(snapshot_link(s, "zoo", ":0000064"), 0);
	assert_int_equal(snapshot_link(s, "Ant", ":0000064"), 0);
	assert_int_equal(snapshot_link(s, "bee", "./:0000064"), 0);
	assert_int_equal(snapshot_link(s, "other", "plain"), 0);
	assert_int_equal(snapshot_finish(s), 0);

	c = slabstat_snapshot_find(s, ":0000064");
	assert_int_equal(slabstat_cache_alias_count(c), 3);
	assert_string_equal(slabstat_cache_alias(c, 0), "Ant");
	assert_string_equal(slabstat_cache_alias(c, 1), "bee");
	assert_string_equal(slabstat_cache_alias(c, 2), "zoo");
	assert_null(slabstat_cache_alias(c, 3));
	assert_string_equal(slabstat_cache_label(c), "Ant");
	assert_ptr_equal(slabstat_snapshot_find(s, "bee"), c);
	assert_null(slabstat_snapshot_find(s, "ant"));

	/* A cache with a name of its own keeps it; an id without a user has nothing better. */
	assert_string_equal(slabstat_cache_label(slabstat_snapshot_find(s, "other")), "plain");
	assert_string_equal(slabstat_cache_label(slabstat_snapshot_find(s, ":A-0000128")),
			    ":A-0000128");
	slabstat_snapshot_free(s);
}

static void test_dangling_links_are_counted(void **state)
{
	static const char *const caches[] = { ":0000064" };
	struct slabstat_snapshot *s = with_caches(caches, 1), *empty = with_caches(NULL, 0);

	(void)state;
	assert_int_equal(snapshot_link(s, "a", ":0000064"), 0);
	assert_int_equal(snapshot_link(s, "b", ":0000072"), 0);
	assert_int_equal(snapshot_finish(s), 0);
	assert_int_equal(slabstat_snapshot_notes(s)->dangling, 1);
	assert_null(slabstat_snapshot_find(s, "b"));
	slabstat_snapshot_free(s);

	assert_int_equal(snapshot_link(empty, "a", ":0000064"), 0);
	assert_int_equal(snapshot_finish(empty), 0);
	assert_int_equal(slabstat_snapshot_notes(empty)->dangling, 1);
	assert_null(slabstat_snapshot_find(empty, "a"));
	slabstat_snapshot_free(empty);
}

static void test_thousands_of_links(void **state)
{
	static const char *const caches[] = { ":0000064", ":0000128" };
	struct slabstat_snapshot *s = with_caches(caches, 2);
	char name[32];

	(void)state;
	for (unsigned i = 0; i < 5000; i++) {
		snprintf(name, sizeof(name), "user-%u", i);
		assert_int_equal(snapshot_link(s, name, caches[i % 2]), 0);
	}
	assert_int_equal(snapshot_finish(s), 0);
	assert_int_equal(slabstat_cache_alias_count(slabstat_snapshot_cache(s, 0)), 2500);
	assert_string_equal(slabstat_cache_name(slabstat_snapshot_find(s, "user-4999")),
			    ":0000128");
	slabstat_snapshot_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_target_is_its_last_component),
		cmocka_unit_test(test_aliases_in_order_and_label_the_first),
		cmocka_unit_test(test_dangling_links_are_counted),
		cmocka_unit_test(test_thousands_of_links),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
