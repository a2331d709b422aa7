// SPDX-License-Identifier: MIT
/*
 * plot_compare.c - recordings side by side: footprint, loss and their ratio over time, a line a
 * recording or a mean line with a band a group, and the caches that differ most.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "group.h"

struct panel {
	enum total total;
	const char *title;
};

static const struct panel panels[] = {
	{ TOTAL_FOOTPRINT, "footprint" },
	{ TOTAL_LOSS, "loss" },
};

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

static void panel_axes(struct script *script, const char *title, struct axis_unit x,
		       const char *y_name)
{
	script_title(script, title);
	fprintf(script->out, "set xlabel '%s'\nset ylabel '%s'\nset yrange [0:*]\n"
		"set xtics autofreq norotate\nset key outside bottom center Left reverse samplen 2 "
		"maxrows 8\n", x.name, y_name);
}

/* One group in a plot command: its band, where it has several members, and its line. */
static int plot_group(struct script *script, const struct group *g, int block, size_t rows,
		      unsigned c, const char *label, bool first)
{
	fputs(first ? "plot" : ",", script->out);
	if (g->count > 1)
		fprintf(script->out, " $data%d using 1:3:4 with filledcurves fs transparent solid 0.2 "
			"noborder lc rgb '%s' notitle,", block, colour(c));
	fprintf(script->out, " $data%d using 1:2 with %s lw 2 lc rgb '%s' title ", block,
		plot_style(rows), colour(c));
	script_quote(script, label);
	return 0;
}

static int plot_panel(struct script *script, const struct group *g, size_t n,
		      const struct panel *p, const char *title)
{
	struct axis_unit x = x_unit(g, n), y = axis_bytes(highest(g, n, p->total));
	int *block = calloc(n, sizeof(*block));
	size_t *rows = calloc(n, sizeof(*rows));
	bool first = true;
	int ret = block && rows ? 0 : plot_no_memory();

	for (size_t i = 0; i < n && ret == 0; i++) {
		block[i] = -1;
		if (!group_has(&g[i], p->total))
			continue;
		block[i] = group_block(script, &g[i], p->total, script->width / 2, x, y, &rows[i]);
		if (block[i] < 0)
			ret = plot_no_memory();
	}
	if (ret == 0)
		panel_axes(script, title, x, y.name);
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

/* loss / footprint in percent: a mean of ratios a group, at the same points as the others. */
static int plot_ratio(struct script *script, const struct group *g, size_t n)
{
	struct axis_unit x = x_unit(g, n);
	unsigned base = script->blocks;

	for (size_t i = 0; i < n; i++) {
		script_block(script);
		for (size_t m = 0; m < g[i].count; m++) {
			const struct series *s = g[i].member[m];
			size_t step = s->count / (script->width / 2) + 1;

			for (size_t k = 0; k < s->count; k += step) {
				script_value(script, (s->seconds[k] - s->seconds[0]) / x.divisor);
				script_value(script, 100 * s->total[TOTAL_LOSS][k] /
					     s->total[TOTAL_FOOTPRINT][k]);
				putc('\n', script->out);
			}
			putc('\n', script->out);	/* the next member is a line of its own */
		}
		script_block_end(script);
	}
	panel_axes(script, "loss as a share of footprint", x, "percent");
	plot_x_range(script, 0, longest(g, n), x);
	for (size_t i = 0; i < n; i++) {
		fprintf(script->out, "%s $data%zu using 1:2 with %s lw 1.5 lc rgb '%s' title ",
			i ? "," : "plot", base + i, plot_style(g[i].member[0]->count),
			colour((unsigned)i));
		script_quote(script, g[i].name);
	}
	putc('\n', script->out);
	return 0;
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

static void plot_bars(struct script *script, const struct group *g, const struct difference *d,
		      size_t shown, enum slabstat_field by)
{
	const char *y_name;
	struct axis_unit y = axis_field(by, fabs(d[0].bytes), &y_name);
	unsigned block = script_block(script);
	char *title = NULL;

	for (size_t i = 0; i < shown; i++)
		fprintf(script->out, "%zu %.10g\n", i, d[i].bytes / y.divisor);
	script_block_end(script);
	if (asprintf(&title, "%s of the caches that differ most: %s less %s",
		     slabstat_field_info(by)->id, g[1].name, g[0].name) < 0)
		title = NULL;
	panel_axes(script, title ? title : "", (struct axis_unit){ "", 1 }, y_name);
	free(title);
	fputs("set yrange [*:*]\nset xzeroaxis lt 1 lc rgb '#555555'\nset boxwidth 0.7\n"
	      "set key off\nset xtics rotate by -35 scale 0 (", script->out);
	for (size_t i = 0; i < shown; i++) {
		fputs(i ? ", " : "", script->out);
		script_quote(script, d[i].name);
		fprintf(script->out, " %zu", i);
	}
	fprintf(script->out, ") noenhanced\nset xrange [-0.6:%.1f]\n", (double)shown - 0.4);
	fprintf(script->out, "plot $data%u using 1:($2 > 0 ? $2 : NaN) with boxes fs solid 0.85 "
		"lc rgb '%s' notitle, $data%u using 1:($2 <= 0 ? $2 : NaN) with boxes fs solid 0.85 "
		"lc rgb '%s' notitle\n", block, colour(5), block, colour(0));
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
	bool has[2], ratio;
	int ret = groups_load(req, req->by, &g, &n);

	if (ret)
		return ret;
	d = worth_showing(req, g, n, &bars);
	for (size_t p = 0; p < 2; p++)
		count += has[p] = any_has(g, n, panels[p].total);
	count += ratio = has[0] && has[1];
	count += bars > 0;
	if (count == 0) {
		fputs("slabplot: none of these recordings has footprint or loss in it\n", stderr);
		free(d);
		groups_free(g, n);
		return 1;
	}
	fprintf(script->out, "set multiplot layout %d,%d", count > 3 ? 2 : (int)count,
		count > 3 ? 2 : 1);
	if (req->title) {
		fputs(" title ", script->out);
		script_quote(script, req->title);
		fputs(" noenhanced", script->out);
	}
	putc('\n', script->out);
	for (size_t p = 0; p < 2 && ret == 0; p++) {
		if (has[p])
			ret = plot_panel(script, g, n, &panels[p], panels[p].title);
	}
	if (ret == 0 && ratio)
		ret = plot_ratio(script, g, n);
	if (ret == 0 && bars)
		plot_bars(script, g, d, bars, req->by);
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
