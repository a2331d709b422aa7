// SPDX-License-Identifier: MIT
/* journal.c - writing and reading the journal; see journal.h. */
#include "slabstat/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "slabstat/rule.h"

#define FILE_NAME "journal"
#define ROOT_DIRECTORY "/var/lib/slabinfo"

void journal_boot(char boot[64])
{
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, boot, 63);

	if (fd >= 0)
		close(fd);
	if (n > 0 && boot[n - 1] == '\n')
		n--;
	if (n <= 0)
		strcpy(boot, "unknown");
	else
		boot[n] = '\0';
}

char *slabstat_journal_directory(void)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	char *path = NULL;
	int n = -1;

	if (geteuid() == 0)
		return strdup(ROOT_DIRECTORY);
	if (state && *state == '/')
		n = asprintf(&path, "%s/slabinfo", state);
	else if (home && *home == '/')
		n = asprintf(&path, "%s/.local/state/slabinfo", home);
	return n < 0 ? NULL : path;
}

/* ---- opening and locking --------------------------------------------------------------------- */

static int make_directories(const char *directory)
{
	char *path = strdup(directory);
	int err = path ? 0 : -ENOMEM;

	for (char *p = path; !err && p; ) {
		p = strchr(p + 1, '/');
		if (p)
			*p = '\0';
		if (mkdir(path, 0700) < 0 && errno != EEXIST)
			err = -errno;
		if (p)
			*p = '/';
	}
	free(path);
	return err;
}

/* A journal that others can write to, or its directory, would let them choose what root undoes. */
static int check_owner(struct slabstat *h, int fd, const char *directory)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return error_set(h, -errno, directory, 0, "%s", strerror(errno));
	if (!S_ISDIR(st.st_mode) && !S_ISREG(st.st_mode))
		return error_set(h, -EINVAL, directory, 0,
				 "the journal in it is not a plain file; name another "
				 "place with --journal");
	if ((st.st_uid == geteuid() || st.st_uid == 0) && !(st.st_mode & 022))
		return 0;
	return error_set(
		h, -EPERM, directory, 0, "others may write %s; name another place with --journal",
		S_ISDIR(st.st_mode) ? "here: no place for a journal" : "to the journal in it");
}

int journal_open(struct slabstat *h, const char *directory, int flags, int *fd)
{
	const char *hint =
		flags & O_CREAT ? "; nothing is changed without one (--journal names another)" : "";
	int dir = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int err;

	if (dir < 0)
		return error_set(h, -errno, directory, 0,
				 "cannot open the journal's directory: %s%s", strerror(errno),
				 hint);
	err = check_owner(h, dir, directory);
	if (!err) {
		*fd = openat(dir, FILE_NAME, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
		if (*fd < 0)
			err = error_set(h, -errno, directory, 0, "cannot open the journal: %s%s",
					strerror(errno), hint);
		else if (flags & O_CREAT)
			fsync(dir);
	}
	if (!err)
		err = check_owner(h, *fd, directory);
	if (err && *fd >= 0) {
		close(*fd);
		*fd = -1;
	}
	close(dir);
	return err;
}

/* Say who holds the lock, as far as the journal tells. */
static int busy(struct journal *j, const char *directory)
{
	struct journal_log log = { .entry = NULL };
	const struct journal_entry *last = NULL;
	int err;

	if (!journal_read(j->h, directory, &log, NULL) && log.count)
		last = &log.entry[log.count - 1];
	err = !last || last->closed || (last->ended && !last->temporary)
		      ? error_set(j->h, -EBUSY, j->path, 0,
				  "another process is tuning; try again when it is done")
		      : error_set(j->h, -EBUSY, j->path, 0,
				  "process %ld is tuning%s%s; try again when it is done",
				  last->entry.pid, last->entry.command ? " while it runs " : "",
				  last->entry.command ? last->entry.command : "");
	journal_log_free(&log);
	return err;
}

/* A line that was cut off gets its end, so that the next one starts afresh. */
static int mend_tail(int fd)
{
	off_t end = lseek(fd, 0, SEEK_END);
	char last;

	if (end < 0)
		return -errno;
	if (end == 0 || (pread(fd, &last, 1, end - 1) == 1 && last == '\n'))
		return 0;
	return write(fd, "\n", 1) == 1 ? 0 : -errno;
}

static int find_last(struct journal *j, const char *directory)
{
	struct journal_log log = { .entry = NULL };
	int err = journal_read(j->h, directory, &log, NULL);

	j->last = log.count ? log.entry[log.count - 1].entry.id : 0;
	journal_log_free(&log);
	return err;
}

/*
 * The lock belongs to the open file: it goes when the last descriptor does, killed process or not,
 * and whether it is held can be asked without taking it.
 */
static int lock_file(struct journal *j, const char *directory)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	if (fcntl(j->fd, F_OFD_SETLK, &lock) == 0)
		return 0;
	return errno == EAGAIN || errno == EACCES ? busy(j, directory) :
	       error_set(j->h, -errno, j->path, 0, "cannot lock the journal: %s", strerror(errno));
}

bool journal_locked(int fd)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	return fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

int journal_lock(struct journal *j, struct slabstat *h, const char *directory)
{
	int err = make_directories(directory);

	*j = (struct journal){ .h = h, .fd = -1 };
	if (err)
		return error_set(h, err, directory, 0,
				 "cannot make the journal's directory: %s; nothing is "
				 "changed without one (--journal names another)",
				 strerror(-err));
	if (asprintf(&j->path, "%s/%s", directory, FILE_NAME) < 0) {
		j->path = NULL;
		return error_memory(h);
	}
	err = journal_open(h, directory, O_RDWR | O_APPEND | O_CREAT, &j->fd);
	if (!err)
		err = lock_file(j, directory);
	if (!err) {
		err = mend_tail(j->fd);
		if (err)
			error_set(h, err, j->path, 0, "cannot write the journal: %s",
				  strerror(-err));
	}
	if (!err)
		err = find_last(j, directory);
	if (err)
		journal_unlock(j);
	return err;
}

void journal_unlock(struct journal *j)
{
	if (j->fd >= 0)
		close(j->fd);
	free(j->path);
	j->fd = -1;
	j->path = NULL;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void put_coded(FILE *out, const char *text)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c <= ' ' || c >= 0x7f || strchr("%,=", c))
			fprintf(out, "%%%02X", c);
		else
			fputc(c, out);
	}
}

static void put_word(FILE *out, const char *key, const char *text)
{
	fprintf(out, " %s=", key);
	put_coded(out, text);
}

static void put_time(FILE *out, int64_t wall_s)
{
	time_t when = (time_t)wall_s;
	struct tm tm;
	char text[32];

	gmtime_r(&when, &tm);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm);
	put_word(out, "time", text);
}

static void put_change(FILE *out, const char *verb, unsigned long id,
		       const struct slabstat_change *c)
{
	fprintf(out, "%s %lu", verb, id);
	put_word(out, "cache", c->cache);
}

/* One write: either the whole batch is in the file or, cut back, nothing of it. */
static int append(struct journal *j, const char *text, size_t len, bool sync)
{
	off_t end = lseek(j->fd, 0, SEEK_END);
	ssize_t n = write(j->fd, text, len);
	int err = n < 0 ? -errno : (size_t)n != len ? -ENOSPC : 0;

	if (!err && sync && fsync(j->fd) < 0)
		err = -errno;
	if (!err)
		return 0;
	if (end >= 0 && ftruncate(j->fd, end) < 0)
		mend_tail(j->fd);
	return error_set(j->h, err, j->path, 0, "cannot write the journal: %s", strerror(-err));
}

static int append_stream(struct journal *j, FILE *out, char **text, size_t *len, bool sync)
{
	int err = fclose(out) == 0 ? append(j, *text, *len, sync) :
		  error_memory(j->h);

	free(*text);
	return err;
}

static void put_begin(FILE *out, const struct journal_entry *e)
{
	fprintf(out, "begin %lu", e->entry.id);
	put_time(out, e->entry.wall_s);
	fprintf(out, " pid=%ld", e->entry.pid);
	put_word(out, "boot", e->boot);
	put_word(out, "dir", e->entry.directory);
	put_word(out, "what", e->entry.what);
	if (e->temporary)
		put_word(out, "temporary", "1");
	if (e->entry.command)
		put_word(out, "command", e->entry.command);
	fputs(" .\n", out);
}

static void put_set(FILE *out, const struct journal_entry *e, size_t i)
{
	const struct slabstat_change *c = &e->change[i];

	put_change(out, "set", e->entry.id, c);
	put_word(out, "identity", e->mark[i].identity);
	fputs(" users=", out);
	for (size_t u = 0; u < c->user_count; u++) {
		if (u)
			fputc(',', out);
		put_coded(out, c->users[u]);
	}
	put_word(out, "key", rule_attribute(c->field));
	fprintf(out, " old=%" PRIu64 " new=%" PRIu64 " .\n", c->old, c->wanted);
}

int journal_begin(struct journal *j, struct journal_entry *e)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);
	int err;

	if (!out)
		return error_memory(j->h);
	if (j->last >= JOURNAL_LAST) {
		fclose(out);
		free(text);
		return error_set(j->h, -EOVERFLOW, j->path, 0,
				 "an entry has the highest number that there is; "
				 "move this journal away");
	}
	e->entry.id = j->last + 1;
	put_begin(out, e);
	for (size_t i = 0; i < e->entry.count; i++)
		put_set(out, e, i);
	err = append_stream(j, out, &text, &len, true);
	if (!err)
		j->last++;
	return err;
}

int journal_got(struct journal *j, const struct journal_entry *e, bool end)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return error_memory(j->h);
	for (size_t i = 0; i < e->entry.count; i++) {
		const struct slabstat_change *c = &e->change[i];

		if (!e->mark[i].got)
			continue;
		put_change(out, "got", e->entry.id, c);
		put_word(out, "key", rule_attribute(c->field));
		fprintf(out, " value=%" PRIu64 " .\n", c->stored);
	}
	if (end)
		fprintf(out, "end %lu .\n", e->entry.id);
	return append_stream(j, out, &text, &len, false);
}

int journal_back(struct journal *j, const struct journal_entry *e)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);
	bool closed = true;

	if (!out)
		return error_memory(j->h);
	for (size_t i = 0; i < e->entry.count; i++) {
		const struct slabstat_change *c = &e->change[i];

		put_change(out, "back", e->entry.id, c);
		put_word(out, "key", rule_attribute(c->field));
		fprintf(out, " value=%" PRIu64, c->stored);
		put_word(out, "result", journal_results[c->state]);
		fputs(" .\n", out);
		closed = closed && e->mark[i].closed;
	}
	if (closed)
		fprintf(out, "close %lu .\n", e->entry.id);
	return append_stream(j, out, &text, &len, false);
}
