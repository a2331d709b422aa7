// SPDX-License-Identifier: MIT
/* grammar.c - how /proc/slabinfo is written; see grammar.h. */
#include "slabstat/grammar.h"

#include "slabstat/word.h"
#include "util/num.h"

#include <string.h>

static const char *const group_names[GRAMMAR_GROUPS] = {
	"", "tunables", "slabdata", "globalstat", "cpustat",
};

/* The words of headings, and the field of each column. */
static const struct {
	const char *word;
	enum slabstat_field field;
} columns[PROCFS_COLUMNS] = {
	[PROCFS_ACTIVE_OBJS] = { "active_objs", SLABSTAT_OBJECTS },
	[PROCFS_NUM_OBJS] = { "num_objs", SLABSTAT_TOTAL_OBJECTS },
	[PROCFS_OBJSIZE] = { "objsize", SLABSTAT_SLAB_SIZE },
	[PROCFS_OBJPERSLAB] = { "objperslab", SLABSTAT_OBJS_PER_SLAB },
	[PROCFS_PAGESPERSLAB] = { "pagesperslab", SLABSTAT_PAGES_PER_SLAB },
	[PROCFS_LIMIT] = { "limit", SLABSTAT_LIMIT },
	[PROCFS_BATCHCOUNT] = { "batchcount", SLABSTAT_BATCHCOUNT },
	[PROCFS_SHAREDFACTOR] = { "sharedfactor", SLABSTAT_SHAREDFACTOR },
	[PROCFS_ACTIVE_SLABS] = { "active_slabs", SLABSTAT_ACTIVE_SLABS },
	[PROCFS_NUM_SLABS] = { "num_slabs", SLABSTAT_SLABS },
	[PROCFS_SHAREDAVAIL] = { "sharedavail", SLABSTAT_SHAREDAVAIL },
	[PROCFS_LISTALLOCS] = { "listallocs", SLABSTAT_LISTALLOCS },
	[PROCFS_MAXOBJS] = { "maxobjs", SLABSTAT_HIGH_OBJS },
	[PROCFS_GROWN] = { "grown", SLABSTAT_GROWN },
	[PROCFS_REAPED] = { "reaped", SLABSTAT_REAPED },
	[PROCFS_ERROR] = { "error", SLABSTAT_ERRORS },
	[PROCFS_MAXFREEABLE] = { "maxfreeable", SLABSTAT_MAXFREEABLE },
	[PROCFS_NODEALLOCS] = { "nodeallocs", SLABSTAT_NODEALLOCS },
	[PROCFS_REMOTEFREES] = { "remotefrees", SLABSTAT_REMOTEFREES },
	[PROCFS_ALIENOVERFLOW] = { "alienoverflow", SLABSTAT_ALIENOVERFLOW },
	[PROCFS_ALLOCHIT] = { "allochit", SLABSTAT_ALLOCHIT },
	[PROCFS_ALLOCMISS] = { "allocmiss", SLABSTAT_ALLOCMISS },
	[PROCFS_FREEHIT] = { "freehit", SLABSTAT_FREEHIT },
	[PROCFS_FREEMISS] = { "freemiss", SLABSTAT_FREEMISS },
};

/* As most versions have it. */
static const struct grammar usual = { .group = {
	[GRAMMAR_MAIN] = { { PROCFS_ACTIVE_OBJS, PROCFS_NUM_OBJS, PROCFS_OBJSIZE, PROCFS_OBJPERSLAB,
		     PROCFS_PAGESPERSLAB }, 5 },
	[GRAMMAR_TUNABLES] = { { PROCFS_LIMIT, PROCFS_BATCHCOUNT, PROCFS_SHAREDFACTOR }, 3 },
	[GRAMMAR_SLABDATA] = { { PROCFS_ACTIVE_SLABS, PROCFS_NUM_SLABS, PROCFS_SHAREDAVAIL }, 3 },
	/* What follows these six differs between versions, and only a heading tells. */
	[GRAMMAR_GLOBALSTAT] = { { PROCFS_LISTALLOCS, PROCFS_MAXOBJS, PROCFS_GROWN, PROCFS_REAPED,
			   PROCFS_ERROR, PROCFS_MAXFREEABLE }, 6 },
	[GRAMMAR_CPUSTAT] = { { PROCFS_ALLOCHIT, PROCFS_ALLOCMISS, PROCFS_FREEHIT,
			PROCFS_FREEMISS }, 4 },
} };

void grammar_start(struct grammar *g)
{
	*g = usual;
}

static int find_group(const struct word *w)
{
	for (int g = GRAMMAR_TUNABLES; g < GRAMMAR_GROUPS; g++) {
		if (word_is(w, group_names[g]))
			return g;
	}
	return -1;
}

/* ---- headings -------------------------------------------------------------------------------- */

bool grammar_version(struct grammar *g, const struct line *l)
{
	static const char before[] = "slabinfo - version:";
	const char *p = l->text + sizeof(before) - 1, *end = l->text + l->len;
	uint64_t major, minor = 0;

	if (!line_begins(l, before))
		return false;
	while (p < end && line_blank(*p))
		p++;
	if (num_scan_u64(&p, end, &major) || major > 99)
		return true;
	if (p < end && *p == '.' && (p++, num_scan_u64(&p, end, &minor) || minor > 99))
		minor = 0;
	g->major = (unsigned)major;
	g->minor = (unsigned)minor;
	return true;
}

/* "<active_objs>", and what hurried hands made of it: "<limit". */
static int find_column(const struct word *w)
{
	struct word word = *w;

	if (word.len && word.text[0] == '<') {
		word.text++;
		word.len--;
	}
	if (word.len && word.text[word.len - 1] == '>')
		word.len--;
	for (int c = 0; c < PROCFS_COLUMNS; c++) {
		if (word_is(&word, columns[c].word))
			return c;
	}
	return -1;
}

bool grammar_heading(struct grammar *g, const struct line *l)
{
	const char *p = l->text + 1, *end = l->text + l->len;
	struct grammar new = { .major = g->major, .minor = g->minor, .headed = true };
	int group = GRAMMAR_MAIN;
	struct word w;

	if (!line_begins(l, "#") || !word_next(&p, end, &w) || !word_is(&w, "name"))
		return false;
	while (word_next(&p, end, &w)) {
		if (word_is(&w, ":")) {
			if (!word_next(&p, end, &w))
				break;
			group = find_group(&w);
		} else if (group >= 0 && new.group[group].count < GRAMMAR_NUMBERS) {
			new.group[group].column[new.group[group].count++] =
				(signed char)find_column(&w);
		}
	}
	new.group[GRAMMAR_TUNABLES] = usual.group[GRAMMAR_TUNABLES];
	/* A heading without the main columns is not one of ours. */
	if (new.group[GRAMMAR_MAIN].count >= 3)
		*g = new;
	return true;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void set(struct procfs_row *row, int column, uint64_t value)
{
	if (column < 0)
		return;
	row->value[column] = value;
	row->has |= 1u << column;
}

/*
 * The n numbers before p, back to front; the name is what remains. False where there are not so
 * many.
 */
static bool numbers_before(const char *start, const char **p, unsigned n, uint64_t *value)
{
	struct word w;

	while (n-- > 0) {
		if (!word_last(start, p, &w) || !word_u64(&w, &value[n]))
			return false;
	}
	return true;
}

static bool set_name(struct procfs_row *row, const char *start, const char *end)
{
	while (end > start && line_blank(end[-1]))
		end--;
	row->name = start;
	row->name_len = (size_t)(end - start);
	return end > start;
}

/* The colon before the word "tunables" or "slabdata", whichever stands first. */
static const char *find_groups(const char *p, const char *end)
{
	struct word w, colon = { NULL, 0 };

	while (word_next(&p, end, &w)) {
		if (colon.text && find_group(&w) >= 0)
			return colon.text;
		colon = word_is(&w, ":") ? w : (struct word){ NULL, 0 };
	}
	return NULL;
}

/*
 * ": tunables 0 0 0", up to the next colon. The group, or GRAMMAR_GROUPS for one of a name that we
 * do not know; -1 where it is short or holds something else than numbers.
 */
static int parse_group(const struct grammar *g, const char **p, const char *end,
		       struct procfs_row *row)
{
	struct word colon, w;
	const char *next;
	unsigned n = 0;
	uint64_t value;
	int group;

	if (!word_next(p, end, &colon) || !word_is(&colon, ":") || !word_next(p, end, &w))
		return -1;
	group = find_group(&w);
	for (next = *p; word_next(&next, end, &w) && !word_is(&w, ":"); *p = next, n++) {
		if (!word_u64(&w, &value))
			return -1;
		if (group >= 0 && n < g->group[group].count)
			set(row, g->group[group].column[n], value);
	}
	if (group < 0)
		return GRAMMAR_GROUPS;
	return n < g->group[group].count ? -1 : group;
}

/* The groups behind the main numbers: all whole, and slabdata among them. */
static bool parse_groups(const struct grammar *g, const char *p, const char *end,
			 struct procfs_row *row)
{
	bool whole = false;

	while (end > p && line_blank(end[-1]))
		end--;
	while (p < end) {
		int group = parse_group(g, &p, end, row);

		if (group < 0)
			return false;
		whole |= group == GRAMMAR_SLABDATA;
	}
	return whole;
}

static bool parse_row_2(const struct grammar *g, const char *p, const char *end,
			struct procfs_row *row)
{
	const char *groups = find_groups(p, end), *q = groups;
	unsigned n = g->group[GRAMMAR_MAIN].count;
	uint64_t value[GRAMMAR_NUMBERS];

	if (!groups || !numbers_before(p, &q, n, value) || !set_name(row, p, q))
		return false;
	for (unsigned i = 0; i < n; i++)
		set(row, g->group[GRAMMAR_MAIN].column[i], value[i]);
	return parse_groups(g, groups, end, row);
}

/* Groups of 1.x have no names but lengths of their own: statistics 5, SMP 2, hits and misses 4. */
static const struct {
	unsigned count;
	signed char column[5];
} old_groups[] = {
	{ 5, { PROCFS_MAXOBJS, PROCFS_LISTALLOCS, PROCFS_GROWN, PROCFS_REAPED, PROCFS_ERROR } },
	{ 2, { PROCFS_LIMIT, PROCFS_BATCHCOUNT } },
	{ 4, { PROCFS_ALLOCHIT, PROCFS_ALLOCMISS, PROCFS_FREEHIT, PROCFS_FREEMISS } },
};

/* Take the last " : n n" off a row. False where none is left, or it is none of the three. */
static bool take_old_group(const char *start, const char **end, struct procfs_row *row)
{
	const char *p = *end;
	uint64_t value[5];
	unsigned n = 0;
	struct word w;

	while (word_last(start, &p, &w) && !word_is(&w, ":")) {
		if (n == 5 || !word_u64(&w, &value[n++]))
			return false;
	}
	if (!word_is(&w, ":"))
		return false;
	for (size_t i = 0; i < sizeof(old_groups) / sizeof(old_groups[0]); i++) {
		if (old_groups[i].count != n)
			continue;
		for (unsigned k = 0; k < n; k++)
			set(row, old_groups[i].column[k], value[n - 1 - k]);
		*end = p;
		return true;
	}
	return false;
}

static bool parse_row_1(unsigned minor, bool version_known, const char *p, const char *end,
			struct procfs_row *row)
{
	static const signed char main_columns[] = {
		PROCFS_ACTIVE_OBJS,  PROCFS_NUM_OBJS,  PROCFS_OBJSIZE,
		PROCFS_ACTIVE_SLABS, PROCFS_NUM_SLABS, PROCFS_PAGESPERSLAB,
	};
	uint64_t value[6];
	const char *q;

	while (take_old_group(p, &end, row))
		;
	q = end;
	if (numbers_before(p, &q, 6, value) && set_name(row, p, q)) {
		for (unsigned i = 0; i < 6; i++)
			set(row, main_columns[i], value[i]);
		/* Every slab of SLAB is of one kind. */
		if (value[4] && value[1] % value[4] == 0)
			set(row, PROCFS_OBJPERSLAB, value[1] / value[4]);
		return true;
	}
	q = end;
	if (!version_known || minor != 0 || !numbers_before(p, &q, 2, value) ||
	    !set_name(row, p, q))
		return false;
	set(row, PROCFS_ACTIVE_OBJS, value[0]);
	set(row, PROCFS_NUM_OBJS, value[1]);
	return true;
}

bool grammar_row(const struct grammar *g, const char *text, size_t len, struct procfs_row *row)
{
	*row = (struct procfs_row){ 0 };
	if (memchr(text, '\0', len))
		return false;
	if (g->major == 1)
		return parse_row_1(g->minor, true, text, text + len, row);
	if (g->major == 0 && !g->headed && !find_groups(text, text + len))
		return parse_row_1(0, false, text, text + len, row);
	return parse_row_2(g, text, text + len, row);
}

bool grammar_goes_on(const struct line *l)
{
	const char *p = l->text;
	uint64_t value;
	struct word w;

	return word_next(&p, l->text + l->len, &w) &&
	       (word_is(&w, ":") || word_u64(&w, &value) || find_group(&w) >= 0);
}

enum slabstat_field grammar_field(enum procfs_column column)
{
	return columns[column].field;
}
