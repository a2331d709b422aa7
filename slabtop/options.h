/* SPDX-License-Identifier: MIT */
/* options.h - what one call of slabtop asks for: filled once from argv, constant from then on. */
#ifndef SLABTOP_OPTIONS_H
#define SLABTOP_OPTIONS_H

#include <stdbool.h>

#include "cli/source_opts.h"
#include "util/opts.h"
#include "util/out.h"

#define PROGRAM "slabtop"

struct options {
	struct source_opts source;
	double delay;			/* seconds */
	bool delay_given;
	int sort;			/* column (columns.h); COLUMN_NONE: the usual one */
	char sort_letter;		/* of -s; 0: none */
	bool once, human, batch;
	bool compat_406;		/* wider columns in --once */
	unsigned long frames;		/* of --batch; 0: without end */
	const char *match;		/* first filter, or NULL */
	const char *journal;		/* directory of the undo journal; NULL: the usual one */
	bool exact;
	bool ascii;
	enum out_color color;
};

extern const struct opt slabtop_options[];

enum options_result { OPTIONS_RUN, OPTIONS_DONE, OPTIONS_USAGE };

/*
 * options_parse - OPTIONS_DONE: help, version or the like was printed (exit status 0);
 * OPTIONS_USAGE: a message was (exit status 2).
 */
enum options_result options_parse(struct options *o, int argc, char **argv);
void options_free(struct options *o);

#endif
