// SPDX-License-Identifier: MIT
/* script.c - a gnuplot script being written; see script.h. */
#include "script.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "series.h"
#include "util/safe.h"

void script_quote(const struct script *s, const char *text)
{
	char *safe = safe_text(text, 0);

	putc('\'', s->out);
	for (const char *c = safe ? safe : ""; *c; c++) {
		if (*c == '\'')
			putc('\'', s->out);
		putc(*c, s->out);
	}
	putc('\'', s->out);
	free(safe);
}

void script_lines(const struct script *s, const char *text)
{
	const char *rest = text;

	/* A newline is made by gnuplot's own "\n", between quoted pieces. */
	for (;;) {
		const char *end = strchr(rest, '\n');
		char *piece = end ? strndup(rest, (size_t)(end - rest)) : strdup(rest);

		script_quote(s, piece ? piece : "");
		free(piece);
		if (!end)
			break;
		fputs(".\"\\n\".", s->out);
		rest = end + 1;
	}
}

void script_title(const struct script *s, const char *text)
{
	fputs("set title ", s->out);
	script_lines(s, text);
	fputs(" noenhanced\n", s->out);
}

struct axis_unit axis_bytes(double max)
{
	static const struct axis_unit units[] = {
		{ "bytes", 1 },
		{ "KiB", 1024.0 },
		{ "MiB", 1024.0 * 1024 },
		{ "GiB", 1024.0 * 1024 * 1024 },
		{ "TiB", 1024.0 * 1024 * 1024 * 1024 },
	};
	size_t u = 0;

	while (u + 1 < sizeof(units) / sizeof(units[0]) && max >= 2 * units[u + 1].divisor)
		u++;
	return units[u];
}

struct axis_unit axis_time(double span, bool timed)
{
	if (!timed)
		return (struct axis_unit){ "sample", 1 };
	if (span > 3 * 3600)
		return (struct axis_unit){ "hours", 3600 };
	if (span > 600)
		return (struct axis_unit){ "minutes", 60 };
	return (struct axis_unit){ "seconds", 1 };
}

unsigned script_block(struct script *s)
{
	fprintf(s->out, "$data%u << EOD\n", s->blocks);
	return s->blocks++;
}

void script_block_end(struct script *s)
{
	fputs("EOD\n", s->out);
}

void script_value(const struct script *s, double value)
{
	if (isnan(value))
		fputs(" NaN", s->out);
	else
		fprintf(s->out, " %.10g", value);
}

/* More labels than this cannot be read; the lines stay. */
#define MARK_LABELS 40

void script_marks(const struct script *s, const struct series *series, struct axis_unit time)
{
	double end = series->seconds[series->count - 1], span = end - series->seconds[0];

	for (size_t i = 0; i < series->mark_count; i++) {
		double x = series->mark[i].seconds / time.divisor;
		/* On the right of its line, but for the end, where the frame ends. */
		double side = end - series->mark[i].seconds < span / 50 ? -0.7 : 0.7;

		fprintf(s->out,
			"set arrow from first %.10g, graph 0 to first %.10g, graph 1 nohead "
			"lc rgb '#555555' dt 3 lw 1\n", x, x);
		if (i >= MARK_LABELS)
			continue;
		fputs("set label ", s->out);
		script_quote(s, series->mark[i].text);
		fprintf(s->out,
			" noenhanced at first %.10g, graph 0.98 right rotate by 90 offset %.1f,0 "
			"tc rgb '#555555' font ',9' front\n", x, side);
	}
}

/* Okabe and Ito's palette, then the same hues darker and lighter. */
static const char *const palette[] = {
	"#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442",
	"#004A73", "#9A6A00", "#00664B", "#8A4F70", "#2C81AE", "#8E3F00", "#A89D2B",
	"#66AFD6", "#F2C766", "#66C5AB", "#E2B2CC", "#A3D5F2", "#E89E66", "#F7F0A0",
};

#define COLOURS (sizeof(palette) / sizeof(palette[0]))
#define HUES 7

const char *colour(unsigned n)
{
	return palette[n % COLOURS];
}

static uint32_t name_hash(const char *name)
{
	uint32_t h = 2166136261u;	/* FNV-1a */

	for (; *name; name++)
		h = (h ^ (unsigned char)*name) * 16777619u;
	return h;
}

void colour_names(const char *const *name, size_t n, unsigned *index)
{
	bool taken[COLOURS] = { false };
	size_t placed = 0;

	/* By name, not by rank: the same set of caches gets the same colours. */
	for (size_t i = 0; i < n; i++)
		index[i] = UINT32_MAX;
	while (placed < n) {
		size_t first = n;
		unsigned c, pool = placed < HUES ? HUES : COLOURS;

		for (size_t i = 0; i < n; i++) {
			if (index[i] == UINT32_MAX &&
			    (first == n || strcmp(name[i], name[first]) < 0))
				first = i;
		}
		c = name_hash(name[first]) % pool;
		if (placed < COLOURS) {
			while (taken[c])
				c = (c + 1) % pool;
			taken[c] = true;
		}
		index[first] = c;
		placed++;
	}
}
