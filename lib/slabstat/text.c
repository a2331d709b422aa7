// SPDX-License-Identifier: MIT
/* text.c - samples and words of another tool's output; see text.h. */
#include "slabstat/text.h"
#include "util/num.h"

#include <string.h>

/* ---- samples ----------------------------------------------------------------------------------- */

void text_begin(struct text *t, const struct line *l)
{
	t->begun = true;
	t->apart = t->content = false;
	if (t->s)
		return;
	if (sample_add(&t->samples, (size_t)(t->raw - t->start), l->number - 1, t->wall_ns))
		t->no_memory = true;
	t->wall_ns = 0;
	if (t->format->close)
		t->format->close(t);
	memset(t->state, 0, t->format->state_size);
}

void text_continue(struct text *t, const struct line *l)
{
	if (!t->begun || (t->apart && t->content))
		text_begin(t, l);
	t->content = true;
}

/* ---- what a sample is read into ---------------------------------------------------------------- */

static struct slabstat_cache *or_stand_in(struct text *t, struct slabstat_cache *c)
{
	if (c)
		return c;
	t->no_memory |= t->s != NULL;
	memset(&t->stand_in, 0, sizeof(t->stand_in));
	return &t->stand_in;
}

struct slabstat_cache *text_cache(struct text *t, const char *name, size_t len)
{
	return or_stand_in(t, t->s ? snapshot_add(t->s, name, len) : NULL);
}

struct slabstat_cache *text_reported(struct text *t)
{
	return or_stand_in(t, t->s ? snapshot_report(t->s) : NULL);
}

struct slabstat_machine *text_machine(struct text *t)
{
	return t->s ? &t->s->machine : &t->machine;
}

void text_link(struct text *t, const char *name, size_t len, const char *target, size_t target_len)
{
	const char *link, *to;

	if (!t->s)
		return;
	link = snapshot_string(t->s, name, len);
	to = snapshot_string(t->s, target, target_len);
	if (!link || !to || snapshot_link(t->s, link, to))
		t->no_memory = true;
}

void text_state(struct slabstat_cache *c, enum slabstat_field f, uint64_t value,
		enum slabstat_quality q)
{
	if (!cache_has(c, f) || q == SLABSTAT_EXACT)
		cache_set(c, f, value, q);
}

/* ---- words ------------------------------------------------------------------------------------- */

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
