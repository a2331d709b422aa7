/* SPDX-License-Identifier: MIT */
/*
 * markfile.h - a file that the recorded command writes lines to, each of which becomes a mark.
 *
 * A plain file and no pipe: a writer never waits for us, whatever becomes of us. Its name stands in
 * the environment variable MARKFILE_VARIABLE of the command; it is removed at the end.
 */
#ifndef SLABINFO_MARKFILE_H
#define SLABINFO_MARKFILE_H

#include <stdbool.h>
#include <stddef.h>

#define MARKFILE_VARIABLE "SLABINFO_MARKS"

struct markfile {
	char *path;		/* NULL: closed */
	int fd;
	int notify;		/* readable when the file was written to; -1: look at each sample */
	long long read;		/* bytes taken so far */
	char *line;		/* the unfinished one */
	size_t len;
};

/* markfile_open - in TMPDIR, and set the variable. 0 or a negative errno. */
int markfile_open(struct markfile *m);

/*
 * markfile_take - call mark for each line that was finished since (with last: the unfinished one
 * as well). The first value that mark returns that is not 0 ends it and is returned.
 */
int markfile_take(struct markfile *m, bool last, int (*mark)(void *arg, const char *text),
		  void *arg);

/* markfile_close - remove the file and the variable. */
void markfile_close(struct markfile *m);

#endif
