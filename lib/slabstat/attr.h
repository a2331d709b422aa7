/* SPDX-License-Identifier: MIT */
/*
 * attr.h - the text of one sysfs attribute, and the fields that it carries.
 *
 *	PLAIN		"5"
 *	NODE		"7 N0=4 N1=3"			total, then the nodes that have any
 *	CPU		"9 C0=9"			total, then the CPUs that have any
 *	CPUSLABS	"48(6) C0=16(2) C1=32(4)"	objects and, in parentheses, slabs
 */
#ifndef SLABSTAT_ATTR_H
#define SLABSTAT_ATTR_H

#include "slabstat/snapshot.h"

/* attr_find - the first field that an attribute of this name carries, or -ENOENT. */
int attr_find(const char *name, size_t len);

/*
 * attr_parse - set a field (both, for CPUSLABS) and its shares from the text of its attribute.
 * 0; -EINVAL for text that is not of the form, and then nothing is set; -ENOMEM.
 */
int attr_parse(struct slabstat_snapshot *s, struct slabstat_cache *c, enum slabstat_field field,
	       const char *text, size_t len);

#endif
