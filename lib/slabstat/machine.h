/* SPDX-License-Identifier: MIT */
/*
 * machine.h - facts of the machine that was read, and what meminfo says of it.
 */
#ifndef SLABSTAT_MACHINE_H
#define SLABSTAT_MACHINE_H

#include "slabstat/root.h"
#include "slabstat/snapshot.h"
#include "util/arena.h"

/*
 * machine_read - what the root tells: release, kernel, command line, boot id, CPUs, nodes and,
 * where it is the running kernel, the page size. What is not there stays unknown. Strings go to
 * the arena. 0 or -ENOMEM.
 */
int machine_read(struct root *r, struct arena *a, struct slabstat_machine *m);

/* machine_kernel - SLABSTAT_KERNEL(6, 18) of "6.18.44-amd64"; 0 where it does not begin so. */
unsigned machine_kernel(const char *release);

/* machine_set - make a copy of the facts those of a snapshot. 0 or -ENOMEM. */
int machine_set(struct slabstat_snapshot *s, const struct slabstat_machine *m);

/*
 * machine_meminfo - Slab, SReclaimable and SUnreclaim of the root at this moment, if it has them.
 */
void machine_meminfo(struct root *r, struct slabstat_meminfo *m);

/*
 * machine_settle - what the caches themselves tell of a machine where nothing else did: the page
 * size, from how many objects fit in a slab, and whether CPU slabs are retired (7.0 and later).
 */
void machine_settle(struct slabstat_snapshot *s);

#endif
