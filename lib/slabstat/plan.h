/* SPDX-License-Identifier: MIT */
/* plan.h - the inside of a plan: an entry of the journal before, while and after it is one. */
#ifndef SLABSTAT_PLAN_H
#define SLABSTAT_PLAN_H

#include "slabstat/tune.h"

struct slabstat_plan {
	struct slabstat_tune *tune;
	struct arena arena;
	struct journal_log log;		/* what an undo took its strings from */
	struct journal_entry e;
	bool applied;			/* there is something to revert */
};

/*
 * plan_restore - give change i its old value, unless the cache is another one by now or, without
 * whatever, somebody else has changed it. The change's state and text say how it went; true:
 * nothing is left to do for it.
 */
bool plan_restore(struct slabstat_plan *plan, size_t i, bool whatever);

/*
 * plan_text - *borrows* formatted text that lives as long as the plan; NULL where memory is short.
 */
__attribute__((format(printf, 2, 3)))
const char *plan_text(struct slabstat_plan *plan, const char *fmt, ...);

#endif
