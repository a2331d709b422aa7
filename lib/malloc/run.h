/* SPDX-License-Identifier: MIT */
/*
 * run.h - blocks of 8 KiB to 1 MiB: runs of units of 1 KiB, in chunks of 4 MiB.
 *
 * The slabs of so large objects would be few and mostly air, and a free object would keep its
 * pages. A run may begin at any unit, so a block wastes less than a unit and what is freed joins
 * with its neighbours. Its chunk is a mapping of the pages layer; the header has a bitmap of free
 * units, one of pages that may hold data, and each run's length. The search is first fit, the
 * oldest chunk and the lowest address first, which leaves the newest chunks to become free as a
 * whole.
 *
 * Free pages that hold data are kept up to a floor and a sixteenth of what is in use; beyond, they
 * go back on the way of the free that crosses the bound, in few calls over many chunks: a call
 * costs the system as much as the pages do. The floor grows by what had to be had again after it
 * was given back, so that waves of the same height settle, and shrinks where nothing was.
 */
#ifndef SLABKIT_MALLOC_RUN_H
#define SLABKIT_MALLOC_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct slab;

#define RUN_UNIT ((size_t)1024)
#define RUN_MAX	 ((size_t)1 << 20)

/*
 * run_alloc - at least bytes (1 to RUN_MAX), aligned at align (a power of two up to RUN_MAX; 0: at
 * a unit). *zeroed: whether it reads as zero. NULL: no memory.
 */
void *run_alloc(size_t bytes, size_t align, bool *zeroed);
/* run_free - takes a run of the chunk that slab describes. Reports what is none. */
void run_free(struct slab *slab, void *p);
/* run_bytes - how many it has; 0: it is no run's start. */
size_t run_bytes(const struct slab *slab, const void *p);
/* run_resize - to bytes (1 to RUN_MAX) where it stands; false: there is no room behind it. */
bool run_resize(struct slab *slab, void *p, size_t bytes);
/* run_purge - free pages go back to the system, but for keep bytes of them. */
void run_purge(size_t keep);

/*
 * Of the chunks of runs: what blocks have; free pages that hold data; what holds none, free and
 * clean.
 */
struct run_counts {
	size_t used_bytes, kept_bytes, idle_bytes;
};

/* run_count - fills it. */
void run_count(struct run_counts *n);

#endif
