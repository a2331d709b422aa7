// SPDX-License-Identifier: MIT
/* mode_alias.c - merged caches and the users that share them (-a). */
#include "compat.h"
#include "mode.h"

#include <stdlib.h>

static void want(const struct request *r, struct slabstat_fieldset *set)
{
	(void)r;
	(void)set;	/* links need no attribute */
}

/* Of a merged cache that is asked for all users are shown; one user alone only with -1. */
static bool shared(const struct view *v, const struct slabstat_cache *c)
{
	return slabstat_cache_alias_count(c) > (v->r->single_aliases ? 0u : 1u);
}

static const struct table_column columns[] = {
	{ .title = "USER", .key = "user" },
	{ .title = "CACHE", .key = "cache" },
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

		for (size_t k = 0; shared(v, c) && k < slabstat_cache_alias_count(c); k++) {
			table_text(t, slabstat_cache_alias(c, k), OUT_PLAIN);
			table_text(t, slabstat_cache_name(c), OUT_PLAIN);
			table_end_row(t);
		}
	}
	slabstat_rows_free(rows);
	return !table_finish(t);
}

static cJSON *shared_json(const struct slabstat_cache *c)
{
	cJSON *o = cJSON_CreateObject(), *users = cJSON_CreateArray();

	for (size_t i = 0; i < slabstat_cache_alias_count(c); i++)
		cJSON_AddItemToArray(users, json_text(slabstat_cache_alias(c, i)));
	json_add_text(o, "id", slabstat_cache_name(c));
	json_add(o, "users", users);
	return o;
}

static int print_json(const struct view *v)
{
	struct slabstat_rows *rows = mode_select_all(v);

	if (!rows)
		return 2;
	json_open_array(v->json, "merged");
	for (size_t i = 0; i < slabstat_rows_count(rows); i++) {
		if (shared(v, slabstat_rows_caches(rows)[i]))
			json_put(v->json, NULL, shared_json(slabstat_rows_caches(rows)[i]));
	}
	json_close(v->json);
	slabstat_rows_free(rows);
	return 0;
}

const struct mode mode_aliases = { "aliases", want, NULL, compat_aliases, print_table, print_json };
