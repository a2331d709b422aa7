/* SPDX-License-Identifier: MIT */
/*
 * columns.h - what can stand in a row of our own table: every field of fields.def, and a few
 * texts. -c chooses among them, by id or title.
 */
#ifndef SLABINFO_COLUMNS_H
#define SLABINFO_COLUMNS_H

#include <slab/slabstat.h>

#include "util/table.h"

/* Texts; fields follow as COLUMN_FIELD + field. */
enum column {
	COLUMN_NAME,		/* what people call it */
	COLUMN_ID,		/* directory or row */
	COLUMN_USERS,		/* names that share it */
	COLUMN_FLAGS,
	COLUMN_CTOR,
	COLUMN_MEMBERS,		/* caches folded into the row */
	COLUMN_INEXACT,		/* fields of the row that are bounds or estimates */
	COLUMN_FIELD
};

struct columns {
	int *column;		/* enum column, or COLUMN_FIELD + enum slabstat_field */
	size_t n;
	bool chosen;		/* by -c: never left out for want of room */
};

/*
 * columns_parse - from a list as -c takes it: names with commas, "all", "+NAMES" to add to usual
 * (ends with -1). False after a message. columns_free gives back what it took.
 */
bool columns_parse(struct columns *c, const char *list, const int *usual, const char *program);
void columns_free(struct columns *c);

/* columns_want - the fields that these columns show. */
void columns_want(const struct columns *c, struct slabstat_fieldset *set);

/* columns_id, columns_title - names of one column. */
const char *columns_id(int column);
const char *columns_title(int column);

/* columns_help - every column with its unit and meaning. */
void columns_help(FILE *out);

/* columns_words - ids, one a line, for completion. */
void columns_words(FILE *out);

/* columns_table - a table with these columns; *head is freed by the caller after table_finish. */
struct table *columns_table(const struct columns *c, struct out *out, const struct table_options *o,
			    struct table_column **head);

/* What a row is made of. */
struct column_row {
	const struct slabstat_cache *cache;
	size_t members;			/* caches folded into it */
	bool aligned;			/* people read it */
	uint64_t total_footprint;	/* of all rows, to tell what stands out; 0: nothing does */
};

/* columns_cell - one cell. */
void columns_cell(struct table *t, int column, const struct column_row *row);

/*
 * columns_flags - the letters of a cache's flags; buf needs 16 bytes. Returns buf, or NULL where
 * not one of them is known.
 */
char *columns_flags(const struct slabstat_cache *cache, char buf[16]);

/* quality_mark - "" exact, "~" upper bound or estimate, ">" lower bound; quality_word: for JSON. */
const char *quality_mark(enum slabstat_quality q);
const char *quality_word(enum slabstat_quality q);

#endif
