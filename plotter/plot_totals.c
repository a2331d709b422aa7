// SPDX-License-Identifier: MIT
/* plot_totals.c - footprint, used and loss over time, of one recording. */
#include <math.h>
#include <stdlib.h>

#include "decimate.h"
#include "plot.h"

#define SHOWN (TOTAL_LOSS + 1)

static const char *const total_names[SHOWN] = { "footprint", "used", "loss" };
static const unsigned total_colours[SHOWN] = { 0, 2, 5 };

static int draw(const struct request *req, struct script *script)
{
	struct series *s;
	const double *lines[SHOWN];
	enum total which[SHOWN];
	size_t n = 0, kept;
	size_t *row;
	double max = 0;
	struct axis_unit y, x;
	unsigned block;
	int ret = series_load(req->file[0], &req->range, SLABSTAT_NFIELDS, &s);

	if (ret)
		return ret;
	for (int t = 0; t < SHOWN; t++) {
		if (!series_has(s->total[t], s->count))
			continue;
		which[n] = (enum total)t;
		lines[n++] = s->total[t];
		max = fmax(max, series_max(s->total[t], s->count));
	}
	y = axis_bytes(max);
	x = axis_time(s->seconds[s->count - 1] - s->seconds[0], s->timed);
	row = decimate(lines, n, s->count, script->width, &kept);
	if (!row) {
		series_free(s);
		return plot_no_memory();
	}
	block = script_block(script);
	for (size_t i = 0; i < kept; i++) {
		script_value(script, s->seconds[row[i]] / x.divisor);
		for (size_t l = 0; l < n; l++)
			script_value(script, lines[l][row[i]] / y.divisor);
		putc('\n', script->out);
	}
	script_block_end(script);
	plot_frame(script, s, req, "slab memory", x, y.name);
	fputs("plot", script->out);
	for (size_t l = 0; l < n; l++)
		fprintf(script->out, "%s $data%u using 1:%zu with %s lw 2 lc rgb '%s' title '%s'",
			l ? "," : "", block, l + 2, plot_style(kept),
			colour(total_colours[which[l]]), total_names[which[l]]);
	putc('\n', script->out);
	free(row);
	series_free(s);
	return 0;
}

const struct graph graph_totals = {
	.name = "totals",
	.usage = "FILE",
	.summary = "footprint, used and loss over time",
	.draw = draw,
};
