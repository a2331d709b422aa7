// SPDX-License-Identifier: MIT
/* root.c - one place where a machine's /sys and /proc are; see root.h. */
#include "slabstat/root.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where the slab directory stands: for good since 2.6.24, and before. */
static const char *const slab_dirs[] = { "sys/kernel/slab", "sys/slab" };

/*
 * Attributes that a cache directory has on every kernel; "objs_per_slab" means nothing elsewhere.
 */
static const char *const marks[] = { "objs_per_slab", "slab_size", "object_size" };

static int open_once(int dir, const char *path, int flags)
{
	int fd;

	do {
		fd = openat(dir, path, flags | O_CLOEXEC);
	} while (fd < 0 && errno == EINTR);
	return fd < 0 ? -errno : fd;
}

/* Component by component, refusing links: O_NOFOLLOW alone looks at the last one only. */
static int open_beneath(int dir, const char *path, int flags)
{
	int at = dir, fd = -EINVAL;

	for (;;) {
		const char *slash = strchr(path, '/');
		char name[256];

		if (!slash) {
			fd = open_once(at, path, flags | O_NOFOLLOW);
			break;
		}
		if (slash == path || (size_t)(slash - path) >= sizeof(name)) {
			fd = -ENAMETOOLONG;
			break;
		}
		memcpy(name, path, (size_t)(slash - path));
		name[slash - path] = '\0';
		fd = open_once(at, name, O_PATH | O_DIRECTORY | O_NOFOLLOW);
		if (at != dir)
			close(at);
		if (fd < 0)
			return fd;
		at = fd;
		path = slash + 1;
	}
	if (at != dir)
		close(at);
	return fd;
}

int root_openat(struct root *r, int dir, const char *path, int flags)
{
	r->opened++;
	if (r->live)
		return open_once(dir, path, flags);
	return open_beneath(dir, path, flags | O_NONBLOCK | O_NOCTTY);
}

ssize_t root_read(struct root *r, int dir, const char *path, char *buf, size_t size)
{
	int fd = root_openat(r, dir, path, O_RDONLY);
	ssize_t n;

	if (fd < 0)
		return fd;
	do {
		n = read(fd, buf, size - 1);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		n = -errno;
	else
		buf[n] = '\0';
	close(fd);
	return n;
}

ssize_t root_read_line(struct root *r, const char *path, char *buf, size_t size)
{
	ssize_t n = root_read(r, r->fd, path, buf, size);

	if (n > 0)
		buf[n = (ssize_t)strcspn(buf, "\n")] = '\0';
	return n;
}

char *root_path(const struct root *r, const char *path)
{
	size_t len = strlen(r->dir);
	bool slash = len && r->dir[len - 1] == '/';
	char *full;

	if (*path == '\0')
		return strdup(r->dir);
	return asprintf(&full, "%s%s%s", r->dir, slash ? "" : "/", path) < 0 ? NULL : full;
}

int root_error(const struct root *r, int code, const char *path)
{
	char *full = root_path(r, path);

	if (r->live && (code == -EACCES || code == -EPERM))
		error_set(r->h, code, full, 0,
			  "permission denied; slab statistics are root-only: run as root or grant "
			  "CAP_DAC_READ_SEARCH");
	else if (code == -ELOOP)
		error_set(r->h, code, full, 0,
			  "is a symbolic link; links in a copy are not followed");
	else
		error_set(r->h, code, full, 0, "%s", strerror(-code));
	free(full);
	return code;
}

/* ---- finding the slab directory -------------------------------------------------------------- */

static bool is_cache_dir(struct root *r, const char *name)
{
	int dir = root_openat(r, r->fd, name, O_PATH | O_DIRECTORY);
	bool found = false;
	struct stat st;

	if (dir < 0)
		return false;
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]) && !found; i++)
		found = fstatat(dir, marks[i], &st, AT_SYMLINK_NOFOLLOW) == 0;
	close(dir);
	return found;
}

/* Whether the root itself is a slab directory: it holds at least one cache's. */
static bool is_bare(struct root *r)
{
	int fd = root_openat(r, r->fd, ".", O_RDONLY | O_DIRECTORY);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	bool found = false;
	struct dirent *e;

	if (!d) {
		if (fd >= 0)
			close(fd);
		return false;
	}
	while (!found && (e = readdir(d)) != NULL)
		found = e->d_name[0] != '.' && is_cache_dir(r, e->d_name);
	closedir(d);
	return found;
}

static void find_slab(struct root *r)
{
	for (size_t i = 0; i < sizeof(slab_dirs) / sizeof(slab_dirs[0]); i++) {
		int fd = root_openat(r, r->fd, slab_dirs[i], O_PATH | O_DIRECTORY);

		if (fd >= 0) {
			close(fd);
			r->slab = slab_dirs[i];
			return;
		}
	}
	if (!r->live && !r->slabinfo && is_bare(r))
		r->slab = ".";
}

int root_open(struct root *r, struct slabstat *h, const char *dir)
{
	int fd;

	*r = (struct root){ .h = h, .live = !dir, .fd = -1 };
	r->dir = strdup(dir ? dir : "/");
	if (!r->dir)
		return error_set(h, -ENOMEM, dir, 0, "out of memory");
	r->fd = open_once(AT_FDCWD, r->dir, O_PATH | O_DIRECTORY);
	if (r->fd < 0)
		return root_error(r, r->fd, "");
	fd = root_openat(r, r->fd, "proc/slabinfo", O_PATH);
	r->slabinfo = fd >= 0;
	if (fd >= 0)
		close(fd);
	find_slab(r);
	if (r->slab || r->slabinfo)
		return 0;
	if (!r->live && faccessat(r->fd, ".", X_OK, AT_EACCESS) < 0)
		return root_error(r, -errno, "");
	if (r->live)
		return error_set(h, -ENOENT, NULL, 0,
				 "this kernel shows no slab statistics: neither /sys/kernel/slab "
				 "(CONFIG_SYSFS, SLUB) nor /proc/slabinfo (CONFIG_SLUB_DEBUG) "
				 "is there");
	return error_set(h, -ENOENT, r->dir, 0,
			 "no slab statistics here: neither sys/kernel/slab nor proc/slabinfo, and "
			 "no cache directories");
}

void root_close(struct root *r)
{
	if (r->fd >= 0)
		close(r->fd);
	free((char *)r->dir);
	r->fd = -1;
	r->dir = NULL;
}
