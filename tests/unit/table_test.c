// SPDX-License-Identifier: MIT
/* table_test.c - the same rows aligned, in tabs and as CSV, fitted to a width. */
#include "cmocka_all.h"
#include "util/table.h"

#include <stdlib.h>
#include <string.h>

static const struct table_column columns[] = {
	{ .title = "NAME", .key = "name", .shrink = true },
	{ .title = "SIZE", .key = "size_bytes", .right = true },
	{ .title = "N", .key = "n", .right = true },
	{ .title = "NOTE", .key = "note", .optional = true },
};

static char *print(struct table_options options, unsigned width, bool color)
{
	char *text = NULL;
	size_t size;
	struct out out = { .f = open_memstream(&text, &size), .width = width, .color = color };
	struct table *t = table_new(&out, &options, columns, 4);

	table_text(t, "kmalloc-64", OUT_PLAIN);
	table_bytes(t, 4096, OUT_PLAIN);
	table_number(t, 7, OUT_WARN);
	table_text(t, "a,\"b\"", OUT_PLAIN);
	table_end_row(t);
	table_text(t, "a rather long name of a cache", OUT_PLAIN);
	table_marked(t, "~", 1 << 20, true, OUT_PLAIN);
	table_absent(t);
	table_text(t, "x\ny", OUT_PLAIN);
	table_end_row(t);
	assert_true(table_finish(t));
	fclose(out.f);
	return text;
}

static void assert_print(struct table_options options, unsigned width, bool color, const char *want)
{
	char *text = print(options, width, color);

	assert_string_equal(text, want);
	free(text);
}

static void test_aligned(void **state)
{
	(void)state;
	assert_print((struct table_options){ .exact = true }, 0, false,
		     "NAME                               SIZE  N  NOTE\n"
		     "kmalloc-64                         4096  7  a,\"b\"\n"
		     "a rather long name of a cache  ~1048576  -  x\\x0ay\n");
}

static void test_human_and_colour(void **state)
{
	(void)state;
	assert_print((struct table_options){ .no_heading = true }, 0, true,
		     "kmalloc-64                      4.0 KiB  \033[33m7\033[0m  a,\"b\"\n"
		     "a rather long name of a cache  ~1.0 MiB  \033[2m-\033[0m  x\\x0ay\n");
}

static void test_fit_drops_then_shortens(void **state)
{
	(void)state;
	assert_print((struct table_options){ .exact = true, .fit = true }, 43, false,
		     "NAME                               SIZE  N\n"
		     "kmalloc-64                         4096  7\n"
		     "a rather long name of a cache  ~1048576  -\n");
	assert_print((struct table_options){ .exact = true, .fit = true }, 30, false,
		     "NAME                   SIZE  N\n"
		     "kmalloc-64             4096  7\n"
		     "a rather long na\u2026  ~1048576  -\n");
}

static void test_tabs_keep_absent_and_drop_marks(void **state)
{
	(void)state;
	assert_print((struct table_options){ .form = TABLE_TABS, .no_heading = true }, 10, false,
		     "kmalloc-64\t4.0 KiB\t7\ta,\"b\"\n"
		     "a rather long name of a cache\t1.0 MiB\t-\tx\\x0ay\n");
}

static void test_csv(void **state)
{
	(void)state;
	assert_print((struct table_options){ .form = TABLE_CSV }, 10, false,
		     "name,size_bytes,n,note\n"
		     "kmalloc-64,4096,7,\"a,\"\"b\"\"\"\n"
		     "a rather long name of a cache,1048576,,x\\x0ay\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_aligned),
		cmocka_unit_test(test_human_and_colour),
		cmocka_unit_test(test_fit_drops_then_shortens),
		cmocka_unit_test(test_tabs_keep_absent_and_drop_marks),
		cmocka_unit_test(test_csv),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
