// SPDX-License-Identifier: MIT
/* join.c - which row of /proc/slabinfo tells of which cache of the slab directory; see join.h. */
#include "slabstat/join.h"

#include "slabstat/alias.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NONE ((size_t)-1)

struct name {
	const char *text;
	size_t cache;
};

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct name *)a)->text, ((const struct name *)b)->text);
}

/* sysfs cannot have '/' in a name and writes '!'. */
static int compare_row(const void *key, const void *element)
{
	const struct procfs_row *row = key;
	const unsigned char *name = (const unsigned char *)((const struct name *)element)->text;

	for (size_t i = 0; i < row->name_len; i++) {
		unsigned char c = row->name[i] == '/' ? '!' : (unsigned char)row->name[i];

		if (c != name[i])
			return c < name[i] ? -1 : 1;
	}
	return name[row->name_len] ? -1 : 0;
}

/* Every name that leads to a cache, sorted; links get the number of their directory's cache. */
static struct name *list_names(const struct slabstat_snapshot *s, size_t *count)
{
	struct name *list = calloc(s->count + s->link_count + 1, sizeof(*list));
	size_t n = 0;

	if (!list)
		return NULL;
	for (size_t i = 0; i < s->count; i++) {
		if (s->cache[i])
			list[n++] = (struct name){ s->cache[i]->name, i };
	}
	qsort(list, n, sizeof(*list), compare_names);
	*count = n;
	for (size_t i = 0; i < s->link_count; i++) {
		struct name key = { alias_target(s->link[i].target), 0 };
		struct name *found = bsearch(&key, list, *count, sizeof(*list), compare_names);

		if (found)
			list[n++] = (struct name){ s->link[i].name, found->cache };
	}
	qsort(list, n, sizeof(*list), compare_names);
	*count = n;
	return list;
}

int join_make(struct join *j, const struct procfs_table *t, const struct slabstat_snapshot *s)
{
	size_t names;
	struct name *list = list_names(s, &names);

	*j = (struct join){ .table = t };
	j->first = calloc(s->count + 1, sizeof(*j->first));
	j->next = calloc(t->count + 1, sizeof(*j->next));
	j->taken = calloc(t->count + 1, sizeof(*j->taken));
	if (!list || !j->first || !j->next || !j->taken) {
		free(list);
		join_free(j);
		return -ENOMEM;
	}
	for (size_t i = 0; i < s->count; i++)
		j->first[i] = NONE;
	for (size_t r = t->count; r-- > 0;) {
		struct name *found = bsearch(&t->row[r], list, names, sizeof(*list), compare_row);

		if (found) {
			j->next[r] = j->first[found->cache];
			j->first[found->cache] = r;
		}
	}
	free(list);
	return 0;
}

void join_free(struct join *j)
{
	free(j->first);
	free(j->next);
	free(j->taken);
	*j = (struct join){ 0 };
}

/* A field that one side does not know does not disagree. */
static bool agrees(const struct procfs_row *row, enum procfs_column column,
		   const struct slabstat_cache *c, enum slabstat_field f)
{
	return !cache_has(c, f) || !procfs_has(row, column) || row->value[column] == c->value[f];
}

static bool fits(const struct procfs_row *row, const struct slabstat_cache *c)
{
	return agrees(row, PROCFS_OBJSIZE, c, SLABSTAT_SLAB_SIZE) &&
	       agrees(row, PROCFS_OBJPERSLAB, c, SLABSTAT_OBJS_PER_SLAB);
}

const struct procfs_row *join_take(struct join *j, const struct slabstat_snapshot *s, size_t i)
{
	const struct slabstat_cache *c = s->cache[i];
	size_t likeliest = j->first[i], fitting = 0;

	for (size_t r = j->first[i]; r != NONE; r = j->next[r]) {
		if (fits(&j->table->row[r], c) && fitting++ == 0)
			likeliest = r;
	}
	if (likeliest == NONE)
		return NULL;
	j->taken[likeliest] = true;
	return fitting == 1 ? &j->table->row[likeliest] : NULL;
}

const struct procfs_row *join_rest(const struct join *j, size_t *at)
{
	while (*at < j->table->count) {
		size_t r = (*at)++;

		if (!j->taken[r])
			return &j->table->row[r];
	}
	return NULL;
}
