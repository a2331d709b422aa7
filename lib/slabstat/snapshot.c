// SPDX-License-Identifier: MIT
/*
 * snapshot.c - what a source said, in one order and sealed; see snapshot.h.
 *
 * While it is filled, caches stand in the order of the source. Sealing sorts them by name and
 * makes one index of alias names, so that finding by either is a binary search.
 */
#include "slabstat/snapshot.h"

#include "slabstat/alias.h"
#include "slabstat/derive.h"
#include "slabstat/field.h"
#include "slabstat/machine.h"
#include "util/name.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct slabstat_snapshot *snapshot_new(enum slabstat_source_kind source)
{
	struct slabstat_snapshot *s = calloc(1, sizeof(*s));

	if (s)
		s->source = source;
	return s;
}

void slabstat_snapshot_free(struct slabstat_snapshot *s)
{
	if (!s)
		return;
	arena_free(&s->arena);
	free(s->cache);
	free(s->link);
	free(s);
}

/* Make room for one more element of size bytes in an array of count, which doubles. */
static int reserve(void **array, size_t *room, size_t count, size_t size)
{
	size_t want = *room ? *room * 2 : 64;
	void *bigger;

	if (count < *room)
		return 0;
	bigger = reallocarray(*array, want, size);
	if (!bigger)
		return -ENOMEM;
	*array = bigger;
	*room = want;
	return 0;
}

struct slabstat_cache *snapshot_add(struct slabstat_snapshot *s, const char *name, size_t name_len)
{
	struct slabstat_cache *c;

	if (reserve((void **)&s->cache, &s->room, s->count, sizeof(*s->cache)))
		return NULL;
	c = arena_alloc(&s->arena, sizeof(*c));
	if (!c)
		return NULL;
	c->name = c->label = arena_string(&s->arena, name, name_len);
	if (!c->name)
		return NULL;
	c->position = s->count;
	s->cache[s->count++] = c;
	return c;
}

void snapshot_drop_last(struct slabstat_snapshot *s)
{
	s->count--;
}

void snapshot_drop(struct slabstat_snapshot *s, size_t i)
{
	s->cache[i] = NULL;
}

struct slabstat_cache *snapshot_report(struct slabstat_snapshot *s)
{
	if (!s->reported) {
		s->reported = arena_alloc(&s->arena, sizeof(*s->reported));
		if (s->reported)
			s->reported->name = s->reported->label = "";
	}
	return s->reported;
}

int snapshot_link(struct slabstat_snapshot *s, const char *name, const char *target)
{
	struct alias_link *l;

	if (reserve((void **)&s->link, &s->link_room, s->link_count, sizeof(*s->link)))
		return -ENOMEM;
	l = &s->link[s->link_count];
	l->name = arena_string(&s->arena, name, strlen(name));
	l->target = arena_string(&s->arena, target, strlen(target));
	if (!l->name || !l->target)
		return -ENOMEM;
	s->link_count++;
	return 0;
}

const char *snapshot_string(struct slabstat_snapshot *s, const char *text, size_t len)
{
	return arena_string(&s->arena, text, len);
}

static struct share_list *share_list_of(const struct slabstat_cache *c, enum slabstat_field f)
{
	struct share_list *l = c->shares;

	while (l && l->field != f)
		l = l->next;
	return l;
}

int snapshot_share(struct slabstat_snapshot *s, struct slabstat_cache *c, enum slabstat_field f,
		   unsigned index, uint64_t value)
{
	struct share_list *l = share_list_of(c, f);

	if (!l) {
		l = arena_alloc(&s->arena, sizeof(*l));
		if (!l)
			return -ENOMEM;
		l->field = f;
		l->next = c->shares;
		c->shares = l;
	}
	/* Room is a power of two: a full list is one whose count is one. */
	if ((l->count & (l->count - 1)) == 0) {
		size_t room = l->count ? l->count * 2 : 1;
		struct slabstat_share *bigger = arena_alloc(&s->arena, room * sizeof(*bigger));

		if (!bigger)
			return -ENOMEM;
		if (l->count)
			memcpy(bigger, l->share, l->count * sizeof(*bigger));
		l->share = bigger;
	}
	l->share[l->count].index = index;
	l->share[l->count++].value = value;
	return 0;
}

void snapshot_unreadable(struct slabstat_snapshot *s, const struct slabstat_cache *c,
			 enum slabstat_field f, int code)
{
	const char *why = code == -EINVAL ? "not understood" : strerror(-code);
	char *text;
	int n;

	if (s->notes.unreadable++)
		return;
	n = asprintf(&text, "%s/%s: %s", c->name, slabstat_field_info(f)->sysfs, why);
	if (n < 0)
		return;
	s->notes.first_unreadable = arena_string(&s->arena, text, (size_t)n);
	free(text);
}

void snapshot_why(struct slabstat_snapshot *s, enum slabstat_field f, const char *why)
{
	if (!s->why_absent[f])
		s->why_absent[f] = why;
}

/* ---- sealing --------------------------------------------------------------------------------- */

static int compare_shares(const void *a, const void *b)
{
	const struct slabstat_share *p = a, *q = b;

	return p->index < q->index ? -1 : p->index > q->index;
}

static void sort_shares(struct slabstat_cache *c)
{
	for (struct share_list *l = c->shares; l; l = l->next) {
		for (size_t i = 1; i < l->count; i++) {
			if (l->share[i - 1].index > l->share[i].index) {
				qsort(l->share, l->count, sizeof(*l->share), compare_shares);
				break;
			}
		}
	}
}

static int compare_caches(const void *a, const void *b)
{
	const struct slabstat_cache *p = *(struct slabstat_cache *const *)a;
	const struct slabstat_cache *q = *(struct slabstat_cache *const *)b;
	int order = name_compare(p->name, q->name);

	if (order)
		return order;
	return p->position < q->position ? -1 : p->position > q->position;
}

/* Of two qualities the better known: exact, then a bound, then a guess. */
static uint8_t better(uint8_t a, uint8_t b)
{
	static const unsigned char rank[] = {
		[SLABSTAT_ABSENT] = 0, [SLABSTAT_ESTIMATE] = 1, [SLABSTAT_LOWER] = 2,
		[SLABSTAT_UPPER] = 3,  [SLABSTAT_EXACT] = 4,
	};

	return rank[a] < rank[b] ? b : a;
}

/* Most sources give them in order already. */
static void sort_caches(struct slabstat_snapshot *s)
{
	for (size_t i = 1; i < s->count; i++) {
		if (compare_caches(&s->cache[i - 1], &s->cache[i]) > 0) {
			qsort(s->cache, s->count, sizeof(*s->cache), compare_caches);
			return;
		}
	}
}

static void close_holes(struct slabstat_snapshot *s)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->count; i++) {
		if (s->cache[i])
			s->cache[kept++] = s->cache[i];
	}
	s->count = kept;
}

int snapshot_finish(struct slabstat_snapshot *s)
{
	int ret;

	close_holes(s);
	sort_caches(s);
	ret = alias_resolve(s);
	if (ret)
		return ret;
	machine_settle(s);
	for (size_t i = 0; i < s->count; i++) {
		struct slabstat_cache *c = s->cache[i];

		sort_shares(c);
		s->notes.clamped += derive_cache(c, &s->machine);
		for (int f = 0; f < SLABSTAT_NFIELDS; f++)
			s->has[f] = better(s->has[f], c->quality[f]);
	}
	if (s->reported)
		derive_cache(s->reported, &s->machine);
	for (size_t i = 1; i < s->count; i++)
		s->notes.repeats += strcmp(s->cache[i - 1]->name, s->cache[i]->name) == 0;
	s->sealed = true;
	return 0;
}

/* ---- reading --------------------------------------------------------------------------------- */

const struct slabstat_machine *slabstat_snapshot_machine(const struct slabstat_snapshot *s)
{
	return &s->machine;
}

const struct slabstat_meminfo *slabstat_snapshot_meminfo(const struct slabstat_snapshot *s)
{
	return &s->meminfo;
}

const struct slabstat_notes *slabstat_snapshot_notes(const struct slabstat_snapshot *s)
{
	return &s->notes;
}

int64_t slabstat_snapshot_wall_ns(const struct slabstat_snapshot *s)
{
	return s->wall_ns;
}

int64_t slabstat_snapshot_mono_ns(const struct slabstat_snapshot *s)
{
	return s->mono_ns;
}

enum slabstat_source_kind slabstat_snapshot_source(const struct slabstat_snapshot *s)
{
	return s->source;
}

size_t slabstat_snapshot_count(const struct slabstat_snapshot *s)
{
	return s->count;
}

const struct slabstat_cache *slabstat_snapshot_cache(const struct slabstat_snapshot *s, size_t i)
{
	return i < s->count ? s->cache[i] : NULL;
}

const struct slabstat_cache *slabstat_snapshot_find(const struct slabstat_snapshot *s,
						    const char *name)
{
	size_t low = 0, high = s->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (name_compare(s->cache[middle]->name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < s->count && strcmp(s->cache[low]->name, name) == 0)
		return s->cache[low];
	return alias_find(s, name);
}

const struct slabstat_cache *slabstat_snapshot_reported(const struct slabstat_snapshot *s)
{
	return s->reported;
}

enum slabstat_quality slabstat_snapshot_has(const struct slabstat_snapshot *s,
					    enum slabstat_field field)
{
	if ((unsigned)field >= SLABSTAT_NFIELDS)
		return SLABSTAT_ABSENT;
	return (enum slabstat_quality)s->has[field];
}

const char *slabstat_snapshot_why_absent(const struct slabstat_snapshot *s,
					 enum slabstat_field field)
{
	if ((unsigned)field >= SLABSTAT_NFIELDS || s->has[field] != SLABSTAT_ABSENT)
		return NULL;
	if (s->why_absent[field])
		return s->why_absent[field];
	/* A computed field is absent because one of those that it is computed from is. */
	for (size_t i = 0;; i++) {
		int input = field_input(field, i);

		if (input < 0)
			return NULL;
		if (s->has[input] == SLABSTAT_ABSENT)
			return slabstat_snapshot_why_absent(s, (enum slabstat_field)input);
	}
}

const char *slabstat_cache_name(const struct slabstat_cache *c)
{
	return c->name;
}

const char *slabstat_cache_label(const struct slabstat_cache *c)
{
	return c->label;
}

size_t slabstat_cache_alias_count(const struct slabstat_cache *c)
{
	return c->alias_count;
}

const char *slabstat_cache_alias(const struct slabstat_cache *c, size_t i)
{
	return i < c->alias_count ? c->alias[i] : NULL;
}

size_t slabstat_cache_position(const struct slabstat_cache *cache)
{
	return cache->position;
}

const char *slabstat_cache_ctor(const struct slabstat_cache *c)
{
	return c->ctor;
}

enum slabstat_quality slabstat_cache_value(const struct slabstat_cache *c,
					   enum slabstat_field field, uint64_t *value)
{
	if ((unsigned)field >= SLABSTAT_NFIELDS || !cache_has(c, field))
		return SLABSTAT_ABSENT;
	if (value)
		*value = c->value[field];
	return (enum slabstat_quality)c->quality[field];
}

uint64_t slabstat_cache_or(const struct slabstat_cache *c, enum slabstat_field field,
			   uint64_t other)
{
	uint64_t value = other;

	slabstat_cache_value(c, field, &value);
	return value;
}

const struct slabstat_share *slabstat_cache_shares(const struct slabstat_cache *c,
						   enum slabstat_field field, size_t *n)
{
	const struct share_list *l =
		slabstat_cache_value(c, field, NULL) ? share_list_of(c, field) : NULL;

	*n = l ? l->count : 0;
	return l ? l->share : NULL;
}
