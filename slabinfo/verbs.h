/* SPDX-License-Identifier: MIT */
/*
 * verbs.h - `slabinfo VERB ...`: one file a verb, one const entry each, one table.
 *
 * A word is a verb only as the very first argument; after any option or "--" it is a pattern.
 */
#ifndef SLABINFO_VERBS_H
#define SLABINFO_VERBS_H

#include "util/opts.h"

struct verb {
	const char *name;		/* "record" */
	const char *usage;		/* "[-o FILE] [-i SECONDS] [-- COMMAND...]" */
	const char *summary;		/* one line for --help */
	const struct opt *options;	/* for help and completion */
	/* argv[0] is the verb itself; returns the exit status. */
	int (*run)(int argc, char **argv);
};

extern const struct verb verb_record, verb_mark, verb_report, verb_diff, verb_import, verb_tune;

/* Every verb, in the order of the manual; ends with NULL. Add an entry there for a new one. */
extern const struct verb *const verbs[];

/* verb_find - by exact name; NULL. */
const struct verb *verb_find(const char *name);

/* verb_take_output - the file of -o for a recording, borrowed. 0, or 2 after a message. */
int verb_take_output(const char **file, const char *arg, const char *program);

#endif
