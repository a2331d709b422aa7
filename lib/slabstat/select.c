// SPDX-License-Identifier: MIT
/*
 * select.c - which caches, in which order, how many.
 *
 * filter (pattern, match, keep) -> fold families -> sort -> cut. The order is total: behind the
 * keys come label, name and place in the source, so the same snapshot always gives the same rows.
 * A cache is matched by its own name, its label or any alias, whatever the kernel chose to call it.
 */
#include "slabstat/error.h"
#include "slabstat/fold.h"
#include "util/name.h"

#include <errno.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

struct slabstat_rows {
	struct arena arena;			/* folds and lists of members */
	const struct slabstat_cache **cache;
	struct member_list {
		/* NULL: the row is its only member */
		const struct slabstat_cache *const *cache;
		size_t count;
	} *members;				/* NULL: no families were asked for */
	size_t count, matched;
};

/* ---- filter ---------------------------------------------------------------------------------- */

struct filter {
	regex_t *regex;		/* those of match, any of which will do */
	size_t count;
	regex_t pattern;
	bool has_pattern;
};

static int compile(struct slabstat *h, regex_t *regex, const char *text, int flags)
{
	char why[200];
	int ret = regcomp(regex, text, flags | REG_NOSUB);

	if (ret == 0)
		return 0;
	regerror(ret, regex, why, sizeof(why));
	return error_set(h, ret == REG_ESPACE ? -ENOMEM : -EINVAL, NULL, 0, "pattern '%s': %s",
			 text, why);
}

static void filter_free(struct filter *f)
{
	for (size_t i = 0; i < f->count; i++)
		regfree(&f->regex[i]);
	free(f->regex);
	if (f->has_pattern)
		regfree(&f->pattern);
}

static int filter_init(struct slabstat *h, struct filter *f, const struct slabstat_select *how)
{
	int ret;

	memset(f, 0, sizeof(*f));
	if (how->match_count) {
		f->regex = calloc(how->match_count, sizeof(*f->regex));
		if (!f->regex)
			return error_memory(h);
	}
	for (size_t i = 0; i < how->match_count; i++) {
		ret = compile(h, &f->regex[i], how->match[i], REG_EXTENDED);
		if (ret)
			goto fail;
		f->count++;
	}
	if (how->pattern) {
		ret = compile(h, &f->pattern, how->pattern, REG_ICASE);
		if (ret)
			goto fail;
		f->has_pattern = true;
	}
	return 0;
fail:
	filter_free(f);
	return ret;
}

/* Does one of the cache's names match? */
static bool names_match(const regex_t *regex, const struct slabstat_cache *c)
{
	if (regexec(regex, c->name, 0, NULL, 0) == 0)
		return true;
	if (c->label != c->name && regexec(regex, c->label, 0, NULL, 0) == 0)
		return true;
	for (size_t i = 0; i < c->alias_count; i++)
		if (regexec(regex, c->alias[i], 0, NULL, 0) == 0)
			return true;
	return false;
}

static bool filter_passes(const struct filter *f, const struct slabstat_cache *c)
{
	if (f->has_pattern && !names_match(&f->pattern, c))
		return false;
	for (size_t i = 0; i < f->count; i++)
		if (names_match(&f->regex[i], c))
			return true;
	return f->count == 0;
}

/* ---- order ----------------------------------------------------------------------------------- */

static int compare_names(const struct slabstat_cache *a, const struct slabstat_cache *b)
{
	int order = name_compare(a->label, b->label);

	return order ? order : name_compare(a->name, b->name);
}

/* Absent values stand last whichever way the rest runs. */
static int compare_field(const struct slabstat_cache *a, const struct slabstat_cache *b,
			 enum slabstat_field f, bool ascending)
{
	bool has_a = cache_has(a, f), has_b = cache_has(b, f);

	if (!has_a || !has_b)
		return (int)has_b - (int)has_a;
	if (a->value[f] == b->value[f])
		return 0;
	return (a->value[f] < b->value[f]) == ascending ? -1 : 1;
}

static int compare_caches(const void *left, const void *right, void *arg)
{
	const struct slabstat_cache *a = *(const struct slabstat_cache *const *)left;
	const struct slabstat_cache *b = *(const struct slabstat_cache *const *)right;
	const struct slabstat_select *how = arg;
	int order = 0;

	for (size_t i = 0; i < how->sort_count && order == 0; i++) {
		const struct slabstat_sort_key *key = &how->sort[i];
		bool ascending = key->ascending != how->reverse;

		if (key->field == SLABSTAT_SORT_LABEL)
			order = ascending ? compare_names(a, b) : compare_names(b, a);
		else
			order = compare_field(a, b, (enum slabstat_field)key->field, ascending);
	}
	if (order)
		return order;
	order = compare_names(a, b);
	if (order == 0)
		order = a->position < b->position ? -1 : a->position > b->position;
	return how->reverse ? -order : order;
}

/* ---- families -------------------------------------------------------------------------------- */

struct kin {
	const char *family;
	const struct slabstat_cache *cache;
	size_t place;		/* among the rows: members keep the snapshot's order */
};

static int compare_kin(const void *left, const void *right)
{
	const struct kin *a = left, *b = right;
	int order = name_compare(a->family, b->family);

	return order ? order : a->place < b->place ? -1 : a->place > b->place;
}

static const char *family_of(struct arena *a, const char *label)
{
	size_t len = slabstat_family(label, NULL, 0);
	char *text = arena_alloc(a, len + 1);

	if (text)
		slabstat_family(label, text, len + 1);
	return text;
}

/* One row for the n kin at k: a cache alone stays itself, with its own name. */
static int fold_row(struct slabstat_rows *rows, size_t row, const struct kin *k, size_t n)
{
	const struct slabstat_cache **list;

	rows->members[row].count = n;
	rows->cache[row] = k->cache;
	if (n == 1)
		return 0;
	list = arena_alloc(&rows->arena, n * sizeof(*list));
	if (!list)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		list[i] = k[i].cache;
	rows->members[row].cache = list;
	rows->cache[row] = fold_caches(&rows->arena, k->family, list, n);
	return rows->cache[row] ? 0 : -ENOMEM;
}

static int fold_rows(struct slabstat_rows *rows)
{
	struct kin *kin = calloc(rows->count + 1, sizeof(*kin));
	size_t n = 0, next;
	int ret = 0;

	rows->members = calloc(rows->count + 1, sizeof(*rows->members));
	if (!kin || !rows->members)
		ret = -ENOMEM;
	for (size_t i = 0; i < rows->count && ret == 0; i++) {
		kin[i] = (struct kin){ family_of(&rows->arena, rows->cache[i]->label),
				       rows->cache[i], i };
		if (!kin[i].family)
			ret = -ENOMEM;
	}
	if (ret == 0)
		qsort(kin, rows->count, sizeof(*kin), compare_kin);
	for (size_t i = 0; i < rows->count && ret == 0; i = next, n++) {
		for (next = i + 1; next < rows->count; next++)
			if (strcmp(kin[next].family, kin[i].family) != 0)
				break;
		ret = fold_row(rows, n, &kin[i], next - i);
	}
	rows->count = n;
	free(kin);
	return ret;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Sorting moves caches; their members must go with them. */
static int sort_rows(struct slabstat_rows *rows, const struct slabstat_select *how)
{
	struct paired {
		const struct slabstat_cache *cache;	/* first: compare_caches looks here */
		struct member_list members;
	} *paired;

	if (!rows->members) {
		qsort_r(rows->cache, rows->count, sizeof(*rows->cache), compare_caches,
			(void *)how);
		return 0;
	}
	paired = calloc(rows->count + 1, sizeof(*paired));
	if (!paired)
		return -ENOMEM;
	for (size_t i = 0; i < rows->count; i++)
		paired[i] = (struct paired){ rows->cache[i], rows->members[i] };
	qsort_r(paired, rows->count, sizeof(*paired), compare_caches, (void *)how);
	for (size_t i = 0; i < rows->count; i++) {
		rows->cache[i] = paired[i].cache;
		rows->members[i] = paired[i].members;
	}
	free(paired);
	return 0;
}

static bool keys_valid(const struct slabstat_select *how)
{
	for (size_t i = 0; i < how->sort_count; i++)
		if (how->sort[i].field != SLABSTAT_SORT_LABEL &&
		    (how->sort[i].field < 0 || how->sort[i].field >= SLABSTAT_NFIELDS))
			return false;
	return true;
}

int slabstat_select(struct slabstat *h, const struct slabstat_snapshot *snapshot,
		    const struct slabstat_select *how, struct slabstat_rows **out)
{
	struct slabstat_rows *rows;
	struct filter filter;
	int ret;

	*out = NULL;
	if (!keys_valid(how))
		return error_set(h, -EINVAL, NULL, 0, "no such field to sort by");
	ret = filter_init(h, &filter, how);
	if (ret)
		return ret;
	rows = calloc(1, sizeof(*rows));
	if (rows)
		rows->cache = calloc(snapshot->count + 1, sizeof(struct slabstat_cache *));
	if (!rows || !rows->cache) {
		ret = -ENOMEM;
		goto out;
	}
	for (size_t i = 0; i < snapshot->count; i++)
		if (filter_passes(&filter, snapshot->cache[i]) &&
		    (!how->keep || how->keep(snapshot->cache[i], how->arg)))
			rows->cache[rows->count++] = snapshot->cache[i];
	if (how->families)
		ret = fold_rows(rows);
	if (ret == 0)
		ret = sort_rows(rows, how);
	rows->matched = rows->count;
	if (how->top && how->top < rows->count)
		rows->count = how->top;
out:
	filter_free(&filter);
	if (ret) {
		slabstat_rows_free(rows);
		return error_memory(h);
	}
	*out = rows;
	return 0;
}

void slabstat_rows_free(struct slabstat_rows *rows)
{
	if (!rows)
		return;
	arena_free(&rows->arena);
	free(rows->cache);
	free(rows->members);
	free(rows);
}

size_t slabstat_rows_count(const struct slabstat_rows *rows)
{
	return rows->count;
}

size_t slabstat_rows_matched(const struct slabstat_rows *rows)
{
	return rows->matched;
}

const struct slabstat_cache *const *slabstat_rows_caches(const struct slabstat_rows *rows)
{
	return rows->cache;
}

size_t slabstat_rows_members(const struct slabstat_rows *rows, size_t i,
			     const struct slabstat_cache *const **members)
{
	if (rows->members && rows->members[i].cache) {
		*members = rows->members[i].cache;
		return rows->members[i].count;
	}
	*members = &rows->cache[i];
	return 1;
}
