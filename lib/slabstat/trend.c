// SPDX-License-Identifier: MIT
/* trend.c - the shape of a series, its slope, and the rule for leaks; see trend.h. */
#include "slabstat/trend.h"

#include "util/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CONFIDENCE   0.95
#define STEADY_SHARE 0.05	/* a series that stays within so much of its level is steady */
#define BLOCKS	     96		/* a longer series is thinned to so many */

const char *trend_shape_name(enum trend_shape shape)
{
	static const char *const names[] = {
		[TREND_STEADY] = "steady",	  [TREND_STEP] = "step",
		[TREND_SAWTOOTH] = "sawtooth",	  [TREND_WARMUP] = "levelled off",
		[TREND_GROWTH] = "growing",	  [TREND_DECLINE] = "shrinking",
		[TREND_UNKNOWN] = "?",
	};

	return (unsigned)shape < sizeof(names) / sizeof(names[0]) ? names[shape] : "?";
}

const char *trend_verdict_text(enum trend_verdict verdict)
{
	static const char *const texts[] = {
		[TREND_SUSPECT] = "suspect",
		[TREND_TOO_SHORT] = "too few samples to tell",
		[TREND_TOO_SMALL] = "grows too little",
		[TREND_NOT_SURE] = "no growth beyond its noise",
		[TREND_LEVELS_OFF] = "growth does not go on",
		[TREND_COMES_BACK] = "comes back",
	};

	return (unsigned)verdict < sizeof(texts) / sizeof(texts[0]) ? texts[verdict] : "?";
}

/* ---- blocks ---------------------------------------------------------------------------------- */

struct blocks {
	double x[BLOCKS], v[BLOCKS];
	size_t n;
};

/* A median of v[from..to) without disturbing it; scratch has room for all. */
static double median_of(const double *v, size_t from, size_t to, double *scratch)
{
	memcpy(scratch, v + from, (to - from) * sizeof(*v));
	return stats_median(scratch, to - from);
}

static double quantile_of(const double *v, size_t from, size_t to, double q, double *scratch)
{
	memcpy(scratch, v + from, (to - from) * sizeof(*v));
	return stats_quantile(scratch, to - from, q);
}

static void thin(struct blocks *b, const double *x, const double *v, size_t n, double *scratch)
{
	b->n = n < BLOCKS ? n : BLOCKS;
	for (size_t i = 0; i < b->n; i++) {
		size_t from = i * n / b->n, to = (i + 1) * n / b->n;

		b->x[i] = (x[from] + x[to - 1]) / 2;
		b->v[i] = median_of(v, from, to, scratch);
	}
}

/* ---- shape ----------------------------------------------------------------------------------- */

/*
 * Deviation of the noise, from the differences of neighbours less their median, which takes out
 * what rises evenly: a trend, the teeth of a saw.
 */
static double noise_of(const struct blocks *b)
{
	double d[BLOCKS], sorted[BLOCKS], usual;
	size_t n = b->n - 1;

	if (b->n < 2)
		return 0;
	for (size_t i = 0; i < n; i++)
		d[i] = b->v[i + 1] - b->v[i];
	memcpy(sorted, d, n * sizeof(*d));
	usual = stats_median(sorted, n);
	for (size_t i = 0; i < n; i++)
		d[i] = fabs(d[i] - usual);
	/* The median of |difference| of two normal values is 0.954 deviations. */
	return stats_median(d, n) / 0.954;
}

/* Swings between a high and a low of more than size: how many falls. */
static size_t count_falls(const struct blocks *b, double size)
{
	double high = b->v[0], low = b->v[0];
	bool falling = false;
	size_t falls = 0;

	for (size_t i = 1; i < b->n; i++) {
		double v = b->v[i];

		if (falling) {
			low = fmin(low, v);
			if (v - low > size) {
				falling = false;
				high = v;
			}
		} else {
			high = fmax(high, v);
			if (high - v > size) {
				falling = true;
				low = v;
				falls++;
			}
		}
	}
	return falls;
}

/* Point 4 of the rule. */
static bool goes_on(const struct trend *t)
{
	double even = (t->part[3] - t->part[0]) / 3;

	for (int i = 1; i < 4; i++) {
		if (t->part[i] - t->part[i - 1] < TREND_MIN_SHARE * even)
			return false;
	}
	return even > 0 && t->late_slope >= TREND_MIN_SHARE * t->slope && t->late_z >= TREND_LATE_Z;
}

/*
 * The largest share of the whole rise (or fall) within a tenth of the series, and where that ends.
 */
static double largest_jump(const struct blocks *b, double change, size_t *end)
{
	size_t span = b->n / 10 > 0 ? b->n / 10 : 1;
	double most = 0;

	*end = 0;
	for (size_t i = span; i < b->n; i++) {
		double share = (b->v[i] - b->v[i - span]) / change;

		if (share > most) {
			most = share;
			*end = i;
		}
	}
	return most;
}

/* A series whose end differs from its start. */
static enum trend_shape shape_of_change(const struct trend *t, const struct blocks *b)
{
	size_t end;
	double jump = largest_jump(b, t->growth, &end);

	if (t->growth < 0)
		return TREND_DECLINE;
	/* A jump at the very beginning has no level before it: that is warm-up. */
	if (jump > 0.8)
		return end > b->n / 10 + 1 ? TREND_STEP : TREND_WARMUP;
	return goes_on(t) ? TREND_GROWTH : TREND_WARMUP;
}

static enum trend_shape shape_of(const struct trend *t, const struct blocks *b)
{
	double noise = noise_of(b), high = b->v[0], low = b->v[0], range;

	if (t->samples < TREND_MIN_POINTS)
		return TREND_UNKNOWN;
	for (size_t i = 1; i < b->n; i++) {
		high = fmax(high, b->v[i]);
		low = fmin(low, b->v[i]);
	}
	range = high - low;
	if (fabs(t->z) > TREND_MIN_Z && fabs(t->growth) > range / 2)
		return shape_of_change(t, b);
	if (range <= high * STEADY_SHARE || range <= 6 * noise)
		return TREND_STEADY;
	if (count_falls(b, fmax(range * 0.4, 4 * noise)) >= 2)
		return TREND_SAWTOOTH;
	return fabs(t->growth) > range / 4 ? shape_of_change(t, b) : TREND_STEADY;
}

/* Steps above everything before, by more than noise. */
static size_t count_maxima(const struct blocks *b)
{
	double noise = noise_of(b), most = b->v[0];
	size_t count = 0;

	for (size_t i = 1; i < b->n; i++) {
		if (b->v[i] > most + noise) {
			most = b->v[i];
			count++;
		}
	}
	return count;
}

/* ---- the rule -------------------------------------------------------------------------------- */

static enum trend_verdict judge(const struct trend *t, double floor)
{
	if (t->samples < TREND_MIN_POINTS)
		return TREND_TOO_SHORT;
	if (t->growth < floor || t->growth <= 0)
		return TREND_TOO_SMALL;
	if (!goes_on(t))
		return t->shape == TREND_STEADY || t->shape == TREND_SAWTOOTH ? TREND_NOT_SURE :
										 TREND_LEVELS_OFF;
	if (t->z < TREND_MIN_Z)
		return TREND_NOT_SURE;
	return t->low_late > t->high_early ? TREND_SUSPECT : TREND_COMES_BACK;
}

/* What a line through points leaves over: its deviation, and how values depend on neighbours. */
struct rest {
	double deviation, inflation;
};

static struct rest rest_of(const double *x, const double *v, size_t n)
{
	double rest[BLOCKS], mean = stats_mean(x, n), xx = 0, xv = 0, r;
	struct rest out;

	/* The line of least squares: spikes are gone already. */
	for (size_t i = 0; i < n; i++) {
		xv += (x[i] - mean) * v[i];
		xx += (x[i] - mean) * (x[i] - mean);
	}
	for (size_t i = 0; i < n; i++)
		rest[i] = v[i] - (xx > 0 ? xv / xx : 0) * x[i];
	r = fmin(fmax(stats_autocorrelation(rest, n), 0), 0.9);
	out.deviation = stats_deviation(rest, n);
	out.inflation = (1 + r) / (1 - r);
	return out;
}

/* A slope in deviations of its own error. */
static double z_of(const double *x, size_t n, double slope, struct rest rest)
{
	double width = stats_deviation(x, n) * sqrt((double)n - 1);

	if (rest.deviation > 0)
		return slope * width / (rest.deviation * sqrt(rest.inflation));
	return slope > 0 ? INFINITY : slope < 0 ? -INFINITY : 0;
}

static bool fit_slopes(struct trend *t, const struct blocks *b)
{
	size_t late = b->n / 4;
	const double *x = b->x + b->n - late, *v = b->v + b->n - late;
	struct stats_slope s;
	struct rest rest, late_rest;

	t->slope_low = -INFINITY;
	t->slope_high = INFINITY;
	if (b->n < 2)
		return true;
	rest = rest_of(b->x, b->v, b->n);
	if (!stats_theil_sen(b->x, b->v, b->n, CONFIDENCE, rest.inflation, &s))
		return false;
	t->z = z_of(b->x, b->n, s.slope, rest);
	t->slope = s.slope;
	t->slope_low = s.low;
	t->slope_high = s.high;
	if (late < 3)
		return true;
	if (!stats_theil_sen(x, v, late, CONFIDENCE, 1, &s))
		return false;
	late_rest = rest_of(x, v, late);
	late_rest.inflation = fmin(rest.inflation, late_rest.inflation * 2);
	t->late_slope = s.slope;
	t->late_z = z_of(x, late, s.slope, late_rest);
	return true;
}

bool trend_over_time(const double *x, const double *v, size_t n, double floor, struct trend *t)
{
	double *scratch = malloc((n + 1) * sizeof(*scratch));
	size_t eighth = n / 8 > 0 ? n / 8 : 1;
	struct blocks b;
	bool ok;

	memset(t, 0, sizeof(*t));
	t->samples = n;
	t->shape = TREND_UNKNOWN;
	t->verdict = TREND_TOO_SHORT;
	if (!scratch || n == 0) {
		free(scratch);
		return n == 0;
	}
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || v[i] > t->peak) {
			t->peak = v[i];
			t->peak_at = i;
		}
	}
	t->start = median_of(v, 0, eighth, scratch);
	t->end = median_of(v, n - eighth, n, scratch);
	t->growth = t->end - t->start;
	for (size_t i = 0; i < 4 && n >= 4; i++)
		t->part[i] = median_of(v, i * n / 4, (i + 1) * n / 4, scratch);
	if (n >= 3) {
		t->high_early = quantile_of(v, 0, n / 3, 0.9, scratch);
		t->low_late = quantile_of(v, n - n / 3, n, 0.1, scratch);
	}
	thin(&b, x, v, n, scratch);
	free(scratch);
	t->maxima = count_maxima(&b);
	ok = fit_slopes(t, &b);
	t->shape = shape_of(t, &b);
	t->verdict = judge(t, floor);
	return ok;
}

/* ---- runs ------------------------------------------------------------------------------------ */

static enum trend_verdict judge_runs(const struct trend_runs *t, double floor)
{
	if (t->used < TREND_MIN_RUNS)
		return TREND_TOO_SHORT;
	if (t->slope * (double)t->used < floor || t->slope <= 0)
		return TREND_TOO_SMALL;
	if (t->grew + 1 < t->used || !(t->slope_low > 0))
		return TREND_NOT_SURE;
	return t->second_half < t->first_half / 2 ? TREND_LEVELS_OFF : TREND_SUSPECT;
}

bool trend_over_runs(const double *v, size_t runs, double floor, struct trend_runs *t)
{
	size_t skip = runs > TREND_MIN_RUNS ? 1 : 0, half, points;
	struct stats_slope s = { 0, -INFINITY, INFINITY, 0 };
	double x[STATS_SLOPE_MAX];
	bool ok = true;

	memset(t, 0, sizeof(*t));
	t->runs = runs;
	t->used = runs - skip;
	t->total = v[runs] - v[0];
	for (size_t i = skip; i < runs; i++)
		t->grew += v[i + 1] > v[i];
	half = t->used / 2;
	if (half > 0) {
		t->first_half = (v[skip + half] - v[skip]) / (double)half;
		t->second_half = (v[runs] - v[runs - half]) / (double)half;
	}
	points = t->used + 1 < STATS_SLOPE_MAX ? t->used + 1 : STATS_SLOPE_MAX;
	for (size_t i = 0; i < points; i++)
		x[i] = (double)i;
	if (points >= 2)
		ok = stats_theil_sen(x, v + runs + 1 - points, points, CONFIDENCE, 1, &s);
	t->slope = s.slope;
	t->slope_low = s.low;
	t->slope_high = s.high;
	t->verdict = judge_runs(t, floor);
	return ok;
}
