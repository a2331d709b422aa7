/* SPDX-License-Identifier: MIT */
/*
 * attribute.h - the files of one cache, with the names and the text of /sys/kernel/slab, and its
 * row in /proc/slabinfo.
 *
 * An attribute is a field that sysfs has (enum slabstat_field), or an action. What a cache has no
 * value of is no file.
 */
#ifndef SLABFS_ATTRIBUTE_H
#define SLABFS_ATTRIBUTE_H

#include <slab/slabstat.h>
#include <stdio.h>

#include "caches.h"

enum { ATTRIBUTE_SHRINK = SLABSTAT_NFIELDS, ATTRIBUTE_VALIDATE, ATTRIBUTES };

/* attribute_name - of attribute a that the cache has; NULL: it has no such file. */
const char *attribute_name(const struct slabstat_cache *c, int a);

/* attribute_find - the attribute of this name that the cache has, or -ENOENT. */
int attribute_find(const struct slabstat_cache *c, const char *name);

/* attribute_writable - whether a program takes another value of it, or does what it is called. */
bool attribute_writable(int a);

/* attribute_print - its text: "5", "7 N0=4 N1=3", "9 C0=9" with a newline; of an action nothing. */
void attribute_print(const struct slabstat_cache *c, int a, FILE *out);

/*
 * attribute_parse - what is written to it, as the kernel takes numbers: decimal, a newline may
 * follow. 0; -EINVAL; -ERANGE past 2^64-1. An action wants a 1 to begin with.
 */
int attribute_parse(int a, const char *text, size_t size, uint64_t *value);

/* attribute_rows - all caches as /proc/slabinfo 2.1 has them, the newest first. 0 or -ENOMEM. */
int attribute_rows(const struct slabstat_snapshot *s, const struct caches *names, FILE *out);

#endif
