// SPDX-License-Identifier: MIT
/* limit.c - the memory limit, and what is held under it, for the program to set and to see. */
#include <errno.h>

#include "pages.h"
#include "peek.h"
#include "reclaim.h"
#include "root.h"

void slab_memory(struct slab_memory *m)
{
	const struct pages *pg = &root.pages;

	root_init();
	*m = (struct slab_memory){
		.limit_bytes = peek(pg->limit_bytes),
		.held_bytes = peek(pg->held_bytes),
		.held_peak_bytes = peek(pg->held_peak_bytes),
		.used_bytes = peek(pg->used_bytes),
		.reclaims = peek(root.reclaim.runs),
		.refused = peek(root.reclaim.refused),
		.shrunk_objects = peek(root.reclaim.shrunk),
	};
}

int slab_set_limit(uint64_t bytes)
{
	root_init();
	pages_set_limit(bytes);
	return !bytes || reclaim_down_to(bytes) ? 0 : -EBUSY;
}
