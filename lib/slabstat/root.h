/* SPDX-License-Identifier: MIT */
/*
 * root.h - one place where a machine's /sys and /proc are: the running kernel, or a copy.
 *
 * Every path is relative to the root's descriptor. In a copy nothing outside it is ever opened:
 * no symbolic link is followed, for one that a stranger put there may lead anywhere. A file is
 * opened without waiting, so that a pipe in a copy cannot stop the reader.
 */
#ifndef SLABSTAT_ROOT_H
#define SLABSTAT_ROOT_H

#include "slabstat/error.h"

#include <sys/types.h>

struct root {
	struct slabstat *h;
	const char *dir;	/* "/" or the copy's directory, for messages; owned */
	int fd;			/* -1: closed */
	bool live;
	const char *slab;	/* the slab directory below dir, or NULL where there is none */
	bool slabinfo;		/* proc/slabinfo is there */
	size_t opened;		/* files opened so far */
};

/*
 * root_open - dir NULL: the running kernel. In a copy the slab directory is sys/kernel/slab (or
 * sys/slab), or dir itself where it holds cache directories. 0, or a negative errno with the error
 * set; a root without any slab statistics is -ENOENT.
 */
int root_open(struct root *r, struct slabstat *h, const char *dir);
void root_close(struct root *r);

/* root_path - path below the root as a person would write it; *returns owned*, NULL: no memory. */
char *root_path(const struct root *r, const char *path);

/* root_error - error_set() for a path below the root, with the reason and the way out. */
int root_error(const struct root *r, int code, const char *path);

/* root_openat - a descriptor, or a negative errno. dir is r->fd or a directory below it. */
int root_openat(struct root *r, int dir, const char *path, int flags);

/*
 * root_read - one read of at most size - 1 bytes of a small file, terminated. Its length, or a
 * negative errno. root_read_line also takes off the end of the line.
 */
ssize_t root_read(struct root *r, int dir, const char *path, char *buf, size_t size);
ssize_t root_read_line(struct root *r, const char *path, char *buf, size_t size);

#endif
