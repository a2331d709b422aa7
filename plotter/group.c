// SPDX-License-Identifier: MIT
/* group.c - recordings of the same job, seen as one; see group.h. */
#include "group.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decimate.h"
#include "slabstat/merged.h"
#include "util/num.h"

/* "merge-1", "merge-2" -> "merge"; nothing in common -> the first name. */
static char *common_name(const struct group *g)
{
	size_t len = strlen(g->member[0]->name);

	for (size_t i = 1; i < g->count; i++) {
		size_t same = 0;

		while (same < len && g->member[i]->name[same] == g->member[0]->name[same])
			same++;
		len = same;
	}
	if (g->count > 1)
		while (len > 0 && strchr("-_. ", g->member[0]->name[len - 1]))
			len--;
	return strndup(g->member[0]->name, len ? len : strlen(g->member[0]->name));
}

static int group_load(const struct request *req, size_t from, size_t to, enum slabstat_field by,
		      struct group *g)
{
	g->member = calloc(to - from, sizeof(struct series *));
	if (!g->member)
		return plot_no_memory();
	for (size_t i = from; i < to; i++) {
		int ret = series_load(req->file[i], &req->range, by, &g->member[g->count]);

		if (ret)
			return ret;
		g->count++;
	}
	g->name = common_name(g);
	return g->name ? 0 : plot_no_memory();
}

int groups_load(const struct request *req, enum slabstat_field by, struct group **groups,
		size_t *count)
{
	size_t n = req->second_group ? 2 : req->file_count;
	struct group *g = calloc(n ? n : 1, sizeof(*g));
	int ret = g ? 0 : plot_no_memory();

	for (size_t i = 0; i < n && ret == 0; i++) {
		size_t from = i, to = i + 1;

		if (req->second_group) {
			from = i ? req->second_group : 0;
			to = i ? req->file_count : req->second_group;
		}
		ret = group_load(req, from, to, by, &g[i]);
	}
	if (ret) {
		groups_free(g, n);
		return ret;
	}
	*groups = g;
	*count = n;
	return 0;
}

void groups_free(struct group *groups, size_t count)
{
	for (size_t i = 0; groups && i < count; i++) {
		for (size_t m = 0; m < groups[i].count; m++)
			series_free(groups[i].member[m]);
		free(groups[i].member);
		free(groups[i].name);
	}
	free(groups);
}

bool group_has(const struct group *g, enum total t)
{
	for (size_t m = 0; m < g->count; m++) {
		if (series_has(g->member[m]->total[t], g->member[m]->count))
			return true;
	}
	return false;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(const double *v, size_t n)
{
	double *sorted = malloc((n ? n : 1) * sizeof(*sorted)), m = NAN;
	size_t there = 0;

	for (size_t i = 0; sorted && i < n; i++) {
		if (!isnan(v[i]))
			sorted[there++] = v[i];
	}
	if (there) {
		qsort(sorted, there, sizeof(*sorted), by_value);
		m = (sorted[(there - 1) / 2] + sorted[there / 2]) / 2;
	}
	free(sorted);
	return m;
}

/* "5.5 MiB", or "25.1 %" of a share. */
static const char *figure(enum total t, double value, char text[NUM_HUMAN_SIZE])
{
	if (t != TOTAL_SHARE)
		return num_human_bytes((uint64_t)value, text);
	snprintf(text, NUM_HUMAN_SIZE, "%.1f %%", value);
	return text;
}

char *group_label(const struct group *g, enum total t)
{
	char mean_text[NUM_HUMAN_SIZE], median_text[NUM_HUMAN_SIZE], max_text[NUM_HUMAN_SIZE];
	char runs[40] = "", *label = NULL;
	double mean = 0, mid = 0, max = 0;
	size_t n = 0;

	for (size_t m = 0; m < g->count; m++) {
		const struct series *s = g->member[m];

		if (!series_has(s->total[t], s->count))
			continue;
		mean += series_mean(s->total[t], s->count);
		mid += median(s->total[t], s->count);
		max = fmax(max, series_max(s->total[t], s->count));
		n++;
	}
	if (n == 0)
		return strdup(g->name);
	if (g->count > 1)
		snprintf(runs, sizeof(runs), " (%zu runs)", n);
	if (asprintf(&label, "%s: mean %s, median %s, max %s%s", g->name,
		     figure(t, mean / (double)n, mean_text),
		     figure(t, mid / (double)n, median_text), figure(t, max, max_text), runs) < 0)
		return NULL;
	return label;
}

double group_span(const struct group *g)
{
	double span = INFINITY;

	for (size_t m = 0; m < g->count; m++) {
		const struct series *s = g->member[m];

		span = fmin(span, s->seconds[s->count - 1] - s->seconds[0]);
	}
	return span;
}

static void row4(struct script *script, double a, double b, double c, double d)
{
	script_value(script, a);
	script_value(script, b);
	script_value(script, c);
	script_value(script, d);
	putc('\n', script->out);
}

static int single_block(struct script *script, const struct series *s, enum total t, size_t points,
			struct axis_unit x, struct axis_unit y, size_t *rows)
{
	const double *line = s->total[t];
	size_t *row = decimate(&line, 1, s->count, points, rows);
	int block;

	if (!row)
		return -1;
	block = (int)script_block(script);
	for (size_t i = 0; i < *rows; i++) {
		double v = line[row[i]] / y.divisor;

		row4(script, (s->seconds[row[i]] - s->seconds[0]) / x.divisor, v, v, v);
	}
	script_block_end(script);
	free(row);
	return block;
}

/* The value at a time: the sample before it; NAN behind the end. *from walks along. */
static double value_at(const struct series *s, enum total t, double seconds, size_t *from)
{
	if (seconds > s->seconds[s->count - 1] - s->seconds[0])
		return NAN;
	while (*from + 1 < s->count && s->seconds[*from + 1] - s->seconds[0] <= seconds)
		(*from)++;
	return s->total[t][*from];
}

int group_block(struct script *script, const struct group *g, enum total t, size_t points,
		struct axis_unit x, struct axis_unit y, size_t *rows)
{
	double span = group_span(g);
	size_t *from;
	int block;

	if (g->count == 1)
		return single_block(script, g->member[0], t, points, x, y, rows);
	from = calloc(g->count, sizeof(*from));
	if (!from)
		return -1;
	block = (int)script_block(script);
	*rows = 0;
	for (size_t p = 0; p < points; p++) {
		double now = span * (double)p / (double)(points > 1 ? points - 1 : 1);
		double sum = 0, low = NAN, high = NAN;
		size_t n = 0;

		for (size_t m = 0; m < g->count; m++) {
			double v = value_at(g->member[m], t, now, &from[m]);

			if (isnan(v))
				continue;
			sum += v;
			low = fmin(low, v);	/* fmin and fmax pass over NAN */
			high = fmax(high, v);
			n++;
		}
		/* A mean over other members than before would jump where nothing happened. */
		if (n < g->count)
			break;
		row4(script, now / x.divisor, sum / (double)n / y.divisor, low / y.divisor,
		     high / y.divisor);
		(*rows)++;
	}
	script_block_end(script);
	free(from);
	return block;
}

static int note_track(struct merged *merged, const struct track *t)
{
	int ret = merged_cache(merged, t->name);

	for (size_t i = 0; i < t->alias_count && ret == 0; i++)
		ret = merged_share(merged, t->name, t->alias[i]);
	return ret;
}

static int relabel_track(struct merged *merged, struct track *t)
{
	const char *label = merged_label(merged, t->name);
	char *copy = label ? strdup(label) : NULL;

	if (!copy)
		return -1;
	free(t->name);
	t->name = copy;
	return 0;
}

int groups_relabel(struct group *groups, size_t count)
{
	struct merged *merged = merged_new();
	int ret = merged ? 0 : -1;

	for (int pass = 0; pass < 2 && ret == 0; pass++) {
		for (size_t i = 0; i < count; i++) {
			for (size_t m = 0; m < groups[i].count; m++) {
				const struct series *s = groups[i].member[m];

				for (size_t k = 0; k < s->track_count && ret == 0; k++)
					ret = pass ? relabel_track(merged, s->track[k]) :
						     note_track(merged, s->track[k]);
			}
		}
	}
	merged_free(merged);
	return ret ? plot_no_memory() : 0;
}

double group_track_mean(const struct group *g, const char *name)
{
	double sum = 0;

	for (size_t m = 0; m < g->count; m++) {
		const struct series *s = g->member[m];

		for (size_t i = 0; i < s->track_count; i++) {
			const struct track *t = s->track[i];

			if (t->samples && strcmp(t->name, name) == 0)
				sum += t->sum / (double)s->count;
		}
	}
	return sum / (double)g->count;
}
