/* SPDX-License-Identifier: MIT */
/* report_trap.h - catches reports of misuse, so that a test can say which one it wants. */
#ifndef SLABKIT_TESTS_REPORT_TRAP_H
#define SLABKIT_TESTS_REPORT_TRAP_H

#include <slab/slab.h>
#include <stdio.h>
#include <string.h>

static char trapped[2048];

static int trap(const char *text)
{
	snprintf(trapped, sizeof(trapped), "%s", text);
	return 0;
}

/* The report of what the statement did wrong must hold the words; cmocka_all.h comes first. */
#define assert_reports(words, statement)                                             \
	do {                                                                         \
		trapped[0] = '\0';                                                   \
		slab_set_report_hook(trap);                                          \
		statement;                                                           \
		slab_set_report_hook(NULL);                                          \
		if (!strstr(trapped, (words)))                                       \
			fail_msg("reported '%s' instead of '%s'", trapped, (words)); \
	} while (0)

/* Destroys s, which must hold no object in use. */
#define assert_destroys(s)                        \
	do {                                      \
		trapped[0] = '\0';                \
		slab_set_report_hook(trap);       \
		kmem_cache_destroy(s);            \
		slab_set_report_hook(NULL);       \
		assert_string_equal(trapped, ""); \
	} while (0)

#endif
