// SPDX-License-Identifier: MIT
/* stamp_test.c - times as scripts print them, and lines that are none. */
#include "cmocka_all.h"
#include "slabstat/stamp.h"

#include <string.h>

static void test_times(void **state)
{
	static const struct {
		const char *text;
		int64_t ns;
	} cases[] = {
		{ "Mon Nov 30 10:31:31 UTC 2026", 1796034691000000000 },
		{ "Mon Nov 30 10:31:31 2026", 1796034691000000000 },
		{ "Mon 30 Nov 2026 10:31:31 AM UTC", 1796034691000000000 },
		{ "Mon Nov 30 10:31:31 PM UTC 2026", 1796077891000000000 },
		{ "Mon, 30 Nov 2026 10:31:31 +0000", 1796034691000000000 },
		{ "2026-11-30 10:31:31", 1796034691000000000 },
		{ "2026-11-30T10:31:31Z", 1796034691000000000 },
		{ "2026-11-30T11:31:31.25+01:00", 1796034691250000000 },
		{ "2026-11-30T05:31:31-0500", 1796034691000000000 },
		{ "1796034691", 1796034691000000000 },
		{ "1796034691.5", 1796034691500000000 },
		{ "@0", 0 },
		{ "1970-01-01 00:00:00", 0 },
		{ "2000-02-29 00:00:00", 951782400000000000 },
		{ "2000-03-01 00:00:00", 951868800000000000 },
		{ "2024-02-29 12:00:00", 1709208000000000000 },
	};
	int64_t ns;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		ns = -1;
		if (!stamp_scan(cases[i].text, strlen(cases[i].text), &ns) || ns != cases[i].ns)
			fail_msg("%s: %lld", cases[i].text, (long long)ns);
	}
}

static void test_the_rest(void **state)
{
	static const char *const bad[] = { "",	       "321152",     "10:31:31", "2026-11-30",
					   "dentry",   "Mon",	     "30",
					   "2026-13-30 10:31:31",
					   "2026-11-30 10:31:31 dentry 4", "Nov 30 10:31:31",
					   "99999999999", "2026-11-30 25:00:00" };
	int64_t ns;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (stamp_scan(bad[i], strlen(bad[i]), &ns))
			fail_msg("'%s' was taken for a time", bad[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_times),
		cmocka_unit_test(test_the_rest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
