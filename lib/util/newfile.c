// SPDX-License-Identifier: MIT
/* newfile.c - a file written anew: whole, or the old one stays; see newfile.h. */
#include "util/newfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static mode_t usual_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

static int open_in_place(struct newfile *n, const char *path)
{
	n->f = fopen(path, "we");
	return n->f ? 0 : -errno;
}

static int open_beside(struct newfile *n, mode_t mode)
{
	int fd, err;

	if (asprintf(&n->beside, "%s.XXXXXX", n->path) < 0) {
		n->beside = NULL;
		return -ENOMEM;
	}
	fd = mkostemp(n->beside, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (fchmod(fd, mode) == 0)
		n->f = fdopen(fd, "w");
	if (n->f)
		return 0;
	err = -errno;
	close(fd);
	unlink(n->beside);
	return err;
}

static void forget(struct newfile *n)
{
	free(n->path);
	free(n->beside);
	*n = (struct newfile){ .f = NULL };
}

int newfile_open(struct newfile *n, const char *path)
{
	struct stat st;
	bool there = stat(path, &st) == 0;
	int err;

	*n = (struct newfile){ .f = NULL };
	if (!*path)
		return -ENOENT;
	if (there && !S_ISREG(st.st_mode))
		return open_in_place(n, path);
	n->path = there ? realpath(path, NULL) : strdup(path);
	if (!n->path)
		return -errno;
	err = open_beside(n, there ? st.st_mode & 07777 : usual_mode());
	if (err)
		forget(n);
	return err;
}

int newfile_close(struct newfile *n, bool keep)
{
	int err = 0;

	errno = 0;
	if (fflush(n->f) || ferror(n->f))
		err = errno ? -errno : -EIO;
	if (fclose(n->f) && !err)
		err = errno ? -errno : -EIO;
	if (n->beside && keep && !err && rename(n->beside, n->path))
		err = -errno;
	if (n->beside && (!keep || err))
		unlink(n->beside);
	forget(n);
	return err;
}
