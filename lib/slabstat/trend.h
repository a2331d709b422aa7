/* SPDX-License-Identifier: MIT */
/*
 * trend.h - what shape a series of values has, how fast it grows, and whether that looks like a
 * leak.
 *
 * Pure functions of arrays. A long series is first thinned to the medians of blocks of equal
 * length, which spikes do not move.
 *
 * The rule for a leak suspect, over time (trend_over_time); every point must hold:
 *
 *	1. there are at least TREND_MIN_POINTS samples;
 *	2. the growth from the first eighth to the last is at least the floor that the caller gives;
 *	3. the Theil-Sen slope is above zero by TREND_MIN_Z of its standard errors, which count that
 *	   neighbours depend on each other;
 *	4. growth goes on: cut in four, every part lies above the one before it by at least
 *	   TREND_MIN_SHARE of an even share; and the last quarter alone has a slope of at
 *	   least TREND_MIN_SHARE of the whole one, above zero by TREND_LATE_Z. Warm-up, a step and
 *	growth
 *	   that reached a plateau fail here;
 *	5. it does not come back: the low values (a tenth of the samples lies below) of the last
 *	   third are above the high ones (a tenth lies above) of the first third. A sawtooth fails
 *	   here, and so does noise around a slow drift.
 *
 * Over runs of a command (trend_over_runs), values are taken after each run has settled; the
 * first run is left out as warm-up where there are enough. A suspect grew in every run but one
 * at most, by at least the floor, with the 95 % interval of the slope above zero, and grew in the
 * second half of the runs at least half as fast as in the first.
 */
#ifndef SLABSTAT_TREND_H
#define SLABSTAT_TREND_H

#include <stdbool.h>
#include <stddef.h>

#define TREND_MIN_POINTS 16
#define TREND_MIN_Z	 5.0
#define TREND_LATE_Z	 3.2
#define TREND_MIN_SHARE	 0.55
#define TREND_MIN_RUNS	 4

enum trend_shape {
	TREND_STEADY,		/* stays within its noise */
	TREND_STEP,		/* one jump, level before and after */
	TREND_SAWTOOTH,		/* rises and falls back, again and again */
	TREND_WARMUP,		/* grew, then levelled off */
	TREND_GROWTH,		/* keeps growing */
	TREND_DECLINE,		/* keeps shrinking, or shrank and stayed so */
	TREND_UNKNOWN		/* too few samples to tell */
};

/* trend_shape_name - "steady", "step", "sawtooth", "levelled off", "growing", "shrinking", "?". */
const char *trend_shape_name(enum trend_shape shape);

/* Why a series is no suspect: the first point of the rule that fails. */
enum trend_verdict {
	TREND_SUSPECT,
	TREND_TOO_SHORT,
	TREND_TOO_SMALL,
	TREND_NOT_SURE,
	TREND_LEVELS_OFF,
	TREND_COMES_BACK
};

/* trend_verdict_text - one clause: "grows too little", ... */
const char *trend_verdict_text(enum trend_verdict verdict);

struct trend {
	size_t samples;
	/* medians of the first and last eighth, or the values themselves */
	double start, end;
	double peak;			/* largest value, and where */
	size_t peak_at;
	/* times that the series went above all before it, noise left out */
	size_t maxima;
	double growth;			/* end - start */
	/* a unit of x; 95 % interval, infinite where unknown */
	double slope, slope_low, slope_high;
	double z;			/* the slope in standard errors; may be infinite */
	double part[4];			/* medians of the quarters */
	double late_slope, late_z;	/* of the last quarter alone */
	double low_late, high_early;	/* point 5 of the rule */
	enum trend_shape shape;
	enum trend_verdict verdict;
};

/* trend_over_time - of n values at rising x. floor: least growth that matters. False: no memory. */
bool trend_over_time(const double *x, const double *v, size_t n, double floor, struct trend *t);

/* Growth by run. v[0] is before the first run, v[i] after run i: runs + 1 values. */
struct trend_runs {
	size_t runs, used;		/* used: without the warm-up */
	size_t grew;			/* of those used */
	double slope, slope_low, slope_high;	/* a run; 95 % */
	double first_half, second_half;	/* growth per run */
	double total;			/* v[runs] - v[0] */
	enum trend_verdict verdict;
};
bool trend_over_runs(const double *v, size_t runs, double floor, struct trend_runs *t);

#endif
