// SPDX-License-Identifier: MIT
/* view_caches.c - a row a cache; or the caches of one family. */
#include <stdlib.h>
#include <string.h>

#include "top.h"

/* None of these costs a file a cache at each sample; PARTIAL would, and can be chosen. */
static const int columns[] = {
	SLABSTAT_FOOTPRINT, COLUMN_RATE, COLUMN_HISTORY, SLABSTAT_OBJECTS, SLABSTAT_FILL_PERCENT,
	SLABSTAT_LOSS, COLUMN_SINCE, COLUMN_PEAK, SLABSTAT_OBJECT_SIZE, SLABSTAT_TOTAL_OBJECTS,
	SLABSTAT_SLABS, SLABSTAT_OBJS_PER_SLAB, SLABSTAT_PAGES_PER_SLAB, COLUMN_USERS, COLUMN_NONE
};

/* Is the cache called by the label of this family? */
static bool of_family(const struct slabstat_cache *c, void *arg)
{
	const struct top *t = arg;
	const char *label = slabstat_cache_label(c);
	size_t n = slabstat_family(label, NULL, 0) + 1;
	char *family = malloc(n);
	bool same = false;

	if (family) {
		slabstat_family(label, family, n);
		same = strcmp(family, t->family) == 0;
	}
	free(family);
	return same;
}

static int rebuild(struct top *t)
{
	return rows_fill(t, false, t->family ? of_family : NULL, t);
}

const struct view view_caches = {
	.name = "caches",
	.where = KEYS_LIST,
	.columns = columns,
	.sort = SLABSTAT_FOOTPRINT,
	.heading = true,
	.rebuild = rebuild,
};
