// SPDX-License-Identifier: MIT
/*
 * source_procfs.c - /proc/slabinfo alone: the kernel's, one in a copy, or a file of any age.
 *
 * The kernel hands its file out in pieces of a page and lets caches come and go between them
 * (see drop_repeats in procfs.c). Where a piece seems to repeat the one before, the file is read
 * again with other pieces: two caches that really look alike then stand away from a seam.
 */
#include "slabstat/source_procfs.h"

#include "slabstat/field.h"
#include "slabstat/machine.h"
#include "slabstat/slabdir.h"
#include "slabstat/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PIECE	 ((size_t)64 << 10)
#define ATTEMPTS 3

static int add_seam(struct procfs_seams *seams, size_t at)
{
	if (seams->count == seams->room) {
		size_t room = seams->room ? seams->room * 2 : 64;
		size_t *bigger = reallocarray(seams->at, room, sizeof(*bigger));

		if (!bigger)
			return -ENOMEM;
		seams->at = bigger;
		seams->room = room;
	}
	seams->at[seams->count++] = at;
	return 0;
}

/* All of fd, with a seam after each read; the first read is of at most first bytes. */
static int read_pieces(int fd, size_t first, struct procfs_text *x)
{
	size_t ask = first;

	x->len = 0;
	x->seams.count = 0;
	for (;;) {
		ssize_t n;

		if (x->room < x->len + PIECE) {
			size_t room = 2 * x->room + PIECE;
			char *bigger = realloc(x->text, room);

			if (!bigger)
				return -ENOMEM;
			x->text = bigger;
			x->room = room;
		}
		n = read(fd, x->text + x->len, ask);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			return 0;
		x->len += (size_t)n;
		ask = PIECE;
		if (add_seam(&x->seams, x->len))
			return -ENOMEM;
	}
}

int procfs_read(struct root *r, struct procfs_text *x, struct procfs_table *t)
{
	*t = (struct procfs_table){ 0 };
	for (unsigned attempt = 0; attempt < ATTEMPTS; attempt++) {
		int fd = root_openat(r, r->fd, "proc/slabinfo", O_RDONLY), ret;

		if (fd < 0)
			return root_error(r, fd, "proc/slabinfo");
		ret = read_pieces(fd, attempt ? 700 * attempt : PIECE, x);
		close(fd);
		procfs_free(t);
		if (ret == 0)
			ret = procfs_parse(t, x->text, x->len, r->live ? &x->seams : NULL);
		if (ret)
			return root_error(r, ret, "proc/slabinfo");
		if (t->repeats == 0)
			break;
	}
	return 0;
}

void procfs_text_free(struct procfs_text *x)
{
	free(x->text);
	free(x->seams.at);
	*x = (struct procfs_text){ 0 };
}

/* ---- the source ------------------------------------------------------------------------------ */

struct procfs {
	struct root root;
	struct procfs_text text;
	struct arena arena;		/* strings of machine */
	struct slabstat_machine machine;
	struct sample_list samples;	/* of a text */
	size_t at;
	const char *why;		/* what a row lacks is absent */
};

static void procfs_close(struct slabstat_source *src)
{
	struct procfs *p = src->state;

	if (!p)
		return;
	sample_free(&p->samples);
	procfs_text_free(&p->text);
	root_close(&p->root);
	arena_free(&p->arena);
	free(p);
	src->state = NULL;
}

static int open_root(struct slabstat_source *src, struct procfs *p)
{
	int ret = root_open(&p->root, src->h, src->spec.root), fd;

	if (ret)
		return ret;
	fd = root_openat(&p->root, p->root.fd, "proc/slabinfo", O_RDONLY);
	if (fd < 0)
		return root_error(&p->root, fd, "proc/slabinfo");
	close(fd);
	if (p->root.live && !p->root.slab)
		p->why = "/proc/slabinfo does not carry it, and there is no /sys/kernel/slab";
	else if (p->root.live && !slabdir_readable(&p->root))
		p->why =
			"/proc/slabinfo does not carry it, and only root may read /sys/kernel/slab";
	if (machine_read(&p->root, &p->arena, &p->machine))
		return error_memory(src->h);
	return 0;
}

static int procfs_open(struct slabstat_source *src)
{
	struct procfs *p = calloc(1, sizeof(*p));

	if (!p)
		return error_memory(src->h);
	src->state = p;
	p->root.fd = -1;
	p->why = "this /proc/slabinfo does not carry it";
	if (!src->text)
		return open_root(src, p);
	if (procfs_find_samples(src->text, src->text_len, &p->samples))
		return error_memory(src->h);
	return 0;
}

/* No row at all where there should be some. */
static int refuse(struct slabstat_source *src, const struct procfs *p, unsigned long line)
{
	static const char why[] = "no row of /proc/slabinfo here that could be understood";
	char *path = src->text ? NULL : root_path(&p->root, "proc/slabinfo");
	int ret = error_set(src->h, -EINVAL, src->text ? source_label(src) : path, line, why);

	free(path);
	return ret;
}

static int fill(struct slabstat_source *src, const struct procfs *p, const struct procfs_table *t,
		unsigned long first_line, struct slabstat_snapshot *s)
{
	for (size_t i = 0; i < t->count; i++) {
		struct slabstat_cache *c = snapshot_add(s, t->row[i].name, t->row[i].name_len);

		if (!c)
			return error_memory(src->h);
		procfs_row_fill(&t->row[i], t->slub, s->machine.kernel, c);
	}
	s->notes.bad_rows = t->bad_rows;
	if (t->bad_rows)
		s->notes.first_bad_row = t->first_bad_row + first_line - 1;
	s->machine.slub = t->slub;
	return t->count == 0 && t->bad_rows ? refuse(src, p, s->notes.first_bad_row) : 0;
}

static void why_absent(const struct procfs *p, struct slabstat_snapshot *s)
{
	for (int n = 0; n < SLABSTAT_NFIELDS; n++) {
		enum slabstat_field f = (enum slabstat_field)n;

		if (s->machine.slub && field_only_slab(f))
			snapshot_why(s, f, "only the SLAB allocator has it");
		else if (slabstat_field_info(f)->kind != SLABSTAT_KIND_DERIVED)
			snapshot_why(s, f, p->why);
	}
}

static int procfs_source_read(struct slabstat_source *src, const struct slabstat_fieldset *want,
			      struct slabstat_snapshot *s)
{
	struct procfs *p = src->state;
	unsigned long first_line = 1;
	struct procfs_table t;
	int ret;

	(void)want;
	if (machine_set(s, &p->machine))
		return error_memory(src->h);
	if (src->text) {
		struct lines r = sample_lines(&p->samples, p->at, src->text, src->text_len);

		first_line = r.number + 1;
		s->wall_ns = p->samples.at[p->at].wall_ns;
		ret = procfs_parse(&t, r.next, (size_t)(r.end - r.next), NULL);
		if (ret)
			return error_memory(src->h);
	} else {
		ret = procfs_read(&p->root, &p->text, &t);
		if (ret)
			return ret;
		if (p->root.live)
			machine_meminfo(&p->root, &s->meminfo);
		s->notes.syscalls = p->root.opened;
		p->root.opened = 0;
	}
	ret = fill(src, p, &t, first_line, s);
	procfs_free(&t);
	if (src->spec.page_size)
		s->machine.page_size = src->spec.page_size;
	why_absent(p, s);
	return ret;
}

static size_t procfs_samples(const struct slabstat_source *src)
{
	const struct procfs *p = src->state;

	return src->text ? p->samples.count : !p->root.live;
}

static int procfs_seek(struct slabstat_source *src, size_t n)
{
	((struct procfs *)src->state)->at = n;
	return 0;
}

const struct source_ops source_procfs = {
	.kind = SLABSTAT_SOURCE_PROCFS,
	.sniff = procfs_sniff,
	.open = procfs_open,
	.read = procfs_source_read,
	.close = procfs_close,
	.samples = procfs_samples,
	.seek = procfs_seek,
};
