// SPDX-License-Identifier: MIT
/*
 * verb_report.c - `slabinfo report FILE`: what grew in a recording, how, and whether it is a leak.
 *
 * Each cache is judged by the rule that trend.h states: over runs of the command where the
 * recording has them, else over time. Reclaimable caches are never suspects: filling up until
 * somebody needs the memory is what they are for.
 */
#include "form_opts.h"
#include "history.h"
#include "verbs.h"

#include "cli/source_opts.h"
#include "slabstat/trend.h"
#include "util/num.h"
#include "util/safe.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PROGRAM	   "slabinfo report"
#define DEFAULT_FILE "slab.rec"
#define TIME_FLOOR 65536.0	/* bytes that a cache must grow to be a suspect, over time */
#define RUN_FLOOR  4096.0	/* and over a run */

enum { OPT_FAMILIES = 0x500 };

static const struct opt report_options[] = {
	{ OPT_FAMILIES, "families", OPT_NONE, NULL, "one row for kin: kmalloc-*, ..." },
	FORM_OPTS,
	{ SOURCE_OPT_FROM, "from", OPT_REQUIRED, "KIND",
	  "take FILE as KIND: record, text, procfs, ..." },
	{ SOURCE_OPT_PAGE_SIZE, "page-size", OPT_REQUIRED, "BYTES",
	  "page size of the machine in FILE" },
	{ 'h', "help", OPT_NONE, NULL, "this help" },
	OPT_END
};

struct request {
	struct form_opts form;
	struct source_opts source;
	bool families;
};

/* A row with what is known of its growth. */
struct finding {
	const struct history_row *row;
	double growth;			/* of footprint, from the first sample to the last */
	struct trend trend;		/* of the footprint over time */
	struct trend leak;		/* of what leaks, over time */
	struct trend_runs runs;		/* of objects */
	struct trend_runs run_bytes;	/* of live bytes */
	bool suspect;
};

struct report {
	const struct request *r;
	struct out *out;
	struct slabstat *h;
	const char *label;
	const struct slabstat_recording *about;
	struct history history;
	struct finding *finding;
	size_t findings, suspects, changed;
};

static void help(FILE *out)
{
	fputs("usage: slabinfo report [OPTION]... [FILE]\n"
	      "\n"
	      "What grew in a recording (slab.rec), by how much and how fast, its peak, and\n"
	      "what shape it has. A cache is called a leak suspect only by the rule of\n"
	      "slabinfo-report(1), with evidence.\n"
	      "\n",
	      out);
	opts_help(report_options, out);
	fputs("\nExamples:\n"
	      "  slabinfo record --runs 8 -- ./restart && slabinfo report\n"
	      "  slabinfo report --families --top 5 night.rec.zst\n",
	      out);
}

/* ---- finding out ----------------------------------------------------------------------------- */

static bool judge_time(const struct history *y, struct finding *f)
{
	const struct history_row *row = f->row;
	enum history_value leak = history_leak_value(row);
	double *value =
		row->value[HISTORY_FOOTPRINT] ? row->value[HISTORY_FOOTPRINT] : row->value[leak];

	return trend_over_time(y->x, value, y->points, TIME_FLOOR, &f->trend) &&
	       trend_over_time(y->x, row->value[leak], y->points, TIME_FLOOR, &f->leak);
}

static bool judge_runs(const struct history *y, struct finding *f)
{
	const struct history_row *row = f->row;
	enum history_value leak = history_leak_value(row);

	if (y->runs == 0)
		return true;
	if (row->has[HISTORY_OBJECTS] &&
	    !trend_over_runs(row->run[HISTORY_OBJECTS], y->runs, 0, &f->runs))
		return false;
	return trend_over_runs(row->run[leak], y->runs, RUN_FLOOR * (double)y->runs, &f->run_bytes);
}

static bool judge(const struct history *y, struct finding *f)
{
	enum trend_verdict verdict;

	f->growth = f->row->end[HISTORY_FOOTPRINT] - f->row->start[HISTORY_FOOTPRINT];
	if (!judge_time(y, f) || !judge_runs(y, f))
		return false;
	verdict = y->runs > 0 ? f->run_bytes.verdict : f->leak.verdict;
	f->suspect = verdict == TREND_SUSPECT && !f->row->reclaimable;
	return true;
}

/* How far it went above where it began: what came back leaves no other trace. */
static double rise(const struct finding *f)
{
	return f->row->peak - f->row->start[HISTORY_FOOTPRINT];
}

/* Suspects first, then by bytes grown, by how far it went meanwhile, by name. */
static int compare_findings(const void *a, const void *b)
{
	const struct finding *x = a, *y = b;

	if (x->suspect != y->suspect)
		return x->suspect ? -1 : 1;
	if (x->growth != y->growth)
		return x->growth > y->growth ? -1 : 1;
	if (rise(x) != rise(y))
		return rise(x) > rise(y) ? -1 : 1;
	if (x->leak.growth != y->leak.growth)
		return x->leak.growth > y->leak.growth ? -1 : 1;
	return strcmp(x->row->name, y->row->name);
}

static bool has_values(const struct history_row *row)
{
	return row->value[history_leak_value(row)] != NULL;
}

static bool has_changed(const struct finding *f)
{
	return f->growth != 0 || (f->row->has[HISTORY_FOOTPRINT] && rise(f) > 0) ||
	       f->row->end[HISTORY_OBJECTS] != f->row->start[HISTORY_OBJECTS];
}

static int find_all(struct report *p)
{
	const struct history *y = &p->history;

	p->finding = calloc(y->rows + 1, sizeof(*p->finding));
	if (!p->finding)
		return -ENOMEM;
	for (size_t i = 0; i < y->rows; i++) {
		struct finding *f = &p->finding[p->findings];

		if (!has_values(&y->row[i]))
			continue;
		f->row = &y->row[i];
		if (!judge(y, f))
			return -ENOMEM;
		p->suspects += f->suspect;
		p->changed += has_changed(f);
		p->findings++;
	}
	qsort(p->finding, p->findings, sizeof(*p->finding), compare_findings);
	return 0;
}

/* ---- for people ------------------------------------------------------------------------------ */

static void print_safe(FILE *out, const char *text)
{
	char *safe = safe_text(text, 0);

	fputs(safe ? safe : "?", out);
	free(safe);
}

static void print_command(const struct report *p)
{
	FILE *out = p->out->f;

	if (!p->about || p->about->command_count == 0)
		return;
	fputs("Command:", out);
	for (size_t i = 0; i < p->about->command_count; i++) {
		fputc(' ', out);
		print_safe(out, p->about->command[i]);
	}
	if (p->history.runs > 0)
		fprintf(out, "  (%zu runs)", p->history.runs);
	fputc('\n', out);
}

static void print_total(const struct report *p, const char *what, enum history_value v)
{
	const struct history_row *t = &p->history.total;
	char from[NUM_HUMAN_SIZE], to[NUM_HUMAN_SIZE], delta[NUM_HUMAN_SIZE];

	if (!t->has[v])
		return;
	fprintf(p->out->f, "%s %s -> %s (%s)", what, num_human_bytes((uint64_t)t->start[v], from),
		num_human_bytes((uint64_t)t->end[v], to),
		num_human_delta((int64_t)(t->end[v] - t->start[v]), delta));
	if (v == HISTORY_FOOTPRINT)
		fprintf(p->out->f, ", peak %s in sample %zu",
			num_human_bytes((uint64_t)t->peak, from), t->peak_sample);
	fputc('\n', p->out->f);
}

static void print_head(const struct report *p)
{
	const struct history *y = &p->history;
	FILE *out = p->out->f;

	print_safe(out, p->label);
	fprintf(out, ": %zu samples", y->samples);
	if (y->timed)
		fprintf(out, " in %.0f s", y->length);
	if (p->about && !p->about->complete)
		fputs(", not ended in order (killed, or still being recorded)", out);
	fputc('\n', out);
	print_command(p);
	print_total(p, "Footprint", HISTORY_FOOTPRINT);
	print_total(p, "Loss", HISTORY_LOSS);
	fputc('\n', out);
}

static const char *unit_of(const struct history *y)
{
	return y->timed ? "s" : "sample";
}

static void print_interval(FILE *out, double low, double high)
{
	if (isfinite(low) && isfinite(high))
		fprintf(out, " (95 %%: %.1f to %.1f)", low, high);
}

/* What makes it a suspect, point by point. */
static void print_evidence(const struct report *p, const struct finding *f)
{
	const struct history *y = &p->history;
	char a[NUM_HUMAN_SIZE], b[NUM_HUMAN_SIZE];
	FILE *out = p->out->f;

	fputs("Leak suspect: ", out);
	print_safe(out, f->row->label);
	if (f->row->users) {
		fputs("\n  shared by ", out);
		print_safe(out, f->row->users);
	}
	if (y->runs > 0) {
		const struct trend_runs *t =
			f->row->has[HISTORY_OBJECTS] ? &f->runs : &f->run_bytes;
		const char *unit = f->row->has[HISTORY_OBJECTS] ? "objects" : "bytes";

		fprintf(out, "\n  grew in %zu of %zu runs%s by %.1f %s a run", t->grew, t->used,
			t->used < t->runs ? " after the first" : "", t->slope, unit);
		print_interval(out, t->slope_low, t->slope_high);
		fprintf(out, "\n  first half of them %.1f, second half %.1f a run; in all %s\n",
			t->first_half, t->second_half,
			num_human_delta((int64_t)f->run_bytes.total, a));
	} else {
		const struct trend *t = &f->leak;

		fprintf(out, "\n  grew %s, by %.1f bytes a %s",
			num_human_delta((int64_t)t->growth, a), t->slope, unit_of(y));
		print_interval(out, t->slope_low, t->slope_high);
		fprintf(out, "\n  medians of the quarters %s, %s, ",
			num_human_bytes((uint64_t)t->part[0], a),
			num_human_bytes((uint64_t)t->part[1], b));
		fprintf(out, "%s, %s; the last quarter alone %.1f bytes a %s\n",
			num_human_bytes((uint64_t)t->part[2], a),
			num_human_bytes((uint64_t)t->part[3], b), t->late_slope, unit_of(y));
		fprintf(out, "  low values of the last third %s, high values of the first %s\n",
			num_human_bytes((uint64_t)t->low_late, a),
			num_human_bytes((uint64_t)t->high_early, b));
	}
	if (!f->row->known_reclaim)
		fputs("  whether it is reclaimable is not known\n", out);
}

static void print_suspects(const struct report *p)
{
	for (size_t i = 0; i < p->suspects; i++)
		print_evidence(p, &p->finding[i]);
	if (p->suspects == 0)
		fprintf(p->out->f, "No leak suspects%s\n",
			p->history.samples < TREND_MIN_POINTS && p->history.runs < TREND_MIN_RUNS ?
				": too few samples to tell" : "");
	fputs("(The rule: slabinfo-report(1), LEAK SUSPECTS)\n", p->out->f);
}

/* ---- the table ------------------------------------------------------------------------------- */

static const struct table_column time_columns[] = {
	{ "NAME", "name", false, false, true },
	{ "START", "start_bytes", true, true, false },
	{ "END", "end_bytes", true, false, false },
	{ "GROWTH", "growth_bytes", true, false, false },
	{ "OBJECTS", "growth_objs", true, false, false },
	{ "PER-HOUR", "slope_bytes_per_hour", true, false, false },
	{ "FROM", "slope_low_bytes_per_hour", true, true, false },
	{ "TO", "slope_high_bytes_per_hour", true, true, false },
	{ "PEAK", "peak_bytes", true, true, false },
	{ "AT", "peak_sample", true, true, false },
	{ "MAXIMA", "new_maxima", true, true, false },
	{ "SHAPE", "shape", false, false, false },
	{ "RECLAIM", "reclaimable", false, true, false },
	{ "VERDICT", "verdict", false, true, false },
};

static const struct table_column run_columns[] = {
	{ "NAME", "name", false, false, true },
	{ "START", "start_bytes", true, true, false },
	{ "END", "end_bytes", true, false, false },
	{ "GROWTH", "growth_bytes", true, false, false },
	{ "OBJECTS", "growth_objs", true, false, false },
	{ "PER-RUN", "objs_per_run", true, false, false },
	{ "FROM", "objs_per_run_low", true, false, false },
	{ "TO", "objs_per_run_high", true, false, false },
	{ "GREW", "runs_grown", true, true, false },
	{ "PEAK", "peak_bytes", true, true, false },
	{ "AT", "peak_sample", true, true, false },
	{ "SHAPE", "shape", false, true, false },
	{ "RECLAIM", "reclaimable", false, true, false },
	{ "VERDICT", "verdict", false, true, false },
};

static const char *verdict_of(const struct report *p, const struct finding *f)
{
	enum trend_verdict v = p->history.runs > 0 ? f->run_bytes.verdict : f->leak.verdict;

	return v == TREND_SUSPECT && !f->suspect ? "reclaimable" : trend_verdict_text(v);
}

static const char *reclaim_of(const struct finding *f)
{
	return !f->row->known_reclaim ? NULL : f->row->reclaimable ? "yes" : "no";
}

/* Bytes a second as bytes an hour; without times a sample. */
static double hourly(const struct report *p, double slope)
{
	return p->history.timed ? slope * 3600 : slope;
}

static void put_size(struct table *t, const struct history_row *row, enum history_value v,
		     double value)
{
	if (row->has[v])
		table_bytes(t, (uint64_t)value, OUT_PLAIN);
	else
		table_absent(t);
}

static void put_head_cells(const struct report *p, struct table *t, const struct finding *f)
{
	const struct history_row *row = f->row;
	enum out_style style = f->suspect ? OUT_BAD : OUT_PLAIN;

	table_text(t, row->label, f->suspect ? OUT_BAD : OUT_NAME);
	put_size(t, row, HISTORY_FOOTPRINT, row->start[HISTORY_FOOTPRINT]);
	put_size(t, row, HISTORY_FOOTPRINT, row->end[HISTORY_FOOTPRINT]);
	form_delta(t, &p->r->form, row->has[HISTORY_FOOTPRINT] ? f->growth : NAN, style);
	form_signed(t,
		    row->has[HISTORY_OBJECTS]
			    ? row->end[HISTORY_OBJECTS] - row->start[HISTORY_OBJECTS]
			    : NAN,
		    0, style);
}

static void put_run_row(const struct report *p, struct table *t, const struct finding *f)
{
	const struct trend_runs *r = &f->runs;
	bool has = f->row->has[HISTORY_OBJECTS];

	put_head_cells(p, t, f);
	form_signed(t, has ? r->slope : NAN, 1, OUT_PLAIN);
	form_signed(t, has ? r->slope_low : NAN, 1, OUT_PLAIN);
	form_signed(t, has ? r->slope_high : NAN, 1, OUT_PLAIN);
	table_number(t, has ? r->grew : f->run_bytes.grew, OUT_PLAIN);
	put_size(t, f->row, HISTORY_FOOTPRINT, f->row->peak);
	table_number(t, f->row->peak_sample, OUT_PLAIN);
	table_text(t, trend_shape_name(f->trend.shape), OUT_PLAIN);
	table_text(t, reclaim_of(f), OUT_PLAIN);
	table_text(t, verdict_of(p, f), OUT_PLAIN);
	table_end_row(t);
}

static void put_time_row(const struct report *p, struct table *t, const struct finding *f)
{
	const struct form_opts *form = &p->r->form;

	put_head_cells(p, t, f);
	form_delta(t, form, hourly(p, f->trend.slope), OUT_PLAIN);
	form_delta(t, form, hourly(p, f->trend.slope_low), OUT_PLAIN);
	form_delta(t, form, hourly(p, f->trend.slope_high), OUT_PLAIN);
	put_size(t, f->row, HISTORY_FOOTPRINT, f->row->peak);
	table_number(t, f->row->peak_sample, OUT_PLAIN);
	table_number(t, f->trend.maxima, OUT_PLAIN);
	table_text(t, trend_shape_name(f->trend.shape), OUT_PLAIN);
	table_text(t, reclaim_of(f), OUT_PLAIN);
	table_text(t, verdict_of(p, f), OUT_PLAIN);
	table_end_row(t);
}

/* Rows: all suspects at least. */
static size_t shown(const struct report *p)
{
	size_t top = p->r->form.top, all = form_opts_prose(&p->r->form) ? p->changed : p->findings;

	return top && top < all ? (top > p->suspects ? top : p->suspects) : all;
}

static int print_table(const struct report *p)
{
	bool runs = p->history.runs > 0;
	const struct table_options o = form_opts_table(&p->r->form, p->out);
	const struct table_column *columns = runs ? run_columns : time_columns;
	size_t n = runs ? sizeof(run_columns) / sizeof(run_columns[0]) :
			  sizeof(time_columns) / sizeof(time_columns[0]);
	struct table *t = table_new(p->out, &o, columns, n);

	if (!t)
		return -ENOMEM;
	for (size_t i = 0, rows = 0; i < p->findings && rows < shown(p); i++) {
		/* A person looks for what changed. */
		if (form_opts_prose(&p->r->form) && !has_changed(&p->finding[i]))
			continue;
		rows++;
		if (runs)
			put_run_row(p, t, &p->finding[i]);
		else
			put_time_row(p, t, &p->finding[i]);
	}
	return table_finish(t) ? 0 : -ENOMEM;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void add_signed(cJSON *o, const char *key, bool has, double value)
{
	if (has)
		json_add_real(o, key, value);
	else
		json_add_null(o, key);
}

static cJSON *trend_json(const struct report *p, const struct trend *t)
{
	cJSON *o = cJSON_CreateObject(), *parts = cJSON_CreateArray();

	json_add_real(o, "growth_bytes", t->growth);
	json_add_real(o, p->history.timed ? "slope_bytes_per_s" : "slope_bytes_per_sample",
		      t->slope);
	json_add_real(o, "slope_low", t->slope_low);
	json_add_real(o, "slope_high", t->slope_high);
	json_add_real(o, "z", t->z);
	for (int i = 0; i < 4; i++)
		cJSON_AddItemToArray(parts, cJSON_CreateNumber(t->part[i]));
	json_add(o, "quarters", parts);
	json_add_real(o, "late_slope", t->late_slope);
	json_add_real(o, "late_z", t->late_z);
	json_add_real(o, "high_early", t->high_early);
	json_add_real(o, "low_late", t->low_late);
	return o;
}

static cJSON *runs_json(const struct trend_runs *t)
{
	cJSON *o = cJSON_CreateObject();

	json_add_u64(o, "runs", t->runs);
	json_add_u64(o, "used", t->used);
	json_add_u64(o, "grew", t->grew);
	json_add_real(o, "slope", t->slope);
	json_add_real(o, "slope_low", t->slope_low);
	json_add_real(o, "slope_high", t->slope_high);
	json_add_real(o, "first_half", t->first_half);
	json_add_real(o, "second_half", t->second_half);
	json_add_real(o, "total", t->total);
	return o;
}

static cJSON *finding_json(const struct report *p, const struct finding *f)
{
	const struct history_row *row = f->row;
	cJSON *o = cJSON_CreateObject();

	json_add_text(o, "name", row->label);
	json_add_text(o, "id", row->name);
	json_add_text(o, "users", row->users);
	add_signed(o, "start_bytes", row->has[HISTORY_FOOTPRINT], row->start[HISTORY_FOOTPRINT]);
	add_signed(o, "end_bytes", row->has[HISTORY_FOOTPRINT], row->end[HISTORY_FOOTPRINT]);
	add_signed(o, "growth_bytes", row->has[HISTORY_FOOTPRINT], f->growth);
	add_signed(o, "growth_objs", row->has[HISTORY_OBJECTS],
		   row->end[HISTORY_OBJECTS] - row->start[HISTORY_OBJECTS]);
	add_signed(o, "peak_bytes", row->has[HISTORY_FOOTPRINT], row->peak);
	json_add_u64(o, "peak_sample", row->peak_sample);
	json_add_u64(o, "new_maxima", f->trend.maxima);
	json_add_text(o, "shape", trend_shape_name(f->trend.shape));
	if (row->known_reclaim)
		json_add_bool(o, "reclaimable", row->reclaimable);
	else
		json_add_null(o, "reclaimable");
	json_add_bool(o, "suspect", f->suspect);
	json_add_text(o, "verdict", verdict_of(p, f));
	json_add(o, "over_time", trend_json(p, &f->leak));
	if (p->history.runs > 0) {
		if (row->has[HISTORY_OBJECTS])
			json_add(o, "objs_over_runs", runs_json(&f->runs));
		json_add(o, "bytes_over_runs", runs_json(&f->run_bytes));
	}
	return o;
}

static cJSON *total_json(const struct history_row *t, enum history_value v)
{
	cJSON *o;

	if (!t->has[v])
		return cJSON_CreateNull();
	o = cJSON_CreateObject();
	json_add_real(o, "start", t->start[v]);
	json_add_real(o, "end", t->end[v]);
	if (v == HISTORY_FOOTPRINT) {
		json_add_real(o, "peak", t->peak);
		json_add_u64(o, "peak_sample", t->peak_sample);
	}
	return o;
}

static int print_json(const struct report *p)
{
	struct json_doc d;

	json_open(&d, p->out->f);
	json_put(&d, "format", json_text("slabinfo"));
	json_put(&d, "version", json_u64(1));
	json_put(&d, "mode", json_text("report"));
	json_put(&d, "source", json_text(p->label));
	json_put(&d, "samples", json_u64(p->history.samples));
	json_put(&d, "runs", json_u64(p->history.runs));
	json_put(&d, "length_s",
		 p->history.timed ? cJSON_CreateNumber(p->history.length) : cJSON_CreateNull());
	json_put(&d, "footprint_bytes", total_json(&p->history.total, HISTORY_FOOTPRINT));
	json_put(&d, "loss_bytes", total_json(&p->history.total, HISTORY_LOSS));
	json_put(&d, "suspects", json_u64(p->suspects));
	json_open_array(&d, "caches");
	for (size_t i = 0; i < shown(p); i++)
		json_put(&d, NULL, finding_json(p, &p->finding[i]));
	json_close(&d);
	json_close(&d);
	return d.failed ? -ENOMEM : 0;
}

/* ---- running --------------------------------------------------------------------------------- */

static int print_report(const struct report *p)
{
	int ret;

	out_choose_color(p->out, p->r->form.color);
	if (p->r->form.json)
		return print_json(p);
	if (!form_opts_prose(&p->r->form))
		return print_table(p);
	print_head(p);
	ret = print_table(p);
	if (shown(p) < p->changed)
		fprintf(p->out->f, "(%zu more: --top 0)\n", p->changed - shown(p));
	if (p->changed < p->findings)
		fprintf(p->out->f, "(%zu unchanged)\n", p->findings - p->changed);
	fputc('\n', p->out->f);
	print_suspects(p);
	return ret;
}

static int run_report(struct report *p, struct slabstat_source *source)
{
	size_t samples = slabstat_source_samples(source);
	int ret;

	if (samples == 0) {
		fprintf(stderr, PROGRAM ": %s: no samples in it\n", p->label);
		return 1;
	}
	p->about = slabstat_source_recording(source);
	ret = history_read(&p->history, source, p->r->families, NULL);
	if (ret != 0 && ret != -ENOMEM)
		return cli_print_error(p->h, PROGRAM);
	if (ret == 0)
		ret = find_all(p);
	if (ret == 0)
		ret = print_report(p);
	if (ret == 0)
		return 0;
	fputs(PROGRAM ": out of memory\n", stderr);
	return 1;
}

static int run_request(const struct request *r, struct out *out)
{
	struct report p = {
		.r = r, .out = out, .h = slabstat_new(), .label = source_opts_label(&r->source, 0)
	};
	struct slabstat_source *source = p.h ? source_opts_open(p.h, &r->source, 0, PROGRAM) : NULL;
	int status = source ? run_report(&p, source) : 1;

	history_free(&p.history);
	free(p.finding);
	slabstat_source_close(source);
	slabstat_free(p.h);
	return status;
}

static int take_option(void *request, int id, char *arg)
{
	struct request *r = request;
	int status = form_opts_take(&r->form, id, arg, PROGRAM);

	if (status >= 0)
		return status;
	if (id == OPT_FAMILIES) {
		r->families = true;
		return 0;
	}
	return source_opts_take(&r->source, id, arg, PROGRAM) == SOURCE_OPTS_TAKEN ? 0 : 2;
}

static int parse(struct request *r, struct out *out, int argc, char **argv)
{
	struct opts o = { .table = report_options, .program = PROGRAM };
	int status = opts_each(&o, argc, argv, take_option, r);

	if (status == OPTS_HELP)
		help(out->f);
	else if (status == 0 && argc - o.operand > 1)
		status = opts_usage(PROGRAM, "one recording at a time", NULL);
	else if (status == 0)
		status = source_opts_take(&r->source, 'F', o.operand < argc ? argv[o.operand] :
					  DEFAULT_FILE, PROGRAM) == SOURCE_OPTS_TAKEN ? 0 : 2;
	opts_free(&o);
	return status;
}

static int run(int argc, char **argv)
{
	struct request r = { .form = FORM_OPTS_DEFAULT };
	struct out out;
	int status;

	out_start(&out);
	status = parse(&r, &out, argc, argv);
	status = status == 0 ? run_request(&r, &out) : status == OPTS_HELP ? 0 : status;
	source_opts_free(&r.source);
	return status;
}

const struct verb verb_report = {
	.name = "report",
	.usage = "[OPTION]... [FILE]",
	.summary = "what grew in a recording, and whether it is a leak",
	.options = report_options,
	.run = run,
};
