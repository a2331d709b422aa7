/* SPDX-License-Identifier: MIT */
/*
 * totals.h - sums over the caches asked for, how they reconcile with meminfo and where loss goes.
 *
 * The footprint of all caches is part of what meminfo calls Slab. The signed rest is unattributed:
 * kmalloc of more than two pages, which has no cache, and the lag of meminfo's per-CPU counters.
 */
#ifndef SLABINFO_TOTALS_H
#define SLABINFO_TOTALS_H

#include "mode.h"

/* The fields that are summed, in the order of every output; ends with -1. */
extern const int totals_fields[];

struct totals {
	struct slabstat_rows *rows;
	const struct slabstat_cache *const *cache;
	size_t n, active, merged, aliases;
	/* Footprint by what reclaim may do; n is 0 where the source does not tell the flag. */
	struct slabstat_sum all, reclaimable, unreclaimable;
	bool reconciles;	/* meminfo is of the same instant, and these are all caches */
	int64_t unattributed, unattributed_reclaimable, unattributed_unreclaimable;
};

/* totals_take - over the caches that match. False after a message; totals_free in any case. */
bool totals_take(const struct view *v, struct totals *t);
void totals_free(struct totals *t);

/* totals_sum - one field over those caches. */
struct slabstat_sum totals_sum(const struct totals *t, enum slabstat_field field);

/* totals_additions - what the kernel tool's -T lacks, after a blank line. */
void totals_additions(const struct view *v, const struct totals *t);

#endif
