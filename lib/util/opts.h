/* SPDX-License-Identifier: MIT */
/*
 * opts.h - one table of options a program or verb: parsing, --help, completion and the manual's
 * check come from it.
 */
#ifndef SLABKIT_UTIL_OPTS_H
#define SLABKIT_UTIL_OPTS_H

#include <stdbool.h>
#include <stdio.h>

enum opt_arg { OPT_NONE, OPT_REQUIRED, OPT_OPTIONAL };

struct opt {
	/* what opts_next returns: the short letter, or a number >= 256 without one */
	int id;
	const char *name;	/* long name without dashes, or NULL */
	enum opt_arg takes;
	const char *arg;	/* name of the argument in help: "FILE" */
	const char *help;	/* one line; NULL: accepted, not shown */
};

#define OPT_END { 0, NULL, OPT_NONE, NULL, NULL }

/* Results of opts_next besides ids. */
enum { OPTS_DONE = -1, OPTS_ERROR = -2 };

/*
 * Zero-initialise; then set table and, to stop at the first operand (verbs that run a command),
 * posix.
 */
struct opts {
	const struct opt *table;	/* ends with OPT_END */
	const char *program;		/* name in messages: "slabinfo record" */
	bool posix;
	const char *arg;		/* argument of the option returned last, or NULL */
	int operand;			/* after OPTS_DONE: index in argv of the first operand */
	bool dashdash;			/* after OPTS_DONE: operands began behind "--" */
	void *state;
};

/*
 * opts_next - the next option of argv, OPTS_DONE, or OPTS_ERROR after a message on stderr that
 * names the option and points to --help. Not reentrant (getopt_long).
 */
int opts_next(struct opts *o, int argc, char **argv);

/*
 * opts_each - hand every option to take, which returns 0, or an exit status after a message: it
 * ends there and is the result. OPTS_HELP: 'h' was among them. 0: all are taken; like opts_next
 * behind OPTS_DONE. opts_free follows in any case.
 */
enum { OPTS_HELP = -3 };
int opts_each(struct opts *o, int argc, char **argv,
	      int (*take)(void *request, int id, char *arg), void *request);

/* opts_usage - "PROGRAM: WHAT 'ARG'; see PROGRAM --help" (ARG NULL: without it). Returns 2. */
int opts_usage(const char *program, const char *what, const char *arg);

/* opts_free - give back what opts_next took. */
void opts_free(struct opts *o);

/* opts_help - the table as aligned lines on out. */
void opts_help(const struct opt *table, FILE *out);

/* opts_words - every option as one word a line ("-x", "--name"), for completion. */
void opts_words(const struct opt *table, FILE *out);

#endif
