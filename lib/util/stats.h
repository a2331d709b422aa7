/* SPDX-License-Identifier: MIT */
/*
 * stats.h - a little robust statistics on arrays of doubles.
 *
 * Medians and rank methods where data may hold spikes; Student's t where a few means are compared.
 * Nothing here allocates but what stats_theil_sen() needs for its slopes.
 */
#ifndef SLABKIT_UTIL_STATS_H
#define SLABKIT_UTIL_STATS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * stats_quantile - of values in any order, which it puts into another; q in 0..1, between
 * neighbours; 0 for n = 0. stats_median - the same for 0.5.
 */
double stats_quantile(double *v, size_t n, double q);
double stats_median(double *v, size_t n);

double stats_mean(const double *v, size_t n);
/* stats_deviation - the sample standard deviation (n - 1); 0 for n < 2. */
double stats_deviation(const double *v, size_t n);

/*
 * stats_student - the t that a Student-distributed value of df degrees of freedom stays below in
 * size with the given confidence (0.95: two-sided).
 */
double stats_student(double df, double confidence);

/*
 * The Theil-Sen slope: the median of the slopes of all pairs of points, with the confidence
 * interval that Kendall's statistic gives (Sen 1968): exact in its distribution up to
 * STATS_EXACT points, normal above. low and high are infinite where so few points cannot give
 * that confidence.
 */
struct stats_slope {
	double slope, low, high;
	/* Kendall's S over its standard deviation: how sure the direction is */
	double z;
};
#define STATS_EXACT	12
/* More points than this are too many pairs: thin them first. */
#define STATS_SLOPE_MAX 256

/*
 * stats_theil_sen - of n points, 2 <= n <= STATS_SLOPE_MAX, x rising. inflation >= 1 multiplies the
 * variance of S, for values that depend on their neighbours. False: no memory, or n out of range.
 */
bool stats_theil_sen(const double *x, const double *y, size_t n, double confidence,
		     double inflation, struct stats_slope *out);

/* stats_autocorrelation - of each value with the one before it, -1..1; 0 for n < 3 or no spread. */
double stats_autocorrelation(const double *v, size_t n);

#endif
