// SPDX-License-Identifier: MIT
/* line_test.c - what mails, logs and terminals put around a line comes off, and nothing else. */
#include "cmocka_all.h"
#include "slabstat/line.h"

#include <string.h>

static void check(const char *text, const char *wanted)
{
	struct lines r = lines_of(text, strlen(text));
	struct line l;

	assert_true(lines_next(&r, &l));
	if (l.len != strlen(wanted) || memcmp(l.text, wanted, l.len) != 0)
		fail_msg("'%s' gave '%.*s', not '%s'", text, (int)l.len, l.text, wanted);
}

static void test_prefixes_come_off(void **state)
{
	static const char *const before[] = {
		"", "  ", "\t", "> ", "> > ", ">> ", "| ",
		"[  178.502533] ", "[178.502533] ", "[  178.502533][    T1] ", "<6>[    1.5] ",
		"[Mon Jan 12 10:22:33 2026] ", "[Mon Jan  2 10:22:33 2026] ",
		"Jan 12 10:22:33 host kernel: ", "Jan  2 10:22:33 host kernel: [  178.502533] ",
		"2026-01-12T10:22:33.123456+01:00 host kernel: ", "2026-01-12T10:22:33Z ",
		"2026-01-12T10:22:33+0100 host kernel: ", "2026-01-12 10:22:33,123 ", "10:22:33 ",
		"Jan 12 10:22:33 host collect[812]: ", "> Jan 12 10:22:33 host kernel: [ 1.5] ",
	};
	char text[256];

	(void)state;
	for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++) {
		strcpy(text, before[i]);
		strcat(text, "dentry  1 2 \r\n");
		check(text, "dentry  1 2");
	}
}

static void test_names_stay_whole(void **state)
{
	static const char *const same[] = {
		"page->ptl 1 2", ">name 1 2", "[heap] 1 2", "[1] 2 3", "a:b 1 2", "kmem: 1 2",
		"12:34 1 2", "Jan 1 2 3 4 5 6", "(none) 1 2", "<name> 1", "x|y 1",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++)
		check(same[i], same[i]);
	/* Behind a time, a name is not taken for a host: no tag follows it. */
	check("Jan 12 10:22:33 dm io 1 2 3", "dm io 1 2 3");
}

static void test_every_line_is_given_with_its_number(void **state)
{
	static const char text[] = "one\r\n\n  two\n\t\nthree";
	static const char *const wanted[] = { "one", "", "two", "", "three" };
	struct lines r = lines_of(text, sizeof(text) - 1);
	struct line l;

	(void)state;
	for (unsigned i = 0; i < 5; i++) {
		assert_true(lines_next(&r, &l));
		assert_int_equal(l.number, i + 1);
		assert_int_equal(l.len, strlen(wanted[i]));
		assert_memory_equal(l.text, wanted[i], l.len);
	}
	assert_false(lines_next(&r, &l));
	r = lines_of("", 0);
	assert_false(lines_next(&r, &l));
}

static void test_lone_carriage_returns_end_lines(void **state)
{
	static const char text[] = "one\rtwo\r\rthree";
	static const char *const wanted[] = { "one", "two", "", "three" };
	struct lines r = lines_of(text, sizeof(text) - 1);
	struct line l;

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		assert_true(lines_next(&r, &l));
		assert_int_equal(l.len, strlen(wanted[i]));
		assert_memory_equal(l.text, wanted[i], l.len);
	}
	assert_false(lines_next(&r, &l));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_prefixes_come_off),
		cmocka_unit_test(test_names_stay_whole),
		cmocka_unit_test(test_every_line_is_given_with_its_number),
		cmocka_unit_test(test_lone_carriage_returns_end_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
