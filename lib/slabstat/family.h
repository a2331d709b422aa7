/* SPDX-License-Identifier: MIT */
/* family.h - what the library itself wants to know of a family; see slabstat_family(). */
#ifndef SLABSTAT_FAMILY_H
#define SLABSTAT_FAMILY_H

#include <slab/slabstat.h>

/* family_stem - bytes of name before a kernel address that ends it; 0: none ends it. */
size_t family_stem(const char *name);

#endif
