// SPDX-License-Identifier: MIT
/*
 * view_nodes.c - where each cache's memory lies: its footprint on every NUMA node, and above the
 * list the sums. A list with a column a node, so that each can sort.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "top.h"
#include "util/num.h"

static const int columns[] = { SLABSTAT_FOOTPRINT, COLUMN_NODE, COLUMN_NONE };

/* One more than the highest node of any cache; at least 1. */
static unsigned node_count(const struct slabstat_snapshot *s)
{
	unsigned n = slabstat_snapshot_machine(s)->nodes;

	for (size_t i = 0; i < slabstat_snapshot_count(s); i++) {
		size_t shares;
		const struct slabstat_share *share = slabstat_cache_shares(
			slabstat_snapshot_cache(s, i), SLABSTAT_SLABS, &shares);

		if (shares && share[shares - 1].index >= n)
			n = share[shares - 1].index + 1;
	}
	return n ? n : 1;
}

/* The columns are those of this machine: made anew where the nodes are others. */
static int fit_columns(struct top *t)
{
	struct grid *l = &t->list[t->view];
	unsigned nodes = node_count(t->feed.snapshot);
	int *column;
	int err;

	if (l->columns == nodes + 1)
		return 0;
	column = malloc((nodes + 1) * sizeof(*column));
	if (!column)
		return -ENOMEM;
	column[0] = SLABSTAT_FOOTPRINT;
	for (unsigned i = 0; i < nodes; i++)
		column[i + 1] = COLUMN_NODE + (int)i;
	err = grid_set_columns(l, column, nodes + 1);
	free(column);
	return err;
}

static int rebuild(struct top *t)
{
	int err = fit_columns(t);

	return err ? err : rows_fill(t, false, NULL, NULL);
}

static uint64_t node_sum(const struct top *t, int column)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < t->list[t->view].count; i++) {
		struct value v = column_value(column, &t->list[t->view].row[i], t->tracks);

		if (v.quality != SLABSTAT_ABSENT)
			sum = num_add_sat(sum, v.magnitude);
	}
	return sum;
}

static void draw_sums(struct top *t, int y)
{
	const struct grid *l = &t->list[t->view];
	uint64_t whole = node_sum(t, SLABSTAT_FOOTPRINT);
	char buf[COLUMN_TEXT], title[COLUMN_TEXT];
	int x = canvas_text(&t->canvas, y, 1, t->canvas.width, ROLE_LABEL, "all of these: ");

	for (size_t i = 1; i < l->columns && x < t->canvas.width; i++) {
		uint64_t sum = node_sum(t, l->column[i]);

		x = canvas_printf(&t->canvas, y, x, ROLE_LABEL, "%s ",
				  column_title(l->column[i], title));
		x = canvas_text(&t->canvas, y, x, t->canvas.width, ROLE_FIGURE,
				bytes_text(sum, t->exact, buf));
		x = canvas_printf(&t->canvas, y, x, ROLE_LABEL, " %u%%  ", sum_percent(sum, whole));
	}
}

static void draw(struct top *t, int y, int height)
{
	struct column_style style = top_style(t);
	const char *why = slabstat_snapshot_why_absent(t->feed.snapshot, SLABSTAT_SLABS);

	if (height >= 6) {
		if (slabstat_snapshot_has(t->feed.snapshot, SLABSTAT_SLABS) == SLABSTAT_ABSENT)
			canvas_printf(&t->canvas, y, 1, ROLE_LABEL, "no nodes are known%s%s",
				      why ? ": " : "", why ? why : "");
		else
			draw_sums(t, y);
		y++;
		height--;
		t->list_y++;
	}
	grid_draw(&t->list[t->view], &t->canvas, y, height, &style);
}

static void needs(const struct top *t, struct feed_want *want)
{
	(void)t;
	column_needs(COLUMN_NODE, &want->fields);
	want->shares = true;
}

const struct view view_nodes = {
	.name = "nodes",
	.where = KEYS_LIST,
	.columns = columns,
	.sort = SLABSTAT_FOOTPRINT,
	.heading = true,
	.needs = needs,
	.rebuild = rebuild,
	.draw = draw,
};
