// SPDX-License-Identifier: MIT
/* canvas_test.c - character cells: clipping, wide and broken characters, alignment. */
#include "cmocka_all.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "canvas.h"

static char *printed(const struct canvas *c)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);

	assert_non_null(f);
	canvas_print(c, f);
	assert_int_equal(fclose(f), 0);
	return text;
}

static void assert_printed(const struct canvas *c, const char *wanted)
{
	char *text = printed(c);

	assert_string_equal(text, wanted);
	free(text);
}

static void test_clips(void **state)
{
	struct canvas c = { 0 };

	(void)state;
	assert_int_equal(canvas_resize(&c, 5, 2), 0);
	assert_int_equal(canvas_text(&c, 0, 3, 9, ROLE_PLAIN, "abc"), 5);
	canvas_text(&c, 7, 0, 9, ROLE_PLAIN, "nowhere");
	canvas_text(&c, -1, 0, 9, ROLE_PLAIN, "nowhere");
	canvas_char(&c, 1, -2, 4, ROLE_PLAIN, L'x');
	assert_printed(&c, "   ab\nxx\n");
	canvas_mark(&c, 0, -5, 50, ROLE_CURSOR);
	assert_int_equal(c.role[0], ROLE_PLAIN | ROLE_CURSOR);
	canvas_free(&c);
}

static void test_no_size(void **state)
{
	struct canvas c = { 0 };

	(void)state;
	assert_int_equal(canvas_resize(&c, 0, 0), 0);
	canvas_text(&c, 0, 0, 9, ROLE_PLAIN, "a");
	canvas_right(&c, 0, 0, 9, ROLE_PLAIN, "a");
	assert_printed(&c, "");
	assert_int_equal(canvas_resize(&c, -3, 9), 0);
	assert_printed(&c, "");
	canvas_free(&c);
}

static void test_right_says_when_it_does_not_fit(void **state)
{
	struct canvas c = { 0 };

	(void)state;
	assert_int_equal(canvas_resize(&c, 8, 2), 0);
	canvas_right(&c, 0, 0, 6, ROLE_PLAIN, "123");
	canvas_right(&c, 1, 0, 3, ROLE_PLAIN, "1234");
	assert_printed(&c, "   123\n###\n");
	canvas_free(&c);
}

static void test_hostile_text(void **state)
{
	struct canvas c = { 0 };

	(void)state;
	assert_int_equal(canvas_resize(&c, 12, 1), 0);
	/* ESC, a tab, half a character, an overlong one. */
	canvas_text(&c, 0, 0, 99, ROLE_PLAIN, "a\033[\tb\xc3" "c\xc0\xafz");
	assert_printed(&c, "a?[?b?c??z\n");
	canvas_free(&c);
}

static void test_wide(void **state)
{
	struct canvas c = { 0 };

	(void)state;
	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		skip();
	assert_int_equal(canvas_columns("日本"), 4);
	assert_int_equal(canvas_resize(&c, 3, 1), 0);
	/* A character of two columns is never cut in half. */
	assert_int_equal(canvas_text(&c, 0, 0, 3, ROLE_PLAIN, "日本"), 2);
	assert_printed(&c, "日\n");
	canvas_free(&c);
	setlocale(LC_CTYPE, "C");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_clips),
		cmocka_unit_test(test_no_size),
		cmocka_unit_test(test_right_says_when_it_does_not_fit),
		cmocka_unit_test(test_hostile_text),
		cmocka_unit_test(test_wide),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
