// SPDX-License-Identifier: MIT
/*
 * plot_compare.c - recordings side by side: footprint, loss and their ratio over time, a line a
 * recording or a mean line with a band a group, and the caches that differ most.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "group.h"

/* More groups than this are told apart by their names alone. */
#define TITLE_LINES 3

struct panel {
	enum total total;
	const char *title;
};

static const struct panel panels[] = {
	{ TOTAL_FOOTPRINT, "footprint" },
	{ TOTAL_LOSS, "loss" },
	{ TOTAL_SHARE, "loss / footprint" },
};

#define PANELS (sizeof(panels) / sizeof(panels[0]))

static double highest(const struct group *g, size_t n, enum total t)
{
	double max = 0;

	for (size_t i = 0; i < n; i++) {
		for (size_t m = 0; m < g[i].count; m++) {
			const struct series *s = g[i].member[m];

			if (series_has(s->total[t], s->count))
				max = fmax(max, series_max(s->total[t], s->count));
		}
	}
	return max;
}

static bool all_timed(const struct group *g, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		for (size_t m = 0; m < g[i].count; m++) {
			if (!g[i].member[m]->timed)
				return false;
		}
	}
	return true;
}

static double longest(const struct group *g, size_t n)
{
	double span = 0;

	for (size_t i = 0; i < n; i++)
		span = fmax(span, group_span(&g[i]));
	return span;
}

static struct axis_unit x_unit(const struct group *g, size_t n)
{
	return axis_time(longest(g, n), all_timed(g, n));
}

/* The legend stands where a title would; what a panel shows is told beside its axis. */
static void panel_axes(struct script *script, const char *what, const char *unit,
		       struct axis_unit x)
{
	fprintf(script->out, "set xlabel '%s'\nset ylabel '%s, %s'\nset yrange [0:*]\n"
		"set key tmargin left Left reverse samplen 2 maxrows 8 font "
		"',9'\n", x.name, what, unit);
}

/* One group in a plot command: its band, where it has several members, and its line. */
static void plot_group(struct script *script, const struct group *g, int block, size_t rows,
		      unsigned c, const char *label, bool first)
{
	fputs(first ? "plot" : ",", script->out);
	if (g->count > 1)
		fprintf(script->out,
			" $data%d using 1:3:4 with filledcurves fs transparent solid 0.2 "
			"noborder lc rgb '%s' notitle,",
			block, colour(c));
	fprintf(script->out, " $data%d using 1:2 with %s lw 2 lc rgb '%s' title ", block,
		plot_style(rows), colour(c));
	script_quote(script, label);
}

static int plot_panel(struct script *script, const struct group *g, size_t n,
		      const struct panel *p)
{
	struct axis_unit x = x_unit(g, n), y = { "percent", 1 };
	int *block = calloc(n, sizeof(*block));
	size_t *rows = calloc(n, sizeof(*rows));
	bool first = true;
	int ret = block && rows ? 0 : plot_no_memory();

	if (p->total != TOTAL_SHARE)
		y = axis_bytes(highest(g, n, p->total));
	for (size_t i = 0; i < n && ret == 0; i++) {
		block[i] = -1;
		if (!group_has(&g[i], p->total))
			continue;
		block[i] = group_block(script, &g[i], p->total, script->width / 2, x, y, &rows[i]);
		if (block[i] < 0)
			ret = plot_no_memory();
	}
	if (ret == 0)
		panel_axes(script, p->title, y.name, x);
	plot_x_range(script, 0, longest(g, n), x);
	for (size_t i = 0; i < n && ret == 0; i++) {
		char *label = group_label(&g[i], p->total);

		if (block[i] >= 0 && label) {
			plot_group(script, &g[i], block[i], rows[i], (unsigned)i, label, first);
			first = false;
		}
		free(label);
	}
	putc('\n', script->out);
	free(block);
	free(rows);
	return ret;
}

struct difference {
	const char *name;
	double bytes;
};

static int by_magnitude(const void *a, const void *b)
{
	const struct difference *x = a, *y = b;
	double dx = fabs(x->bytes), dy = fabs(y->bytes);

	return dx != dy ? (dx < dy ? 1 : -1) : strcmp(x->name, y->name);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct difference *)a)->name, ((const struct difference *)b)->name);
}

/* Mean of b less mean of a, a row a name that any of them has; *returns owned*. */
static struct difference *differences(const struct group *a, const struct group *b, size_t *count)
{
	const struct group *both[] = { a, b };
	size_t room = 0, n = 0, unique = 0;
	struct difference *d;

	for (int g = 0; g < 2; g++) {
		for (size_t m = 0; m < both[g]->count; m++)
			room += both[g]->member[m]->track_count;
	}
	d = calloc(room ? room : 1, sizeof(*d));
	if (!d)
		return NULL;
	for (int g = 0; g < 2; g++) {
		for (size_t m = 0; m < both[g]->count; m++) {
			const struct series *s = both[g]->member[m];

			for (size_t i = 0; i < s->track_count; i++)
				d[n++].name = s->track[i]->name;
		}
	}
	qsort(d, n, sizeof(*d), by_name);
	for (size_t i = 0; i < n; i++) {
		if (unique && strcmp(d[unique - 1].name, d[i].name) == 0)
			continue;
		d[unique] = d[i];
		d[unique].bytes = group_track_mean(b, d[i].name) - group_track_mean(a, d[i].name);
		unique++;
	}
	qsort(d, unique, sizeof(*d), by_magnitude);
	*count = unique;
	return d;
}

/* The rows worth a bar, in *shown: none where nothing differs. */
static struct difference *worth_showing(const struct request *req, const struct group *g, size_t n,
					size_t *shown)
{
	struct difference *d;
	size_t count;

	*shown = 0;
	if (n != 2)
		return NULL;
	d = differences(&g[0], &g[1], &count);
	while (d && *shown < count && *shown < req->top && d[*shown].bytes != 0)
		(*shown)++;
	return d;
}

/* Bars from left to right, the names beside the axis, where long ones have room. */
static void plot_bars(struct script *script, const struct group *g, const struct difference *d,
		      size_t shown, enum slabstat_field by)
{
	const char *unit_name;
	struct axis_unit unit = axis_field(by, fabs(d[0].bytes), &unit_name);
	unsigned block = script_block(script);
	char *field = plot_field(by), *title = NULL;

	for (size_t i = 0; i < shown; i++)
		fprintf(script->out, "%zu %.10g\n", i, d[i].bytes / unit.divisor);
	script_block_end(script);
	if (asprintf(&title, "%s: %s less %s", field ? field : "", g[1].name, g[0].name) < 0)
		title = NULL;
	script_title(script, title ? title : "");
	free(title);
	free(field);
	fprintf(script->out,
		"set xlabel '%s'\nset ylabel ''\nset xrange [*:*]\nset yrange [%.1f:-0.6]\n"
		"set key off\nset grid x noy\nset yzeroaxis lt 1 lc rgb '#555555'\n"
		"set ytics scale 0 (",
		unit_name, (double)shown - 0.4);
	for (size_t i = 0; i < shown; i++) {
		fputs(i ? ", " : "", script->out);
		script_quote(script, d[i].name);
		fprintf(script->out, " %zu", i);
	}
	fputs(") noenhanced\n", script->out);
	/* In the colour of the side that has more. */
	for (int side = 0; side < 2; side++)
		fprintf(script->out,
			"%s $data%u using (0):1:(0):($2 %s 0 ? $2 : 0):($1 - 0.35):($1 + 0.35) "
			"with boxxyerror fs solid 0.85 noborder lc rgb '%s' notitle",
			side ? "," : "plot", block, side ? ">" : "<", colour((unsigned)side));
	putc('\n', script->out);
}

/*
 * The title over all: the request's, else what tells the groups apart. *returns owned*; NULL: none.
 */
static char *overall_title(const struct request *req, const struct group *g, size_t n)
{
	char *text = NULL;
	size_t size = 0;
	bool alike = true;
	FILE *f;

	if (req->title)
		return strdup(req->title);
	for (size_t i = 1; i < n; i++)
		alike &= strcmp(g[i].member[0]->about, g[0].member[0]->about) == 0;
	if (alike && !*g[0].member[0]->about)
		return NULL;
	f = open_memstream(&text, &size);
	if (!f)
		return NULL;
	if (alike)
		fputs(g[0].member[0]->about, f);
	for (size_t i = 0; i < n && i < TITLE_LINES && !alike; i++)
		fprintf(f, "%s%s: %s", i ? "\n" : "", g[i].name, g[i].member[0]->about);
	fclose(f);
	return text;
}

static void begin_layout(const struct request *req, struct script *script, const struct group *g,
			 size_t n, size_t count)
{
	char *title = overall_title(req, g, n);

	fprintf(script->out, "set multiplot layout %d,%d", count > 3 ? 2 : (int)count,
		count > 3 ? 2 : 1);
	if (title) {
		fputs(" title ", script->out);
		script_lines(script, title);
		fputs(" noenhanced", script->out);
	}
	putc('\n', script->out);
	free(title);
}

static bool any_has(const struct group *g, size_t n, enum total t)
{
	for (size_t i = 0; i < n; i++) {
		if (group_has(&g[i], t))
			return true;
	}
	return false;
}

static int draw(const struct request *req, struct script *script)
{
	struct difference *d;
	struct group *g;
	size_t n, count = 0, bars;
	int ret = groups_load(req, req->by, &g, &n);

	if (ret)
		return ret;
	ret = groups_relabel(g, n);
	d = worth_showing(req, g, n, &bars);
	for (size_t p = 0; p < PANELS; p++)
		count += any_has(g, n, panels[p].total);
	count += bars > 0;
	if (ret == 0 && count == 0) {
		fputs("slabplot: none of these recordings has footprint or loss in it\n", stderr);
		ret = 1;
	} else if (ret == 0) {
		begin_layout(req, script, g, n, count);
	}
	for (size_t p = 0; p < PANELS && ret == 0; p++) {
		if (any_has(g, n, panels[p].total))
			ret = plot_panel(script, g, n, &panels[p]);
	}
	if (ret == 0 && bars)
		plot_bars(script, g, d, bars, req->by);
	if (ret == 0)
		fputs("unset multiplot\n", script->out);
	free(d);
	groups_free(g, n);
	return ret;
}

const struct graph graph_compare = {
	.name = "compare",
	.usage = "FILE FILE... | FILE... vs FILE...",
	.summary = "recordings or two groups of them: totals, loss, ratio, caches that differ",
	.many = true,
	.draw = draw,
};
