// SPDX-License-Identifier: MIT
/*
 * rule.c - what each kernel takes for each tunable; see rule.h.
 *
 * Ranges are those of the store functions of mm/slub.c, which were measured by writing on 5.10,
 * 6.1, 6.12, 6.18, 7.0 and 7.3. Defaults are the kernel's own formulas: min_partial is half the
 * binary logarithm of the slot size, between 5 and 10; cpu_partial goes down in four steps as
 * slots grow, from 5.16 on with larger figures.
 */
#include "slabstat/rule.h"

#include <errno.h>
#include <string.h>

#define MIN_PARTIAL_LOW 5
#define MIN_PARTIAL_HIGH 10

/* Our own limits: past these a CPU or a node would hold on to megabytes for nothing. */
#define SANE_CPU_PARTIAL 16384
#define SANE_MIN_PARTIAL 16384

/* What libslabkit takes: as SLAB_SHEAF_MAX and SLAB_CPU_PARTIAL_MAX of slab.h. */
#define PROGRAM_SHEAF 1022
#define PROGRAM_CPU_PARTIAL 1000000

static const struct rule {
	enum slabstat_field field;
	uint64_t high;		/* what the kernel takes at most */
	uint64_t sane;		/* what we take at most; 0: as the kernel */
	const char *missing;
} rules[] = {
	{ SLABSTAT_CPU_PARTIAL, UINT32_MAX, SANE_CPU_PARTIAL,
	  "this kernel has no cpu_partial (it came with 3.2)" },
	{ SLABSTAT_MIN_PARTIAL, UINT64_MAX, SANE_MIN_PARTIAL,
	  "this kernel has no min_partial (it came with 2.6.30)" },
	{ SLABSTAT_REMOTE_NODE_DEFRAG_RATIO, 100, 0,
	  "this kernel is built without CONFIG_NUMA" },
	{ SLABSTAT_SKIP_KFENCE, 1, 0,
	  "this kernel is built without CONFIG_KFENCE, or older than 6.1" },
	{ SLABSTAT_FAILSLAB, 1, 0,
	  "this kernel is built without CONFIG_FAILSLAB" },
	/* The kernel shows it, and fixes it when the cache is made. */
	{ SLABSTAT_SHEAF_CAPACITY, PROGRAM_SHEAF, 0, "it can be set in a program (--pid) only" },
};

#define RULES (sizeof(rules) / sizeof(rules[0]))

static const struct rule *find(enum slabstat_field field)
{
	for (size_t i = 0; i < RULES; i++)
		if (rules[i].field == field)
			return &rules[i];
	return NULL;
}

int rule_field(size_t i)
{
	return i < RULES ? (int)rules[i].field : -ENOENT;
}

bool rule_of_program(enum slabstat_field field)
{
	return field == SLABSTAT_SHEAF_CAPACITY;
}

bool rule_exists(enum slabstat_field field)
{
	return find(field) != NULL;
}

const char *rule_attribute(enum slabstat_field field)
{
	return slabstat_field_info(field)->sysfs;
}

const char *rule_missing(enum slabstat_field field)
{
	return find(field)->missing;
}

static bool clamps_min_partial(const struct rule_facts *facts)
{
	return facts->kernel && facts->kernel < SLABSTAT_KERNEL(5, 17);
}

/* CPU-partial slabs do not exist here: the kernel takes 0 and nothing else. */
static bool no_cpu_partial(const struct rule_facts *facts)
{
	return facts->retired || facts->debug;
}

void rule_range(const struct rule_facts *facts, enum slabstat_field field, uint64_t *low,
		uint64_t *high)
{
	*low = field == SLABSTAT_SHEAF_CAPACITY;
	*high = find(field)->high;
	if (facts->program) {
		if (field == SLABSTAT_MIN_PARTIAL)
			*high = UINT32_MAX;
		if (field == SLABSTAT_CPU_PARTIAL)
			*high = facts->sheafless ? PROGRAM_CPU_PARTIAL : 0;
		return;
	}
	if (field == SLABSTAT_CPU_PARTIAL && no_cpu_partial(facts))
		*high = 0;
	if (field == SLABSTAT_FAILSLAB && facts->aliases)
		*high = 0;
	if (field == SLABSTAT_MIN_PARTIAL && clamps_min_partial(facts)) {
		*low = MIN_PARTIAL_LOW;
		*high = MIN_PARTIAL_HIGH;
	}
}

static bool standard_cpu_partial(const struct rule_facts *facts, uint64_t *value)
{
	static const struct {
		uint64_t size, before_5_16, since;
	} steps[] = { { 1024, 6, 24 }, { 256, 13, 52 }, { 0, 30, 120 } };
	bool old = facts->kernel < SLABSTAT_KERNEL(5, 16);

	if (no_cpu_partial(facts)) {
		*value = 0;
		return true;
	}
	if (!facts->kernel || !facts->slab_size || !facts->page_size)
		return false;
	if (facts->slab_size >= facts->page_size) {
		*value = old ? 2 : 6;
		return true;
	}
	for (size_t i = 0;; i++) {
		if (facts->slab_size >= steps[i].size) {
			*value = old ? steps[i].before_5_16 : steps[i].since;
			return true;
		}
	}
}

static bool standard_min_partial(const struct rule_facts *facts, uint64_t *value)
{
	unsigned half;

	if (!facts->slab_size)
		return false;
	half = (63 - (unsigned)__builtin_clzll(facts->slab_size)) / 2;
	*value = half < MIN_PARTIAL_LOW ? MIN_PARTIAL_LOW :
		 half > MIN_PARTIAL_HIGH ? MIN_PARTIAL_HIGH : half;
	return true;
}

bool rule_standard(const struct rule_facts *facts, enum slabstat_field field, uint64_t *value)
{
	if (facts->program && field != SLABSTAT_MIN_PARTIAL)
		return false;
	switch (field) {
	case SLABSTAT_CPU_PARTIAL:
		return standard_cpu_partial(facts, value);
	case SLABSTAT_MIN_PARTIAL:
		return standard_min_partial(facts, value);
	case SLABSTAT_REMOTE_NODE_DEFRAG_RATIO:
		*value = 100;
		return true;
	case SLABSTAT_FAILSLAB:
		*value = 0;
		return true;
	default:	/* skip_kfence: whoever made the cache may have set it */
		return false;
	}
}

static const char *note_of_program(const struct rule_facts *facts, enum slabstat_field field)
{
	if (field == SLABSTAT_CPU_PARTIAL && !facts->sheafless)
		return "a cache with sheaves has no CPU-partial slabs: only 0 is taken";
	if (field == SLABSTAT_SHEAF_CAPACITY && facts->sheafless)
		return "a cache keeps its kind: this one was made without sheaves";
	return NULL;
}

const char *rule_note(const struct rule_facts *facts, enum slabstat_field field)
{
	if (facts->program)
		return note_of_program(facts, field);
	if (field == SLABSTAT_CPU_PARTIAL && facts->retired)
		return "no CPU-partial slabs since 7.0 (sheaves took their place): only 0 is taken";
	if (field == SLABSTAT_CPU_PARTIAL && facts->debug)
		return "a debug cache has no CPU-partial slabs: only 0 is taken";
	if (field == SLABSTAT_MIN_PARTIAL && clamps_min_partial(facts))
		return "before 5.17 the kernel silently stores 5 to 10 whatever is written";
	if (field == SLABSTAT_FAILSLAB && facts->aliases)
		return "the kernel refuses it for a cache that several users share";
	return NULL;
}

/* The refusals of kmem_cache_tune(). */
static int check_of_program(const struct rule_facts *facts, enum slabstat_field field,
			    uint64_t value, const char **why)
{
	uint64_t low, high;

	rule_range(facts, field, &low, &high);
	*why = note_of_program(facts, field);
	if (field == SLABSTAT_SHEAF_CAPACITY && facts->sheafless)
		return value ? -EINVAL : 0;
	if (value >= low && value <= high)
		return 0;
	if (!*why)
		*why = field == SLABSTAT_SHEAF_CAPACITY ? "a program takes 1 to 1022" :
		       field == SLABSTAT_CPU_PARTIAL	? "a program takes 0 to 1000000" :
							  "a program takes 0 to 4294967295";
	return -EINVAL;
}

int rule_check(const struct rule_facts *facts, enum slabstat_field field, uint64_t value,
	       const char **why)
{
	const struct rule *rule = find(field);

	if (facts->program)
		return check_of_program(facts, field, value, why);
	if (field == SLABSTAT_FAILSLAB && facts->aliases) {
		*why = rule_note(facts, field);
		return -EINVAL;
	}
	if (field == SLABSTAT_CPU_PARTIAL && value && no_cpu_partial(facts)) {
		*why = rule_note(facts, field);
		return -EINVAL;
	}
	if (value > rule->high) {
		*why = field == SLABSTAT_CPU_PARTIAL ? "the kernel takes 0 to 4294967295" :
		       rule->high == 1 ? "the kernel takes 0 or 1" : "the kernel takes 0 to 100";
		return rule->high == 1 ? -EINVAL : -ERANGE;
	}
	if (rule->sane && value > rule->sane) {
		*why = field == SLABSTAT_CPU_PARTIAL ?
		       "the kernel would take it, but more than 16384 objects a CPU only with "
		       "--force" :
		       "the kernel would take it, but more than 16384 slabs a node only with "
		       "--force";
		return -EDOM;
	}
	return 0;
}

int rule_action(const struct rule_facts *facts, enum slabstat_tune_action action, const char **why)
{
	if (action == SLABSTAT_TUNE_VALIDATE && facts->kernel >= SLABSTAT_KERNEL(6, 1) &&
	    !facts->debug) {
		*why = "this kernel validates debug caches only";
		return -EINVAL;
	}
	return 0;
}

const char *rule_explain(const char *attribute, int error)
{
	switch (error) {
	case -ESRCH:
		return "the program does not run any more";
	case -ETIMEDOUT:
		return "the program did not answer";
	case -EBUSY:
		return "the program could not: a CPU's sheaves were in use all the time";
	case -EINVAL:
		if (!strcmp(attribute, rule_attribute(SLABSTAT_CPU_PARTIAL)))
			return "the kernel refused it: a debug cache, "
			       "or no CONFIG_SLUB_CPU_PARTIAL";
		return "the kernel refused it";
	case -ERANGE:
		return "the kernel says that it is out of range";
	case -EACCES:
		return "read-only on this kernel";
	case -EPERM:
		return "only root may write it";
	case -EROFS:
		return "mounted read-only";
	case -ENOENT:
	case -ENODEV:
		return "the cache or its attribute is gone";
	case -ENOSPC:
	case -EDQUOT:
		return "no space left on the device";
	case -ELOOP:
		return "a symbolic link, which is never followed";
	case -EMLINK:
		return "not a plain file with one name";
	case -EIO:
		return "input/output error";
	default:
		return "it failed";
	}
}
