// SPDX-License-Identifier: MIT
/* source_text_test.c - vmstat -m and columns of numbers, and what is no saved text at all. */
#include "texts.h"

static void test_vmstat(void **state)
{
	struct slabstat_snapshot *s = read_text(
		"Cache                       Num  Total   Size  Pages\n"
		"AF_VSOCK                     36     36   1280     12\n"
		"dm io                        10     20    100     40\n"
		"Cache                       Num  Total   Size  Pages\n"
		"kmalloc-64                   50     64     64     64\n");

	(void)state;
	/* The heading comes again every screen: still one sample. */
	assert_int_equal(slabstat_snapshot_count(s), 3);
	assert_int_equal(field_of(s, "AF_VSOCK", SLABSTAT_OBJS_PER_SLAB), 12);
	assert_int_equal(field_of(s, "dm io", SLABSTAT_OBJECTS), 10);
	assert_int_equal(field_of(s, "dm io", SLABSTAT_TOTAL_OBJECTS), 20);
	assert_int_equal(field_of(s, "dm io", SLABSTAT_SLAB_SIZE), 100);
	assert_int_equal(field_of(s, "dm io", SLABSTAT_FOOTPRINT), 2000);
	assert_int_equal(quality_of(s, "dm io", SLABSTAT_FOOTPRINT), SLABSTAT_LOWER);
	assert_int_equal(quality_of(s, "dm io", SLABSTAT_SLABS), SLABSTAT_ABSENT);
	slabstat_snapshot_free(s);
}

static void test_bad_rows_of_vmstat(void **state)
{
	struct slabstat_snapshot *s = read_text(
		"Cache                       Num  Total   Size  Pages\n"
		"dentry                       36     36   1280     12\n"
		"more in use than there is    37     36   1280     12\n"
		"does this end in 2            1      2      3      4\n");

	(void)state;
	assert_int_equal(slabstat_snapshot_count(s), 1);
	assert_int_equal(slabstat_snapshot_notes(s)->bad_rows, 2);
	slabstat_snapshot_free(s);
}

static void test_loop_of_vmstat(void **state)
{
	struct buffer b;
	struct opened o;
	struct slabstat_snapshot *s;

	(void)state;
	buffer_open(&b);
	for (int i = 0; i < 3; i++) {
		fprintf(b.out, "Cache                       Num  Total   Size  Pages\n");
		for (int n = 0; n < 40; n++) {
			if (n == 22)
				fprintf(b.out,
					"Cache                       Num  Total   Size  Pages\n");
			fprintf(b.out, "cache-%d %d 40 100 40\n", n, i);
		}
	}
	buffer_done(&b);
	o = open_text(b.text, b.len);
	assert_int_equal(slabstat_source_samples(o.source), 3);
	s = read_sample(&o, 2);
	assert_int_equal(slabstat_snapshot_count(s), 40);
	assert_int_equal(field_of(s, "cache-39", SLABSTAT_OBJECTS), 2);
	slabstat_snapshot_free(s);
	close_text(&o);
	free(b.text);
}

static void test_any_number_of_rows(void **state)
{
	static const size_t counts[] = { 1, 2, 1000, 40000 };

	(void)state;
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		struct buffer b;
		uint64_t expect = 0;

		buffer_open(&b);
		fputs("Cache                       Num  Total   Size  Pages\n", b.out);
		for (size_t n = 0; n < counts[i]; n++) {
			fprintf(b.out, "cache %zu.x %6zu %6zu %6u %6u\n", n, n, n + 1, 100, 40);
			expect += n;
		}
		check_rows(&b, counts[i], SLABSTAT_OBJECTS, expect);
	}
}

static void test_column_of_numbers(void **state)
{
	static const char text[] = "321152\n\n368448\n18446744073709551615\n";
	struct opened o = open_text(text, sizeof(text) - 1);
	struct slabstat_snapshot *s;

	(void)state;
	assert_int_equal(slabstat_source_samples(o.source), 3);
	s = read_sample(&o, 1);
	assert_int_equal(slabstat_snapshot_count(s), 0);
	assert_int_equal(field_of(s, NULL, SLABSTAT_LOSS), 368448);
	slabstat_snapshot_free(s);
	s = read_sample(&o, 2);
	assert_true(field_of(s, NULL, SLABSTAT_LOSS) == UINT64_MAX);
	slabstat_snapshot_free(s);
	close_text(&o);
}

/* One line says why; nothing is made of text that only resembles. */
static void test_refusals(void **state)
{
	static const char *const others[] = {
		"",
		"\n\n",
		"hello\nworld\n",
		"total 4\n-rw-r--r-- 1 root root 1026 Nov 30 10:18 a.txt\n",
		"MemTotal:       24641 kB\nSlab:            195 kB\n",
		"1 2 3\n4 5 6\n",
		"321152\nsome words\n368448\nmore words\n",
		"a b c d\ncache 1 2 3 4\nthat is all that I have\nto say about it\n",
		"\ndentry: No NUMA information available.\n",
		"PID USER PR NI VIRT RES SHR S %CPU %MEM TIME+ COMMAND\n1 root 20 0 168M 12M 8M S 0.0 0.1 0:01 init\n",
		"-3\n-4\n",
		"99999999999999999999\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		char *why = refuse_text(others[i]);

		assert_true(strlen(why) > 0);
		assert_null(strchr(why, '\n'));
		free(why);
	}
}

/* Nothing behind the last byte is looked at; a sanitizer or valgrind would see it. */
static void test_any_end(void **state)
{
	static const char text[] =
		" Active / Total Objects (% used)    : 20 / 20 (100.0%)\n"
		"    20     20 100%    0.10K      1       39         4K buffer_head\n"
		"dentry                    7312     192            2.1M      532/219/4   21 0  40  63 a\n"
		"Slabcaches : 1 Aliases : 1->1\n:0000024 <- a b\n50%)\n1796034691";
	struct slabstat *h = slabstat_new();

	(void)state;
	for (size_t len = 0; len < sizeof(text); len++) {
		char *copy = malloc(len + !len);
		struct slabstat_spec spec = { .kind = SLABSTAT_SOURCE_TEXT, .buffer = copy,
					      .buffer_size = len, .label = "test" };
		struct slabstat_source *source;
		struct slabstat_snapshot *s;

		memcpy(copy, text, len);
		if (slabstat_source_open(h, &spec, &source) == 0) {
			assert_int_equal(slabstat_source_read(source, NULL, &s), 0);
			slabstat_snapshot_free(s);
			slabstat_source_close(source);
		}
		free(copy);
	}
	slabstat_free(h);
}

static void test_binary_lines(void **state)
{
	static const char text[] = ":0000024     <- a\0b c\n:0000032 <- d e\n";
	struct opened o = open_text(text, sizeof(text) - 1);
	struct slabstat_snapshot *s = read_sample(&o, 0);

	(void)state;
	assert_int_equal(slabstat_snapshot_count(s), 1);
	assert_int_equal(slabstat_snapshot_notes(s)->bad_rows, 1);
	slabstat_snapshot_free(s);
	close_text(&o);
}

static void test_forced_kind_still_looks(void **state)
{
	struct slabstat_spec spec = { .kind = SLABSTAT_SOURCE_TEXT,
				      .buffer = "hello\n",
				      .buffer_size = 6,
				      .label = "greeting" };
	struct slabstat *h = slabstat_new();
	struct slabstat_source *source;

	(void)state;
	assert_true(slabstat_source_open(h, &spec, &source) < 0);
	assert_string_equal(slabstat_error(h)->path, "greeting");
	slabstat_free(h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_vmstat),
		cmocka_unit_test(test_bad_rows_of_vmstat),
		cmocka_unit_test(test_loop_of_vmstat),
		cmocka_unit_test(test_any_number_of_rows),
		cmocka_unit_test(test_column_of_numbers),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_any_end),
		cmocka_unit_test(test_binary_lines),
		cmocka_unit_test(test_forced_kind_still_looks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
