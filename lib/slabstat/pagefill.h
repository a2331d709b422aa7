/* SPDX-License-Identifier: MIT */
/*
 * pagefill.h - from the figures in a page to caches of a snapshot.
 *
 * What the page calls a counter is the field of that name in fields.def; a name that is not there
 * is passed over, and a field that the page lacks is absent. A cache that others may share goes by
 * an id, as in the kernel's directory, and each of its users is a link to it.
 */
#ifndef SLABSTAT_PAGEFILL_H
#define SLABSTAT_PAGEFILL_H

#include "slabstat/snapshot.h"
#include "slabstat/wirepage.h"

/* caches of the same name and size, of several processes, are one */
#define PAGEFILL_SUM  1u
#define PAGEFILL_PAST 2u	/* of a process that is over: what it counted, not what it held */

/*
 * pagefill - the figures read last, into an unsealed snapshot. 0, -ENOMEM, or -EBADMSG where a
 * record does not fit.
 */
int pagefill(const struct wirepage *p, struct slabstat_snapshot *s, unsigned flags);

/* pagefill_copy - caches of one unsealed snapshot into another, with their links. 0 or -ENOMEM. */
int pagefill_copy(const struct slabstat_snapshot *from, struct slabstat_snapshot *s);

#endif
