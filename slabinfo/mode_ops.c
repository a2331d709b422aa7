// SPDX-License-Identifier: MIT
/* mode_ops.c - constructors (-o): what is left of the operations that 2.6.22 showed. */
#include "compat.h"
#include "mode.h"

static void want(const struct request *r, struct slabstat_fieldset *set)
{
	(void)r;
	*set = slabstat_fieldset_all();	/* constructors are read with everything */
}

static void shown(const struct request *r, struct slabstat_fieldset *set)
{
	(void)r;
	(void)set;
}

static const struct table_column columns[] = {
	{ .title = "NAME", .key = "name" },
	{ .title = "CTOR", .key = "ctor" },
};

static int print_table(const struct view *v)
{
	const struct table_options options = mode_table_options(v);
	struct slabstat_rows *rows = mode_select_all(v);
	struct table *t;

	if (!rows)
		return 2;
	t = table_new(v->out, &options, columns, 2);
	for (size_t i = 0; t && i < slabstat_rows_count(rows); i++) {
		const struct slabstat_cache *c = slabstat_rows_caches(rows)[i];

		table_text(t, slabstat_cache_label(c), OUT_PLAIN);
		table_text(t, slabstat_cache_ctor(c), OUT_PLAIN);
		table_end_row(t);
	}
	slabstat_rows_free(rows);
	return !table_finish(t);
}

static int print_json(const struct view *v)
{
	struct slabstat_rows *rows = mode_select_all(v);

	if (!rows)
		return 2;
	json_open_array(v->json, "caches");
	for (size_t i = 0; i < slabstat_rows_count(rows); i++) {
		const struct slabstat_cache *c = slabstat_rows_caches(rows)[i];
		cJSON *o = cJSON_CreateObject();

		json_add_text(o, "name", slabstat_cache_label(c));
		json_add_text(o, "id", slabstat_cache_name(c));
		json_add_text(o, "ctor", slabstat_cache_ctor(c));
		json_put(v->json, NULL, o);
	}
	json_close(v->json);
	slabstat_rows_free(rows);
	return 0;
}

const struct mode mode_ops = { "ops", want, shown, compat_ops, print_table, print_json };
