// SPDX-License-Identifier: MIT
/* plot_histogram.c - how often a total stood where: share of samples by value, a line a group. */
#include <math.h>
#include <stdlib.h>

#include "group.h"

#define BINS 60

static int total_index(enum slabstat_field by)
{
	return by == SLABSTAT_FOOTPRINT ? TOTAL_FOOTPRINT :
	       by == SLABSTAT_USED ? TOTAL_USED :
	       by == SLABSTAT_LOSS ? TOTAL_LOSS : -1;
}

static void span_of(const struct group *g, size_t n, enum total t, double *low, double *high)
{
	*low = *high = NAN;
	for (size_t i = 0; i < n; i++) {
		for (size_t m = 0; m < g[i].count; m++) {
			const struct series *s = g[i].member[m];

			for (size_t k = 0; k < s->count; k++) {
				*low = fmin(*low, s->total[t][k]);
				*high = fmax(*high, s->total[t][k]);
			}
		}
	}
}

/* Share of samples, in percent, that fall in each of BINS bins of [low, high]. */
static void fill_bins(const struct group *g, enum total t, double low, double high, double *bin)
{
	size_t n = 0;

	for (size_t m = 0; m < g->count; m++) {
		const struct series *s = g->member[m];

		for (size_t k = 0; k < s->count; k++) {
			double v = s->total[t][k];
			size_t b;

			if (isnan(v))
				continue;
			b = high > low ? (size_t)((v - low) / (high - low) * BINS) : 0;
			bin[b < BINS ? b : BINS - 1] += 1;
			n++;
		}
	}
	for (size_t b = 0; b < BINS && n; b++)
		bin[b] *= 100.0 / (double)n;
}

static void write_bins(struct script *script, const struct group *g, enum total t, double low,
		       double high, struct axis_unit unit)
{
	double bin[BINS] = { 0 };

	fill_bins(g, t, low, high, bin);
	script_block(script);
	for (size_t b = 0; b < BINS; b++)
		fprintf(script->out, "%.10g %.10g\n",
			(low + (high - low) * ((double)b + 0.5) / BINS) / unit.divisor, bin[b]);
	script_block_end(script);
}

static int draw_groups(const struct request *req, struct script *script, const struct group *g,
		       size_t n, enum total t)
{
	char *field = plot_field(req->by);
	unsigned base = script->blocks;
	struct axis_unit unit;
	double low, high;

	span_of(g, n, t, &low, &high);
	if (isnan(high)) {
		fprintf(stderr, "slabplot: none of these recordings has %s in it\n",
			slabstat_field_info(req->by)->id);
		free(field);
		return 1;
	}
	unit = axis_bytes(high);
	for (size_t i = 0; i < n; i++)
		write_bins(script, &g[i], t, low, high, unit);
	if (req->title)
		script_title(script, req->title);
	fprintf(script->out,
		"set xlabel '%s, %s'\nset ylabel 'percent of samples'\nset yrange [0:*]\n"
		"set key tmargin left Left reverse samplen 2 maxrows 8\n",
		field ? field : "", unit.name);
	free(field);
	for (size_t i = 0; i < n; i++) {
		char *label = group_label(&g[i], t);

		fprintf(script->out, "%s $data%zu using 1:2 with histeps lw 2 lc rgb '%s' title ",
			i ? "," : "plot", base + i, colour((unsigned)i));
		script_quote(script, label ? label : g[i].name);
		free(label);
	}
	putc('\n', script->out);
	return 0;
}

static int draw(const struct request *req, struct script *script)
{
	int t = total_index(req->by);
	struct group *g;
	size_t n;
	int ret;

	if (t < 0) {
		fputs("slabplot: histogram knows footprint_bytes, used_bytes and loss_bytes\n",
		      stderr);
		return 2;
	}
	ret = groups_load(req, SLABSTAT_NFIELDS, &g, &n);
	if (ret)
		return ret;
	ret = draw_groups(req, script, g, n, (enum total)t);
	groups_free(g, n);
	return ret;
}

const struct graph graph_histogram = {
	.name = "histogram",
	.usage = "FILE... | FILE... vs FILE...",
	.summary = "how often footprint, used or loss stood where",
	.many = true,
	.draw = draw,
};
