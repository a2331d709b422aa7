// SPDX-License-Identifier: MIT
/* table.c - aligned text, tabs or CSV; see table.h. */
#include "util/table.h"

#include "util/arena.h"
#include "util/csv.h"
#include "util/num.h"
#include "util/safe.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define GAP	     2	/* blanks between columns */
#define SHRINK_LEAST 12 /* a shortened column keeps this much */

struct cell {
	const char *text; /* arena or constant */
	uint32_t width;
	uint8_t style;
};

struct table {
	struct out *out;
	struct table_options options;
	const struct table_column *column;
	size_t columns;
	struct arena arena;
	struct cell *cell; /* rows x columns, aligned form only */
	size_t cells, room;
	size_t at; /* next column of the current row */
	size_t rows;
	bool failed;
};

static void write_heading_line(struct table *t)
{
	const bool csv = t->options.form == TABLE_CSV;

	if (t->options.source)
		fputs(csv ? "source," : "SOURCE\t", t->out->f);
	for (size_t i = 0; i < t->columns; i++) {
		const struct table_column *c = &t->column[i];

		if (csv)
			csv_cell(t->out->f, c->key ? c->key : c->title, i == 0);
		else
			fprintf(t->out->f, "%s%s", i ? "\t" : "", c->title);
	}
	fputc('\n', t->out->f);
}

struct table *table_new(struct out *out, const struct table_options *options,
			const struct table_column *columns, size_t n)
{
	struct table *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->out = out;
	t->options = *options;
	t->column = columns;
	t->columns = n;
	if (options->form != TABLE_ALIGNED && !options->no_heading)
		write_heading_line(t);
	return t;
}

static void keep_cell(struct table *t, const char *text, enum out_style style)
{
	if (t->cells == t->room) {
		size_t room = t->room ? 2 * t->room : 256;
		struct cell *cell = realloc(t->cell, room * sizeof(*cell));

		if (!cell) {
			t->failed = true;
			return;
		}
		t->cell = cell;
		t->room = room;
	}
	t->cell[t->cells++] = (struct cell){ text, (uint32_t)safe_width(text), (uint8_t)style };
}

static void put_source(struct table *t)
{
	char *safe;

	if (t->options.form == TABLE_CSV) {
		t->failed |= !csv_cell(t->out->f, t->options.source, true);
		fputc(',', t->out->f);
		return;
	}
	safe = safe_text(t->options.source, 0);
	fprintf(t->out->f, "%s\t", safe ? safe : "");
	t->failed |= !safe;
	free(safe);
}

/* text is harmless already; NULL: absent. */
static void put_cell(struct table *t, const char *text, enum out_style style)
{
	const size_t at = t->at++;

	if (at == 0 && t->options.source && t->options.form != TABLE_ALIGNED)
		put_source(t);
	switch (t->options.form) {
	case TABLE_CSV:
		t->failed |= !csv_cell(t->out->f, text, at == 0);
		return;
	case TABLE_TABS:
		fprintf(t->out->f, "%s%s", at ? "\t" : "", text ? text : "-");
		return;
	case TABLE_ALIGNED:
		break;
	}
	if (text) {
		text = arena_string(&t->arena, text, strlen(text));
		t->failed |= !text;
	} else {
		text = "-";
		style = OUT_FAINT;
	}
	if (text)
		keep_cell(t, text, style);
}

void table_text(struct table *t, const char *text, enum out_style style)
{
	const unsigned flags = t->out->ascii ? SAFE_ASCII : 0;
	char *safe;

	/* csv_cell escapes by itself: escaping twice would not be undone by undoing once. */
	if (!text || t->options.form == TABLE_CSV || safe_is_plain(text, flags)) {
		put_cell(t, text, style);
		return;
	}
	safe = safe_text(text, flags);
	if (safe)
		put_cell(t, safe, style);
	t->failed |= !safe;
	free(safe);
}

void table_marked(struct table *t, const char *mark, uint64_t value, bool bytes,
		  enum out_style style)
{
	char human[NUM_HUMAN_SIZE];
	char text[NUM_HUMAN_SIZE + 8];

	if (t->options.form != TABLE_ALIGNED)
		mark = "";
	if (bytes && t->options.form != TABLE_CSV && !t->options.exact)
		snprintf(text, sizeof(text), "%.4s%s", mark, num_human_bytes(value, human));
	else
		snprintf(text, sizeof(text), "%.4s%" PRIu64, mark, value);
	put_cell(t, text, style);
}

void table_number(struct table *t, uint64_t value, enum out_style style)
{
	table_marked(t, "", value, false, style);
}

void table_bytes(struct table *t, uint64_t bytes, enum out_style style)
{
	table_marked(t, "", bytes, true, style);
}

void table_absent(struct table *t)
{
	put_cell(t, NULL, OUT_PLAIN);
}

void table_end_row(struct table *t)
{
	while (t->at < t->columns)
		table_absent(t);
	t->at = 0;
	t->rows++;
	if (t->options.form != TABLE_ALIGNED)
		fputc('\n', t->out->f);
}

/* ---- aligned text ---------------------------------------------------------------------------- */

static size_t total_width(const size_t *width, size_t n)
{
	size_t total = 0;

	for (size_t i = 0; i < n; i++)
		total += width[i] ? width[i] + GAP : 0;
	return total ? total - GAP : 0;
}

static void measure(const struct table *t, size_t *width)
{
	for (size_t i = 0; i < t->columns; i++)
		width[i] = t->options.no_heading ? 1 : safe_width(t->column[i].title);
	for (size_t i = 0; i < t->cells; i++) {
		if (t->cell[i].width > width[i % t->columns])
			width[i % t->columns] = t->cell[i].width;
	}
}

/* A width of 0 leaves the column out. */
static void fit(const struct table *t, size_t *width)
{
	const size_t limit = t->out->width;
	size_t total = total_width(width, t->columns);

	if (!t->options.fit || limit == 0)
		return;
	for (size_t i = t->columns; i-- > 0 && total > limit;) {
		if (t->column[i].optional) {
			width[i] = 0;
			total = total_width(width, t->columns);
		}
	}
	for (size_t i = 0; i < t->columns && total > limit; i++) {
		if (t->column[i].shrink && width[i] > SHRINK_LEAST) {
			size_t over = total - limit;
			size_t spare = width[i] - SHRINK_LEAST;

			width[i] -= over < spare ? over : spare;
			total = total_width(width, t->columns);
		}
	}
}

/* Bytes of the first n characters. */
static int prefix_bytes(const char *text, size_t n)
{
	const char *p = text;

	while (*p && n--) {
		p++;
		while (((unsigned char)*p & 0xc0) == 0x80)
			p++;
	}
	return (int)(p - text);
}

static void write_cell(const struct table *t, const struct cell *cell, size_t width, bool right,
		       bool last)
{
	const char *cut = t->out->ascii ? "+" : "\u2026";
	size_t shown = cell->width < width ? cell->width : width;
	int pad = (int)(width - shown);
	FILE *f = t->out->f;

	if (right)
		fprintf(f, "%*s", pad, "");
	fputs(out_style_on(t->out, cell->style), f);
	if (cell->width > width)
		fprintf(f, "%.*s%s", prefix_bytes(cell->text, width - 1), cell->text, cut);
	else
		fputs(cell->text, f);
	fputs(out_style_off(t->out, cell->style), f);
	if (!right && !last)
		fprintf(f, "%*s", pad, "");
}

static void write_row(const struct table *t, const struct cell *row, const size_t *width)
{
	size_t last = t->columns - 1;
	bool some = false;

	while (last > 0 && width[last] == 0)
		last--;
	for (size_t i = 0; i < t->columns; i++) {
		if (width[i] == 0)
			continue;
		if (some)
			fprintf(t->out->f, "%*s", GAP, "");
		write_cell(t, &row[i], width[i], t->column[i].right, i == last);
		some = true;
	}
	fputc('\n', t->out->f);
}

static bool write_aligned(const struct table *t)
{
	size_t *width = calloc(t->columns, sizeof(*width));
	struct cell *heading = calloc(t->columns, sizeof(*heading));

	if (width && heading) {
		measure(t, width);
		fit(t, width);
		for (size_t i = 0; i < t->columns; i++)
			heading[i] = (struct cell){ t->column[i].title,
						    (uint32_t)safe_width(t->column[i].title),
						    OUT_HEADING };
		if (!t->options.no_heading)
			write_row(t, heading, width);
		for (size_t i = 0; i + t->columns <= t->cells; i += t->columns)
			write_row(t, &t->cell[i], width);
	}
	free(width);
	free(heading);
	return width && heading;
}

bool table_finish(struct table *t)
{
	bool ok;

	if (!t)
		return false;
	if (t->options.form == TABLE_ALIGNED && !t->failed && !write_aligned(t))
		t->failed = true;
	ok = !t->failed;
	arena_free(&t->arena);
	free(t->cell);
	free(t);
	return ok;
}
