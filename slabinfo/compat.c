// SPDX-License-Identifier: MIT
/* compat.c - what the kernel tool's layouts share: caches, names, orders, numbers; see compat.h. */
#include "compat.h"

#include "util/name.h"
#include "util/num.h"
#include "util/safe.h"

#include <inttypes.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers --------------------------------------------------------------------------------- */

/* One decimal, cut off, and a decimal unit for anything strictly greater. */
const char *compat_scale(uint64_t value, bool exact, char buf[COMPAT_NUMBER])
{
	static const struct {
		uint64_t above;
		char letter;
	} unit[] = { { 1000000000, 'G' }, { 1000000, 'M' }, { 1000, 'K' } };

	for (size_t i = 0; !exact && i < sizeof(unit) / sizeof(unit[0]); i++) {
		if (value > unit[i].above) {
			uint64_t tenths = value / (unit[i].above / 10);

			snprintf(buf, COMPAT_NUMBER, "%" PRIu64 ".%" PRIu64 "%c", tenths / 10,
				 tenths % 10, unit[i].letter);
			return buf;
		}
	}
	snprintf(buf, COMPAT_NUMBER, "%" PRIu64, value);
	return buf;
}

uint64_t compat_size(const struct slabstat_cache *c)
{
	return compat_get(c, SLABSTAT_FOOTPRINT);
}

uint64_t compat_loss(const struct slabstat_cache *c)
{
	return compat_get(c, SLABSTAT_LOSS);
}

uint64_t compat_padding(const struct slabstat_cache *c)
{
	uint64_t object;

	if (slabstat_cache_value(c, SLABSTAT_OBJECT_SIZE, &object) == SLABSTAT_ABSENT)
		return 0;
	return compat_less(compat_get(c, SLABSTAT_SLAB_SIZE), object);
}

uint64_t compat_activity(const struct slabstat_cache *c)
{
	return num_add_sat(num_add_sat(compat_get(c, SLABSTAT_ALLOC_FASTPATH),
				       compat_get(c, SLABSTAT_ALLOC_SLOWPATH)),
			   num_add_sat(compat_get(c, SLABSTAT_FREE_FASTPATH),
				       compat_get(c, SLABSTAT_FREE_SLOWPATH)));
}

/* ---- names ----------------------------------------------------------------------------------- */

/* With -f: a user whose name begins with "kmall", else the longest name; the first of equals. */
static bool better_alias(const char *a, const char *than)
{
	bool ka = strncmp(a, "kmall", 5) == 0, kb = strncmp(than, "kmall", 5) == 0;
	size_t la = strlen(a), lb = strlen(than);

	if (ka != kb)
		return ka;
	if (!ka && la != lb)
		return la > lb;
	return name_compare(a, than) < 0;
}

/* Only the users that match count, as the kernel's tool reads no others. */
static const char *shown_name(const struct slabstat_cache *cache, const regex_t *pattern,
			      bool first)
{
	const char *name = slabstat_cache_name(cache), *best = NULL;
	size_t matched = 0;

	if (*name != ':')
		return name;
	for (size_t i = 0; i < slabstat_cache_alias_count(cache); i++) {
		const char *alias = slabstat_cache_alias(cache, i);

		if (pattern && regexec(pattern, alias, 0, NULL, 0) != 0)
			continue;
		matched++;
		if (!best || better_alias(alias, best))
			best = alias;
	}
	return matched == 1 || (first && matched) ? best : name;
}

static bool set_name(struct compat_row *row, const char *name, unsigned flags)
{
	row->name = name;
	if (safe_is_plain(name, flags))
		return true;
	row->name = row->owned = safe_text(name, flags);
	return row->owned != NULL;
}

/* ---- which, and in which order --------------------------------------------------------------- */

static bool listed(const struct request *r, const struct slabstat_cache *c)
{
	bool empty = slabstat_cache_or(c, SLABSTAT_SLABS, 1) == 0;

	if (r->unreclaimable_only && compat_get(c, SLABSTAT_RECLAIM_ACCOUNT))
		return false;
	return r->empty_only ? empty : !empty || r->show_empty;
}

static bool fill(const struct view *v, enum compat_keep keep, const struct slabstat_rows *from,
		 const regex_t *pattern, struct compat_rows *rows)
{
	const unsigned flags = v->out->ascii ? SAFE_ASCII : 0;
	const size_t n = slabstat_rows_count(from);

	rows->n = 0;
	rows->row = calloc(n ? n : 1, sizeof(*rows->row));
	if (!rows->row)
		return false;
	for (size_t i = 0; i < n; i++) {
		struct compat_row *row = &rows->row[rows->n];

		row->cache = slabstat_rows_caches(from)[i];
		if (keep == COMPAT_LISTED && !listed(v->r, row->cache))
			continue;
		rows->n++;
		if (!set_name(row, shown_name(row->cache, pattern, v->r->first_alias), flags))
			return false;
	}
	return true;
}

bool compat_select(const struct view *v, enum compat_keep keep, struct compat_rows *rows)
{
	struct slabstat_rows *from = mode_select_all(v);
	const char *pattern = v->r->pattern;
	regex_t regex;
	bool ok;

	*rows = (struct compat_rows){ 0 };
	if (!from)
		return false;
	/* It compiles: the selection has compiled it. */
	if (pattern && regcomp(&regex, pattern, REG_ICASE | REG_NOSUB) != 0)
		pattern = NULL;
	ok = fill(v, keep, from, pattern ? &regex : NULL, rows);
	if (pattern)
		regfree(&regex);
	slabstat_rows_free(from);
	if (!ok) {
		fputs("slabinfo: out of memory\n", stderr);
		compat_free(rows);
		return false;
	}
	compat_sort(rows, ORDER_NAME, v->r->inverted);
	return true;
}

void compat_free(struct compat_rows *rows)
{
	for (size_t i = 0; i < rows->n; i++)
		free(rows->row[i].owned);
	free(rows->row);
	*rows = (struct compat_rows){ 0 };
}

static uint64_t sort_value(const struct slabstat_cache *c, enum order order)
{
	switch (order) {
	case ORDER_SIZE:
		return compat_size(c);
	case ORDER_ACTIVITY:
		return compat_activity(c);
	case ORDER_LOSS:
		return compat_loss(c);
	case ORDER_PARTIAL:
		return compat_get(c, SLABSTAT_PARTIAL);
	case ORDER_NAME:
		break;
	}
	return 0;
}

struct sorting {
	enum order order;
	bool reverse;
};

static int compare(const void *pa, const void *pb, void *arg)
{
	const struct compat_row *a = pa, *b = pb;
	const struct sorting *s = arg;
	uint64_t va = sort_value(a->cache, s->order), vb = sort_value(b->cache, s->order);
	int c = va != vb ? (va > vb ? -1 : 1) : name_compare(a->name, b->name);

	if (c == 0) /* two caches of one name: the directory they have decides */
		c = strcmp(slabstat_cache_name(a->cache), slabstat_cache_name(b->cache));
	return s->reverse ? -c : c;
}

void compat_sort(struct compat_rows *rows, enum order order, bool reverse)
{
	struct sorting s = { order, reverse };

	qsort_r(rows->row, rows->n, sizeof(*rows->row), compare, &s);
}

bool compat_choose(const struct view *v, enum compat_keep keep, struct compat_rows *rows)
{
	if (!compat_select(v, keep, rows))
		return false;
	compat_sort(rows, v->r->order, v->r->inverted);
	for (size_t i = v->r->lines; v->r->lines && i < rows->n; i++)
		free(rows->row[i].owned);
	if (v->r->lines && v->r->lines < rows->n)
		rows->n = v->r->lines;
	return true;
}
