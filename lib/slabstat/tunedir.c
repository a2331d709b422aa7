// SPDX-License-Identifier: MIT
/* tunedir.c - a slab directory held open, and the one place that writes to it; see tunedir.h. */
#include "slabstat/tunedir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "util/num.h"

#define LIVE_PATH "/sys/kernel/slab"
#define ATTRIBUTE_SIZE 128	/* a number, and room to see that more follows */

static const struct tunedir_io system_io = { read, write };

/* ---- opening ------------------------------------------------------------------------------------- */

static int open_component(int at, const char *name)
{
	int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/* Below a root that has sys/ the slab directory is sys/kernel/slab; a root without is one itself. */
static int open_below(int root)
{
	static const char *const steps[] = { "sys", "kernel", "slab" };
	int fd = root;

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		int next = open_component(fd, steps[i]);

		if (next == -ENOENT && i == 0)
			return root;
		close(fd);
		if (next < 0)
			return next;
		fd = next;
	}
	return fd;
}

static char *path_of(int fd)
{
	char link[64], path[4096];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof(path));
	return n > 0 && (size_t)n < sizeof(path) ? strndup(path, (size_t)n) : NULL;
}

static int open_directory(struct tunedir *d, const char *root)
{
	struct statfs fs;
	int fd = open(root ? root : LIVE_PATH, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	fd = fd < 0 ? -errno : root ? open_below(fd) : fd;
	if (fd == -ENOENT && !root)
		return error_set(d->h, fd, LIVE_PATH, 0, "not there: sysfs is not mounted, or this kernel "
				 "shows no slab caches in it");
	if (fd < 0)
		return error_set(d->h, fd, root ? root : LIVE_PATH, 0, "cannot open the slab directory: %s",
				 strerror(-fd));
	d->fd = fd;
	d->live = fstatfs(fd, &fs) == 0 && fs.f_type == SYSFS_MAGIC;
	d->path = path_of(fd);
	if (!d->path)
		d->path = strdup(root ? root : LIVE_PATH);
	return d->path ? 0 : error_set(d->h, -ENOMEM, NULL, 0, "out of memory");
}

/* ---- names --------------------------------------------------------------------------------------- */

static char *read_link(struct tunedir *d, const char *name)
{
	char target[4096];
	ssize_t n = readlinkat(d->fd, name, target, sizeof(target));

	return n < 0 ? NULL : arena_string(&d->arena, target, (size_t)n);
}

static int add_name(struct tunedir *d, size_t *room, const char *name)
{
	struct tunedir_name *entry;
	struct stat st;

	if (fstatat(d->fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return 0;	/* went away meanwhile */
	if (!S_ISLNK(st.st_mode) && !S_ISDIR(st.st_mode))
		return 0;
	if (d->count == *room) {
		size_t more = *room ? 2 * *room : 512;

		entry = reallocarray(d->names, more, sizeof(*entry));
		if (!entry)
			return -ENOMEM;
		d->names = entry;
		*room = more;
	}
	entry = &d->names[d->count];
	*entry = (struct tunedir_name){ arena_string(&d->arena, name, strlen(name)), NULL };
	if (S_ISLNK(st.st_mode)) {
		entry->target = read_link(d, name);
		if (!entry->target)
			return 0;
	}
	if (!entry->name)
		return -ENOMEM;
	d->count++;
	return 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct tunedir_name *)a)->name, ((const struct tunedir_name *)b)->name);
}

static const struct tunedir_name *find_name(const struct tunedir *d, const char *name)
{
	struct tunedir_name key = { name, NULL };

	return d->count ? bsearch(&key, d->names, d->count, sizeof(key), by_name) : NULL;
}

static int by_target(const void *a, const void *b, void *arg)
{
	const struct tunedir *d = arg;
	const char *left = *(const char *const *)a, *right = *(const char *const *)b;
	int order = strcmp(find_name(d, left)->target, find_name(d, right)->target);

	return order ? order : strcmp(left, right);
}

static int list_users(struct tunedir *d)
{
	d->users = calloc(d->count + 1, sizeof(*d->users));
	if (!d->users)
		return -ENOMEM;
	for (size_t i = 0; i < d->count; i++)
		if (d->names[i].target)
			d->users[d->user_count++] = d->names[i].name;
	qsort_r(d->users, d->user_count, sizeof(*d->users), by_target, d);
	return 0;
}

static int list_names(struct tunedir *d)
{
	int dup = openat(d->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = dup < 0 ? NULL : fdopendir(dup);
	struct dirent *entry;
	size_t room = 0;
	int err = 0;

	if (!dir) {
		err = -errno;
		if (dup >= 0)
			close(dup);
		return error_set(d->h, err, d->path, 0, "cannot list it: %s", strerror(-err));
	}
	while (!err && (errno = 0, entry = readdir(dir))) {
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			err = add_name(d, &room, entry->d_name);
	}
	if (!err)
		err = -errno;
	closedir(dir);
	if (!err && d->count)
		qsort(d->names, d->count, sizeof(*d->names), by_name);
	if (!err)
		err = list_users(d);
	return err ? error_set(d->h, err, d->path, 0, "cannot list it: %s", strerror(-err)) : 0;
}

int tunedir_open(struct tunedir *d, struct slabstat *h, const char *root)
{
	int err;

	*d = (struct tunedir){ .h = h, .fd = -1, .io = &system_io };
	err = open_directory(d, root);
	if (!err)
		err = list_names(d);
	if (err)
		tunedir_close(d);
	return err;
}

void tunedir_close(struct tunedir *d)
{
	if (d->fd >= 0)
		close(d->fd);
	d->fd = -1;
	free(d->path);
	free(d->names);
	free(d->users);
	arena_free(&d->arena);
}

/* ---- caches -------------------------------------------------------------------------------------- */

const char *tunedir_resolve(const struct tunedir *d, const char *name)
{
	const struct tunedir_name *entry = NULL, *target;

	if (*name && !strchr(name, '/') && strcmp(name, ".") && strcmp(name, ".."))
		entry = find_name(d, name);
	if (!entry) {
		error_set(d->h, -ENOENT, d->path, 0, "there is no cache called \"%s\"; names are taken "
			  "literally", name);
		return NULL;
	}
	if (!entry->target)
		return entry->name;
	target = strchr(entry->target, '/') ? NULL : find_name(d, entry->target);
	if (!target || target->target) {
		error_set(d->h, -ELOOP, d->path, 0, "\"%s\" is a link to \"%s\", which is no cache of "
			  "this directory: refused", name, entry->target);
		return NULL;
	}
	return target->name;
}

/* The first user of a directory at or after which none sorts lower. */
static size_t first_user(const struct tunedir *d, const char *directory)
{
	size_t low = 0, high = d->user_count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (strcmp(find_name(d, d->users[mid])->target, directory) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

const char *const *tunedir_users(const struct tunedir *d, const char *directory, size_t *n)
{
	size_t first = first_user(d, directory), end = first;

	while (end < d->user_count && !strcmp(find_name(d, d->users[end])->target, directory))
		end++;
	*n = end - first;
	return d->users + first;
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

int tunedir_cache(const struct tunedir *d, const char *directory, char identity[TUNEDIR_IDENTITY_SIZE])
{
	int fd, err;

	if (!*directory || strchr(directory, '/') || !strcmp(directory, ".") || !strcmp(directory, ".."))
		return -ENOENT;
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

/* ---- attributes ---------------------------------------------------------------------------------- */

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

int tunedir_read(const struct tunedir *d, int cache, const char *attribute, uint64_t *value)
{
	char buf[ATTRIBUTE_SIZE];
	int fd = open_attribute(d, cache, attribute, O_RDONLY);
	ssize_t n;

	if (fd < 0)
		return fd;
	n = d->io->read(fd, buf, sizeof(buf) - 1);
	if (n < 0)
		n = -errno;
	close(fd);
	if (n < 0)
		return (int)n;
	if (n > 0 && buf[n - 1] == '\n')
		n--;
	if (memchr(buf, '\0', (size_t)n))
		return -EINVAL;
	buf[n] = '\0';
	return num_parse_u64(buf, value);
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
	int fd = open_attribute(d, cache, attribute, O_WRONLY);
	int err;

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
