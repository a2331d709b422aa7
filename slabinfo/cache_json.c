// SPDX-License-Identifier: MIT
/* cache_json.c - caches and snapshots as JSON; see cache_json.h. */
#include "cache_json.h"

#include <stdlib.h>

void document_head(struct json_doc *d, FILE *out, const char *mode)
{
	json_open(d, out);
	json_put(d, "format", json_text("slabinfo"));
	json_put(d, "version", json_u64(SLABINFO_JSON_VERSION));
	json_put(d, "tool_version", json_text(slabstat_version()));
	json_put(d, "mode", json_text(mode));
}

void document_open(struct json_doc *d, FILE *out, const char *mode)
{
	document_head(d, out, mode);
	json_open_array(d, "samples");
}

void document_close(struct json_doc *d)
{
	json_close(d);
	json_close(d);
}

static void add_known(cJSON *o, const char *key, uint64_t value)
{
	if (value)
		json_add_u64(o, key, value);
	else
		json_add_null(o, key);
}

static cJSON *machine_json(const struct slabstat_machine *m)
{
	cJSON *o = cJSON_CreateObject();
	char kernel[32] = "";

	if (m->kernel)
		snprintf(kernel, sizeof(kernel), "%u.%u", m->kernel >> 16, m->kernel & 0xffff);
	add_known(o, "page_size_bytes", m->page_size);
	json_add_bool(o, "page_size_guessed", m->page_size_guessed);
	add_known(o, "cpus", m->cpus);
	add_known(o, "nodes", m->nodes);
	json_add_text(o, "kernel", *kernel ? kernel : NULL);
	json_add_text(o, "release", m->release);
	json_add_text(o, "cmdline", m->cmdline);
	json_add_text(o, "boot_id", m->boot_id);
	json_add_bool(o, "slub", m->slub);
	json_add_bool(o, "cpu_slabs_retired", m->cpu_slabs_retired);
	return o;
}

static cJSON *meminfo_json(const struct slabstat_meminfo *m)
{
	cJSON *o;

	if (!m->present)
		return cJSON_CreateNull();
	o = cJSON_CreateObject();
	json_add_u64(o, "slab_bytes", m->slab_bytes);
	json_add_u64(o, "reclaimable_bytes", m->reclaimable_bytes);
	json_add_u64(o, "unreclaimable_bytes", m->unreclaimable_bytes);
	return o;
}

static cJSON *notes_json(const struct slabstat_notes *n)
{
	cJSON *o = cJSON_CreateObject();

	json_add_u64(o, "vanished", n->vanished);
	json_add_u64(o, "bad_rows", n->bad_rows);
	json_add_u64(o, "unreadable", n->unreadable);
	json_add_u64(o, "clamped", n->clamped);
	json_add_u64(o, "dangling", n->dangling);
	json_add_u64(o, "unjoined", n->unjoined);
	json_add_u64(o, "links", n->links);
	json_add_u64(o, "read_ns", n->read_ns);
	return o;
}

/* Which fields no cache has, and why; not those that nobody asked for. */
static cJSON *absent_json(const struct slabstat_snapshot *s)
{
	cJSON *o = cJSON_CreateObject();

	for (int i = 0; i < SLABSTAT_NFIELDS; i++) {
		enum slabstat_field f = (enum slabstat_field)i;

		const char *why = slabstat_snapshot_why_absent(s, f);

		if (why && slabstat_snapshot_has(s, f) == SLABSTAT_ABSENT)
			json_add_text(o, slabstat_field_info(f)->id, why);
	}
	return o;
}

static cJSON *time_json(int64_t ns)
{
	return ns > 0 ? json_u64((uint64_t)ns) : cJSON_CreateNull();
}

void sample_open(struct json_doc *d, const char *label, const struct slabstat_snapshot *s)
{
	cJSON *source = cJSON_CreateObject();

	json_add_text(source, "kind", slabstat_source_kind_name(slabstat_snapshot_source(s)));
	json_add_text(source, "label", label);
	json_open_object(d, NULL);
	json_put(d, "source", source);
	json_put(d, "wall_ns", time_json(slabstat_snapshot_wall_ns(s)));
	json_put(d, "mono_ns", time_json(slabstat_snapshot_mono_ns(s)));
	json_put(d, "machine", machine_json(slabstat_snapshot_machine(s)));
	json_put(d, "meminfo", meminfo_json(slabstat_snapshot_meminfo(s)));
	json_put(d, "notes", notes_json(slabstat_snapshot_notes(s)));
	json_put(d, "absent", absent_json(s));
}

/* ---- one cache ------------------------------------------------------------------------------- */

static cJSON *users_json(const struct slabstat_cache *cache)
{
	cJSON *list = cJSON_CreateArray();

	for (size_t i = 0; i < slabstat_cache_alias_count(cache); i++)
		cJSON_AddItemToArray(list, json_text(slabstat_cache_alias(cache, i)));
	return list;
}

static void add_field(cJSON *o, const struct slabstat_cache *cache, enum slabstat_field f)
{
	const char *id = slabstat_field_info(f)->id;
	uint64_t value;

	if (slabstat_cache_value(cache, f, &value) == SLABSTAT_ABSENT)
		json_add_null(o, id);
	else
		json_add_u64(o, id, value);
}

static void add_inexact(cJSON *o, const struct slabstat_cache *cache)
{
	cJSON *inexact = cJSON_CreateObject();

	for (int i = 0; i < SLABSTAT_NFIELDS; i++) {
		enum slabstat_field f = (enum slabstat_field)i;
		enum slabstat_quality q = slabstat_cache_value(cache, f, NULL);

		if (q > SLABSTAT_EXACT)
			json_add_text(inexact, slabstat_field_info(f)->id, quality_word(q));
	}
	json_add(o, "inexact", inexact);
}

/* "shares": { "slabs": { "0": 5, "1": 2 } }: by node, or by CPU for counters. */
static void add_shares(cJSON *o, const struct slabstat_cache *cache)
{
	cJSON *shares = cJSON_CreateObject();

	for (int i = 0; i < SLABSTAT_NFIELDS; i++) {
		const struct slabstat_share *share;
		cJSON *list;
		size_t n;

		share = slabstat_cache_shares(cache, (enum slabstat_field)i, &n);
		if (n == 0)
			continue;
		list = cJSON_CreateObject();
		for (size_t k = 0; k < n; k++) {
			char index[16];
			cJSON *value = json_u64(share[k].value);

			snprintf(index, sizeof(index), "%u", share[k].index);
			if (!value || !cJSON_AddItemToObject(list, index, value))
				cJSON_Delete(value);
		}
		json_add(shares, slabstat_field_info((enum slabstat_field)i)->id, list);
	}
	json_add(o, "shares", shares);
}

static void add_column(cJSON *o, const struct slabstat_cache *cache, int column, size_t members)
{
	char buf[16];

	switch (column) {
	case COLUMN_NAME:
		json_add_text(o, "name", slabstat_cache_label(cache));
		break;
	case COLUMN_ID:
		json_add_text(o, "id", slabstat_cache_name(cache));
		break;
	case COLUMN_USERS:
		json_add(o, "users", users_json(cache));
		break;
	case COLUMN_FLAGS:
		json_add_text(o, "flags", columns_flags(cache, buf));
		break;
	case COLUMN_CTOR:
		json_add_text(o, "ctor", slabstat_cache_ctor(cache));
		break;
	case COLUMN_MEMBERS:
		json_add_u64(o, "members", members);
		break;
	case COLUMN_INEXACT:
		add_inexact(o, cache);
		break;
	default:
		add_field(o, cache, (enum slabstat_field)(column - COLUMN_FIELD));
		break;
	}
}

cJSON *cache_json(const struct slabstat_cache *cache, const struct columns *columns, size_t members)
{
	cJSON *o = cJSON_CreateObject();

	if (columns) {
		for (size_t i = 0; i < columns->n; i++)
			add_column(o, cache, columns->column[i], members);
		return o;
	}
	for (int i = 0; i < COLUMN_FIELD + SLABSTAT_NFIELDS; i++)
		add_column(o, cache, i, members);
	add_shares(o, cache);
	return o;
}
