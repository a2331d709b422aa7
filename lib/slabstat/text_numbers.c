// SPDX-License-Identifier: MIT
/*
 * text_numbers.c - a plain column of numbers: the bytes lost to fragmentation, one sample a line.
 *
 * Scripts that watched merging reduced each `slabinfo -X` to this one number. It is the totals'
 * loss_bytes; there are no caches.
 */
#include "slabstat/text.h"

static enum text_line feed(struct text *t, const struct line *l)
{
	const char *p = l->text, *end = p + l->len;
	struct word w, more;
	uint64_t value;

	if (!word_next(&p, end, &w) || !word_u64(&w, &value) || word_next(&p, end, &more))
		return TEXT_OTHER;
	text_begin(t, l);
	cache_set(text_reported(t), SLABSTAT_LOSS, value, SLABSTAT_EXACT);
	return TEXT_ROW;
}

const struct text_format text_numbers = {
	.name = "a column of numbers",
	.why_absent = "a column of numbers has nothing else",
	.feed = feed,
	.unmarked_percent = 90,
};
