// SPDX-License-Identifier: MIT
/* view_aliases.c - which names share a cache: every merged one with its users. */
#include "top.h"

static const int columns[] = {
	SLABSTAT_FOOTPRINT, SLABSTAT_OBJECT_SIZE, COLUMN_USERS, COLUMN_NONE
};

static bool shared(const struct slabstat_cache *c, void *arg)
{
	size_t n = slabstat_cache_alias_count(c);

	(void)arg;
	/*
	 * The first user of a merged cache is among its aliases where the cache has a name of its
	 * own.
	 */
	return n > 1 || (n == 1 && slabstat_cache_label(c) == slabstat_cache_name(c));
}

static int rebuild(struct top *t)
{
	return rows_fill(t, false, shared, NULL);
}

static void draw(struct top *t, int y, int height)
{
	struct column_style style = top_style(t);
	struct grid *l = &t->list[t->view];
	const char *why = slabstat_snapshot_why_absent(t->feed.snapshot, SLABSTAT_ALIASES);

	grid_draw(l, &t->canvas, y, height, &style);
	if (!l->count && height >= 2)
		canvas_printf(&t->canvas, y + 1, 1, ROLE_LABEL, "no cache is shared%s%s",
			      why ? " as far as can be seen: " : "", why ? why : "");
}

const struct view view_aliases = {
	.name = "aliases",
	.where = KEYS_LIST,
	.columns = columns,
	.sort = SLABSTAT_FOOTPRINT,
	.heading = true,
	.rebuild = rebuild,
	.draw = draw,
};
