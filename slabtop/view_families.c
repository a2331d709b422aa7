// SPDX-License-Identifier: MIT
/* view_families.c - kin folded into one row: kmalloc-*, copies a device or a namespace. */
#include "top.h"

static const int columns[] = {
	SLABSTAT_FOOTPRINT, COLUMN_RATE, COLUMN_HISTORY, COLUMN_MEMBERS, SLABSTAT_LOSS,
	SLABSTAT_FILL_PERCENT, SLABSTAT_OBJECTS, COLUMN_SINCE, COLUMN_PEAK, SLABSTAT_TOTAL_OBJECTS,
	SLABSTAT_SLABS, SLABSTAT_LOSS_PERCENT, COLUMN_NONE
};

static int rebuild(struct top *t)
{
	return rows_fill(t, true, NULL, NULL);
}

const struct view view_families = {
	.name = "families",
	.where = KEYS_LIST,
	.columns = columns,
	.sort = SLABSTAT_FOOTPRINT,
	.heading = true,
	.rebuild = rebuild,
};
