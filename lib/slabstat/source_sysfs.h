/* SPDX-License-Identifier: MIT */
/* source_sysfs.h - a slab directory and its machine, open for this source and the hybrid one. */
#ifndef SLABSTAT_SOURCE_SYSFS_H
#define SLABSTAT_SOURCE_SYSFS_H

#include "slabstat/slabdir.h"
#include "slabstat/source.h"
#include "util/arena.h"

struct sysfs {
	struct root root;
	struct slabdir dir;
	struct arena arena;		/* strings of machine */
	struct slabstat_machine machine;
};

/* sysfs_start - as the spec of the source says. 0 or a negative errno with the error set. */
int sysfs_start(struct sysfs *y, struct slabstat_source *src);

/* sysfs_stop - after sysfs_start, whether that failed or not. */
void sysfs_stop(struct sysfs *y);

/*
 * sysfs_begin, sysfs_end - around each reading: the facts of the machine and the list of caches
 * and links; why fields are absent, meminfo of the moment and what it cost.
 */
int sysfs_begin(struct sysfs *y, struct slabstat_snapshot *s);
void sysfs_end(struct sysfs *y, struct slabstat_snapshot *s);

#endif
