// SPDX-License-Identifier: MIT
/* stack.c - several tracks as a stacked area, or as lines; see stack.h. */
#include "stack.h"

#include <math.h>
#include <stdlib.h>

#include "decimate.h"

/* The columns of a picture: dense lines, their names and colours. */
struct columns {
	double **line;
	const char **name;
	unsigned *colour;
	size_t n;
};

static void columns_free(struct columns *c)
{
	for (size_t i = 0; i < c->n && c->line; i++)
		free(c->line[i]);
	free(c->line);
	free(c->name);
	free(c->colour);
}

static int columns_make(struct columns *c, const struct series *s, struct track *const *track,
			size_t n)
{
	c->n = n;
	c->line = calloc(n + 1, sizeof(*c->line));
	c->name = calloc(n + 1, sizeof(*c->name));
	c->colour = calloc(n + 1, sizeof(*c->colour));
	if (!c->line || !c->name || !c->colour)
		return plot_no_memory();
	for (size_t i = 0; i < n; i++) {
		c->name[i] = track[i]->name;
		c->line[i] = series_dense(s, track[i]);
		if (!c->line[i])
			return plot_no_memory();
	}
	colour_names(c->name, n, c->colour);
	return 0;
}

/*
 * line[i] becomes line[0] + ... + line[i]; an absent part counts as nothing, as it takes no room.
 */
static void pile_up(struct columns *c, size_t count)
{
	for (size_t k = 0; k < count; k++) {
		double sum = 0;

		for (size_t i = 0; i < c->n; i++) {
			if (!isnan(c->line[i][k]))
				sum += c->line[i][k];
			c->line[i][k] = sum;
		}
	}
}

/* One data block: time, then every line. */
static int write_block(struct script *script, const struct series *s, const struct columns *c,
		       const double *total, struct axis_unit x, struct axis_unit y, size_t *kept)
{
	size_t lines = c->n + (total != NULL);
	const double **line = calloc(lines + 1, sizeof(*line));
	size_t *row = NULL;

	for (size_t l = 0; line && l < c->n; l++)
		line[l] = c->line[l];
	if (line && total)
		line[c->n] = total;
	if (line)
		row = decimate(line, lines, s->count, script->width / 2, kept);
	if (!row) {
		free(line);
		return plot_no_memory();
	}
	script_block(script);
	for (size_t i = 0; i < *kept; i++) {
		script_value(script, s->seconds[row[i]] / x.divisor);
		for (size_t l = 0; l < lines; l++)
			script_value(script, line[l][row[i]] / y.divisor);
		putc('\n', script->out);
	}
	script_block_end(script);
	free(row);
	free(line);
	return 0;
}

static double peak_of(const struct columns *c, size_t count, const double *total)
{
	double max = total ? series_max(total, count) : 0;

	if (isnan(max))
		max = 0;
	for (size_t i = 0; i < c->n; i++)
		max = fmax(max, series_max(c->line[i], count));
	return max;
}

static void area(struct script *script, unsigned block, size_t lower, size_t upper, bool points,
		 const char *rgb, const char *name)
{
	const char *under = "(0)";
	char column[32];

	if (lower) {
		snprintf(column, sizeof(column), "%zu", lower);
		under = column;
	}
	if (points)
		fprintf(script->out, " $data%u using 1:%zu with points pt 7 lc rgb '%s' title ",
			block, upper, rgb);
	else
		fprintf(script->out,
			" $data%u using 1:%s:%zu with filledcurves fs solid 0.85 noborder "
			"lc rgb '%s' title ",
			block, under, upper, rgb);
	script_quote(script, name);
}

/* What both kinds of picture begin with: columns, their data block, axes. */
struct sheet {
	const struct request *req;
	struct script *script;
	const struct series *s;
	struct columns c;
	unsigned block;
	size_t rows;		/* of the block */
};

static int sheet_begin(struct sheet *sheet, struct track *const *track, size_t n, bool piled,
		       const double *total, const char *what)
{
	const struct series *s = sheet->s;
	struct axis_unit x = axis_time(s->seconds[s->count - 1] - s->seconds[0], s->timed), y;
	const char *y_name;
	int ret = columns_make(&sheet->c, s, track, n);

	if (ret)
		return ret;
	if (piled)
		pile_up(&sheet->c, s->count);
	y = axis_field(sheet->req->by, peak_of(&sheet->c, s->count, total), &y_name);
	sheet->block = sheet->script->blocks;
	ret = write_block(sheet->script, s, &sheet->c, total, x, y, &sheet->rows);
	if (ret == 0)
		plot_frame(sheet->script, s, sheet->req, what, x, y_name);
	return ret;
}

int stack_draw(const struct request *req, struct script *script, const struct series *s,
	       struct track *const *track, size_t n, const double *total, const char *what)
{
	struct sheet sheet = { .req = req, .script = script, .s = s };
	const struct columns *c = &sheet.c;
	int ret = sheet_begin(&sheet, track, n, true, total, what);
	bool points = sheet.rows == 1;

	if (ret == 0) {
		fputs("set key invert\nplot", script->out);
		for (size_t i = 0; i < n; i++) {
			area(script, sheet.block, i ? i + 1 : 0, i + 2, points,
			     colour(c->colour[i]), c->name[i]);
			if (i + 1 < n || total)
				fputs(",", script->out);
		}
		if (total)
			area(script, sheet.block, n ? n + 1 : 0, n + 2, points, "#BBBBBB", "other");
		putc('\n', script->out);
	}
	columns_free(&sheet.c);
	return ret;
}

int stack_lines(const struct request *req, struct script *script, const struct series *s,
		struct track *const *track, size_t n, const char *what)
{
	struct sheet sheet = { .req = req, .script = script, .s = s };
	const struct columns *c = &sheet.c;
	int ret = sheet_begin(&sheet, track, n, false, NULL, what);

	if (ret == 0) {
		fputs("plot", script->out);
		for (size_t i = 0; i < n; i++) {
			fprintf(script->out,
				"%s $data%u using 1:%zu with %s lw 2 lc rgb '%s' title ",
				i ? "," : "", sheet.block, i + 2, plot_style(sheet.rows),
				colour(c->colour[i]));
			script_quote(script, c->name[i]);
		}
		putc('\n', script->out);
	}
	columns_free(&sheet.c);
	return ret;
}
