/* SPDX-License-Identifier: MIT */
/*
 * caches.h - what stands in a directory of caches: a directory a cache, a link a further name.
 *
 * Names of caches may be anything; those of files may not. As in sysfs, "/" becomes "!", and a name
 * is there once: a cache whose name another one has goes by its first user's name instead, and what
 * has no name left, or none that a file can have, by its number in the program: twin@5.
 */
#ifndef SLABFS_CACHES_H
#define SLABFS_CACHES_H

#include <stdbool.h>
#include <stddef.h>

#include <slab/slabstat.h>

struct caches_entry {
	const char *name;
	const char *target;	/* of a link: the name of an entry beside it; NULL: a directory */
	const struct slabstat_cache *cache;
	bool numbered;		/* it has no other name here */
};

struct caches {
	struct caches_entry *entry;	/* in order of name */
	size_t count, room;
	char **text;			/* of names */
	size_t texts, text_room;
};

/* caches_list - of a snapshot, which is borrowed. 0 or -ENOMEM; caches_free follows in any case. */
int caches_list(struct caches *l, const struct slabstat_snapshot *s);
void caches_free(struct caches *l);

/*
 * caches_row_name - what a row calls a cache: its label, but where only a number tells it from
 * others.
 */
const char *caches_row_name(const struct caches *l, const struct slabstat_cache *c);

/* caches_find - the entry of this name, or NULL. */
const struct caches_entry *caches_find(const struct caches *l, const char *name);

#endif
