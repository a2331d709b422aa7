// SPDX-License-Identifier: MIT
/* tunedir.c - a slab directory held open, and the one place that writes to it; see tunedir.h. */
#include "slabstat/tunedir.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "util/num.h"

#define ATTRIBUTE_SIZE 128	/* a number, and room to see that more follows */

static const struct tunedir_io system_io = { read, write };

/* ---- opening --------------------------------------------------------------------------------- */

static char *path_of(const struct tunedir *d)
{
	char link[64], path[4096];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", d->fd);
	n = readlink(link, path, sizeof(path));
	return n > 0 && (size_t)n < sizeof(path) ? strndup(path, (size_t)n) :
	       root_path(&d->root, d->root.slab);
}

static int list_names(struct tunedir *d)
{
	struct slabstat_snapshot *names = snapshot_new(SLABSTAT_SOURCE_SYSFS);
	int err;

	d->names = names;
	if (!names)
		return error_memory(d->root.h);
	err = slabdir_list(&d->list, names);
	if (!err && snapshot_finish(names))
		err = error_memory(d->root.h);
	return err;
}

static int open_all(struct tunedir *d, struct slabstat *h, const char *root)
{
	struct statfs fs;
	int err = root_open(&d->root, h, root);

	if (err)
		return err;
	if (!d->root.slab)
		return error_set(h, -ENOENT, root ? root : "/sys/kernel/slab", 0,
				 "there is no slab directory to "
				 "tune in");
	err = slabdir_open(&d->list, &d->root);
	if (err)
		return err;
	d->fd = d->list.fd;
	d->live = fstatfs(d->fd, &fs) == 0 && fs.f_type == SYSFS_MAGIC;
	d->path = path_of(d);
	return d->path ? list_names(d) : error_memory(h);
}

int tunedir_open(struct tunedir *d, struct slabstat *h, const char *root)
{
	int err;

	*d = (struct tunedir){ .root = { .fd = -1 }, .list = { .fd = -1 }, .fd = -1,
			       .io = &system_io };
	err = open_all(d, h, root);
	if (err)
		tunedir_close(d);
	return err;
}

int tunedir_open_page(struct tunedir *d, struct slabstat *h, const char *process)
{
	int err;

	*d = (struct tunedir){ .root = { .h = h, .fd = -1 }, .list = { .fd = -1 }, .fd = -1 };
	err = tunepage_open(h, process, &d->page);
	if (err)
		return err;
	d->names = tunepage_names(d->page);
	d->path = strdup(tunepage_path(d->page));
	return d->path ? 0 : error_memory(h);
}

void tunedir_close(struct tunedir *d)
{
	slabdir_close(&d->list);
	root_close(&d->root);
	if (!d->page)
		slabstat_snapshot_free((struct slabstat_snapshot *)d->names);
	tunepage_close(d->page);
	free(d->path);
	*d = (struct tunedir){ .root = { .fd = -1 }, .list = { .fd = -1 }, .fd = -1 };
}

/* ---- caches ---------------------------------------------------------------------------------- */

static bool is_component(const char *name)
{
	return *name && !strchr(name, '/') && strcmp(name, ".") && strcmp(name, "..");
}

/*
 * The list of names takes the last component of a link for its target, which is right for reading.
 * A link that we write by must say the name of a directory beside it, and no more.
 */
const char *tunedir_resolve(const struct tunedir *d, const char *name)
{
	const struct slabstat_cache *c = NULL;
	char target[NAME_MAX + 2];
	ssize_t n;

	if (is_component(name))
		c = slabstat_snapshot_find(d->names, name);
	if (c && (d->page || !strcmp(c->name, name)))
		return c->name;
	n = is_component(name) && !d->page ? readlinkat(d->fd, name, target, sizeof(target) - 1)
					   : -1;
	if (n < 0) {
		error_set(d->root.h, -ENOENT, d->path, 0,
			  "there is no cache called \"%s\" (names are taken "
			  "literally)",
			  name);
		return NULL;
	}
	target[n] = '\0';
	if (c && !strcmp(c->name, target))
		return c->name;
	error_set(d->root.h, -ELOOP, d->path, 0,
		  "\"%s\" is a link to \"%s\", which is no cache of this "
		  "directory: refused",
		  name, target);
	return NULL;
}

const char *const *tunedir_users(const struct tunedir *d, const char *directory, size_t *n)
{
	const struct slabstat_cache *c = slabstat_snapshot_find(d->names, directory);

	*n = c ? c->alias_count : 0;
	return c ? (const char *const *)c->alias : NULL;
}

static int identify(const struct tunedir *d, int cache, char identity[TUNEDIR_IDENTITY_SIZE])
{
	struct statx st;

	if (statx(cache, "", AT_EMPTY_PATH, STATX_INO | STATX_BTIME, &st) < 0)
		return -errno;
	if (d->live || !(st.stx_mask & STATX_BTIME))
		snprintf(identity, TUNEDIR_IDENTITY_SIZE, "%" PRIu64, (uint64_t)st.stx_ino);
	else
		snprintf(identity, TUNEDIR_IDENTITY_SIZE, "%" PRIu64 "-%" PRId64 ".%09" PRIu32,
			 (uint64_t)st.stx_ino, (int64_t)st.stx_btime.tv_sec,
			 (uint32_t)st.stx_btime.tv_nsec);
	return 0;
}

int tunedir_cache(const struct tunedir *d, const char *directory,
		  char identity[TUNEDIR_IDENTITY_SIZE])
{
	int fd, err;

	if (!is_component(directory))
		return -ENOENT;
	if (d->page)
		return tunepage_cache(d->page, directory, identity, TUNEDIR_IDENTITY_SIZE);
	fd = openat(d->fd, directory, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOTDIR ? -ELOOP : -errno;
	err = identity ? identify(d, fd, identity) : 0;
	if (err) {
		close(fd);
		return err;
	}
	return fd;
}

void tunedir_leave(const struct tunedir *d, int cache)
{
	if (!d->page)
		close(cache);
}

/* ---- attributes ------------------------------------------------------------------------------ */

/* O_NONBLOCK: a pipe that stands where a file should must not stop us. */
static int open_attribute(const struct tunedir *d, int cache, const char *attribute, int mode)
{
	int fd = openat(cache, attribute, mode | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;
	int err = 0;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) < 0)
		err = -errno;
	else if (!S_ISREG(st.st_mode) || (mode != O_RDONLY && !d->live && st.st_nlink != 1))
		err = -EMLINK;
	if (err) {
		close(fd);
		return err;
	}
	return fd;
}

static ssize_t read_text(const struct tunedir *d, int cache, const char *attribute,
			 char buf[ATTRIBUTE_SIZE])
{
	int fd = open_attribute(d, cache, attribute, O_RDONLY);
	ssize_t n;

	if (fd < 0)
		return fd;
	n = d->io->read(fd, buf, ATTRIBUTE_SIZE);
	if (n < 0)
		n = -errno;
	close(fd);
	return n;
}

int tunedir_total(const struct tunedir *d, int cache, const char *attribute, uint64_t *value)
{
	char buf[ATTRIBUTE_SIZE];
	const char *p = buf;
	ssize_t n;

	if (d->page)
		return tunepage_read(d->page, cache, attribute, value);
	n = read_text(d, cache, attribute, buf);
	return n < 0 ? (int)n : num_scan_u64(&p, buf + n, value);
}

int tunedir_read(const struct tunedir *d, int cache, const char *attribute, uint64_t *value)
{
	char buf[ATTRIBUTE_SIZE];
	const char *p = buf, *end;
	uint64_t number;
	ssize_t n;
	int err;

	if (d->page)
		return tunepage_read(d->page, cache, attribute, value);
	n = read_text(d, cache, attribute, buf);
	if (n < 0)
		return (int)n;
	end = buf + n;
	err = num_scan_u64(&p, end, &number);
	if (err)
		return err;
	if (p < end && *p == '\n')
		p++;
	if (p != end)
		return -EINVAL;
	*value = number;
	return 0;
}

/* A copy keeps nothing of a longer number that stood there; the kernel takes each write whole. */
static int write_text(const struct tunedir *d, int fd, const char *text, size_t len)
{
	ssize_t n = d->io->write(fd, text, len);

	if (n < 0)
		return -errno;
	if ((size_t)n != len)
		return -EIO;
	if (!d->live && ftruncate(fd, (off_t)len) < 0)
		return -errno;
	return 0;
}

int tunedir_write(const struct tunedir *d, int cache, const char *attribute, uint64_t value)
{
	char text[24];
	int len = snprintf(text, sizeof(text), "%" PRIu64 "\n", value);
	int fd, err;

	if (d->page)
		return tunepage_write(d->page, cache, attribute, value);
	fd = open_attribute(d, cache, attribute, O_WRONLY);
	if (fd < 0)
		return fd;
	err = write_text(d, fd, text, (size_t)len);
	if (close(fd) < 0 && !err)
		err = -errno;
	return err;
}

int tunedir_writable(const struct tunedir *d, int cache, const char *attribute)
{
	struct stat st;

	if (d->page)
		return tunepage_writable(d->page, cache, attribute);
	if (fstatat(cache, attribute, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return -errno;
	if (S_ISLNK(st.st_mode))
		return -ELOOP;
	if (!S_ISREG(st.st_mode) || (!d->live && st.st_nlink != 1))
		return -EMLINK;
	if (!(st.st_mode & 0222))
		return -EACCES;
	if (faccessat(cache, attribute, W_OK, AT_EACCESS) < 0)
		return errno == EROFS ? -EROFS : -EPERM;
	return 0;
}

const char *tunedir_denied(int cache, const char *attribute)
{
	struct stat st;

	if (fstatat(cache, attribute, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return "its directory may not be entered: chmod u+x lifts that";
	if (st.st_uid == geteuid())
		return "read-only by its own mode: chmod u+w lifts that";
	return "belongs to another user: run as that user, or tune a copy of your own";
}
