// SPDX-License-Identifier: MIT
/* mode_totals.c - totals (-T) and extended totals (-X) in every form. */
#include "cache_json.h"
#include "columns.h"
#include "compat.h"
#include "mode.h"
#include "totals.h"

#include <inttypes.h>

static void want(const struct request *r, struct slabstat_fieldset *set)
{
	compat_totals_want(set);
	mode_want(set, SLABSTAT_RECLAIM_ACCOUNT, -1);
	if (r->mode == &mode_xtotals)
		compat_list_want(r, set);
	if (r->mode == &mode_xtotals && r->form == FORM_JSON)
		*set = slabstat_fieldset_all();
}

/* ---- the kernel tool's layouts --------------------------------------------------------------- */

static int print_additions(const struct view *v)
{
	struct totals t;

	if (!totals_take(v, &t))
		return 2;
	totals_additions(v, &t);
	totals_free(&t);
	return 0;
}

static int totals_kernel(const struct view *v)
{
	int status = compat_totals(v);

	return status ? status : print_additions(v);
}

static int xtotals_kernel(const struct view *v)
{
	int status = compat_xtotals(v);

	return status ? status : print_additions(v);
}

/* ---- our own table: a quantity a row --------------------------------------------------------- */

static const struct table_column columns[] = {
	{ .title = "QUANTITY", .key = "quantity" },
	{ .title = "TOTAL", .key = "total", .right = true },
	{ .title = "AVERAGE", .key = "average", .right = true, .optional = true },
	{ .title = "MIN", .key = "min", .right = true, .optional = true },
	{ .title = "MAX", .key = "max", .right = true, .optional = true },
	{ .title = "CACHES", .key = "caches", .right = true, .optional = true },
	{ .title = "MISSING", .key = "missing", .right = true, .optional = true },
	{ .title = "QUALITY", .key = "quality", .optional = true },
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

static void sum_row(struct table *t, const char *id, const struct slabstat_sum *s, bool bytes)
{
	const char *mark = quality_mark(s->quality);

	table_text(t, id, OUT_PLAIN);
	if (s->n) {
		table_marked(t, mark, s->sum, bytes, OUT_PLAIN);
		table_marked(t, mark, s->sum / s->n, bytes, OUT_PLAIN);
		table_marked(t, "", s->min, bytes, OUT_PLAIN);
		table_marked(t, "", s->max, bytes, OUT_PLAIN);
	} else {
		for (int i = 0; i < 4; i++)
			table_absent(t);
	}
	table_number(t, s->n, OUT_PLAIN);
	table_number(t, s->missing, OUT_PLAIN);
	table_text(t, quality_word(s->n ? s->quality : SLABSTAT_ABSENT), OUT_PLAIN);
	table_end_row(t);
}

static void value_row(struct table *t, const char *id, uint64_t value, bool bytes)
{
	table_text(t, id, OUT_PLAIN);
	table_marked(t, "", value, bytes, OUT_PLAIN);
	table_end_row(t);
}

static void signed_row(struct table *t, const char *id, int64_t value)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%" PRId64, value);
	table_text(t, id, OUT_PLAIN);
	table_text(t, digits, OUT_PLAIN);
	table_end_row(t);
}

static void print_rows(const struct view *v, struct table *table, const struct totals *t)
{
	const struct slabstat_meminfo *m = slabstat_snapshot_meminfo(v->s);

	value_row(table, "caches", t->n, false);
	value_row(table, "active", t->active, false);
	value_row(table, "merged", t->merged, false);
	value_row(table, "users", t->aliases, false);
	for (const int *f = totals_fields; *f >= 0; f++) {
		const struct slabstat_field_info *info =
			slabstat_field_info((enum slabstat_field) * f);
		const struct slabstat_sum s = totals_sum(t, (enum slabstat_field) * f);

		sum_row(table, info->id, &s, info->unit == SLABSTAT_UNIT_BYTES);
	}
	sum_row(table, "reclaimable_footprint_bytes", &t->reclaimable, true);
	sum_row(table, "unreclaimable_footprint_bytes", &t->unreclaimable, true);
	if (!t->reconciles)
		return;
	value_row(table, "meminfo_slab_bytes", m->slab_bytes, true);
	value_row(table, "meminfo_reclaimable_bytes", m->reclaimable_bytes, true);
	value_row(table, "meminfo_unreclaimable_bytes", m->unreclaimable_bytes, true);
	signed_row(table, "unattributed_bytes", t->unattributed);
}

static int print_table(const struct view *v)
{
	struct table_options options = mode_table_options(v);
	struct table *table;
	struct totals t;
	bool ok;

	if (!totals_take(v, &t))
		return 2;
	options.fit = true;
	table = table_new(v->out, &options, columns, COLUMNS);
	if (table)
		print_rows(v, table, &t);
	ok = table_finish(table);
	totals_free(&t);
	return !ok;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static cJSON *sum_json(const struct slabstat_sum *s)
{
	cJSON *o;

	if (s->n == 0)
		return cJSON_CreateNull();
	o = cJSON_CreateObject();
	json_add_u64(o, "sum", s->sum);
	json_add_u64(o, "min", s->min);
	json_add_u64(o, "max", s->max);
	json_add_u64(o, "caches", s->n);
	json_add_u64(o, "missing", s->missing);
	json_add_text(o, "quality", quality_word(s->quality));
	return o;
}

static cJSON *totals_json(const struct totals *t)
{
	cJSON *o = cJSON_CreateObject();

	json_add_u64(o, "caches", t->n);
	json_add_u64(o, "active", t->active);
	json_add_u64(o, "merged", t->merged);
	json_add_u64(o, "users", t->aliases);
	for (const int *f = totals_fields; *f >= 0; f++) {
		const struct slabstat_sum s = totals_sum(t, (enum slabstat_field) * f);

		json_add(o, slabstat_field_info((enum slabstat_field) * f)->id, sum_json(&s));
	}
	json_add(o, "reclaimable_footprint_bytes", sum_json(&t->reclaimable));
	json_add(o, "unreclaimable_footprint_bytes", sum_json(&t->unreclaimable));
	if (t->reconciles) {
		json_add_i64(o, "unattributed_bytes", t->unattributed);
		json_add_i64(o, "unattributed_reclaimable_bytes", t->unattributed_reclaimable);
		json_add_i64(o, "unattributed_unreclaimable_bytes", t->unattributed_unreclaimable);
	} else {
		json_add_null(o, "unattributed_bytes");
		json_add_null(o, "unattributed_reclaimable_bytes");
		json_add_null(o, "unattributed_unreclaimable_bytes");
	}
	return o;
}

static cJSON *reported_json(const struct slabstat_snapshot *s)
{
	const struct slabstat_cache *c = slabstat_snapshot_reported(s);
	cJSON *o;

	if (!c)
		return cJSON_CreateNull();
	o = cJSON_CreateObject();
	for (int i = 0; i < SLABSTAT_NFIELDS; i++) {
		uint64_t value;

		if (slabstat_cache_value(c, (enum slabstat_field)i, &value) != SLABSTAT_ABSENT)
			json_add_u64(o, slabstat_field_info((enum slabstat_field)i)->id, value);
	}
	return o;
}

static int print_json(const struct view *v)
{
	struct totals t;

	if (!totals_take(v, &t))
		return 2;
	json_put(v->json, "totals", totals_json(&t));
	json_put(v->json, "reported", reported_json(v->s));
	totals_free(&t);
	return 0;
}

/* ---- -X: the first rows by three orders ------------------------------------------------------ */

static const struct {
	const char *name;
	enum order order;
} rankings[] = {
	{ "by_size", ORDER_SIZE },
	{ "by_loss", ORDER_LOSS },
	{ "by_partial", ORDER_PARTIAL },
};

#define RANKINGS (sizeof(rankings) / sizeof(rankings[0]))

/* The same request with another order. */
static struct slabstat_rows *select_ranking(const struct view *v, size_t i)
{
	struct request r = *v->r;
	struct view ranked = *v;

	r.order = rankings[i].order;
	r.sort_keys = 0;
	ranked.r = &r;
	return mode_select(&ranked);
}

static int xtotals_json(const struct view *v)
{
	int status = print_json(v);

	for (size_t i = 0; status == 0 && i < RANKINGS; i++) {
		struct slabstat_rows *rows = select_ranking(v, i);

		if (!rows)
			return 2;
		json_open_array(v->json, rankings[i].name);
		for (size_t k = 0; k < slabstat_rows_count(rows); k++)
			json_put(v->json, NULL,
				 cache_json(slabstat_rows_caches(rows)[k], NULL,
					    mode_members(rows, k)));
		json_close(v->json);
		slabstat_rows_free(rows);
	}
	return status;
}

static const struct table_column ranking_columns[] = {
	{ .title = "RANKING", .key = "ranking" },
	{ .title = "NAME", .key = "name", .shrink = true },
	{ .title = "FOOTPRINT", .key = "footprint_bytes", .right = true },
	{ .title = "LOSS", .key = "loss_bytes", .right = true },
	{ .title = "PARTIAL", .key = "partial", .right = true },
	{ .title = "SLABS", .key = "slabs", .right = true, .optional = true },
	{ .title = "OBJECTS", .key = "objects", .right = true, .optional = true },
};

static void ranking_rows(const struct view *v, struct table *t, size_t i,
			 const struct slabstat_rows *rows)
{
	static const int cells[] = {
		COLUMN_NAME,
		COLUMN_FIELD + SLABSTAT_FOOTPRINT,
		COLUMN_FIELD + SLABSTAT_LOSS,
		COLUMN_FIELD + SLABSTAT_PARTIAL,
		COLUMN_FIELD + SLABSTAT_SLABS,
		COLUMN_FIELD + SLABSTAT_OBJECTS,
	};

	for (size_t k = 0; k < slabstat_rows_count(rows); k++) {
		const struct column_row row = {
			.cache = slabstat_rows_caches(rows)[k],
			.aligned = v->r->form == FORM_TABLE,
		};

		table_text(t, rankings[i].name, OUT_PLAIN);
		for (size_t c = 0; c < sizeof(cells) / sizeof(cells[0]); c++)
			columns_cell(t, cells[c], &row);
		table_end_row(t);
	}
}

static int xtotals_table(const struct view *v)
{
	struct table_options options = mode_table_options(v);
	struct table *t;
	int status = 0;

	if (v->r->form == FORM_TABLE) {
		status = print_table(v);
		fputc('\n', v->out->f);
	}
	options.fit = true;
	t = table_new(v->out, &options, ranking_columns, 7);
	for (size_t i = 0; t && status == 0 && i < RANKINGS; i++) {
		struct slabstat_rows *rows = select_ranking(v, i);

		if (rows)
			ranking_rows(v, t, i, rows);
		else
			status = 2;
		slabstat_rows_free(rows);
	}
	return table_finish(t) ? status : 1;
}

const struct mode mode_totals = { "totals", want, NULL, totals_kernel, print_table, print_json };
const struct mode mode_xtotals = { "xtotals",	   want,	  NULL,
				   xtotals_kernel, xtotals_table, xtotals_json };
