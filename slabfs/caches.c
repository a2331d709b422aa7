// SPDX-License-Identifier: MIT
/* caches.c - a directory of caches; see caches.h. */
#include "caches.h"

#include <errno.h>
#include <limits.h>
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

static int add_directories(struct caches *l, const struct slabstat_snapshot *s)
{
	size_t n = slabstat_snapshot_count(s), losers;
	const struct slabstat_cache **lost = calloc(n + 1, sizeof(*lost));
	int ret = lost ? 0 : -ENOMEM;

	for (size_t i = 0; ret == 0 && i < n; i++) {
		const struct slabstat_cache *c = slabstat_snapshot_cache(s, i);

		ret = add(l, slabstat_cache_name(c), NULL, c);
	}
	losers = ret ? 0 : make_unique(l, lost);
	for (size_t i = 0; ret == 0 && i < losers; i++)
		ret = add(l, slabstat_cache_label(lost[i]), NULL, lost[i]);
	if (ret == 0)
		make_unique(l, NULL);
	free(lost);
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

static int compare_name(const void *name, const void *entry)
{
	return strcmp(name, ((const struct caches_entry *)entry)->name);
}

const struct caches_entry *caches_find(const struct caches *l, const char *name)
{
	return l->count ? bsearch(name, l->entry, l->count, sizeof(*l->entry), compare_name) : NULL;
}
