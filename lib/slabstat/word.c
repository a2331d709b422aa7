// SPDX-License-Identifier: MIT
/* word.c - words of a line, and the numbers that they are; see word.h. */
#include "slabstat/word.h"

#include "slabstat/line.h"
#include "util/num.h"

#include <string.h>

bool word_next(const char **p, const char *end, struct word *w)
{
	while (*p < end && line_blank(**p))
		(*p)++;
	w->text = *p;
	while (*p < end && !line_blank(**p))
		(*p)++;
	w->len = (size_t)(*p - w->text);
	return w->len > 0;
}

bool word_last(const char *text, const char **end, struct word *w)
{
	const char *last;

	while (*end > text && line_blank((*end)[-1]))
		(*end)--;
	last = *end;
	while (*end > text && !line_blank((*end)[-1]))
		(*end)--;
	w->text = *end;
	w->len = (size_t)(last - *end);
	return w->len > 0;
}

bool word_is(const struct word *w, const char *text)
{
	return w->len == strlen(text) && memcmp(w->text, text, w->len) == 0;
}

bool word_u64(const struct word *w, uint64_t *value)
{
	const char *p = w->text;

	return num_scan_u64(&p, w->text + w->len, value) == 0 && p == w->text + w->len;
}

/* A fraction of digits in units of unit: the part of unit that they are, and that of one more. */
static uint64_t scan_fraction(const char **p, const char *end, uint64_t unit, uint64_t *step)
{
	uint64_t digits = 0, scale = 1;

	for (; *p < end && **p >= '0' && **p <= '9'; (*p)++) {
		if (scale > 1000000)
			continue;	/* beyond what any tool prints */
		digits = digits * 10 + (uint64_t)(**p - '0');
		scale *= 10;
	}
	*step = unit / scale ? unit / scale : 1;
	return num_muldiv(digits, unit, scale);
}

/* The unit named by a letter: 1 for none, 0 for one that is none. */
static uint64_t unit_of(const char **p, const char *end, uint64_t base)
{
	static const char letters[] = "KMGTPE";
	const char *at;
	uint64_t unit = 1;

	if (*p == end)
		return 1;
	if (**p == 'B' || **p == 'b') {
		(*p)++;
		return 1;
	}
	at = strchr(letters, **p == 'k' ? 'K' : **p);
	if (!at || !*at)
		return 0;
	(*p)++;
	for (long i = at - letters; i >= 0; i--)
		unit *= base;
	if (*p < end && **p == 'i')
		(*p)++;
	if (*p < end && **p == 'B')
		(*p)++;
	return unit;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* NUMBER[sign DIGITS][unit]; the sign is "." or, where any will do, what stands between digits. */
static bool scan_scaled(const struct word *w, uint64_t base, bool any_sign, uint64_t *value,
			uint64_t *step)
{
	const char *p = w->text, *end = p + w->len, *fraction, *after;
	uint64_t whole, unit, part_step;

	if (num_scan_u64(&p, end, &whole))
		return false;
	fraction = p;
	if (p < end && any_sign)
		while (fraction < end && !is_digit(*fraction) && fraction - p < 4)
			fraction++;
	else if (p < end && *p == '.')
		fraction++;
	if (fraction == end || fraction == p || !is_digit(*fraction))
		fraction = p;	/* whole: what follows is the unit */
	after = fraction;
	if (fraction > p)
		while (after < end && is_digit(*after))
			after++;
	unit = unit_of(&after, end, base);
	if (unit == 0 || after != end)
		return false;
	*step = unit;
	*value = num_mul_sat(whole, unit);
	if (fraction > p) {
		*value = num_add_sat(*value, scan_fraction(&fraction, end, unit, &part_step));
		*step = part_step;
	}
	return true;
}

bool word_decimal(const struct word *w, uint64_t *value, uint64_t *step)
{
	uint64_t ignored;

	return scan_scaled(w, 1000, false, value, step ? step : &ignored);
}

bool word_binary(const struct word *w, uint64_t *bytes, uint64_t *step)
{
	if (!scan_scaled(w, 1024, true, bytes, step))
		return false;
	/* Sizes of whole slabs are multiples of a kilobyte: printed so, they are exact. */
	if (*step == 1024)
		*step = 1;
	return true;
}
