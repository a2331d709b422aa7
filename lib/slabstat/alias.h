/* SPDX-License-Identifier: MIT */
/*
 * alias.h - symbolic links of a slab directory, and the caches they stand for.
 *
 * The kernel merges caches of like layout into one directory with an id for a name (:A-0000128)
 * and leaves a link for each of their names. Only the last component of a link's target counts:
 * that is how the kernel writes them, and nothing outside the directory is ever looked at.
 */
#ifndef SLABSTAT_ALIAS_H
#define SLABSTAT_ALIAS_H

#include "slabstat/snapshot.h"

/*
 * alias_resolve - give each cache its aliases, in order of name, and its label; count links
 * without a target. Makes the index that alias_find() uses. 0 or -ENOMEM.
 */
int alias_resolve(struct slabstat_snapshot *s);

/* alias_find - the cache with this alias, or NULL. */
const struct slabstat_cache *alias_find(const struct slabstat_snapshot *s, const char *name);

/* alias_target - the last path component of a link's target. Borrows from it. */
const char *alias_target(const char *target);

#endif
