// SPDX-License-Identifier: MIT
/*
 * source.c - opens the right kind of source, and forwards to it; see source.h.
 *
 * A file is of the kind whose parser is surest of its content. A root is read as the hybrid
 * source reads the running kernel where both halves can be read, and else by the half that can.
 */
#include "slabstat/source.h"

#include "slabstat/pack.h"
#include "slabstat/slabdir.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Of equally sure parsers the first wins; a recording is known by its first bytes. */
static const struct source_ops *const kinds[] = {
	&source_record,
	&source_process,
	&source_procfs,
	&source_text,
	&source_tree,
	&source_sysfs,
	&source_hybrid,
};

static const char *const kind_names[] = {
	[SLABSTAT_SOURCE_AUTO] = "auto",     [SLABSTAT_SOURCE_SYSFS] = "sysfs",
	[SLABSTAT_SOURCE_PROCFS] = "procfs", [SLABSTAT_SOURCE_HYBRID] = "hybrid",
	[SLABSTAT_SOURCE_TEXT] = "text",     [SLABSTAT_SOURCE_TREE] = "tree",
	[SLABSTAT_SOURCE_RECORD] = "record", [SLABSTAT_SOURCE_PROCESS] = "process",
};

#define KIND_NAMES (sizeof(kind_names) / sizeof(kind_names[0]))

const char *slabstat_source_kind_name(enum slabstat_source_kind kind)
{
	return (unsigned)kind < KIND_NAMES ? kind_names[kind] : NULL;
}

int slabstat_source_kind_find(const char *name)
{
	for (size_t i = 0; i < KIND_NAMES; i++) {
		if (strcmp(name, kind_names[i]) == 0)
			return (int)i;
	}
	return -ENOENT;
}

static const struct source_ops *find_ops(enum slabstat_source_kind kind)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (kinds[i]->kind == kind)
			return kinds[i];
	}
	return NULL;
}

/* ---- content --------------------------------------------------------------------------------- */

const char *source_label(const struct slabstat_source *src)
{
	if (src->spec.label)
		return src->spec.label;
	if (!src->spec.file)
		return src->spec.buffer ? "buffer" : NULL;
	return strcmp(src->spec.file, "-") == 0 ? "standard input" : src->spec.file;
}

static int read_all(int fd, char **text, size_t *len)
{
	size_t room = 0;
	struct stat st;
	bool endless;

	if (fstat(fd, &st))
		return -errno;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	endless = S_ISCHR(st.st_mode) && !isatty(fd);	/* /dev/zero; but /dev/null has an end */
	if (S_ISREG(st.st_mode) && st.st_size > 0)
		room = (size_t)st.st_size + 1;
	*len = 0;
	for (;;) {
		ssize_t n;

		if (!*text || *len == room) {
			char *bigger =
				realloc(*text, room = *text || !room ? 2 * room + 65536 : room);

			if (!bigger)
				return -ENOMEM;
			*text = bigger;
		}
		n = read(fd, *text + *len, room - *len);
		if (n == 0)
			return 0;
		if (n > 0 && endless)
			return -ENOTSUP;
		if (n > 0)
			*len += (size_t)n;
		else if (errno != EINTR)
			return -errno;
	}
}

static int load_file(struct slabstat_source *src)
{
	bool standard_input = strcmp(src->spec.file, "-") == 0;
	int fd = standard_input ? STDIN_FILENO : open(src->spec.file, O_RDONLY | O_CLOEXEC), ret;

	if (fd < 0)
		return error_set(src->h, -errno, source_label(src), 0, "%s", strerror(errno));
	ret = read_all(fd, &src->content, &src->text_len);
	if (!standard_input)
		close(fd);
	src->text = src->content;
	if (ret == -EISDIR)
		return error_set(src->h, ret, source_label(src), 0,
				 "is a directory; a copied /sys and /proc is read with --root");
	if (ret == -ENOTSUP)
		return error_set(src->h, ret, source_label(src), 0,
				 "is a device without an end, not a file");
	if (ret)
		return error_set(src->h, ret, source_label(src), 0, "%s", strerror(-ret));
	return 0;
}

static bool starts_with(const struct slabstat_source *src, const char *bytes, size_t len)
{
	return src->text_len >= len && memcmp(src->text, bytes, len) == 0;
}

/* Editors of other systems put a byte order mark before UTF-8; it is no part of the first name. */
static void skip_byte_order_mark(struct slabstat_source *src)
{
	if (starts_with(src, "\xef\xbb\xbf", 3)) {
		src->text += 3;
		src->text_len -= 3;
	}
}

/* What is compressed is read as what stands in it. */
static int unpack(struct slabstat_source *src)
{
	enum pack pack = pack_of_content(src->text, src->text_len);
	char *text = NULL;
	int ret;

	if (pack == PACK_NONE)
		return 0;
	ret = pack_open(pack, src->text, src->text_len, &text, &src->text_len);
	if (ret)
		return error_set(src->h, ret, source_label(src), 0,
				 "looks compressed (%s), but is not: %s", pack_ending(pack),
				 strerror(-ret));
	free(src->content);
	src->text = src->content = text;
	if (src->text_len == 0)
		return error_set(src->h, -EINVAL, source_label(src), 0,
				 "nothing can be unpacked from it: it is cut short, or empty");
	return 0;
}

static int detect(struct slabstat_source *src)
{
	int best = 0;

	for (size_t i = 0; best < 100 && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		int sure = kinds[i]->sniff ? kinds[i]->sniff(src->text, src->text_len) : 0;

		if (sure > best) {
			best = sure;
			src->ops = kinds[i];
		}
	}
	if (src->ops)
		return 0;
	if (src->text_len == 0)
		return error_set(src->h, -EINVAL, source_label(src), 0, "is empty");
	if (starts_with(src, "\xff\xfe", 2) || starts_with(src, "\xfe\xff", 2))
		return error_set(src->h, -EINVAL, source_label(src), 0,
				 "is text in UTF-16: convert it with iconv -f UTF-16 -t UTF-8");
	if (starts_with(src, "\xfd" "7zXZ", 5) || starts_with(src, "BZh", 3))
		return error_set(src->h, -EINVAL, source_label(src), 0,
				 "is compressed with xz or bzip2: unpack it first");
	return error_set(src->h, -ENOMSG, source_label(src), 0,
			 "no slab statistics of any known kind in it");
}

static int choose_for_text(struct slabstat_source *src)
{
	int ret;

	if (src->spec.buffer) {
		src->text = src->spec.buffer;
		src->text_len = src->spec.buffer_size;
	} else {
		ret = load_file(src);
		if (ret)
			return ret;
	}
	ret = unpack(src);
	if (ret)
		return ret;
	skip_byte_order_mark(src);
	if (src->spec.kind == SLABSTAT_SOURCE_AUTO)
		return detect(src);
	src->ops = find_ops(src->spec.kind);
	if (!src->ops || !src->ops->sniff)
		return error_set(src->h, -EINVAL, source_label(src), 0,
				 "a file cannot be read as "
				 "'%s'", slabstat_source_kind_name(src->spec.kind));
	return 0;
}

/* ---- opening --------------------------------------------------------------------------------- */

static bool rows_readable(struct root *r)
{
	int fd = root_openat(r, r->fd, "proc/slabinfo", O_RDONLY);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* Both halves where both can be read, else the one that can. */
static int choose_for_root(struct slabstat_source *src)
{
	struct root r;
	int ret = root_open(&r, src->h, src->spec.root);

	if (ret == 0) {
		bool rows = r.slabinfo && rows_readable(&r),
		     dir = r.slab && (!r.live || slabdir_readable(&r));

		if (dir)
			src->ops = rows ? &source_hybrid : &source_sysfs;
		else if (rows)
			src->ops = &source_procfs;
		else
			ret = root_error(&r, -EACCES, r.slabinfo ? "proc/slabinfo" : r.slab);
	}
	root_close(&r);
	return ret;
}

static int copy_string(const char **text)
{
	if (*text) {
		*text = strdup(*text);
		if (!*text)
			return -ENOMEM;
	}
	return 0;
}

static int open_source(struct slabstat_source *src)
{
	bool text = src->spec.file || src->spec.buffer;
	int ret;

	if (text) {
		ret = choose_for_text(src);
		return ret ? ret : src->ops->open(src);
	}
	if (src->spec.process) {
		src->ops = &source_process;
		return src->ops->open(src);
	}
	if (src->spec.kind == SLABSTAT_SOURCE_AUTO) {
		ret = choose_for_root(src);
		return ret ? ret : src->ops->open(src);
	}
	src->ops = find_ops(src->spec.kind);
	if (!src->ops || src->ops->kind == SLABSTAT_SOURCE_TEXT)
		return error_set(src->h, -EINVAL, src->spec.root, 0, "'%s' is read from a file",
				 slabstat_source_kind_name(src->spec.kind));
	return src->ops->open(src);
}

int slabstat_source_open(struct slabstat *h, const struct slabstat_spec *spec,
			 struct slabstat_source **source)
{
	struct slabstat_source *src = calloc(1, sizeof(*src));
	int ret;

	*source = NULL;
	if (!src)
		return error_memory(h);
	src->h = h;
	src->spec = *spec;
	if (copy_string(&src->spec.root) | copy_string(&src->spec.file) |
	    copy_string(&src->spec.label) | copy_string(&src->spec.process))
		ret = error_memory(h);
	else
		ret = open_source(src);
	if (ret) {
		slabstat_source_close(src);
		return ret;
	}
	src->kind = src->ops->kind;
	*source = src;
	return 0;
}

void slabstat_source_close(struct slabstat_source *src)
{
	if (!src)
		return;
	if (src->ops)
		src->ops->close(src);
	free(src->focus);
	free(src->content);
	free((char *)src->spec.root);
	free((char *)src->spec.file);
	free((char *)src->spec.label);
	free((char *)src->spec.process);
	free(src);
}

/* ---- reading --------------------------------------------------------------------------------- */

enum slabstat_source_kind slabstat_source_kind(const struct slabstat_source *src)
{
	return src->kind;
}

int slabstat_source_focus(struct slabstat_source *src, const char *name)
{
	char *copy = name ? strdup(name) : NULL;

	if (name && !copy)
		return error_set(src->h, -ENOMEM, NULL, 0, "out of memory");
	free(src->focus);
	src->focus = copy;
	return 0;
}

size_t slabstat_source_samples(const struct slabstat_source *src)
{
	if (src->ops->samples)
		return src->ops->samples(src);
	return src->text || src->spec.root;
}

int slabstat_source_seek(struct slabstat_source *src, size_t n)
{
	size_t samples = slabstat_source_samples(src);

	if (samples == 0)
		return error_set(src->h, -ESPIPE, NULL, 0, "a live source has no samples to go to");
	if (n >= samples)
		return error_set(src->h, -ERANGE, source_label(src), 0,
				 "has %zu samples, so none is number %zu (counted "
				 "from 0)", samples, n);
	return src->ops->seek ? src->ops->seek(src, n) : 0;
}

static int64_t now_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

int slabstat_source_read(struct slabstat_source *src, const struct slabstat_fieldset *want,
			 struct slabstat_snapshot **snapshot)
{
	struct slabstat_snapshot *s = snapshot_new(src->kind);
	int64_t start = now_ns(CLOCK_MONOTONIC);
	int ret;

	*snapshot = NULL;
	if (!s)
		return error_memory(src->h);
	if (!src->text && !src->spec.root) {
		s->wall_ns = now_ns(CLOCK_REALTIME);
		s->mono_ns = start;
	}
	ret = src->ops->read(src, want, s);
	if (ret == 0 && snapshot_finish(s))
		ret = error_memory(src->h);
	if (ret) {
		slabstat_snapshot_free(s);
		return ret;
	}
	/* A recording tells what reading took when it was made. */
	if (src->kind != SLABSTAT_SOURCE_RECORD)
		s->notes.read_ns = (uint64_t)(now_ns(CLOCK_MONOTONIC) - start);
	*snapshot = s;
	return 0;
}
