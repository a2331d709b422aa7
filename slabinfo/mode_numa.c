// SPDX-License-Identifier: MIT
/* mode_numa.c - slabs on each node (-n). */
#include "compat.h"
#include "mode.h"

static void want(const struct request *r, struct slabstat_fieldset *set)
{
	compat_list_want(r, set);
	mode_want(set, SLABSTAT_SLABS, SLABSTAT_PARTIAL, SLABSTAT_TOTAL_OBJECTS, SLABSTAT_OBJECTS,
		  -1);
}

static void shown(const struct request *r, struct slabstat_fieldset *set)
{
	(void)r;
	mode_want(set, SLABSTAT_SLABS, SLABSTAT_PARTIAL, -1);
}

/* The kernel tells shares of these by node. */
static const enum slabstat_field by_node[] = {
	SLABSTAT_SLABS,
	SLABSTAT_PARTIAL,
	SLABSTAT_OBJECTS,
	SLABSTAT_TOTAL_OBJECTS,
};

#define BY_NODE (sizeof(by_node) / sizeof(by_node[0]))

/* A field's share on a node: absent where the source has none of the field's shares. */
static bool share_of(const struct slabstat_cache *c, enum slabstat_field field, unsigned node,
		     uint64_t *value)
{
	const struct slabstat_share *share;
	size_t n;

	share = slabstat_cache_shares(c, field, &n);
	*value = 0;
	for (size_t i = 0; i < n; i++) {
		if (share[i].index == node)
			*value = share[i].value;
	}
	return n > 0 || slabstat_cache_or(c, field, 1) == 0;
}

static const struct table_column columns[] = {
	{ .title = "NAME", .key = "name", .shrink = true },
	{ .title = "NODE", .key = "node", .right = true },
	{ .title = "SLABS", .key = "slabs", .right = true },
	{ .title = "PARTIAL", .key = "partial", .right = true },
	{ .title = "OBJECTS", .key = "objects", .right = true },
	{ .title = "TOTAL", .key = "total_objects", .right = true },
};

/* Nodes that this cache has slabs on, and those before them. */
static unsigned nodes_of(const struct slabstat_cache *c)
{
	const struct slabstat_share *share;
	size_t n;

	share = slabstat_cache_shares(c, SLABSTAT_SLABS, &n);
	return n ? share[n - 1].index + 1 : 0;
}

static void node_rows(const struct view *v, struct table *t, const struct slabstat_cache *c)
{
	(void)v;
	for (unsigned node = 0; node < nodes_of(c); node++) {
		table_text(t, slabstat_cache_label(c), OUT_PLAIN);
		table_number(t, node, OUT_PLAIN);
		for (size_t f = 0; f < BY_NODE; f++) {
			uint64_t value;

			if (share_of(c, by_node[f], node, &value))
				table_number(t, value, OUT_PLAIN);
			else
				table_absent(t);
		}
		table_end_row(t);
	}
}

static int print_table(const struct view *v)
{
	return mode_print_each(v, mode_select, columns, sizeof(columns) / sizeof(columns[0]),
			       node_rows);
}

static cJSON *node_json(const struct slabstat_cache *c, unsigned node)
{
	cJSON *o = cJSON_CreateObject();

	json_add_u64(o, "node", node);
	for (size_t f = 0; f < BY_NODE; f++) {
		uint64_t value;

		if (share_of(c, by_node[f], node, &value))
			json_add_u64(o, slabstat_field_info(by_node[f])->id, value);
		else
			json_add_null(o, slabstat_field_info(by_node[f])->id);
	}
	return o;
}

static void put_nodes(const struct view *v, const struct slabstat_cache *c)
{
	cJSON *o = cJSON_CreateObject(), *list = cJSON_CreateArray();

	for (unsigned node = 0; node < nodes_of(c); node++)
		cJSON_AddItemToArray(list, node_json(c, node));
	json_add_text(o, "name", slabstat_cache_label(c));
	json_add_text(o, "id", slabstat_cache_name(c));
	json_add(o, "nodes", list);
	json_put(v->json, NULL, o);
}

static int print_json(const struct view *v)
{
	return mode_json_each(v, mode_select, "caches", put_nodes);
}

const struct mode mode_numa = { "numa", want, shown, compat_numa, print_table, print_json };
