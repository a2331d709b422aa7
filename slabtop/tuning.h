/* SPDX-License-Identifier: MIT */
/*
 * tuning.h - setting a tunable of one cache, and taking it back: ask what, ask whether, write, say
 * what the kernel made of it. Everything that writes is slabstat_tune_*, with its journal.
 */
#ifndef SLABTOP_TUNING_H
#define SLABTOP_TUNING_H

#include <slab/slabstat.h>

#include <stdbool.h>

struct top;

struct tuning {
	struct slabstat_tune *tune;	/* NULL: nothing is under way */
	struct slabstat_plan *plan;	/* that waits for yes or no */
	unsigned long undo;		/* entry of the journal that waits for it */
};

/* Each returns dirty bits. */
unsigned tuning_ask(struct top *t, struct tuning *u, const struct slabstat_cache *cache);
unsigned tuning_ask_undo(struct top *t, struct tuning *u, const struct slabstat_cache *cache);
/* tuning_typed - the answer to what was asked last. */
unsigned tuning_typed(struct top *t, struct tuning *u, const struct slabstat_cache *cache,
		      bool accepted);
void tuning_free(struct tuning *u);

#endif
