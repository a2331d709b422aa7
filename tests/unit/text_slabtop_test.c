// SPDX-License-Identifier: MIT
/* text_slabtop_test.c - slabtop -o of any procps, in any language. */
#include "texts.h"

#include <errno.h>

static const char english[] =
	" Active / Total Objects (% used)    : 1620 / 1741 (93.0%)\n"
	" Active / Total Slabs (% used)      : 57 / 57 (100.0%)\n"
	" Active / Total Caches (% used)     : 3 / 4 (75.0%)\n"
	" Active / Total Size (% used)       : 279.13K / 301.91K (92.5%)\n"
	" Minimum / Average / Maximum Object : 0.01K / 0.17K / 4.12K\n"
	"\n"
	"  OBJS ACTIVE  USE OBJ SIZE  SLABS OBJ/SLAB CACHE SIZE NAME                   \n"
	"   936    900  96%    0.10K     24       39        96K buffer_head            \n"
	"   512    512 100%    0.01K      1      512         4K kmalloc-8              \n"
	"   293    208  70%    0.57K     32       14       512K odd name (x)           \n"
	"     0      0   0%    4.12K      0        7         0K tiny                   \n";

static void test_rows_and_totals(void **state)
{
	struct slabstat_snapshot *s = read_text(english);

	(void)state;
	assert_int_equal(slabstat_snapshot_source(s), SLABSTAT_SOURCE_TEXT);
	assert_int_equal(slabstat_snapshot_count(s), 4);
	assert_int_equal(slabstat_snapshot_notes(s)->bad_rows, 0);
	assert_int_equal(field_of(s, "buffer_head", SLABSTAT_TOTAL_OBJECTS), 936);
	assert_int_equal(field_of(s, "buffer_head", SLABSTAT_OBJECTS), 900);
	assert_int_equal(field_of(s, "buffer_head", SLABSTAT_SLABS), 24);
	assert_int_equal(field_of(s, "buffer_head", SLABSTAT_OBJS_PER_SLAB), 39);
	assert_int_equal(field_of(s, "buffer_head", SLABSTAT_FOOTPRINT), 98304);
	assert_int_equal(quality_of(s, "buffer_head", SLABSTAT_FOOTPRINT), SLABSTAT_EXACT);
	/* 512 of 0.01K fill one page: eight bytes, not ten. */
	assert_int_equal(field_of(s, "kmalloc-8", SLABSTAT_SLAB_SIZE), 8);
	assert_int_equal(quality_of(s, "kmalloc-8", SLABSTAT_SLAB_SIZE), SLABSTAT_ESTIMATE);
	assert_int_equal(field_of(s, "odd name (x)", SLABSTAT_OBJECTS), 208);
	assert_int_equal(field_of(s, "tiny", SLABSTAT_FOOTPRINT), 0);

	assert_int_equal(field_of(s, NULL, SLABSTAT_OBJECTS), 1620);
	assert_int_equal(field_of(s, NULL, SLABSTAT_TOTAL_OBJECTS), 1741);
	assert_int_equal(field_of(s, NULL, SLABSTAT_SLABS), 57);
	/* Its "Total Size" is objects x size, which is not the footprint. */
	assert_int_equal(quality_of(s, NULL, SLABSTAT_FOOTPRINT), SLABSTAT_ABSENT);
	assert_string_equal(slabstat_snapshot_why_absent(s, SLABSTAT_PARTIAL),
			    "slabtop does not print it");
	slabstat_snapshot_free(s);
}

static void test_other_languages(void **state)
{
	struct slabstat_snapshot *s = read_text(
		" Actif / total Objets (% utilisé)    : 1620 / 1741 (93.0%)\n"
		" Actif / total Slabs (% utilisé)     : 57 / 57 (100,0%)\n"
		" Actif / total Caches (% utilisé)    : 3 / 4 (75,0%)\n"
		" Actif / total Taille (% utilisé)    : 279,13K / 301,91K (92,5%)\n"
		" Minimum / moyenne / maximum Objet   : 0,01K / 0,17K / 4,12K\n"
		"\n"
		"  OBJS ACTIF UTIL TAILLE SLABS OBJ/SLAB TAILLE NOM\n"
		"   936    900  96%    0,10K     24       39        96K buffer_head\n"
		/* The Arabic decimal sign is two bytes. */
		"   512    512 100%    0\xd9\xab" "01K      1      512         4K kmalloc-8\n");

	(void)state;
	assert_int_equal(slabstat_snapshot_count(s), 2);
	assert_int_equal(field_of(s, "kmalloc-8", SLABSTAT_SLAB_SIZE), 8);
	assert_int_equal(field_of(s, "buffer_head", SLABSTAT_SLAB_SIZE), 104);
	assert_int_equal(field_of(s, NULL, SLABSTAT_TOTAL_OBJECTS), 1741);
	slabstat_snapshot_free(s);
}

static void test_human_units(void **state)
{
	struct slabstat_snapshot *s = read_text(
		"  OBJS ACTIVE  USE OBJ SIZE  SLABS OBJ/SLAB CACHE SIZE NAME\n"
		" 91938  91890  99%     192B   4378       21     17.1M dentry\n"
		"    10     10 100%    1.5KiB     2        5        16K inode\n");

	(void)state;
	assert_int_equal(field_of(s, "dentry", SLABSTAT_SLAB_SIZE), 192);
	assert_int_equal(quality_of(s, "dentry", SLABSTAT_SLAB_SIZE), SLABSTAT_EXACT);
	assert_int_equal(field_of(s, "dentry", SLABSTAT_FOOTPRINT), 17 * 1048576 + 1048576 / 10);
	assert_int_equal(quality_of(s, "dentry", SLABSTAT_FOOTPRINT), SLABSTAT_ESTIMATE);
	assert_int_equal(field_of(s, "inode", SLABSTAT_SLAB_SIZE), 1536);
	slabstat_snapshot_free(s);
}

static void test_slabs_and_caches_in_the_wrong_lines(void **state)
{
	struct slabstat_snapshot *s = read_text(
		" Active / Total Objects (% used)    : 20 / 20 (100.0%)\n"
		" Active / Total Slabs (% used)      : 1 / 2 (50.0%)\n"
		" Active / Total Caches (% used)     : 57 / 57 (100.0%)\n"
		"  2223   2223 100%    0.10K     57       39       228K buffer_head\n");

	(void)state;
	assert_int_equal(field_of(s, NULL, SLABSTAT_SLABS), 57);
	slabstat_snapshot_free(s);

	/* A slabtop that prints bytes for caches. */
	s = read_text(" Active / Total Objects (% used)    : 20 / 20 (100.0%)\n"
		      " Active / Total Slabs (% used)      : 57 / 57 (100.0%)\n"
		      " Active / Total Caches (% used)     : 233472 / 233472 (100.0%)\n"
		      "  2223   2223 100%    0.10K     57       39       228K buffer_head\n");
	assert_int_equal(field_of(s, NULL, SLABSTAT_SLABS), 57);
	slabstat_snapshot_free(s);
}

static void test_bad_rows_are_counted(void **state)
{
	struct slabstat_snapshot *s = read_text(
		"  OBJS ACTIVE  USE OBJ SIZE  SLABS OBJ/SLAB CACHE SIZE NAME                   \n"
		"   936    900  96%    0.10K     24       39        96K buffer_head            \n"
		/* Two columns ran together; more active than there are; cut behind a column. */
		"592605542130  91%    0.10K  15195       39     60780K run together           \n"
		"   900    936  96%    0.10K     24       39        96K impossible             \n"
		"   512    512 100%    0.01K      1      512\n"
		"   512    512 100%    0.01K      1      512         4K kmalloc-8              \n"
		"   512    512 100%    0.01K      1      512         4K kmallo");

	(void)state;
	assert_int_equal(slabstat_snapshot_count(s), 2);
	assert_int_equal(slabstat_snapshot_notes(s)->bad_rows, 4);
	assert_int_equal(slabstat_snapshot_notes(s)->first_bad_row, 3);
	slabstat_snapshot_free(s);
}

static void test_pasted_into_a_mail(void **state)
{
	struct slabstat_snapshot *s = read_text(
		"On Monday I wrote: 90% of the memory is slab, 3 / 4 of it dentries.\n"
		"> > ```\n"
		">  OBJS ACTIVE  USE OBJ SIZE  SLABS OBJ/SLAB CACHE SIZE NAME\r\n"
		">   936    900  96%    0.10K     24       39        96K buffer_head\r\n"
		"> > 512    512 100%    0.01K      1      512         4K kmalloc-8\n"
		"> ```\n"
		"Any idea?\n");

	(void)state;
	assert_int_equal(slabstat_snapshot_count(s), 2);
	assert_int_equal(slabstat_snapshot_notes(s)->bad_rows, 0);
	slabstat_snapshot_free(s);
}

static void test_loops(void **state)
{
	struct buffer b;
	struct opened o;
	struct slabstat_snapshot *s;

	(void)state;
	/* With heads: each begins a sample; a time before one is its own. */
	buffer_open(&b);
	fputs(english, b.out);
	fprintf(b.out, "\nMon Nov 30 10:31:31 UTC 2026\n%s", english);
	buffer_done(&b);
	o = open_text(b.text, b.len);
	assert_int_equal(slabstat_source_samples(o.source), 2);
	s = read_sample(&o, 1);
	assert_int_equal(slabstat_snapshot_count(s), 4);
	assert_true(slabstat_snapshot_wall_ns(s) == 1796034691000000000);
	slabstat_snapshot_free(s);
	assert_int_equal(slabstat_source_seek(o.source, 2), -ERANGE);
	close_text(&o);
	free(b.text);

	/* Rows alone: times or numbered lines keep samples apart. */
	buffer_open(&b);
	for (int i = 0; i < 3; i++) {
		fprintf(b.out, i == 2 ? "Sample #2\n" : "2026-11-30 10:00:0%d\n", i);
		fprintf(b.out, "936 %d 96%% 0.10K 24 39 96K buffer_head\n", 900 + i);
		fputs("512 512 100% 0.01K 1 512 4K kmalloc-8\n", b.out);
	}
	buffer_done(&b);
	o = open_text(b.text, b.len);
	assert_int_equal(slabstat_source_samples(o.source), 3);
	for (size_t i = 0; i < 3; i++) {
		s = read_sample(&o, i);
		assert_int_equal(slabstat_snapshot_count(s), 2);
		assert_int_equal(field_of(s, "buffer_head", SLABSTAT_OBJECTS), 900 + i);
		assert_true((slabstat_snapshot_wall_ns(s) != 0) == (i < 2));
		slabstat_snapshot_free(s);
	}
	close_text(&o);
	free(b.text);
}

/* No row is lost and none invented, whatever their number. */
static void test_any_number_of_rows(void **state)
{
	static const size_t counts[] = { 0, 1, 2, 1000, 40000 };

	(void)state;
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		struct buffer b;
		uint64_t expect = 0;

		buffer_open(&b);
		fputs("  OBJS ACTIVE  USE OBJ SIZE  SLABS OBJ/SLAB CACHE SIZE NAME\n", b.out);
		for (size_t n = 0; n < counts[i]; n++) {
			fprintf(b.out, "%6zu %6zu 100%%    0.10K %6zu %8u %9zuK cache %zu\n",
				n * 39, n * 39, n, 39, n * 4, n % 20000);
			expect += n * 39;
		}
		check_rows(&b, counts[i], SLABSTAT_OBJECTS, expect);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows_and_totals),
		cmocka_unit_test(test_other_languages),
		cmocka_unit_test(test_human_units),
		cmocka_unit_test(test_slabs_and_caches_in_the_wrong_lines),
		cmocka_unit_test(test_bad_rows_are_counted),
		cmocka_unit_test(test_pasted_into_a_mail),
		cmocka_unit_test(test_loops),
		cmocka_unit_test(test_any_number_of_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
