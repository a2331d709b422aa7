// SPDX-License-Identifier: MIT
/* mode_ops.c - constructors (-o): what is left of the operations that 2.6.22 showed. */
#include "compat.h"
#include "mode.h"

static void want(const struct request *r, struct slabstat_fieldset *set)
{
	(void)r;
	*set = slabstat_fieldset_all(); /* constructors are read with everything */
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

static void ctor_row(const struct view *v, struct table *t, const struct slabstat_cache *c)
{
	(void)v;
	table_text(t, slabstat_cache_label(c), OUT_PLAIN);
	table_text(t, slabstat_cache_ctor(c), OUT_PLAIN);
	table_end_row(t);
}

static int print_table(const struct view *v)
{
	return mode_print_each(v, mode_select_all, columns, sizeof(columns) / sizeof(columns[0]),
			       ctor_row);
}

static void put_ctor(const struct view *v, const struct slabstat_cache *c)
{
	cJSON *o = cJSON_CreateObject();

	json_add_text(o, "name", slabstat_cache_label(c));
	json_add_text(o, "id", slabstat_cache_name(c));
	json_add_text(o, "ctor", slabstat_cache_ctor(c));
	json_put(v->json, NULL, o);
}

static int print_json(const struct view *v)
{
	return mode_json_each(v, mode_select_all, "caches", put_ctor);
}

const struct mode mode_ops = { "ops", want, shown, compat_ops, print_table, print_json };
