/* SPDX-License-Identifier: MIT */
/*
 * descent.h - a program and those that come from it, summed: --children.
 *
 * One belongs to the tree of a process if a chain of parents leads there: the parent that its page
 * names, or that the kernel names while it runs. One belongs to a tree with a name if its page
 * bears it (publish=tree:NAME), whatever became of its parents.
 *
 * Of the programs that run at a reading, everything is summed. One that ended since the reading
 * before, and whose page was kept, is summed once more as it ended; from then on what it counted
 * stays in the sums, and what it held does not. So a program that lives between two readings is
 * met, as long as it keeps its page.
 */
#ifndef SLABSTAT_DESCENT_H
#define SLABSTAT_DESCENT_H

#include "slabstat/error.h"
#include "slabstat/process.h"
#include "slabstat/snapshot.h"

struct descent;

/* descent_open - what: a process as process_find() takes it, or "tree:NAME". */
int descent_open(struct slabstat *h, const char *what, struct descent **d);
void descent_close(struct descent *d);

/*
 * descent_read - sums of this moment. The pages of a named tree are removed once their programs
 * have ended and are in the sums. 0 or a negative errno with the error set.
 */
int descent_read(struct slabstat *h, struct descent *d, struct slabstat_snapshot *s);

/* descent_process - the tree as a whole: number and name of its first, sums of the rest. */
const struct slabstat_process *descent_process(const struct descent *d);

#endif
