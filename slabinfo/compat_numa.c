// SPDX-License-Identifier: MIT
/*
 * compat_numa.c - the kernel tool's slabs by node (-n, and in reports); see compat.h.
 *
 * -n works with one node too, where the kernel's tool said that there was no information.
 */
#include "compat.h"

#include <stdlib.h>

unsigned compat_nodes(const struct slabstat_snapshot *s)
{
	unsigned nodes = 0;

	for (size_t i = 0; i < slabstat_snapshot_count(s); i++) {
		const struct slabstat_share *share;
		size_t n;

		share = slabstat_cache_shares(slabstat_snapshot_cache(s, i), SLABSTAT_SLABS, &n);
		if (n && share[n - 1].index >= nodes)
			nodes = share[n - 1].index + 1;
	}
	return nodes;
}

static void print_heading(const struct view *v, const char *label, unsigned nodes)
{
	FILE *f = v->out->f;

	fprintf(f, "\n%-21s:", label);
	for (unsigned i = 0; i < nodes; i++)
		fprintf(f, " %4u", i);
	fputs("\n----------------------", f);
	for (unsigned i = 0; i < nodes; i++)
		fputs("-----", f);
	fputc('\n', f);
}

static void print_row(const struct view *v, const char *label, const struct slabstat_cache *cache,
		      enum slabstat_field field, unsigned nodes)
{
	const struct slabstat_share *share;
	size_t n, at = 0;

	share = slabstat_cache_shares(cache, field, &n);
	fprintf(v->out->f, "%-21s ", label);
	for (unsigned i = 0; i < nodes; i++) {
		char buf[COMPAT_NUMBER];
		uint64_t value = 0;

		if (at < n && share[at].index == i)
			value = share[at++].value;
		fprintf(v->out->f, " %4s", compat_scale(value, v->r->exact_bytes, buf));
	}
	fputc('\n', v->out->f);
}

static void print_nothing(const struct view *v, const char *name)
{
	fprintf(v->out->f, "\n%s: No NUMA information available.\n", name);
}

void compat_numa_one(const struct view *v, const struct compat_row *row, unsigned nodes)
{
	if (nodes < 2) {
		print_nothing(v, row->name);
		return;
	}
	if (!v->r->show_empty && compat_get(row->cache, SLABSTAT_SLABS) == 0)
		return;
	print_heading(v, "NUMA nodes", nodes);
	print_row(v, "All slabs", row->cache, SLABSTAT_SLABS, nodes);
	print_row(v, "Partial slabs", row->cache, SLABSTAT_PARTIAL, nodes);
}

int compat_numa(const struct view *v)
{
	const unsigned nodes = compat_nodes(v->s);
	struct compat_rows rows;

	if (!compat_choose(v, COMPAT_LISTED, &rows))
		return 2;
	if (rows.n && nodes)
		print_heading(v, "Slab", nodes);
	for (size_t i = 0; i < rows.n; i++) {
		if (nodes)
			print_row(v, rows.row[i].name, rows.row[i].cache, SLABSTAT_SLABS, nodes);
		else
			print_nothing(v, rows.row[i].name);
	}
	compat_free(&rows);
	return 0;
}
