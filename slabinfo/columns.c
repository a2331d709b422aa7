// SPDX-License-Identifier: MIT
/* columns.c - what can stand in a row of our own table; see columns.h. */
#include "columns.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct {
	const char *id, *title, *help;
} text_columns[COLUMN_FIELD] = {
	[COLUMN_NAME] = { "name", "NAME",
			  "what people call the cache; of a merged one the first user" },
	[COLUMN_ID] = { "id", "ID", "directory under /sys/kernel/slab, or row of /proc/slabinfo" },
	[COLUMN_USERS] = { "users", "USERS", "names of the users that share a merged cache" },
	[COLUMN_FLAGS] = { "flags", "FLAGS",
			   "A aligned to cache lines, a reclaimable, d DMA, R freed by RCU; "
			   "debugging: "
			   "F checks, Z red zone, P poison, U user tracking, T trace" },
	[COLUMN_CTOR] = { "ctor", "CTOR", "constructor" },
	[COLUMN_MEMBERS] = { "members", "MEMBERS", "caches folded into this row (--families)" },
	[COLUMN_INEXACT] = { "inexact", "INEXACT",
			     "fields of this row that are bounds or estimates, as field:quality" },
};

static const struct slabstat_field_info *field_of(int column)
{
	return slabstat_field_info((enum slabstat_field)(column - COLUMN_FIELD));
}

const char *columns_id(int column)
{
	return column < COLUMN_FIELD ? text_columns[column].id : field_of(column)->id;
}

const char *columns_title(int column)
{
	return column < COLUMN_FIELD ? text_columns[column].title : field_of(column)->title;
}

static int find(const char *name)
{
	int field;

	for (int i = 0; i < COLUMN_FIELD; i++) {
		if (strcasecmp(text_columns[i].id, name) == 0)
			return i;
	}
	field = slabstat_field_find(name);
	return field < 0 ? -1 : COLUMN_FIELD + field;
}

static bool add(struct columns *c, int column)
{
	int *more = realloc(c->column, (c->n + 1) * sizeof(*more));

	if (!more)
		return false;
	c->column = more;
	c->column[c->n++] = column;
	return true;
}

static bool add_all(struct columns *c)
{
	for (int i = 0; i < COLUMN_FIELD + SLABSTAT_NFIELDS; i++) {
		if (!add(c, i))
			return false;
	}
	return true;
}

static bool add_names(struct columns *c, char *names, const char *program)
{
	char *next = names;

	while (next) {
		char *name = strsep(&next, ",");
		int column = find(name);

		if (strcmp(name, "all") == 0) {
			if (!add_all(c))
				return false;
			continue;
		}
		if (column < 0) {
			fprintf(stderr, "%s: no column '%s'; -c help lists them\n", program, name);
			return false;
		}
		if (!add(c, column))
			return false;
	}
	return true;
}

bool columns_parse(struct columns *c, const char *list, const int *usual, const char *program)
{
	char *names;
	bool ok = true;

	*c = (struct columns){ .chosen = list != NULL };
	if (!list || *list == '+') {
		for (; ok && *usual >= 0; usual++)
			ok = add(c, *usual);
		if (!list)
			return ok;
		list++;
	}
	names = strdup(list);
	ok = ok && names && add_names(c, names, program);
	free(names);
	return ok;
}

void columns_free(struct columns *c)
{
	free(c->column);
	c->column = NULL;
	c->n = 0;
}

/* The fields behind the flags column, with their letters in the order they are shown. */
static const struct {
	enum slabstat_field field;
	char letter;
} flags[] = {
	{ SLABSTAT_HWCACHE_ALIGN, 'A' }, { SLABSTAT_RECLAIM_ACCOUNT, 'a' },
	{ SLABSTAT_CACHE_DMA, 'd' },	 { SLABSTAT_DESTROY_BY_RCU, 'R' },
	{ SLABSTAT_SANITY_CHECKS, 'F' }, { SLABSTAT_RED_ZONE, 'Z' },
	{ SLABSTAT_POISON, 'P' },	 { SLABSTAT_STORE_USER, 'U' },
	{ SLABSTAT_TRACE, 'T' },
};

void columns_want(const struct columns *c, struct slabstat_fieldset *set)
{
	for (size_t i = 0; i < c->n; i++) {
		if (c->column[i] >= COLUMN_FIELD)
			slabstat_fieldset_add(set,
					      (enum slabstat_field)(c->column[i] - COLUMN_FIELD));
		if (c->column[i] == COLUMN_CTOR)
			*set = slabstat_fieldset_all(); /* constructors are read with everything */
		for (size_t f = 0;
		     c->column[i] == COLUMN_FLAGS && f < sizeof(flags) / sizeof(flags[0]); f++)
			slabstat_fieldset_add(set, flags[f].field);
	}
}

static const char *unit_word(enum slabstat_unit unit)
{
	static const char *const word[] = {
		[SLABSTAT_UNIT_NUMBER] = "number", [SLABSTAT_UNIT_OBJS] = "objects",
		[SLABSTAT_UNIT_SLABS] = "slabs",   [SLABSTAT_UNIT_PAGES] = "pages",
		[SLABSTAT_UNIT_BYTES] = "bytes",   [SLABSTAT_UNIT_PERCENT] = "percent",
		[SLABSTAT_UNIT_FLAG] = "0 or 1",
	};

	return word[unit];
}

void columns_help(FILE *out)
{
	fprintf(out, "%-24s %-11s %-8s %s\n", "COLUMN", "TITLE", "UNIT", "MEANING");
	for (int i = 0; i < COLUMN_FIELD; i++)
		fprintf(out, "%-24s %-11s %-8s %s\n", text_columns[i].id, text_columns[i].title,
			"text", text_columns[i].help);
	for (int i = 0; i < SLABSTAT_NFIELDS; i++) {
		const struct slabstat_field_info *f = slabstat_field_info((enum slabstat_field)i);

		fprintf(out, "%-24s %-11s %-8s %s\n", f->id, f->title, unit_word(f->unit), f->help);
	}
}

void columns_words(FILE *out)
{
	for (int i = 0; i < COLUMN_FIELD + SLABSTAT_NFIELDS; i++)
		fprintf(out, "%s\n", columns_id(i));
}

static bool is_text(int column)
{
	return column < COLUMN_FIELD && column != COLUMN_MEMBERS;
}

struct table *columns_table(const struct columns *c, struct out *out, const struct table_options *o,
			    struct table_column **head)
{
	struct table_column *h = calloc(c->n, sizeof(*h));
	struct table_options options = *o;

	*head = h;
	if (!h)
		return NULL;
	for (size_t i = 0; i < c->n; i++) {
		h[i].title = columns_title(c->column[i]);
		h[i].key = columns_id(c->column[i]);
		h[i].right = !is_text(c->column[i]);
		h[i].shrink = c->column[i] == COLUMN_NAME;
		h[i].optional = i > 1 && !c->chosen;
	}
	options.fit = !c->chosen;
	return table_new(out, &options, h, c->n);
}

char *columns_flags(const struct slabstat_cache *cache, char buf[16])
{
	bool known = false;
	char *p = buf;
	uint64_t set;

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		if (slabstat_cache_value(cache, flags[i].field, &set) == SLABSTAT_ABSENT)
			continue;
		known = true;
		if (set)
			*p++ = flags[i].letter;
	}
	*p = '\0';
	return known ? buf : NULL;
}

const char *quality_mark(enum slabstat_quality q)
{
	return q == SLABSTAT_LOWER ? ">" : q == SLABSTAT_UPPER || q == SLABSTAT_ESTIMATE ? "~" : "";
}

const char *quality_word(enum slabstat_quality q)
{
	static const char *const word[] = {
		[SLABSTAT_ABSENT] = "absent",	  [SLABSTAT_EXACT] = "exact",
		[SLABSTAT_ESTIMATE] = "estimate", [SLABSTAT_UPPER] = "upper",
		[SLABSTAT_LOWER] = "lower",
	};

	return word[q];
}

/* What stands out: much lost of something large. */
static enum out_style loss_style(const struct slabstat_cache *cache, uint64_t total)
{
	uint64_t loss = slabstat_cache_or(cache, SLABSTAT_LOSS, 0);
	uint64_t percent = slabstat_cache_or(cache, SLABSTAT_LOSS_PERCENT, 0);

	if (total == 0 || loss < total / 100)
		return OUT_PLAIN;
	return percent >= 50 ? OUT_BAD : percent >= 25 ? OUT_WARN : OUT_PLAIN;
}

static void field_cell(struct table *t, enum slabstat_field field,
		       const struct slabstat_cache *cache, uint64_t total)
{
	enum slabstat_unit unit = slabstat_field_info(field)->unit;
	enum out_style style = OUT_PLAIN;
	enum slabstat_quality q;
	uint64_t value;

	q = slabstat_cache_value(cache, field, &value);
	if (q == SLABSTAT_ABSENT) {
		table_absent(t);
		return;
	}
	if (field == SLABSTAT_LOSS || field == SLABSTAT_LOSS_PERCENT)
		style = loss_style(cache, total);
	table_marked(t, quality_mark(q), value, unit == SLABSTAT_UNIT_BYTES, style);
}

/* Text made of several names: "a,b" in *text, *owned*. */
static void append(char **text, const char *word)
{
	size_t have = *text ? strlen(*text) : 0;
	char *more = realloc(*text, have + strlen(word) + 2);

	if (!more)
		return;
	if (have)
		more[have++] = ',';
	strcpy(more + have, word);
	*text = more;
}

static void users_cell(struct table *t, const struct slabstat_cache *cache)
{
	char *text = NULL;

	for (size_t i = 0; i < slabstat_cache_alias_count(cache); i++)
		append(&text, slabstat_cache_alias(cache, i));
	table_text(t, text, OUT_PLAIN);
	free(text);
}

static void inexact_cell(struct table *t, const struct slabstat_cache *cache)
{
	char *text = NULL;

	for (int i = 0; i < SLABSTAT_NFIELDS; i++) {
		enum slabstat_quality q = slabstat_cache_value(cache, (enum slabstat_field)i, NULL);
		char word[64];

		if (q <= SLABSTAT_EXACT)
			continue;
		snprintf(word, sizeof(word), "%s:%s",
			 slabstat_field_info((enum slabstat_field)i)->id, quality_word(q));
		append(&text, word);
	}
	table_text(t, text ? text : "", OUT_PLAIN);
	free(text);
}

/* People see how many share a merged cache; scripts get the name alone. */
static void name_cell(struct table *t, const struct slabstat_cache *cache, bool aligned)
{
	const char *label = slabstat_cache_label(cache);
	size_t users = slabstat_cache_alias_count(cache);
	char *text;

	if (!aligned || users < 2 || asprintf(&text, "%s (+%zu)", label, users - 1) < 0) {
		table_text(t, label, OUT_PLAIN);
		return;
	}
	table_text(t, text, OUT_PLAIN);
	free(text);
}

static void flags_cell(struct table *t, const struct slabstat_cache *cache)
{
	char buf[16];

	if (columns_flags(cache, buf))
		table_text(t, buf, strpbrk(buf, "FZPUT") ? OUT_WARN : OUT_PLAIN);
	else
		table_absent(t);
}

void columns_cell(struct table *t, int column, const struct column_row *row)
{
	const struct slabstat_cache *cache = row->cache;

	switch (column) {
	case COLUMN_NAME:
		name_cell(t, cache, row->aligned);
		break;
	case COLUMN_ID:
		table_text(t, slabstat_cache_name(cache), OUT_PLAIN);
		break;
	case COLUMN_USERS:
		users_cell(t, cache);
		break;
	case COLUMN_FLAGS:
		flags_cell(t, cache);
		break;
	case COLUMN_CTOR:
		table_text(t, slabstat_cache_ctor(cache), OUT_PLAIN);
		break;
	case COLUMN_MEMBERS:
		table_number(t, row->members, OUT_PLAIN);
		break;
	case COLUMN_INEXACT:
		inexact_cell(t, cache);
		break;
	default:
		field_cell(t, (enum slabstat_field)(column - COLUMN_FIELD), cache,
			   row->total_footprint);
		break;
	}
}
