// SPDX-License-Identifier: MIT
/* stats.c - a little robust statistics; see stats.h. */
#include "util/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Put the k-th smallest value at v[k], nothing larger before it and nothing smaller behind it. */
static void select_kth(double *v, ptrdiff_t n, ptrdiff_t k)
{
	ptrdiff_t low = 0, high = n - 1;

	while (low < high) {
		ptrdiff_t i = low, j = high;
		double pivot = v[k];

		do {
			while (v[i] < pivot)
				i++;
			while (pivot < v[j])
				j--;
			if (i <= j) {
				double swap = v[i];

				v[i++] = v[j];
				v[j--] = swap;
			}
		} while (i <= j);
		if (j < k)
			low = i;
		if (k < i)
			high = j;
	}
}

double stats_quantile(double *v, size_t n, double q)
{
	double at = q * (double)(n - 1), next;
	size_t i = (size_t)at;

	if (n == 0)
		return 0;
	if (i + 1 >= n)
		i = n - 1;
	select_kth(v, (ptrdiff_t)n, (ptrdiff_t)i);
	if (i + 1 >= n || at <= (double)i)
		return v[i];
	next = v[i + 1];
	for (size_t j = i + 2; j < n; j++)
		next = fmin(next, v[j]);
	return v[i] + (at - (double)i) * (next - v[i]);
}

double stats_median(double *v, size_t n)
{
	return stats_quantile(v, n, 0.5);
}

double stats_mean(const double *v, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += v[i];
	return n > 0 ? sum / (double)n : 0;
}

double stats_deviation(const double *v, size_t n)
{
	double mean = stats_mean(v, n), sum = 0;

	if (n < 2)
		return 0;
	for (size_t i = 0; i < n; i++)
		sum += (v[i] - mean) * (v[i] - mean);
	return sqrt(sum / (double)(n - 1));
}

double stats_autocorrelation(const double *v, size_t n)
{
	double mean = stats_mean(v, n), product = 0, square = 0;

	if (n < 3)
		return 0;
	for (size_t i = 0; i < n; i++) {
		square += (v[i] - mean) * (v[i] - mean);
		if (i > 0)
			product += (v[i] - mean) * (v[i - 1] - mean);
	}
	return square > 0 ? product / square : 0;
}

/* ---- distributions --------------------------------------------------------------------------- */

/* P(|T| <= t) by Simpson's rule over the density, whose factor is a ratio of gammas. */
static double student_within(double t, double df)
{
	const int steps = 2000;
	double factor = exp(lgamma((df + 1) / 2) - lgamma(df / 2)) / sqrt(df * M_PI);
	double h = t / steps, sum = 0;

	for (int i = 0; i <= steps; i++) {
		double x = h * i, weight = i == 0 || i == steps ? 1 : i % 2 ? 4 : 2;

		sum += weight * pow(1 + x * x / df, -(df + 1) / 2);
	}
	return 2 * factor * sum * h / 3;
}

double stats_student(double df, double confidence)
{
	double low = 0, high = 1;

	if (!(df > 0))
		return INFINITY;
	while (student_within(high, df) < confidence && high < 1e6)
		high *= 2;
	for (int i = 0; i < 60; i++) {
		double mid = (low + high) / 2;

		if (student_within(mid, df) < confidence)
			low = mid;
		else
			high = mid;
	}
	return high;
}

/* The z that a normal value stays below in size with this confidence. */
static double normal_within(double confidence)
{
	double low = 0, high = 10;

	for (int i = 0; i < 60; i++) {
		double mid = (low + high) / 2;

		if (erf(mid / M_SQRT2) < confidence)
			low = mid;
		else
			high = mid;
	}
	return high;
}

/*
 * The smallest S with P(|S| >= S) <= 1 - confidence under no trend, counted over all orders of n
 * values: the number of orders with k inversions is that of n - 1 values, summed over n places.
 */
static double exact_critical(size_t n, double confidence)
{
	size_t pairs = n * (n - 1) / 2;
	double p[STATS_EXACT * (STATS_EXACT - 1) / 2 + 1] = { 1 }, tail = 0;
	double q[STATS_EXACT * (STATS_EXACT - 1) / 2 + 1];

	for (size_t m = 2; m <= n; m++) {
		for (size_t k = 0; k <= pairs; k++) {
			q[k] = 0;
			for (size_t j = 0; j < m && j <= k; j++)
				q[k] += p[k - j] / (double)m;
		}
		memcpy(p, q, (pairs + 1) * sizeof(*p));
	}
	for (size_t k = 0; k <= pairs; k++) {
		tail += 2 * p[k];
		if (tail > 1 - confidence)
			return (double)pairs - 2 * (double)k + 2;
	}
	return 0;
}

/* ---- slopes ---------------------------------------------------------------------------------- */

bool stats_theil_sen(const double *x, const double *y, size_t n, double confidence,
		     double inflation, struct stats_slope *out)
{
	size_t pairs = n * (n - 1) / 2, k = 0;
	double deviation = sqrt(inflation * (double)n * (double)(n - 1) * (2 * (double)n + 5) / 18);
	double critical, s = 0, *slope;

	if (n < 2 || n > STATS_SLOPE_MAX)
		return false;
	slope = malloc(pairs * sizeof(*slope));
	if (!slope)
		return false;
	for (size_t i = 0; i < n; i++) {
		for (size_t j = i + 1; j < n; j++) {
			slope[k++] = (y[j] - y[i]) / (x[j] - x[i]);
			s += (y[j] > y[i]) - (y[j] < y[i]);
		}
	}
	critical = n <= STATS_EXACT ? exact_critical(n, confidence) * sqrt(inflation) :
				      normal_within(confidence) * deviation;
	out->slope = stats_median(slope, pairs);
	out->z = s / deviation;
	/*
	 * The slopes between which lie all but the (pairs - critical) / 2 outermost on each side.
	 */
	out->low = -INFINITY;
	out->high = INFINITY;
	if (critical <= (double)pairs) {
		k = (size_t)(((double)pairs - critical) / 2);
		select_kth(slope, (ptrdiff_t)pairs, (ptrdiff_t)k);
		out->low = slope[k];
		select_kth(slope, (ptrdiff_t)pairs, (ptrdiff_t)(pairs - 1 - k));
		out->high = slope[pairs - 1 - k];
	}
	free(slope);
	return true;
}
