/* SPDX-License-Identifier: MIT */
/*
 * report.h - the one place where misuse ends up.
 *
 * One block of text on stderr, then the user's hook, then abort. A hook that returns 0 lets the
 * program go on: the object in question is then left alone for good.
 */
#ifndef SLABKIT_SLAB_REPORT_H
#define SLABKIT_SLAB_REPORT_H

struct kmem_cache;

/* report_misuse - s and object may be NULL where they are not known. */
void report_misuse(const struct kmem_cache *s, const void *object, const char *what);
/*
 * report_leak - s is destroyed with so many objects in use: told like misuse, but never an abort.
 */
void report_leak(struct kmem_cache *s, unsigned long long objects);
/* report_warn - one line on stderr; the program goes on. */
void report_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
