// SPDX-License-Identifier: MIT
/* view_growth.c - only what changed since the beginning, with what was born and what is gone. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "top.h"

static const int columns[] = {
	COLUMN_SINCE, COLUMN_SINCE_RATE, COLUMN_RATE, COLUMN_OBJ_SINCE, COLUMN_HISTORY,
	SLABSTAT_FOOTPRINT, COLUMN_PEAK, COLUMN_OBJ_DELTA, COLUMN_DELTA, COLUMN_OBJ_RATE,
	SLABSTAT_OBJECTS, SLABSTAT_OBJECT_SIZE, COLUMN_OBJ_PEAK, COLUMN_USERS, COLUMN_NONE
};

static bool changed(const struct track *k)
{
	const struct track_series *f = &k->s[TRACK_FOOTPRINT], *o = &k->s[TRACK_OBJECTS];

	return k->born || f->last != f->base || f->last != f->previous || o->last != o->base;
}

static bool cache_changed(const struct slabstat_cache *c, void *arg)
{
	const struct top *t = arg;
	const struct track *k = tracks_of(t->tracks, c);

	return k && changed(k);
}

/* What is gone has no cache that the filter could look at; it shows unless one is set. */
static int add_gone(struct top *t)
{
	struct grid *l = &t->list[t->view];

	for (size_t i = 0; i < tracks_count(t->tracks) && !t->pattern; i++) {
		const struct track *k = tracks_at(t->tracks, i);
		struct row row = { .track = k, .name = k->label, .members = 1 };

		if (tracks_gone(t->tracks, k) && grid_add(l, &row) != 0)
			return -ENOMEM;
	}
	return 0;
}

static int rebuild(struct top *t)
{
	int err = rows_fill(t, false, cache_changed, t);

	return err && err != -EINVAL ? err : add_gone(t) ? -ENOMEM : err;
}

static void draw(struct top *t, int y, int height)
{
	struct column_style style = top_style(t);
	struct grid *l = &t->list[t->view];

	grid_draw(l, &t->canvas, y, height, &style);
	if (l->count || height < 2)
		return;
	if (tracks_samples(t->tracks) < 2)
		canvas_text(&t->canvas, y + 1, 1, t->canvas.width, ROLE_LABEL,
			    "waiting for a second sample");
	else
		canvas_text(&t->canvas, y + 1, 1, t->canvas.width, ROLE_LABEL,
			    t->pattern ? "nothing that matches has changed"
				       : "nothing has changed");
}

const struct view view_growth = {
	.name = "growth",
	.where = KEYS_LIST,
	.columns = columns,
	.sort = COLUMN_SINCE,
	.heading = true,
	.rebuild = rebuild,
	.draw = draw,
};
