/* SPDX-License-Identifier: MIT */
/*
 * tunepage.h - what tunedir.h does with a slab directory, done through the page of a program.
 *
 * Values come from the page, read anew each time; what is to change is asked of the program, which
 * checks it as it checks its own calls. A cache goes by its serial, so one that was destroyed and
 * made anew is another. A handle of a cache is a small number, not a descriptor.
 */
#ifndef SLABSTAT_TUNEPAGE_H
#define SLABSTAT_TUNEPAGE_H

#include <slab/slabstat.h>

struct tunepage;

/* tunepage_open - process as in struct slabstat_spec. 0 or a negative errno with the error set. */
int tunepage_open(struct slabstat *h, const char *process, struct tunepage **tp);
void tunepage_close(struct tunepage *tp);

/*
 * tunepage_names - caches and aliases as they stood when it was opened; tunepage_path - the page.
 */
const struct slabstat_snapshot *tunepage_names(const struct tunepage *tp);
const char *tunepage_path(const struct tunepage *tp);

/* As in tunedir.h; the handle needs no giving back. */
int tunepage_cache(struct tunepage *tp, const char *name, char *identity, size_t size);
int tunepage_read(struct tunepage *tp, int cache, const char *attribute, uint64_t *value);
int tunepage_write(struct tunepage *tp, int cache, const char *attribute, uint64_t value);
/* 0, or why not: -ENOENT, -EACCES, -EPERM (not our program), -ESRCH (it does not run). */
int tunepage_writable(struct tunepage *tp, int cache, const char *attribute);

#endif
