/* SPDX-License-Identifier: MIT */
/*
 * text_report.h - the report of one cache by the kernel's slabinfo (-r, or a single match).
 *
 *	Slabcache: dentry           Aliases:  0 Order :  0 Objects: 7312
 *	** Reclaim accounting active
 *
 *	Sizes (bytes)     Slabs              Debug                Memory
 *	------------------------------------------------------------------------
 *	Object :     192  Total  :     536   Sanity Checks : Off  Total: 2195456
 *	...
 */
#ifndef SLABSTAT_TEXT_REPORT_H
#define SLABSTAT_TEXT_REPORT_H

#include "slabstat/text.h"

/* report_begins - is this the head of a report? Sets its name. */
bool report_begins(const struct line *l, struct word *name);

/* report_head - a new cache from the head. */
struct slabstat_cache *report_head(struct text *t, const struct line *l, const struct word *name);

/* report_line - does this line belong to a report? Then its values are set. */
bool report_line(struct text *t, struct slabstat_cache *c, const struct line *l);

#endif
