// SPDX-License-Identifier: MIT
/* mode_alias.c - merged caches and the users that share them (-a). */
#include "compat.h"
#include "mode.h"

static void want(const struct request *r, struct slabstat_fieldset *set)
{
	(void)r;
	(void)set; /* links need no attribute */
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

static void user_rows(const struct view *v, struct table *t, const struct slabstat_cache *c)
{
	for (size_t i = 0; shared(v, c) && i < slabstat_cache_alias_count(c); i++) {
		table_text(t, slabstat_cache_alias(c, i), OUT_PLAIN);
		table_text(t, slabstat_cache_name(c), OUT_PLAIN);
		table_end_row(t);
	}
}

static int print_table(const struct view *v)
{
	return mode_print_each(v, mode_select_all, columns, sizeof(columns) / sizeof(columns[0]),
			       user_rows);
}

static void put_shared(const struct view *v, const struct slabstat_cache *c)
{
	cJSON *o, *users;

	if (!shared(v, c))
		return;
	o = cJSON_CreateObject();
	users = cJSON_CreateArray();
	for (size_t i = 0; i < slabstat_cache_alias_count(c); i++)
		cJSON_AddItemToArray(users, json_text(slabstat_cache_alias(c, i)));
	json_add_text(o, "id", slabstat_cache_name(c));
	json_add(o, "users", users);
	json_put(v->json, NULL, o);
}

static int print_json(const struct view *v)
{
	return mode_json_each(v, mode_select_all, "merged", put_shared);
}

const struct mode mode_aliases = { "aliases", want, NULL, compat_aliases, print_table, print_json };
