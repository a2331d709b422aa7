// SPDX-License-Identifier: MIT
/*
 * text_vmstat.c - what `vmstat -m` prints.
 *
 *	Cache                       Num  Total   Size  Pages
 *	dentry                    91890  91938    192     21
 *
 * "Pages" is the number of objects in a slab, whatever it says. Slabs and pages are not printed,
 * so the objects' own bytes are all that is known of the footprint: a lower bound. The heading
 * comes again every screen; a sample begins where the first name comes again behind one.
 */
#include "slabstat/text.h"
#include "util/num.h"

#include <string.h>

#define COLUMNS 4

struct vmstat {
	const char *first;	/* name of the sample's first row */
	size_t first_len;
	bool heading;		/* the line before was one */
};

static enum text_line scan_row(const struct line *l, struct word *name, uint64_t value[COLUMNS])
{
	const char *end = l->text + l->len;
	struct word w;
	uint64_t ignored;

	for (int i = COLUMNS - 1; i >= 0; i--)
		if (!word_last(l->text, &end, &w) || !word_u64(&w, &value[i]))
			return TEXT_OTHER;
	if (!word_last(l->text, &end, &w))
		return TEXT_OTHER;
	/* A fifth number is a row of something else, or of a cache whose name cannot be told. */
	if (word_u64(&w, &ignored) || value[0] > value[1])
		return TEXT_BAD;
	name->text = l->text;
	name->len = (size_t)(w.text + w.len - l->text);
	return TEXT_ROW;
}

static bool is_heading(const struct line *l)
{
	static const char *const words[] = { "Cache", "Num", "Total", "Size", "Pages" };
	const char *p = l->text, *end = p + l->len;
	struct word w;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!word_next(&p, end, &w) || !word_is(&w, words[i]))
			return false;
	return !word_next(&p, end, &w);
}

static enum text_line feed(struct text *t, const struct line *l)
{
	struct vmstat *vm = t->state;
	struct slabstat_cache *c;
	uint64_t value[COLUMNS];
	struct word name;
	bool heading = vm->heading;
	enum text_line what;

	if (is_heading(l)) {
		vm->heading = true;
		return TEXT_MARK;
	}
	what = scan_row(l, &name, value);
	if (what != TEXT_ROW)
		return what;
	vm->heading = false;
	if (heading && vm->first_len == name.len && memcmp(vm->first, name.text, name.len) == 0)
		text_begin(t, l);
	text_continue(t, l);
	if (!vm->first) {
		vm->first = name.text;
		vm->first_len = name.len;
	}
	c = text_cache(t, name.text, name.len);
	cache_set(c, SLABSTAT_OBJECTS, value[0], SLABSTAT_EXACT);
	cache_set(c, SLABSTAT_TOTAL_OBJECTS, value[1], SLABSTAT_EXACT);
	cache_set(c, SLABSTAT_SLAB_SIZE, value[2], SLABSTAT_EXACT);
	cache_set(c, SLABSTAT_OBJS_PER_SLAB, value[3], SLABSTAT_EXACT);
	cache_set(c, SLABSTAT_FOOTPRINT, num_mul_sat(value[1], value[2]), SLABSTAT_LOWER);
	return TEXT_ROW;
}

const struct text_format text_vmstat = {
	.name = "vmstat -m",
	.why_absent = "vmstat -m does not print it",
	.state_size = sizeof(struct vmstat),
	.feed = feed,
	.unmarked_percent = 80,
};
