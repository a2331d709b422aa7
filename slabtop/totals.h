/* SPDX-License-Identifier: MIT */
/* totals.h - sums over every cache of a sample, for the head and the page of totals. */
#ifndef SLABTOP_TOTALS_H
#define SLABTOP_TOTALS_H

#include "columns.h"

struct totals {
	struct slabstat_sum footprint, used, loss, free, padding, tail, objects, total_objects,
		slabs;
	bool reclaim_known;		/* every cache says whether it is reclaimable */
	uint64_t reclaimable, unreclaimable;
	size_t reclaimable_caches;
	/* of the footprint, as in the columns of these names */
	struct value delta, rate, since;
	struct value obj_since;
	size_t caches, grown, shrunk, born, gone;	/* since the beginning */
};

void totals_make(struct totals *t, const struct slabstat_snapshot *snapshot,
		 const struct tracks *tracks);

/* totals_needs - the fields that are summed. */
void totals_needs(struct slabstat_fieldset *fields);

/* sum_text - a sum in bytes with its mark; "-" where no cache had the field. Returns buf. */
char *sum_text(const struct slabstat_sum *s, bool exact, char buf[COLUMN_TEXT]);

/* sum_percent - part x 100 / whole, rounded down; 0 for a whole of 0. */
unsigned sum_percent(uint64_t part, uint64_t whole);

#endif
