// SPDX-License-Identifier: MIT
/*
 * diff_pair.c - what grew from one snapshot to another, cache by cache.
 *
 * A cache that is on one side only counts as 0 on the other. Only caches that differ are shown,
 * the one that grew most first, so that the rows of A to B are those of B to A from the end.
 */
#include "diff.h"

#include "util/num.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FOOTPRINT, OBJECTS, LOSS, PARTS };

static const enum slabstat_field part_fields[PARTS] = {
	SLABSTAT_FOOTPRINT, SLABSTAT_OBJECTS, SLABSTAT_LOSS,
};

struct row {
	char *label;			/* owned */
	size_t pairs;			/* more than one in a family */
	bool born, vanished;		/* every one of them */
	int64_t growth[PARTS];
	enum slabstat_quality quality[PARTS];
	uint64_t before, after;		/* footprint */
	bool has_before, has_after;
};

struct rows {
	struct row *row;
	size_t count;
};

/* ---- rows ------------------------------------------------------------------------------------ */

static int64_t add_saturated(int64_t a, int64_t b)
{
	int64_t sum;

	if (__builtin_add_overflow(a, b, &sum))
		return a > 0 ? INT64_MAX : INT64_MIN;
	return sum;
}

static bool add_size(const struct slabstat_cache *c, uint64_t *sum, bool *has)
{
	uint64_t bytes;

	if (!c || slabstat_cache_value(c, SLABSTAT_FOOTPRINT, &bytes) == SLABSTAT_ABSENT)
		return false;
	*sum = num_add_sat(*sum, bytes);
	*has = true;
	return true;
}

static void add_pair(struct row *row, const struct slabstat_pair *pair)
{
	row->born = (row->pairs == 0 || row->born) && !pair->older;
	row->vanished = (row->pairs == 0 || row->vanished) && !pair->newer;
	add_size(pair->older, &row->before, &row->has_before);
	add_size(pair->newer, &row->after, &row->has_after);
	for (int i = 0; i < PARTS; i++) {
		int64_t growth;
		enum slabstat_quality q = slabstat_pair_growth(pair, part_fields[i], &growth);

		if (q == SLABSTAT_ABSENT)
			continue;
		row->growth[i] = add_saturated(row->growth[i], growth);
		/* A doubt about one is a doubt about the sum. */
		if (row->quality[i] == SLABSTAT_ABSENT || q != SLABSTAT_EXACT)
			row->quality[i] = q;
	}
	row->pairs++;
}

static const char *label_of(const struct slabstat_pair *pair)
{
	return slabstat_cache_label(pair->newer ? pair->newer : pair->older);
}

/* The label, or its family; *returns owned*. */
static char *name_row(const struct diff_call *call, const struct slabstat_pair *pair)
{
	const char *label = label_of(pair);
	size_t len = slabstat_family(label, NULL, 0);
	char *family;

	if (!call->r->families)
		return strdup(label);
	family = malloc(len + 1);
	if (family)
		slabstat_family(label, family, len + 1);
	return family;
}

static int compare_labels(const void *a, const void *b)
{
	return strcmp(((const struct row *)a)->label, ((const struct row *)b)->label);
}

static int compare_growth(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	for (int i = 0; i < PARTS; i++) {
		if (x->growth[i] != y->growth[i])
			return x->growth[i] > y->growth[i] ? -1 : 1;
	}
	return strcmp(x->label, y->label);
}

static void merge_families(struct rows *rows)
{
	size_t kept = 0;

	qsort(rows->row, rows->count, sizeof(*rows->row), compare_labels);
	for (size_t i = 0; i < rows->count; i++) {
		struct row *r = &rows->row[i], *into = kept > 0 ? &rows->row[kept - 1] : NULL;

		if (!into || strcmp(into->label, r->label) != 0) {
			rows->row[kept++] = *r;
			continue;
		}
		for (int k = 0; k < PARTS; k++) {
			into->growth[k] = add_saturated(into->growth[k], r->growth[k]);
			if (into->quality[k] == SLABSTAT_ABSENT || r->quality[k] > SLABSTAT_EXACT)
				into->quality[k] = r->quality[k];
		}
		into->before = num_add_sat(into->before, r->before);
		into->after = num_add_sat(into->after, r->after);
		into->has_before |= r->has_before;
		into->has_after |= r->has_after;
		into->born &= r->born;
		into->vanished &= r->vanished;
		into->pairs += r->pairs;
		free(r->label);
	}
	rows->count = kept;
}

static bool differs(const struct row *r)
{
	for (int i = 0; i < PARTS; i++) {
		if (r->growth[i] != 0)
			return true;
	}
	return r->born || r->vanished;
}

static void drop_equal(struct rows *rows)
{
	size_t kept = 0;

	for (size_t i = 0; i < rows->count; i++) {
		if (differs(&rows->row[i]))
			rows->row[kept++] = rows->row[i];
		else
			free(rows->row[i].label);
	}
	rows->count = kept;
}

static bool make_rows(const struct diff_call *call, const struct slabstat_delta *delta,
		      struct rows *rows)
{
	size_t n = slabstat_delta_count(delta);

	rows->row = calloc(n + 1, sizeof(*rows->row));
	if (!rows->row)
		return false;
	for (size_t i = 0; i < n; i++) {
		const struct slabstat_pair *pair = &slabstat_delta_pairs(delta)[i];
		struct row *row = &rows->row[rows->count];

		row->label = name_row(call, pair);
		if (!row->label)
			return false;
		add_pair(row, pair);
		rows->count++;
	}
	if (call->r->families)
		merge_families(rows);
	drop_equal(rows);
	qsort(rows->row, rows->count, sizeof(*rows->row), compare_growth);
	return true;
}

static void free_rows(struct rows *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		free(rows->row[i].label);
	free(rows->row);
}

/* ---- totals ---------------------------------------------------------------------------------- */

/* The whole of either side: what it states itself, else the sum of its caches. */
static struct row total_row(const struct slabstat_snapshot *a, const struct slabstat_snapshot *b)
{
	struct row t = { .pairs = 1 };

	for (int i = 0; i < PARTS; i++) {
		uint64_t before = 0, after = 0;
		enum slabstat_quality qa = slabstat_snapshot_total(a, part_fields[i], &before);
		enum slabstat_quality qb = slabstat_snapshot_total(b, part_fields[i], &after);

		if (i == FOOTPRINT) {
			t.before = before;
			t.after = after;
			t.has_before = qa != SLABSTAT_ABSENT;
			t.has_after = qb != SLABSTAT_ABSENT;
		}
		if (qa == SLABSTAT_ABSENT || qb == SLABSTAT_ABSENT)
			continue;
		t.quality[i] = qa > qb ? qa : qb;
		t.growth[i] = after >= before ? (int64_t)(after - before) :
						-(int64_t)(before - after);
	}
	return t;
}

/* ---- printing -------------------------------------------------------------------------------- */

static const struct table_column columns[] = {
	{ "NAME", "name", false, false, true },
	{ "BEFORE", "before_bytes", true, true, false },
	{ "AFTER", "after_bytes", true, true, false },
	{ "GROWTH", "growth_bytes", true, false, false },
	{ "OBJECTS", "growth_objs", true, false, false },
	{ "LOSS", "growth_loss_bytes", true, true, false },
	{ "", "state", false, false, false },
};

static const char *state_of(const struct row *r)
{
	return r->born ? "new" : r->vanished ? "vanished" : "";
}

static void put_growth(struct table *t, const struct diff_call *call, const struct row *r, int part,
		       enum out_style style)
{
	bool prose = form_opts_prose(&call->r->form);
	bool digits_only = call->r->form.bytes || !prose || part == OBJECTS;
	const char *mark = r->quality[part] != SLABSTAT_EXACT && prose ? "~" : "";
	char digits[NUM_HUMAN_SIZE], text[NUM_HUMAN_SIZE + 2];

	if (r->quality[part] == SLABSTAT_ABSENT) {
		table_absent(t);
		return;
	}
	if (digits_only)
		snprintf(digits, sizeof(digits), r->growth[part] ? "%+lld" : "%lld",
			 (long long)r->growth[part]);
	else
		num_human_delta(r->growth[part], digits);
	snprintf(text, sizeof(text), "%s%s", mark, digits);
	table_text(t, text, style);
}

static void put_size(struct table *t, bool has, uint64_t bytes)
{
	if (has)
		table_bytes(t, bytes, OUT_PLAIN);
	else
		table_absent(t);
}

static void put_row(struct table *t, const struct diff_call *call, const struct row *r,
		    const char *label)
{
	enum out_style style = r->growth[FOOTPRINT] > 0 ? OUT_WARN : OUT_GOOD;

	table_text(t, label, OUT_NAME);
	put_size(t, r->has_before, r->before);
	put_size(t, r->has_after, r->after);
	put_growth(t, call, r, FOOTPRINT, r->growth[FOOTPRINT] ? style : OUT_PLAIN);
	put_growth(t, call, r, OBJECTS, OUT_PLAIN);
	put_growth(t, call, r, LOSS, OUT_PLAIN);
	table_text(t, state_of(r), OUT_FAINT);
	table_end_row(t);
}

static size_t shown(const struct diff_call *call, const struct rows *rows)
{
	size_t top = call->r->form.top;

	return top && top < rows->count ? top : rows->count;
}

static bool print_table(const struct diff_call *call, const struct rows *rows,
			const struct row *total)
{
	const struct table_options o = form_opts_table(&call->r->form, call->out);
	bool prose = form_opts_prose(&call->r->form);
	struct table *t;

	if (prose && rows->count == 0 && !differs(total))
		return true;
	t = table_new(call->out, &o, columns, sizeof(columns) / sizeof(columns[0]));
	if (!t)
		return false;
	for (size_t i = 0; i < shown(call, rows); i++)
		put_row(t, call, &rows->row[i], rows->row[i].label);
	if (prose)
		put_row(t, call, total, "(total)");
	if (!table_finish(t))
		return false;
	if (prose && shown(call, rows) < rows->count)
		fprintf(call->out->f, "(%zu more: --top 0)\n", rows->count - shown(call, rows));
	return true;
}

static void add_growth(cJSON *o, const char *key, const struct row *r, int part)
{
	if (r->quality[part] == SLABSTAT_ABSENT)
		json_add_null(o, key);
	else
		json_add_i64(o, key, r->growth[part]);
}

static cJSON *row_json(const struct row *r, const char *label)
{
	cJSON *o = cJSON_CreateObject();

	if (label)
		json_add_text(o, "name", label);
	if (r->has_before)
		json_add_u64(o, "before_bytes", r->before);
	else
		json_add_null(o, "before_bytes");
	if (r->has_after)
		json_add_u64(o, "after_bytes", r->after);
	else
		json_add_null(o, "after_bytes");
	add_growth(o, "growth_bytes", r, FOOTPRINT);
	add_growth(o, "growth_objs", r, OBJECTS);
	add_growth(o, "growth_loss_bytes", r, LOSS);
	json_add_bool(o, "exact", r->quality[FOOTPRINT] == SLABSTAT_EXACT);
	json_add_bool(o, "new", r->born);
	json_add_bool(o, "vanished", r->vanished);
	return o;
}

static const char *operand_name(const struct diff_call *call, size_t i)
{
	if (i == 0)
		return call->r->a[0];
	if (call->r->b)
		return call->r->b[0];
	return source_opts_label(&call->r->source, 0);
}

static int print_json(struct diff_call *call, const struct rows *rows, const struct row *total)
{
	struct json_doc d;
	int status;

	json_open(&d, call->out->f);
	json_put(&d, "format", json_text("slabinfo"));
	json_put(&d, "version", json_u64(1));
	json_put(&d, "mode", json_text("diff"));
	json_put(&d, "a", json_text(operand_name(call, 0)));
	json_put(&d, "b", json_text(operand_name(call, 1)));
	json_put(&d, "total", row_json(total, NULL));
	json_open_array(&d, "caches");
	for (size_t i = 0; i < shown(call, rows); i++)
		json_put(&d, NULL, row_json(&rows->row[i], rows->row[i].label));
	json_close(&d);
	status = diff_over_time(call, &d);
	json_close(&d);
	if (d.failed)
		fputs(DIFF_PROGRAM ": out of memory\n", stderr);
	return d.failed ? DIFF_TROUBLE : status;
}

/* ---- running --------------------------------------------------------------------------------- */

/* *incomplete is set where rows or attributes are missing. */
static struct slabstat_snapshot *read_operand(const struct diff_call *call, const char *operand,
					      const char *at, bool *incomplete)
{
	struct slabstat_source *source = diff_open(call, operand, at);
	struct slabstat_snapshot *s = NULL;

	if (!source)
		return NULL;
	if (slabstat_source_read(source, NULL, &s) != 0)
		cli_print_error(call->h, DIFF_PROGRAM);
	else
		*incomplete |= cli_print_notes(s, operand ? operand : "live", DIFF_PROGRAM) != 0;
	slabstat_source_close(source);
	return s;
}

static bool any_grew(const struct rows *rows, const struct row *total)
{
	for (size_t i = 0; i < rows->count; i++) {
		if (rows->row[i].growth[FOOTPRINT] > 0)
			return true;
	}
	/* Sources without caches tell totals only. */
	if (rows->count > 0)
		return false;
	return total->growth[total->quality[FOOTPRINT] != SLABSTAT_ABSENT ? FOOTPRINT : LOSS] > 0;
}

static int print_pair(struct diff_call *call, const struct rows *rows, const struct row *total)
{
	int status = DIFF_NONE_GREW;

	if (call->r->form.json)
		status = print_json(call, rows, total);
	else if (!print_table(call, rows, total))
		status = DIFF_TROUBLE;
	else if (form_opts_prose(&call->r->form))
		status = diff_over_time(call, NULL);
	if (status != DIFF_NONE_GREW)
		return status;
	return any_grew(rows, total) ? DIFF_GREW : DIFF_NONE_GREW;
}

int diff_pair(struct diff_call *call)
{
	const struct diff_request *r = call->r;
	struct slabstat_delta *delta = NULL;
	struct rows rows = { NULL, 0 };
	struct slabstat_snapshot *a, *b = NULL;
	bool incomplete = false;
	int status = DIFF_TROUBLE;

	a = read_operand(call, r->a[0], r->at, &incomplete);
	if (a)
		b = read_operand(call, r->b ? r->b[0] : NULL, r->b ? r->at_b : NULL, &incomplete);

	if (a && b && slabstat_delta(call->h, a, b, &delta) != 0) {
		cli_print_error(call->h, DIFF_PROGRAM);
	} else if (a && b && make_rows(call, delta, &rows)) {
		struct row total = total_row(a, b);

		status = print_pair(call, &rows, &total);
	} else if (a && b) {
		fputs(DIFF_PROGRAM ": out of memory\n", stderr);
	}
	free_rows(&rows);
	slabstat_delta_free(delta);
	slabstat_snapshot_free(a);
	slabstat_snapshot_free(b);
	/* What is missing on a side would pass for a cache that vanished. */
	return incomplete ? DIFF_TROUBLE : status;
}
