/* SPDX-License-Identifier: MIT */
/* rootdir.h - for tests: a copy of a machine's /sys and /proc, made in a temporary directory. */
#ifndef SLABKIT_TESTS_ROOTDIR_H
#define SLABKIT_TESTS_ROOTDIR_H

#include <slab/slabstat.h>

struct rootdir {
	char path[64];
};

void rootdir_make(struct rootdir *r);
void rootdir_remove(struct rootdir *r);

/*
 * rootdir_file - a file below it, with the directories that it needs; replaces one that is there.
 */
void rootdir_file(const struct rootdir *r, const char *path, const char *text);
void rootdir_link(const struct rootdir *r, const char *path, const char *target);

/* rootdir_cache - a cache directory below sys/kernel/slab with "attribute=text;attribute=text". */
void rootdir_cache(const struct rootdir *r, const char *name, const char *attributes);
/* rootdir_alias - a link there. */
void rootdir_alias(const struct rootdir *r, const char *name, const char *target);

/* rootdir_read - one snapshot of it as this kind of source; fails the test where that fails. */
struct slabstat_snapshot *rootdir_read(const struct rootdir *r, enum slabstat_source_kind kind,
				       unsigned flags, const struct slabstat_fieldset *want);

/* text_read - one snapshot of a text, likewise. */
struct slabstat_snapshot *text_read(enum slabstat_source_kind kind, const char *text, size_t len);

/* number - the value of a field of the cache of that name; fails the test where it has none. */
uint64_t number(const struct slabstat_snapshot *s, const char *cache, enum slabstat_field field);
enum slabstat_quality quality(const struct slabstat_snapshot *s, const char *cache,
			      enum slabstat_field field);

#endif
