// SPDX-License-Identifier: MIT
/* procfs.c - the text of /proc/slabinfo, of every version, as rows; see procfs.h. */
#include "slabstat/procfs.h"

#include "slabstat/line.h"
#include "slabstat/word.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct parser {
	struct procfs_table *t;
	const char *text;
	struct grammar grammar;
	unsigned long head;	/* line of the first version line or heading; 0: there is none */
	char *joined;		/* a row that was wrapped, put together */
	size_t joined_room;
};

/* ---- the whole text -------------------------------------------------------------------------- */

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

/*
 * The line of the first version line or heading; 0: there is none. What stands before it is no
 * table yet, but it tells how to read rows there.
 */
static unsigned long find_head(struct grammar *g, struct lines r)
{
	struct line l;

	while (lines_next(&r, &l)) {
		if (grammar_version(g, &l) || grammar_heading(g, &l))
			return l.number;
	}
	return 0;
}

static void bad_row(struct procfs_table *t, unsigned long line)
{
	if (t->bad_rows++ == 0)
		t->first_bad_row = line;
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
	for (int n = 0; n < 4 && lines_next(&ahead, &l) && grammar_goes_on(&l); n++) {
		struct procfs_row try;

		if (join(ps, &len, &l))
			return -ENOMEM;
		/* A longer one wins: a wrapped row of 1.1 is one without its last line, too. */
		if (!grammar_row(&ps->grammar, ps->joined + 1, len - 1, &try) ||
		    try.name_len > first->len)
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
	bool alone = grammar_row(&ps->grammar, l->text, l->len, &row);
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

/* ---- seams ----------------------------------------------------------------------------------- */

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

int procfs_parse(struct procfs_table *t, const char *text, size_t len,
		 const struct procfs_seams *seams)
{
	struct parser ps = { .t = t, .text = text };
	struct lines r = lines_of(text, len);
	struct line l;
	int ret = 0;

	*t = (struct procfs_table){ 0 };
	grammar_start(&ps.grammar);
	ps.head = find_head(&ps.grammar, r);
	while (ret == 0 && lines_next(&r, &l)) {
		if (l.len == 0)
			continue;
		if (!grammar_version(&ps.grammar, &l) && !grammar_heading(&ps.grammar, &l))
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

/* ---- what a text is -------------------------------------------------------------------------- */

/*
 * A row of 1.x has nothing but numbers behind its name, as have the lines of many other tools. One
 * of ours has a word for a name, no more in use than there is, and objects in whole slabs.
 */
static bool plausible(const struct procfs_row *row)
{
	const uint64_t *v = row->value;
	const char *end = row->name + row->name_len;
	uint64_t number;
	struct word w;

	if (!word_last(row->name, &end, &w) || word_u64(&w, &number) || w.text[w.len - 1] == ':')
		return false;
	return v[PROCFS_OBJSIZE] > 0 && v[PROCFS_PAGESPERSLAB] > 0 &&
	       v[PROCFS_ACTIVE_OBJS] <= v[PROCFS_NUM_OBJS] &&
	       v[PROCFS_ACTIVE_SLABS] <= v[PROCFS_NUM_SLABS] &&
	       (v[PROCFS_NUM_SLABS] ? v[PROCFS_NUM_OBJS] % v[PROCFS_NUM_SLABS] == 0 :
				      v[PROCFS_NUM_OBJS] == 0);
}

int procfs_sniff(const char *text, size_t len)
{
	struct lines r = lines_of(text, len);
	size_t lines = 0, old_rows = 0;
	struct procfs_row row;
	struct grammar g;
	struct line l;

	grammar_start(&g);
	while (lines_next(&r, &l)) {
		lines += l.len != 0;
		if (grammar_version(&g, &l))
			return 100;
		if (grammar_heading(&g, &l))
			return 95;
		if (!l.len || !grammar_row(&g, l.text, l.len, &row))
			continue;
		if (procfs_has(&row, PROCFS_SHAREDAVAIL))
			return 80;
		old_rows += plausible(&row);
	}
	return old_rows && old_rows * 2 >= lines ? 30 : 0;
}

/* What a walk over the lines has met since the sample at hand began. */
struct walk {
	struct grammar grammar;
	bool headed;			/* some sample has begun with a head */
	bool apart;			/* a separator stands before the next row */
	size_t lines, rows;		/* lines since the last head; rows since the start */
	int64_t wall_ns;		/* of a stamp that no sample has yet */
};

static bool starts_sample(struct walk *w, const struct line *l)
{
	bool version = grammar_version(&w->grammar, l), starts;
	struct procfs_row row;

	if (version || grammar_heading(&w->grammar, l)) {
		/*
		 * A heading below its version line goes with it; so does all before the first head.
		 */
		starts = w->headed && (version || w->lines);
		w->headed = true;
		w->lines = 0;
		if (starts)
			w->rows = 0;
	} else {
		w->lines++;
		if (!grammar_row(&w->grammar, l->text, l->len, &row))
			return false;
		starts = w->apart && w->rows;
		w->rows++;
	}
	w->apart = false;
	return starts;
}

int procfs_find_samples(const char *text, size_t len, struct sample_list *samples)
{
	struct walk w = { 0 };
	struct lines r = lines_of(text, len);
	const char *from = text;
	int64_t wall_ns;
	struct line l;

	if (sample_add(samples, 0, 0, 0))
		return -ENOMEM;
	grammar_start(&w.grammar);
	find_head(&w.grammar, r);
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

/* ---- a row and its cache --------------------------------------------------------------------- */

/* A partial slab has a free object at least: with few of those, none of its lists was sampled. */
bool procfs_may_sample(const struct procfs_row *row, bool slub, unsigned kernel)
{
	uint64_t total = row->value[PROCFS_NUM_OBJS], active = row->value[PROCFS_ACTIVE_OBJS];

	return slub && (kernel == 0 || kernel >= SLABSTAT_KERNEL(6, 10)) &&
	       row->value[PROCFS_NUM_SLABS] > PROCFS_SAMPLED_SLABS && total > active &&
	       total - active > PROCFS_SAMPLED_SLABS;
}

void procfs_row_fill(const struct procfs_row *row, bool slub, unsigned kernel,
		     struct slabstat_cache *c)
{
	for (int i = 0; i < PROCFS_COLUMNS; i++) {
		enum procfs_column column = (enum procfs_column)i;

		if (procfs_has(row, column))
			cache_set(c, grammar_field(column), row->value[i], SLABSTAT_EXACT);
	}
	if (procfs_may_sample(row, slub, kernel) && cache_has(c, SLABSTAT_OBJECTS))
		c->quality[SLABSTAT_OBJECTS] = SLABSTAT_ESTIMATE;
}
