/* SPDX-License-Identifier: MIT */
/*
 * diff.h - `slabinfo diff`: what its two tasks share.
 *
 *	diff_pair	two snapshots, cache by cache (diff_pair.c)
 *	diff_groups	recordings of two kinds of runs, by their means (diff_group.c)
 */
#ifndef SLABINFO_DIFF_H
#define SLABINFO_DIFF_H

#include "form_opts.h"

#include "cli/source_opts.h"

#define DIFF_PROGRAM "slabinfo diff"

/* Exit statuses, as of diff(1). */
enum { DIFF_NONE_GREW = 0, DIFF_GREW = 1, DIFF_TROUBLE = 2 };

struct diff_request {
	struct form_opts form;
	struct source_opts source;	/* --from, --page-size, --exact; --root instead of live */
	const char *at;			/* for both sides, or of a; NULL: last */
	const char *at_b;
	bool families;
	char **a, **b;			/* operands; b NULL: the live system */
	size_t na, nb;
	bool groups;			/* parted by vs */
};

struct diff_call {
	const struct diff_request *r;
	struct out *out;
	struct slabstat *h;
};

/* diff_open - operand (NULL: live) at a sample; *returns owned*, NULL after a message. */
struct slabstat_source *diff_open(const struct diff_call *call, const char *operand,
				  const char *at);

/* Each returns an exit status. */
int diff_pair(struct diff_call *call);
int diff_groups(struct diff_call *call);

/*
 * diff_over_time - of two sources with several samples each, what their totals came to over time.
 * 0, or DIFF_TROUBLE after a message.
 */
int diff_over_time(struct diff_call *call, struct json_doc *d);

/* diff_print_safe - a text without control codes. */
void diff_print_safe(FILE *out, const char *text);

#endif
