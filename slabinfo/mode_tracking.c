// SPDX-License-Identifier: MIT
/* mode_tracking.c - who allocates and who frees (-t): one call site a row, read as a stream. */
#include "compat.h"
#include "mode.h"
#include "tracking.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void want(const struct request *r, struct slabstat_fieldset *set)
{
	(void)r;
	mode_want(set, SLABSTAT_STORE_USER, -1); /* to explain why there is nothing */
}

static void shown(const struct request *r, struct slabstat_fieldset *set)
{
	(void)r;
	(void)set;
}

/* Nothing anywhere has one cause as a rule, and that has a way out. */
static void explain(const struct view *v)
{
	const size_t n = slabstat_snapshot_count(v->s);

	for (size_t i = 0; i < n; i++) {
		if (slabstat_cache_or(slabstat_snapshot_cache(v->s, i), SLABSTAT_STORE_USER, 1))
			return;
	}
	if (n)
		fprintf(stderr,
			"slabinfo: %s: no cache has user tracking: boot with slab_debug=U "
			"(slub_debug=U before 6.8) to see call sites\n",
			v->label);
}

static const char *const kind_word[] = { [TRACKING_ALLOC] = "alloc", [TRACKING_FREE] = "free" };

static struct tracking_reader *open_reader(const struct view *v, const struct slabstat_cache *c,
					   enum tracking_kind kind)
{
	FILE *in = source_opts_is_system(&v->r->source) ?
			   tracking_open(v->r->source.root, c, kind) :
			   NULL;

	return in ? tracking_reader_new(in) : NULL;
}

/* ---- table ----------------------------------------------------------------------------------- */

static const struct table_column columns[] = {
	{ .title = "NAME", .key = "name", .shrink = true },
	{ .title = "KIND", .key = "kind" },
	{ .title = "COUNT", .key = "count", .right = true },
	{ .title = "WASTE", .key = "waste_bytes", .right = true },
	{ .title = "AGE", .key = "age_avg_jiffies", .right = true },
	{ .title = "SYMBOL", .key = "symbol" },
	{ .title = "STACK", .key = "stack", .optional = true },
};

static char *join_stack(const struct tracking_site *s)
{
	size_t size = 1;
	char *text, *p;

	for (size_t i = 0; i < s->depth; i++)
		size += strlen(s->stack[i]) + 3;
	text = p = malloc(size);
	if (!text)
		return NULL;
	*p = '\0';
	for (size_t i = 0; i < s->depth; i++)
		p += sprintf(p, "%s%s", i ? " < " : "", s->stack[i]);
	return text;
}

static void site_row(struct table *t, const struct slabstat_cache *c, enum tracking_kind kind,
		     const struct tracking_site *s)
{
	char *stack = s->depth ? join_stack(s) : NULL;

	table_text(t, slabstat_cache_label(c), OUT_NAME);
	table_text(t, kind_word[kind], OUT_PLAIN);
	table_number(t, s->count, OUT_PLAIN);
	if (s->has_waste)
		table_bytes(t, s->waste_bytes, OUT_PLAIN);
	else
		table_absent(t);
	if (s->has_age)
		table_number(t, s->age_avg, OUT_PLAIN);
	else
		table_absent(t);
	table_text(t, s->symbol, OUT_PLAIN);
	table_text(t, stack, OUT_FAINT);
	table_end_row(t);
	free(stack);
}

static void cache_rows(const struct view *v, struct table *t, const struct slabstat_cache *c)
{
	for (int kind = TRACKING_ALLOC; kind <= TRACKING_FREE; kind++) {
		struct tracking_reader *reader = open_reader(v, c, (enum tracking_kind)kind);
		const struct tracking_site *site;

		while (reader && (site = tracking_next(reader)) != NULL)
			site_row(t, c, (enum tracking_kind)kind, site);
		tracking_reader_free(reader);
	}
}

static int print_table(const struct view *v)
{
	explain(v);
	return mode_print_each(v, mode_select_all, columns, sizeof(columns) / sizeof(columns[0]),
			       cache_rows);
}

static int print_kernel(const struct view *v)
{
	explain(v);
	return compat_tracking(v);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void add_if(cJSON *o, const char *key, bool has, uint64_t value)
{
	if (has)
		json_add_u64(o, key, value);
	else
		json_add_null(o, key);
}

static cJSON *site_json(const struct tracking_site *s)
{
	cJSON *o = cJSON_CreateObject(), *stack = cJSON_CreateArray();

	json_add_u64(o, "count", s->count);
	json_add_text(o, "symbol", s->symbol);
	add_if(o, "waste_bytes", s->has_waste, s->waste_bytes);
	add_if(o, "waste_each_bytes", s->has_waste, s->waste_each_bytes);
	add_if(o, "age_min_jiffies", s->has_age, s->age_min);
	add_if(o, "age_avg_jiffies", s->has_age, s->age_avg);
	add_if(o, "age_max_jiffies", s->has_age, s->age_max);
	add_if(o, "pid_min", s->has_pid, s->pid_min);
	add_if(o, "pid_max", s->has_pid, s->pid_max);
	json_add_text(o, "cpus", s->cpus);
	json_add_text(o, "nodes", s->nodes);
	for (size_t i = 0; i < s->depth; i++)
		cJSON_AddItemToArray(stack, json_text(s->stack[i]));
	json_add(o, "stack", stack);
	return o;
}

/* null where the kernel has no such file for the cache. */
static void sites_json(const struct view *v, const struct slabstat_cache *c,
		       enum tracking_kind kind)
{
	struct tracking_reader *reader = open_reader(v, c, kind);
	const struct tracking_site *site;

	if (!reader) {
		json_put(v->json, kind_word[kind], cJSON_CreateNull());
		return;
	}
	json_open_array(v->json, kind_word[kind]);
	while ((site = tracking_next(reader)) != NULL)
		json_put(v->json, NULL, site_json(site));
	json_close(v->json);
	tracking_reader_free(reader);
}

static void put_cache(const struct view *v, const struct slabstat_cache *c)
{
	json_open_object(v->json, NULL);
	json_put(v->json, "name", json_text(slabstat_cache_label(c)));
	json_put(v->json, "id", json_text(slabstat_cache_name(c)));
	sites_json(v, c, TRACKING_ALLOC);
	sites_json(v, c, TRACKING_FREE);
	json_close(v->json);
}

static int print_json(const struct view *v)
{
	return mode_json_each(v, mode_select_all, "caches", put_cache);
}

const struct mode mode_tracking = {
	"tracking", want, shown, print_kernel, print_table, print_json
};
