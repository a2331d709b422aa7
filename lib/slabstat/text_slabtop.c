// SPDX-License-Identifier: MIT
/*
 * text_slabtop.c - what `slabtop -o` prints, of procps old and new, in any language.
 *
 *	 Active / Total Objects (% used)    : 428935 / 435525 (98.5%)
 *	 ...
 *	  OBJS ACTIVE  USE OBJ SIZE  SLABS OBJ/SLAB CACHE SIZE NAME
 *	 91938  91890  99%    0.19K   4378       21     17512K dentry
 *
 * Words may be translated and the decimal sign is the locale's, so rows and totals are known by
 * their shape. OBJ SIZE is the distance between objects (what /proc/slabinfo calls objsize), cut to
 * a hundredth of a kilobyte; how many objects fit in a slab tells more. CACHE SIZE is slabs x pages
 * x page size in whole kilobytes, so it is exact. "Total Size" of the head is objects x size, not
 * the memory that the slabs take, and is not kept.
 */
#include "slabstat/text.h"
#include "util/num.h"

#include <errno.h>

struct slabtop {
	unsigned totals;	/* lines of the head seen in this sample */
	uint64_t total[3];	/* of the first three: objects, slabs, caches */
	uint64_t slabs;		/* in all rows */
	bool rows;
	bool padded;		/* the last row was padded to the width of the column */
};

struct row {
	uint64_t objs, active, slabs, per_slab;
	uint64_t size, size_step, cache, cache_step;
	const char *name;
	size_t name_len;
};

/* ---- rows ------------------------------------------------------------------------------------ */

static bool scan_u64(const char **p, const char *end, uint64_t *value)
{
	struct word w;

	return word_next(p, end, &w) && word_u64(&w, value);
}

static bool scan_size(const char **p, const char *end, uint64_t *value, uint64_t *step)
{
	struct word w;

	return word_next(p, end, &w) && word_binary(&w, value, step) && w.text[w.len - 1] > '9';
}

static bool scan_percent(const char **p, const char *end)
{
	struct word w;

	return word_next(p, end, &w) && w.len > 1 && w.text[w.len - 1] == '%';
}

static bool scan_row(const struct line *l, struct row *r)
{
	const char *p = l->text, *end = p + l->len;

	if (!scan_u64(&p, end, &r->objs) || !scan_u64(&p, end, &r->active) ||
	    !scan_percent(&p, end) || !scan_size(&p, end, &r->size, &r->size_step) ||
	    !scan_u64(&p, end, &r->slabs) || !scan_u64(&p, end, &r->per_slab) ||
	    !scan_size(&p, end, &r->cache, &r->cache_step))
		return false;
	while (p < end && line_blank(*p))
		p++;
	r->name = p;
	r->name_len = (size_t)(end - p);
	return r->name_len > 0 && r->active <= r->objs;
}

/* Begins like a row, so it was one: cut at its end, or with columns that ran together. */
static bool was_row(const struct line *l)
{
	const char *p = l->text, *end = p + l->len;
	uint64_t value;

	if (!scan_u64(&p, end, &value))
		return false;
	return scan_percent(&p, end) || scan_percent(&p, end);
}

static uint64_t less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/*
 * The size of an object from two sides: as printed, give or take size_step, and from how many fit
 * in a slab. Where both leave a choice the kernel's alignment of eight decides.
 */
static uint64_t object_size(const struct row *r)
{
	uint64_t slab, low, high, size = r->size, aligned;

	if (r->slabs == 0 || r->per_slab == 0 || r->objs != num_mul_sat(r->slabs, r->per_slab))
		return size;
	slab = r->cache / r->slabs;
	low = slab / num_add_sat(r->per_slab, 1) + 1;
	high = slab / r->per_slab;
	if (low < less(size, r->size_step))
		low = less(size, r->size_step);
	if (high > num_add_sat(size, r->size_step))
		high = num_add_sat(size, r->size_step);
	if (low > high)
		return size;
	size = size < low ? low : size > high ? high : size;
	aligned = num_add_sat(size, 4) / 8 * 8;
	if (aligned < low)
		aligned = num_add_sat(aligned, 8);
	if (aligned > high)
		aligned = less(aligned, 8);
	return aligned >= low && aligned <= high ? aligned : size;
}

static void fill_row(struct text *t, const struct row *r)
{
	struct slabstat_cache *c = text_cache(t, r->name, r->name_len);

	cache_set(c, SLABSTAT_TOTAL_OBJECTS, r->objs, SLABSTAT_EXACT);
	cache_set(c, SLABSTAT_OBJECTS, r->active, SLABSTAT_EXACT);
	cache_set(c, SLABSTAT_SLABS, r->slabs, SLABSTAT_EXACT);
	cache_set(c, SLABSTAT_OBJS_PER_SLAB, r->per_slab, SLABSTAT_EXACT);
	cache_set(c, SLABSTAT_SLAB_SIZE, object_size(r), word_quality(r->size_step));
	cache_set(c, SLABSTAT_FOOTPRINT, r->cache, word_quality(r->cache_step));
}

/* ---- totals ---------------------------------------------------------------------------------- */

/* "... : 428935 / 435525 (98.5%)": the two numbers; sizes have a unit. */
static bool scan_total(const struct line *l, uint64_t value[2], bool *number)
{
	const char *end = l->text + l->len, *p = end - 1;
	struct word w, before;
	uint64_t step;

	/* From the right: a percentage in parentheses, which may have a blank inside. */
	if (l->len < 4 || end[-1] != ')' || end[-2] != '%')
		return false;
	while (p > l->text && *p != '(')
		p--;
	end = p;	/* at the start of the line nothing is left to find */
	*number = true;
	for (int i = 1; i >= 0; i--) {
		if (!word_last(l->text, &end, &w))
			return false;
		if (!word_u64(&w, &value[i])) {
			if (!word_binary(&w, &value[i], &step))
				return false;
			*number = false;
		}
		if (!word_last(l->text, &end, &before) ||
		    !(i ? word_is(&before, "/") : before.text[before.len - 1] == ':'))
			return false;
	}
	return true;
}

static enum text_line feed_total(struct text *t, const struct line *l, const uint64_t value[2],
				 bool number)
{
	struct slabtop *st = t->state;
	struct slabstat_cache *c;

	if (st->totals == 0 || st->totals >= 4 || st->rows)
		text_begin(t, l);
	c = text_reported(t);
	if (st->totals == 0 && number) {
		cache_set(c, SLABSTAT_OBJECTS, value[0], SLABSTAT_EXACT);
		cache_set(c, SLABSTAT_TOTAL_OBJECTS, value[1], SLABSTAT_EXACT);
	}
	if (number && st->totals < 3)
		st->total[st->totals] = value[1];
	st->totals++;
	return TEXT_MARK;
}

static bool is_heading(const struct line *l)
{
	return line_begins(l, "OBJS ACTIVE ");
}

static enum text_line feed(struct text *t, const struct line *l)
{
	struct slabtop *st = t->state;
	struct row row;
	uint64_t total[2];
	bool number, padded;

	if (scan_row(l, &row)) {
		/*
		 * Rows are padded to a width; a last one that is not, and has no line end, was cut.
		 */
		padded = line_blank(t->raw_end[-1]);
		if (!t->ended && st->padded && !padded && row.name_len < 23)
			return TEXT_BAD;
		text_continue(t, l);
		fill_row(t, &row);
		st->slabs = num_add_sat(st->slabs, row.slabs);
		st->rows = true;
		st->padded = padded;
		return TEXT_ROW;
	}
	if (scan_total(l, total, &number))
		return feed_total(t, l, total, number);
	if (is_heading(l)) {
		if (st->totals == 0 || st->rows)
			text_begin(t, l);
		return TEXT_MARK;
	}
	return was_row(l) ? TEXT_BAD : TEXT_OTHER;
}

/*
 * procps before 3.3.4 printed the totals of slabs and caches each in the other's line. More slabs
 * in the rows than in all show it; the line of caches cannot be trusted alone, for there are
 * slabtops that print bytes there.
 */
static int finish(struct text *t)
{
	const struct slabtop *st = t->state;
	uint64_t slabs = st->total[1];

	if (st->totals < 2)
		return 0;
	if (slabs < st->slabs && st->total[2] >= st->slabs)
		slabs = st->total[2];
	cache_set(text_reported(t), SLABSTAT_SLABS, slabs, SLABSTAT_EXACT);
	return t->no_memory ? -ENOMEM : 0;
}

const struct text_format text_slabtop = {
	.name = "slabtop -o",
	.why_absent = "slabtop does not print it",
	.state_size = sizeof(struct slabtop),
	.feed = feed,
	.finish = finish,
};
