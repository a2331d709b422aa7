/* SPDX-License-Identifier: MIT */
/*
 * rule.h - what each kernel takes for each tunable: pure functions over a few facts.
 *
 * Nothing here reads or writes. A rule speaks only of what is certain; where the facts do not
 * settle it, the kernel has the last word and its errno is explained afterwards.
 */
#ifndef SLABSTAT_RULE_H
#define SLABSTAT_RULE_H

#include <slab/slabstat.h>

struct rule_facts {
	unsigned kernel;	/* SLABSTAT_KERNEL(); 0 unknown */
	bool retired;		/* no CPU-partial slabs: 7.0 and later */
	bool debug;		/* any debug flag is set on the cache */
	uint64_t aliases;	/* users merged into it besides the first */
	uint64_t slab_size;	/* bytes; 0 unknown */
	uint64_t page_size;	/* bytes; 0 unknown */
	bool program;		/* of a program: libslabkit takes it, not the kernel */
	bool sheafless;		/* of a program's cache: made without sheaves */
};

/* rule_field - tunable i, or -ENOENT. rule_exists - is this field a tunable with an attribute? */
int rule_field(size_t i);
bool rule_exists(enum slabstat_field field);

/* rule_of_program - a tunable of programs only. */
bool rule_of_program(enum slabstat_field field);

/* rule_attribute - name of the sysfs file. */
const char *rule_attribute(enum slabstat_field field);

/*
 * rule_range - what the kernel takes, or what it makes of other values (min_partial before 5.17).
 */
void rule_range(const struct rule_facts *facts, enum slabstat_field field, uint64_t *low,
		uint64_t *high);

/* rule_standard - the value that the kernel gives a new cache; false where that cannot be told. */
bool rule_standard(const struct rule_facts *facts, enum slabstat_field field, uint64_t *value);

/* rule_note - one clause about this tunable here, or NULL. */
const char *rule_note(const struct rule_facts *facts, enum slabstat_field field);

/* rule_missing - why a kernel has no such attribute. */
const char *rule_missing(enum slabstat_field field);

/*
 * rule_check - would the kernel take value? 0; else -EINVAL or -ERANGE as the kernel would say, or
 * -EDOM where only our own limit forbids it; *why is then one clause.
 */
int rule_check(const struct rule_facts *facts, enum slabstat_field field, uint64_t value,
	       const char **why);

/* rule_action - the same for an action. */
int rule_action(const struct rule_facts *facts, enum slabstat_tune_action action, const char **why);

/* rule_explain - what an errno of writing an attribute most likely means; never NULL. */
const char *rule_explain(const char *attribute, int error);

#endif
