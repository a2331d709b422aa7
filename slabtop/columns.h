/* SPDX-License-Identifier: MIT */
/*
 * columns.h - what a column of a list is: its heading, its value in a row, its text.
 *
 * Every field of the library is a column under its own number, id and title, as in slabinfo. To
 * these come what only a sequence of samples has (growth, rates, peaks, a graph), the names that
 * share a cache, and one column a NUMA node.
 */
#ifndef SLABTOP_COLUMNS_H
#define SLABTOP_COLUMNS_H

#include <stdbool.h>

#include <slab/slabstat.h>

#include "track.h"

enum {
	COLUMN_NONE = -2,
	COLUMN_NAME = -1,		/* pinned at the left; the others are chosen */
	/* 0 to SLABSTAT_NFIELDS - 1: the fields */
	COLUMN_DELTA = SLABSTAT_NFIELDS,/* footprint since the sample before */
	COLUMN_RATE,			/* the same a second */
	COLUMN_SINCE,			/* footprint since the beginning */
	COLUMN_SINCE_RATE,
	COLUMN_PEAK,			/* largest footprint since the beginning */
	COLUMN_HISTORY,			/* graph of the footprint */
	COLUMN_OBJ_DELTA,
	COLUMN_OBJ_RATE,
	COLUMN_OBJ_SINCE,
	COLUMN_OBJ_PEAK,
	COLUMN_MEMBERS,			/* caches folded into the row */
	COLUMN_USERS,			/* names that share the cache, at the right end */
	COLUMN_COUNT,			/* of those that can be chosen */
	COLUMN_NODE = 4096		/* + n: footprint on node n */
};

/* A row of a list. It borrows everything. */
struct row {
	const struct slabstat_cache *cache;	/* NULL: gone */
	const struct track *track;		/* never NULL */
	const char *name;
	size_t members;
	bool match;				/* the search finds it */
};

/* A value that can be compared: signed, exact to 64 bits. */
struct value {
	enum slabstat_quality quality;
	bool negative;
	uint64_t magnitude;
};

/* What the text of a column depends on besides the row. */
struct column_style {
	bool exact;		/* bytes as digits */
	bool unicode;		/* graphs of block elements */
	const struct tracks *tracks;
};

/* Room for any text of column_text but COLUMN_USERS, terminator included. */
#define COLUMN_TEXT 96
#define COLUMN_GRAPH 10		/* samples in the small graph */

/*
 * column_id, _title, _help - constant text ("" for a number that is no column). _title of a node:
 * in buf.
 */
const char *column_id(int column);
const char *column_title(int column, char buf[COLUMN_TEXT]);
const char *column_help(int column);

/* column_find - by id or title, ignoring case; COLUMN_NONE. */
int column_find(const char *name);

/* column_needs - add the fields that a column is made from. */
void column_needs(int column, struct slabstat_fieldset *fields);

/* column_ascending - the natural order: true for names. */
bool column_ascending(int column);

/* column_left - whether its text is aligned at the left. */
bool column_left(int column);

/* column_width - columns of text to keep for it before any value is known. */
int column_width(int column, const struct column_style *style);

struct value column_value(int column, const struct row *row, const struct tracks *tracks);

/* value_compare - < 0, 0, > 0. Absent values are equal to each other and below all others. */
int value_compare(struct value a, struct value b);

/* column_text - the cell; *role (canvas.h) says what it means. Returns buf. */
char *column_text(int column, const struct row *row, const struct column_style *style,
		  char buf[COLUMN_TEXT], unsigned *role);

/* value_text - a field's value as every page shows it: "188.9 MiB", "~87%", "-". Returns buf. */
char *value_text(enum slabstat_field field, enum slabstat_quality quality, uint64_t value,
		 bool exact, char buf[COLUMN_TEXT]);

/* bytes_text - the same for bytes alone; growth_text with a sign. */
char *bytes_text(uint64_t bytes, bool exact, char buf[COLUMN_TEXT]);
char *growth_text(struct value v, bool bytes, bool exact, const char *suffix,
		  char buf[COLUMN_TEXT]);

#endif
