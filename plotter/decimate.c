// SPDX-License-Identifier: MIT
/* decimate.c - fewer points than samples, without losing a peak; see decimate.h. */
#include "decimate.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* Mark the lowest and the highest sample of line in [from, to). */
static void keep_extremes(const double *line, size_t from, size_t to, bool *keep)
{
	size_t low = to, high = to;

	for (size_t i = from; i < to; i++) {
		if (isnan(line[i]))
			continue;
		if (low == to || line[i] < line[low])
			low = i;
		if (high == to || line[i] > line[high])
			high = i;
	}
	if (low < to)
		keep[low] = true;
	if (high < to)
		keep[high] = true;
}

/* A gap begins and ends somewhere: keep both edges, or a line would be drawn across it. */
static void keep_gaps(const double *line, size_t n, bool *keep)
{
	for (size_t i = 1; i < n; i++) {
		if (isnan(line[i]) != isnan(line[i - 1]))
			keep[i] = keep[i - 1] = true;
	}
}

size_t *decimate(const double *const *lines, size_t line_count, size_t n, size_t buckets,
		 size_t *kept)
{
	bool *keep = calloc(n ? n : 1, sizeof(*keep));
	size_t *out = malloc((n ? n : 1) * sizeof(*out));

	if (!keep || !out) {
		free(keep);
		free(out);
		return NULL;
	}
	*kept = 0;
	for (size_t b = 0; b < buckets; b++) {
		size_t from = (size_t)((unsigned __int128)n * b / buckets);
		size_t to = (size_t)((unsigned __int128)n * (b + 1) / buckets);

		if (from == to)
			continue;
		keep[from] = keep[to - 1] = true;
		for (size_t l = 0; l < line_count; l++)
			keep_extremes(lines[l], from, to, keep);
	}
	for (size_t l = 0; l < line_count; l++)
		keep_gaps(lines[l], n, keep);
	for (size_t i = 0; i < n; i++) {
		if (keep[i] || n <= 2 * buckets)
			out[(*kept)++] = i;
	}
	free(keep);
	return out;
}
