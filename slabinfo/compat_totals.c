// SPDX-License-Identifier: MIT
/*
 * compat_totals.c - the kernel tool's totals (-T) and extended totals (-X); see compat.h.
 *
 * Caches with slabs and objects take part ("active"). The average of partial objects is one, where
 * the kernel's tool printed their ratio.
 */
#include "compat.h"

#include "util/num.h"

#include <inttypes.h>
#include <string.h>

/* Quantities of a cache, in the order of the first table. */
enum quantity {
	Q_OBJECTS,
	Q_SLABS,
	Q_PARTIAL,
	Q_PARTIAL_PERCENT,
	Q_PARTOBJS,
	Q_PARTOBJS_PERCENT,
	Q_MEMORY,
	Q_USED,
	Q_LOSS,
	Q_COUNT
};

/* Quantities of an object, weighted by the objects of the cache. */
enum object_quantity { O_MEMORY, O_USER, O_LOSS, O_COUNT };

struct spread {
	uint64_t min, max, sum;
};

struct totals {
	uint64_t caches, merged, aliases, active;
	struct spread cache[Q_COUNT], object[O_COUNT];
};

void compat_totals_want(struct slabstat_fieldset *set)
{
	mode_want(set, SLABSTAT_SLABS, SLABSTAT_OBJECTS, SLABSTAT_TOTAL_OBJECTS, SLABSTAT_PARTIAL,
		  SLABSTAT_OBJECTS_PARTIAL, SLABSTAT_OBJECT_SIZE, SLABSTAT_SLAB_SIZE,
		  SLABSTAT_OBJS_PER_SLAB, SLABSTAT_ORDER, SLABSTAT_FOOTPRINT, SLABSTAT_USED,
		  SLABSTAT_LOSS, SLABSTAT_FREE, SLABSTAT_PADDING, SLABSTAT_TAIL,
		  SLABSTAT_RECLAIM_ACCOUNT, -1);
}

static uint64_t percent(uint64_t part, uint64_t whole)
{
	return whole ? num_muldiv(part, 100, whole) : 0;
}

static uint64_t at_most_100(uint64_t value)
{
	return value > 100 ? 100 : value;
}

static void spread_add(struct spread *s, uint64_t value, uint64_t weight, bool first)
{
	if (first || value < s->min)
		s->min = value;
	if (first || value > s->max)
		s->max = value;
	s->sum = num_add_sat(s->sum, num_mul_sat(value, weight));
}

static void add_cache(struct totals *t, const struct slabstat_cache *c)
{
	const uint64_t slabs = compat_get(c, SLABSTAT_SLABS),
		       objects = compat_get(c, SLABSTAT_OBJECTS);
	const uint64_t partial = compat_get(c, SLABSTAT_PARTIAL);
	const uint64_t partobjs = compat_get(c, SLABSTAT_OBJECTS_PARTIAL);
	const uint64_t slot = compat_get(c, SLABSTAT_SLAB_SIZE),
		       object = compat_get(c, SLABSTAT_OBJECT_SIZE);
	const uint64_t of_cache[Q_COUNT] = {
		objects,	slabs,
		partial,	at_most_100(percent(partial, slabs)),
		partobjs,	at_most_100(percent(partobjs, objects)),
		compat_size(c), compat_get(c, SLABSTAT_USED),
		compat_loss(c),
	};
	const uint64_t of_object[O_COUNT] = { slot, object, compat_padding(c) };
	const bool first = t->active == 0;

	if (slabs == 0 || objects == 0)
		return;
	for (int q = 0; q < Q_COUNT; q++)
		spread_add(&t->cache[q], of_cache[q], 1, first);
	for (int q = 0; q < O_COUNT; q++)
		spread_add(&t->object[q], of_object[q], objects, first);
	t->active++;
}

static struct totals sum_up(const struct compat_rows *rows)
{
	struct totals t = { 0 };

	for (size_t i = 0; i < rows->n; i++) {
		const struct slabstat_cache *c = rows->row[i].cache;

		t.caches++;
		t.merged += slabstat_cache_name(c)[0] == ':';
		t.aliases += slabstat_cache_alias_count(c);
		add_cache(&t, c);
	}
	return t;
}

static void print_head(const struct view *v, const struct totals *t)
{
	const bool exact = v->r->exact_bytes;
	const uint64_t used = t->cache[Q_USED].sum, loss = t->cache[Q_LOSS].sum;
	const uint64_t objects = t->cache[Q_OBJECTS].sum, partobjs = t->cache[Q_PARTOBJS].sum;
	char a[COMPAT_NUMBER], b[COMPAT_NUMBER], c[COMPAT_NUMBER];
	FILE *f = v->out->f;

	fputs("Slabcache Totals\n----------------\n", f);
	fprintf(f,
		"Slabcaches : %15" PRIu64 "   Aliases  : %11" PRIu64 "->%-3" PRIu64
		"  Active:    %3" PRIu64 "\n",
		t->caches, t->aliases, t->merged, t->active);
	fprintf(f, "Memory used: %15s   # Loss   : %15s   MRatio:%6s%%\n",
		compat_scale(t->cache[Q_MEMORY].sum, exact, a), compat_scale(loss, exact, b),
		compat_scale(percent(loss, used), exact, c));
	fprintf(f, "# Objects  : %15s   # PartObj: %15s   ORatio:%6s%%\n",
		compat_scale(objects, exact, a), compat_scale(partobjs, exact, b),
		compat_scale(percent(partobjs, objects), exact, c));
}

static void print_cache_row(const struct view *v, const struct totals *t, enum quantity q)
{
	static const char *const label[Q_COUNT] = { "#Objects",	 "#Slabs",   "#PartSlab",
						    "%PartSlab", "PartObjs", "% PartObj",
						    "Memory",	 "Used",     "Loss" };
	const struct spread *s = &t->cache[q];
	const bool share = q == Q_PARTIAL_PERCENT || q == Q_PARTOBJS_PERCENT,
		   exact = v->r->exact_bytes;
	uint64_t total = s->sum;
	char buf[4][COMPAT_NUMBER];

	if (q == Q_PARTIAL_PERCENT)
		total = percent(t->cache[Q_PARTIAL].sum, t->cache[Q_SLABS].sum);
	else if (q == Q_PARTOBJS_PERCENT)
		total = percent(t->cache[Q_PARTOBJS].sum, t->cache[Q_OBJECTS].sum);
	compat_scale(s->sum / t->active, exact, buf[0]);
	compat_scale(s->min, exact, buf[1]);
	compat_scale(s->max, exact, buf[2]);
	compat_scale(total, exact, buf[3]);
	fprintf(v->out->f,
		share ? "%-10s%14s%%  %14s%%  %14s%%  %14s%%\n" : "%-10s%15s  %15s  %15s  %15s\n",
		label[q], buf[0], buf[1], buf[2], buf[3]);
}

static void print_object_row(const struct view *v, const struct totals *t, enum object_quantity q)
{
	static const char *const label[O_COUNT] = { "Memory", "User", "Loss" };
	const struct spread *s = &t->object[q];
	const bool exact = v->r->exact_bytes;
	char a[COMPAT_NUMBER], b[COMPAT_NUMBER], c[COMPAT_NUMBER];

	fprintf(v->out->f, "%-10s%15s  %15s  %15s\n", label[q],
		compat_scale(s->sum / t->cache[Q_OBJECTS].sum, exact, a),
		compat_scale(s->min, exact, b), compat_scale(s->max, exact, c));
}

static void print_totals(const struct view *v, const struct compat_rows *rows)
{
	const struct totals t = sum_up(rows);
	FILE *f = v->out->f;

	if (t.active == 0) {
		fputs("No objects\n", f);
		return;
	}
	print_head(v, &t);
	fputs("\nPer Cache         Average              Min              Max            Total\n"
	      "----------------------------------------------------------------------------\n",
	      f);
	for (int q = 0; q < Q_COUNT; q++)
		print_cache_row(v, &t, (enum quantity)q);
	fputs("\nPer Object        Average              Min              Max\n"
	      "-----------------------------------------------------------\n",
	      f);
	for (int q = 0; q < O_COUNT; q++)
		print_object_row(v, &t, (enum object_quantity)q);
}

int compat_totals(const struct view *v)
{
	struct compat_rows rows;

	if (!compat_select(v, COMPAT_ALL, &rows))
		return 2;
	print_totals(v, &rows);
	compat_free(&rows);
	return 0;
}

static void print_block(const struct view *v, struct compat_rows *rows, enum order order,
			const char *heading)
{
	compat_sort(rows, order, v->r->inverted);
	fprintf(v->out->f, "\n%s\n%.*s\n", heading, (int)strlen(heading),
		"------------------------------------------------------------");
	if (v->r->activity)
		compat_activity_print(v, rows, v->r->lines);
	else
		compat_rows_print(v, rows, order == ORDER_LOSS, v->r->lines);
}

int compat_xtotals(const struct view *v)
{
	struct compat_rows all, rows;

	if (!compat_select(v, COMPAT_ALL, &all))
		return 2;
	print_totals(v, &all);
	compat_free(&all);
	if (!compat_select(v, COMPAT_LISTED, &rows))
		return 2;
	print_block(v, &rows, ORDER_SIZE, "Slabs sorted by size");
	print_block(v, &rows, ORDER_LOSS, "Slabs sorted by loss");
	print_block(v, &rows, ORDER_PARTIAL, "Slabs sorted by number of partial slabs");
	fputc('\n', v->out->f);
	compat_free(&rows);
	return 0;
}
