// SPDX-License-Identifier: MIT
/* markfile.c - lines of the recorded command that become marks; see markfile.h. */
#include "markfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

int markfile_open(struct markfile *m)
{
	const char *folder = getenv("TMPDIR");

	*m = (struct markfile){ .fd = -1, .notify = -1 };
	if (asprintf(&m->path, "%s/slabinfo-marks.XXXXXX", folder && *folder ? folder : "/tmp") <
	    0) {
		m->path = NULL;
		return -ENOMEM;
	}
	m->fd = mkostemp(m->path, O_CLOEXEC);
	if (m->fd < 0) {
		int err = errno;

		free(m->path);
		m->path = NULL;
		return -err;
	}
	m->notify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (m->notify >= 0 && inotify_add_watch(m->notify, m->path, IN_MODIFY) < 0) {
		close(m->notify);
		m->notify = -1;
	}
	setenv(MARKFILE_VARIABLE, m->path, 1);
	return 0;
}

static void drain(int fd)
{
	char events[4096];

	while (fd >= 0 && read(fd, events, sizeof(events)) > 0)
		;
}

/* Lines of a piece of text; what follows the last newline is kept for later. */
static int take_text(struct markfile *m, const char *text, size_t len,
		     int (*mark)(void *arg, const char *text), void *arg)
{
	char *whole = realloc(m->line, m->len + len + 1), *start, *nl;
	int ret = 0;

	if (!whole)
		return -ENOMEM;
	memcpy(whole + m->len, text, len);
	m->len += len;
	whole[m->len] = '\0';
	m->line = start = whole;
	while (ret == 0 && (nl = memchr(start, '\n', m->len - (size_t)(start - whole)))) {
		*nl = '\0';
		if (*start)
			ret = mark(arg, start);
		start = nl + 1;
	}
	m->len -= (size_t)(start - whole);
	memmove(whole, start, m->len + 1);
	return ret;
}

int markfile_take(struct markfile *m, bool last, int (*mark)(void *arg, const char *text),
		  void *arg)
{
	char buf[4096];
	struct stat st;
	ssize_t n;
	int ret = 0;

	if (!m->path)
		return 0;
	drain(m->notify);
	/* Written with > instead of >>: the file began anew. */
	if (fstat(m->fd, &st) == 0 && st.st_size < m->read)
		m->read = 0;
	while (ret == 0 && (n = pread(m->fd, buf, sizeof(buf), (off_t)m->read)) > 0) {
		m->read += n;
		ret = take_text(m, buf, (size_t)n, mark, arg);
	}
	if (ret == 0 && last && m->len > 0) {
		ret = mark(arg, m->line);
		m->len = 0;
	}
	return ret;
}

void markfile_close(struct markfile *m)
{
	if (!m->path)
		return;
	unsetenv(MARKFILE_VARIABLE);
	unlink(m->path);
	close(m->fd);
	if (m->notify >= 0)
		close(m->notify);
	free(m->path);
	free(m->line);
	m->path = NULL;
}
