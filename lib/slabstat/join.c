// SPDX-License-Identifier: MIT
/* join.c - which row of /proc/slabinfo tells of which cache of the slab directory; see join.h. */
#include "slabstat/join.h"

#include "slabstat/alias.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define NONE ((size_t)-1)

/* Names that lead to caches: open addressing, a power of two of slots. */
struct names {
	struct name {
		const char *text;
		size_t cache;
	} *slot;
	size_t slots;
};

/* sysfs cannot have '/' in a name and writes '!'. */
static unsigned char as_sysfs(char c)
{
	return c == '/' ? '!' : (unsigned char)c;
}

static size_t hash(const char *text, size_t len)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (size_t i = 0; i < len; i++)
		h = (h ^ as_sysfs(text[i])) * 0x100000001b3u;
	return (size_t)(h ^ h >> 32);
}

static bool same_name(const char *a, const char *b, size_t len_b)
{
	for (size_t i = 0; i < len_b; i++) {
		if (as_sysfs(a[i]) != as_sysfs(b[i]) || !a[i])
			return false;
	}
	return !a[len_b];
}

/* The slot of a name, or the free one where it would stand. */
static struct name *find_name(const struct names *n, const char *text, size_t len)
{
	size_t i = hash(text, len) & (n->slots - 1);

	while (n->slot[i].text && !same_name(n->slot[i].text, text, len))
		i = (i + 1) & (n->slots - 1);
	return &n->slot[i];
}

static void add_name(struct names *n, const char *text, size_t cache)
{
	struct name *slot = find_name(n, text, strlen(text));

	if (!slot->text)
		*slot = (struct name){ text, cache };
}

/* Every name that leads to a cache; links get the number of their directory's cache. */
static int list_names(struct names *n, const struct slabstat_snapshot *s)
{
	n->slots = 64;
	while (n->slots < 2 * (s->count + s->link_count))
		n->slots *= 2;
	n->slot = calloc(n->slots, sizeof(*n->slot));
	if (!n->slot)
		return -ENOMEM;
	for (size_t i = 0; i < s->count; i++) {
		if (s->cache[i])
			add_name(n, s->cache[i]->name, i);
	}
	for (size_t i = 0; i < s->link_count; i++) {
		const char *target = alias_target(s->link[i].target);
		const struct name *found = find_name(n, target, strlen(target));

		if (found->text)
			add_name(n, s->link[i].name, found->cache);
	}
	return 0;
}

int join_make(struct join *j, const struct procfs_table *t, const struct slabstat_snapshot *s)
{
	struct names names = { 0 };

	*j = (struct join){ .table = t };
	j->first = calloc(s->count + 1, sizeof(*j->first));
	j->next = calloc(t->count + 1, sizeof(*j->next));
	j->taken = calloc(t->count + 1, sizeof(*j->taken));
	if (!j->first || !j->next || !j->taken || list_names(&names, s)) {
		free(names.slot);
		join_free(j);
		return -ENOMEM;
	}
	for (size_t i = 0; i < s->count; i++)
		j->first[i] = NONE;
	for (size_t r = t->count; r-- > 0;) {
		const struct name *found = find_name(&names, t->row[r].name, t->row[r].name_len);

		if (found->text) {
			j->next[r] = j->first[found->cache];
			j->first[found->cache] = r;
		}
	}
	free(names.slot);
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

const struct procfs_row *join_only(const struct join *j, size_t i)
{
	size_t r = j->first[i];

	return r != NONE && j->next[r] == NONE ? &j->table->row[r] : NULL;
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
