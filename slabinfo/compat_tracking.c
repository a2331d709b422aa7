// SPDX-License-Identifier: MIT
/* compat_tracking.c - the kernel tool's -t: text of the kernel, whole where that tool cut it. */
#include "compat.h"
#include "tracking.h"

static void print_kind(const struct view *v, const struct compat_row *row, enum tracking_kind kind)
{
	FILE *in = source_opts_is_system(&v->r->source) ?
			   tracking_open(v->r->source.root, row->cache, kind) :
			   NULL;
	FILE *f = v->out->f;

	fprintf(f,
		kind == TRACKING_ALLOC ? "\n%s: Kernel object allocation\n"
					 "---------------------------------------------------------"
					 "--------------\n"
				       : "\n%s: Kernel object freeing\n"
					 "---------------------------------------------------------"
					 "---------------\n",
		row->name);
	if (!in || !tracking_copy(in, f, v->out->tty))
		fputs("No Data\n", f);
	if (in)
		fclose(in);
}

void compat_tracking_one(const struct view *v, const struct compat_row *row)
{
	print_kind(v, row, TRACKING_ALLOC);
	print_kind(v, row, TRACKING_FREE);
}

int compat_tracking(const struct view *v)
{
	struct compat_rows rows;

	if (!compat_choose(v, COMPAT_ALL, &rows))
		return 2;
	for (size_t i = 0; i < rows.n; i++)
		compat_tracking_one(v, &rows.row[i]);
	compat_free(&rows);
	return 0;
}
