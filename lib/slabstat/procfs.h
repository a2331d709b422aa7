/* SPDX-License-Identifier: MIT */
/*
 * procfs.h - the text of /proc/slabinfo, of every version, as rows.
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
#ifndef SLABSTAT_PROCFS_H
#define SLABSTAT_PROCFS_H

#include "slabstat/sample.h"
#include "slabstat/snapshot.h"

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

struct procfs_table {
	struct procfs_row *row;
	size_t count, room;
	unsigned major, minor;	/* 0: the text does not say */
	bool slub;		/* no tunables, and every slab active: SLUB wrote this */
	size_t bad_rows;
	unsigned long first_bad_row;
	size_t repeats;		/* rows left out because they stood before a seam already */
};

/* Where the kernel let go of its lock between two pieces of the file: offsets into the text. */
struct procfs_seams {
	size_t *at;
	size_t count, room;
};

/*
 * procfs_parse - all rows of a text, which must outlive the table. Rows that come again right
 * after a seam (NULL: none known) are left out. 0 or -ENOMEM.
 */
int procfs_parse(struct procfs_table *t, const char *text, size_t len, const struct procfs_seams *seams);
void procfs_free(struct procfs_table *t);

/* procfs_sniff - how sure a text is of this kind; see struct source_ops. */
int procfs_sniff(const char *text, size_t len);

/*
 * procfs_find_samples - where samples begin: at each version line, else at each heading; without either
 * at the first row behind a time stamp. There is one at least. 0 or -ENOMEM.
 */
int procfs_find_samples(const char *text, size_t len, struct sample_list *samples);

static inline bool procfs_has(const struct procfs_row *row, enum procfs_column c)
{
	return row->has >> c & 1;
}

/* From 6.10 on the kernel samples the partial list of a node that is longer than this. */
#define PROCFS_SAMPLED_SLABS 10000

/*
 * procfs_may_sample - whether the objects of a row may be an estimate for that (kernel 0: unknown,
 * so they may).
 */
bool procfs_may_sample(const struct procfs_row *row, bool slub, unsigned kernel);

/* procfs_row_fill - what a row says of its cache. */
void procfs_row_fill(const struct procfs_row *row, bool slub, unsigned kernel, struct slabstat_cache *c);

#endif
