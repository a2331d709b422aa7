/* SPDX-License-Identifier: MIT */
/*
 * name.h - the one order of cache names: ASCII case ignored, then bytes. It depends on neither the
 * locale nor the order of a directory, so every listing of the same caches is the same.
 */
#ifndef SLABKIT_UTIL_NAME_H
#define SLABKIT_UTIL_NAME_H

#include <stdbool.h>

/* name_compare - < 0, 0 or > 0; 0 only for equal bytes. */
int name_compare(const char *a, const char *b);

/* name_same - the same but for ASCII case. */
bool name_same(const char *a, const char *b);

#endif
