// SPDX-License-Identifier: MIT
/* select_test.c - the right rows, in the right order, and folds that lose nothing. */
#include "caches.h"

#include <errno.h>
#include <stdio.h>

static struct slabstat *h;

static struct slabstat_rows *rows_of(const struct slabstat_snapshot *s,
				     const struct slabstat_select *how)
{
	struct slabstat_rows *rows = NULL;

	assert_int_equal(slabstat_select(h, s, how, &rows), 0);
	return rows;
}

/* The labels of the rows, in one string. */
static void assert_rows(const struct slabstat_snapshot *s, const struct slabstat_select *how,
			const char *labels)
{
	struct slabstat_rows *rows = rows_of(s, how);
	char text[400] = "";

	for (size_t i = 0; i < slabstat_rows_count(rows); i++) {
		const struct slabstat_cache *c = slabstat_rows_caches(rows)[i];

		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", i ? " " : "",
			 c->label);
	}
	assert_string_equal(text, labels);
	slabstat_rows_free(rows);
}

#define N 7

static const char *merged[] = { "kernfs_node_cache", "vmap_area" };

static void make(struct slabstat_cache **c)
{
	c[0] = alias_to(cache_of(":0000136", { SLABSTAT_SLABS, 30 }, { SLABSTAT_OBJECTS, 5 }),
			merged, 2);
	c[1] = cache_of("Acpi-State", { SLABSTAT_SLABS, 1 }, { SLABSTAT_OBJECTS, 5 });
	c[2] = cache_of("dentry", { SLABSTAT_SLABS, 30 }, { SLABSTAT_OBJECTS, 9 });
	c[3] = cache_of("kmalloc-64", { SLABSTAT_SLABS, 20 }, { SLABSTAT_OBJECTS, 1 },
			{ SLABSTAT_ORDER, 0 }, { SLABSTAT_TOTAL_OBJECTS, 4 });
	c[4] = cache_of("kmalloc-cg-64", { SLABSTAT_SLABS, UINT64_MAX }, { SLABSTAT_OBJECTS, 2 },
			{ SLABSTAT_ORDER, 0 }, { SLABSTAT_TOTAL_OBJECTS, 4 });
	c[5] = cache_of("kmalloc-8k", { SLABSTAT_OBJECTS, 3 }, { SLABSTAT_ORDER, 3 },
			{ SLABSTAT_TOTAL_OBJECTS, 4 });
	c[6] = cache_of("dentry", { SLABSTAT_SLABS, 2 }, { SLABSTAT_OBJECTS, 8 });
}

static void test_order(void **state)
{
	static const struct slabstat_sort_key by_slabs[] = { { SLABSTAT_SLABS, false } };
	static const struct slabstat_sort_key up_slabs[] = { { SLABSTAT_SLABS, true } };
	static const struct slabstat_sort_key two[] = { { SLABSTAT_OBJECTS, true },
							{ SLABSTAT_SORT_LABEL, false } };
	struct slabstat_cache *c[N];
	struct slabstat_snapshot s;

	(void)state;
	make(c);
	s = snapshot_of(c, N);
	assert_rows(&s, &(struct slabstat_select){ 0 },
		    "Acpi-State dentry dentry kernfs_node_cache kmalloc-64 kmalloc-8k "
		    "kmalloc-cg-64");
	assert_rows(&s, &(struct slabstat_select){ .reverse = true },
		    "kmalloc-cg-64 kmalloc-8k kmalloc-64 kernfs_node_cache dentry dentry "
		    "Acpi-State");
	/* kmalloc-8k has no slabs: last in either direction. */
	assert_rows(&s, &(struct slabstat_select){ .sort = by_slabs, .sort_count = 1 },
		    "kmalloc-cg-64 dentry kernfs_node_cache kmalloc-64 dentry Acpi-State "
		    "kmalloc-8k");
	assert_rows(
		&s, &(struct slabstat_select){ .sort = by_slabs, .sort_count = 1, .reverse = true },
		"Acpi-State dentry kmalloc-64 kernfs_node_cache dentry kmalloc-cg-64 kmalloc-8k");
	assert_rows(&s, &(struct slabstat_select){ .sort = up_slabs, .sort_count = 1 },
		    "Acpi-State dentry kmalloc-64 dentry kernfs_node_cache kmalloc-cg-64 "
		    "kmalloc-8k");
	assert_rows(&s, &(struct slabstat_select){ .sort = two, .sort_count = 2, .top = 5 },
		    "kmalloc-64 kmalloc-cg-64 kmalloc-8k kernfs_node_cache Acpi-State");
	caches_free(c, N);
}

static bool has_order(const struct slabstat_cache *c, void *arg)
{
	return cache_has(c, *(enum slabstat_field *)arg);
}

static void test_filters(void **state)
{
	static const char *const some[] = { "^kmalloc-(64|8k)$", "^vmap" };
	static const char *const bad[] = { "(" };
	enum slabstat_field field = SLABSTAT_ORDER;
	struct slabstat_cache *c[N];
	struct slabstat_snapshot s;
	struct slabstat_rows *rows;

	(void)state;
	make(c);
	s = snapshot_of(c, N);
	/* Any alias finds the cache; several regexes add up. */
	assert_rows(&s, &(struct slabstat_select){ .match = some, .match_count = 2 },
		    "kernfs_node_cache kmalloc-64 kmalloc-8k");
	assert_rows(&s, &(struct slabstat_select){ .pattern = "0136" }, "kernfs_node_cache");
	assert_rows(&s, &(struct slabstat_select){ .pattern = "acpi" }, "Acpi-State");
	/* Basic: a plus is a plus. */
	assert_rows(&s, &(struct slabstat_select){ .pattern = "k+" }, "");
	assert_rows(
		&s,
		&(struct slabstat_select){ .pattern = "kmalloc", .match = some, .match_count = 2 },
		"kmalloc-64 kmalloc-8k");
	assert_rows(&s, &(struct slabstat_select){ .keep = has_order, .arg = &field },
		    "kmalloc-64 kmalloc-8k kmalloc-cg-64");

	assert_int_equal(
		slabstat_select(h, &s, &(struct slabstat_select){ .match = bad, .match_count = 1 },
				&rows),
		-EINVAL);
	assert_null(rows);
	assert_non_null(strstr(slabstat_error(h)->text, "'('"));
	assert_int_equal(slabstat_select(h, &s, &(struct slabstat_select){ .pattern = "[" }, &rows),
			 -EINVAL);
	caches_free(c, N);
}

static void test_families(void **state)
{
	static const struct slabstat_sort_key by_objects[] = { { SLABSTAT_OBJECTS, false } };
	struct slabstat_select how = { .families = true, .sort = by_objects, .sort_count = 1 };
	const struct slabstat_cache *const *members;
	const struct slabstat_cache *fold;
	struct slabstat_cache *c[N];
	struct slabstat_snapshot s;
	struct slabstat_rows *rows;

	(void)state;
	make(c);
	s = snapshot_of(c, N);
	assert_rows(&s, &how, "dentry kmalloc-* Acpi-State kernfs_node_cache");
	rows = rows_of(&s, &how);
	assert_int_equal(slabstat_rows_matched(rows), 4);
	fold = slabstat_rows_caches(rows)[1];
	assert_int_equal(slabstat_rows_members(rows, 1, &members), 3);
	assert_ptr_equal(members[0], c[3]);
	assert_ptr_equal(members[2], c[5]);
	assert_int_equal(value_of(fold, SLABSTAT_OBJECTS), 6);
	/* One member has no slabs: what is known is the least there is. */
	assert_true(value_of(fold, SLABSTAT_SLABS) == UINT64_MAX);
	assert_int_equal(fold->quality[SLABSTAT_SLABS], SLABSTAT_LOWER);
	/* Orders differ: the family has none. */
	assert_false(cache_has(fold, SLABSTAT_ORDER));
	assert_int_equal(value_of(fold, SLABSTAT_FILL_PERCENT), 50);
	/* A cache alone stays itself. */
	assert_int_equal(slabstat_rows_members(rows, 3, &members), 1);
	assert_ptr_equal(members[0], c[0]);
	assert_ptr_equal(slabstat_rows_caches(rows)[3], c[0]);
	slabstat_rows_free(rows);
	caches_free(c, N);
}

static void test_shares_fold_too(void **state)
{
	struct slabstat_share one[] = { { 0, 4 }, { 2, 6 } },
			      two[] = { { 0, 1 }, { 1, 2 }, { 5, 3 } };
	struct share_list first = { .field = SLABSTAT_SLABS, .count = 2, .share = one };
	struct share_list second = { .field = SLABSTAT_SLABS, .count = 3, .share = two };
	struct slabstat_cache *c[2] = { cache_of("bio-1", { SLABSTAT_SLABS, 10 }),
					cache_of("bio-2", { SLABSTAT_SLABS, 6 }) };
	struct slabstat_snapshot s = snapshot_of(c, 2);
	struct slabstat_rows *rows;
	const struct share_list *list;

	(void)state;
	c[0]->shares = &first;
	c[1]->shares = &second;
	rows = rows_of(&s, &(struct slabstat_select){ .families = true });
	list = slabstat_rows_caches(rows)[0]->shares;
	assert_int_equal(list->count, 4);
	assert_int_equal(list->share[0].value, 5);
	assert_int_equal(list->share[1].index, 1);
	assert_int_equal(list->share[2].value, 6);
	assert_int_equal(list->share[3].index, 5);
	assert_null(list->next);
	slabstat_rows_free(rows);
	caches_free(c, 2);
}

/* Fold, sort or cut as you like: sums over all rows are sums over all caches. */
static void test_fold_sums_are_sums_of_members(void **state)
{
	static const char *const stems[] = { "kmalloc-", "kmalloc-cg-", "bio-", "x", "v", "a_" };
	enum { COUNT = 500 };
	struct slabstat_cache **c = test_calloc(COUNT, sizeof(*c));
	char (*names)[32] = test_calloc(COUNT, sizeof(*names));
	struct slabstat_snapshot s;
	struct slabstat_rows *rows;
	uint64_t seed = 7;

	(void)state;
	for (size_t i = 0; i < COUNT; i++) {
		snprintf(names[i], sizeof(names[i]), "%s%u", stems[random_next(&seed) % 6],
			 (unsigned)(random_next(&seed) % 64));
		c[i] = cache_of(names[i], { SLABSTAT_OBJECTS, random_next(&seed) % 100000 });
		for (unsigned f = 0; f < SLABSTAT_NFIELDS; f++)
			if (random_next(&seed) % 4)
				cache_set(c[i], f, random_next(&seed) % 1000000,
					  1 + random_next(&seed) % 4);
	}
	s = snapshot_of(c, COUNT);
	rows = rows_of(&s, &(struct slabstat_select){ .families = true });
	assert_true(slabstat_rows_count(rows) < COUNT / 2);
	for (unsigned f = SLABSTAT_OBJECTS; f <= SLABSTAT_DEFRAG; f++) {
		struct slabstat_sum folded = slabstat_sum_caches(slabstat_rows_caches(rows),
								 slabstat_rows_count(rows), f);
		struct slabstat_sum plain = slabstat_sum_caches(
			(const struct slabstat_cache *const *)c, COUNT, f);

		if (f >= SLABSTAT_LIMIT && f <= SLABSTAT_SHAREDFACTOR)
			continue;	/* tunables are not added up */
		assert_true(folded.sum == plain.sum);
		assert_int_equal(folded.quality == SLABSTAT_EXACT, plain.quality == SLABSTAT_EXACT);
	}
	slabstat_rows_free(rows);
	caches_free(c, COUNT);
	test_free(c);
	test_free(names);
}

static void test_nothing(void **state)
{
	struct slabstat_snapshot s = { .sealed = true };
	struct slabstat_rows *rows;

	(void)state;
	rows = rows_of(&s, &(struct slabstat_select){ .families = true, .top = 3 });
	assert_int_equal(slabstat_rows_count(rows), 0);
	slabstat_rows_free(rows);
	rows = rows_of(&s, &(struct slabstat_select){ .pattern = "a" });
	assert_int_equal(slabstat_rows_matched(rows), 0);
	slabstat_rows_free(rows);
	slabstat_rows_free(NULL);
}

static int open_handle(void **state)
{
	(void)state;
	h = slabstat_new();
	return h ? 0 : -1;
}

static int close_handle(void **state)
{
	(void)state;
	slabstat_free(h);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_filters),
		cmocka_unit_test(test_families),
		cmocka_unit_test(test_shares_fold_too),
		cmocka_unit_test(test_fold_sums_are_sums_of_members),
		cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests(tests, open_handle, close_handle);
}
