// SPDX-License-Identifier: MIT
/*
 * tune_show.c - every tunable of the caches asked for: value, default, range, and what stands in
 * the way of writing it. Without caches: those that are not as the kernel made them.
 */
#include "cache_json.h"
#include "tune.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/table.h"

static const struct table_column columns[] = {
	{ .title = "CACHE", .key = "cache", .shrink = true },
	{ .title = "TUNABLE", .key = "tunable" },
	{ .title = "VALUE", .key = "value", .right = true },
	{ .title = "DEFAULT", .key = "default", .right = true },
	{ .title = "RANGE", .key = "range", .right = true },
	{ .title = "WRITABLE", .key = "writable" },
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

static bool differs(const struct slabstat_tunable *t)
{
	return t->readable && t->default_known && t->value != t->standard;
}

static void add_range(struct table *table, const struct slabstat_tunable *t)
{
	char text[64];

	if (t->high == UINT64_MAX)
		snprintf(text, sizeof(text), "%" PRIu64 "..2^64-1", t->low);
	else if (t->high == UINT32_MAX)
		snprintf(text, sizeof(text), "%" PRIu64 "..2^32-1", t->low);
	else if (t->high == t->low)
		snprintf(text, sizeof(text), "%" PRIu64, t->low);
	else
		snprintf(text, sizeof(text), "%" PRIu64 "..%" PRIu64, t->low, t->high);
	table_text(table, text, OUT_PLAIN);
}

static void add_number(struct table *table, bool known, uint64_t value, enum out_style style)
{
	if (known)
		table_number(table, value, style);
	else
		table_absent(table);
}

static void add_row(struct table *table, const char *name, enum slabstat_field field,
		    const struct slabstat_tunable *t)
{
	table_text(table, name, OUT_NAME);
	table_text(table, slabstat_field_info(field)->sysfs, OUT_PLAIN);
	add_number(table, t->readable, t->value, differs(t) ? OUT_WARN : OUT_PLAIN);
	add_number(table, t->default_known, t->standard, OUT_PLAIN);
	add_range(table, t);
	table_text(table, t->writable ? "yes" : "no", t->writable ? OUT_PLAIN : OUT_FAINT);
	table_end_row(table);
}

static cJSON *tunable_json(enum slabstat_field field, const struct slabstat_tunable *t)
{
	cJSON *item = cJSON_CreateObject();

	json_add_text(item, "tunable", slabstat_field_info(field)->id);
	json_add_bool(item, "present", t->present);
	if (t->readable)
		json_add_u64(item, "value", t->value);
	else
		json_add_null(item, "value");
	if (t->present && t->default_known)
		json_add_u64(item, "default", t->standard);
	else
		json_add_null(item, "default");
	json_add_u64(item, "low", t->low);
	json_add_u64(item, "high", t->high);
	json_add_bool(item, "writable", t->writable);
	json_add_text(item, "note", t->why);
	return item;
}

#define NOTES_MAX 8	/* different ones of one tunable: rule.c and tune.c have fewer */

/* Where rows go: a table, made when there is a first row, or a JSON document. */
struct show {
	struct tune_call *call;
	bool only;		/* no more than what differs from its default */
	/* said once below the table, not in each row */
	const char *note[SLABSTAT_NFIELDS][NOTES_MAX];
	struct table *table;
	struct json_doc *doc;
	bool failed;
	bool gap;		/* an empty line comes before what follows the table */
};

static void keep_note(struct show *s, enum slabstat_field field, const char *why)
{
	size_t i = 0;

	while (i < NOTES_MAX && s->note[field][i] && strcmp(s->note[field][i], why))
		i++;
	if (i < NOTES_MAX)
		s->note[field][i] = why;
}

static void show_row(struct show *s, const char *name, enum slabstat_field field,
		     const struct slabstat_tunable *t)
{
	static const struct table_options options = { .form = TABLE_ALIGNED, .fit = true };

	if (t->why)
		keep_note(s, field, t->why);
	if (!t->present)
		return;
	if (!s->table)
		s->table = table_new(s->call->out, &options, columns, COLUMNS);
	if (s->table)
		add_row(s->table, name, field, t);
	else
		s->failed = true;
}

static cJSON *tunables_json(struct show *s, const char *name, cJSON *tunables)
{
	const char *directory = slabstat_tune_resolve(s->call->tune, name);
	cJSON *item = cJSON_CreateObject(), *list = cJSON_CreateArray();
	size_t n;
	const char *const *users = slabstat_tune_users(s->call->tune, directory, &n);

	for (size_t i = 0; i < n; i++)
		cJSON_AddItemToArray(list, json_text(users[i]));
	json_add_text(item, "cache", directory);
	json_add(item, "users", list);
	json_add(item, "tunables", tunables);
	return item;
}

static int show_cache(struct show *s, const char *name)
{
	cJSON *list = s->doc ? cJSON_CreateArray() : NULL;
	struct slabstat_tunable t;

	for (size_t i = 0; slabstat_tune_field(i) >= 0; i++) {
		enum slabstat_field field = (enum slabstat_field)slabstat_tune_field(i);

		if (field == SLABSTAT_SHEAF_CAPACITY && !slabstat_tune_program(s->call->tune))
			continue; /* no tunable of a kernel */
		if (slabstat_tune_look(s->call->tune, name, field, &t)) {
			cJSON_Delete(list);
			return tune_error(s->call, 1);
		}
		if (s->only && !differs(&t))
			continue;
		if (s->doc)
			cJSON_AddItemToArray(list, tunable_json(field, &t));
		else
			show_row(s, name, field, &t);
	}
	if (s->doc && (!s->only || cJSON_GetArraySize(list)))
		json_put(s->doc, NULL, tunables_json(s, name, list));
	else
		cJSON_Delete(list);
	return 0;
}

static int show_all(struct show *s)
{
	struct tune_call *call = s->call;
	size_t n = call->targets ? call->targets : slabstat_snapshot_count(call->machine);
	int status = 0;

	for (size_t i = 0; i < n; i++) {
		const char *name = call->targets ? call->target[i] :
				   slabstat_cache_name(slabstat_snapshot_cache(call->machine, i));

		status = show_cache(s, name) ? 1 : status;
	}
	return status;
}

static int show_json(struct show *s)
{
	struct json_doc doc = { .out = NULL };
	int status;

	s->doc = &doc;
	document_head(&doc, s->call->out->f, "tune");
	json_put(&doc, "directory", json_text(slabstat_tune_directory(s->call->tune)));
	json_put(&doc, "live", cJSON_CreateBool(slabstat_tune_live(s->call->tune)));
	json_open_array(&doc, "caches");
	status = show_all(s);
	json_close(&doc);
	json_close(&doc);
	return doc.failed ? 1 : status;
}

static void print_gap(struct show *s)
{
	if (s->gap)
		fputc('\n', s->call->out->f);
	s->gap = false;
}

/* A write through one name changes the cache for every user: say who they are. */
static void print_users(struct show *s, const char *name)
{
	struct tune_call *call = s->call;
	const char *directory = slabstat_tune_resolve(call->tune, name);
	size_t n = 0;
	const char *const *users =
		directory ? slabstat_tune_users(call->tune, directory, &n) : NULL;

	if (!n || (n == 1 && !strcmp(users[0], name)))
		return;
	print_gap(s);
	tune_print_safe(call->out->f, name);
	fprintf(call->out->f,
		n == 1 ? ": used by " : ": one cache for %zu users, changed for all of them: ", n);
	for (size_t k = 0; k < n; k++) {
		fputs(k ? ", " : "", call->out->f);
		tune_print_safe(call->out->f, users[k]);
	}
	fputc('\n', call->out->f);
}

static void print_notes(struct show *s)
{
	for (int f = 0; f < SLABSTAT_NFIELDS; f++)
		for (size_t i = 0; i < NOTES_MAX && s->note[f][i]; i++) {
			print_gap(s);
			fprintf(s->call->out->f, "%s: %s\n",
				slabstat_field_info((enum slabstat_field)f)->sysfs, s->note[f][i]);
		}
}

static void print_summary(struct show *s)
{
	const char *what = s->table ? "these tunables are not as the kernel set them" :
				      "every tunable that can be read is as the kernel set it";

	fprintf(s->call->out->f, "%s%zu caches; %s. Name some, or --all, to see all.\n",
		s->table ? "\n" : "", slabstat_snapshot_count(s->call->machine), what);
}

int tune_show(struct tune_call *call)
{
	struct show s = { .call = call, .only = !call->targets };
	int status;

	if (call->r->json)
		return show_json(&s);
	status = show_all(&s);
	if (s.failed || (s.table && !table_finish(s.table))) {
		fputs(TUNE_PROGRAM ": out of memory: the table is not complete\n", stderr);
		status = 1;
	}
	if (s.only) {
		print_summary(&s);
	} else {
		s.gap = s.table != NULL;
		print_notes(&s);
		for (size_t i = 0; i < call->targets; i++)
			print_users(&s, call->target[i]);
	}
	return status;
}
