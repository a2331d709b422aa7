// SPDX-License-Identifier: MIT
/* procfs.c - the text of /proc/slabinfo, of every version, as rows; see procfs.h. */
#include "slabstat/procfs.h"

#include "slabstat/line.h"
#include "util/num.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum group { MAIN, TUNABLES, SLABDATA, GLOBALSTAT, CPUSTAT, GROUPS };

#define MOST_NUMBERS 16	/* in one group of any known version */

static const char *const group_names[GROUPS] = { "", "tunables", "slabdata", "globalstat", "cpustat" };

/* The words of headings, and the field of each column. "shared" is how 2.0 called sharedfactor. */
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

/* Which column each number of each group is: from the heading, or as most versions have it. */
struct layout {
	struct {
		signed char column[MOST_NUMBERS];	/* -1: unknown to us */
		unsigned char count;
	} group[GROUPS];
};

static const struct layout usual = { .group = {
	[MAIN] = { { PROCFS_ACTIVE_OBJS, PROCFS_NUM_OBJS, PROCFS_OBJSIZE, PROCFS_OBJPERSLAB,
		     PROCFS_PAGESPERSLAB }, 5 },
	[TUNABLES] = { { PROCFS_LIMIT, PROCFS_BATCHCOUNT, PROCFS_SHAREDFACTOR }, 3 },
	[SLABDATA] = { { PROCFS_ACTIVE_SLABS, PROCFS_NUM_SLABS, PROCFS_SHAREDAVAIL }, 3 },
	/* What follows these six differs between versions, and only a heading tells. */
	[GLOBALSTAT] = { { PROCFS_LISTALLOCS, PROCFS_MAXOBJS, PROCFS_GROWN, PROCFS_REAPED,
			   PROCFS_ERROR, PROCFS_MAXFREEABLE }, 6 },
	[CPUSTAT] = { { PROCFS_ALLOCHIT, PROCFS_ALLOCMISS, PROCFS_FREEHIT, PROCFS_FREEMISS }, 4 },
} };

struct parser {
	struct procfs_table *t;
	const char *text;
	struct layout layout;
	bool headed;
	unsigned long head;	/* line of the first version line or heading; 0: there is none */
	char *joined;		/* a row that was wrapped, put together */
	size_t joined_room;
};

/* ---- tokens ------------------------------------------------------------------------------------- */

struct token {
	const char *text;
	size_t len;
};

static bool next_token(const char **p, const char *end, struct token *t)
{
	const char *q = *p;

	while (q < end && line_blank(*q))
		q++;
	t->text = q;
	while (q < end && !line_blank(*q))
		q++;
	t->len = (size_t)(q - t->text);
	*p = q;
	return t->len != 0;
}

/* The token that ends at *p, which steps back to its start. */
static bool last_token(const char *start, const char **p, struct token *t)
{
	const char *q = *p, *stop;

	while (q > start && line_blank(q[-1]))
		q--;
	stop = q;
	while (q > start && !line_blank(q[-1]))
		q--;
	t->text = q;
	t->len = (size_t)(stop - q);
	*p = q;
	return t->len != 0;
}

static bool is_word(const struct token *t, const char *word)
{
	return strlen(word) == t->len && memcmp(t->text, word, t->len) == 0;
}

static bool is_number(const struct token *t, uint64_t *value)
{
	const char *p = t->text, *end = p + t->len;

	return num_scan_u64(&p, end, value) == 0 && p == end;
}

static int find_group(const struct token *t)
{
	for (int g = TUNABLES; g < GROUPS; g++) {
		if (is_word(t, group_names[g]))
			return g;
	}
	return -1;
}

/* ---- headings ----------------------------------------------------------------------------------- */

static bool is_version(const struct line *l)
{
	return line_begins(l, "slabinfo - version:");
}

static void parse_version(struct procfs_table *t, const struct line *l)
{
	const char *p = l->text + strlen("slabinfo - version:"), *end = l->text + l->len;
	uint64_t major, minor = 0;

	while (p < end && line_blank(*p))
		p++;
	if (num_scan_u64(&p, end, &major) || major > 99)
		return;
	if (p < end && *p == '.' && (p++, num_scan_u64(&p, end, &minor) || minor > 99))
		minor = 0;
	t->major = (unsigned)major;
	t->minor = (unsigned)minor;
}

static bool is_heading(const struct line *l)
{
	const char *p = l->text, *end = p + l->len;
	struct token t;

	if (p == end || *p++ != '#')
		return false;
	return next_token(&p, end, &t) && is_word(&t, "name");
}

/* "<active_objs>", and what hurried hands made of it: "<limit". */
static int find_column(const struct token *t)
{
	struct token word = *t;

	if (word.len && word.text[0] == '<') {
		word.text++;
		word.len--;
	}
	if (word.len && word.text[word.len - 1] == '>')
		word.len--;
	for (int c = 0; c < PROCFS_COLUMNS; c++) {
		if (is_word(&word, columns[c].word))
			return c;
	}
	return -1;
}

static void parse_heading(struct parser *ps, const struct line *l)
{
	const char *p = l->text + 1, *end = l->text + l->len;
	struct layout layout = { 0 };
	int g = MAIN;
	struct token t;

	next_token(&p, end, &t);	/* name */
	while (next_token(&p, end, &t)) {
		if (is_word(&t, ":")) {
			if (!next_token(&p, end, &t))
				break;
			g = find_group(&t);
			continue;
		}
		if (g >= 0 && layout.group[g].count < MOST_NUMBERS)
			layout.group[g].column[layout.group[g].count++] = (signed char)find_column(&t);
	}
	layout.group[TUNABLES] = usual.group[TUNABLES];
	/* A heading without the main columns is not one of ours. */
	if (layout.group[MAIN].count >= 3) {
		ps->layout = layout;
		ps->headed = true;
	}
}

/* ---- rows --------------------------------------------------------------------------------------- */

static void set(struct procfs_row *row, int column, uint64_t value)
{
	if (column < 0)
		return;
	row->value[column] = value;
	row->has |= 1u << column;
}

/* The n numbers before p, back to front; the name is what remains. False where there are not so many. */
static bool numbers_before(const char *start, const char **p, unsigned n, uint64_t *value)
{
	struct token t;

	while (n-- > 0) {
		if (!last_token(start, p, &t) || !is_number(&t, &value[n]))
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
	struct token t, colon = { NULL, 0 };

	while (next_token(&p, end, &t)) {
		if (colon.text && find_group(&t) >= 0)
			return colon.text;
		colon = is_word(&t, ":") ? t : (struct token){ NULL, 0 };
	}
	return NULL;
}

/* The groups behind the main numbers. False where a known one is short or holds something else. */
static bool parse_groups(const struct layout *layout, const char *p, const char *end,
			 struct procfs_row *row)
{
	bool whole = false;
	struct token t;

	while (next_token(&p, end, &t)) {
		unsigned n = 0;
		uint64_t value;
		int g;

		if (!is_word(&t, ":") || !next_token(&p, end, &t))
			return false;
		g = find_group(&t);
		for (;;) {
			const char *before = p;

			if (!next_token(&p, end, &t))
				break;
			if (is_word(&t, ":")) {
				p = before;
				break;
			}
			if (!is_number(&t, &value))
				return false;
			if (g >= 0 && n < layout->group[g].count)
				set(row, layout->group[g].column[n], value);
			n++;
		}
		if (g >= 0 && n < layout->group[g].count)
			return false;
		whole |= g == SLABDATA;
	}
	return whole;
}

static bool parse_row_2(const struct layout *layout, const char *p, const char *end,
			struct procfs_row *row)
{
	const char *groups = find_groups(p, end), *q = groups;
	unsigned n = layout->group[MAIN].count;
	uint64_t value[MOST_NUMBERS];

	if (!groups || !numbers_before(p, &q, n, value) || !set_name(row, p, q))
		return false;
	for (unsigned i = 0; i < n; i++)
		set(row, layout->group[MAIN].column[i], value[i]);
	return parse_groups(layout, groups, end, row);
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
	struct token t;

	while (last_token(start, &p, &t) && !is_word(&t, ":")) {
		if (n == 5 || !is_number(&t, &value[n++]))
			return false;
	}
	if (!is_word(&t, ":"))
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
	static const signed char main_columns[] = { PROCFS_ACTIVE_OBJS, PROCFS_NUM_OBJS, PROCFS_OBJSIZE,
						    PROCFS_ACTIVE_SLABS, PROCFS_NUM_SLABS,
						    PROCFS_PAGESPERSLAB };
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
	if (!version_known || minor != 0 || !numbers_before(p, &q, 2, value) || !set_name(row, p, q))
		return false;
	set(row, PROCFS_ACTIVE_OBJS, value[0]);
	set(row, PROCFS_NUM_OBJS, value[1]);
	return true;
}

static bool parse_row(const struct parser *ps, const char *text, size_t len, struct procfs_row *row)
{
	const struct procfs_table *t = ps->t;

	*row = (struct procfs_row){ 0 };
	if (memchr(text, '\0', len))
		return false;
	if (t->major == 1)
		return parse_row_1(t->minor, true, text, text + len, row);
	if (t->major == 0 && !ps->headed && !find_groups(text, text + len))
		return parse_row_1(0, false, text, text + len, row);
	return parse_row_2(&ps->layout, text, text + len, row);
}

/* ---- the whole text ----------------------------------------------------------------------------- */

static int add_row(struct procfs_table *t, const struct procfs_row *row)
{
	if (t->count == t->room) {
		size_t room = t->room ? t->room * 2 : 256;
		struct procfs_row *bigger = reallocarray(t->row, room, sizeof(*bigger));

		if (!bigger)
			return -ENOMEM;
		t->row = bigger;
		t->room = room;
	}
	t->row[t->count++] = *row;
	return 0;
}

/* What stands before the first head is no table yet, but its version tells how to read rows there. */
static void find_head(struct parser *ps, struct lines r)
{
	struct line l;

	while (ps->head == 0 && lines_next(&r, &l)) {
		if (is_version(&l))
			parse_version(ps->t, &l);
		if (is_version(&l) || is_heading(&l))
			ps->head = l.number;
	}
}

static void bad_row(struct procfs_table *t, unsigned long line)
{
	if (t->bad_rows++ == 0)
		t->first_bad_row = line;
}

/* A line that begins with a colon, a number or the name of a group goes on with the one before. */
static bool goes_on(const struct line *l)
{
	const char *p = l->text;
	struct token t;
	uint64_t value;

	return next_token(&p, l->text + l->len, &t) &&
	       (is_word(&t, ":") || is_number(&t, &value) || find_group(&t) >= 0);
}

static int join(struct parser *ps, size_t *len, const struct line *l)
{
	if (*len + 1 + l->len > ps->joined_room) {
		size_t room = 2 * (*len + 1 + l->len);
		char *bigger = realloc(ps->joined, room);

		if (!bigger)
			return -ENOMEM;
		ps->joined = bigger;
		ps->joined_room = room;
	}
	ps->joined[(*len)++] = ' ';
	memcpy(ps->joined + *len, l->text, l->len);
	*len += l->len;
	return 0;
}

/*
 * A row that a mailer wrapped: the line and those that go on with it, if together they are a row.
 * 1: they are, and r has stepped past them; 0: they are not; -ENOMEM.
 */
static int parse_wrapped(struct parser *ps, struct lines *r, const struct line *first,
			 struct procfs_row *row)
{
	struct lines ahead = *r, whole = *r;
	size_t len = 0;
	bool found = false;
	struct line l;

	if (join(ps, &len, first))
		return -ENOMEM;
	for (int n = 0; n < 4 && lines_next(&ahead, &l) && goes_on(&l); n++) {
		struct procfs_row try;

		if (join(ps, &len, &l))
			return -ENOMEM;
		/* A longer one wins: a wrapped row of 1.1 is one without its last line, too. */
		if (!parse_row(ps, ps->joined + 1, len - 1, &try) || try.name_len > first->len)
			continue;
		*row = try;
		row->name = first->text;
		whole = ahead;
		found = true;
	}
	*r = whole;
	return found;
}

static int parse_line(struct parser *ps, struct lines *r, const struct line *l)
{
	struct procfs_row row, wrapped;
	int64_t wall_ns;
	bool alone = parse_row(ps, l->text, l->len, &row);
	int joined = parse_wrapped(ps, r, l, &wrapped);

	if (joined < 0)
		return joined;
	if (joined)
		row = wrapped;
	if (!alone && !joined) {
		if (l->number > ps->head && *l->text != '#' && !sample_separator(l, &wall_ns))
			bad_row(ps->t, l->number);
		return 0;
	}
	row.line = l->number;
	row.offset = (size_t)(l->text - ps->text);
	return add_row(ps->t, &row);
}

static bool is_slub(const struct procfs_table *t)
{
	for (size_t i = 0; i < t->count; i++) {
		const struct procfs_row *row = &t->row[i];

		if (!procfs_has(row, PROCFS_LIMIT) || !procfs_has(row, PROCFS_SHAREDFACTOR) ||
		    row->value[PROCFS_LIMIT] || row->value[PROCFS_BATCHCOUNT] ||
		    row->value[PROCFS_SHAREDFACTOR] ||
		    row->value[PROCFS_ACTIVE_SLABS] != row->value[PROCFS_NUM_SLABS])
			return false;
	}
	return t->count != 0;
}

/* ---- seams -------------------------------------------------------------------------------------- */

static bool same_cache(const struct procfs_row *a, const struct procfs_row *b)
{
	return a->name_len == b->name_len && memcmp(a->name, b->name, a->name_len) == 0 &&
	       a->value[PROCFS_OBJSIZE] == b->value[PROCFS_OBJSIZE] &&
	       a->value[PROCFS_OBJPERSLAB] == b->value[PROCFS_OBJPERSLAB] &&
	       a->value[PROCFS_PAGESPERSLAB] == b->value[PROCFS_PAGESPERSLAB];
}

/*
 * The kernel finds its place again by counting from the head of its list, where new caches go in:
 * so k caches born between two pieces make the last k rows come again, in the same order.
 */
static size_t repeats_at(const struct procfs_table *t, size_t at)
{
	for (size_t k = 1; k <= at && k <= t->count - at && k <= 64; k++) {
		size_t same = 0;

		while (same < k && same_cache(&t->row[at - k + same], &t->row[at + same]))
			same++;
		if (same == k)
			return k;
	}
	return 0;
}

static void drop_repeats(struct procfs_table *t, const struct procfs_seams *seams)
{
	size_t row = 0;

	for (size_t i = 0; i < seams->count; i++) {
		size_t k;

		while (row < t->count && t->row[row].offset < seams->at[i])
			row++;
		k = repeats_at(t, row);
		memmove(&t->row[row], &t->row[row + k], (t->count - row - k) * sizeof(*t->row));
		t->count -= k;
		t->repeats += k;
	}
}

int procfs_parse(struct procfs_table *t, const char *text, size_t len, const struct procfs_seams *seams)
{
	struct parser ps = { .t = t, .text = text, .layout = usual };
	struct lines r = lines_of(text, len);
	struct line l;
	int ret = 0;

	*t = (struct procfs_table){ 0 };
	find_head(&ps, r);
	while (ret == 0 && lines_next(&r, &l)) {
		if (l.len == 0)
			continue;
		if (is_version(&l))
			parse_version(t, &l);
		else if (is_heading(&l))
			parse_heading(&ps, &l);
		else
			ret = parse_line(&ps, &r, &l);
	}
	free(ps.joined);
	if (ret) {
		procfs_free(t);
		return ret;
	}
	t->slub = is_slub(t);
	if (seams && t->count)
		drop_repeats(t, seams);
	return 0;
}

void procfs_free(struct procfs_table *t)
{
	free(t->row);
	*t = (struct procfs_table){ 0 };
}

/* ---- what a text is ----------------------------------------------------------------------------- */

/*
 * A row of 1.x has nothing but numbers behind its name, as have the lines of many other tools. One
 * of ours has a word for a name, no more in use than there is, and objects in whole slabs.
 */
static bool plausible(const struct procfs_row *row)
{
	const uint64_t *v = row->value;
	const char *end = row->name + row->name_len;
	uint64_t number;
	struct token t;

	if (!last_token(row->name, &end, &t) || is_number(&t, &number) || t.text[t.len - 1] == ':')
		return false;
	return v[PROCFS_OBJSIZE] > 0 && v[PROCFS_PAGESPERSLAB] > 0 &&
	       v[PROCFS_ACTIVE_OBJS] <= v[PROCFS_NUM_OBJS] &&
	       v[PROCFS_ACTIVE_SLABS] <= v[PROCFS_NUM_SLABS] &&
	       (v[PROCFS_NUM_SLABS] ? v[PROCFS_NUM_OBJS] % v[PROCFS_NUM_SLABS] == 0 :
				      v[PROCFS_NUM_OBJS] == 0);
}

int procfs_sniff(const char *text, size_t len)
{
	struct procfs_table t = { 0 };
	struct parser ps = { .t = &t, .layout = usual };
	struct lines r = lines_of(text, len);
	size_t lines = 0, old_rows = 0;
	struct procfs_row row;
	struct line l;

	while (lines_next(&r, &l)) {
		lines += l.len != 0;
		if (is_version(&l))
			return 100;
		if (is_heading(&l))
			return 95;
		if (!l.len || !parse_row(&ps, l.text, l.len, &row))
			continue;
		if (procfs_has(&row, PROCFS_SHAREDAVAIL))
			return 80;
		old_rows += plausible(&row);
	}
	return old_rows && old_rows * 2 >= lines ? 30 : 0;
}

/* What a walk over the lines has met since the sample at hand began. */
struct walk {
	struct parser ps;
	bool headed;			/* some sample has begun with a head */
	bool apart;			/* a separator stands before the next row */
	size_t lines, rows;		/* lines since the last head; rows since the start */
	int64_t wall_ns;		/* of a stamp that no sample has yet */
};

static bool starts_sample(struct walk *w, const struct line *l)
{
	struct procfs_row row;
	bool starts;

	if (is_version(l) || is_heading(l)) {
		/* A heading below its version line goes with it; so does all before the first head. */
		starts = w->headed && (is_version(l) || w->lines);
		if (is_version(l))
			parse_version(w->ps.t, l);
		else
			parse_heading(&w->ps, l);
		w->headed = true;
		w->lines = 0;
		if (starts)
			w->rows = 0;
	} else {
		w->lines++;
		if (!parse_row(&w->ps, l->text, l->len, &row))
			return false;
		starts = w->apart && w->rows;
		w->rows++;
	}
	w->apart = false;
	return starts;
}

int procfs_find_samples(const char *text, size_t len, struct sample_list *samples)
{
	struct procfs_table t = { 0 };
	struct walk w = { .ps = { .t = &t, .layout = usual } };
	struct lines r = lines_of(text, len);
	const char *from = text;
	int64_t wall_ns;
	struct line l;

	if (sample_add(samples, 0, 0, 0))
		return -ENOMEM;
	find_head(&w.ps, r);
	for (; lines_next(&r, &l); from = r.next) {
		if (l.len == 0)
			continue;
		if (sample_separator(&l, &wall_ns)) {
			w.apart = true;
			/* Before any row it is the time of the sample at hand. */
			if (w.rows == 0 && wall_ns)
				samples->at[samples->count - 1].wall_ns = wall_ns;
			else if (wall_ns)
				w.wall_ns = wall_ns;
			continue;
		}
		if (!starts_sample(&w, &l))
			continue;
		if (sample_add(samples, (size_t)(from - text), l.number - 1, w.wall_ns))
			return -ENOMEM;
		w.wall_ns = 0;
	}
	return 0;
}

/* ---- a row and its cache ------------------------------------------------------------------------ */

/* A partial slab has a free object at least: with few of those, none of its lists was sampled. */
bool procfs_may_sample(const struct procfs_row *row, bool slub, unsigned kernel)
{
	uint64_t total = row->value[PROCFS_NUM_OBJS], active = row->value[PROCFS_ACTIVE_OBJS];

	return slub && (kernel == 0 || kernel >= SLABSTAT_KERNEL(6, 10)) &&
	       row->value[PROCFS_NUM_SLABS] > PROCFS_SAMPLED_SLABS && total > active &&
	       total - active > PROCFS_SAMPLED_SLABS;
}

void procfs_row_fill(const struct procfs_row *row, bool slub, unsigned kernel, struct slabstat_cache *c)
{
	for (int i = 0; i < PROCFS_COLUMNS; i++) {
		enum procfs_column column = (enum procfs_column)i;

		if (procfs_has(row, column))
			cache_set(c, columns[i].field, row->value[i], SLABSTAT_EXACT);
	}
	if (procfs_may_sample(row, slub, kernel) && cache_has(c, SLABSTAT_OBJECTS))
		c->quality[SLABSTAT_OBJECTS] = SLABSTAT_ESTIMATE;
}
