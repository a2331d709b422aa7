// SPDX-License-Identifier: MIT
/*
 * compat_ops.c - the kernel tool's -o; see compat.h.
 *
 * It showed the file "ops" of 2.6.22, which no kernel has any more; what stood in it is the
 * constructor today, attribute ctor. That is added after the layout.
 */
#include "compat.h"

#include "util/safe.h"

#include <stdlib.h>

void compat_ops_one(const struct view *v, const struct compat_row *row)
{
	fprintf(v->out->f, "\n%s has no kmem_cache operations\n", row->name);
}

static void print_constructor(const struct view *v, const struct compat_row *row)
{
	const char *ctor = slabstat_cache_ctor(row->cache);
	char *safe = ctor && *ctor ? safe_text(ctor, v->out->ascii ? SAFE_ASCII : 0) : NULL;

	if (safe)
		fprintf(v->out->f, "%-21s %s\n", row->name, safe);
	free(safe);
}

int compat_ops(const struct view *v)
{
	struct compat_rows rows;

	if (!compat_choose(v, COMPAT_ALL, &rows))
		return 2;
	for (size_t i = 0; i < rows.n; i++)
		compat_ops_one(v, &rows.row[i]);
	fputs("\nThe file \"ops\" went with Linux 2.6.23; constructors, from the attribute ctor:\n",
	      v->out->f);
	for (size_t i = 0; i < rows.n; i++)
		print_constructor(v, &rows.row[i]);
	compat_free(&rows);
	return 0;
}
