/* SPDX-License-Identifier: MIT */
/*
 * grid.h - a table with a cursor: order, columns, scrolling, drawing.
 *
 * A view fills the rows; the list keeps what the person set up across rebuilds. The cursor holds
 * on to a track, not to a place: it goes where its cache goes. Until somebody moves it, it rests
 * on the first row, so that an untouched list always shows its top.
 */
#ifndef SLABTOP_GRID_H
#define SLABTOP_GRID_H

#include <stddef.h>

#include "canvas.h"
#include "columns.h"
#include "keys.h"

struct grid {
	struct row *row;
	size_t count, room;
	const struct track *cursor;	/* identity of the row at the cursor; NULL: none */
	bool held;			/* somebody moved the cursor */
	size_t at, top;			/* rows: the cursor's, the first one shown */
	int sort;			/* column */
	bool reverse;			/* against the natural order of that column */
	int *column;			/* chosen, behind the name */
	size_t columns;
	size_t first_column;		/* scrolled sideways: the first one shown */
	int page;			/* rows shown last time */
};

/* grid_start - a zeroed list with columns that end with COLUMN_NONE. 0 or -ENOMEM. */
int grid_start(struct grid *l, const int *columns, int sort);
void grid_free(struct grid *l);

/* grid_set_columns - copies them. 0 or -ENOMEM (nothing changed). */
int grid_set_columns(struct grid *l, const int *column, size_t n);

/* Rebuilding: grid_clear, grid_add for each row in order of name, grid_order. 0 or -ENOMEM. */
void grid_clear(struct grid *l);
int grid_add(struct grid *l, const struct row *row);
int grid_order(struct grid *l, const struct tracks *tracks);

/* grid_current - the row at the cursor; NULL where there is none. */
const struct row *grid_current(const struct grid *l);

/* grid_act - movement, order and sideways scrolling. True where the action was one of these. */
bool grid_act(struct grid *l, enum action a);

/* grid_sort_by - by a column in its natural order; the same again reverses it. */
void grid_sort_by(struct grid *l, int column);

/*
 * grid_match - to the next row (step 1) or the one before (-1) that matches. False: there is none.
 */
bool grid_match(struct grid *l, int step);

/* grid_needs - the fields of the columns that are shown at this width, and of the order. */
void grid_needs(const struct grid *l, int width, const struct column_style *style,
		struct slabstat_fieldset *fields);

/* grid_draw - heading and rows from row y on, height rows in all. */
void grid_draw(struct grid *l, struct canvas *c, int y, int height,
	       const struct column_style *style);

/* grid_width - columns of text that every chosen column and every name need. */
int grid_width(const struct grid *l, const struct column_style *style);

/*
 * grid_click - a click at row y, column x of the area drawn last: on the heading it sorts by that
 * column (true), on a row it puts the cursor there.
 */
bool grid_click(struct grid *l, int y, int x, int width, const struct column_style *style);

#endif
