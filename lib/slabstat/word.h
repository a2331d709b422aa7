/* SPDX-License-Identifier: MIT */
/* word.h - words of a line, between blanks and tabs, and the numbers that they are. */
#ifndef SLABSTAT_WORD_H
#define SLABSTAT_WORD_H

#include <slab/slabstat.h>

struct word {
	const char *text;
	size_t len;
};

/* word_next - the next word before end; false where there is none. Steps *p past it. */
bool word_next(const char **p, const char *end, struct word *w);

/* word_last - the last word of [text, *end); false where there is none. Steps *end before it. */
bool word_last(const char *text, const char **end, struct word *w);

bool word_is(const struct word *w, const char *text);

/* word_u64 - the whole word is a number. */
bool word_u64(const struct word *w, uint64_t *value);

/*
 * word_decimal - a number as the kernel's slabinfo prints it: "832", "4.0K", "79.2M" (units of
 * 1000, cut to one decimal). Without a unit it is exact, else *step (may be NULL) is the distance
 * to the next number that prints otherwise.
 */
bool word_decimal(const struct word *w, uint64_t *value, uint64_t *step);

/*
 * word_binary - a size as slabtop prints it: "0.19K", "17512K", "1,5M", "832B": units of 1024, a
 * decimal sign of any locale. step as above, 1 for whole kilobytes and bytes.
 */
bool word_binary(const struct word *w, uint64_t *bytes, uint64_t *step);

static inline enum slabstat_quality word_quality(uint64_t step)
{
	return step == 1 ? SLABSTAT_EXACT : SLABSTAT_ESTIMATE;
}

#endif
