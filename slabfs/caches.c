// SPDX-License-Identifier: MIT
/* caches.c - a directory of caches; see caches.h. */
#include "caches.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_file_name(const char *name)
{
	return *name && strcmp(name, ".") != 0 && strcmp(name, "..") != 0 &&
	       strlen(name) <= NAME_MAX;
}

/* The name that a file has for it; NULL: no memory. */
static const char *file_name(struct caches *l, const char *name)
{
	char *text;

	if (l->texts == l->text_room) {
		size_t room = l->text_room ? l->text_room * 2 : 64;
		char **more = reallocarray(l->text, room, sizeof(*more));

		if (!more)
			return NULL;
		l->text = more;
		l->text_room = room;
	}
	text = strdup(name);
	if (!text)
		return NULL;
	l->text[l->texts++] = text;
	for (char *p = text; (p = strchr(p, '/')); p++)
		*p = '!';
	return text;
}

static int add(struct caches *l, const char *name, const char *target,
	       const struct slabstat_cache *cache)
{
	struct caches_entry e = { .target = target, .cache = cache };

	if (!is_file_name(name))
		return 0;
	if (l->count == l->room) {
		size_t room = l->room ? l->room * 2 : 64;
		struct caches_entry *more = reallocarray(l->entry, room, sizeof(*more));

		if (!more)
			return -ENOMEM;
		l->entry = more;
		l->room = room;
	}
	e.name = file_name(l, name);
	if (!e.name)
		return -ENOMEM;
	l->entry[l->count++] = e;
	return 0;
}

/* Directories before links; of the rest the older first. */
static int compare(const void *a, const void *b)
{
	const struct caches_entry *e = a, *f = b;
	size_t p = slabstat_cache_position(e->cache), q = slabstat_cache_position(f->cache);
	int ret = strcmp(e->name, f->name);

	if (ret == 0)
		ret = !!e->target - !!f->target;
	return ret ? ret : p < q ? -1 : p > q;
}

/* Sorts, and keeps the first of each name; the caches of other directories go to lost. */
static size_t make_unique(struct caches *l, const struct slabstat_cache **lost)
{
	size_t kept = 0, n = 0;

	if (l->count)
		qsort(l->entry, l->count, sizeof(*l->entry), compare);
	for (size_t i = 0; i < l->count; i++) {
		if (!kept || strcmp(l->entry[kept - 1].name, l->entry[i].name) != 0)
			l->entry[kept++] = l->entry[i];
		else if (lost && !l->entry[i].target)
			lost[n++] = l->entry[i].cache;
	}
	l->count = kept;
	return n;
}

/* One that can have neither name: what fits of it, and its number in the program. */
static int add_numbered(struct caches *l, const struct slabstat_cache *c)
{
	char name[NAME_MAX + 1];

	int ret;

	snprintf(name, sizeof(name), "%.200s@%zu", slabstat_cache_name(c),
		 slabstat_cache_position(c));
	ret = add(l, name, NULL, c);
	if (ret == 0)
		l->entry[l->count - 1].numbered = true;
	return ret;
}

/*
 * Names that are wanted by several, in the order in which they are given away: to caches by their
 * own, by their label, by number. Those that go without stay in rest, *n of them.
 */
static int add_round(struct caches *l, const struct slabstat_cache **rest, size_t *n,
		     const char *(*name)(const struct slabstat_cache *))
{
	const struct slabstat_cache **lost = calloc(*n + 1, sizeof(*lost));
	size_t nameless = 0;
	int ret = lost ? 0 : -ENOMEM;

	for (size_t i = 0; ret == 0 && i < *n; i++) {
		if (!name)
			ret = add_numbered(l, rest[i]);
		else if (is_file_name(name(rest[i])))
			ret = add(l, name(rest[i]), NULL, rest[i]);
		else
			rest[nameless++] = rest[i];
	}
	if (ret == 0) {
		*n = make_unique(l, lost);
		memcpy(rest + nameless, lost, *n * sizeof(*lost));
		*n += nameless;
	}
	free(lost);
	return ret;
}

static int add_directories(struct caches *l, const struct slabstat_snapshot *s)
{
	size_t n = slabstat_snapshot_count(s);
	const struct slabstat_cache **rest = calloc(n + 1, sizeof(*rest));
	int ret = rest ? 0 : -ENOMEM;

	for (size_t i = 0; ret == 0 && i < n; i++)
		rest[i] = slabstat_snapshot_cache(s, i);
	if (ret == 0)
		ret = add_round(l, rest, &n, slabstat_cache_name);
	if (ret == 0 && n)
		ret = add_round(l, rest, &n, slabstat_cache_label);
	if (ret == 0 && n)
		ret = add_round(l, rest, &n, NULL);
	free(rest);
	return ret;
}

int caches_list(struct caches *l, const struct slabstat_snapshot *s)
{
	size_t directories;
	int ret;

	*l = (struct caches){ .entry = NULL };
	ret = add_directories(l, s);
	directories = l->count;
	for (size_t i = 0; i < directories; i++) {
		const struct slabstat_cache *c = l->entry[i].cache;

		for (size_t k = 0; ret == 0 && k < slabstat_cache_alias_count(c); k++)
			ret = add(l, slabstat_cache_alias(c, k), l->entry[i].name, c);
	}
	if (ret == 0)
		make_unique(l, NULL);
	return ret;
}

void caches_free(struct caches *l)
{
	for (size_t i = 0; i < l->texts; i++)
		free(l->text[i]);
	free(l->text);
	free(l->entry);
	*l = (struct caches){ .entry = NULL };
}

const char *caches_row_name(const struct caches *l, const struct slabstat_cache *c)
{
	for (size_t i = 0; i < l->count; i++)
		if (l->entry[i].numbered && l->entry[i].cache == c)
			return l->entry[i].name;
	return slabstat_cache_label(c);
}

static int compare_name(const void *name, const void *entry)
{
	return strcmp(name, ((const struct caches_entry *)entry)->name);
}

const struct caches_entry *caches_find(const struct caches *l, const char *name)
{
	return l->count ? bsearch(name, l->entry, l->count, sizeof(*l->entry), compare_name) : NULL;
}
