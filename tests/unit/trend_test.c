// SPDX-License-Identifier: MIT
/*
 * trend_test.c - the rule for leaks on simulated series, with its rates counted.
 *
 * Each series has a level of 10 MB to 1 GB, noise of 0.2 to 2 % of it that depends on its
 * neighbours, in three of ten some spikes, and 60 to 300 samples. What a shape adds is 5 to 100
 * deviations of the noise high, a leak 15 to 200 from the first sample to the last.
 */
#include "cmocka_all.h"
#include "slabstat/trend.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define FLOOR	65536.0
#define LONGEST 300
#define SERIES	200
#define CACHES	235
#define RUNS	200

enum kind { NOISE, STEP, SAW, WARMUP, PLATEAU, KINDS_WITHOUT_LEAK, LEAK = KINDS_WITHOUT_LEAK };

static uint64_t seed;

static double uniform(double low, double high)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}

static double scale(double low, double high)
{
	return low * exp(uniform(0, log(high / low)));
}

static double normal(void)
{
	return sqrt(-2 * log(uniform(1e-300, 1))) * cos(2 * M_PI * uniform(0, 1));
}

struct params {
	double height, at, period, phase, tau, knee;
};

static double shape_at(enum kind kind, const struct params *p, double t)
{
	double tooth = t / p->period + p->phase;

	switch (kind) {
	case STEP:
		return t > p->at ? p->height : 0;
	case SAW:
		return p->height * (tooth - floor(tooth));
	case WARMUP:
		return p->height * (1 - exp(-t / p->tau));
	case PLATEAU:
		return p->height * fmin(t / p->knee, 1);
	case LEAK:
		return p->height * t;
	default:
		return 0;
	}
}

static size_t simulate(enum kind kind, double *x, double *v)
{
	size_t n = (size_t)scale(60, LONGEST);
	double base = scale(1e7, 1e9), sd = base * scale(0.002, 0.02), phi = uniform(0, 0.7), e = 0;
	double spikes = uniform(0, 1) < 0.3 ? 0.01 : 0;
	struct params p = {
		.height = sd * (kind == LEAK ? scale(15, 200) : scale(5, 100)),
		.at = uniform(0.1, 0.9),
		.period = scale(1.0 / 14, 1.0 / 2.2),
		.phase = uniform(0, 1),
		.tau = scale(0.02, 0.3),
		.knee = uniform(0.15, 0.7),
	};

	for (size_t i = 0; i < n; i++) {
		double t = (double)i / (double)(n - 1);

		e = phi * e + sqrt(1 - phi * phi) * normal();
		v[i] = base + sd * e + shape_at(kind, &p, t);
		if (uniform(0, 1) < spikes)
			v[i] += sd * uniform(0, 20);
		x[i] = (double)i;
	}
	return n;
}

static enum trend_verdict judge(enum kind kind)
{
	double x[LONGEST], v[LONGEST];
	struct trend t;
	size_t n = simulate(kind, x, v);

	assert_true(trend_over_time(x, v, n, FLOOR, &t));
	return t.verdict;
}

static void test_leaks_are_found(void **state)
{
	int found = 0;

	(void)state;
	seed = 88172645463325252ULL;
	for (int i = 0; i < SERIES; i++)
		found += judge(LEAK) == TREND_SUSPECT;
	print_message("# %d of %d leaks found\n", found, SERIES);
	assert_true(found >= SERIES * 95 / 100);
}

static void test_no_shape_is_taken_for_a_leak(void **state)
{
	static const char *const names[] = { "noise", "step", "sawtooth", "warm-up", "plateau" };

	(void)state;
	seed = 362436069362436069ULL;
	for (int kind = 0; kind < KINDS_WITHOUT_LEAK; kind++) {
		int alarms = 0;

		for (int i = 0; i < SERIES; i++)
			alarms += judge((enum kind)kind) == TREND_SUSPECT;
		print_message("# %s: %d false alarms in %d\n", names[kind], alarms, SERIES);
		assert_int_equal(alarms, 0);
	}
}

static void test_runs_of_many_caches_without_a_leak(void **state)
{
	int alarms = 0;

	(void)state;
	seed = 521288629521288629ULL;
	for (int run = 0; run < RUNS; run++) {
		bool any = false;

		for (int i = 0; i < CACHES; i++)
			any |= judge((enum kind)(i % KINDS_WITHOUT_LEAK)) == TREND_SUSPECT;
		alarms += any;
	}
	print_message("# %d of %d runs of %d caches without a leak name a suspect\n", alarms, RUNS,
		      CACHES);
	assert_true(alarms <= RUNS * 2 / 100);
}

/* ---- by hand --------------------------------------------------------------------------------- */

static struct trend of(double (*f)(double t), size_t n)
{
	double x[600], v[600];
	struct trend t;

	for (size_t i = 0; i < n; i++) {
		x[i] = (double)i;
		v[i] = f((double)i / (double)(n - 1));
	}
	assert_true(trend_over_time(x, v, n, FLOOR, &t));
	return t;
}

static double flat(double t)
{
	(void)t;
	return 1e6;
}

static double line(double t)
{
	return 1e6 + 1e6 * t;
}

static double step(double t)
{
	return t < 0.4 ? 1e6 : 2e6;
}

static double teeth(double t)
{
	return 1e6 + 1e6 * fmod(t * 5.3, 1);
}

static double warm(double t)
{
	return 1e6 + 1e6 * (1 - exp(-t / 0.1));
}

static double fall(double t)
{
	return 2e6 - 1e6 * t;
}

static void test_clean_shapes(void **state)
{
	struct trend t = of(line, 201);

	(void)state;
	assert_int_equal(t.shape, TREND_GROWTH);
	assert_int_equal(t.verdict, TREND_SUSPECT);
	assert_true(fabs(t.slope - 5000) < 1e-6);
	assert_true(t.slope_low <= t.slope && t.slope <= t.slope_high);
	assert_int_equal(t.peak_at, 200);
	assert_true(t.peak == 2e6);
	assert_int_equal(of(flat, 100).shape, TREND_STEADY);
	assert_int_equal(of(step, 200).shape, TREND_STEP);
	assert_int_equal(of(teeth, 300).shape, TREND_SAWTOOTH);
	assert_int_equal(of(warm, 300).shape, TREND_WARMUP);
	assert_int_equal(of(fall, 300).shape, TREND_DECLINE);
	assert_int_equal(of(warm, 300).verdict, TREND_LEVELS_OFF);
	assert_int_equal(of(line, 15).verdict, TREND_TOO_SHORT);
	assert_int_equal(of(line, 15).shape, TREND_UNKNOWN);
	assert_int_equal(of(line, 1).samples, 1);
	assert_int_equal(of(flat, 2).verdict, TREND_TOO_SHORT);
}

static void test_runs(void **state)
{
	/* Warm-up in the first, then 2000 objects a run with some slack. */
	const double leak[] = { 100, 5100, 7110, 9100, 11120, 13100, 15110, 17100, 19120 };
	const double none[] = { 100, 5100, 5110, 5095, 5120, 5101, 5090, 5115, 5100 };
	const double tired[] = { 0, 1000, 2000, 3000, 4000, 4010, 4020, 4030, 4040 };
	struct trend_runs t;

	(void)state;
	assert_true(trend_over_runs(leak, 8, 64, &t));
	assert_int_equal(t.verdict, TREND_SUSPECT);
	assert_true(t.slope > 1995 && t.slope < 2010);
	assert_true(t.slope_low <= 2002 && t.slope_high >= 2000);
	assert_int_equal(t.used, 7);
	assert_int_equal(t.grew, 7);
	assert_true(trend_over_runs(none, 8, 0, &t));
	assert_int_not_equal(t.verdict, TREND_SUSPECT);
	assert_true(t.slope_low <= 0 && t.slope_high >= 0);
	assert_true(trend_over_runs(tired, 8, 0, &t));
	assert_int_equal(t.verdict, TREND_LEVELS_OFF);
	assert_true(trend_over_runs(leak, 3, 64, &t));
	assert_int_equal(t.verdict, TREND_TOO_SHORT);
	assert_true(trend_over_runs(leak, 1, 64, &t));
	assert_int_equal(t.verdict, TREND_TOO_SHORT);
	assert_true(t.total == 5000);
}

/* Noise alone over runs: how often is a command without a leak suspected? */
static void test_runs_without_a_leak(void **state)
{
	int alarms = 0;

	(void)state;
	seed = 123456789123456789ULL;
	for (int run = 0; run < RUNS; run++) {
		bool any = false;

		for (int i = 0; i < CACHES; i++) {
			double v[9], warmth = uniform(0, 1) < 0.5 ? 1e5 : 0;
			struct trend_runs t;

			for (int k = 0; k < 9; k++)
				v[k] = 1e6 + 1e4 * normal() + warmth * (k > 0);
			assert_true(trend_over_runs(v, 8, FLOOR, &t));
			any |= t.verdict == TREND_SUSPECT;
		}
		alarms += any;
	}
	print_message("# %d of %d times eight runs without a leak name a suspect\n", alarms, RUNS);
	assert_true(alarms <= RUNS * 2 / 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_leaks_are_found),
		cmocka_unit_test(test_no_shape_is_taken_for_a_leak),
		cmocka_unit_test(test_runs_of_many_caches_without_a_leak),
		cmocka_unit_test(test_clean_shapes),
		cmocka_unit_test(test_runs),
		cmocka_unit_test(test_runs_without_a_leak),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
