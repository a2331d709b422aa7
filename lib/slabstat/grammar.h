/* SPDX-License-Identifier: MIT */
/*
 * grammar.h - how /proc/slabinfo is written: its version line, its heading, its rows.
 *
 *	1.0	name active total [objsize active_slabs slabs pages]
 *	1.1 1.2	name active total objsize active_slabs slabs pages
 *		[: high allocs grown reaped errors] [: limit batchcount] [: hits and misses]
 *	2.0 2.1	name active total objsize objperslab pagesperslab : tunables limit batchcount shared
 *		: slabdata active_slabs slabs sharedavail [: globalstat ...] [: cpustat ...]
 *
 * Names may hold anything, blanks and colons too, so a row is read from its numbers, not from its
 * first blank. Where there is a heading its words say what the columns are; the tunables alone go
 * by place, for the heading of 2.0 had them in the wrong order. A file may lack both heads, be
 * quoted, stamped by a log, wrapped by a mailer, or cut in its last row.
 */
#ifndef SLABSTAT_GRAMMAR_H
#define SLABSTAT_GRAMMAR_H

#include "slabstat/line.h"

#include <slab/slabstat.h>

enum procfs_column {
	PROCFS_ACTIVE_OBJS, PROCFS_NUM_OBJS, PROCFS_OBJSIZE, PROCFS_OBJPERSLAB, PROCFS_PAGESPERSLAB,
	PROCFS_LIMIT, PROCFS_BATCHCOUNT, PROCFS_SHAREDFACTOR,
	PROCFS_ACTIVE_SLABS, PROCFS_NUM_SLABS, PROCFS_SHAREDAVAIL,
	PROCFS_LISTALLOCS, PROCFS_MAXOBJS, PROCFS_GROWN, PROCFS_REAPED, PROCFS_ERROR,
	PROCFS_MAXFREEABLE, PROCFS_NODEALLOCS, PROCFS_REMOTEFREES, PROCFS_ALIENOVERFLOW,
	PROCFS_ALLOCHIT, PROCFS_ALLOCMISS, PROCFS_FREEHIT, PROCFS_FREEMISS,
	PROCFS_COLUMNS
};

struct procfs_row {
	const char *name;	/* in the text, not terminated */
	size_t name_len;
	size_t offset;		/* of the row in the text */
	unsigned long line;
	uint32_t has;		/* bit c: column c */
	uint64_t value[PROCFS_COLUMNS];
};

static inline bool procfs_has(const struct procfs_row *row, enum procfs_column c)
{
	return row->has >> c & 1;
}

enum {
	GRAMMAR_MAIN,
	GRAMMAR_TUNABLES,
	GRAMMAR_SLABDATA,
	GRAMMAR_GLOBALSTAT,
	GRAMMAR_CPUSTAT,
	GRAMMAR_GROUPS
};

#define GRAMMAR_NUMBERS 16	/* in one group of any known version */

/* What is known of a file: its version, and which column each number of each group is. */
struct grammar {
	unsigned major, minor;		/* 0: the file does not say */
	bool headed;			/* by its heading; else as most versions have it */
	struct {
		signed char column[GRAMMAR_NUMBERS];	/* -1: unknown to us */
		unsigned char count;
	} group[GRAMMAR_GROUPS];
};

/* grammar_start - of a file of which nothing is known yet. */
void grammar_start(struct grammar *g);

/* grammar_version, grammar_heading - whether a line is one; the grammar goes by it from then on. */
bool grammar_version(struct grammar *g, const struct line *l);
bool grammar_heading(struct grammar *g, const struct line *l);

/* grammar_row - whether a text is one whole row; *row borrows from it. */
bool grammar_row(const struct grammar *g, const char *text, size_t len, struct procfs_row *row);

/* grammar_goes_on - the line begins as no row does, but as the rest of one that was wrapped. */
bool grammar_goes_on(const struct line *l);

/* grammar_field - the field that a column carries. */
enum slabstat_field grammar_field(enum procfs_column column);

#endif
