// SPDX-License-Identifier: MIT
/*
 * mode_report.c - everything about each cache (-r): the kernel tool's report and what it lacks, or
 * a row a field.
 */
#include "cache_json.h"
#include "columns.h"
#include "compat.h"
#include "mode.h"

static void want(const struct request *r, struct slabstat_fieldset *set)
{
	(void)r;
	compat_report_want(set);
}

static const struct table_column columns[] = {
	{ .title = "NAME", .key = "name" },
	{ .title = "FIELD", .key = "field" },
	{ .title = "VALUE", .key = "value", .right = true },
	{ .title = "QUALITY", .key = "quality", .optional = true },
	{ .title = "MEANING", .key = "meaning", .optional = true },
};

static void text_row(struct table *t, const char *name, const char *field, const char *value)
{
	table_text(t, name, OUT_NAME);
	table_text(t, field, OUT_PLAIN);
	table_text(t, value, OUT_PLAIN);
	table_end_row(t);
}

/* What the source does not have is left out here: a hundred dashes tell nothing. */
static void cache_rows(const struct view *v, struct table *t, const struct slabstat_cache *c)
{
	const char *name = slabstat_cache_label(c);

	text_row(t, name, "id", slabstat_cache_name(c));
	for (size_t i = 0; i < slabstat_cache_alias_count(c); i++)
		text_row(t, name, "user", slabstat_cache_alias(c, i));
	if (slabstat_cache_ctor(c) && *slabstat_cache_ctor(c))
		text_row(t, name, "ctor", slabstat_cache_ctor(c));
	for (int i = 0; i < SLABSTAT_NFIELDS; i++) {
		const struct slabstat_field_info *f = slabstat_field_info((enum slabstat_field)i);
		uint64_t value;
		enum slabstat_quality q = slabstat_cache_value(c, (enum slabstat_field)i, &value);

		if (q == SLABSTAT_ABSENT)
			continue;
		table_text(t, name, OUT_NAME);
		table_text(t, f->id, OUT_PLAIN);
		table_marked(t, quality_mark(q), value, f->unit == SLABSTAT_UNIT_BYTES, OUT_PLAIN);
		table_text(t, quality_word(q), OUT_PLAIN);
		if (v->r->form == FORM_TABLE)
			table_text(t, f->help, OUT_FAINT);
		table_end_row(t);
	}
}

static int print_table(const struct view *v)
{
	return mode_print_each(v, mode_select, columns, v->r->form == FORM_TABLE ? 5 : 4,
			       cache_rows);
}

static void put_cache(const struct view *v, const struct slabstat_cache *c)
{
	json_put(v->json, NULL, cache_json(c, NULL, 1));
}

static int print_json(const struct view *v)
{
	return mode_json_each(v, mode_select, "caches", put_cache);
}

const struct mode mode_report = { "report",	 want,	      compat_list_figures,
				  compat_report, print_table, print_json };
