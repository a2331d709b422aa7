// SPDX-License-Identifier: MIT
/* name.c - the one order of cache names; see name.h. */
#include "util/name.h"

#include <string.h>

static unsigned char fold(unsigned char c)
{
	return c >= 'A' && c <= 'Z' ? (unsigned char)(c - 'A' + 'a') : c;
}

/* The difference at the first place where they differ by more than case. */
static int compare_folded(const char *a, const char *b)
{
	const unsigned char *p = (const unsigned char *)a, *q = (const unsigned char *)b;

	for (; *p && fold(*p) == fold(*q); p++, q++)
		;
	return fold(*p) - fold(*q);
}

int name_compare(const char *a, const char *b)
{
	int order = compare_folded(a, b);

	return order ? order : strcmp(a, b);
}

bool name_same(const char *a, const char *b)
{
	return compare_folded(a, b) == 0;
}
