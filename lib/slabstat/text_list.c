// SPDX-License-Identifier: MIT
/* text_list.c - the lists of the kernel's slabinfo; see text_list.h. */
#include "slabstat/text_list.h"
#include "util/num.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SMALLEST_PAGE ((uint64_t)4096)
#define PAGE_SIZES    7

/* ---- rows ------------------------------------------------------------------------------------ */

static void set(struct list_row *r, enum list_value v, uint64_t value)
{
	r->value[v] = value;
	r->has |= 1u << v;
}

static bool has(const struct list_row *r, enum list_value v)
{
	return r->has >> v & 1;
}

/* "532/219/4"; the three numbers are not scaled. */
static bool scan_slabs(const struct word *w, uint64_t value[3])
{
	const char *p = w->text, *end = p + w->len;

	for (int i = 0; i < 3; i++)
		if ((i && (p == end || *p++ != '/')) || num_scan_u64(&p, end, &value[i]))
			return false;
	return p == end;
}

static bool is_flags(const struct word *w)
{
	for (size_t i = 0; i < w->len; i++)
		if (!memchr("*dAPaZFUT", w->text[i], 9))
			return false;
	return true;
}

/* The name is what stands before the numbers, blanks and all. */
static bool take_name(const struct line *l, const char *end, struct word *name)
{
	while (end > l->text && line_blank(end[-1]))
		end--;
	name->text = l->text;
	name->len = (size_t)(end - l->text);
	return name->len > 0;
}

/* The last word as a number, into value v; no value for LIST_VALUES. */
static bool take_number(const struct line *l, const char **end, struct list_row *r,
			enum list_value v)
{
	struct word w;
	uint64_t value, step;

	if (!word_last(l->text, end, &w) || !word_decimal(&w, &value, &step))
		return false;
	if (v == LIST_SIZE)
		r->size_step = step;
	if (v != LIST_VALUES && (v == LIST_SIZE || step == 1))
		set(r, v, value);
	return true;
}

bool list_scan(const struct line *l, struct list_row *r)
{
	const char *end = l->text + l->len, *before;
	uint64_t slabs[3];
	struct word w;

	*r = (struct list_row){ .flags = { end, 0 } };
	before = end;
	if (!word_last(l->text, &before, &w))
		return false;
	if (is_flags(&w)) {
		r->flags = w;
		end = before;
	}
	if (!take_number(l, &end, r, LIST_VALUES) || !take_number(l, &end, r, LIST_VALUES) ||
	    !take_number(l, &end, r, LIST_ORDER) || !take_number(l, &end, r, LIST_OBJS_PER_SLAB) ||
	    !word_last(l->text, &end, &w) || !scan_slabs(&w, slabs) ||
	    !take_number(l, &end, r, LIST_SIZE) || !take_number(l, &end, r, LIST_OBJECT_SIZE) ||
	    !take_number(l, &end, r, LIST_OBJECTS))
		return false;
	set(r, LIST_SLABS, slabs[0] + slabs[2]);
	set(r, LIST_PARTIAL, slabs[1]);
	set(r, LIST_CPU_SLABS, slabs[2]);
	return take_name(l, end, &r->name);
}

bool list_scan_activity(const struct line *l, size_t numbers, struct list_row *r)
{
	const char *end = l->text + l->len;

	*r = (struct list_row){ .flags = { end, 0 } };
	if (numbers == 9 && (!take_number(l, &end, r, LIST_CMPXCHG_CPU) ||
			     !take_number(l, &end, r, LIST_CMPXCHG)))
		return false;
	if (!take_number(l, &end, r, LIST_ORDER) || !take_number(l, &end, r, LIST_FALLBACK) ||
	    !take_number(l, &end, r, LIST_VALUES) || !take_number(l, &end, r, LIST_VALUES) ||
	    !take_number(l, &end, r, LIST_FREES) || !take_number(l, &end, r, LIST_ALLOCS) ||
	    !take_number(l, &end, r, LIST_OBJECTS))
		return false;
	return take_name(l, end, &r->name);
}

bool list_scan_flags(const struct line *l, struct word *flags)
{
	*flags = (struct word){ l->text, l->len };
	return l->len > 0 && is_flags(flags);
}

bool list_was_row(const struct line *l)
{
	const char *p = l->text, *end = p + l->len;
	uint64_t slabs[3];
	struct word w;

	while (word_next(&p, end, &w))
		if (scan_slabs(&w, slabs))
			return true;
	return false;
}

int list_add(struct list *list, const struct list_row *r)
{
	if (list->count == list->room) {
		size_t room = list->room ? list->room * 2 : 64;
		struct list_row *more = reallocarray(list->row, room, sizeof(*more));

		if (!more)
			return -ENOMEM;
		list->row = more;
		list->room = room;
	}
	list->row[list->count] = *r;
	list->row[list->count].place = list->count;
	list->count++;
	return 0;
}

void list_free(struct list *list)
{
	free(list->row);
	*list = (struct list){ 0 };
}

/* ---- the page size --------------------------------------------------------------------------- */

/* Would a value print like this? */
static bool prints(uint64_t value, uint64_t stated, uint64_t step)
{
	return value >= stated && value - stated < step;
}

/* Does the row's size column fit this page size? Unknown columns are tried as either. */
static bool fits(const struct list_row *r, uint64_t page_size)
{
	uint64_t stated = r->value[LIST_SIZE], step = r->size_step;
	uint64_t order = r->value[LIST_ORDER] < 32 ? r->value[LIST_ORDER] : 32;
	uint64_t space = num_mul_sat(r->value[LIST_SLABS], page_size << order);
	uint64_t used = num_mul_sat(r->value[LIST_OBJECTS], r->value[LIST_OBJECT_SIZE]);

	if (r->column != LIST_LOSS && prints(space, stated, step))
		return true;
	return r->column != LIST_SPACE && space >= used && prints(space - used, stated, step);
}

static void settle_page_size(const struct list *list, struct slabstat_machine *m)
{
	size_t rows = 0, agree[PAGE_SIZES] = { 0 }, best = 0;

	for (size_t i = 0; i < list->count; i++) {
		const struct list_row *r = &list->row[i];

		if (!has(r, LIST_SIZE) || r->value[LIST_SLABS] == 0)
			continue;
		rows++;
		for (unsigned p = 0; p < PAGE_SIZES; p++)
			agree[p] += fits(r, SMALLEST_PAGE << p);
	}
	for (unsigned p = 1; p < PAGE_SIZES; p++)
		if (agree[p] > agree[best])
			best = p;
	if (m->page_size || agree[best] == 0)
		return;
	m->page_size = SMALLEST_PAGE << best;
	m->page_size_guessed = agree[best] < rows;
}

/* A list without any heading: is the size column space, or loss? The page size decides. */
static void settle_columns(struct list *list, uint64_t page_size)
{
	size_t space = 0, loss = 0;

	for (size_t i = 0; i < list->count; i++) {
		struct list_row r = list->row[i];

		if (r.column != LIST_UNKNOWN || !has(&r, LIST_SIZE) || !page_size)
			continue;
		r.column = LIST_SPACE;
		space += fits(&r, page_size);
		r.column = LIST_LOSS;
		loss += fits(&r, page_size);
	}
	for (size_t i = 0; i < list->count; i++)
		if (list->row[i].column == LIST_UNKNOWN)
			list->row[i].column = loss > space ? LIST_LOSS : LIST_SPACE;
}

/* ---- caches ---------------------------------------------------------------------------------- */

static int compare_word(const struct word *a, const struct word *b)
{
	size_t n = a->len < b->len ? a->len : b->len;
	int order = memcmp(a->text, b->text, n);

	return order ? order : a->len < b->len ? -1 : a->len > b->len;
}

static int compare_size(size_t a, size_t b)
{
	return a < b ? -1 : a > b;
}

static int by_block(const void *left, const void *right)
{
	const struct list_row *a = left, *b = right;
	int order = compare_word(&a->name, &b->name);

	if (order == 0)
		order = compare_size(a->block, b->block);
	return order ? order : compare_size(a->place, b->place);
}

static int by_nth(const void *left, const void *right)
{
	const struct list_row *a = left, *b = right;
	int order = compare_word(&a->name, &b->name);

	if (order == 0)
		order = compare_size(a->nth, b->nth);
	return order ? order : compare_size(a->place, b->place);
}

static void fill_flags(struct slabstat_cache *c, const struct word *flags)
{
	static const struct {
		char letter;
		enum slabstat_field field;
	} table[] = {
		{ 'd', SLABSTAT_CACHE_DMA },	 { 'A', SLABSTAT_HWCACHE_ALIGN },
		{ 'P', SLABSTAT_POISON },	 { 'a', SLABSTAT_RECLAIM_ACCOUNT },
		{ 'Z', SLABSTAT_RED_ZONE },	 { 'F', SLABSTAT_SANITY_CHECKS },
		{ 'U', SLABSTAT_STORE_USER },	 { 'T', SLABSTAT_TRACE },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		cache_set(c, table[i].field,
			  memchr(flags->text, table[i].letter, flags->len) != NULL, SLABSTAT_EXACT);
	if (memchr(flags->text, '*', flags->len))
		cache_set(c, SLABSTAT_ALIASES, 1, SLABSTAT_LOWER);
	else
		cache_set(c, SLABSTAT_ALIASES, 0, SLABSTAT_EXACT);
}

static void fill(struct slabstat_cache *c, const struct list_row *r)
{
	static const enum slabstat_field field[LIST_VALUES] = {
		[LIST_OBJECTS] = SLABSTAT_OBJECTS,
		[LIST_OBJECT_SIZE] = SLABSTAT_OBJECT_SIZE,
		[LIST_SLABS] = SLABSTAT_SLABS,
		[LIST_PARTIAL] = SLABSTAT_PARTIAL,
		[LIST_CPU_SLABS] = SLABSTAT_CPU_SLABS,
		[LIST_OBJS_PER_SLAB] = SLABSTAT_OBJS_PER_SLAB,
		[LIST_ORDER] = SLABSTAT_ORDER,
		[LIST_ALLOCS] = SLABSTAT_ALLOCS,
		[LIST_FREES] = SLABSTAT_FREES,
		[LIST_FALLBACK] = SLABSTAT_ORDER_FALLBACK,
		[LIST_CMPXCHG] = SLABSTAT_CMPXCHG_DOUBLE_FAIL,
		[LIST_CMPXCHG_CPU] = SLABSTAT_CMPXCHG_DOUBLE_CPU_FAIL,
	};

	for (unsigned v = 0; v < LIST_VALUES; v++)
		if (has(r, v) && v != LIST_SIZE)
			text_state(c, field[v], r->value[v], SLABSTAT_EXACT);
	if (has(r, LIST_SIZE))
		text_state(c, r->column == LIST_LOSS ? SLABSTAT_LOSS : SLABSTAT_FOOTPRINT,
			   r->value[LIST_SIZE], word_quality(r->size_step));
	if (has(r, LIST_SLABS))
		fill_flags(c, &r->flags);
}

int list_finish(struct list *list, struct text *t)
{
	struct slabstat_machine *m = text_machine(t);
	struct slabstat_cache *c = NULL;

	if (list->count == 0)
		return 0;
	settle_page_size(list, m);
	settle_columns(list, m->page_size);
	/* The n-th row of a name in one block is the n-th of that name in the others. */
	qsort(list->row, list->count, sizeof(*list->row), by_block);
	for (size_t i = 1; i < list->count; i++) {
		struct list_row *r = &list->row[i];

		if (r->block == r[-1].block && compare_word(&r->name, &r[-1].name) == 0)
			r->nth = r[-1].nth + 1;
	}
	qsort(list->row, list->count, sizeof(*list->row), by_nth);
	for (size_t i = 0; i < list->count; i++) {
		const struct list_row *r = &list->row[i];

		if (i == 0 || r->nth != r[-1].nth || compare_word(&r->name, &r[-1].name) != 0)
			c = text_cache(t, r->name.text, r->name.len);
		fill(c, r);
	}
	return t->no_memory ? -ENOMEM : 0;
}
