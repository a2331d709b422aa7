/* SPDX-License-Identifier: MIT */
/* diff_side.h - the recordings on one side of a comparison, read and averaged. */
#ifndef SLABINFO_DIFF_SIDE_H
#define SLABINFO_DIFF_SIDE_H

#include "diff.h"
#include "history.h"

struct diff_side {
	struct history *history;	/* one a recording */
	size_t n;
	char **name;			/* borrowed */
};

/*
 * diff_side_read - n recordings; merged, where it is not NULL, is told who shares which cache. 0,
 * or DIFF_TROUBLE after a message. diff_side_free takes what it left in any case.
 */
int diff_side_read(struct diff_call *call, struct diff_side *s, char **names, size_t n,
		   struct merged *merged);
void diff_side_free(struct diff_side *s);

/*
 * diff_side_relabel - rows of caches that are merged somewhere get one label, by which they are
 * added up. False: no memory.
 */
bool diff_side_relabel(struct diff_side *s, struct merged *merged);

/* diff_side_has - whether every recording has the total. */
bool diff_side_has(const struct diff_side *s, enum history_value v);

/* diff_side_mean - of a row over all samples of its recording. */
double diff_side_mean(const struct history *y, const struct history_row *row, enum history_value v);

/*
 * diff_side_means - the mean of the rows of that label in each recording, 0 where there is none;
 * label NULL: of the total. Fills out[n].
 */
void diff_side_means(const struct diff_side *s, const char *label, enum history_value v,
		     double *out);

#endif
