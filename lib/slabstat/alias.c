// SPDX-License-Identifier: MIT
/* alias.c - symbolic links of a slab directory, and the caches they stand for; see alias.h. */
#include "slabstat/alias.h"

#include "util/name.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *alias_target(const char *target)
{
	const char *slash = strrchr(target, '/');

	return slash ? slash + 1 : target;
}

static int compare_name(const void *name, const void *cache)
{
	return name_compare(name, (*(struct slabstat_cache *const *)cache)->name);
}

static int compare_links(const void *a, const void *b)
{
	return name_compare(((const struct alias_link *)a)->name,
			    ((const struct alias_link *)b)->name);
}

static int compare_link(const void *name, const void *link)
{
	return name_compare(name, ((const struct alias_link *)link)->name);
}

static void sort_links(struct slabstat_snapshot *s)
{
	for (size_t i = 1; i < s->link_count; i++) {
		if (compare_links(&s->link[i - 1], &s->link[i]) > 0) {
			qsort(s->link, s->link_count, sizeof(*s->link), compare_links);
			return;
		}
	}
}

/* Find each link's cache, and count the aliases of each cache. */
static void find_targets(struct slabstat_snapshot *s)
{
	for (size_t i = 0; i < s->link_count; i++) {
		struct alias_link *l = &s->link[i];
		struct slabstat_cache **c = bsearch(alias_target(l->target), s->cache, s->count,
						    sizeof(struct slabstat_cache *), compare_name);

		l->cache = c ? *c : NULL;
		if (l->cache)
			l->cache->alias_count++;
		else
			s->notes.dangling++;
	}
}

int alias_resolve(struct slabstat_snapshot *s)
{
	if (s->link_count == 0)
		return 0;
	if (s->count == 0) {
		s->notes.dangling = s->link_count;
		return 0;
	}
	sort_links(s);
	find_targets(s);
	for (size_t i = 0; i < s->count; i++) {
		struct slabstat_cache *c = s->cache[i];

		if (c->alias_count == 0)
			continue;
		c->alias = arena_alloc(&s->arena, c->alias_count * sizeof(*c->alias));
		if (!c->alias)
			return -ENOMEM;
		c->alias_count = 0;
	}
	/* Links are in order of name, so each cache's aliases come out in that order. */
	for (size_t i = 0; i < s->link_count; i++) {
		struct slabstat_cache *c = s->link[i].cache;

		if (!c)
			continue;
		if (c->alias_count == 0 && c->name[0] == ':')
			c->label = s->link[i].name;
		c->alias[c->alias_count++] = s->link[i].name;
	}
	return 0;
}

const struct slabstat_cache *alias_find(const struct slabstat_snapshot *s, const char *name)
{
	const struct alias_link *l = NULL;

	if (s->link_count && s->count)
		l = bsearch(name, s->link, s->link_count, sizeof(*s->link), compare_link);
	return l ? l->cache : NULL;
}
