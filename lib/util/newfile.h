/* SPDX-License-Identifier: MIT */
/*
 * newfile.h - a file written anew: whole, or the old one stays.
 *
 * Text goes to a file beside the target, which takes its name once all is written; the old one's
 * permissions are kept. A link is followed, so that the link stays. What is no plain file (a
 * device, a pipe) is written to as it is.
 */
#ifndef UTIL_NEWFILE_H
#define UTIL_NEWFILE_H

#include <stdbool.h>
#include <stdio.h>

struct newfile {
	FILE *f;		/* write here */
	char *path;		/* the target, links resolved; NULL: f is the target itself */
	char *beside;		/* what f is called until then */
};

/* newfile_open - 0 or a negative errno, with nothing to close. */
int newfile_open(struct newfile *n, const char *path);

/*
 * newfile_close - with keep, the new file takes the target's place; else, and after a failure, the
 * target is as it was. 0 or a negative errno, of writing as well.
 */
int newfile_close(struct newfile *n, bool keep);

#endif
