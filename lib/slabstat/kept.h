/* SPDX-License-Identifier: MIT */
/*
 * kept.h - attribute files of the running kernel that stay open from reading to reading.
 *
 * Reading one anew from its start costs a quarter of opening, reading and closing it. They go by
 * the place of their cache in the directory's listing, and are all closed when the listing is
 * another than before. A cache that is destroyed meanwhile is not held up by them: reading gives
 * ENODEV.
 */
#ifndef SLABSTAT_KEPT_H
#define SLABSTAT_KEPT_H

#include <slab/slabstat.h>

struct kept {
	bool on;
	size_t limit, open;	/* descriptors: how many may be, how many are */
	size_t caches;
	struct kept_cache *cache;
};

/* kept_start - as many as the process may have open, less some for others. */
void kept_start(struct kept *k);

/* kept_reset - close all; from here on there are so many caches. */
void kept_reset(struct kept *k, size_t caches);

/* kept_find - the descriptor of a field's attribute; -1: not open. */
int kept_find(const struct kept *k, size_t place, enum slabstat_field field);

/* kept_add - *takes* a descriptor; false where no more may be kept: it is the caller's still. */
bool kept_add(struct kept *k, size_t place, enum slabstat_field field, int fd);

/*
 * kept_read - the text at a descriptor from its start, terminated. Its length or a negative errno.
 */
long kept_read(int fd, char *buf, size_t size);

void kept_stop(struct kept *k);

#endif
