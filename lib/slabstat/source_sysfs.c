// SPDX-License-Identifier: MIT
/*
 * source_sysfs.c - a slab directory alone: /sys/kernel/slab, or a copy.
 *
 * Each attribute is read at its own moment; what that makes impossible is mended on sealing.
 */
#include "slabstat/source_sysfs.h"

#include "slabstat/machine.h"

#include <errno.h>
#include <stdlib.h>

int sysfs_start(struct sysfs *y, struct slabstat_source *src)
{
	int ret;

	*y = (struct sysfs){ .root.fd = -1, .dir.fd = -1, .dir.at = -1 };
	ret = root_open(&y->root, src->h, src->spec.root);
	if (ret)
		return ret;
	if (!y->root.slab)
		return root_error(&y->root, -ENOENT, "sys/kernel/slab");
	ret = slabdir_open(&y->dir, &y->root);
	if (ret)
		return ret;
	if (machine_read(&y->root, &y->arena, &y->machine))
		return error_memory(src->h);
	y->machine.slub = true;
	if (src->spec.page_size)
		y->machine.page_size = src->spec.page_size;
	y->dir.facts.on = y->root.live || (src->spec.flags & SLABSTAT_FLAG_AGAIN);
	if (y->root.live && (src->spec.flags & SLABSTAT_FLAG_AGAIN))
		kept_start(&y->dir.kept);
	y->dir.facts.fixed_order = y->machine.kernel >= SLABSTAT_KERNEL(5, 9);
	return 0;
}

void sysfs_stop(struct sysfs *y)
{
	slabdir_close(&y->dir);
	root_close(&y->root);
	arena_free(&y->arena);
}

int sysfs_begin(struct sysfs *y, struct slabstat_snapshot *s)
{
	if (machine_set(s, &y->machine))
		return error_memory(y->root.h);
	return slabdir_list(&y->dir, s);
}

void sysfs_end(struct sysfs *y, struct slabstat_snapshot *s)
{
	slabdir_why(&y->dir, s);
	s->notes.syscalls = y->root.opened;
	y->root.opened = 0;
}

/* ---- the source ------------------------------------------------------------------------------ */

static void sysfs_close(struct slabstat_source *src)
{
	if (src->state)
		sysfs_stop(src->state);
	free(src->state);
	src->state = NULL;
}

static int sysfs_open(struct slabstat_source *src)
{
	src->state = calloc(1, sizeof(struct sysfs));
	return src->state ? sysfs_start(src->state, src) : error_memory(src->h);
}

static int read_cache(struct slabstat_source *src, const struct slabstat_fieldset *want,
		      struct slabstat_snapshot *s, size_t i)
{
	struct sysfs *y = src->state;
	bool whole = !want || source_in_focus(src, s->cache[i]->name);
	struct slabstat_fieldset fields = slabdir_fields(whole ? NULL : want, &y->machine);
	int ret = slabdir_read(&y->dir, s, s->cache[i], &fields);

	if (ret == 0 && whole)
		ret = slabdir_read_ctor(&y->dir, s, s->cache[i]);
	if (ret != -ENOENT)
		return ret;
	snapshot_drop(s, i);
	s->notes.vanished++;
	return 0;
}

static int read_caches(struct slabstat_source *src, const struct slabstat_fieldset *want,
		       struct slabstat_snapshot *s)
{
	int ret = 0;

	for (int rest = 0; rest < 2; rest++)
		for (size_t i = 0; ret == 0 && i < s->count; i++)
			if (s->cache[i] && slabdir_grows(s->cache[i]) == !rest)
				ret = read_cache(src, want, s, i);
	return ret;
}

static int sysfs_read(struct slabstat_source *src, const struct slabstat_fieldset *want,
		      struct slabstat_snapshot *s)
{
	struct sysfs *y = src->state;
	int ret = sysfs_begin(y, s);

	if (ret == 0)
		ret = read_caches(src, want, s);
	if (ret)
		return ret;
	if (y->root.live)
		machine_meminfo(&y->root, &s->meminfo);
	sysfs_end(y, s);
	if (!y->dir.any && s->notes.unreadable)
		return error_set(src->h, -EACCES, y->root.dir, 0,
				 "no attribute here could be read; a copy is made as root");
	return 0;
}

const struct source_ops source_sysfs = {
	.kind = SLABSTAT_SOURCE_SYSFS,
	.open = sysfs_open,
	.read = sysfs_read,
	.close = sysfs_close,
};
