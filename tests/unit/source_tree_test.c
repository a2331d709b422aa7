// SPDX-License-Identifier: MIT
/* source_tree_test.c - a slab directory as a listing. */
#include "texts.h"

static const char listing[] =
	":A-0000192/aliases:1\n"
	":A-0000192/cpu_slabs:4 N0=3 N1=1\n"
	":A-0000192/ctor:\n"
	":A-0000192/object_size:184\n"
	":A-0000192/objects:400 N0=300 N1=100\n"
	":A-0000192/objs_per_slab:21\n"
	":A-0000192/order:0\n"
	":A-0000192/partial:0\n"
	":A-0000192/slab_size:192\n"
	":A-0000192/slabs:20 N0=15 N1=5\n"
	":A-0000192/slabs_cpu_partial:21(2) C1=21(2)\n"
	":A-0000192/total_objects:420 N0=315 N1=105\n"
	"nf:x (a/b)/objects:<Permission denied>\n"
	"odd: name/ctor:init_once+0x0/0x20\n"
	"odd: name/objects:7\n"
	"odd: name/alloc_calls:  1 a+0x1/0x2|  2 b+0x1/0x2\n"
	"cred -> :A-0000192\n"
	"pid -> ../slab/:A-0000192\n"
	"gone -> :0000001\n";

static void test_listing(void **state)
{
	struct slabstat_snapshot *s = read_text(listing);
	const struct slabstat_cache *c;
	const struct slabstat_share *share;
	size_t n;

	(void)state;
	assert_int_equal(slabstat_snapshot_source(s), SLABSTAT_SOURCE_TREE);
	assert_int_equal(slabstat_snapshot_count(s), 3);
	c = slabstat_snapshot_find(s, "pid");
	assert_string_equal(slabstat_cache_name(c), ":A-0000192");
	assert_string_equal(slabstat_cache_label(c), "cred");
	assert_int_equal(slabstat_cache_alias_count(c), 2);
	assert_string_equal(slabstat_cache_ctor(c), "");
	assert_int_equal(field_of(s, "cred", SLABSTAT_CPU_PARTIAL_OBJS), 21);
	assert_int_equal(field_of(s, "cred", SLABSTAT_CPU_PARTIAL_SLABS), 2);
	assert_int_equal(field_of(s, "cred", SLABSTAT_FOOTPRINT), 81920);
	share = slabstat_cache_shares(c, SLABSTAT_SLABS, &n);
	assert_int_equal(n, 2);
	assert_int_equal(share[1].index, 1);
	assert_int_equal(share[1].value, 5);
	assert_string_equal(slabstat_cache_ctor(slabstat_snapshot_find(s, "odd: name")),
			    "init_once+0x0/0x20");
	assert_int_equal(slabstat_snapshot_notes(s)->dangling, 1);
	assert_int_equal(slabstat_snapshot_notes(s)->unreadable, 1);
	assert_int_equal(slabstat_snapshot_notes(s)->bad_rows, 0);
	assert_int_equal(slabstat_snapshot_notes(s)->links, 3);
	slabstat_snapshot_free(s);
}

static void test_what_grep_and_ls_print(void **state)
{
	struct slabstat_snapshot *s = read_text(
		"lrwxrwxrwx 1 root root 0 Nov 30 10:18 /sys/kernel/slab/pid -> :0000128\n"
		"lrwxrwxrwx. 1 root root 0 Nov 30 10:18 cred_jar -> :0000128\n"
		"/sys/kernel/slab/:0000128/objects:7 N0=7\n"
		"/sys/kernel/slab/dentry/slabs:3 N0=3\n"
		"/sys/kernel/slab/:0000128/slabs:1 N0=1\n");

	(void)state;
	assert_int_equal(slabstat_snapshot_count(s), 2);
	assert_int_equal(field_of(s, "pid", SLABSTAT_OBJECTS), 7);
	assert_int_equal(field_of(s, "cred_jar", SLABSTAT_SLABS), 1);
	assert_int_equal(field_of(s, "dentry", SLABSTAT_SLABS), 3);
	slabstat_snapshot_free(s);
}

static void test_garbled_values(void **state)
{
	struct slabstat_snapshot *s =
		read_text("a/objects:7\na/slabs:many\na/partial:\na/order:0\n");

	(void)state;
	assert_int_equal(quality_of(s, "a", SLABSTAT_SLABS), SLABSTAT_ABSENT);
	assert_int_equal(quality_of(s, "a", SLABSTAT_PARTIAL), SLABSTAT_ABSENT);
	assert_int_equal(slabstat_snapshot_notes(s)->bad_rows, 2);
	assert_int_equal(slabstat_snapshot_notes(s)->first_bad_row, 2);
	slabstat_snapshot_free(s);
}

static void test_two_listings_are_two_samples(void **state)
{
	struct buffer b;
	struct opened o;
	struct slabstat_snapshot *s;

	(void)state;
	buffer_open(&b);
	fprintf(b.out, "%s%s", listing, listing);
	buffer_done(&b);
	o = open_text(b.text, b.len);
	assert_int_equal(slabstat_source_samples(o.source), 2);
	for (size_t i = 0; i < 2; i++) {
		s = read_sample(&o, i);
		assert_int_equal(slabstat_snapshot_count(s), 3);
		assert_int_equal(field_of(s, "cred", SLABSTAT_OBJECTS), 400);
		slabstat_snapshot_free(s);
	}
	close_text(&o);
	free(b.text);
}

static void test_any_number_of_caches(void **state)
{
	static const size_t counts[] = { 1, 2, 1000, 40000 };

	(void)state;
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		uint64_t expect = 0;
		struct buffer b;

		buffer_open(&b);
		for (size_t n = 0; n < counts[i]; n++) {
			fprintf(b.out, "cache-%zu/objects:%zu N0=%zu\ncache-%zu/slabs:1\n", n, n, n,
				n);
			expect += n;
		}
		check_rows(&b, counts[i], SLABSTAT_OBJECTS, expect);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_listing),
		cmocka_unit_test(test_what_grep_and_ls_print),
		cmocka_unit_test(test_garbled_values),
		cmocka_unit_test(test_two_listings_are_two_samples),
		cmocka_unit_test(test_any_number_of_caches),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
