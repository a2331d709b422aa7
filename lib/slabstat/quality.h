/* SPDX-License-Identifier: MIT */
/*
 * quality.h - what is known of a result whose inputs are not all exact.
 *
 * quality_join() serves a result that grows with both inputs (sums, products); an input that the
 * result shrinks with (a subtrahend, a divisor) goes in through quality_flip() first.
 */
#ifndef SLABSTAT_QUALITY_H
#define SLABSTAT_QUALITY_H

#include <slab/slabstat.h>

static inline enum slabstat_quality quality_join(enum slabstat_quality a, enum slabstat_quality b)
{
	if (a == SLABSTAT_ABSENT || b == SLABSTAT_ABSENT)
		return SLABSTAT_ABSENT;
	if (a == SLABSTAT_EXACT || a == b)
		return b;
	if (b == SLABSTAT_EXACT)
		return a;
	return SLABSTAT_ESTIMATE;	/* an upper bound with a lower one bounds nothing */
}

static inline enum slabstat_quality quality_flip(enum slabstat_quality q)
{
	if (q == SLABSTAT_UPPER)
		return SLABSTAT_LOWER;
	if (q == SLABSTAT_LOWER)
		return SLABSTAT_UPPER;
	return q;
}

#endif
