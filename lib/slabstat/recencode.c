// SPDX-License-Identifier: MIT
/* recencode.c - snapshots to the lines of a recording; see recencode.h. */
#include "slabstat/recencode.h"

#include "slabstat/derive.h"
#include "slabstat/recline.h"
#include "util/json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A cache as this segment knows it: what it is, and its values in the last sample. */
struct known {
	struct slabstat_cache cache;	/* as the last snapshot had it */
	struct arena arena;		/* name, aliases, ctor */
	struct arena shares;		/* replaced with each change */
	struct known *next;		/* same hash */
	size_t id;
	uint64_t stamp;			/* of the last sample it was in; 0: none */
	bool alive;
};

/* ---- the buffer of lines --------------------------------------------------------------------- */

static int put_bytes(struct recencode *r, const char *text, size_t len)
{
	if (r->out_room - r->out_len < len) {
		size_t room = (r->out_len + len) * 2 + 4096;
		char *out = realloc(r->out, room);

		if (!out)
			return -ENOMEM;
		r->out = out;
		r->out_room = room;
	}
	memcpy(r->out + r->out_len, text, len);
	r->out_len += len;
	return 0;
}

/* Add a line and *take* it. */
static int put_line(struct recencode *r, cJSON *line)
{
	size_t len = 0;
	char *text = recline_finish(line, &len);
	int ret = text ? put_bytes(r, text, len) : -ENOMEM;

	cJSON_free(text);
	return ret;
}

/* ---- the header ------------------------------------------------------------------------------ */

static cJSON *machine_json(const struct slabstat_machine *m)
{
	cJSON *o = cJSON_CreateObject();

	if (m->release)
		json_add_text(o, "release", m->release);
	if (m->cmdline)
		json_add_text(o, "cmdline", m->cmdline);
	if (m->boot_id)
		json_add_text(o, "boot_id", m->boot_id);
	if (m->kernel) {
		char text[32];

		snprintf(text, sizeof(text), "%u.%u", m->kernel >> 16, m->kernel & 0xffff);
		json_add_text(o, "kernel", text);
	}
	if (m->page_size)
		json_add_u64(o, "page_size", m->page_size);
	if (m->page_size_guessed)
		json_add_bool(o, "page_size_guessed", true);
	if (m->cpus)
		json_add_u64(o, "cpus", m->cpus);
	if (m->nodes)
		json_add_u64(o, "nodes", m->nodes);
	json_add_bool(o, "slub", m->slub);
	if (m->cpu_slabs_retired)
		json_add_bool(o, "cpu_slabs_retired", true);
	return o;
}

/* Why fields are absent: {"reason":[column,...]}. */
static cJSON *absent_json(const struct slabstat_snapshot *s)
{
	cJSON *o = cJSON_CreateObject();

	for (int f = 0; f < SLABSTAT_NFIELDS; f++) {
		const char *why = s->why_absent[f];
		cJSON *list;

		if (!why)
			continue;
		list = cJSON_GetObjectItemCaseSensitive(o, why);
		if (!list) {
			list = cJSON_CreateArray();
			if (!cJSON_AddItemToObject(o, why, list))
				cJSON_Delete(list);
		}
		cJSON_AddItemToArray(list, json_u64((uint64_t)f));
	}
	return o;
}

/* When: as the snapshot tells, else as whoever took it does. */
static void add_times(cJSON *line, const struct slabstat_snapshot *s,
		      const struct slabstat_taken *taken)
{
	int64_t mono_ns = s->mono_ns > 0 || !taken ? s->mono_ns : taken->mono_ns;
	int64_t wall_ns = s->wall_ns > 0 || !taken ? s->wall_ns : taken->wall_ns;

	if (mono_ns > 0)
		json_add_i64(line, "mono_ns", mono_ns);
	if (wall_ns > 0)
		json_add_i64(line, "wall_ns", wall_ns);
}

static int put_header(struct recencode *r, const struct slabstat_snapshot *s,
		      const struct slabstat_taken *taken)
{
	cJSON *line = cJSON_CreateObject(), *list = cJSON_CreateArray();

	json_add_text(line, "slabkit", "recording");
	json_add_u64(line, "version", RECORD_VERSION);
	json_add_text(line, "tool", r->spec->tool);
	add_times(line, s, taken);
	json_add_text(line, "source",
		      slabstat_source_kind_name(r->spec->source ? r->spec->source : s->source));
	if (r->spec->interval_s > 0)
		json_add_real(line, "interval_s", r->spec->interval_s);
	for (size_t i = 0; i < r->spec->command_count; i++)
		cJSON_AddItemToArray(list, json_text(r->spec->command[i]));
	json_add(line, "command", list);
	json_add(line, "machine", machine_json(&s->machine));
	list = cJSON_CreateArray();
	for (int f = 0; f < SLABSTAT_NFIELDS; f++)
		cJSON_AddItemToArray(list,
				     cJSON_CreateStringReference(
					     slabstat_field_info((enum slabstat_field)f)->id));
	json_add(line, "columns", list);
	json_add(line, "absent", absent_json(s));
	return put_line(r, line);
}

/* ---- the segment ----------------------------------------------------------------------------- */

static void forget_segment(struct recencode *r)
{
	for (size_t i = 0; i < r->known_count; i++) {
		arena_free(&r->known[i]->arena);
		arena_free(&r->known[i]->shares);
		free(r->known[i]);
	}
	free(r->known);
	free(r->bucket);
	arena_free(&r->arena);
	r->arena.block = NULL;
	r->known = r->bucket = NULL;
	r->known_count = r->known_room = r->buckets = 0;
	r->number = 0;
	memset(&r->notes, 0, sizeof(r->notes));
	memset(&r->meminfo, 0, sizeof(r->meminfo));
	memset(&r->machine, 0, sizeof(r->machine));
}

/* Both known and different. */
static bool texts_differ(const char *a, const char *b)
{
	return a && b && strcmp(a, b) != 0;
}

static bool same_machine(const struct slabstat_machine *a, const struct slabstat_machine *b)
{
	return !texts_differ(a->boot_id, b->boot_id) && !texts_differ(a->release, b->release) &&
	       !(a->page_size && b->page_size && a->page_size != b->page_size);
}

static const char *keep_text(struct recencode *r, const char *text)
{
	return text ? arena_string(&r->arena, text, strlen(text)) : NULL;
}

static int begin_segment(struct recencode *r, const struct slabstat_snapshot *s,
			 const struct slabstat_taken *taken)
{
	forget_segment(r);
	r->machine = s->machine;
	r->machine.release = keep_text(r, s->machine.release);
	r->machine.cmdline = keep_text(r, s->machine.cmdline);
	r->machine.boot_id = keep_text(r, s->machine.boot_id);
	r->begun = true;
	return put_header(r, s, taken);
}

/* ---- caches: which is which ------------------------------------------------------------------ */

static bool is_kind(int f, enum slabstat_field_kind kind)
{
	return slabstat_field_info((enum slabstat_field)f)->kind == kind;
}

static size_t hash_text(const char *text)
{
	size_t h = 5381;

	for (; *text; text++)
		h = h * 33 ^ (unsigned char)*text;
	return h;
}

static bool same_aliases(const struct slabstat_cache *a, const struct slabstat_cache *b)
{
	if (a->alias_count != b->alias_count)
		return false;
	for (size_t i = 0; i < a->alias_count; i++) {
		if (strcmp(a->alias[i], b->alias[i]) != 0)
			return false;
	}
	return true;
}

/* Same name, same facts, same users. Facts are the first fields of the table but a few. */
static bool same_cache(const struct slabstat_cache *a, const struct slabstat_cache *b)
{
	if (strcmp(a->name, b->name) != 0 || !same_aliases(a, b) || (!a->ctor != !b->ctor) ||
	    texts_differ(a->ctor, b->ctor))
		return false;
	for (int f = 0; f < SLABSTAT_NFIELDS; f++) {
		if (!is_kind(f, SLABSTAT_KIND_FACT))
			continue;
		if (a->quality[f] != b->quality[f] ||
		    (cache_has(a, (enum slabstat_field)f) && a->value[f] != b->value[f]))
			return false;
	}
	return true;
}

static int rehash(struct recencode *r)
{
	size_t buckets = r->buckets ? r->buckets * 2 : 512;
	struct known **bucket = calloc(buckets, sizeof(*bucket));

	if (!bucket)
		return -ENOMEM;
	free(r->bucket);
	r->bucket = bucket;
	r->buckets = buckets;
	/* Backwards, so that the oldest stands first in its chain. */
	for (size_t i = r->known_count; i-- > 0;) {
		struct known *k = r->known[i];
		struct known **slot = &bucket[hash_text(k->cache.name) % buckets];

		k->next = *slot;
		*slot = k;
	}
	return 0;
}

static int copy_identity(struct known *k, const struct slabstat_cache *c)
{
	k->cache.name = arena_string(&k->arena, c->name, strlen(c->name));
	k->cache.ctor = c->ctor ? arena_string(&k->arena, c->ctor, strlen(c->ctor)) : NULL;
	k->cache.alias = arena_alloc(&k->arena, (c->alias_count + 1) * sizeof(*k->cache.alias));
	if (!k->cache.name || (c->ctor && !k->cache.ctor) || !k->cache.alias)
		return -ENOMEM;
	for (size_t i = 0; i < c->alias_count; i++) {
		k->cache.alias[i] = arena_string(&k->arena, c->alias[i], strlen(c->alias[i]));
		if (!k->cache.alias[i])
			return -ENOMEM;
	}
	k->cache.alias_count = c->alias_count;
	for (int f = 0; f < SLABSTAT_NFIELDS; f++) {
		if (is_kind(f, SLABSTAT_KIND_FACT))
			cache_set(&k->cache, (enum slabstat_field)f, c->value[f],
				  (enum slabstat_quality)c->quality[f]);
	}
	return 0;
}

static struct known *remember(struct recencode *r, const struct slabstat_cache *c)
{
	struct known *k;
	struct known **slot;

	if (r->known_count == r->known_room) {
		size_t room = r->known_room ? r->known_room * 2 : 256;
		struct known **list = realloc(r->known, room * sizeof(*list));

		if (!list)
			return NULL;
		r->known = list;
		r->known_room = room;
	}
	k = calloc(1, sizeof(*k));
	if (!k || copy_identity(k, c) != 0 ||
	    (r->known_count >= r->buckets && rehash(r) != 0)) {
		if (k)
			arena_free(&k->arena);
		free(k);
		return NULL;
	}
	k->id = r->known_count;
	r->known[r->known_count++] = k;
	for (slot = &r->bucket[hash_text(c->name) % r->buckets]; *slot;)
		slot = &(*slot)->next;
	*slot = k;
	return k;
}

static int put_cache(struct recencode *r, const struct known *k)
{
	cJSON *line = cJSON_CreateObject(), *list = cJSON_CreateArray();

	json_add_u64(line, "cache", k->id);
	json_add_text(line, "name", k->cache.name);
	for (size_t i = 0; i < k->cache.alias_count; i++)
		cJSON_AddItemToArray(list, json_text(k->cache.alias[i]));
	json_add(line, "aliases", list);
	if (k->cache.ctor)
		json_add_text(line, "ctor", k->cache.ctor);
	list = cJSON_CreateObject();
	for (int f = 0; f < SLABSTAT_NFIELDS; f++) {
		if (is_kind(f, SLABSTAT_KIND_FACT) && cache_has(&k->cache, (enum slabstat_field)f))
			json_add(list, slabstat_field_info((enum slabstat_field)f)->id,
				 recline_value(k->cache.value[f],
					       (enum slabstat_quality)k->cache.quality[f], NULL));
	}
	json_add(line, "facts", list);
	return put_line(r, line);
}

/* The known cache that this one is; the n-th of several alike is the n-th again. */
static struct known *recognise(struct recencode *r, const struct slabstat_cache *c,
			       int *ret)
{
	struct known *k = r->buckets ? r->bucket[hash_text(c->name) % r->buckets] : NULL;

	for (; k; k = k->next) {
		if (k->stamp != r->stamp && same_cache(&k->cache, c))
			return k;
	}
	k = remember(r, c);
	*ret = k ? put_cache(r, k) : -ENOMEM;
	return k;
}

/* ---- values ---------------------------------------------------------------------------------- */

static const struct share_list *shares_of(const struct slabstat_cache *c, int f)
{
	const struct share_list *l = c->shares;

	while (l && l->field != (enum slabstat_field)f)
		l = l->next;
	return l;
}

static bool same_shares(const struct share_list *a, const struct share_list *b)
{
	if (!a || !b)
		return a == b;
	return a->count == b->count &&
	       memcmp(a->share, b->share, a->count * sizeof(*a->share)) == 0;
}

static int copy_shares(struct known *k, const struct slabstat_cache *c)
{
	arena_free(&k->shares);
	k->shares.block = NULL;
	k->cache.shares = NULL;
	for (const struct share_list *l = c->shares; l; l = l->next) {
		struct share_list *copy = arena_alloc(&k->shares, sizeof(*copy));
		struct slabstat_share *share = arena_alloc(&k->shares, l->count * sizeof(*share));

		if (!copy || !share)
			return -ENOMEM;
		memcpy(share, l->share, l->count * sizeof(*share));
		*copy = (struct share_list){ l->field, l->count, share, k->cache.shares };
		k->cache.shares = copy;
	}
	return 0;
}

/* A copy without the computed fields that the reader will compute alike. */
static void strip_derived(struct slabstat_cache *copy, const struct slabstat_cache *c,
			  const struct slabstat_machine *m)
{
	*copy = *c;
	for (int f = 0; f < SLABSTAT_NFIELDS; f++) {
		if (is_kind(f, SLABSTAT_KIND_DERIVED))
			copy->quality[f] = SLABSTAT_ABSENT;
	}
	derive_cache(copy, m);
	for (int f = 0; f < SLABSTAT_NFIELDS; f++) {
		if (!is_kind(f, SLABSTAT_KIND_DERIVED))
			continue;
		if (copy->quality[f] == c->quality[f] && copy->value[f] == c->value[f])
			cache_set(copy, (enum slabstat_field)f, 0, SLABSTAT_ABSENT);
		else
			cache_set(copy, (enum slabstat_field)f, c->value[f],
				  (enum slabstat_quality)c->quality[f]);
	}
	for (int f = 0; f < SLABSTAT_NFIELDS; f++) {
		if (!cache_has(copy, (enum slabstat_field)f))
			copy->value[f] = 0;
	}
}

/* Append column, value for all fields of c that differ from old (NULL: that are there). */
static size_t add_values(cJSON *list, const struct slabstat_cache *c,
			 const struct slabstat_cache *old, bool facts)
{
	size_t n = 0;

	for (int f = 0; f < SLABSTAT_NFIELDS; f++) {
		const struct share_list *shares;

		if (!facts && is_kind(f, SLABSTAT_KIND_FACT))
			continue;
		if (old ? c->quality[f] == old->quality[f] && c->value[f] == old->value[f] :
			  !cache_has(c, (enum slabstat_field)f)) {
			if (!old || !c->shares || same_shares(shares_of(c, f), shares_of(old, f)))
				continue;
		}
		shares = shares_of(c, f);
		cJSON_AddItemToArray(list, json_u64((uint64_t)f));
		cJSON_AddItemToArray(
			list,
			recline_value(c->value[f], (enum slabstat_quality)c->quality[f], shares));
		n++;
	}
	return n;
}

/* Nothing changed since the last sample: no need to look closer. */
static bool unchanged(const struct known *k, const struct slabstat_cache *c)
{
	return !c->shares && !k->cache.shares &&
	       memcmp(k->cache.quality, c->quality, sizeof(c->quality)) == 0 &&
	       memcmp(k->cache.value, c->value, sizeof(c->value)) == 0;
}

static int keep_values(struct known *k, const struct slabstat_cache *c)
{
	memcpy(k->cache.value, c->value, sizeof(c->value));
	memcpy(k->cache.quality, c->quality, sizeof(c->quality));
	return c->shares || k->cache.shares ? copy_shares(k, c) : 0;
}

/* One cache of a sample: [id,column,value,...], or nothing where nothing changed. */
static int add_cache(struct recencode *r, cJSON *values, const struct slabstat_cache *c, bool full)
{
	int ret = 0;
	struct known *k = recognise(r, c, &ret);
	struct slabstat_cache now, before;
	cJSON *list;
	bool whole;

	if (ret != 0)
		return ret;
	whole = full || !k->alive;
	k->stamp = r->stamp;
	k->alive = true;
	if (!whole && unchanged(k, c))
		return 0;
	strip_derived(&now, c, &r->machine);
	if (!whole)
		strip_derived(&before, &k->cache, &r->machine);
	list = cJSON_CreateArray();
	cJSON_AddItemToArray(list, json_u64(k->id));
	if (add_values(list, &now, whole ? NULL : &before, false) > 0 || whole)
		cJSON_AddItemToArray(values, list);
	else
		cJSON_Delete(list);
	return keep_values(k, c);
}

/* ---- samples --------------------------------------------------------------------------------- */

static const struct {
	const char *key;
	size_t offset;
} note_members[] = {
#define NOTE(member) { #member, offsetof(struct slabstat_notes, member) }
	NOTE(vanished), NOTE(bad_rows), NOTE(unreadable), NOTE(clamped),
	NOTE(dangling), NOTE(unjoined), NOTE(links),
#undef NOTE
};

static size_t note_value(const struct slabstat_notes *n, size_t i)
{
	return *(const size_t *)(const void *)((const char *)n + note_members[i].offset);
}

/* Notes are stored where they change. */
static void add_notes(struct recencode *r, cJSON *line, const struct slabstat_notes *n, bool full)
{
	cJSON *o = NULL;

	for (size_t i = 0; i < sizeof(note_members) / sizeof(note_members[0]); i++) {
		if (note_value(n, i) == (full ? 0 : note_value(&r->notes, i)))
			continue;
		if (!o)
			o = cJSON_CreateObject();
		json_add_u64(o, note_members[i].key, note_value(n, i));
	}
	if (o)
		json_add(line, "notes", o);
	r->notes = *n;
	r->notes.first_unreadable = NULL;	/* the snapshot's */
}

static void add_meminfo(struct recencode *r, cJSON *line, const struct slabstat_meminfo *m,
			bool full)
{
	cJSON *list;

	if (!full && m->present == r->meminfo.present &&
	    m->slab_bytes == r->meminfo.slab_bytes &&
	    m->reclaimable_bytes == r->meminfo.reclaimable_bytes &&
	    m->unreclaimable_bytes == r->meminfo.unreclaimable_bytes)
		return;
	r->meminfo = *m;
	if (!m->present) {
		if (!full)
			json_add_null(line, "meminfo");
		return;
	}
	list = cJSON_CreateArray();
	cJSON_AddItemToArray(list, json_u64(m->slab_bytes));
	cJSON_AddItemToArray(list, json_u64(m->reclaimable_bytes));
	cJSON_AddItemToArray(list, json_u64(m->unreclaimable_bytes));
	json_add(line, "meminfo", list);
}

/* Totals that the source stated itself: whole in each sample that has them. */
static void add_reported(struct recencode *r, cJSON *line, const struct slabstat_cache *reported)
{
	struct slabstat_cache stored;
	cJSON *list;

	if (!reported)
		return;
	strip_derived(&stored, reported, &r->machine);
	list = cJSON_CreateArray();
	add_values(list, &stored, NULL, true);
	json_add(line, "reported", list);
}

static void add_gone(struct recencode *r, cJSON *line, bool full)
{
	cJSON *list = NULL;

	for (size_t i = 0; i < r->known_count; i++) {
		struct known *k = r->known[i];

		if (!k->alive || k->stamp == r->stamp)
			continue;
		k->alive = false;
		if (full)
			continue;
		if (!list)
			list = cJSON_CreateArray();
		cJSON_AddItemToArray(list, json_u64(k->id));
	}
	if (list)
		json_add(line, "gone", list);
}

static cJSON *sample_json(struct recencode *r, const struct slabstat_snapshot *s,
			  const struct slabstat_taken *taken, cJSON *values, bool full)
{
	cJSON *line = cJSON_CreateObject();
	uint64_t bytes;

	/* In this order, which readers can scan without parsing. */
	json_add_u64(line, "sample", r->number);
	if (full)
		json_add_bool(line, "full", true);
	add_times(line, s, taken);
	if (slabstat_snapshot_total(s, SLABSTAT_FOOTPRINT, &bytes) != SLABSTAT_ABSENT)
		json_add_u64(line, "footprint_bytes", bytes);
	json_add(line, "values", values);
	add_gone(r, line, full);
	add_reported(r, line, s->reported);
	add_meminfo(r, line, &s->meminfo, full);
	add_notes(r, line, &s->notes, full);
	if (s->notes.read_ns)
		json_add_u64(line, "read_ns", s->notes.read_ns);
	if (taken && taken->cpu_ns)
		json_add_u64(line, "cpu_ns", taken->cpu_ns);
	if (taken && taken->interval_s > 0)
		json_add_real(line, "interval_s", taken->interval_s);
	return line;
}

int recencode_sample(struct recencode *r, const struct slabstat_snapshot *s,
		     const struct slabstat_taken *taken)
{
	cJSON *values;
	bool full;
	int ret = 0;

	r->out_len = 0;
	if (!r->begun || !same_machine(&r->machine, &s->machine))
		ret = begin_segment(r, s, taken);
	if (ret != 0)
		return ret;
	full = r->number % RECORD_FULL_EVERY == 0;
	r->stamp++;
	values = cJSON_CreateArray();
	for (size_t i = 0; ret == 0 && i < s->count; i++)
		ret = add_cache(r, values, s->cache[i], full);
	if (ret != 0) {
		cJSON_Delete(values);
		return ret;
	}
	ret = put_line(r, sample_json(r, s, taken, values, full));
	r->number++;
	return ret;
}

void recencode_free(struct recencode *r)
{
	forget_segment(r);
	free(r->out);
}
