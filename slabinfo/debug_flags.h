/* SPDX-License-Identifier: MIT */
/*
 * debug_flags.h - the debug flags that -d sets and clears, where a kernel still lets one.
 *
 * Up to 5.8 they were files to write to: sanity_checks at any time, the others while the cache has
 * no objects, trace on one cache only. Since 5.9 they are read-only: slab_debug= at boot sets them.
 */
#ifndef SLABINFO_DEBUG_FLAGS_H
#define SLABINFO_DEBUG_FLAGS_H

#include <stdbool.h>
#include <stddef.h>

enum debug_flag {
	DEBUG_SANITY,
	DEBUG_RED_ZONE,
	DEBUG_POISON,
	DEBUG_USER,
	DEBUG_TRACE,
	DEBUG_FLAGS
};

struct debug_flags {
	bool on[DEBUG_FLAGS];
};

/* debug_flags_parse - letters FZPUT in either case; "a" is FZPU; "" and "-" are none. */
bool debug_flags_parse(const char *letters, struct debug_flags *flags);

/* debug_flags_attribute - "sanity_checks". debug_flags_word - "sanity checks". */
const char *debug_flags_attribute(enum debug_flag flag);
const char *debug_flags_word(enum debug_flag flag);

#endif
