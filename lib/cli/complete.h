/* SPDX-License-Identifier: MIT */
/*
 * complete.h - words for the shell's completion, from the option tables.
 *
 * The one script lib/cli/completion.bash serves every program: it runs
 *
 *	PROGRAM --complete-words WORD...
 *
 * with the words between the program's name and the cursor, and gets the candidates, one a line.
 * What an option's argument may be follows from its name in the table: FIELD..., LIST, KIND,
 * SAMPLE, TERMINAL, WHEN.
 */
#ifndef SLABKIT_CLI_COMPLETE_H
#define SLABKIT_CLI_COMPLETE_H

#include "util/opts.h"

#include <stdio.h>

struct complete {
	const struct opt *table;
	void (*columns)(FILE *out);	/* candidates for LIST besides the fields; NULL: none */
	bool caches;			/* operands are names of caches */
};

/* complete_asked - argv asks for words: its first argument is --complete-words. */
bool complete_asked(int argc, char **argv);

/* complete_print - the candidates behind the words argv[0..argc-1]. */
void complete_print(const struct complete *c, int argc, char **argv, FILE *out);

#endif
