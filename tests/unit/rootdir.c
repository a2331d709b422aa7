// SPDX-License-Identifier: MIT
/*
 * rootdir.c - a copy of a machine's /sys and /proc, made in a temporary directory; see rootdir.h.
 */
#include "rootdir.h"

#include "../cmocka_all.h"

#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void rootdir_make(struct rootdir *r)
{
	strcpy(r->path, "/tmp/rootdir.XXXXXX");
	assert_non_null(mkdtemp(r->path));
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

void rootdir_remove(struct rootdir *r)
{
	assert_int_equal(nftw(r->path, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}

/* The whole path, with every directory on the way to its last component made. */
static void full_path(const struct rootdir *r, const char *path, char full[PATH_MAX])
{
	int len = snprintf(full, PATH_MAX, "%s/%s", r->path, path);

	assert_true(len > 0 && len < PATH_MAX);
	for (char *slash = full + strlen(r->path) + 1; (slash = strchr(slash, '/')) != NULL;
	     slash++) {
		*slash = '\0';
		mkdir(full, 0755);
		*slash = '/';
	}
}

void rootdir_file(const struct rootdir *r, const char *path, const char *text)
{
	char full[PATH_MAX];
	FILE *f;

	full_path(r, path, full);
	f = fopen(full, "w");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

void rootdir_link(const struct rootdir *r, const char *path, const char *target)
{
	char full[PATH_MAX];

	full_path(r, path, full);
	assert_int_equal(symlink(target, full), 0);
}

void rootdir_cache(const struct rootdir *r, const char *name, const char *attributes)
{
	char *copy = strdup(attributes), *next = copy, *one, full[PATH_MAX];

	assert_non_null(copy);
	while ((one = strsep(&next, ";")) != NULL) {
		char *equals = strchr(one, '='), path[PATH_MAX], text[4096];

		if (!equals)
			continue;
		*equals = '\0';
		snprintf(path, sizeof(path), "sys/kernel/slab/%s/%s", name, one);
		snprintf(text, sizeof(text), "%s\n", equals + 1);
		rootdir_file(r, path, text);
	}
	free(copy);
	snprintf(full, sizeof(full), "%s/sys/kernel/slab/%s", r->path, name);
	mkdir(full, 0755);
}

void rootdir_alias(const struct rootdir *r, const char *name, const char *target)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "sys/kernel/slab/%s", name);
	rootdir_link(r, path, target);
}

static struct slabstat_snapshot *read_spec(const struct slabstat_spec *spec,
					   const struct slabstat_fieldset *want)
{
	struct slabstat *h = slabstat_new();
	struct slabstat_source *src;
	struct slabstat_snapshot *s = NULL;

	assert_non_null(h);
	if (slabstat_source_open(h, spec, &src) || slabstat_source_read(src, want, &s))
		fail_msg("%s: %s", slabstat_error(h)->path, slabstat_error(h)->text);
	slabstat_source_close(src);
	slabstat_free(h);
	return s;
}

struct slabstat_snapshot *rootdir_read(const struct rootdir *r, enum slabstat_source_kind kind,
				       unsigned flags, const struct slabstat_fieldset *want)
{
	struct slabstat_spec spec = { .kind = kind, .root = r->path, .flags = flags };

	return read_spec(&spec, want);
}

struct slabstat_snapshot *text_read(enum slabstat_source_kind kind, const char *text, size_t len)
{
	struct slabstat_spec spec = { .kind = kind, .buffer = text, .buffer_size = len };

	return read_spec(&spec, NULL);
}

enum slabstat_quality quality(const struct slabstat_snapshot *s, const char *cache,
			      enum slabstat_field field)
{
	const struct slabstat_cache *c = slabstat_snapshot_find(s, cache);

	if (!c)
		fail_msg("no cache %s", cache);
	return slabstat_cache_value(c, field, NULL);
}

uint64_t number(const struct slabstat_snapshot *s, const char *cache, enum slabstat_field field)
{
	if (quality(s, cache, field) == SLABSTAT_ABSENT)
		fail_msg("%s has no %s", cache, slabstat_field_info(field)->id);
	return slabstat_cache_or(slabstat_snapshot_find(s, cache), field, 0);
}
