/* SPDX-License-Identifier: MIT */
/*
 * clock.h - the processor's constant-rate counter and its frequency.
 *
 * Ticks are TSC cycles on x86-64 and generic-timer ticks on arm64: a unit of time, not core
 * clocks (a core above its base frequency runs more clocks than ticks). Elsewhere a tick is 1 ns.
 */
#ifndef BENCH_CLOCK_H
#define BENCH_CLOCK_H

#include <stdint.h>
#include <time.h>

#define NS_PER_SEC 1000000000ull

static inline uint64_t clock_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * NS_PER_SEC + (uint64_t)ts.tv_nsec;
}

/* Fenced on both sides: nothing that is measured leaves the interval. */
static inline uint64_t clock_ticks(void)
{
#if defined(__x86_64__)
	uint32_t lo, hi;

	__asm__ volatile("lfence\n\trdtsc\n\tlfence" : "=a"(lo), "=d"(hi) : : "memory");
	return (uint64_t)hi << 32 | lo;
#elif defined(__aarch64__)
	uint64_t t;

	__asm__ volatile("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(t) : : "memory");
	return t;
#else
	return clock_ns();
#endif
}

/* Both clocks at one moment: read again if something came between. */
static inline uint64_t clock_both(uint64_t *ns)
{
	uint64_t before, after;

	for (int i = 0; i < 100; i++) {
		before = clock_ticks();
		*ns = clock_ns();
		after = clock_ticks();
		if (after - before < 1000)
			break;
	}
	return before + (after - before) / 2;
}

/* Ticks a second, measured against CLOCK_MONOTONIC over 20 ms. */
static inline double clock_hz(void)
{
	uint64_t n0, n1, t0 = clock_both(&n0), t1;

	do
		t1 = clock_both(&n1);
	while (n1 - n0 < NS_PER_SEC / 50);
	return (double)(t1 - t0) * (double)NS_PER_SEC / (double)(n1 - n0);
}

#endif
