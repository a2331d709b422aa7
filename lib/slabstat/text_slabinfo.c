// SPDX-License-Identifier: MIT
/*
 * text_slabinfo.c - what the kernel's slabinfo prints: its lists, totals (-T), extended totals
 * (-X), reports (-r) and aliases (-a), one after another or in loops.
 *
 * Totals begin a sample; so does the heading of a list, unless a title ("Slabs sorted by size",
 * with a count behind it in old kernels) stands above it, and a report of a cache that the sample
 * already has. In a loop of -X the blocks of one run list the same caches, which are one here.
 *
 * The averages, minima and maxima of -T are not kept: they are not sums. Without -B its numbers
 * are cut to a decimal, so they are estimates.
 */
#include "slabstat/text_list.h"
#include "slabstat/text_report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum section { NOWHERE, PER_CACHE, PER_OBJECT, LIST, ACTIVITY, REPORT };

struct slabinfo {
	enum section section;
	bool totals, listed, reported;	/* what the sample has */
	bool titled;			/* a title stands above the next heading */
	bool unflagged;			/* the line before was a row without flags */
	unsigned titles;		/* kinds of titles seen: one bit each */
	unsigned block;
	enum list_column column;
	size_t numbers;			/* in a row of -D */
	struct list list;
	struct slabstat_cache *report;	/* the one at hand */
	struct word first_report;
};

/* A new sample, unless the one at hand is still empty. */
static void restart(struct text *t, const struct line *l)
{
	if (!t->begun || t->content)
		text_begin(t, l);
}

/* ---- totals ---------------------------------------------------------------------------------- */

/* "LABEL: number" somewhere in the line, blanks before the colon or not. */
static bool stated(const struct line *l, const char *label, uint64_t *value, uint64_t *step)
{
	const char *end = l->text + l->len;
	const char *p = memmem(l->text, l->len, label, strlen(label));
	struct word w;

	if (!p)
		return false;
	p += strlen(label);
	while (p < end && (line_blank(*p) || *p == ':'))
		p++;
	return word_next(&p, end, &w) && word_decimal(&w, value, step);
}

static void state_total(struct text *t, const struct line *l, const char *label,
			enum slabstat_field f)
{
	uint64_t value, step;

	if (stated(l, label, &value, &step))
		text_state(text_reported(t), f, value, word_quality(step));
}

/* "Aliases  : 124->63": symbolic links, then caches with an id for a name. */
static void note_links(struct text *t, const struct line *l)
{
	const char *end = l->text + l->len, *p = memmem(l->text, l->len, "Aliases", 7);
	struct word w;
	uint64_t links;

	if (!p || !t->s)
		return;
	for (p += 7; p < end && (line_blank(*p) || *p == ':'); p++)
		;
	w = (struct word){ p, 0 };
	while (p < end && *p >= '0' && *p <= '9')
		p++;
	w.len = (size_t)(p - w.text);
	if (word_u64(&w, &links))
		t->s->notes.links = links;
}

static enum text_line feed_totals(struct text *t, const struct line *l)
{
	struct slabinfo *st = t->state;

	if (line_begins(l, "Slabcaches :")) {
		if (st->totals)
			restart(t, l);
		text_continue(t, l);
		st->totals = true;
		note_links(t, l);
		return TEXT_MARK;
	}
	text_continue(t, l);
	if (line_begins(l, "Memory used:")) {
		state_total(t, l, "Memory used", SLABSTAT_FOOTPRINT);
		state_total(t, l, "# Loss", SLABSTAT_LOSS);
	} else {
		state_total(t, l, "# Objects", SLABSTAT_OBJECTS);
		state_total(t, l, "# PartObj", SLABSTAT_OBJECTS_PARTIAL);
	}
	return TEXT_MARK;
}

/* A row under "Per Cache": its last column is the total. */
static bool feed_per_cache(struct text *t, const struct line *l)
{
	static const struct {
		const char *label;
		enum slabstat_field field;
	} rows[] = {
		{ "#Objects ", SLABSTAT_OBJECTS },   { "#Slabs ", SLABSTAT_SLABS },
		{ "#PartSlab ", SLABSTAT_PARTIAL },  { "PartObjs ", SLABSTAT_OBJECTS_PARTIAL },
		{ "Memory ", SLABSTAT_FOOTPRINT },   { "Used ", SLABSTAT_USED },
		{ "Loss ", SLABSTAT_LOSS },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *p = l->text, *end = p + l->len;
		struct word w[6];
		uint64_t value, step;
		size_t n = 0;

		if (!line_begins(l, rows[i].label))
			continue;
		while (n < 6 && word_next(&p, end, &w[n]))
			n++;
		/* Label, average, minimum, maximum, total: less is a row that was cut. */
		if (n == 5 && word_decimal(&w[4], &value, &step))
			text_state(text_reported(t), rows[i].field, value, word_quality(step));
		return true;
	}
	return line_begins(l, "%PartSlab ") || line_begins(l, "% PartObj ");
}

/* ---- lists ----------------------------------------------------------------------------------- */

static bool contains(const struct line *l, const char *text)
{
	return memmem(l->text, l->len, text, strlen(text)) != NULL;
}

static enum text_line feed_title(struct text *t, const struct line *l)
{
	struct slabinfo *st = t->state;
	unsigned kind = contains(l, "by size") ? 1 : contains(l, "by loss") ? 2 : 4;

	/* The same title again: a loop whose totals were cut out. */
	if ((st->titles & kind) || (st->listed && !st->titles) || !t->begun)
		restart(t, l);
	st->titles |= kind;
	st->titled = true;
	st->section = LIST;
	st->block++;
	st->column = kind == 2 ? LIST_LOSS : LIST_SPACE;
	return TEXT_MARK;
}

static enum text_line feed_heading(struct text *t, const struct line *l)
{
	struct slabinfo *st = t->state;

	if ((!st->titled && (st->listed || st->reported)) || !t->begun)
		restart(t, l);
	st->titled = false;
	if (contains(l, " Fallb ") || contains(l, " Fallb")) {
		st->section = ACTIVITY;
		st->numbers = contains(l, "CmpX") ? 9 : 7;
	} else {
		st->section = LIST;
		st->column = contains(l, " Loss ") ? LIST_LOSS : LIST_SPACE;
	}
	return TEXT_MARK;
}

static enum text_line feed_row(struct text *t, const struct line *l, struct list_row *row)
{
	struct slabinfo *st = t->state;

	text_continue(t, l);
	st->listed = true;
	st->unflagged = row->flags.len == 0;
	row->column = st->section == LIST ? st->column : LIST_UNKNOWN;
	row->block = st->block;
	if (t->s && list_add(&st->list, row))
		t->no_memory = true;
	return TEXT_ROW;
}

/* ---- reports and aliases --------------------------------------------------------------------- */

static bool same_word(const struct word *a, const struct word *b)
{
	return a->len == b->len && memcmp(a->text, b->text, a->len) == 0;
}

static enum text_line feed_report(struct text *t, const struct line *l, const struct word *name)
{
	struct slabinfo *st = t->state;
	bool again = st->reported && same_word(name, &st->first_report);

	if (st->listed || again)
		restart(t, l);
	text_continue(t, l);
	if (!st->reported)
		st->first_report = *name;
	st->reported = true;
	st->section = REPORT;
	st->report = report_head(t, l, name);
	return TEXT_ROW;
}

/* ":0000024     <- audit_buffer fsnotify", or "audit_buffer    -> :0000024". */
static enum text_line feed_alias(struct text *t, const struct line *l)
{
	const char *p = l->text, *end = p + l->len;
	struct word first, arrow, other;

	if (!word_next(&p, end, &first) || !word_next(&p, end, &arrow) ||
	    !word_next(&p, end, &other))
		return TEXT_OTHER;
	if (word_is(&arrow, "<-") && first.text[0] == ':') {
		text_continue(t, l);
		do {
			text_link(t, other.text, other.len, first.text, first.len);
		} while (word_next(&p, end, &other));
		return TEXT_ROW;
	}
	if (word_is(&arrow, "->") && other.text[0] == ':' && p == end) {
		text_continue(t, l);
		text_link(t, first.text, first.len, other.text, other.len);
		return TEXT_ROW;
	}
	return TEXT_OTHER;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static enum text_line feed_head(struct text *t, const struct line *l)
{
	struct slabinfo *st = t->state;

	if (line_begins(l, "Slabcache Totals")) {
		restart(t, l);
		return TEXT_MARK;
	}
	if (line_begins(l, "Slabcaches :") || line_begins(l, "Memory used:") ||
	    line_begins(l, "# Objects  :"))
		return feed_totals(t, l);
	if (line_begins(l, "Per Cache ")) {
		st->section = PER_CACHE;
		return TEXT_MARK;
	}
	if (line_begins(l, "Per Object ")) {
		st->section = PER_OBJECT;
		return TEXT_MARK;
	}
	if (line_begins(l, "Slabs sorted by "))
		return feed_title(t, l);
	if (line_begins(l, "Name ") && contains(l, " Objects ") &&
	    (contains(l, " Objsize ") || contains(l, " Fallb")))
		return feed_heading(t, l);
	return TEXT_OTHER;
}

static enum text_line feed(struct text *t, const struct line *l)
{
	struct slabinfo *st = t->state;
	enum text_line what = feed_head(t, l);
	bool unflagged = st->unflagged;
	struct list_row row;
	struct word name;

	st->unflagged = false;
	if (what != TEXT_OTHER)
		return what;
	if (unflagged && list_scan_flags(l, &name)) {
		if (st->list.count)
			st->list.row[st->list.count - 1].flags = name;
		return TEXT_MARK;
	}
	if (report_begins(l, &name))
		return feed_report(t, l, &name);
	if (st->section == REPORT && report_line(t, st->report, l))
		return TEXT_MARK;
	if (st->section == PER_CACHE && feed_per_cache(t, l))
		return TEXT_MARK;
	if (st->section == ACTIVITY ? list_scan_activity(l, st->numbers, &row) : list_scan(l, &row))
		return feed_row(t, l, &row);
	if (st->section == LIST && (list_was_row(l) || (!t->ended && l->len > 0)))
		return TEXT_BAD;
	return feed_alias(t, l);
}

static int compare_caches(const void *a, const void *b)
{
	return strcmp((*(struct slabstat_cache *const *)a)->name,
		      (*(struct slabstat_cache *const *)b)->name);
}

static int compare_target(const void *target, const void *cache)
{
	return strcmp(target, (*(struct slabstat_cache *const *)cache)->name);
}

static int compare_links(const void *a, const void *b)
{
	return strcmp(((const struct alias_link *)a)->target,
		      ((const struct alias_link *)b)->target);
}

/* A list of aliases names caches that nothing else lists: they are there, without a value. */
static int add_targets(struct text *t)
{
	struct slabstat_snapshot *s = t->s;
	size_t known = s->count;
	struct slabstat_cache **by_name = calloc(known + 1, sizeof(struct slabstat_cache *));

	if (!by_name)
		return -ENOMEM;
	if (known)
		memcpy(by_name, s->cache, known * sizeof(*by_name));
	qsort(by_name, known, sizeof(*by_name), compare_caches);
	if (s->link_count)
		qsort(s->link, s->link_count, sizeof(*s->link), compare_links);
	for (size_t i = 0; i < s->link_count; i++) {
		const char *target = s->link[i].target;

		if ((i && strcmp(target, s->link[i - 1].target) == 0) ||
		    bsearch(target, by_name, known, sizeof(*by_name), compare_target))
			continue;
		text_cache(t, target, strlen(target));
	}
	free(by_name);
	return t->no_memory ? -ENOMEM : 0;
}

static int finish(struct text *t)
{
	struct slabinfo *st = t->state;

	text_machine(t)->slub = true;	/* the tool reads nothing else */
	if (list_finish(&st->list, t))
		return -ENOMEM;
	return add_targets(t);
}

static void close_state(struct text *t)
{
	struct slabinfo *st = t->state;

	list_free(&st->list);
}

const struct text_format text_slabinfo = {
	.name = "slabinfo",
	.why_absent = "this output of slabinfo does not print it",
	.state_size = sizeof(struct slabinfo),
	.feed = feed,
	.finish = finish,
	.close = close_state,
};
