// SPDX-License-Identifier: MIT
/* mode.c - what the modes share: which caches, in which order; see mode.h. */
#include "mode.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void mode_want(struct slabstat_fieldset *set, ...)
{
	va_list ap;
	int field;

	va_start(ap, set);
	while ((field = va_arg(ap, int)) >= 0)
		slabstat_fieldset_add(set, (enum slabstat_field)field);
	va_end(ap);
}

/* -e, -z and -U. Where a source does not tell the number of slabs no cache is empty. */
static bool keep(const struct slabstat_cache *cache, void *arg)
{
	const struct request *r = arg;
	bool empty = slabstat_cache_or(cache, SLABSTAT_SLABS, 1) == 0;

	if (r->empty_only ? !empty : empty && !r->show_empty)
		return false;
	return !r->unreclaimable_only || !slabstat_cache_or(cache, SLABSTAT_RECLAIM_ACCOUNT, 0);
}

/* The kernel tool's orders, as fields. */
static size_t usual_order(const struct request *r, struct slabstat_sort_key key[2])
{
	switch (r->order) {
	case ORDER_ACTIVITY:
		key[0].field = SLABSTAT_ALLOCS;
		key[1].field = SLABSTAT_FREES;
		return 2;
	case ORDER_LOSS:
		key[0].field = SLABSTAT_LOSS;
		return 1;
	case ORDER_PARTIAL:
		key[0].field = SLABSTAT_PARTIAL;
		return 1;
	case ORDER_NAME:
	case ORDER_SIZE:
		break;
	}
	key[0].field = SLABSTAT_FOOTPRINT;
	return 1;
}

static bool select_usage(const struct slabstat *h)
{
	fprintf(stderr, "slabinfo: %s; see slabinfo --help\n", slabstat_error(h)->text);
	return false;
}

static struct slabstat_rows *run_select(const struct view *v, const struct slabstat_select *how)
{
	struct slabstat_rows *rows;

	if (slabstat_select(v->h, v->s, how, &rows) == 0)
		return rows;
	select_usage(v->h);
	return NULL;
}

struct slabstat_rows *mode_select(const struct view *v)
{
	const struct request *r = v->r;
	struct slabstat_sort_key usual[2] = { { 0 } };
	struct slabstat_select how = {
		.match = r->match,
		.match_count = r->matches,
		.pattern = r->pattern,
		.sort = r->sort_key,
		.sort_count = r->sort_keys,
		.top = r->lines,
		.families = r->families,
		.reverse = r->inverted,
		.keep = keep,
		.arg = (void *)r,
	};

	if (!r->sort_keys) {
		how.sort_count = usual_order(r, usual);
		how.sort = usual;
	}
	return run_select(v, &how);
}

size_t mode_members(const struct slabstat_rows *rows, size_t i)
{
	const struct slabstat_cache *const *members;

	return slabstat_rows_members(rows, i, &members);
}

struct slabstat_rows *mode_select_all(const struct view *v)
{
	const struct request *r = v->r;
	const struct slabstat_sort_key by_label = { .field = SLABSTAT_SORT_LABEL,
						    .ascending = true };
	const struct slabstat_select how = {
		.match = r->match,
		.match_count = r->matches,
		.pattern = r->pattern,
		.sort = &by_label,
		.sort_count = 1,
	};

	return run_select(v, &how);
}

struct table_options mode_table_options(const struct view *v)
{
	const struct request *r = v->r;

	return (struct table_options){
		.form = r->form == FORM_CSV    ? TABLE_CSV
			: r->form == FORM_TABS ? TABLE_TABS
					       : TABLE_ALIGNED,
		.no_heading = r->no_heading || (r->form != FORM_TABLE && v->index > 0),
		.exact = r->exact_bytes,
		.source = source_opts_count(&r->source) > 1 ? v->label : NULL,
	};
}

int mode_print_each(const struct view *v, mode_selection *select,
		    const struct table_column *columns, size_t n, mode_row *row)
{
	struct table_options options = mode_table_options(v);
	struct slabstat_rows *rows = select(v);
	struct table *t;

	if (!rows)
		return 2;
	options.fit = true;
	t = table_new(v->out, &options, columns, n);
	for (size_t i = 0; t && i < slabstat_rows_count(rows); i++)
		row(v, t, slabstat_rows_caches(rows)[i]);
	slabstat_rows_free(rows);
	return !table_finish(t);
}

int mode_json_each(const struct view *v, mode_selection *select, const char *key,
		   mode_element *element)
{
	struct slabstat_rows *rows = select(v);

	if (!rows)
		return 2;
	json_open_array(v->json, key);
	for (size_t i = 0; i < slabstat_rows_count(rows); i++)
		element(v, slabstat_rows_caches(rows)[i]);
	json_close(v->json);
	slabstat_rows_free(rows);
	return 0;
}
