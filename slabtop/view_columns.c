// SPDX-License-Identifier: MIT
/*
 * view_columns.c - the column chooser: those that are shown, in their order, then the others.
 *
 * It works on a copy; Enter gives it to the list and keeps it in the configuration file.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "detail.h"
#include "page.h"
#include "top.h"

struct chooser {
	enum view_id for_view;
	int item[COLUMN_COUNT];
	bool shown[COLUMN_COUNT];
	int count;
	int at, top, page;
	int sort;
};

void chooser_free(struct chooser *c)
{
	free(c);
}

/* The chosen columns first, then the rest in the order of their table. */
static void fill(struct chooser *c, const int *chosen, size_t n)
{
	c->count = 0;
	for (size_t i = 0; i < n && c->count < COLUMN_COUNT; i++) {
		c->item[c->count] = chosen[i];
		c->shown[c->count++] = true;
	}
	for (int column = 0; column < COLUMN_COUNT; column++) {
		bool there = false;

		for (size_t i = 0; i < n; i++)
			there |= chosen[i] == column;
		if (!there && c->count < COLUMN_COUNT) {
			c->item[c->count] = column;
			c->shown[c->count++] = false;
		}
	}
}

unsigned chooser_open(struct top *t)
{
	struct grid *l = &t->list[t->view];

	if (t->view == VIEW_NODES) {
		top_say(t, "the columns are this machine's nodes");
		return ENGINE_REDRAW;
	}
	chooser_free(t->chooser);
	t->chooser = calloc(1, sizeof(*t->chooser));
	if (!t->chooser) {
		top_warn(t, "%s", strerror(ENOMEM));
		return ENGINE_REDRAW;
	}
	t->chooser->for_view = t->view;
	t->chooser->sort = l->sort;
	fill(t->chooser, l->column, l->columns);
	return top_go(t, VIEW_COLUMNS);
}

static void move_item(struct chooser *c, int step)
{
	int to = c->at + step, item = c->item[c->at];
	bool shown = c->shown[c->at];

	if (to < 0 || to >= c->count)
		return;
	c->item[c->at] = c->item[to];
	c->shown[c->at] = c->shown[to];
	c->item[to] = item;
	c->shown[to] = shown;
	c->at = to;
}

static unsigned keep(struct top *t)
{
	struct chooser *c = t->chooser;
	int column[COLUMN_COUNT];
	char path[512];
	size_t n = 0;
	int err;

	for (int i = 0; i < c->count; i++)
		if (c->shown[i])
			column[n++] = c->item[i];
	if (grid_set_columns(&t->list[c->for_view], column, n) != 0) {
		top_warn(t, "%s", strerror(ENOMEM));
		return ENGINE_REDRAW;
	}
	t->list[c->for_view].sort = c->sort;
	top_go_back(t);
	err = config_save(t, path, sizeof(path));
	if (err)
		top_warn(t, "%s: %s; the columns hold for this time only", path, strerror(-err));
	else
		top_say(t, "kept in %s", path);
	return ENGINE_REBUILD;
}

static void defaults(struct chooser *c)
{
	const int *usual = views[c->for_view]->columns;
	size_t n = 0;

	while (usual[n] != COLUMN_NONE)
		n++;
	fill(c, usual, n);
	c->sort = views[c->for_view]->sort;
	c->at = 0;
}

static bool act(struct top *t, enum action a, unsigned *dirty)
{
	struct chooser *c = t->chooser;
	int page = c->page > 1 ? c->page - 1 : 1;

	*dirty = ENGINE_REDRAW;
	switch (a) {
	case ACTION_UP: c->at--; break;
	case ACTION_DOWN: c->at++; break;
	case ACTION_PAGE_UP: c->at -= page; break;
	case ACTION_PAGE_DOWN: c->at += page; break;
	case ACTION_FIRST: c->at = 0; break;
	case ACTION_LAST: c->at = c->count - 1; break;
	case ACTION_TOGGLE: c->shown[c->at] = !c->shown[c->at]; break;
	case ACTION_MOVE_EARLIER: move_item(c, -1); break;
	case ACTION_MOVE_LATER: move_item(c, 1); break;
	case ACTION_SORT_HERE: c->sort = c->item[c->at]; break;
	case ACTION_DEFAULTS: defaults(c); break;
	case ACTION_KEEP: *dirty = keep(t); return true;
	default: return false;
	}
	if (c->at >= c->count)
		c->at = c->count - 1;
	if (c->at < 0)
		c->at = 0;
	return true;
}

static void draw_item(struct top *t, int y, const struct chooser *c, int i)
{
	int column = c->item[i];
	bool absent = column < SLABSTAT_NFIELDS &&
		      slabstat_snapshot_has(t->feed.snapshot, (enum slabstat_field)column) ==
			      SLABSTAT_ABSENT;
	char buf[COLUMN_TEXT];
	int x;

	x = canvas_text(&t->canvas, y, 1, 4, ROLE_PLAIN, c->shown[i] ? "[x] " : "[ ] ");
	canvas_text(&t->canvas, y, x, 12, c->shown[i] ? ROLE_FIGURE : ROLE_PLAIN,
		    column_title(column, buf));
	x = canvas_text(&t->canvas, y, x + 12, 7, ROLE_GROWTH,
			column == c->sort ? " sorts " : absent ? " absent" : "");
	canvas_text(&t->canvas, y, 25, t->canvas.width, ROLE_PLAIN, column_help(column));
	if (i == c->at)
		canvas_mark(&t->canvas, y, 0, t->canvas.width, ROLE_CURSOR);
}

static void draw(struct top *t, int y, int height)
{
	struct chooser *c = t->chooser;

	if (height >= 4) {
		canvas_printf(&t->canvas, y++, 1, ROLE_LABEL,
			      "columns of %s: Space shows or hides, "
			      "< and > move, Enter keeps, Esc leaves all as it was",
			      views[c->for_view]->name);
		height--;
	}
	if (height >= 8) {
		struct page p;

		height -= 3;
		page_start(&p, &t->canvas, y + height, 3, 0);
		page_skip(&p, 1);
		page_text(&p, 1, "", column_help(c->item[c->at]));
	}
	c->page = height;
	if (c->at < c->top)
		c->top = c->at;
	if (height > 0 && c->at >= c->top + height)
		c->top = c->at - height + 1;
	for (int i = 0; i < height && c->top + i < c->count; i++)
		draw_item(t, y + i, c, c->top + i);
}

/* One cache read whole tells which fields there are. */
static void needs(const struct top *t, struct feed_want *want)
{
	const struct track *k = t->list[t->chooser->for_view].cursor;

	want->whole = k ? k->name : NULL;
}

const struct view view_columns = {
	.name = "columns",
	.where = KEYS_COLUMNS,
	.needs = needs,
	.draw = draw,
	.act = act,
};
