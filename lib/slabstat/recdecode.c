// SPDX-License-Identifier: MIT
/* recdecode.c - the lines of a recording to snapshots; see recdecode.h. */
#include "slabstat/recdecode.h"

#include "util/num.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const cJSON *member(const cJSON *object, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(object, key);
}

/* ---- header ---------------------------------------------------------------------------------- */

static int field_of_id(const char *id)
{
	for (int f = 0; f < SLABSTAT_NFIELDS; f++) {
		if (strcmp(slabstat_field_info((enum slabstat_field)f)->id, id) == 0)
			return f;
	}
	return -1;
}

static int get_columns(struct recdecode *d, const cJSON *list)
{
	int n = cJSON_GetArraySize(list);

	d->column = arena_alloc(&d->arena, ((size_t)n + 1) * sizeof(*d->column));
	if (!d->column)
		return -ENOMEM;
	for (const cJSON *i = list ? list->child : NULL; i; i = i->next) {
		if (!cJSON_IsString(i))
			return -EBADMSG;
		d->column[d->column_count++] = field_of_id(i->valuestring);
	}
	return d->column_count > 0 ? 0 : -EBADMSG;
}

static unsigned get_count(const cJSON *object, const char *key)
{
	uint64_t v = recline_get_u64(object, key, 0);

	return v > UINT32_MAX ? 0 : (unsigned)v;
}

static unsigned get_kernel(const cJSON *item)
{
	const char *p = cJSON_IsString(item) ? item->valuestring : "", *end = p + strlen(p);
	uint64_t major, minor;

	if (num_scan_u64(&p, end, &major) != 0 || *p++ != '.' ||
	    num_scan_u64(&p, end, &minor) != 0 || major > 0xffff || minor > 0xffff)
		return 0;
	return SLABSTAT_KERNEL(major, minor);
}

static void get_machine(struct recdecode *d, const cJSON *o)
{
	struct slabstat_machine *m = &d->machine;

	m->release = recline_text(member(o, "release"), &d->arena);
	m->cmdline = recline_text(member(o, "cmdline"), &d->arena);
	m->boot_id = recline_text(member(o, "boot_id"), &d->arena);
	m->kernel = get_kernel(member(o, "kernel"));
	m->page_size = recline_get_u64(o, "page_size", 0);
	m->page_size_guessed = cJSON_IsTrue(member(o, "page_size_guessed"));
	m->cpus = get_count(o, "cpus");
	m->nodes = get_count(o, "nodes");
	m->slub = cJSON_IsTrue(member(o, "slub"));
	m->cpu_slabs_retired = cJSON_IsTrue(member(o, "cpu_slabs_retired"));
}

static int get_command(struct recdecode *d, const cJSON *list)
{
	size_t n = (size_t)cJSON_GetArraySize(list);
	const char **words = arena_alloc(&d->arena, (n + 1) * sizeof(*words));

	if (!words)
		return -ENOMEM;
	d->about.command = words;
	for (const cJSON *i = list ? list->child : NULL; i; i = i->next) {
		words[d->about.command_count] = recline_text(i, &d->arena);
		if (!words[d->about.command_count])
			return -EBADMSG;
		d->about.command_count++;
	}
	return 0;
}

static void get_absent(struct recdecode *d, const cJSON *object)
{
	for (const cJSON *o = object ? object->child : NULL; o; o = o->next) {
		const char *why = arena_string(&d->arena, o->string, strlen(o->string));

		for (const cJSON *i = cJSON_IsArray(o) ? o->child : NULL; i; i = i->next) {
			uint64_t column;

			if (recline_u64(i, &column) && column < d->column_count &&
			    d->column[column] >= 0)
				d->why_absent[d->column[column]] = why;
		}
	}
}

int recdecode_header(struct recdecode *d, const char *line, size_t len)
{
	cJSON *o = recline_parse(line, len);
	const cJSON *item;
	int kind, ret;

	recdecode_free(d);
	if (!o)
		return -EBADMSG;
	ret = recline_get_u64(o, "version", 0) == RECORD_VERSION ? 0 : -EPROTO;
	if (ret == 0)
		ret = get_columns(d, member(o, "columns"));
	if (ret == 0)
		ret = get_command(d, member(o, "command"));
	if (ret == 0) {
		get_machine(d, member(o, "machine"));
		get_absent(d, member(o, "absent"));
		d->about.tool = recline_text(member(o, "tool"), &d->arena);
		d->about.wall_ns = recline_get_time(o, "wall_ns");
		d->about.mono_ns = recline_get_time(o, "mono_ns");
		item = member(o, "interval_s");
		d->about.interval_s =
			cJSON_IsNumber(item) && item->valuedouble > 0 ? item->valuedouble : 0;
		item = member(o, "source");
		kind = cJSON_IsString(item) ? slabstat_source_kind_find(item->valuestring)
					    : -ENOENT;
		d->about.source =
			kind < 0 ? SLABSTAT_SOURCE_RECORD : (enum slabstat_source_kind)kind;
	}
	cJSON_Delete(o);
	return ret;
}

/* ---- caches ---------------------------------------------------------------------------------- */

static struct recdecode_cache *new_cache(struct recdecode *d)
{
	struct recdecode_cache *c;

	if (d->count == d->room) {
		size_t room = d->room ? d->room * 2 : 256;
		struct recdecode_cache **list = realloc(d->cache, room * sizeof(*list));

		if (!list)
			return NULL;
		d->cache = list;
		d->room = room;
	}
	c = arena_alloc(&d->arena, sizeof(*c));
	if (c)
		d->cache[d->count++] = c;
	return c;
}

static int get_aliases(struct recdecode *d, struct slabstat_cache *c, const cJSON *list)
{
	size_t n = (size_t)cJSON_GetArraySize(list);

	c->alias = arena_alloc(&d->arena, (n + 1) * sizeof(*c->alias));
	if (!c->alias)
		return -ENOMEM;
	for (const cJSON *i = list ? list->child : NULL; i; i = i->next) {
		const char *alias = recline_text(i, &d->arena);

		if (!alias)
			return -EBADMSG;
		c->alias[c->alias_count++] = alias;
	}
	return 0;
}

static int get_facts(struct slabstat_cache *c, const cJSON *object)
{
	for (const cJSON *i = object ? object->child : NULL; i; i = i->next) {
		int f = i->string ? field_of_id(i->string) : -1;
		enum slabstat_quality quality;
		const cJSON *shares;
		uint64_t value;

		if (f < 0)
			continue;
		if (!recline_value_get(i, &value, &quality, &shares))
			return -EBADMSG;
		cache_set(c, (enum slabstat_field)f, value, quality);
	}
	return 0;
}

int recdecode_cache(struct recdecode *d, const char *line, size_t len)
{
	cJSON *o = recline_parse(line, len);
	struct recdecode_cache *c;
	uint64_t id;
	int ret = -EBADMSG;

	if (o && recline_u64(member(o, "cache"), &id) && id == d->count) {
		c = new_cache(d);
		if (!c) {
			cJSON_Delete(o);
			return -ENOMEM;
		}
		c->cache.name = recline_text(member(o, "name"), &d->arena);
		c->cache.ctor = recline_text(member(o, "ctor"), &d->arena);
		ret = c->cache.name ? get_aliases(d, &c->cache, member(o, "aliases")) : -EBADMSG;
		if (ret == 0)
			ret = get_facts(&c->cache, member(o, "facts"));
	}
	cJSON_Delete(o);
	return ret;
}

/* ---- samples --------------------------------------------------------------------------------- */

static bool is_fact(int f)
{
	return slabstat_field_info((enum slabstat_field)f)->kind == SLABSTAT_KIND_FACT;
}

/* Back to the facts alone. */
static void clear_values(struct recdecode_cache *c)
{
	for (int f = 0; f < SLABSTAT_NFIELDS; f++) {
		if (!is_fact(f))
			cache_set(&c->cache, (enum slabstat_field)f, 0, SLABSTAT_ABSENT);
	}
	arena_free(&c->shares);
	c->shares.block = NULL;
	c->cache.shares = NULL;
}

static void drop_shares(struct slabstat_cache *c, enum slabstat_field f)
{
	for (struct share_list **l = &c->shares; *l; l = &(*l)->next) {
		if ((*l)->field == f) {
			*l = (*l)->next;
			return;
		}
	}
}

static int get_shares(struct arena *arena, struct slabstat_cache *c, enum slabstat_field f,
		      const cJSON *list)
{
	size_t n = (size_t)cJSON_GetArraySize(list) / 2;
	struct share_list *l = arena_alloc(arena, sizeof(*l));
	struct slabstat_share *share = arena_alloc(arena, (n + 1) * sizeof(*share));
	size_t k = 0;

	if (!l || !share)
		return -ENOMEM;
	for (const cJSON *i = list->child; i && i->next; i = i->next->next) {
		uint64_t index;

		if (!recline_u64(i, &index) || index > UINT32_MAX ||
		    !recline_u64(i->next, &share[k].value))
			return -EBADMSG;
		share[k++].index = (unsigned)index;
	}
	*l = (struct share_list){ f, k, share, c->shares };
	c->shares = l;
	return 0;
}

/* column, value, column, value, ... */
static int get_values(const struct recdecode *d, struct arena *arena, struct slabstat_cache *c,
		      const cJSON *i)
{
	for (; i; i = i->next->next) {
		enum slabstat_quality quality;
		const cJSON *shares;
		uint64_t column, value;
		int f, ret;

		if (!recline_u64(i, &column) || column >= d->column_count || !i->next ||
		    !recline_value_get(i->next, &value, &quality, &shares))
			return -EBADMSG;
		f = d->column[column];
		if (f < 0)
			continue;
		cache_set(c, (enum slabstat_field)f, value, quality);
		drop_shares(c, (enum slabstat_field)f);
		ret = shares ? get_shares(arena, c, (enum slabstat_field)f, shares) : 0;
		if (ret != 0)
			return ret;
	}
	return 0;
}

static struct recdecode_cache *cache_of(const struct recdecode *d, const cJSON *id)
{
	uint64_t n;

	return recline_u64(id, &n) && n < d->count ? d->cache[n] : NULL;
}

static int get_caches(struct recdecode *d, const cJSON *values)
{
	for (const cJSON *i = values ? values->child : NULL; i; i = i->next) {
		struct recdecode_cache *c = cJSON_IsArray(i) ? cache_of(d, i->child) : NULL;
		int ret;

		if (!c)
			return -EBADMSG;
		if (!c->alive)
			clear_values(c);
		c->alive = true;
		ret = get_values(d, &c->shares, &c->cache, i->child->next);
		if (ret != 0)
			return ret;
	}
	return 0;
}

static int get_reported(struct recdecode *d, const cJSON *list)
{
	d->has_reported = cJSON_IsArray(list);
	if (!d->has_reported)
		return 0;
	if (!d->reported)
		d->reported = arena_alloc(&d->arena, sizeof(*d->reported));
	if (!d->reported)
		return -ENOMEM;
	memset(d->reported, 0, sizeof(*d->reported));
	return get_values(d, &d->arena, d->reported, list->child);
}

static void get_meminfo(struct recdecode *d, const cJSON *list)
{
	struct slabstat_meminfo m = { .present = cJSON_GetArraySize(list) == 3 };

	if (!list)
		return;
	if (m.present)
		m.present = recline_u64(list->child, &m.slab_bytes) &&
			    recline_u64(list->child->next, &m.reclaimable_bytes) &&
			    recline_u64(list->child->next->next, &m.unreclaimable_bytes);
	d->meminfo = m;
}

static void get_notes(struct recdecode *d, const cJSON *o)
{
	struct slabstat_notes *n = &d->notes;

	if (!o)
		return;
#define NOTE(member) (n->member = (size_t)recline_get_u64(o, #member, n->member))
	NOTE(vanished);
	NOTE(bad_rows);
	NOTE(unreadable);
	NOTE(clamped);
	NOTE(dangling);
	NOTE(unjoined);
	NOTE(links);
#undef NOTE
}

static int apply(struct recdecode *d, const cJSON *o, const struct recline_sample *head)
{
	int ret;

	if (head->full) {
		for (size_t i = 0; i < d->count; i++)
			d->cache[i]->alive = false;
		memset(&d->meminfo, 0, sizeof(d->meminfo));
		memset(&d->notes, 0, sizeof(d->notes));
	}
	for (const cJSON *i = member(o, "gone") ? member(o, "gone")->child : NULL; i; i = i->next) {
		struct recdecode_cache *c = cache_of(d, i);

		if (!c)
			return -EBADMSG;
		c->alive = false;
	}
	ret = get_caches(d, member(o, "values"));
	if (ret != 0)
		return ret;
	get_meminfo(d, member(o, "meminfo"));
	get_notes(d, member(o, "notes"));
	d->notes.read_ns = recline_get_u64(o, "read_ns", 0);
	d->instant = head->instant;
	return get_reported(d, member(o, "reported"));
}

int recdecode_sample(struct recdecode *d, const char *line, size_t len)
{
	struct recline_sample head;
	cJSON *o;
	int ret;

	if (!recline_head(line, len, &head))
		return -EBADMSG;
	o = recline_parse(line, len);
	ret = o ? apply(d, o, &head) : -EBADMSG;
	cJSON_Delete(o);
	return ret;
}

/* ---- snapshots ------------------------------------------------------------------------------- */

static int copy_shares(struct slabstat_snapshot *s, struct slabstat_cache *to,
		       const struct slabstat_cache *from)
{
	int ret = 0;

	for (const struct share_list *l = from->shares; l; l = l->next) {
		for (size_t i = 0; ret == 0 && i < l->count; i++)
			ret = snapshot_share(s, to, l->field, l->share[i].index, l->share[i].value);
	}
	return ret;
}

static int fill_cache(struct slabstat_snapshot *s, const struct slabstat_cache *from)
{
	struct slabstat_cache *c = snapshot_add(s, from->name, strlen(from->name));
	int ret = c ? 0 : -ENOMEM;

	if (ret != 0)
		return ret;
	if (from->ctor)
		c->ctor = snapshot_string(s, from->ctor, strlen(from->ctor));
	memcpy(c->value, from->value, sizeof(c->value));
	memcpy(c->quality, from->quality, sizeof(c->quality));
	for (size_t i = 0; ret == 0 && i < from->alias_count; i++)
		ret = snapshot_link(s, from->alias[i], from->name);
	return ret != 0 ? ret : copy_shares(s, c, from);
}

static const char *copy_text(struct slabstat_snapshot *s, const char *text)
{
	return text ? snapshot_string(s, text, strlen(text)) : NULL;
}

int recdecode_fill(const struct recdecode *d, struct slabstat_snapshot *s)
{
	int ret = 0;

	s->machine = d->machine;
	s->machine.release = copy_text(s, d->machine.release);
	s->machine.cmdline = copy_text(s, d->machine.cmdline);
	s->machine.boot_id = copy_text(s, d->machine.boot_id);
	s->wall_ns = d->instant.wall_ns;
	s->mono_ns = d->instant.mono_ns;
	s->meminfo = d->meminfo;
	for (int f = 0; f < SLABSTAT_NFIELDS; f++)
		s->why_absent[f] = copy_text(s, d->why_absent[f]);
	for (size_t i = 0; ret == 0 && i < d->count; i++) {
		if (d->cache[i]->alive)
			ret = fill_cache(s, &d->cache[i]->cache);
	}
	if (ret == 0 && d->has_reported) {
		struct slabstat_cache *c = snapshot_report(s);

		if (!c)
			return -ENOMEM;
		memcpy(c->value, d->reported->value, sizeof(c->value));
		memcpy(c->quality, d->reported->quality, sizeof(c->quality));
	}
	s->notes = d->notes;
	return ret;
}

void recdecode_free(struct recdecode *d)
{
	for (size_t i = 0; i < d->count; i++)
		arena_free(&d->cache[i]->shares);
	arena_free(&d->arena);
	free(d->cache);
	memset(d, 0, sizeof(*d));
}
