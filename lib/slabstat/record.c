// SPDX-License-Identifier: MIT
/*
 * record.c - the writer of recordings (slab-recording(5)): the file, not what stands in it.
 *
 * Append-only: each sample, with the lines of caches met for the first time before it, is one
 * write(2) to a descriptor opened with O_APPEND, so that a crash tears at most the last line and
 * marks of other processes fall between samples, never into them. The file appears under its name
 * with the header and the first sample already in it. While it is written it is locked (flock),
 * which tells others that somebody records.
 */
#include "slabstat/error.h"
#include "slabstat/pack.h"
#include "slabstat/recencode.h"
#include "slabstat/recindex.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct slabstat_record {
	struct slabstat *h;
	int fd;
	char *path;			/* written to */
	char *packed;			/* what close makes of it, or NULL */
	enum pack pack;
	bool regular;			/* no pipe and no device: it has offsets and an index */
	bool torn;			/* the last line in the file is unfinished */
	struct slabstat_record_spec spec;
	struct recencode encode;
	size_t samples;
};

/* ---- writing --------------------------------------------------------------------------------- */

/* All of it, or an error; *torn says whether half a line went out. */
static int write_lines(struct slabstat *h, int fd, const char *path, const char *text, size_t len,
		       bool *torn)
{
	if (*torn) {
		ssize_t n = write(fd, "\n", 1);

		if (n == 1)
			*torn = false;
	}
	while (len > 0) {
		ssize_t n = write(fd, text, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			int err = n < 0 ? errno : EIO;

			return error_set(h, -err, path, 0, "%s", strerror(err));
		}
		text += n;
		len -= (size_t)n;
		*torn = text[-1] != '\n';
	}
	return 0;
}

int slabstat_record_sample(struct slabstat_record *r, const struct slabstat_snapshot *snapshot,
			   const struct slabstat_taken *taken)
{
	int ret = recencode_sample(&r->encode, snapshot, taken);

	if (ret != 0)
		return error_set(r->h, ret, r->path, 0, "%s", strerror(-ret));
	ret = write_lines(r->h, r->fd, r->path, r->encode.out, r->encode.out_len, &r->torn);
	if (ret == 0)
		r->samples++;
	return ret;
}

static int write_mark(struct slabstat *h, int fd, const char *path,
		      const struct slabstat_mark *mark, bool *torn)
{
	char *line = recline_mark(mark);
	int ret;

	if (!line)
		return error_set(h, -ENOMEM, path, 0, "%s", strerror(ENOMEM));
	ret = write_lines(h, fd, path, line, strlen(line), torn);
	cJSON_free(line);
	return ret;
}

int slabstat_record_mark(struct slabstat_record *r, const struct slabstat_mark *mark)
{
	return write_mark(r->h, r->fd, r->path, mark, &r->torn);
}

size_t slabstat_record_samples(const struct slabstat_record *r)
{
	return r->samples;
}

const char *slabstat_record_path(const struct slabstat_record *r)
{
	return r->path;
}

/* ---- looking at an existing file ------------------------------------------------------------- */

/* Map a whole file; an empty one is "". Give it back with unmap. */
static int map_file(int fd, const char **text, size_t *len)
{
	struct stat st;
	void *p;

	*text = "";
	*len = 0;
	if (fstat(fd, &st) != 0)
		return -errno;
	if (st.st_size == 0)
		return 0;
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		return -errno;
	*text = p;
	*len = (size_t)st.st_size;
	return 0;
}

static void unmap_file(const char *text, size_t len)
{
	if (len > 0)
		munmap((void *)(uintptr_t)text, len);
}

static bool ends_in_newline(int fd)
{
	off_t end = lseek(fd, 0, SEEK_END);
	char last;

	return end <= 0 || (pread(fd, &last, 1, end - 1) == 1 && last == '\n');
}

/* Is the machine in the last header of the text the one of this boot? */
static int check_boot(struct slabstat *h, const char *path, const char *text, size_t len,
		      const struct slabstat_machine *m)
{
	struct recwalk w = { .text = text, .len = len };
	struct recwalk_line line;
	const cJSON *boot;
	cJSON *header = NULL;
	int ret = 0;

	while (recwalk_next(&w, &line)) {
		if (line.kind != RECLINE_HEADER)
			continue;
		cJSON_Delete(header);
		header = recline_parse(text + line.offset, line.len);
	}
	if (!header)
		return error_set(h, -EINVAL, path, 0,
				 "not a recording, or a compressed one: cannot append");
	boot = cJSON_GetObjectItemCaseSensitive(
		cJSON_GetObjectItemCaseSensitive(header, "machine"), "boot_id");
	if (!cJSON_IsString(boot) || !m->boot_id || strcmp(boot->valuestring, m->boot_id) != 0)
		ret = error_set(h, -EXDEV, path, 0,
				"recorded in another boot, whose caches cannot be continued: "
				"choose another file");
	cJSON_Delete(header);
	return ret;
}

static int lock_file(struct slabstat_record *r)
{
	if (r->regular && flock(r->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
		return error_set(r->h, -EBUSY, r->path, 0, "another slabinfo is recording to it");
	return 0;
}

/* ---- opening --------------------------------------------------------------------------------- */

static int open_error(struct slabstat_record *r, int err)
{
	if (err == EEXIST)
		return error_set(r->h, -err, r->path, 0,
				 "exists already: --append goes on in it, --force replaces it");
	return error_set(r->h, -err, r->path, 0, "%s", strerror(err));
}

static int open_append(struct slabstat_record *r, const struct slabstat_machine *m)
{
	const char *text;
	size_t len;
	int ret;

	r->fd = open(r->path, O_RDWR | O_APPEND | O_CLOEXEC);
	if (r->fd < 0)
		return open_error(r, errno);
	ret = lock_file(r);
	if (ret != 0)
		return ret;
	ret = map_file(r->fd, &text, &len);
	if (ret != 0)
		return open_error(r, -ret);
	ret = check_boot(r->h, r->path, text, len, m);
	unmap_file(text, len);
	r->torn = !ends_in_newline(r->fd);
	return ret;
}

/* The folder of path, *returned owned*. */
static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return strdup(".");
	return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

/* A file without a name in the folder of path; -1 where the file system has no such thing. */
static int open_nameless(const char *path)
{
	char *folder = folder_of(path);
	int fd = folder ? open(folder, O_TMPFILE | O_RDWR | O_APPEND | O_CLOEXEC, 0666) : -1;

	free(folder);
	return fd;
}

/* Give the nameless file its name: in place of another with replace, else only if there is none. */
static int name_file(int fd, const char *path, bool replace)
{
	char from[64], *temporary = NULL;
	int ret = 0;

	snprintf(from, sizeof(from), "/proc/self/fd/%d", fd);
	if (linkat(AT_FDCWD, from, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0)
		return 0;
	if (errno != EEXIST || !replace)
		return -errno;
	if (asprintf(&temporary, "%s.%ld", path, (long)getpid()) < 0)
		return -ENOMEM;
	if (linkat(AT_FDCWD, from, AT_FDCWD, temporary, AT_SYMLINK_FOLLOW) != 0 ||
	    rename(temporary, path) != 0) {
		ret = -errno;
		unlink(temporary);
	}
	free(temporary);
	return ret;
}

/* Nobody may be recording to what is about to be replaced. */
static int check_idle(struct slabstat_record *r)
{
	int fd = open(r->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool busy = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;

	if (fd >= 0)
		close(fd);
	if (busy)
		return error_set(r->h, -EBUSY, r->path, 0, "another slabinfo is recording to it");
	return 0;
}

/* A new file, with the first sample before it gets its name. */
static int open_new(struct slabstat_record *r, const struct slabstat_snapshot *first,
		    const struct slabstat_taken *taken)
{
	bool replace = r->spec.flags & SLABSTAT_RECORD_REPLACE, named = false;
	struct stat st;
	int ret;

	if (stat(r->path, &st) == 0) {
		r->regular = S_ISREG(st.st_mode);
		if (!r->regular) {
			/* A pipe or a device is written to as it is. */
			r->fd = open(r->path, O_WRONLY | O_CLOEXEC);
			return r->fd < 0 ? open_error(r, errno)
					 : slabstat_record_sample(r, first, taken);
		}
		if (!replace)
			return open_error(r, EEXIST);
		ret = check_idle(r);
		if (ret != 0)
			return ret;
	}
	r->fd = open_nameless(r->path);
	if (r->fd < 0) {
		named = true;
		r->fd = open(r->path,
			     O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | (replace ? O_TRUNC : O_EXCL),
			     0666);
	}
	if (r->fd < 0)
		return open_error(r, errno);
	ret = lock_file(r);
	if (ret == 0)
		ret = slabstat_record_sample(r, first, taken);
	if (ret == 0 && !named) {
		ret = name_file(r->fd, r->path, replace);
		if (ret != 0)
			ret = open_error(r, -ret);
	}
	if (ret != 0 && named)
		unlink(r->path);
	return ret;
}

static void free_spec(struct slabstat_record_spec *spec)
{
	for (size_t i = 0; spec->command && i < spec->command_count; i++)
		free((void *)(uintptr_t)spec->command[i]);
	free((void *)(uintptr_t)spec->command);
	free((void *)(uintptr_t)spec->tool);
}

static int copy_spec(struct slabstat_record *r, const struct slabstat_record_spec *spec)
{
	const char **words = calloc(spec->command_count + 1, sizeof(*words));

	r->spec = *spec;
	r->spec.command = words;
	r->spec.tool = spec->tool ? strdup(spec->tool) : NULL;
	if (!words || (spec->tool && !r->spec.tool))
		return -ENOMEM;
	for (size_t i = 0; i < spec->command_count; i++) {
		words[i] = strdup(spec->command[i]);
		if (!words[i])
			return -ENOMEM;
	}
	return 0;
}

static void free_record(struct slabstat_record *r)
{
	if (r->fd >= 0)
		close(r->fd);
	recencode_free(&r->encode);
	free_spec(&r->spec);
	free(r->path);
	free(r->packed);
	free(r);
}

/* x.rec.zst is written as x.rec. */
static int copy_paths(struct slabstat_record *r, const char *path)
{
	r->pack = pack_of_name(path);
	r->path = strndup(path, strlen(path) - strlen(pack_ending(r->pack)));
	r->packed = r->pack != PACK_NONE ? strdup(path) : NULL;
	return !r->path || (r->pack != PACK_NONE && !r->packed) ? -ENOMEM : 0;
}

static int open_record(struct slabstat_record *r, const struct slabstat_snapshot *first,
		       const struct slabstat_taken *taken)
{
	int ret;

	if (r->packed) {
		if (r->spec.flags & SLABSTAT_RECORD_APPEND)
			return error_set(r->h, -EINVAL, r->packed, 0,
					 "cannot append to a compressed recording: "
					 "unpack it first");
		if (!(r->spec.flags & SLABSTAT_RECORD_REPLACE) && access(r->packed, F_OK) == 0)
			return error_set(r->h, -EEXIST, r->packed, 0,
					 "exists already: --force replaces it");
	}
	if (!(r->spec.flags & SLABSTAT_RECORD_APPEND) || access(r->path, F_OK) != 0)
		return open_new(r, first, taken);
	ret = open_append(r, &first->machine);
	return ret != 0 ? ret : slabstat_record_sample(r, first, taken);
}

int slabstat_record_open(struct slabstat *h, const char *path,
			 const struct slabstat_record_spec *spec,
			 const struct slabstat_snapshot *first, const struct slabstat_taken *taken,
			 struct slabstat_record **record)
{
	struct slabstat_record *r = calloc(1, sizeof(*r));
	int ret;

	*record = NULL;
	if (!r)
		return error_set(h, -ENOMEM, path, 0, "%s", strerror(ENOMEM));
	r->h = h;
	r->fd = -1;
	r->regular = true;
	r->encode.spec = &r->spec;
	ret = copy_spec(r, spec);
	if (ret == 0)
		ret = copy_paths(r, path);
	if (ret != 0)
		ret = error_set(h, ret, path, 0, "%s", strerror(-ret));
	else
		ret = open_record(r, first, taken);
	if (ret != 0) {
		free_record(r);
		return ret;
	}
	*record = r;
	return 0;
}

/* ---- closing --------------------------------------------------------------------------------- */

/* Make the index of the file as it is and append it; *where is the offset it claims to stand at. */
static int write_index(struct slabstat_record *r, size_t *where)
{
	struct recindex ix;
	const char *text;
	char *lines = NULL;
	size_t len, lines_len = 0;
	int ret = map_file(r->fd, &text, &len);

	if (ret != 0)
		return error_set(r->h, ret, r->path, 0, "%s", strerror(-ret));
	ret = recindex_make(&ix, text, len);
	unmap_file(text, len);
	if (ret == 0) {
		lines = recindex_line(&ix, len, &lines_len);
		recindex_free(&ix);
	}
	*where = len;
	if (!lines)
		return error_set(r->h, -ENOMEM, r->path, 0, "%s", strerror(ENOMEM));
	ret = write_lines(r->h, r->fd, r->path, lines, lines_len, &r->torn);
	*where += lines_len;
	cJSON_free(lines);
	return ret;
}

/* A mark of another process may fall between looking and writing: then the index is made again. */
static int finish_file(struct slabstat_record *r)
{
	size_t expected = 0;
	struct stat st;
	int ret;

	if (r->torn)
		write_lines(r->h, r->fd, r->path, "", 0, &r->torn);
	do
		ret = write_index(r, &expected);
	while (ret == 0 && lseek(r->fd, 0, SEEK_END) != (off_t)expected);
	if (ret == 0 && fsync(r->fd) != 0 && errno != EINVAL && errno != EROFS)
		ret = error_set(r->h, -errno, r->path, 0, "%s", strerror(errno));
	if (ret == 0 && fstat(r->fd, &st) == 0 && st.st_nlink == 0)
		ret = error_set(r->h, -ENOENT, r->path, 0, "was removed while it was recorded");
	return ret;
}

/* The compressed file appears whole under its name, then the plain one goes. */
static int pack_file(struct slabstat_record *r)
{
	int out = open_nameless(r->packed), ret;
	bool named = out < 0;

	if (named)
		out = open(r->packed, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (out < 0)
		return error_set(r->h, -errno, r->packed, 0, "%s", strerror(errno));
	ret = pack_copy(r->pack, r->fd, out);
	if (ret == 0 && fsync(out) != 0)
		ret = -errno;
	if (ret == 0 && !named)
		ret = name_file(out, r->packed, r->spec.flags & SLABSTAT_RECORD_REPLACE);
	close(out);
	if (ret != 0) {
		if (named)
			unlink(r->packed);
		return error_set(r->h, ret, r->packed, 0, "%s; the recording stays in %s",
				 strerror(-ret), r->path);
	}
	unlink(r->path);
	return 0;
}

int slabstat_record_close(struct slabstat_record *r)
{
	int ret = 0;

	if (!r)
		return 0;
	if (r->regular)
		ret = finish_file(r);
	if (ret == 0 && r->packed && r->regular)
		ret = pack_file(r);
	free_record(r);
	return ret;
}

/* ---- marks from outside ---------------------------------------------------------------------- */

int slabstat_mark_append(struct slabstat *h, const char *path, const struct slabstat_mark *mark)
{
	char *plain = strndup(path, strlen(path) - strlen(pack_ending(pack_of_name(path))));
	char head[sizeof(RECORD_MAGIC)] = "";
	bool torn;
	int fd, ret;

	if (!plain)
		return error_set(h, -ENOMEM, path, 0, "%s", strerror(ENOMEM));
	fd = open(plain, O_RDWR | O_APPEND | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		ret = error_set(h, -errno, plain, 0, "%s", strerror(errno));
	else if (pread(fd, head, sizeof(head) - 1, 0) != (ssize_t)sizeof(head) - 1 ||
		 strcmp(head, RECORD_MAGIC) != 0)
		ret = error_set(h, -EINVAL, plain, 0, "not a recording");
	else if (flock(fd, LOCK_SH | LOCK_NB) == 0)
		ret = error_set(h, -ESRCH, plain, 0,
				"nobody is recording to it: marks are for a recording being made");
	else {
		torn = !ends_in_newline(fd);
		ret = write_mark(h, fd, plain, mark, &torn);
	}
	if (fd >= 0)
		close(fd);
	free(plain);
	return ret;
}
