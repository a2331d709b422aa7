/* SPDX-License-Identifier: MIT */
/*
 * slabdir.h - one slab directory: a directory a cache, a file an attribute, a link an alias.
 *
 * Only attributes that are asked for are opened, each with one open, read and close; what the
 * first directories all lack (counters of a kernel without CONFIG_SLUB_STATS) is not tried again.
 */
#ifndef SLABSTAT_SLABDIR_H
#define SLABSTAT_SLABDIR_H

#include "slabstat/facts.h"
#include "slabstat/kept.h"
#include "slabstat/root.h"
#include "slabstat/snapshot.h"

struct slabdir {
	struct root *root;
	int fd;
	int at;				/* directory of the cache at_cache, in a copy; -1: none */
	const struct slabstat_cache *at_cache;
	char *text;			/* room for one attribute */
	char *path;			/* room for "CACHE/attribute" */
	struct facts facts;		/* set facts.on to read again and again */
	struct kept kept;		/* kept_start() it to do so often: attributes stay open */
	bool any;			/* an attribute could be read */
	bool seen[SLABSTAT_NFIELDS];	/* some cache has this field's attribute */
	/* caches that had not, up to a few, before any had */
	unsigned char lacks[SLABSTAT_NFIELDS];
};

/*
 * slabdir_readable - of the running kernel: whether its attributes may be read, told by one of
 * them.
 */
bool slabdir_readable(struct root *r);

/* slabdir_open - of a root that has one. 0 or a negative errno with the error set. */
int slabdir_open(struct slabdir *d, struct root *r);
void slabdir_close(struct slabdir *d);

/*
 * slabdir_list - every cache, added to the snapshot without a value, and every link, in the order
 * of names; a cache's position is its place in the directory. 0 or a negative errno with the error
 * set.
 */
int slabdir_list(struct slabdir *d, struct slabstat_snapshot *s);

/*
 * slabdir_fields - the attributes to read for what is wanted (NULL: all) of such a machine: those
 * that computed fields need too, and none that its kernel has retired.
 */
struct slabstat_fieldset slabdir_fields(const struct slabstat_fieldset *want,
					const struct slabstat_machine *m);

/*
 * slabdir_grows - whether reading fills c: each file that is opened leaves an object in a kmalloc
 * cache, which the kernel frees with others some seconds later, a thousand of them once every cache
 * has been read. So these are read first.
 */
bool slabdir_grows(const struct slabstat_cache *c);

/*
 * slabdir_read - the attributes of these fields, into a cache. 0; -ENOENT where the cache is gone;
 * another negative errno, with the error set, where going on makes no sense.
 */
int slabdir_read(struct slabdir *d, struct slabstat_snapshot *s, struct slabstat_cache *c,
		 const struct slabstat_fieldset *fields);

/* slabdir_read_ctor - the constructor's name. 0 or -ENOMEM; what is not there stays unknown. */
int slabdir_read_ctor(struct slabdir *d, struct slabstat_snapshot *s, struct slabstat_cache *c);

/* slabdir_why - tell the snapshot why each field that no cache has is absent. */
void slabdir_why(const struct slabdir *d, struct slabstat_snapshot *s);

#endif
