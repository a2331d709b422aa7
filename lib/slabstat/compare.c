// SPDX-License-Identifier: MIT
/* compare.c - two groups of figures; see compare.h. */
#include "slabstat/compare.h"

#include "util/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CONFIDENCE 0.95

bool compare_side_of(const double *v, size_t n, struct compare_side *side)
{
	double *copy = malloc((n + 1) * sizeof(*copy));

	if (!copy)
		return false;
	memset(side, 0, sizeof(*side));
	side->n = n;
	side->mean = stats_mean(v, n);
	side->deviation = n > 1 ? stats_deviation(v, n) : NAN;
	side->min = n > 0 ? v[0] : 0;
	side->max = side->min;
	for (size_t i = 0; i < n; i++) {
		side->min = fmin(side->min, v[i]);
		side->max = fmax(side->max, v[i]);
		copy[i] = v[i];
	}
	side->median = stats_median(copy, n);
	free(copy);
	return true;
}

bool compare_groups(const double *a, size_t na, const double *b, size_t nb, struct compare *c)
{
	double va, vb, error, df, t;

	memset(c, 0, sizeof(*c));
	if (!compare_side_of(a, na, &c->a) || !compare_side_of(b, nb, &c->b))
		return false;
	c->difference = c->b.mean - c->a.mean;
	c->relative = c->a.mean != 0 ? c->difference / c->a.mean : NAN;
	c->low = -INFINITY;
	c->high = INFINITY;
	c->known = na > 1 && nb > 1;
	if (!c->known)
		return true;
	va = c->a.deviation * c->a.deviation / (double)na;
	vb = c->b.deviation * c->b.deviation / (double)nb;
	error = sqrt(va + vb);
	/* Welch and Satterthwaite's degrees of freedom. */
	df = va + vb > 0 ? (va + vb) * (va + vb) /
				   (va * va / (double)(na - 1) + vb * vb / (double)(nb - 1)) :
			   (double)(na + nb - 2);
	t = stats_student(df, CONFIDENCE);
	c->low = c->difference - t * error;
	c->high = c->difference + t * error;
	c->differs = c->low > 0 || c->high < 0;
	return true;
}
