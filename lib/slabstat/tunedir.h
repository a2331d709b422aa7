/* SPDX-License-Identifier: MIT */
/*
 * tunedir.h - a slab directory held open, with its names, and the one place that writes to it.
 *
 * Everything goes through descriptors: the directory, then a cache directory below it, then an
 * attribute below that; each step takes one path component and follows no symbolic link. What an
 * alias points to is read as text and used only if it names a directory that stands beside it.
 *
 * A cache has an identity besides its name, so that one destroyed and made anew under the same
 * name is told apart: the inode number, which kernfs never gives twice, and for files the time of
 * birth too.
 */
#ifndef SLABSTAT_TUNEDIR_H
#define SLABSTAT_TUNEDIR_H

#include "slabstat/slabdir.h"
#include "slabstat/tunepage.h"

/* How bytes are moved: the system's calls, or a test's. */
struct tunedir_io {
	ssize_t (*read)(int fd, void *buf, size_t size);
	ssize_t (*write)(int fd, const void *buf, size_t size);
};

struct tunedir {
	struct root root;
	struct slabdir list;
	const struct slabstat_snapshot *names;	/* caches and aliases, without values */
	int fd;			/* of the slab directory; borrowed from list */
	char *path;
	bool live;		/* on sysfs; anything else is a copy */
	const struct tunedir_io *io;
	struct tunepage *page;	/* a program's, in place of all that; names and path stand above */
};

#define TUNEDIR_IDENTITY_SIZE 72

/* tunedir_open - root as in struct slabstat_spec. 0 or a negative errno with the error set. */
int tunedir_open(struct tunedir *d, struct slabstat *h, const char *root);
/* tunedir_open_page - the same for a program: process as in struct slabstat_spec. */
int tunedir_open_page(struct tunedir *d, struct slabstat *h, const char *process);
void tunedir_close(struct tunedir *d);

/* tunedir_resolve - the directory that a name stands for; NULL with the error set. */
const char *tunedir_resolve(const struct tunedir *d, const char *name);

/* tunedir_users - aliases of a directory, in order of name. */
const char *const *tunedir_users(const struct tunedir *d, const char *directory, size_t *n);

/*
 * tunedir_cache - handle of a cache directory, or a negative errno; identity may be NULL.
 * tunedir_leave - gives it back.
 */
int tunedir_cache(const struct tunedir *d, const char *directory,
		  char identity[TUNEDIR_IDENTITY_SIZE]);
void tunedir_leave(const struct tunedir *d, int cache);

/*
 * tunedir_read - the number in an attribute; -EINVAL: there is something else in it. tunedir_total
 * - the number that it begins with, before the shares of nodes ("7 N0=4 N1=3").
 */
int tunedir_read(const struct tunedir *d, int cache, const char *attribute, uint64_t *value);
int tunedir_total(const struct tunedir *d, int cache, const char *attribute, uint64_t *value);

/* tunedir_write - write a number and a newline. -EMLINK: not a plain file with one name. */
int tunedir_write(const struct tunedir *d, int cache, const char *attribute, uint64_t value);

/*
 * tunedir_writable - 0, or why not: -ENOENT, -EACCES (nobody may: the kernel has no store
 * function), -EPERM (not this user), -EROFS, -ELOOP, -EMLINK, -ESRCH (a program that ended).
 */
int tunedir_writable(const struct tunedir *d, int cache, const char *attribute);

/* tunedir_denied - of a copy: what forbids writing an attribute, and the way out. A constant. */
const char *tunedir_denied(int cache, const char *attribute);

#endif
