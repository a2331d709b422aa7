/* SPDX-License-Identifier: MIT */
/*
 * table.h - rows and columns, written as aligned text, as tabs or as CSV.
 *
 * Aligned text is kept until table_finish(), which knows every width by then and fits the table to
 * the terminal: columns marked optional go from the right until the rest fits, then the column
 * marked shrink is shortened. Tabs and CSV are written as they come and never fitted.
 *
 *	struct table *t = table_new(out, TABLE_ALIGNED, columns, n);
 *	for each row: table_text(t, name, style); table_bytes(t, size, style); table_end_row(t);
 *	ok = table_finish(t);
 */
#ifndef SLABKIT_UTIL_TABLE_H
#define SLABKIT_UTIL_TABLE_H

#include "util/out.h"

#include <stdint.h>

enum table_form { TABLE_ALIGNED, TABLE_TABS, TABLE_CSV };

struct table_column {
	const char *title;	/* heading of aligned text and tabs */
	const char *key;	/* heading of CSV; NULL: the title */
	bool right;		/* numbers */
	bool optional;		/* left out where the terminal is too narrow */
	bool shrink;		/* text that may be shortened where it still is (one column) */
};

struct table_options {
	enum table_form form;
	bool no_heading;	/* -H */
	bool exact;		/* -b: bytes as digits instead of KiB and MiB */
	bool fit;		/* leave out or shorten columns to fit out->width */
	const char *source;	/* tabs and CSV: first column "source" of every row; NULL: none */
};

struct table;

/* table_new - *returns owned*; columns must outlive it. NULL: no memory. */
struct table *table_new(struct out *out, const struct table_options *options,
			const struct table_column *columns, size_t n);

/* Cells of the current row, from left to right. NULL text: absent ("-", an empty cell in CSV). */
void table_text(struct table *t, const char *text, enum out_style style);
void table_number(struct table *t, uint64_t value, enum out_style style);
void table_absent(struct table *t);
/* table_bytes - "188.9 MiB", or digits with exact, in tabs and in CSV. */
void table_bytes(struct table *t, uint64_t bytes, enum out_style style);
/*
 * table_marked - like table_bytes or table_number with a mark before it ("~", ">"), which stands
 * in aligned text only: what a script reads stays a number.
 */
void table_marked(struct table *t, const char *mark, uint64_t value, bool bytes,
		  enum out_style style);

void table_end_row(struct table *t);

/* table_finish - write what is left and free the table. False: memory was short, rows are lost. */
bool table_finish(struct table *t);

#endif
