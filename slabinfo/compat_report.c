// SPDX-License-Identifier: MIT
/* compat_report.c - the kernel tool's report of one cache (-r); see compat.h. */
#include "compat.h"
#include "report.h"

#include "util/num.h"

#include <inttypes.h>

#define G(ID) compat_get(c, SLABSTAT_##ID)

void compat_report_want(struct slabstat_fieldset *set)
{
	*set = slabstat_fieldset_all();
}

static const char *on_off(const struct slabstat_cache *c, enum slabstat_field flag)
{
	return compat_get(c, flag) ? "On " : "Off";
}

static uint64_t percent(uint64_t part, uint64_t whole)
{
	return whole ? num_muldiv(part, 100, whole) : 0;
}

static void print_remarks(FILE *f, const struct slabstat_cache *c)
{
	if (G(HWCACHE_ALIGN))
		fputs("** Hardware cacheline aligned\n", f);
	if (G(CACHE_DMA))
		fputs("** Memory is allocated in a special DMA zone\n", f);
	if (G(DESTROY_BY_RCU))
		fputs("** Slabs are destroyed via RCU\n", f);
	if (G(RECLAIM_ACCOUNT))
		fputs("** Reclaim accounting active\n", f);
}

static void print_sizes(FILE *f, const struct slabstat_cache *c, uint64_t page_size)
{
	const uint64_t slabs = G(SLABS), padding = compat_padding(c);
	const uint64_t slab_bytes = num_mul_sat(G(PAGES_PER_SLAB), page_size);
	const uint64_t tail = compat_less(slab_bytes, num_mul_sat(G(OBJS_PER_SLAB), G(SLAB_SIZE)));
	const uint64_t full = compat_less(compat_less(slabs, G(PARTIAL)), G(CPU_SLABS));

	fputs("\nSizes (bytes)     Slabs              Debug                Memory\n"
	      "------------------------------------------------------------------------\n",
	      f);
	fprintf(f,
		"Object : %7" PRIu64 "  Total  : %7" PRIu64
		"   Sanity Checks : %s  Total: %7" PRIu64 "\n",
		G(OBJECT_SIZE), slabs, on_off(c, SLABSTAT_SANITY_CHECKS), compat_size(c));
	fprintf(f,
		"SlabObj: %7" PRIu64 "  Full   : %7" PRIu64
		"   Redzoning     : %s  Used : %7" PRIu64 "\n",
		G(SLAB_SIZE), full, on_off(c, SLABSTAT_RED_ZONE), G(USED));
	fprintf(f,
		"SlabSiz: %7" PRIu64 "  Partial: %7" PRIu64
		"   Poisoning     : %s  Loss : %7" PRIu64 "\n",
		slab_bytes, G(PARTIAL), on_off(c, SLABSTAT_POISON), compat_loss(c));
	fprintf(f,
		"Loss   : %7" PRIu64 "  CpuSlab: %7" PRIu64
		"   Tracking      : %s  Lalig: %7" PRIu64 "\n",
		padding, G(CPU_SLABS), on_off(c, SLABSTAT_STORE_USER),
		num_mul_sat(padding, G(OBJECTS)));
	fprintf(f,
		"Align  : %7" PRIu64 "  Objects: %7" PRIu64
		"   Tracing       : %s  Lpadd: %7" PRIu64 "\n",
		G(ALIGN), G(OBJS_PER_SLAB), on_off(c, SLABSTAT_TRACE), num_mul_sat(tail, slabs));
}

/* ---- counters, where the kernel has them ----------------------------------------------------- */

struct perf_row {
	const char *label;
	uint64_t alloc, freed;
};

static void print_perf(FILE *f, const struct slabstat_cache *c)
{
	const uint64_t allocs = num_add_sat(G(ALLOC_FASTPATH), G(ALLOC_SLOWPATH));
	const uint64_t frees = num_add_sat(G(FREE_FASTPATH), G(FREE_SLOWPATH));
	const struct perf_row rows[] = {
		{ "Fastpath", G(ALLOC_FASTPATH), G(FREE_FASTPATH) },
		{ "Slowpath", G(ALLOC_SLOWPATH), G(FREE_SLOWPATH) },
		{ "Page Alloc", G(ALLOC_SLAB), G(FREE_SLAB) },
		{ "Add partial", num_add_sat(G(DEACTIVATE_TO_HEAD), G(DEACTIVATE_TO_TAIL)),
		  G(FREE_ADD_PARTIAL) },
		{ "Remove partial", G(ALLOC_FROM_PARTIAL), G(FREE_REMOVE_PARTIAL) },
		{ "Cpu partial list", G(CPU_PARTIAL_ALLOC), G(CPU_PARTIAL_FREE) },
		{ "RemoteObj/SlabFrozen", G(DEACTIVATE_REMOTE_FREES), G(FREE_FROZEN) },
	};

	fputs("\nSlab Perf Counter       Alloc     Free %Al %Fr\n"
	      "--------------------------------------------------\n",
	      f);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		fprintf(f, "%-20s %8" PRIu64 " %8" PRIu64 " %3" PRIu64 " %3" PRIu64 "\n",
			rows[i].label, rows[i].alloc, rows[i].freed, percent(rows[i].alloc, allocs),
			percent(rows[i].freed, frees));
	fprintf(f, "%-20s %8" PRIu64 " %8" PRIu64 "\n\n", "Total", allocs, frees);
	if (G(CPUSLAB_FLUSH))
		fprintf(f, "Flushes %8" PRIu64 "\n", G(CPUSLAB_FLUSH));
}

static void print_deactivation(FILE *f, const struct slabstat_cache *c)
{
	const struct {
		const char *label;
		uint64_t count;
	} rows[] = {
		{ "Slab full", G(DEACTIVATE_FULL) },
		{ "Slab empty", G(DEACTIVATE_EMPTY) },
		{ "Moved to head of partial list", G(DEACTIVATE_TO_HEAD) },
		{ "Moved to tail of partial list", G(DEACTIVATE_TO_TAIL) },
		{ "Deactivation bypass", G(DEACTIVATE_BYPASS) },
		{ "Refilled from foreign frees", G(ALLOC_REFILL) },
		{ "Node mismatch", G(ALLOC_NODE_MISMATCH) },
	};
	uint64_t total = 0;

	for (size_t i = 0; i < 5; i++)
		total = num_add_sat(total, rows[i].count);
	if (!total)
		return;
	fputs("\nSlab Deactivation             Occurrences %\n"
	      "-------------------------------------------------\n",
	      f);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].count)
			fprintf(f, "%-29s %7" PRIu64 "  %3" PRIu64 "%%\n", rows[i].label,
				rows[i].count, percent(rows[i].count, total));
	}
}

static void print_counters(FILE *f, const struct slabstat_cache *c)
{
	if (!G(ALLOC_SLAB) || !num_add_sat(G(ALLOC_FASTPATH), G(ALLOC_SLOWPATH)))
		return;
	print_perf(f, c);
	print_deactivation(f, c);
	if (G(CMPXCHG_DOUBLE_FAIL) || G(CMPXCHG_DOUBLE_CPU_FAIL))
		fprintf(f,
			"\nCmpxchg_double Looping\n------------------------\n"
			"Locked Cmpxchg Double redos   %" PRIu64 "\n"
			"Unlocked Cmpxchg Double redos %" PRIu64 "\n",
			G(CMPXCHG_DOUBLE_FAIL), G(CMPXCHG_DOUBLE_CPU_FAIL));
}

static void print_one(const struct view *v, const struct compat_row *row, unsigned nodes)
{
	const struct slabstat_cache *c = row->cache;
	FILE *f = v->out->f;

	fprintf(f,
		"\nSlabcache: %-15s  Aliases: %2" PRIu64 " Order : %2" PRIu64 " Objects: %" PRIu64
		"\n",
		row->name, G(ALIASES), G(ORDER), G(OBJECTS));
	print_remarks(f, c);
	print_sizes(f, c, slabstat_snapshot_machine(v->s)->page_size);
	compat_ops_one(v, row);
	compat_tracking_one(v, row);
	compat_numa_one(v, row, nodes);
	print_counters(f, c);
}

void compat_report_rows(const struct view *v, const struct compat_rows *rows)
{
	const unsigned nodes = compat_nodes(v->s);
	struct slabstat_tune *tune = report_tune(v);

	for (size_t i = 0; i < rows->n; i++)
		print_one(v, &rows->row[i], nodes);
	for (size_t i = 0; i < rows->n; i++)
		report_additions(v, tune, rows->row[i].cache, rows->row[i].name);
	slabstat_tune_close(tune);
}

int compat_report(const struct view *v)
{
	struct compat_rows rows;

	if (!compat_choose(v, COMPAT_ALL, &rows))
		return 2;
	compat_report_rows(v, &rows);
	compat_free(&rows);
	return 0;
}
