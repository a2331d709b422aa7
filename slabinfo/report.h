/* SPDX-License-Identifier: MIT */
/*
 * report.h - what a report says beyond the kernel tool's: the bounds of the objects in use, where
 * loss goes, who shares the cache, the tunables and what this kernel lets one change.
 */
#ifndef SLABINFO_REPORT_H
#define SLABINFO_REPORT_H

#include "mode.h"

/* report_additions - after a blank line; name as the layout before shows it; tune may be NULL. */
void report_additions(const struct view *v, struct slabstat_tune *tune,
		      const struct slabstat_cache *cache, const char *name);

/*
 * report_tune - the tunables of the view's directories, *returned owned* (slabstat_tune_close);
 * NULL without a message where the source is no slab directory.
 */
struct slabstat_tune *report_tune(const struct view *v);

#endif
