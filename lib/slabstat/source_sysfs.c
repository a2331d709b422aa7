// SPDX-License-Identifier: MIT
/*
 * source_sysfs.c - a slab directory alone: /sys/kernel/slab, or a copy.
 *
 * Each attribute is read at its own moment; what that makes impossible is mended on sealing.
 */
#include "slabstat/machine.h"
#include "slabstat/slabdir.h"
#include "slabstat/source.h"

#include <errno.h>
#include <stdlib.h>

struct sysfs {
	struct root root;
	struct slabdir dir;
	struct arena arena;		/* strings of machine */
	struct slabstat_machine machine;
};

static void sysfs_close(struct slabstat_source *src)
{
	struct sysfs *y = src->state;

	if (!y)
		return;
	slabdir_close(&y->dir);
	root_close(&y->root);
	arena_free(&y->arena);
	free(y);
	src->state = NULL;
}

static int sysfs_open(struct slabstat_source *src)
{
	struct sysfs *y = calloc(1, sizeof(*y));
	int ret;

	if (!y)
		return error_memory(src->h);
	src->state = y;
	y->dir.fd = y->dir.at = -1;
	ret = root_open(&y->root, src->h, src->spec.root);
	if (ret)
		return ret;
	if (!y->root.slab)
		return error_set(src->h, -ENOENT, y->root.dir, 0, "no slab directory here (sys/kernel/slab)");
	ret = slabdir_open(&y->dir, &y->root);
	if (ret)
		return ret;
	if (machine_read(&y->root, &y->arena, &y->machine))
		return error_memory(src->h);
	y->machine.slub = true;
	if (src->spec.page_size)
		y->machine.page_size = src->spec.page_size;
	y->dir.facts.on = y->root.live;
	y->dir.facts.fixed_order = y->machine.kernel >= SLABSTAT_KERNEL(5, 9);
	return 0;
}

static int sysfs_read(struct slabstat_source *src, const struct slabstat_fieldset *want,
		      struct slabstat_snapshot *s)
{
	struct sysfs *y = src->state;
	struct slabstat_fieldset fields = slabdir_fields(want, &y->machine);
	int ret;

	if (machine_set(s, &y->machine))
		return error_memory(src->h);
	ret = slabdir_list(&y->dir, s);
	for (size_t i = 0; ret == 0 && i < s->count; i++) {
		ret = slabdir_read(&y->dir, s, s->cache[i], &fields);
		if (ret == 0 && !want)
			ret = slabdir_read_ctor(&y->dir, s, s->cache[i]);
		if (ret == -ENOENT) {
			snapshot_drop(s, i);
			s->notes.vanished++;
			ret = 0;
		}
	}
	if (ret)
		return ret;
	slabdir_why(&y->dir, s);
	if (!y->dir.any && s->notes.unreadable)
		return error_set(src->h, -EACCES, y->root.dir, 0,
				 "no attribute here could be read; a copy is made as root");
	if (y->root.live)
		machine_meminfo(&y->root, &s->meminfo);
	s->notes.syscalls = y->root.opened;
	y->root.opened = 0;
	return 0;
}

const struct source_ops source_sysfs = {
	.kind = SLABSTAT_SOURCE_SYSFS,
	.open = sysfs_open,
	.read = sysfs_read,
	.close = sysfs_close,
};
