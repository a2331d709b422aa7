// SPDX-License-Identifier: MIT
/* plot.c - what the graphs share: frame, titles, tracks as columns. */
#include "plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *plot_style(size_t points)
{
	return points == 1 ? "points pt 7" : "lines";
}

void plot_x_range(struct script *script, double from, double to, struct axis_unit x)
{
	from /= x.divisor;
	to /= x.divisor;
	if (from == to) {
		from -= 1;
		to += 1;
	}
	fprintf(script->out, "set xrange [%.10g:%.10g]\n", from, to);
	if (strcmp(x.name, "sample") == 0 && to - from <= 12)
		fputs("set xtics 1\n", script->out);	/* there is no sample 0.5 */
}

void plot_frame(struct script *script, const struct series *s, const struct request *req,
		const char *what, struct axis_unit x, const char *y_name)
{
	char *title = NULL;

	if (req->title)
		title = strdup(req->title);
	else if (asprintf(&title, "%s: %s%s%s", s->name, what, *s->about ? "\n" : "", s->about) < 0)
		title = NULL;
	if (title)
		script_title(script, title);
	free(title);
	fprintf(script->out, "set xlabel '%s'\nset ylabel '%s'\nset yrange [0:*]\n", x.name,
		y_name);
	plot_x_range(script, s->seconds[0], s->seconds[s->count - 1], x);
	fputs("set key outside right top Left reverse samplen 2\n", script->out);
	script_marks(script, s, x);
}

char *plot_field(enum slabstat_field field)
{
	const struct slabstat_field_info *f = slabstat_field_info(field);
	char *words = strdup(f->id), *unit = words ? strstr(words, "_bytes") : NULL;

	/* The axis names the unit. */
	if (unit && unit[strlen("_bytes")] == '\0')
		*unit = '\0';
	for (char *c = words; c && *c; c++)
		*c = *c == '_' ? ' ' : *c;
	return words;
}

struct axis_unit axis_field(enum slabstat_field field, double max, const char **name)
{
	const struct slabstat_field_info *f = slabstat_field_info(field);
	static const char *const unit_names[] = {
		[SLABSTAT_UNIT_NUMBER] = "",	    [SLABSTAT_UNIT_OBJS] = "objects",
		[SLABSTAT_UNIT_SLABS] = "slabs",    [SLABSTAT_UNIT_PAGES] = "pages",
		[SLABSTAT_UNIT_BYTES] = "bytes",    [SLABSTAT_UNIT_PERCENT] = "percent",
		[SLABSTAT_UNIT_FLAG] = "",
	};
	struct axis_unit u = { unit_names[f->unit], 1 };

	if (f->unit == SLABSTAT_UNIT_BYTES)
		u = axis_bytes(max);
	*name = u.name;
	return u;
}

int plot_no_memory(void)
{
	fputs("slabplot: out of memory\n", stderr);
	return 1;
}
