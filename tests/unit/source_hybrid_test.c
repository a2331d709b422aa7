// SPDX-License-Identifier: MIT
/* source_hybrid_test.c - rows and directories are put together where they are one for sure. */
#include "cmocka_all.h"
#include "rootdir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define V21 "slabinfo - version: 2.1\n"
#define SLUB(name, active, total, size, per, pages, slabs)                                  \
	name " " #active " " #total " " #size " " #per " " #pages " : tunables 0 0 0 : slabdata " \
	#slabs " " #slabs " 0\n"
#define LAYOUT(object, slot, per) \
	"object_size=" #object ";slab_size=" #slot ";objs_per_slab=" #per \
	";order=0;reclaim_account=1;"
/* What no row may be overruled by: a test that finds one of these has read it from here. */
#define OTHER "objects=7;total_objects=77;slabs=9;objects_partial=3;"

static int setup(void **state)
{
	*state = calloc(1, sizeof(struct rootdir));
	rootdir_make(*state);
	rootdir_file(*state, "proc/version", "Linux version 6.18.44 (x) #1\n");
	return 0;
}

static int teardown(void **state)
{
	rootdir_remove(*state);
	free(*state);
	return 0;
}

/* As of one moment, like the running kernel. */
static struct slabstat_snapshot *read_joined(const struct rootdir *r, unsigned flags)
{
	return rootdir_read(r, SLABSTAT_SOURCE_HYBRID, flags, NULL);
}

static void test_counts_come_from_the_row(void **state)
{
	struct rootdir *r = *state;
	struct slabstat_snapshot *s;

	rootdir_cache(r, "dentry", LAYOUT(190, 192, 21) OTHER "partial=4 N0=4");
	rootdir_file(r, "proc/slabinfo", V21 SLUB("dentry", 500, 525, 192, 21, 1, 25));
	s = read_joined(r, 0);
	assert_int_equal(slabstat_snapshot_count(s), 1);
	assert_int_equal(number(s, "dentry", SLABSTAT_OBJECTS), 500);
	assert_int_equal(number(s, "dentry", SLABSTAT_TOTAL_OBJECTS), 525);
	assert_int_equal(number(s, "dentry", SLABSTAT_SLABS), 25);
	assert_int_equal(number(s, "dentry", SLABSTAT_ORDER), 0);
	assert_int_equal(number(s, "dentry", SLABSTAT_OBJECT_SIZE), 190);
	assert_int_equal(number(s, "dentry", SLABSTAT_PARTIAL), 4);
	/* 25 free objects, all on the 4 partial slabs of 21. */
	assert_int_equal(number(s, "dentry", SLABSTAT_OBJECTS_PARTIAL), 4 * 21 - 25);
	assert_int_equal(quality(s, "dentry", SLABSTAT_OBJECTS_PARTIAL), SLABSTAT_EXACT);
	assert_int_equal(number(s, "dentry", SLABSTAT_USED), 500 * 190);
	assert_int_equal(number(s, "dentry", SLABSTAT_FREE) +
				 number(s, "dentry", SLABSTAT_PADDING) +
				 number(s, "dentry", SLABSTAT_TAIL),
			 number(s, "dentry", SLABSTAT_LOSS));
	assert_int_equal(slabstat_snapshot_notes(s)->unjoined, 0);
	slabstat_snapshot_free(s);
}

static void test_merged_caches_join_by_any_alias(void **state)
{
	struct rootdir *r = *state;
	struct slabstat_snapshot *s;

	rootdir_cache(r, ":A-0000192", LAYOUT(190, 192, 21) OTHER "partial=2");
	rootdir_alias(r, "cred_jar", ":A-0000192");
	rootdir_alias(r, "bio!x", ":A-0000192");
	rootdir_file(r, "proc/slabinfo", V21 SLUB("bio/x", 500, 525, 192, 21, 1, 25));
	s = read_joined(r, 0);
	assert_int_equal(slabstat_snapshot_count(s), 1);
	assert_int_equal(number(s, "cred_jar", SLABSTAT_OBJECTS), 500);
	slabstat_snapshot_free(s);
}

static void test_a_row_of_another_layout_is_not_it(void **state)
{
	struct rootdir *r = *state;
	struct slabstat_snapshot *s;

	rootdir_cache(r, "dentry", LAYOUT(190, 192, 21) OTHER "partial=2");
	rootdir_file(r, "proc/slabinfo", V21 SLUB("dentry", 500, 512, 256, 16, 1, 32));
	s = read_joined(r, 0);
	assert_int_equal(slabstat_snapshot_count(s), 1);
	assert_int_equal(number(s, "dentry", SLABSTAT_OBJECTS), 7);
	assert_int_equal(number(s, "dentry", SLABSTAT_OBJECTS_PARTIAL), 3);
	assert_int_equal(slabstat_snapshot_notes(s)->unjoined, 1);
	slabstat_snapshot_free(s);
}

static void test_two_rows_that_fit_join_none(void **state)
{
	struct rootdir *r = *state;
	struct slabstat_snapshot *s;

	rootdir_cache(r, "mlx5_fs", LAYOUT(190, 192, 21) OTHER "partial=2");
	rootdir_file(r, "proc/slabinfo", V21 SLUB("mlx5_fs", 500, 525, 192, 21, 1, 25)
		     SLUB("other", 1, 21, 192, 21, 1, 1) SLUB("mlx5_fs", 400, 420, 192, 21, 1, 20));
	s = read_joined(r, 0);
	/* One of the two rows is the directory; the other is a cache without one. */
	assert_int_equal(slabstat_snapshot_count(s), 3);
	assert_int_equal(slabstat_snapshot_notes(s)->unjoined, 1);
	assert_int_equal(slabstat_snapshot_notes(s)->repeats, 1);
	slabstat_snapshot_free(s);
}

static void test_layout_tells_equal_names_apart(void **state)
{
	struct rootdir *r = *state;
	struct slabstat_snapshot *s;

	rootdir_cache(r, "twin", LAYOUT(190, 192, 21) OTHER "partial=2");
	rootdir_file(r, "proc/slabinfo", V21 SLUB("twin", 50, 64, 128, 32, 1, 2)
		     SLUB("twin", 500, 525, 192, 21, 1, 25));
	s = read_joined(r, 0);
	assert_int_equal(slabstat_snapshot_count(s), 2);
	assert_int_equal(number(s, "twin", SLABSTAT_OBJECTS), 500);
	assert_int_equal(slabstat_snapshot_notes(s)->unjoined, 0);
	slabstat_snapshot_free(s);
}

static void test_each_half_may_have_what_the_other_lacks(void **state)
{
	struct rootdir *r = *state;
	struct slabstat_snapshot *s;

	rootdir_cache(r, "only_dir", LAYOUT(190, 192, 21) OTHER "partial=2");
	rootdir_file(r, "proc/slabinfo", V21 SLUB("only_row", 500, 525, 192, 21, 1, 25));
	s = read_joined(r, 0);
	assert_int_equal(slabstat_snapshot_count(s), 2);
	assert_int_equal(number(s, "only_dir", SLABSTAT_OBJECTS), 7);
	assert_int_equal(number(s, "only_row", SLABSTAT_OBJECTS), 500);
	assert_int_equal(quality(s, "only_row", SLABSTAT_OBJECT_SIZE), SLABSTAT_ABSENT);
	slabstat_snapshot_free(s);
}

static void test_races_between_the_halves(void **state)
{
	struct rootdir *r = *state;
	struct slabstat_snapshot *s;

	rootdir_cache(r, "grew", LAYOUT(190, 192, 21) OTHER "partial=40");
	rootdir_cache(r, "emptied", LAYOUT(190, 192, 21) OTHER "partial=0");
	rootdir_cache(r, "full", LAYOUT(190, 192, 21) OTHER "partial=5");
	rootdir_file(r, "proc/slabinfo",
		     V21 SLUB("grew", 500, 525, 192, 21, 1, 25)
			     SLUB("emptied", 500, 525, 192, 21, 1, 25)
				     SLUB("full", 525, 525, 192, 21, 1, 25));
	s = read_joined(r, 0);
	assert_int_equal(number(s, "grew", SLABSTAT_PARTIAL), 25);
	assert_int_equal(number(s, "grew", SLABSTAT_OBJECTS_PARTIAL), 500);
	assert_int_equal(quality(s, "grew", SLABSTAT_OBJECTS_PARTIAL), SLABSTAT_ESTIMATE);
	assert_int_equal(number(s, "emptied", SLABSTAT_OBJECTS_PARTIAL), 0);
	assert_int_equal(quality(s, "emptied", SLABSTAT_OBJECTS_PARTIAL), SLABSTAT_ESTIMATE);
	/*
	 * No free object in the row: at its moment there was no partial slab, whatever came later.
	 */
	assert_int_equal(number(s, "full", SLABSTAT_PARTIAL), 0);
	assert_int_equal(number(s, "full", SLABSTAT_OBJECTS_PARTIAL), 0);
	assert_int_equal(quality(s, "full", SLABSTAT_OBJECTS_PARTIAL), SLABSTAT_EXACT);
	assert_int_equal(slabstat_snapshot_notes(s)->clamped, 2);
	slabstat_snapshot_free(s);
}

/* Slabs of a lower order hold fewer objects, and how many of them are partial nothing tells. */
static void test_fallback_slabs_make_it_an_estimate(void **state)
{
	struct rootdir *r = *state;
	struct slabstat_snapshot *s;

	rootdir_cache(r, "dentry", LAYOUT(190, 192, 42) OTHER "partial=4");
	rootdir_file(r, "proc/slabinfo", V21 SLUB("dentry", 500, 525, 192, 42, 2, 25));
	s = read_joined(r, 0);
	assert_int_equal(quality(s, "dentry", SLABSTAT_OBJECTS_PARTIAL), SLABSTAT_ESTIMATE);
	assert_int_equal(quality(s, "dentry", SLABSTAT_FOOTPRINT), SLABSTAT_UPPER);
	slabstat_snapshot_free(s);
}

#define HOLES SLUB("holes", 900000, 1050000, 192, 21, 1, 50000)

static void test_sampled_lists(void **state)
{
	struct rootdir *r = *state;
	struct slabstat_snapshot *s;

	rootdir_file(r, "proc/slabinfo", V21 HOLES);
	rootdir_cache(
		r, "holes",
		LAYOUT(190, 192, 21) "objects=900123;objects_partial=9;partial=20000 N0=20000");
	s = read_joined(r, 0);
	assert_int_equal(number(s, "holes", SLABSTAT_OBJECTS), 900000);
	assert_int_equal(quality(s, "holes", SLABSTAT_OBJECTS), SLABSTAT_ESTIMATE);
	assert_int_equal(quality(s, "holes", SLABSTAT_OBJECTS_PARTIAL), SLABSTAT_ESTIMATE);
	slabstat_snapshot_free(s);

	s = read_joined(r, SLABSTAT_FLAG_EXACT);
	assert_int_equal(number(s, "holes", SLABSTAT_OBJECTS), 900123);
	assert_int_equal(quality(s, "holes", SLABSTAT_OBJECTS), SLABSTAT_EXACT);
	slabstat_snapshot_free(s);

	/* No node has so many: both lists were walked to their ends. */
	rootdir_cache(r, "holes", "partial=20000 N0=10000 N1=10000");
	s = read_joined(r, 0);
	assert_int_equal(number(s, "holes", SLABSTAT_OBJECTS), 900000);
	assert_int_equal(quality(s, "holes", SLABSTAT_OBJECTS), SLABSTAT_EXACT);
	slabstat_snapshot_free(s);

	/* Before 6.10 no kernel sampled. */
	rootdir_cache(r, "holes", "partial=20000 N0=20000");
	rootdir_file(r, "proc/version", "Linux version 6.9.12 (x) #1\n");
	s = read_joined(r, 0);
	assert_int_equal(quality(s, "holes", SLABSTAT_OBJECTS), SLABSTAT_EXACT);
	slabstat_snapshot_free(s);
}

static void test_shares_by_node_come_from_the_directory(void **state)
{
	struct rootdir *r = *state;
	struct slabstat_snapshot *s;
	size_t n;

	rootdir_cache(r, "dentry",
		      LAYOUT(190, 192, 21) "slabs=26 N0=20 N1=6;total_objects=546 N0=420 N1=126;"
					   "partial=4 N0=4;objects=7;objects_partial=3");
	rootdir_file(r, "proc/slabinfo", V21 SLUB("dentry", 500, 525, 192, 21, 1, 25));
	s = read_joined(r, 0);
	assert_null(slabstat_cache_shares(slabstat_snapshot_find(s, "dentry"), SLABSTAT_SLABS, &n));
	slabstat_snapshot_free(s);
	s = read_joined(r, SLABSTAT_FLAG_SHARES);
	assert_int_equal(number(s, "dentry", SLABSTAT_SLABS), 26);
	assert_int_equal(number(s, "dentry", SLABSTAT_OBJECTS), 500);
	assert_int_equal(
		slabstat_cache_shares(slabstat_snapshot_find(s, "dentry"), SLABSTAT_SLABS, &n)[1]
			.value,
		6);
	assert_int_equal(n, 2);
	slabstat_snapshot_free(s);
}

/* A copy's halves are of two moments: the directory counts, rows fill its holes. */
static void test_in_a_copy_the_directory_counts(void **state)
{
	struct rootdir *r = *state;
	struct slabstat_snapshot *s;

	rootdir_cache(r, "dentry", LAYOUT(190, 192, 21) OTHER "partial=4");
	rootdir_cache(r, "holed", LAYOUT(190, 192, 21) "partial=4");
	rootdir_file(r, "proc/slabinfo", V21 SLUB("dentry", 500, 525, 192, 21, 1, 25)
		     SLUB("holed", 500, 525, 192, 21, 1, 25));
	s = rootdir_read(r, SLABSTAT_SOURCE_AUTO, 0, NULL);
	assert_int_equal(slabstat_snapshot_source(s), SLABSTAT_SOURCE_HYBRID);
	assert_int_equal(number(s, "dentry", SLABSTAT_OBJECTS), 7);
	assert_int_equal(number(s, "dentry", SLABSTAT_SLABS), 9);
	assert_int_equal(number(s, "holed", SLABSTAT_OBJECTS), 500);
	assert_int_equal(number(s, "holed", SLABSTAT_SLABS), 25);
	assert_int_equal(slabstat_snapshot_notes(s)->unjoined, 0);
	assert_false(slabstat_snapshot_meminfo(s)->present);
	slabstat_snapshot_free(s);
}

static void test_a_directory_gone_takes_its_row_along(void **state)
{
	struct rootdir *r = *state;
	struct slabstat_snapshot *s;

	rootdir_cache(r, "dentry", LAYOUT(190, 192, 21) OTHER "partial=4");
	rootdir_cache(r, "gone", "");
	rootdir_file(r, "proc/slabinfo", V21 SLUB("dentry", 500, 525, 192, 21, 1, 25)
		     SLUB("gone", 500, 525, 192, 21, 1, 25));
	s = read_joined(r, 0);
	assert_int_equal(slabstat_snapshot_count(s), 1);
	assert_int_equal(slabstat_snapshot_notes(s)->vanished, 1);
	slabstat_snapshot_free(s);
}

static void test_few_files_are_opened_for_totals(void **state)
{
	static const enum slabstat_field totals[] = {
		SLABSTAT_OBJECTS, SLABSTAT_TOTAL_OBJECTS, SLABSTAT_SLABS, SLABSTAT_PARTIAL,
		SLABSTAT_OBJECTS_PARTIAL, SLABSTAT_OBJECT_SIZE, SLABSTAT_SLAB_SIZE, SLABSTAT_LOSS,
	};
	struct slabstat_fieldset want = { { 0 } };
	struct rootdir *r = *state;
	struct slabstat_snapshot *s;
	char rows[8192] = V21;

	for (int i = 0; i < 50; i++) {
		char name[32], row[128];

		snprintf(name, sizeof(name), "cache-%d", i);
		rootdir_cache(r, name, LAYOUT(190, 192, 21) OTHER "partial=4");
		snprintf(row, sizeof(row),
			 "%s 500 525 192 21 1 : tunables 0 0 0 : slabdata 25 25 0\n", name);
		strcat(rows, row);
	}
	rootdir_file(r, "proc/slabinfo", rows);
	for (size_t i = 0; i < sizeof(totals) / sizeof(totals[0]); i++)
		slabstat_fieldset_add(&want, totals[i]);
	s = rootdir_read(r, SLABSTAT_SOURCE_HYBRID, 0, &want);
	assert_int_equal(number(s, "cache-49", SLABSTAT_OBJECTS), 500);
	/*
	 * The directory, slab_size, objs_per_slab, object_size and partial; and a few for the
	 * whole.
	 */
	assert_true(slabstat_snapshot_notes(s)->syscalls <= 50 * 5 + 20);
	slabstat_snapshot_free(s);
}

/* Read again and again, a name that leads to one row is enough; of two, the layout still tells. */
static void test_no_file_confirms_a_name_that_is_the_only_one(void **state)
{
	struct slabstat_fieldset want = { { 0 } };
	struct rootdir *r = *state;
	struct slabstat_snapshot *s;

	rootdir_cache(r, "single", "object_size=190");
	rootdir_cache(r, ":0000256", "object_size=250");
	rootdir_alias(r, "merged", ":0000256");
	rootdir_cache(r, "twin", LAYOUT(190, 192, 21) OTHER "partial=2");
	rootdir_file(r, "proc/slabinfo", V21 SLUB("single", 500, 525, 192, 21, 1, 25)
		     SLUB("merged", 16, 16, 256, 16, 1, 1) SLUB("twin", 50, 64, 128, 32, 1, 2)
		     SLUB("twin", 400, 420, 192, 21, 1, 20));
	slabstat_fieldset_add(&want, SLABSTAT_LOSS);
	s = rootdir_read(r, SLABSTAT_SOURCE_HYBRID, SLABSTAT_FLAG_AGAIN, &want);
	assert_int_equal(slabstat_snapshot_count(s), 4);
	assert_int_equal(number(s, "single", SLABSTAT_OBJS_PER_SLAB), 21);
	assert_int_equal(number(s, "single", SLABSTAT_USED), 500 * 190);
	assert_int_equal(number(s, "merged", SLABSTAT_USED), 16 * 250);
	assert_int_equal(number(s, "twin", SLABSTAT_OBJECTS), 400);
	assert_int_equal(slabstat_snapshot_notes(s)->unjoined, 0);
	slabstat_snapshot_free(s);
}

/* The id of a merged cache tells a row of another layout without a file. */
static void test_an_id_contradicts_a_row(void **state)
{
	struct slabstat_fieldset want = { { 0 } };
	struct rootdir *r = *state;
	struct slabstat_snapshot *s;

	rootdir_cache(r, ":0000256", LAYOUT(250, 256, 16) OTHER "partial=2");
	rootdir_alias(r, "merged", ":0000256");
	rootdir_file(r, "proc/slabinfo", V21 SLUB("merged", 16, 16, 512, 8, 1, 2));
	slabstat_fieldset_add(&want, SLABSTAT_OBJECTS);
	s = rootdir_read(r, SLABSTAT_SOURCE_HYBRID, SLABSTAT_FLAG_AGAIN, &want);
	assert_int_equal(number(s, "merged", SLABSTAT_OBJECTS), 7);
	assert_int_equal(slabstat_snapshot_notes(s)->unjoined, 1);
	slabstat_snapshot_free(s);
}

static void test_an_empty_cache_has_no_shares_to_read(void **state)
{
	struct rootdir *r = *state;
	struct slabstat_snapshot *s;
	size_t n;

	rootdir_cache(r, "idle", LAYOUT(190, 192, 21) OTHER);
	rootdir_file(r, "proc/slabinfo", V21 SLUB("idle", 0, 0, 192, 21, 1, 0));
	s = read_joined(r, SLABSTAT_FLAG_SHARES);
	assert_int_equal(number(s, "idle", SLABSTAT_SLABS), 0);
	assert_int_equal(quality(s, "idle", SLABSTAT_TOTAL_OBJECTS), SLABSTAT_EXACT);
	assert_null(slabstat_cache_shares(slabstat_snapshot_find(s, "idle"), SLABSTAT_SLABS, &n));
	slabstat_snapshot_free(s);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_counts_come_from_the_row),
		TEST(test_merged_caches_join_by_any_alias),
		TEST(test_a_row_of_another_layout_is_not_it),
		TEST(test_two_rows_that_fit_join_none),
		TEST(test_layout_tells_equal_names_apart),
		TEST(test_each_half_may_have_what_the_other_lacks),
		TEST(test_races_between_the_halves),
		TEST(test_fallback_slabs_make_it_an_estimate),
		TEST(test_sampled_lists),
		TEST(test_shares_by_node_come_from_the_directory),
		TEST(test_in_a_copy_the_directory_counts),
		TEST(test_a_directory_gone_takes_its_row_along),
		TEST(test_few_files_are_opened_for_totals),
		TEST(test_no_file_confirms_a_name_that_is_the_only_one),
		TEST(test_an_id_contradicts_a_row),
		TEST(test_an_empty_cache_has_no_shares_to_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
