/* SPDX-License-Identifier: MIT */
/*
 * procfs.h - the text of /proc/slabinfo, of every version, as rows.
 *
 * How a row is written stands in grammar.h. Here are the files around them: without heads, quoted,
 * stamped by a log, wrapped by a mailer, cut in the last row, several samples in one, and with the
 * seams of a file that the kernel hands out in pieces.
 */
#ifndef SLABSTAT_PROCFS_H
#define SLABSTAT_PROCFS_H

#include "slabstat/sample.h"
#include "slabstat/grammar.h"
#include "slabstat/snapshot.h"

struct procfs_table {
	struct procfs_row *row;
	size_t count, room;
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
int procfs_parse(struct procfs_table *t, const char *text, size_t len,
		 const struct procfs_seams *seams);
void procfs_free(struct procfs_table *t);

/* procfs_sniff - how sure a text is of this kind; see struct source_ops. */
int procfs_sniff(const char *text, size_t len);

/*
 * procfs_find_samples - where samples begin: at each version line, else at each heading; without
 * either at the first row behind a time stamp. There is one at least. 0 or -ENOMEM.
 */
int procfs_find_samples(const char *text, size_t len, struct sample_list *samples);

/* From 6.10 on the kernel samples the partial list of a node that is longer than this. */
#define PROCFS_SAMPLED_SLABS 10000

/*
 * procfs_may_sample - whether the objects of a row may be an estimate for that (kernel 0: unknown,
 * so they may).
 */
bool procfs_may_sample(const struct procfs_row *row, bool slub, unsigned kernel);

/* procfs_row_fill - what a row says of its cache. */
void procfs_row_fill(const struct procfs_row *row, bool slub, unsigned kernel,
		     struct slabstat_cache *c);

#endif
