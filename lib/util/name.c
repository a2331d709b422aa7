// SPDX-License-Identifier: MIT
/* name.c - the one order of cache names; see name.h. */
#include "util/name.h"

#include <string.h>

static unsigned char fold(unsigned char c)
{
	return c >= 'A' && c <= 'Z' ? (unsigned char)(c - 'A' + 'a') : c;
}

int name_compare(const char *a, const char *b)
{
	const unsigned char *p = (const unsigned char *)a, *q = (const unsigned char *)b;

	for (; *p && fold(*p) == fold(*q); p++, q++)
		;
	if (fold(*p) != fold(*q))
		return fold(*p) < fold(*q) ? -1 : 1;
	return strcmp(a, b);
}
