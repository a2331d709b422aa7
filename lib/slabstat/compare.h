/* SPDX-License-Identifier: MIT */
/*
 * compare.h - two groups of figures, one a run each: do they differ by more than runs do?
 *
 * Pure functions. The difference of the means has the 95 % interval of Welch's t, which does not
 * ask for equal spreads. With a single figure on a side the spread between runs is not known, and
 * then nothing is said of it.
 */
#ifndef SLABSTAT_COMPARE_H
#define SLABSTAT_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

struct compare_side {
	size_t n;
	double mean, median, min, max;
	double deviation;	/* NaN for fewer than two figures */
};

struct compare {
	struct compare_side a, b;
	double difference;	/* of the means, b - a */
	double low, high;	/* its 95 % interval; infinite where not known */
	double relative;	/* difference / mean of a; NaN for a mean of 0 */
	bool known;		/* two figures at least on either side */
	bool differs;		/* known, and the interval leaves out 0 */
};

/* compare_side_of - sorts nothing that is not its own. False: no memory. */
bool compare_side_of(const double *v, size_t n, struct compare_side *side);

/* compare_groups - na, nb > 0. False: no memory. */
bool compare_groups(const double *a, size_t na, const double *b, size_t nb, struct compare *c);

#endif
