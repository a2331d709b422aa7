// SPDX-License-Identifier: MIT
/* field.c - fields.def as tables; see there for what each column means. */
#include "slabstat/field.h"

#include "util/name.h"

#include <errno.h>
#include <string.h>

#define KV(major, minor) SLABSTAT_KERNEL(major, minor)

/* What a page alone carries, and what is computed from that. */
#define OF_PROGRAM(f)                                                   \
	(((f) >= SLABSTAT_SHEAF_OBJS && (f) <= SLABSTAT_RCU_SHEAVES) || \
	 ((f) >= SLABSTAT_CACHED_OBJS && (f) <= SLABSTAT_IN_USE) ||     \
	 (f) == SLABSTAT_SHEAF_HIT_PERCENT)

static const struct slabstat_field_info infos[SLABSTAT_NFIELDS] = {
#define FIELD(ID, id, TITLE, UNIT, KIND, FORM, sysfs, SINCE, UNTIL, help) \
	[SLABSTAT_##ID] = { #id, #TITLE, help, sysfs, SLABSTAT_UNIT_##UNIT,   \
			    SLABSTAT_KIND_##KIND, SINCE, UNTIL,                   \
			    OF_PROGRAM(SLABSTAT_##ID) },
#include <slab/fields.def>
#undef FIELD
};

static const unsigned char forms[SLABSTAT_NFIELDS] = {
#define FIELD(ID, id, TITLE, UNIT, KIND, FORM, sysfs, SINCE, UNTIL, help) \
	[SLABSTAT_##ID] = FORM_##FORM,
#include <slab/fields.def>
#undef FIELD
};

/* What a kernel must be built with to have an attribute; counters all need CONFIG_SLUB_STATS. */
static const struct {
	enum slabstat_field field;
	const char *why;
} needs[] = {
	{ SLABSTAT_USERSIZE, "this kernel is built without CONFIG_HARDENED_USERCOPY" },
	{ SLABSTAT_CACHE_DMA, "this kernel is built without CONFIG_ZONE_DMA" },
	{ SLABSTAT_REMOTE_NODE_DEFRAG_RATIO, "this kernel is built without CONFIG_NUMA" },
	{ SLABSTAT_SKIP_KFENCE, "this kernel is built without CONFIG_KFENCE" },
	{ SLABSTAT_FAILSLAB, "this kernel is built without CONFIG_FAILSLAB" },
	{ SLABSTAT_SLABS, "this kernel is built without CONFIG_SLUB_DEBUG" },
	{ SLABSTAT_OBJECTS, "this kernel is built without CONFIG_SLUB_DEBUG" },
	{ SLABSTAT_TOTAL_OBJECTS, "this kernel is built without CONFIG_SLUB_DEBUG" },
};

#define INPUTS 6

/* What derive.c computes from what, the reason first that a reader should hear; -1 ends a list. */
static const struct {
	enum slabstat_field field;
	int input[INPUTS + 1];
} inputs[] = {
	{ SLABSTAT_PAGES_PER_SLAB, { SLABSTAT_ORDER, -1 } },
	{ SLABSTAT_FOOTPRINT,
	  { SLABSTAT_SLABS, SLABSTAT_PAGES_PER_SLAB, SLABSTAT_TOTAL_OBJECTS, SLABSTAT_OBJS_PER_SLAB,
	    -1 } },
	{ SLABSTAT_USED, { SLABSTAT_OBJECTS, SLABSTAT_OBJECT_SIZE, -1 } },
	{ SLABSTAT_LOSS, { SLABSTAT_FOOTPRINT, SLABSTAT_USED, -1 } },
	{ SLABSTAT_FREE_OBJS, { SLABSTAT_OBJECTS, SLABSTAT_TOTAL_OBJECTS, -1 } },
	{ SLABSTAT_FREE, { SLABSTAT_FREE_OBJS, SLABSTAT_SLAB_SIZE, SLABSTAT_LOSS, -1 } },
	{ SLABSTAT_PADDING,
	  { SLABSTAT_OBJECTS, SLABSTAT_OBJECT_SIZE, SLABSTAT_SLAB_SIZE, SLABSTAT_LOSS, -1 } },
	{ SLABSTAT_TAIL, { SLABSTAT_LOSS, SLABSTAT_TOTAL_OBJECTS, SLABSTAT_SLAB_SIZE, -1 } },
	{ SLABSTAT_IN_USE_MIN,
	  { SLABSTAT_OBJECTS, SLABSTAT_SHEAF_CAPACITY, SLABSTAT_CPU_SLABS, SLABSTAT_OBJS_PER_SLAB,
	    -1 } },
	{ SLABSTAT_CACHED_OBJS,
	  { SLABSTAT_SHEAF_OBJS, SLABSTAT_BARN_OBJS, SLABSTAT_RCU_OBJS, -1 } },
	{ SLABSTAT_IN_USE_OBJS,
	  { SLABSTAT_CACHED_OBJS, SLABSTAT_OBJECTS, SLABSTAT_IN_MOTION, SLABSTAT_CPU_SLABS, -1 } },
	{ SLABSTAT_CACHED, { SLABSTAT_IN_USE, SLABSTAT_USED, -1 } },
	{ SLABSTAT_IN_USE, { SLABSTAT_IN_USE_OBJS, SLABSTAT_OBJECT_SIZE, -1 } },
	{ SLABSTAT_SHEAF_HIT_PERCENT,
	  { SLABSTAT_ALLOC_BYPASS, SLABSTAT_SHEAF_CAPACITY, SLABSTAT_BARN_GET,
	    SLABSTAT_BARN_GET_FAIL, -1 } },
	{ SLABSTAT_BARN_HIT_PERCENT, { SLABSTAT_BARN_GET, SLABSTAT_BARN_GET_FAIL, -1 } },
	{ SLABSTAT_DEFRAG,
	  { SLABSTAT_PARTIAL, SLABSTAT_OBJECTS_PARTIAL, SLABSTAT_PAGES_PER_SLAB,
	    SLABSTAT_OBJS_PER_SLAB, -1 } },
	{ SLABSTAT_FILL_PERCENT, { SLABSTAT_OBJECTS, SLABSTAT_TOTAL_OBJECTS, -1 } },
	{ SLABSTAT_EFFICIENCY_PERCENT, { SLABSTAT_USED, SLABSTAT_FOOTPRINT, -1 } },
	{ SLABSTAT_PARTIAL_PERCENT, { SLABSTAT_PARTIAL, SLABSTAT_SLABS, -1 } },
	{ SLABSTAT_LOSS_PERCENT, { SLABSTAT_LOSS, SLABSTAT_FOOTPRINT, -1 } },
	{ SLABSTAT_ALLOCS,
	  { SLABSTAT_ALLOC_FASTPATH, SLABSTAT_ALLOC_SLOWPATH, SLABSTAT_ALLOC_CPU_SHEAF,
	    SLABSTAT_SHEAF_REFILL, -1 } },
	{ SLABSTAT_FREES,
	  { SLABSTAT_FREE_FASTPATH, SLABSTAT_FREE_SLOWPATH, SLABSTAT_FREE_CPU_SHEAF,
	    SLABSTAT_SHEAF_FLUSH, -1 } },
};

const struct slabstat_field_info *slabstat_field_info(enum slabstat_field field)
{
	return (unsigned)field < SLABSTAT_NFIELDS ? &infos[field] : NULL;
}

int slabstat_field_find(const char *name)
{
	for (int f = 0; f < SLABSTAT_NFIELDS; f++) {
		if (name_same(name, infos[f].id) || name_same(name, infos[f].title))
			return f;
	}
	return -ENOENT;
}

struct slabstat_fieldset slabstat_fieldset_all(void)
{
	struct slabstat_fieldset set = { { 0 } };

	for (int f = 0; f < SLABSTAT_NFIELDS; f++)
		slabstat_fieldset_add(&set, (enum slabstat_field)f);
	return set;
}

enum field_form field_form(enum slabstat_field field)
{
	return (enum field_form)forms[field];
}

/*
 * "Gone since" has no table of its own: `until` is the last kernel with the attribute, and all
 * that ever went away went together, in 7.0.
 */
const char *field_why(enum slabstat_field field, unsigned kernel)
{
	const struct slabstat_field_info *info = &infos[field];

	if (kernel && info->until && kernel > info->until)
		return "gone since 7.0";
	if (kernel && kernel < info->since)
		return "this kernel is older than the attribute";
	for (size_t i = 0; i < sizeof(needs) / sizeof(needs[0]); i++) {
		if (needs[i].field == field)
			return needs[i].why;
	}
	if (info->program)
		return "only the page of a program tells it (--pid)";
	if (forms[field] == FORM_CPU)
		return "this kernel is built without CONFIG_SLUB_STATS";
	return NULL;
}

int field_input(enum slabstat_field field, size_t n)
{
	for (size_t i = 0; i < sizeof(inputs) / sizeof(inputs[0]); i++) {
		if (inputs[i].field == field)
			return n < INPUTS ? inputs[i].input[n] : -1;
	}
	return -1;
}

/* Inputs of inputs are found in a second and third round. */
void field_add_inputs(struct slabstat_fieldset *set)
{
	for (struct slabstat_fieldset before = { { 0 } };
	     memcmp(&before, set, sizeof(before)) != 0;) {
		before = *set;
		for (size_t i = 0; i < sizeof(inputs) / sizeof(inputs[0]); i++) {
			if (!slabstat_fieldset_has(set, inputs[i].field))
				continue;
			for (const int *f = inputs[i].input; *f >= 0; f++)
				slabstat_fieldset_add(set, (enum slabstat_field)*f);
		}
	}
}

bool field_only_slab(enum slabstat_field field)
{
	return field >= SLABSTAT_LIMIT && field <= SLABSTAT_FREEMISS;
}
