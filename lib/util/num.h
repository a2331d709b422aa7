/* SPDX-License-Identifier: MIT */
/*
 * num.h - strict reading of numbers, and their human form.
 *
 * A number either is one, whole and in range, or is refused: no leading blanks, no sign on
 * unsigned values, no silent wrap at 2^64. Callers decide what a refusal means.
 */
#ifndef SLABKIT_UTIL_NUM_H
#define SLABKIT_UTIL_NUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * num_scan_u64 - read decimal digits at *p (before end) and step *p past them.
 * Returns 0; -EINVAL where no digit stands at *p; -ERANGE above 2^64-1 (*p then stands past the
 * digits). *value is set on success only.
 */
int num_scan_u64(const char **p, const char *end, uint64_t *value);

/* num_parse_u64 - the whole of text is one decimal number. 0, -EINVAL or -ERANGE. */
int num_parse_u64(const char *text, uint64_t *value);

/*
 * num_parse_seconds - "2", "0.25": a finite decimal number of seconds, > 0 and <= 10^7.
 * Independent of the locale. 0, -EINVAL or -ERANGE.
 */
int num_parse_seconds(const char *text, double *seconds);

/* num_add_sat, num_mul_sat - sums and products that stop at 2^64-1 instead of wrapping. */
static inline uint64_t num_add_sat(uint64_t a, uint64_t b)
{
	uint64_t r;

	return __builtin_add_overflow(a, b, &r) ? UINT64_MAX : r;
}

static inline uint64_t num_mul_sat(uint64_t a, uint64_t b)
{
	uint64_t r;

	return __builtin_mul_overflow(a, b, &r) ? UINT64_MAX : r;
}

/*
 * num_muldiv - a * b / c without overflow of the product; UINT64_MAX where it does not fit; 0 for c
 * = 0.
 */
uint64_t num_muldiv(uint64_t a, uint64_t b, uint64_t c);

/* Room for any string num_human_bytes or num_human_count makes, terminator included. */
#define NUM_HUMAN_SIZE 24

/*
 * num_human_bytes - bytes in binary units as "0 B", "832 B", "4.0 KiB", "188.9 MiB": one decimal,
 * rounded to nearest. Returns buf.
 */
char *num_human_bytes(uint64_t bytes, char buf[NUM_HUMAN_SIZE]);

/* num_human_delta - the same with a sign: "+4.0 KiB", "-1.2 MiB", "0 B". Returns buf. */
char *num_human_delta(int64_t bytes, char buf[NUM_HUMAN_SIZE]);

#endif
