// SPDX-License-Identifier: MIT
/* graph.c - small graphs of characters; see graph.h. */
#include "graph.h"

#include <string.h>

#define LEVELS 8
/* A change smaller than this share of the whole is no more than a ripple. */
#define RIPPLE 64

static const char *const blocks[LEVELS] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
static const wchar_t block_chars[LEVELS + 1] = L" ▁▂▃▄▅▆▇█";
static const wchar_t left_eighths[LEVELS + 1] = L" ▏▎▍▌▋▊▉█";
/* In ASCII, marks that rise within the line. */
static const char *const strokes[LEVELS] = { "_", ".", "-", "~", "=", "+", "*", "#" };

static void extremes(const float *value, size_t n, float *least, float *most)
{
	*least = *most = n ? value[0] : 0;
	for (size_t i = 1; i < n; i++) {
		if (value[i] < *least)
			*least = value[i];
		if (value[i] > *most)
			*most = value[i];
	}
}

char *graph_line(const float *value, size_t n, size_t width, bool unicode, char *buf, size_t size)
{
	const char *const *marks = unicode ? blocks : strokes;
	float least, most, range;
	size_t at = 0;

	extremes(value, n, &least, &most);
	range = most - least > most / RIPPLE ? most - least : most / RIPPLE;
	for (size_t i = n; i < width && at + 1 < size; i++)
		buf[at++] = ' ';
	for (size_t i = 0; i < n; i++) {
		int level = range > 0 ? (int)((value[i] - least) / range * (LEVELS - 1) + 0.5f) : 0;
		size_t len = strlen(marks[level]);

		if (at + len >= size)
			break;
		memcpy(buf + at, marks[level], len);
		at += len;
	}
	buf[at] = '\0';
	return buf;
}

void graph_plot(struct canvas *c, int y, int x, int height, int width, const float *value, size_t n,
		bool unicode, unsigned role, float *low, float *high)
{
	*low = *high = 0;
	if (width <= 0 || height <= 0 || !n)
		return;
	if (n > (size_t)width) {
		value += n - (size_t)width;
		n = (size_t)width;
	}
	extremes(value, n, low, high);
	if (*high - *low < *high / RIPPLE)
		*low = *high - *high / RIPPLE;
	for (size_t i = 0; i < n; i++) {
		int column = x + width - (int)n + (int)i;
		int eighths = *high > *low ? (int)((value[i] - *low) / (*high - *low) *
						   (float)(height * LEVELS) + 0.5f) : 0;

		/* The lowest row is never empty: a value at the edge is there. */
		if (eighths < 1)
			eighths = 1;
		for (int row = 0; row < height && eighths > 0; row++, eighths -= LEVELS) {
			int level = eighths < LEVELS ? eighths : LEVELS;
			wchar_t ch = unicode ? block_chars[level] :
				     level == LEVELS ? L'#' : (wchar_t)strokes[level - 1][0];

			canvas_char(c, y + height - 1 - row, column, 1, role, ch);
		}
	}
}

int graph_bar(struct canvas *c, int y, int x, int width, double part, double whole, bool unicode,
	      unsigned role)
{
	int eighths = whole > 0 && width > 0 ? (int)(part / whole * width * LEVELS + 0.5) : 0;
	int full, rest;

	if (eighths > width * LEVELS)
		eighths = width * LEVELS;
	full = eighths / LEVELS;
	rest = eighths % LEVELS;
	if (!unicode) {
		full += rest >= LEVELS / 2;
		rest = 0;
	}
	canvas_char(c, y, x, full, role, unicode ? left_eighths[LEVELS] : L'#');
	if (rest)
		canvas_char(c, y, x + full, 1, role, left_eighths[rest]);
	return x + (width > 0 ? width : 0);
}
