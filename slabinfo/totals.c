// SPDX-License-Identifier: MIT
/* totals.c - sums, their reconciliation and where loss goes; see totals.h. */
#include "totals.h"

#include "columns.h"
#include "util/num.h"

#include <inttypes.h>
#include <stdlib.h>

const int totals_fields[] = { SLABSTAT_SLABS,
			      SLABSTAT_PARTIAL,
			      SLABSTAT_OBJECTS,
			      SLABSTAT_TOTAL_OBJECTS,
			      SLABSTAT_OBJECTS_PARTIAL,
			      SLABSTAT_FOOTPRINT,
			      SLABSTAT_USED,
			      SLABSTAT_LOSS,
			      SLABSTAT_FREE,
			      SLABSTAT_PADDING,
			      SLABSTAT_TAIL,
			      -1 };

static int64_t difference(uint64_t a, uint64_t b)
{
	uint64_t d = a > b ? a - b : b - a;
	int64_t s = d > INT64_MAX ? INT64_MAX : (int64_t)d;

	return a > b ? s : -s;
}

/* The footprint of the caches that carry the flag, and of those that do not. */
static void part_by_reclaim(struct totals *t)
{
	const struct slabstat_cache **part = calloc(t->n + 1, sizeof(*part));
	size_t yes = 0, no = 0;
	uint64_t flag;

	if (!part)
		return;
	for (size_t i = 0; i < t->n; i++) {
		if (slabstat_cache_value(t->cache[i], SLABSTAT_RECLAIM_ACCOUNT, &flag) ==
		    SLABSTAT_ABSENT)
			continue;
		if (flag)
			part[yes++] = t->cache[i];
		else
			part[t->n - ++no] = t->cache[i];
	}
	if (yes + no == t->n) { /* else neither sum would be whole */
		t->reclaimable = slabstat_sum_caches(part, yes, SLABSTAT_FOOTPRINT);
		t->unreclaimable = slabstat_sum_caches(part + t->n - no, no, SLABSTAT_FOOTPRINT);
	}
	free(part);
}

static void reconcile(const struct view *v, struct totals *t)
{
	const struct slabstat_meminfo *m = slabstat_snapshot_meminfo(v->s);

	t->reconciles =
		m->present && t->all.n && t->all.missing == 0 && !v->r->pattern && !v->r->matches;
	if (!t->reconciles)
		return;
	t->unattributed = difference(m->slab_bytes, t->all.sum);
	t->unattributed_reclaimable = difference(m->reclaimable_bytes, t->reclaimable.sum);
	t->unattributed_unreclaimable = difference(m->unreclaimable_bytes, t->unreclaimable.sum);
}

bool totals_take(const struct view *v, struct totals *t)
{
	*t = (struct totals){ .rows = mode_select_all(v) };
	if (!t->rows)
		return false;
	t->cache = slabstat_rows_caches(t->rows);
	t->n = slabstat_rows_count(t->rows);
	for (size_t i = 0; i < t->n; i++) {
		t->merged += slabstat_cache_name(t->cache[i])[0] == ':';
		t->aliases += slabstat_cache_alias_count(t->cache[i]);
		t->active += slabstat_cache_or(t->cache[i], SLABSTAT_SLABS, 0) &&
			     slabstat_cache_or(t->cache[i], SLABSTAT_OBJECTS, 0);
	}
	t->all = totals_sum(t, SLABSTAT_FOOTPRINT);
	part_by_reclaim(t);
	reconcile(v, t);
	return true;
}

void totals_free(struct totals *t)
{
	slabstat_rows_free(t->rows);
	t->rows = NULL;
}

struct slabstat_sum totals_sum(const struct totals *t, enum slabstat_field field)
{
	return slabstat_sum_caches(t->cache, t->n, field);
}

/* ---- after the kernel tool's lines ----------------------------------------------------------- */

static const struct table_column reconcile_columns[] = {
	{ .title = "All caches" },
	{ .title = "Total", .right = true },
	{ .title = "Reclaimable", .right = true },
	{ .title = "Unreclaimable", .right = true },
};

static void sum_cell(struct table *t, const struct slabstat_sum *s)
{
	if (s->n)
		table_marked(t, quality_mark(s->quality), s->sum, true, OUT_PLAIN);
	else
		table_absent(t);
}

static void delta_cell(const struct view *v, struct table *t, int64_t bytes)
{
	char buf[NUM_HUMAN_SIZE];

	if (v->r->exact_bytes)
		snprintf(buf, sizeof(buf), "%+" PRId64, bytes);
	else
		num_human_delta(bytes, buf);
	table_text(t, buf, OUT_PLAIN);
}

static void print_reconciliation(const struct view *v, const struct totals *t)
{
	const struct slabstat_meminfo *m = slabstat_snapshot_meminfo(v->s);
	const struct table_options options = { .exact = v->r->exact_bytes };
	const bool parted = t->reclaimable.n + t->unreclaimable.n == t->n;
	struct table *table = table_new(v->out, &options, reconcile_columns, 4);

	if (!table)
		return;
	table_text(table, "Footprint", OUT_PLAIN);
	sum_cell(table, &t->all);
	sum_cell(table, &t->reclaimable);
	sum_cell(table, &t->unreclaimable);
	table_end_row(table);
	if (t->reconciles) {
		table_text(table, "Unattributed (large kmalloc, lag)", OUT_PLAIN);
		delta_cell(v, table, t->unattributed);
		if (parted) {
			delta_cell(v, table, t->unattributed_reclaimable);
			delta_cell(v, table, t->unattributed_unreclaimable);
		}
		table_end_row(table);
		table_text(table, "Slab in meminfo", OUT_PLAIN);
		table_bytes(table, m->slab_bytes, OUT_PLAIN);
		table_bytes(table, m->reclaimable_bytes, OUT_PLAIN);
		table_bytes(table, m->unreclaimable_bytes, OUT_PLAIN);
		table_end_row(table);
	}
	table_finish(table);
}

static const struct table_column loss_columns[] = {
	{ .title = "Where loss goes" },
	{ .title = "Bytes", .right = true },
	{ .title = "%", .right = true },
	{ .title = "Formula" },
};

static void loss_row(struct table *table, const char *label, const struct slabstat_sum *s,
		     uint64_t whole, const char *formula)
{
	table_text(table, label, OUT_PLAIN);
	sum_cell(table, s);
	if (s->n && whole)
		table_number(table, num_muldiv(s->sum, 100, whole), OUT_PLAIN);
	else
		table_absent(table);
	table_text(table, formula, OUT_FAINT);
	table_end_row(table);
}

static void print_loss(const struct view *v, const struct totals *t)
{
	const struct table_options options = { .exact = v->r->exact_bytes };
	const struct slabstat_sum loss = totals_sum(t, SLABSTAT_LOSS), part[] = {
		totals_sum(t, SLABSTAT_FREE),
		totals_sum(t, SLABSTAT_PADDING),
		totals_sum(t, SLABSTAT_TAIL),
	};
	struct table *table = table_new(v->out, &options, loss_columns, 4);

	if (!table)
		return;
	loss_row(table, "Free objects", &part[0], loss.sum,
		 "(total_objects - objects) x slab_size");
	loss_row(table, "Padding", &part[1], loss.sum, "objects x (slab_size - object_size)");
	loss_row(table, "Tail of slabs", &part[2], loss.sum,
		 "footprint - total_objects x slab_size");
	loss_row(table, "Loss", &loss, loss.sum, "footprint - used");
	table_finish(table);
}

static void print_marks(const struct view *v, const struct totals *t)
{
	const struct slabstat_sum used = totals_sum(t, SLABSTAT_USED),
				  loss = totals_sum(t, SLABSTAT_LOSS);
	bool upper = false;

	for (size_t i = 0; i < t->n; i++)
		upper |= slabstat_cache_value(t->cache[i], SLABSTAT_FOOTPRINT, NULL) ==
			 SLABSTAT_UPPER;
	if (upper)
		fputs("~ upper bound: some slabs are of a smaller order than preferred\n",
		      v->out->f);
	if (loss.quality == SLABSTAT_LOWER)
		fputs("> lower bound: the source lacks some of the parts\n", v->out->f);
	if (used.n == 0 && t->n)
		fputs("Used is absent, not 0: the source does not tell the size that users asked "
		      "for\n",
		      v->out->f);
}

/* Totals that the source stated itself, where it is what another tool printed. */
static void print_reported(const struct view *v)
{
	const struct slabstat_cache *c = slabstat_snapshot_reported(v->s);

	if (!c)
		return;
	fputs("\nTotals that the source states\n", v->out->f);
	for (int i = 0; i < SLABSTAT_NFIELDS; i++) {
		const struct slabstat_field_info *f = slabstat_field_info((enum slabstat_field)i);
		char human[NUM_HUMAN_SIZE];
		uint64_t value;
		enum slabstat_quality q = slabstat_cache_value(c, (enum slabstat_field)i, &value);

		if (q == SLABSTAT_ABSENT)
			continue;
		if (f->unit == SLABSTAT_UNIT_BYTES && !v->r->exact_bytes)
			num_human_bytes(value, human);
		else
			snprintf(human, sizeof(human), "%" PRIu64, value);
		fprintf(v->out->f, "  %-20s %s%s\n", f->id, quality_mark(q), human);
	}
}

void totals_additions(const struct view *v, const struct totals *t)
{
	if (t->all.n) {
		fputc('\n', v->out->f);
		print_reconciliation(v, t);
		fputc('\n', v->out->f);
		print_loss(v, t);
		print_marks(v, t);
	}
	print_reported(v);
}
