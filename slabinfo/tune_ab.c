// SPDX-License-Identifier: MIT
/*
 * tune_ab.c - a command with value A and with value B in turn, and what that changed.
 *
 * Runs come in pairs, A B, B A, A B, ..., so that whatever drifts meanwhile hits both alike; one
 * run before them warms up and does not count. What is reported is the mean of the differences
 * B - A within the pairs, with Student's 95 % interval; one that holds zero is called no
 * difference, whatever the means are.
 *
 * While a run lasts, the slabs of the caches are sampled. What was allocated and freed between two
 * samples is not seen without the kernel's counters (CONFIG_SLUB_STATS), so that sums of slabs
 * that came and went are lower bounds, marked with >.
 */
#include "cache_json.h"
#include "tune.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "job.h"
#include "util/num.h"
#include "util/stats.h"
#include "util/table.h"

#define SAMPLE_MS 50

enum unit { UNIT_SECONDS, UNIT_BYTES, UNIT_COUNT };

enum { M_TIME, M_CPU, M_FOOTPRINT, M_PEAK, M_LOSS, M_HELD, M_CAME, M_WENT, M_FIXED };

static const struct measure {
	const char *title, *key;
	enum unit unit;
	const char *mark;
} fixed_measures[M_FIXED] = {
	[M_TIME] = { "time", "time_s", UNIT_SECONDS, "" },
	[M_CPU] = { "CPU time", "cpu_time_s", UNIT_SECONDS, "" },
	[M_FOOTPRINT] = { "footprint, mean", "footprint_mean_bytes", UNIT_BYTES, "" },
	[M_PEAK] = { "footprint, peak", "footprint_peak_bytes", UNIT_BYTES, ">" },
	[M_LOSS] = { "loss at the end", "loss_bytes", UNIT_BYTES, "" },
	[M_HELD] = { "slabs held by CPUs, at the end", "cpu_slabs", UNIT_COUNT, "" },
	[M_CAME] = { "slabs allocated", "slabs_allocated", UNIT_COUNT, ">" },
	[M_WENT] = { "slabs freed", "slabs_freed", UNIT_COUNT, ">" },
};

#define MEASURES (M_FIXED + SLABSTAT_NFIELDS)	/* and a counter a field, where there is one */

/* Values of one measure by side and run; absent once is absent. */
struct series {
	bool present;
	double *v[2];
};

struct ab {
	struct tune_call *call;
	struct slabstat_plan *plan;
	struct job *job;
	struct series series[MEASURES];
	size_t runs;			/* pairs that are complete */
	uint64_t page_size;
	bool retired;			/* CPUs hold no slabs: 7.0 and later */
};

/* Sums over all caches of the plan. */
struct level {
	uint64_t footprint, loss, slabs;
	bool known, loss_known;
};

/* ---- watching -------------------------------------------------------------------------------- */

static bool get(struct ab *ab, const char *cache, enum slabstat_field field, uint64_t *value)
{
	return !slabstat_tune_value(ab->call->tune, cache, field, value);
}

static struct level look(struct ab *ab, bool loss)
{
	struct level l = { .known = ab->page_size != 0, .loss_known = loss && ab->page_size };

	for (size_t i = 0; i < slabstat_plan_count(ab->plan); i++) {
		const char *cache = slabstat_plan_change(ab->plan, i)->cache;
		uint64_t slabs, order, objects, size, bytes;

		if (!get(ab, cache, SLABSTAT_SLABS, &slabs) ||
		    !get(ab, cache, SLABSTAT_ORDER, &order) || order > 31) {
			l.known = l.loss_known = false;
			break;
		}
		bytes = num_mul_sat(slabs, ab->page_size << order);
		l.slabs = num_add_sat(l.slabs, slabs);
		l.footprint = num_add_sat(l.footprint, bytes);
		if (!l.loss_known)
			continue;
		l.loss_known = get(ab, cache, SLABSTAT_OBJECTS, &objects) &&
			       get(ab, cache, SLABSTAT_OBJECT_SIZE, &size);
		if (l.loss_known && num_mul_sat(objects, size) < bytes)
			l.loss = num_add_sat(l.loss, bytes - objects * size);
	}
	return l;
}

/* The sum of one counter over the caches; false where this kernel does not have it. */
static bool count(struct ab *ab, enum slabstat_field field, double *sum)
{
	uint64_t value;

	*sum = 0;
	for (size_t i = 0; i < slabstat_plan_count(ab->plan); i++) {
		if (!get(ab, slabstat_plan_change(ab->plan, i)->cache, field, &value))
			return false;
		*sum += (double)value;
	}
	return slabstat_plan_count(ab->plan) > 0;
}

static bool is_counter(size_t m)
{
	const struct slabstat_field_info *info;

	if (m < M_FIXED)
		return false;
	info = slabstat_field_info((enum slabstat_field)(m - M_FIXED));
	return info->kind == SLABSTAT_KIND_COUNTER && info->sysfs;
}

/* Counters before the run go in negative, those after it are added. */
static void take_counters(struct ab *ab, double *counters, double sign, bool *present)
{
	for (size_t m = M_FIXED; m < MEASURES; m++) {
		double sum;

		if (!is_counter(m) || !present[m])
			continue;
		present[m] = count(ab, (enum slabstat_field)(m - M_FIXED), &sum);
		counters[m] += sign * sum;
	}
}

struct watch {
	double value[MEASURES];
	bool present[MEASURES];
	double footprint_sum;
	size_t samples;
	uint64_t last;
	bool any;
};

static void sample(struct ab *ab, struct watch *w, bool last)
{
	struct level l = look(ab, last);

	if (!l.known)
		return;
	if (w->any && l.slabs > w->last)
		w->value[M_CAME] += (double)(l.slabs - w->last);
	if (w->any && l.slabs < w->last)
		w->value[M_WENT] += (double)(w->last - l.slabs);
	w->last = l.slabs;
	w->any = true;
	w->footprint_sum += (double)l.footprint;
	w->samples++;
	w->value[M_FOOTPRINT] = w->footprint_sum / (double)w->samples;
	w->value[M_PEAK] = fmax(w->value[M_PEAK], (double)l.footprint);
	if (last) {
		w->present[M_LOSS] = l.loss_known;
		w->value[M_LOSS] = (double)l.loss;
		w->present[M_HELD] =
			!ab->retired && count(ab, SLABSTAT_CPU_SLABS, &w->value[M_HELD]);
	}
}

static double cpu_seconds(const struct rusage *u)
{
	return (double)(u->ru_utime.tv_sec + u->ru_stime.tv_sec) +
	       (double)(u->ru_utime.tv_usec + u->ru_stime.tv_usec) / 1e6;
}

/* ---- running --------------------------------------------------------------------------------- */

/* One run; 0, or the status that ends the whole: of the command that failed, or 128 + signal. */
static int run_once(struct ab *ab, struct watch *w)
{
	int status;

	*w = (struct watch){ .samples = 0 };
	memset(w->present, true, sizeof(w->present));
	w->present[M_LOSS] = w->present[M_HELD] = false;	/* known once the last sample is */
	take_counters(ab, w->value, -1, w->present);
	sample(ab, w, false);
	status = job_start(ab->job, ab->call->r->command, TUNE_PROGRAM);
	if (status)
		return status;
	while (!job_wait(ab->job, SAMPLE_MS))
		sample(ab, w, false);
	sample(ab, w, true);
	take_counters(ab, w->value, 1, w->present);
	for (int m = M_FOOTPRINT; m < M_FIXED; m++)
		w->present[m] = w->present[m] && w->any;
	w->value[M_TIME] = (double)(ab->job->end_ns - ab->job->start_ns) / 1e9;
	w->value[M_CPU] = cpu_seconds(&ab->job->usage);
	status = job_status(ab->job);
	if (!status && job_signalled(ab->job))
		status = 128 + ab->job->signalled;
	return status;
}

/* tell: what the kernel made of the value, which is the same each time. */
static int set_side(struct ab *ab, int side, bool tell)
{
	for (size_t i = 0; i < slabstat_plan_count(ab->plan); i++)
		if (slabstat_plan_switch(ab->plan, i, ab->call->r->ab_value[side]))
			return tune_error(ab->call, TUNE_FAILED);
	if (tell)
		tune_tell(ab->plan, false);
	return 0;
}

static void keep(struct ab *ab, const struct watch *w, int side, size_t run)
{
	for (size_t m = 0; m < MEASURES; m++) {
		ab->series[m].present = ab->series[m].present && w->present[m];
		if (ab->series[m].v[side])
			ab->series[m].v[side][run] = w->value[m];
	}
}

static void progress(const struct ab *ab, const char *what, size_t run)
{
	fprintf(stderr, TUNE_PROGRAM ": %s", what);
	if (run)
		fprintf(stderr, " %zu of %u", run, ab->call->r->runs);
	fputc('\n', stderr);
}

static int run_pair(struct ab *ab, size_t pair)
{
	struct watch w;

	for (int k = 0; k < 2; k++) {
		int side = (k + (int)(pair & 1)) & 1;
		int status = set_side(ab, side, pair == 0);

		if (!status)
			status = run_once(ab, &w);
		if (status)
			return status;
		keep(ab, &w, side, pair);
	}
	return 0;
}

static int run_all(struct tune_call *call, struct slabstat_plan *plan, struct job *job, void *arg)
{
	struct ab *ab = arg;
	struct watch warm_up;
	int status;

	(void)call;
	ab->plan = plan;
	ab->job = job;
	progress(ab, "warming up", 0);
	status = run_once(ab, &warm_up);
	for (size_t pair = 0; !status && pair < ab->call->r->runs; pair++) {
		progress(ab, "pair", pair + 1);
		status = run_pair(ab, pair);
		if (!status)
			ab->runs++;
	}
	return status;
}

/* ---- telling --------------------------------------------------------------------------------- */

struct difference {
	double mean[2], difference, half_width;
	bool beyond;		/* the interval does not hold zero */
};

static struct difference compare(const struct series *s, size_t n)
{
	struct difference d = { .beyond = false };
	double *pairs = calloc(n ? n : 1, sizeof(*pairs));

	if (!pairs)
		return d;
	for (size_t i = 0; i < n; i++)
		pairs[i] = s->v[1][i] - s->v[0][i];
	for (int side = 0; side < 2; side++)
		d.mean[side] = stats_mean(s->v[side], n);
	d.difference = stats_mean(pairs, n);
	d.half_width =
		stats_student((double)n - 1, 0.95) * stats_deviation(pairs, n) / sqrt((double)n);
	d.beyond = n > 1 && fabs(d.difference) > d.half_width;
	free(pairs);
	return d;
}

static struct measure describe(size_t m)
{
	const struct slabstat_field_info *info;

	if (m < M_FIXED)
		return fixed_measures[m];
	info = slabstat_field_info((enum slabstat_field)(m - M_FIXED));
	return (struct measure){ info->id, info->id, UNIT_COUNT, "" };
}

/* A counter that never moved says nothing. */
static bool is_told(const struct ab *ab, size_t m)
{
	const struct series *s = &ab->series[m];

	if (!s->present || (m >= M_FIXED && !is_counter(m)))
		return false;
	for (size_t i = 0; m >= M_FIXED && i < ab->runs; i++)
		if (s->v[0][i] != 0 || s->v[1][i] != 0)
			return true;
	return m < M_FIXED;
}

static void format(char text[48], const struct measure *m, double value, bool sign)
{
	char human[NUM_HUMAN_SIZE];

	if (m->unit == UNIT_BYTES && sign)
		snprintf(text, 48, "%s", num_human_delta((int64_t)llround(value), human));
	else if (m->unit == UNIT_BYTES)
		snprintf(text, 48, "%s%s", m->mark,
			 num_human_bytes((uint64_t)llround(fabs(value)), human));
	else
		snprintf(text, 48, sign ? "%s%+.*f%s" : "%s%.*f%s", sign ? "" : m->mark,
			 m->unit == UNIT_SECONDS ? 4 : 1, value,
			 m->unit == UNIT_SECONDS ? " s" : "");
}

static void print_row(struct table *t, const struct measure *m, const struct difference *d)
{
	char text[48], spread[64], verdict[96];

	table_text(t, m->title, OUT_PLAIN);
	for (int side = 0; side < 2; side++) {
		format(text, m, d->mean[side], false);
		table_text(t, text, OUT_PLAIN);
	}
	format(text, m, d->difference, true);
	table_text(t, text, d->beyond ? OUT_WARN : OUT_PLAIN);
	format(text, &(struct measure){ .unit = m->unit, .mark = "" }, d->half_width, false);
	snprintf(spread, sizeof(spread), "+-%s", text);
	table_text(t, spread, OUT_PLAIN);
	if (d->difference == 0 && d->half_width == 0)
		snprintf(verdict, sizeof(verdict), "the same");
	else if (!d->beyond)
		snprintf(verdict, sizeof(verdict), "no difference beyond the spread");
	else if (d->mean[0] > 0)
		snprintf(verdict, sizeof(verdict), "B is %.1f %% %s",
			 100 * fabs(d->difference) / d->mean[0],
			 d->difference < 0 ? "lower" : "higher");
	else
		snprintf(verdict, sizeof(verdict), "B is %s",
			 d->difference < 0 ? "lower" : "higher");
	table_text(t, verdict, d->beyond ? OUT_WARN : OUT_FAINT);
	table_end_row(t);
}

static void print_heading(struct ab *ab)
{
	FILE *out = ab->call->out->f;
	const struct tune_request *r = ab->call->r;

	fprintf(out, "\n%s of ", slabstat_field_info(r->ab)->sysfs);
	for (size_t i = 0; i < ab->call->targets; i++) {
		fputs(i ? ", " : "", out);
		tune_print_safe(out, ab->call->target[i]);
	}
	fprintf(out, ": A = %llu, B = %llu, %zu runs of each, in pairs; intervals are 95 %%\n\n",
		(unsigned long long)r->ab_value[0], (unsigned long long)r->ab_value[1], ab->runs);
}

static int print_table(struct ab *ab)
{
	static const struct table_column columns[] = {
		{ .title = "MEASURE" },		  { .title = "A", .right = true },
		{ .title = "B", .right = true },  { .title = "B-A", .right = true },
		{ .title = "+-", .right = true }, { .title = "VERDICT" },
	};
	const struct table_options options = { .form = TABLE_ALIGNED };
	struct table *t =
		table_new(ab->call->out, &options, columns, sizeof(columns) / sizeof(columns[0]));

	if (!t)
		return 1;
	print_heading(ab);
	for (size_t m = 0; m < MEASURES; m++) {
		struct measure what = describe(m);
		struct difference d;

		if (!is_told(ab, m))
			continue;
		d = compare(&ab->series[m], ab->runs);
		print_row(t, &what, &d);
	}
	return table_finish(t) ? 0 : 1;
}

static cJSON *measure_json(const struct ab *ab, size_t m)
{
	struct difference d = compare(&ab->series[m], ab->runs);
	cJSON *item = cJSON_CreateObject();

	json_add_text(item, "measure", describe(m).key);
	json_add_real(item, "a_mean", d.mean[0]);
	json_add_real(item, "b_mean", d.mean[1]);
	json_add_real(item, "difference", d.difference);
	json_add_real(item, "half_width", d.half_width);
	json_add_bool(item, "beyond_spread", d.beyond);
	json_add(item, "a", cJSON_CreateDoubleArray(ab->series[m].v[0], (int)ab->runs));
	json_add(item, "b", cJSON_CreateDoubleArray(ab->series[m].v[1], (int)ab->runs));
	return item;
}

static int print_json(struct ab *ab)
{
	struct json_doc doc = { .out = NULL };

	document_head(&doc, ab->call->out->f, "tune-ab");
	json_put(&doc, "tunable", json_text(slabstat_field_info(ab->call->r->ab)->id));
	json_put(&doc, "a", json_u64(ab->call->r->ab_value[0]));
	json_put(&doc, "b", json_u64(ab->call->r->ab_value[1]));
	json_put(&doc, "runs", json_u64(ab->runs));
	json_open_array(&doc, "measures");
	for (size_t m = 0; m < MEASURES; m++)
		if (is_told(ab, m))
			json_put(&doc, NULL, measure_json(ab, m));
	json_close(&doc);
	json_close(&doc);
	return doc.failed ? 1 : 0;
}

/* ---- the task -------------------------------------------------------------------------------- */

/* Both values must be fine before anything is written. */
static struct slabstat_plan *plan_sides(struct tune_call *call)
{
	struct tune_request r = *call->r;
	struct tune_call one = *call;
	struct slabstat_plan *plan = NULL;

	for (int side = 1; side >= 0; side--) {
		struct tune_setting s = { call->r->ab, call->r->ab_value[side] };

		slabstat_plan_free(plan);
		r.setting = &s;
		r.settings = 1;
		one.r = &r;
		plan = tune_plan(&one);
		if (!plan)
			return NULL;
	}
	return plan;
}

static bool make_room(struct ab *ab)
{
	for (size_t m = 0; m < MEASURES; m++) {
		if (m >= M_FIXED && !is_counter(m))
			continue;
		ab->series[m].present = true;
		for (int side = 0; side < 2; side++) {
			ab->series[m].v[side] = calloc(ab->call->r->runs, sizeof(double));
			if (!ab->series[m].v[side])
				return false;
		}
	}
	return true;
}

static int run_and_tell(struct ab *ab)
{
	const struct tune_body body = { .what = "ab", .run = run_all, .arg = ab };
	struct slabstat_plan *plan;
	int status;

	tune_list_targets(ab->call);
	plan = plan_sides(ab->call);
	if (!plan)
		return TUNE_FAILED;
	if (ab->call->r->dry_run) {
		slabstat_plan_free(plan);
		return 0;
	}
	status = tune_temporarily(ab->call, plan, &body);
	if (status && !ab->job)
		return status;
	if (status)
		fprintf(stderr, TUNE_PROGRAM ": ended with status %d after %zu pairs\n", status,
			ab->runs);
	if (ab->runs >= 2 && (ab->call->r->json ? print_json(ab) : print_table(ab)) && !status)
		status = 1;
	return status;
}

int tune_ab(struct tune_call *call)
{
	const struct slabstat_machine *m = slabstat_snapshot_machine(call->machine);
	struct ab ab = { .call = call, .page_size = m->page_size, .retired = m->cpu_slabs_retired };
	int status = 1;

	if (make_room(&ab))
		status = run_and_tell(&ab);
	else
		fputs(TUNE_PROGRAM ": out of memory\n", stderr);
	for (size_t i = 0; i < MEASURES; i++) {
		free(ab.series[i].v[0]);
		free(ab.series[i].v[1]);
	}
	return status;
}
