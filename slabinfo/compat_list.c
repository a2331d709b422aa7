// SPDX-License-Identifier: MIT
/* compat_list.c - the kernel tool's list: one row a cache, and -D's columns; see compat.h. */
#include "compat.h"

#include "util/num.h"

#include <inttypes.h>

static const struct {
	enum slabstat_field field;
	char letter;
} flags[] = {
	{ SLABSTAT_ALIASES, '*' },	   { SLABSTAT_CACHE_DMA, 'd' },
	{ SLABSTAT_HWCACHE_ALIGN, 'A' },   { SLABSTAT_POISON, 'P' },
	{ SLABSTAT_RECLAIM_ACCOUNT, 'a' }, { SLABSTAT_RED_ZONE, 'Z' },
	{ SLABSTAT_SANITY_CHECKS, 'F' },   { SLABSTAT_STORE_USER, 'U' },
	{ SLABSTAT_TRACE, 'T' },
};

#define FLAGS (sizeof(flags) / sizeof(flags[0]))

void compat_list_figures(const struct request *r, struct slabstat_fieldset *set)
{
	mode_want(set, SLABSTAT_OBJECTS, SLABSTAT_OBJECT_SIZE, SLABSTAT_OBJS_PER_SLAB,
		  SLABSTAT_ORDER, SLABSTAT_SLABS, SLABSTAT_PARTIAL, SLABSTAT_CPU_SLABS,
		  SLABSTAT_FOOTPRINT, SLABSTAT_USED, SLABSTAT_LOSS, -1);
	if (r->activity || r->order == ORDER_ACTIVITY)
		mode_want(set, SLABSTAT_ALLOC_FASTPATH, SLABSTAT_ALLOC_SLOWPATH,
			  SLABSTAT_FREE_FASTPATH, SLABSTAT_FREE_SLOWPATH, SLABSTAT_ORDER_FALLBACK,
			  SLABSTAT_CMPXCHG_DOUBLE_FAIL, SLABSTAT_CMPXCHG_DOUBLE_CPU_FAIL, -1);
}

void compat_list_want(const struct request *r, struct slabstat_fieldset *set)
{
	compat_list_figures(r, set);
	for (size_t i = 0; i < FLAGS; i++)
		slabstat_fieldset_add(set, flags[i].field);
}

static uint64_t percent(uint64_t part, uint64_t whole, uint64_t of_nothing)
{
	return whole ? num_muldiv(part, 100, whole) : of_nothing;
}

static void print_row(const struct view *v, const struct compat_row *row, bool loss)
{
	const struct slabstat_cache *c = row->cache;
	const uint64_t slabs = compat_get(c, SLABSTAT_SLABS),
		       partial = compat_get(c, SLABSTAT_PARTIAL);
	const uint64_t cpu = compat_get(c, SLABSTAT_CPU_SLABS), size = compat_size(c);
	char space[COMPAT_NUMBER], distribution[3 * COMPAT_NUMBER], letters[FLAGS + 1],
		*l = letters;

	compat_scale(loss ? compat_loss(c) : size, v->r->exact_bytes, space);
	snprintf(distribution, sizeof(distribution), "%" PRIu64 "/%" PRIu64 "/%" PRIu64,
		 compat_less(slabs, cpu), partial, cpu);
	for (size_t i = 0; i < FLAGS; i++) {
		if (compat_get(c, flags[i].field))
			*l++ = flags[i].letter;
	}
	*l = '\0';
	fprintf(v->out->f,
		"%-21s %8" PRIu64 " %7" PRIu64 " %15s %14s %4" PRIu64 " %1" PRIu64 " %3" PRIu64
		" %3" PRIu64 " %s\n",
		row->name, compat_get(c, SLABSTAT_OBJECTS), compat_get(c, SLABSTAT_OBJECT_SIZE),
		space, distribution, compat_get(c, SLABSTAT_OBJS_PER_SLAB),
		compat_get(c, SLABSTAT_ORDER), percent(partial, slabs, 100),
		percent(compat_get(c, SLABSTAT_USED), slabs ? size : 0, 100), letters);
}

void compat_rows_print(const struct view *v, const struct compat_rows *rows, bool loss,
		       size_t limit)
{
	const size_t n = limit && limit < rows->n ? limit : rows->n;

	if (n)
		fprintf(v->out->f,
			"Name                   Objects Objsize           %s "
			"Slabs/Part/Cpu  O/S O %%Fr %%Ef Flg\n",
			loss ? " Loss" : "Space");
	for (size_t i = 0; i < n; i++)
		print_row(v, &rows->row[i], loss);
}

static void print_activity(const struct view *v, const struct compat_row *row)
{
	const struct slabstat_cache *c = row->cache;
	const uint64_t alloc_fast = compat_get(c, SLABSTAT_ALLOC_FASTPATH);
	const uint64_t free_fast = compat_get(c, SLABSTAT_FREE_FASTPATH);
	const uint64_t allocs = num_add_sat(alloc_fast, compat_get(c, SLABSTAT_ALLOC_SLOWPATH));
	const uint64_t frees = num_add_sat(free_fast, compat_get(c, SLABSTAT_FREE_SLOWPATH));

	fprintf(v->out->f,
		"%-21s %8" PRIu64 " %10" PRIu64 " %10" PRIu64 " %3" PRIu64 " %3" PRIu64 " %5" PRIu64
		" %1" PRIu64 " %4" PRIu64 " %4" PRIu64 "\n",
		row->name, compat_get(c, SLABSTAT_OBJECTS), allocs, frees,
		percent(alloc_fast, allocs, 0), percent(free_fast, frees, 0),
		compat_get(c, SLABSTAT_ORDER_FALLBACK), compat_get(c, SLABSTAT_ORDER),
		compat_get(c, SLABSTAT_CMPXCHG_DOUBLE_FAIL),
		compat_get(c, SLABSTAT_CMPXCHG_DOUBLE_CPU_FAIL));
}

void compat_activity_print(const struct view *v, const struct compat_rows *rows, size_t limit)
{
	const size_t n = limit && limit < rows->n ? limit : rows->n;

	if (n)
		fputs("Name                   Objects      Alloc       Free   %Fast Fallb O CmpX   "
		      "UL\n",
		      v->out->f);
	for (size_t i = 0; i < n; i++)
		print_activity(v, &rows->row[i]);
}

/*
 * One row becomes a report, which shows everything; a slab directory was read for the list's fields
 * only and is read again.
 */
static int print_report(const struct view *v, const struct compat_rows *rows)
{
	struct compat_row *row = &rows->row[0];
	struct source_opts source = v->r->source;
	struct slabstat_snapshot *all = NULL;
	struct view whole = *v;

	if (source_opts_is_system(&source)) {
		source.shares = true;
		all = source_opts_read(v->h, &source, v->index, NULL, "slabinfo");
		if (!all)
			return 1;
		whole.s = all;
		row->cache = slabstat_snapshot_find(all, slabstat_cache_name(row->cache));
		if (!row->cache)
			fprintf(stderr, "slabinfo: %s: went away while being read\n", row->name);
	}
	if (row->cache)
		compat_report_rows(&whole, rows);
	slabstat_snapshot_free(all);
	return !row->cache;
}

int compat_list(const struct view *v)
{
	const struct request *r = v->r;
	struct compat_rows rows;
	int status = 0;

	if (!compat_select(v, COMPAT_LISTED, &rows))
		return 2;
	compat_sort(&rows, r->order, r->inverted);
	if (rows.n == 1)
		status = print_report(v, &rows);
	else if (r->activity)
		compat_activity_print(v, &rows, r->lines);
	else
		compat_rows_print(v, &rows, r->loss_column, r->lines);
	compat_free(&rows);
	return status;
}
