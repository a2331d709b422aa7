// SPDX-License-Identifier: MIT
/* safe_test.c - hostile names come out harmless, whole and undoable. */
#include "cmocka_all.h"
#include "util/safe.h"

#include <stdlib.h>
#include <string.h>

static void assert_safe(const char *text, unsigned flags, const char *want)
{
	char *safe = safe_text(text, flags);
	char *back = safe_undo(safe);

	assert_string_equal(safe, want);
	assert_string_equal(back, text);
	assert_int_equal(safe_is_plain(text, flags), strcmp(text, want) == 0);
	free(safe);
	free(back);
}

static void test_plain_names_stay(void **state)
{
	(void)state;
	assert_safe("", 0, "");
	assert_safe("kmalloc-64", 0, "kmalloc-64");
	assert_safe(":A-0000128", SAFE_ASCII, ":A-0000128");
	assert_safe("nf_conntrack(12:a@b)[x]", 0, "nf_conntrack(12:a@b)[x]");
	assert_safe("gr\u00f6\u00dfe \u4e2d \U0001f600", 0, "gr\u00f6\u00dfe \u4e2d \U0001f600");
}

static void test_controls_and_bad_utf8(void **state)
{
	(void)state;
	assert_safe("a\033[2Jb\n\t", 0, "a\\x1b[2Jb\\x0a\\x09");
	assert_safe("a\033b", SAFE_KEEP_CONTROLS, "a\033b");
	assert_safe("\x7f", SAFE_KEEP_CONTROLS, "\\x7f");
	assert_safe("\xff\xc3(\xc3", 0, "\\xff\\xc3(\\xc3");
	assert_safe("\xc0\x80", 0, "\\xc0\\x80");		/* overlong */
	assert_safe("\xed\xa0\x80", 0, "\\xed\\xa0\\x80");	/* surrogate */
	assert_safe("\xf4\x90\x80\x80", 0, "\\xf4\\x90\\x80\\x80");
	assert_safe("\xc2\x9b" "31m", 0, "\\xc2\\x9b31m");	/* CSI as one character */
	assert_safe("a\u202eb", 0, "a\\xe2\\x80\\xaeb");	/* right to left */
	assert_safe("\u00e9", SAFE_ASCII, "\\xc3\\xa9");
}

static void test_backslash_is_unambiguous(void **state)
{
	(void)state;
	assert_safe("a\\x41", 0, "a\\x5cx41");
	assert_safe("\\", 0, "\\x5c");
}

static void test_width_counts_characters(void **state)
{
	(void)state;
	assert_int_equal(safe_width(""), 0);
	assert_int_equal(safe_width("dentry"), 6);
	assert_int_equal(safe_width("gr\u00f6\u00dfe"), 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain_names_stay),
		cmocka_unit_test(test_controls_and_bad_utf8),
		cmocka_unit_test(test_backslash_is_unambiguous),
		cmocka_unit_test(test_width_counts_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
