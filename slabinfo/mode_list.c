// SPDX-License-Identifier: MIT
/*
 * mode_list.c - one row a cache: the kernel tool's list, or our own table with any columns.
 *
 * Largest first, since that is what one looks for; only the kernel's layout goes by name.
 */
#include "cache_json.h"
#include "columns.h"
#include "compat.h"
#include "mode.h"

#include "util/num.h"

#include <stdlib.h>

#define F(ID) (COLUMN_FIELD + SLABSTAT_##ID)

static const int usual_columns[] = {
	COLUMN_NAME,  F(FOOTPRINT),	F(LOSS),  F(LOSS_PERCENT), F(OBJECTS), F(OBJECT_SIZE),
	COLUMN_FLAGS, F(TOTAL_OBJECTS), F(SLABS), F(PARTIAL),	   -1
};

static const int usual_csv[] = { COLUMN_NAME,
				 COLUMN_ID,
				 F(FOOTPRINT),
				 F(USED),
				 F(LOSS),
				 F(FREE),
				 F(PADDING),
				 F(TAIL),
				 F(OBJECTS),
				 F(TOTAL_OBJECTS),
				 F(OBJECT_SIZE),
				 F(SLAB_SIZE),
				 F(OBJS_PER_SLAB),
				 F(ORDER),
				 F(SLABS),
				 F(PARTIAL),
				 F(CPU_SLABS),
				 F(OBJECTS_PARTIAL),
				 F(RECLAIM_ACCOUNT),
				 COLUMN_FLAGS,
				 COLUMN_USERS,
				 COLUMN_INEXACT,
				 -1 };

static const int usual_activity[] = { COLUMN_NAME,
				      F(ALLOCS),
				      F(FREES),
				      F(ALLOC_FASTPATH),
				      F(ALLOC_SLOWPATH),
				      F(FREE_FASTPATH),
				      F(FREE_SLOWPATH),
				      F(ORDER_FALLBACK),
				      F(OBJECTS),
				      F(FOOTPRINT),
				      -1 };

static const int *usual(const struct request *r)
{
	if (r->activity || r->order == ORDER_ACTIVITY)
		return usual_activity;
	return r->form == FORM_CSV ? usual_csv : usual_columns;
}

/* request_parse() has taken the list already: it only fails for want of memory. */
static bool choose_columns(const struct request *r, struct columns *c)
{
	return columns_parse(c, r->columns, usual(r), "slabinfo");
}

/* The kernel's layout, or a report in its place. */
static bool kernel_layout(const struct request *r)
{
	return r->form == FORM_KERNEL || (r->plain && r->pattern);
}

static void want(const struct request *r, struct slabstat_fieldset *set)
{
	struct columns c;

	mode_want(set, SLABSTAT_SLABS, SLABSTAT_RECLAIM_ACCOUNT, SLABSTAT_FOOTPRINT, -1);
	if (kernel_layout(r)) {
		compat_list_want(r, set);
	} else if (r->form == FORM_JSON && !r->columns) {
		*set = slabstat_fieldset_all();
	} else if (choose_columns(r, &c)) {
		columns_want(&c, set);
		mode_want(set, SLABSTAT_LOSS, SLABSTAT_LOSS_PERCENT, -1);
		columns_free(&c);
	}
}

static void shown(const struct request *r, struct slabstat_fieldset *set)
{
	struct columns c;

	if (kernel_layout(r)) {
		compat_list_figures(r, set);
	} else if (choose_columns(r, &c)) {
		for (size_t i = 0; i < c.n; i++) {
			if (c.column[i] >= COLUMN_FIELD)
				slabstat_fieldset_add(
					set, (enum slabstat_field)(c.column[i] - COLUMN_FIELD));
		}
		columns_free(&c);
	}
}

static void print_rows(const struct view *v, const struct columns *c, struct table *t,
		       const struct slabstat_rows *rows)
{
	const struct slabstat_cache *const *cache = slabstat_rows_caches(rows);
	const size_t n = slabstat_rows_count(rows);
	const uint64_t total = slabstat_sum_caches(cache, n, SLABSTAT_FOOTPRINT).sum;

	for (size_t i = 0; i < n; i++) {
		const struct column_row row = {
			.cache = cache[i],
			.members = mode_members(rows, i),
			.aligned = v->r->form == FORM_TABLE,
			.total_footprint = total,
		};

		for (size_t k = 0; k < c->n; k++)
			columns_cell(t, c->column[k], &row);
		table_end_row(t);
	}
}

/* For people only: a file or a pipe gets rows and nothing else. */
static void print_summary(const struct view *v, const struct slabstat_rows *rows)
{
	const size_t n = slabstat_rows_count(rows), matched = slabstat_rows_matched(rows);
	const struct slabstat_cache *const *cache = slabstat_rows_caches(rows);
	const struct slabstat_sum footprint = slabstat_sum_caches(cache, n, SLABSTAT_FOOTPRINT);
	const struct slabstat_sum loss = slabstat_sum_caches(cache, n, SLABSTAT_LOSS);
	const size_t all = slabstat_snapshot_count(v->s);
	char a[NUM_HUMAN_SIZE], b[NUM_HUMAN_SIZE];
	FILE *f = v->out->f;

	if (!v->out->tty || v->r->form != FORM_TABLE)
		return;
	fprintf(f, "\n%s%zu", out_style_on(v->out, OUT_FAINT), n);
	if (matched > n)
		fprintf(f, " of %zu", matched);
	fputs(v->r->families ? " families" : " caches", f);
	if (footprint.n)
		fprintf(f, ", %s%s", quality_mark(footprint.quality),
			num_human_bytes(footprint.sum, a));
	if (loss.n)
		fprintf(f, ", loss %s%s (%d%%)", quality_mark(loss.quality),
			num_human_bytes(loss.sum, b),
			(int)num_muldiv(loss.sum, 100, footprint.sum));
	if (!v->r->pattern && !v->r->matches && !v->r->families && !v->r->empty_only &&
	    all > matched)
		fprintf(f, "; %zu more are empty (-z)", all - matched);
	fprintf(f, "%s\n", out_style_off(v->out, OUT_FAINT));
}

static int print_table(const struct view *v)
{
	const struct table_options options = mode_table_options(v);
	struct slabstat_rows *rows = mode_select(v);
	struct table_column *head = NULL;
	struct columns c = { 0 };
	struct table *t = NULL;
	bool ok = false;

	if (!rows)
		return 2;
	if (v->r->plain && v->r->pattern && slabstat_rows_count(rows) == 1) {
		slabstat_rows_free(rows); /* one cache is asked about: tell all */
		return compat_list(v);
	}
	if (choose_columns(v->r, &c))
		t = columns_table(&c, v->out, &options, &head);
	if (t) {
		print_rows(v, &c, t, rows);
		ok = table_finish(t);
	}
	if (ok)
		print_summary(v, rows);
	else
		fputs("slabinfo: out of memory\n", stderr);
	free(head);
	columns_free(&c);
	slabstat_rows_free(rows);
	return !ok;
}

static int print_json(const struct view *v)
{
	struct slabstat_rows *rows = mode_select(v);
	struct columns c = { 0 };

	if (!rows)
		return 2;
	if (v->r->columns && !choose_columns(v->r, &c))
		v->json->failed = true;
	json_put(v->json, "matched", json_u64(slabstat_rows_matched(rows)));
	json_open_array(v->json, "caches");
	for (size_t i = 0; i < slabstat_rows_count(rows); i++)
		json_put(v->json, NULL,
			 cache_json(slabstat_rows_caches(rows)[i], v->r->columns ? &c : NULL,
				    mode_members(rows, i)));
	json_close(v->json);
	columns_free(&c);
	slabstat_rows_free(rows);
	return 0;
}

const struct mode mode_list = { "list", want, shown, compat_list, print_table, print_json };
