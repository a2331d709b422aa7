// SPDX-License-Identifier: MIT
/*
 * diff_group.c - two groups of recordings: do they differ by more than runs do?
 *
 * Each recording gives one figure: its mean over all samples. The groups are compared by these
 * (compare.h). What a single recording did over time (mean, median, spread, least, most) is shown
 * beside it; it tells nothing of how much another run would differ.
 */
#include "diff.h"
#include "diff_side.h"

#include "slabstat/compare.h"
#include "slabstat/merged.h"
#include "util/num.h"
#include "util/safe.h"
#include "util/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Totals that are compared, in this order. */
static const struct {
	enum history_value value;
	const char *title, *key;
} quantities[] = {
	{ HISTORY_FOOTPRINT, "footprint", "footprint_bytes" },
	{ HISTORY_USED, "used", "used_bytes" },
	{ HISTORY_LOSS, "loss", "loss_bytes" },
};

#define QUANTITIES (sizeof(quantities) / sizeof(quantities[0]))

/* Caches by which quantity: footprint, then loss. */
static const enum history_value ranked[] = { HISTORY_FOOTPRINT, HISTORY_LOSS };

struct groups {
	struct diff_call *call;
	struct diff_side a, b;
	bool exact;			/* figures as digits: asked for, or short enough to quote */
};

#define SHORT_ENOUGH 10485760.0

/* ---- figures --------------------------------------------------------------------------------- */

static int read_groups(struct groups *g)
{
	const struct diff_request *r = g->call->r;
	struct merged *merged = merged_new();
	int status = merged ? diff_side_read(g->call, &g->a, r->a, r->na, merged) : DIFF_TROUBLE;

	if (status == 0)
		status = diff_side_read(g->call, &g->b, r->b, r->nb, merged);
	if (status == 0 && !r->families &&
	    !(diff_side_relabel(&g->a, merged) && diff_side_relabel(&g->b, merged))) {
		fputs(DIFF_PROGRAM ": out of memory\n", stderr);
		status = DIFF_TROUBLE;
	}
	merged_free(merged);
	return status;
}

static bool both_have(const struct groups *g, enum history_value v)
{
	return diff_side_has(&g->a, v) && diff_side_has(&g->b, v);
}

static bool compare_rows(const struct groups *g, const char *label, enum history_value v,
			 struct compare *c)
{
	double *means = calloc(g->a.n + g->b.n, sizeof(*means));
	bool ok;

	if (!means)
		return false;
	diff_side_means(&g->a, label, v, means);
	diff_side_means(&g->b, label, v, means + g->a.n);
	ok = compare_groups(means, g->a.n, means + g->a.n, g->b.n, c);
	free(means);
	return ok;
}

static bool all_short(const struct diff_side *s)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct history_row *t = &s->history[i].total;

		for (size_t q = 0; q < QUANTITIES; q++) {
			const double *value = t->value[quantities[q].value];

			for (size_t k = 0; value && k < s->history[i].points; k++) {
				if (value[k] >= SHORT_ENOUGH)
					return false;
			}
		}
	}
	return true;
}

static void choose_units(struct groups *g)
{
	const struct form_opts *f = &g->call->r->form;

	g->exact = f->bytes || !form_opts_prose(f) || (all_short(&g->a) && all_short(&g->b));
}

/* ---- over time ------------------------------------------------------------------------------- */

static bool over_time(const struct history *y, enum history_value v, struct compare_side *s)
{
	if (!compare_side_of(y->total.value[v], y->points, s))
		return false;
	/* The points may be every k-th sample; the mean is that of all. */
	s->mean = diff_side_mean(y, &y->total, v);
	if (v == HISTORY_FOOTPRINT)
		s->max = y->total.peak;
	return true;
}

static cJSON *time_json(const struct history *y, const char *name)
{
	cJSON *o = cJSON_CreateObject();

	json_add_text(o, "source", name);
	json_add_u64(o, "samples", y->samples);
	for (size_t q = 0; q < QUANTITIES; q++) {
		struct compare_side s;
		cJSON *part;

		if (!y->total.has[quantities[q].value] || !over_time(y, quantities[q].value, &s)) {
			json_add_null(o, quantities[q].key);
			continue;
		}
		part = cJSON_CreateObject();
		json_add_real(part, "mean", s.mean);
		json_add_real(part, "median", s.median);
		json_add_real(part, "deviation", s.deviation);
		json_add_real(part, "min", s.min);
		json_add_real(part, "max", s.max);
		json_add(o, quantities[q].key, part);
	}
	return o;
}

static const struct table_column time_columns[] = {
	{ "RECORDING", "source", false, false, true },
	{ "SAMPLES", "samples", true, false, false },
	{ "", "quantity", false, false, false },
	{ "MEAN", "mean", true, false, false },
	{ "MEDIAN", "median", true, false, false },
	{ "SPREAD", "deviation", true, false, false },
	{ "LEAST", "min", true, true, false },
	{ "MOST", "max", true, false, false },
};

static void put_figure(struct table *t, const struct groups *g, double value)
{
	char text[64];

	if (isnan(value)) {
		table_absent(t);
		return;
	}
	if (!g->exact) {
		table_bytes(t, (uint64_t)value, OUT_PLAIN);
		return;
	}
	snprintf(text, sizeof(text), "%.1f", value);
	if (strcmp(text + strlen(text) - 2, ".0") == 0)
		text[strlen(text) - 2] = '\0';
	table_text(t, text, OUT_PLAIN);
}

static void put_time_rows(struct table *t, const struct groups *g, const struct history *y,
			  const char *name)
{
	for (size_t q = 0; q < QUANTITIES; q++) {
		struct compare_side s;

		if (!y->total.has[quantities[q].value] || !over_time(y, quantities[q].value, &s))
			continue;
		table_text(t, name, OUT_NAME);
		table_number(t, y->samples, OUT_PLAIN);
		table_text(t, quantities[q].title, OUT_PLAIN);
		put_figure(t, g, s.mean);
		put_figure(t, g, s.median);
		put_figure(t, g, s.deviation);
		put_figure(t, g, s.min);
		put_figure(t, g, s.max);
		table_end_row(t);
	}
}

static bool print_times(const struct groups *g)
{
	const struct table_options o = form_opts_table(&g->call->r->form, g->call->out);
	struct table *t = table_new(g->call->out, &o, time_columns,
				    sizeof(time_columns) / sizeof(time_columns[0]));

	if (!t)
		return false;
	for (size_t i = 0; i < g->a.n; i++)
		put_time_rows(t, g, &g->a.history[i], g->a.name[i]);
	for (size_t i = 0; i < g->b.n; i++)
		put_time_rows(t, g, &g->b.history[i], g->b.name[i]);
	return table_finish(t);
}

/* ---- groups ---------------------------------------------------------------------------------- */

static const struct table_column group_columns[] = {
	{ "", "name", false, false, true },
	{ "MEAN-A", "a_mean", true, false, false },
	{ "MEDIAN-A", "a_median", true, true, false },
	{ "SPREAD-A", "a_deviation", true, true, false },
	{ "MEAN-B", "b_mean", true, false, false },
	{ "MEDIAN-B", "b_median", true, true, false },
	{ "SPREAD-B", "b_deviation", true, true, false },
	{ "B-A", "difference", true, false, false },
	{ "FROM", "low", true, false, false },
	{ "TO", "high", true, false, false },
	{ "PERCENT", "percent", true, false, false },
	{ "", "verdict", false, false, false },
};

#define GROUP_COLUMNS (sizeof(group_columns) / sizeof(group_columns[0]))

static const char *verdict_of(const struct compare *c)
{
	if (!c->known)
		return "spread not known";
	if (!c->differs)
		return "no difference";
	return c->difference > 0 ? "B is higher" : "B is lower";
}

/* Of one recording there is no middle one and no spread. */
static void put_side(struct table *t, const struct groups *g, const struct compare_side *s)
{
	put_figure(t, g, s->mean);
	put_figure(t, g, s->n > 1 ? s->median : NAN);
	put_figure(t, g, s->deviation);
}

static void put_compare(struct table *t, const struct groups *g, const char *name,
			const struct compare *c)
{
	struct form_opts f = g->call->r->form;
	enum out_style style = c->differs ? OUT_WARN : OUT_PLAIN;

	f.bytes |= g->exact;
	table_text(t, name, OUT_NAME);
	put_side(t, g, &c->a);
	put_side(t, g, &c->b);
	form_delta(t, &f, c->difference, style);
	form_delta(t, &f, c->low, OUT_PLAIN);
	form_delta(t, &f, c->high, OUT_PLAIN);
	form_signed(t, c->relative * 100, 1, OUT_PLAIN);
	table_text(t, verdict_of(c), style);
	table_end_row(t);
}

/* A cache of either side with its difference, for ranking. */
struct candidate {
	const char *label;
	struct compare c;
};

static int compare_labels(const void *a, const void *b)
{
	return strcmp(((const struct candidate *)a)->label, ((const struct candidate *)b)->label);
}

static int compare_size(const void *a, const void *b)
{
	double x = fabs(((const struct candidate *)a)->c.difference);
	double y = fabs(((const struct candidate *)b)->c.difference);

	return x != y ? (x > y ? -1 : 1) : compare_labels(a, b);
}

static size_t add_labels(const struct diff_side *s, struct candidate *list, size_t n)
{
	for (size_t i = 0; i < s->n; i++) {
		for (size_t k = 0; k < s->history[i].rows; k++)
			list[n++].label = s->history[i].row[k].label;
	}
	return n;
}

/* Every cache of either side once, the largest difference first. *returns owned*; NULL: memory. */
static struct candidate *rank(const struct groups *g, enum history_value v, size_t *count)
{
	size_t room = 1, n, kept = 0;
	struct candidate *list;

	for (size_t i = 0; i < g->a.n; i++)
		room += g->a.history[i].rows;
	for (size_t i = 0; i < g->b.n; i++)
		room += g->b.history[i].rows;
	list = calloc(room, sizeof(*list));
	if (!list)
		return NULL;
	n = add_labels(&g->b, list, add_labels(&g->a, list, 0));
	qsort(list, n, sizeof(*list), compare_labels);
	for (size_t i = 0; i < n; i++) {
		if (kept > 0 && strcmp(list[kept - 1].label, list[i].label) == 0)
			continue;
		list[kept].label = list[i].label;
		if (!compare_rows(g, list[kept].label, v, &list[kept].c)) {
			free(list);
			return NULL;
		}
		kept += list[kept].c.difference != 0;
	}
	qsort(list, kept, sizeof(*list), compare_size);
	*count = kept;
	return list;
}

static size_t limit(const struct groups *g, size_t n)
{
	size_t top = g->call->r->form.top;

	return top && top < n ? top : n;
}

static bool print_caches(const struct groups *g, enum history_value v)
{
	const struct table_options o = form_opts_table(&g->call->r->form, g->call->out);
	size_t n = 0;
	struct candidate *list = rank(g, v, &n);
	struct table *t;

	if (!list)
		return false;
	if (n == 0) {
		free(list);
		return true;
	}
	fprintf(g->call->out->f, "\nCaches by difference of %s\n",
		v == HISTORY_LOSS ? "loss" : "footprint");
	t = table_new(g->call->out, &o, group_columns, GROUP_COLUMNS);
	for (size_t i = 0; t && i < limit(g, n); i++)
		put_compare(t, g, list[i].label, &list[i].c);
	free(list);
	return t && table_finish(t);
}

static bool print_totals(const struct groups *g)
{
	const struct table_options o = form_opts_table(&g->call->r->form, g->call->out);
	struct table *t = table_new(g->call->out, &o, group_columns, GROUP_COLUMNS);
	bool ok = t != NULL;

	for (size_t q = 0; ok && q < QUANTITIES; q++) {
		struct compare c;

		if (!both_have(g, quantities[q].value))
			continue;
		ok = compare_rows(g, NULL, quantities[q].value, &c);
		if (ok)
			put_compare(t, g, quantities[q].title, &c);
	}
	return t && table_finish(t) && ok;
}

static void print_verdict(FILE *out, const char *title, const struct compare *c)
{
	char delta[NUM_HUMAN_SIZE], low[NUM_HUMAN_SIZE], high[NUM_HUMAN_SIZE];

	num_human_delta((int64_t)c->difference, delta);
	if (!c->known)
		fprintf(out, "%s: B - A is %s; the spread between runs is not known from one of "
			"a kind\n", title, delta);
	else if (!c->differs)
		fprintf(out, "%s: no difference beyond the spread between runs (%s)\n", title,
			delta);
	else
		fprintf(out, "%s: B is %s than A by %s (95 %%: %s to %s)\n", title,
			c->difference > 0 ? "higher" : "lower", delta,
			num_human_delta((int64_t)c->low, low),
			num_human_delta((int64_t)c->high, high));
}

/* One sentence a quantity. */
static bool print_verdicts(const struct groups *g)
{
	fputc('\n', g->call->out->f);
	for (size_t q = 0; q < QUANTITIES; q++) {
		struct compare c;

		if (!both_have(g, quantities[q].value))
			continue;
		if (!compare_rows(g, NULL, quantities[q].value, &c))
			return false;
		print_verdict(g->call->out->f, quantities[q].title, &c);
	}
	return true;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static cJSON *side_json(const struct compare_side *s)
{
	cJSON *o = cJSON_CreateObject();

	json_add_u64(o, "n", s->n);
	json_add_real(o, "mean", s->mean);
	json_add_real(o, "median", s->n > 1 ? s->median : NAN);
	json_add_real(o, "deviation", s->deviation);
	json_add_real(o, "min", s->min);
	json_add_real(o, "max", s->max);
	return o;
}

static cJSON *compare_json(const struct compare *c, const char *name)
{
	cJSON *o = cJSON_CreateObject();

	if (name)
		json_add_text(o, "name", name);
	json_add(o, "a", side_json(&c->a));
	json_add(o, "b", side_json(&c->b));
	json_add_real(o, "difference", c->difference);
	json_add_real(o, "low", c->low);
	json_add_real(o, "high", c->high);
	json_add_real(o, "relative", c->relative);
	json_add_bool(o, "spread_known", c->known);
	json_add_bool(o, "differs", c->differs);
	return o;
}

static void put_caches(struct json_doc *d, const struct groups *g, const char *key,
		       enum history_value v)
{
	size_t n = 0;
	struct candidate *list = rank(g, v, &n);

	json_open_array(d, key);
	for (size_t i = 0; list && i < limit(g, n); i++)
		json_put(d, NULL, compare_json(&list[i].c, list[i].label));
	json_close(d);
	d->failed |= !list;
	free(list);
}

static void put_recordings(struct json_doc *d, const char *key, const struct diff_side *s)
{
	json_open_array(d, key);
	for (size_t i = 0; i < s->n; i++)
		json_put(d, NULL, time_json(&s->history[i], s->name[i]));
	json_close(d);
}

static bool print_json(const struct groups *g)
{
	struct json_doc d;

	json_open(&d, g->call->out->f);
	json_put(&d, "format", json_text("slabinfo"));
	json_put(&d, "version", json_u64(1));
	json_put(&d, "mode", json_text("compare"));
	put_recordings(&d, "a", &g->a);
	put_recordings(&d, "b", &g->b);
	json_open_object(&d, "totals");
	for (size_t q = 0; q < QUANTITIES; q++) {
		struct compare c;

		if (both_have(g, quantities[q].value) &&
		    compare_rows(g, NULL, quantities[q].value, &c))
			json_put(&d, quantities[q].key, compare_json(&c, NULL));
	}
	json_close(&d);
	put_caches(&d, g, "caches_by_footprint", HISTORY_FOOTPRINT);
	put_caches(&d, g, "caches_by_loss", HISTORY_LOSS);
	json_close(&d);
	return !d.failed;
}

/* ---- running --------------------------------------------------------------------------------- */

static bool print_groups(const struct groups *g)
{
	bool ok;

	if (g->call->r->form.json)
		return print_json(g);
	if (!form_opts_prose(&g->call->r->form))
		return print_totals(g);
	ok = print_times(g);
	fputs("\nGroups, each recording counted by its mean\n", g->call->out->f);
	ok = ok && print_totals(g);
	for (size_t i = 0; ok && i < sizeof(ranked) / sizeof(ranked[0]); i++)
		ok = print_caches(g, ranked[i]);
	return ok && print_verdicts(g);
}

/* Exit status: does B take more, beyond doubt where doubt can be told? */
static int verdict(const struct groups *g)
{
	struct compare c;

	for (size_t q = 0; q < QUANTITIES; q++) {
		if (!both_have(g, quantities[q].value))
			continue;
		if (!compare_rows(g, NULL, quantities[q].value, &c))
			return DIFF_TROUBLE;
		return (c.known ? c.low > 0 : c.difference > 0) ? DIFF_GREW : DIFF_NONE_GREW;
	}
	return DIFF_NONE_GREW;
}

int diff_groups(struct diff_call *call)
{
	struct groups g = { .call = call };
	int status = read_groups(&g);

	if (status == 0)
		choose_units(&g);
	if (status == 0 && !print_groups(&g)) {
		fputs(DIFF_PROGRAM ": out of memory\n", stderr);
		status = DIFF_TROUBLE;
	}
	if (status == 0)
		status = verdict(&g);
	diff_side_free(&g.a);
	diff_side_free(&g.b);
	return status;
}

/* Something that can be read a second time and holds several samples. */
static bool has_history(const struct diff_call *call, const char *name)
{
	struct slabstat_source *source = strcmp(name, "-") ? diff_open(call, name, NULL) : NULL;
	bool several = source && slabstat_source_samples(source) > 1;

	slabstat_source_close(source);
	return several;
}

int diff_over_time(struct diff_call *call, struct json_doc *d)
{
	const struct diff_request *r = call->r;
	struct groups g = { .call = call };
	int status;

	if (!r->b || strcmp(r->a[0], r->b[0]) == 0 || !has_history(call, r->a[0]) ||
	    !has_history(call, r->b[0]))
		return 0;
	status = diff_side_read(call, &g.a, r->a, 1, NULL);
	if (status == 0)
		status = diff_side_read(call, &g.b, r->b, 1, NULL);
	if (status == 0 && d) {
		json_open_array(d, "over_time");
		json_put(d, NULL, time_json(&g.a.history[0], r->a[0]));
		json_put(d, NULL, time_json(&g.b.history[0], r->b[0]));
		json_close(d);
	} else if (status == 0) {
		choose_units(&g);
		fputs("\nOver all samples\n", call->out->f);
		if (!print_times(&g))
			status = DIFF_TROUBLE;
	}
	diff_side_free(&g.a);
	diff_side_free(&g.b);
	return status;
}
