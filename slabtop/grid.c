// SPDX-License-Identifier: MIT
/* grid.c - tables with a cursor; see grid.h. */
#include "grid.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/safe.h"

#define GUTTER 1		/* mark before the name */
#define NAME_SHARE 29		/* percent of the width that a long name may take from columns */
#define NAME_LEAST 6

int grid_start(struct grid *l, const int *columns, int sort)
{
	size_t n = 0;

	while (columns[n] != COLUMN_NONE)
		n++;
	l->sort = sort;
	return grid_set_columns(l, columns, n);
}

void grid_free(struct grid *l)
{
	free(l->row);
	free(l->column);
	memset(l, 0, sizeof(*l));
}

int grid_set_columns(struct grid *l, const int *column, size_t n)
{
	int *copy = malloc((n ? n : 1) * sizeof(*copy));

	if (!copy)
		return -ENOMEM;
	memcpy(copy, column, n * sizeof(*copy));
	free(l->column);
	l->column = copy;
	l->columns = n;
	if (l->first_column >= n)
		l->first_column = 0;
	return 0;
}

void grid_clear(struct grid *l)
{
	l->count = 0;
}

int grid_add(struct grid *l, const struct row *row)
{
	if (l->count == l->room) {
		size_t room = l->room ? 2 * l->room : 256;
		struct row *grown = realloc(l->row, room * sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		l->row = grown;
		l->room = room;
	}
	l->row[l->count++] = *row;
	return 0;
}

/* ---- order ----------------------------------------------------------------------------------- */

struct sort_item {
	struct value key;
	size_t index;		/* among the rows as they came: by name */
};

static int by_rising(const void *pa, const void *pb)
{
	const struct sort_item *a = pa, *b = pb;
	int order = value_compare(a->key, b->key);

	return order ? order : a->index < b->index ? -1 : a->index > b->index;
}

static int by_falling(const void *pa, const void *pb)
{
	const struct sort_item *a = pa, *b = pb;
	int order = value_compare(b->key, a->key);

	return order ? order : a->index < b->index ? -1 : a->index > b->index;
}

/* Reversing turns ties round as well; only what is absent stays at the end. */
static void turn_round(struct sort_item *item, size_t n)
{
	size_t known = n;

	while (known > 0 && item[known - 1].key.quality == SLABSTAT_ABSENT)
		known--;
	for (size_t i = 0; i < known / 2; i++) {
		struct sort_item swap = item[i];

		item[i] = item[known - 1 - i];
		item[known - 1 - i] = swap;
	}
}

static int sort_rows(struct grid *l, const struct tracks *tracks)
{
	struct sort_item *item = malloc((l->count ? l->count : 1) * sizeof(*item));
	struct row *sorted = malloc((l->count ? l->count : 1) * sizeof(*sorted));

	if (!item || !sorted) {
		free(item);
		free(sorted);
		return -ENOMEM;
	}
	for (size_t i = 0; i < l->count; i++) {
		item[i].index = i;
		item[i].key = l->sort == COLUMN_NAME ?
			      (struct value){ .quality = SLABSTAT_EXACT, .magnitude = i } :
			      column_value(l->sort, &l->row[i], tracks);
	}
	qsort(item, l->count, sizeof(*item), l->sort == COLUMN_NAME ? by_rising : by_falling);
	if (l->reverse)
		turn_round(item, l->count);
	for (size_t i = 0; i < l->count; i++)
		sorted[i] = l->row[item[i].index];
	free(item);
	free(l->row);
	l->row = sorted;
	l->room = l->count ? l->count : 1;
	return 0;
}

/* Put the cursor back on its row; a row that is gone leaves it in its place. */
static void find_cursor(struct grid *l)
{
	size_t offset = l->at - l->top;

	if (!l->held)
		l->at = l->top = 0;
	for (size_t i = 0; l->held && i < l->count; i++)
		if (l->row[i].track == l->cursor) {
			/* On the same line of the screen too, where the list is long enough. */
			if (l->top > 0 || i >= (size_t)(l->page > 0 ? l->page : 1))
				l->top = i > offset ? i - offset : 0;
			l->at = i;
			break;
		}
	if (l->at >= l->count)
		l->at = l->count ? l->count - 1 : 0;
	l->cursor = l->count ? l->row[l->at].track : NULL;
}

int grid_order(struct grid *l, const struct tracks *tracks)
{
	int err = sort_rows(l, tracks);

	find_cursor(l);
	return err;
}

void grid_sort_by(struct grid *l, int column)
{
	l->reverse = l->sort == column ? !l->reverse : false;
	l->sort = column;
}

static void sort_beside(struct grid *l, int step)
{
	long at = -1;	/* the name */

	for (size_t i = 0; i < l->columns; i++)
		if (l->column[i] == l->sort)
			at = (long)i;
	at += step;
	if (at < -1 || at >= (long)l->columns)
		return;
	l->reverse = false;
	l->sort = at < 0 ? COLUMN_NAME : l->column[at];
}

/* ---- movement -------------------------------------------------------------------------------- */

const struct row *grid_current(const struct grid *l)
{
	return l->at < l->count ? &l->row[l->at] : NULL;
}

static void go_to(struct grid *l, size_t at)
{
	if (!l->count)
		return;
	l->at = at < l->count ? at : l->count - 1;
	l->cursor = l->row[l->at].track;
	l->held = true;
}

bool grid_match(struct grid *l, int step)
{
	for (size_t i = 1; i <= l->count; i++) {
		size_t at = step > 0 ? (l->at + i) % l->count : (l->at + l->count - i) % l->count;

		if (l->row[at].match) {
			go_to(l, at);
			return true;
		}
	}
	return false;
}

bool grid_act(struct grid *l, enum action a)
{
	size_t page = l->page > 1 ? (size_t)l->page - 1 : 1;

	switch (a) {
	case ACTION_UP: go_to(l, l->at ? l->at - 1 : 0); break;
	case ACTION_DOWN: go_to(l, l->at + 1); break;
	case ACTION_PAGE_UP:
		l->top = l->top > page ? l->top - page : 0;
		go_to(l, l->at > page ? l->at - page : 0);
		break;
	case ACTION_PAGE_DOWN:
		l->top += page;
		go_to(l, l->at + page);
		break;
	case ACTION_FIRST:
		go_to(l, 0);
		l->held = false;
		break;
	case ACTION_LAST: go_to(l, l->count ? l->count - 1 : 0); break;
	case ACTION_SCROLL_LEFT: l->first_column -= l->first_column > 0; break;
	case ACTION_SCROLL_RIGHT: l->first_column += l->first_column + 1 < l->columns; break;
	case ACTION_REVERSE: l->reverse = !l->reverse; break;
	case ACTION_SORT_LEFT: sort_beside(l, -1); break;
	case ACTION_SORT_RIGHT: sort_beside(l, 1); break;
	default: return false;
	}
	return true;
}

/* ---- layout and drawing ---------------------------------------------------------------------- */

/* Where the columns stand: of the chosen ones from first_column on, as many as fit. */
struct layout {
	int name;		/* width of the name */
	size_t shown;
	int width[COLUMN_COUNT];	/* of column first_column + i */
};

#define LAYOUT_MOST COLUMN_COUNT

static int longest_name(const struct grid *l)
{
	size_t longest = 4;

	for (size_t i = 0; i < l->count; i++) {
		size_t n = strlen(l->row[i].name);

		/* Only an escaped name is wider than its bytes; four columns a byte at most. */
		if (n > longest)
			longest = safe_is_plain(l->row[i].name, 0) ? safe_width(l->row[i].name)
								   : 4 * n;
	}
	return longest < 255 ? (int)longest : 255;
}

static void widen(int *width, const struct grid *l, int column, const struct column_style *style,
		  int rows)
{
	for (size_t i = l->top; i < l->count && i < l->top + (size_t)rows; i++) {
		char buf[COLUMN_TEXT];
		unsigned role;
		int n;

		if (column == COLUMN_USERS)
			return;
		n = canvas_columns(column_text(column, &l->row[i], style, buf, &role));
		if (n > *width)
			*width = n;
	}
}

static void lay_out(const struct grid *l, int width, int rows, const struct column_style *style,
		    struct layout *y)
{
	int longest = longest_name(l), used;

	y->name = width * NAME_SHARE / 100;
	if (y->name > longest)
		y->name = longest;
	if (y->name < NAME_LEAST)
		y->name = NAME_LEAST;
	used = GUTTER + y->name;
	for (y->shown = 0; l->first_column + y->shown < l->columns && y->shown < LAYOUT_MOST;
	     y->shown++) {
		int column = l->column[l->first_column + y->shown];
		int *w = &y->width[y->shown];

		*w = column_width(column, style);
		widen(w, l, column, style, rows);
		if (used + 1 + *w > width)
			break;
		used += 1 + *w;
	}
	/* What is left goes to the names, then to a list of names at the end. */
	if (y->name < longest && width > used) {
		int more = longest - y->name < width - used ? longest - y->name : width - used;

		y->name += more;
		used += more;
	}
	if (y->shown && l->column[l->first_column + y->shown - 1] == COLUMN_USERS && width > used)
		y->width[y->shown - 1] += width - used;
}

void grid_needs(const struct grid *l, int width, const struct column_style *style,
		struct slabstat_fieldset *fields)
{
	struct layout y;

	lay_out(l, width, 0, style, &y);
	for (size_t i = 0; i < y.shown; i++)
		column_needs(l->column[l->first_column + i], fields);
	column_needs(l->sort, fields);
}

int grid_width(const struct grid *l, const struct column_style *style)
{
	int used = GUTTER + longest_name(l);

	for (size_t i = 0; i < l->columns; i++) {
		int w = column_width(l->column[i], style);

		widen(&w, l, l->column[i], style, l->count < 100000 ? (int)l->count : 100000);
		used += 1 + w;
	}
	return used;
}

static void draw_heading(const struct grid *l, struct canvas *c, int y, const struct layout *lay)
{
	char buf[COLUMN_TEXT];
	int x = GUTTER;

	canvas_char(c, y, 0, c->width, ROLE_HEADING, L' ');
	canvas_text(c, y, x, lay->name, l->sort == COLUMN_NAME ? ROLE_SORTED : ROLE_HEADING,
		    "NAME");
	x += lay->name;
	for (size_t i = 0; i < lay->shown; i++) {
		int column = l->column[l->first_column + i];
		unsigned role = column == l->sort ? ROLE_SORTED : ROLE_HEADING;
		const char *title = column_title(column, buf);

		if (column_left(column))
			canvas_text(c, y, x + 1, lay->width[i], role, title);
		else
			canvas_right(c, y, x + 1, lay->width[i], role, title);
		x += 1 + lay->width[i];
	}
}

static void draw_name(const struct row *r, struct canvas *c, int y, int width)
{
	unsigned role = ROLE_PLAIN;
	char *safe = safe_is_plain(r->name, 0) ? NULL : safe_text(r->name, 0);
	const char *name = safe ? safe : r->name;

	if (r->cache && slabstat_cache_or(r->cache, SLABSTAT_RECLAIM_ACCOUNT, 1) == 0)
		role = ROLE_FIXED;
	if (r->match)
		role = ROLE_MATCH;
	canvas_text(c, y, GUTTER, width, role, name);
	/* A cut name says so. */
	if (canvas_columns(name) > width)
		canvas_char(c, y, GUTTER + width - 1, 1, role, L'>');
	free(safe);
}

static void draw_mark(const struct row *r, struct canvas *c, int y, const struct tracks *tracks)
{
	if (!r->cache)
		canvas_char(c, y, 0, 1, ROLE_SHRINK, L'x');
	else if (tracks_samples(tracks) < 2)
		return;
	else if (r->track->new_peak)
		canvas_char(c, y, 0, 1, ROLE_GROWTH, L'^');
	else if (r->track->born)
		canvas_char(c, y, 0, 1, ROLE_GROWTH, L'*');
}

/* How many there are, then as many of their names as fit. */
static void draw_users(const struct slabstat_cache *cache, struct canvas *c, int y, int x,
		       int width)
{
	size_t n = cache ? slabstat_cache_alias_count(cache) : 0, others = 0;
	int end = x + width;

	for (size_t i = 0; i < n; i++)
		others += strcmp(slabstat_cache_alias(cache, i), slabstat_cache_label(cache)) != 0;
	if (!others)
		return;
	x = canvas_printf(c, y, x, ROLE_FIGURE, "+%zu", others);
	for (size_t i = 0; i < n && x + 1 < end; i++) {
		const char *name = slabstat_cache_alias(cache, i);
		char *safe;

		if (strcmp(name, slabstat_cache_label(cache)) == 0)
			continue;
		safe = safe_text(name, 0);
		if (safe && canvas_columns(safe) > end - x - 1) {
			/* It and those behind it have no room. */
			canvas_text(c, y, x + 1, end - x - 1, ROLE_PLAIN, safe);
			canvas_char(c, y, end - 1, 1, ROLE_PLAIN, L'>');
			x = end;
		} else if (safe) {
			x = canvas_text(c, y, x + 1, end - x - 1, ROLE_PLAIN, safe);
		}
		free(safe);
	}
}

static void draw_row(const struct grid *l, const struct row *r, struct canvas *c, int y,
		     const struct layout *lay, const struct column_style *style)
{
	int x = GUTTER + lay->name;

	draw_mark(r, c, y, style->tracks);
	draw_name(r, c, y, lay->name);
	for (size_t i = 0; i < lay->shown; i++) {
		int column = l->column[l->first_column + i];
		char buf[COLUMN_TEXT];
		unsigned role;
		const char *text;

		if (column == COLUMN_USERS) {
			draw_users(r->cache, c, y, x + 1, lay->width[i]);
		} else {
			text = column_text(column, r, style, buf, &role);
			if (column_left(column))
				canvas_text(c, y, x + 1, lay->width[i], role, text);
			else
				canvas_right(c, y, x + 1, lay->width[i], role, text);
		}
		x += 1 + lay->width[i];
	}
}

void grid_draw(struct grid *l, struct canvas *c, int y, int height,
	       const struct column_style *style)
{
	int heading = height >= 2;
	struct layout lay;

	l->page = height - heading;
	if (l->page < 1)
		return;
	if (l->top + (size_t)l->page > l->count)
		l->top = l->count > (size_t)l->page ? l->count - (size_t)l->page : 0;
	if (l->at < l->top)
		l->top = l->at;
	if (l->at >= l->top + (size_t)l->page)
		l->top = l->at - (size_t)l->page + 1;
	lay_out(l, c->width, l->page, style, &lay);
	if (heading)
		draw_heading(l, c, y, &lay);
	for (int i = 0; i < l->page && l->top + (size_t)i < l->count; i++) {
		size_t at = l->top + (size_t)i;

		draw_row(l, &l->row[at], c, y + heading + i, &lay, style);
		if (at == l->at)
			canvas_mark(c, y + heading + i, 0, c->width, ROLE_CURSOR);
	}
}

bool grid_click(struct grid *l, int y, int x, int width, const struct column_style *style)
{
	struct layout lay;
	int right;

	if (y > 0) {
		if (l->top + (size_t)y - 1 < l->count)
			go_to(l, l->top + (size_t)y - 1);
		return false;
	}
	lay_out(l, width, l->page, style, &lay);
	right = GUTTER + lay.name;
	if (x < right) {
		grid_sort_by(l, COLUMN_NAME);
		return true;
	}
	for (size_t i = 0; i < lay.shown; i++) {
		right += 1 + lay.width[i];
		if (x < right) {
			grid_sort_by(l, l->column[l->first_column + i]);
			return true;
		}
	}
	return false;
}
