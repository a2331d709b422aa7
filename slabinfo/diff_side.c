// SPDX-License-Identifier: MIT
/* diff_side.c - the recordings on one side of a comparison; see diff_side.h. */
#include "diff_side.h"

#include "slabstat/merged.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int read_history(struct diff_call *call, const char *name, struct merged *merged,
			struct history *y)
{
	struct slabstat_source *source = diff_open(call, name, NULL);
	int ret;

	if (!source)
		return DIFF_TROUBLE;
	if (slabstat_source_samples(source) == 0) {
		fprintf(stderr, DIFF_PROGRAM ": %s: no samples in it\n", name);
		slabstat_source_close(source);
		return DIFF_TROUBLE;
	}
	ret = history_read(y, source, call->r->families, merged);
	slabstat_source_close(source);
	if (ret == -ENOMEM)
		fputs(DIFF_PROGRAM ": out of memory\n", stderr);
	else if (ret != 0)
		cli_print_error(call->h, DIFF_PROGRAM);
	return ret == 0 ? 0 : DIFF_TROUBLE;
}

int diff_side_read(struct diff_call *call, struct diff_side *s, char **names, size_t n,
		     struct merged *merged)
{
	s->name = names;
	s->history = calloc(n, sizeof(*s->history));
	if (!s->history)
		return DIFF_TROUBLE;
	for (size_t i = 0; i < n; i++) {
		s->n++;
		if (read_history(call, names[i], merged, &s->history[i]) != 0)
			return DIFF_TROUBLE;
	}
	return 0;
}

bool diff_side_relabel(struct diff_side *s, struct merged *merged)
{
	for (size_t i = 0; i < s->n; i++) {
		for (size_t k = 0; k < s->history[i].rows; k++) {
			struct history_row *row = &s->history[i].row[k];
			const char *label = merged_label(merged, row->label);
			char *copy = label ? strdup(label) : NULL;

			if (!copy)
				return false;
			free(row->label);
			row->label = copy;
		}
	}
	return true;
}

void diff_side_free(struct diff_side *s)
{
	for (size_t i = 0; i < s->n; i++)
		history_free(&s->history[i]);
	free(s->history);
}

double diff_side_mean(const struct history *y, const struct history_row *row, enum history_value v)
{
	return row->all[v] / (double)y->samples;
}

bool diff_side_has(const struct diff_side *s, enum history_value v)
{
	for (size_t i = 0; i < s->n; i++) {
		if (!s->history[i].total.has[v])
			return false;
	}
	return true;
}

void diff_side_means(const struct diff_side *s, const char *label, enum history_value v,
		     double *out)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct history *y = &s->history[i];

		out[i] = 0;
		if (!label) {
			out[i] = diff_side_mean(y, &y->total, v);
			continue;
		}
		for (size_t k = 0; k < y->rows; k++) {
			if (strcmp(y->row[k].label, label) == 0)
				out[i] += diff_side_mean(y, &y->row[k], v);
		}
	}
}
