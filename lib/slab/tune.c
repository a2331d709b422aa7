// SPDX-License-Identifier: MIT
/*
 * tune.c - settings of a cache that may be changed while it is in use.
 *
 * They go by the names that their files have in /sys/kernel/slab.
 */
#include <errno.h>
#include <string.h>

#include "cpu.h"
#include "peek.h"
#include "sheaf.h"

struct tunable {
	const char *key;
	unsigned long (*get)(const struct kmem_cache *s);
	int (*set)(struct kmem_cache *s, unsigned long value);
};

static unsigned long get_min_partial(const struct kmem_cache *s)
{
	return peek(s->min_partial);
}

static int set_min_partial(struct kmem_cache *s, unsigned long value)
{
	if (value > UINT32_MAX)
		return -EINVAL;
	poke(s->min_partial, (uint32_t)value);
	return 0;
}

static unsigned long get_cpu_partial(const struct kmem_cache *s)
{
	return peek(s->cpu_partial);
}

/* Only caches without sheaves have such slabs. */
static int set_cpu_partial(struct kmem_cache *s, unsigned long value)
{
	if (value > SLAB_CPU_PARTIAL_MAX || (value && !s->sheafless))
		return -EINVAL;
	poke(s->cpu_partial, (uint32_t)value);
	return 0;
}

static unsigned long get_sheaf_capacity(const struct kmem_cache *s)
{
	return peek(s->capacity);
}

/* With every block in one hand nobody is in a sheaf or a barn. */
static int resize_sheaves(struct kmem_cache *s, uint32_t capacity)
{
	bool all;

	lock_take(&s->drain, LOCK_DRAIN);
	all = cpu_lock_all(s);
	for (unsigned int cpu = 0; all && cpu < root.nr_cpus; cpu++)
		sheaf_drain(s, &s->cpu[cpu]);
	/* No sooner: sheaves of one CPU's memory may have come to another's barn. */
	for (unsigned int cpu = 0; all && cpu < root.nr_cpus; cpu++)
		sheaf_forget(&s->cpu[cpu]);
	if (all) {
		poke(s->capacity, capacity);
		poke(s->barn_max, sheaf_default_stock(s->size, capacity));
	}
	for (unsigned int cpu = 0; all && cpu < root.nr_cpus; cpu++)
		poke(s->cpu[cpu].barn.limit, (uint16_t)s->barn_max);
	cpu_unlock_all(s);
	lock_drop(&s->drain, LOCK_DRAIN);
	return all ? 0 : -EBUSY;
}

/* A cache keeps its kind: with sheaves or without. */
static int set_sheaf_capacity(struct kmem_cache *s, unsigned long value)
{
	if (value == s->capacity)
		return 0;
	if (!value || value > SLAB_SHEAF_MAX || s->sheafless)
		return -EINVAL;
	return resize_sheaves(s, (uint32_t)value);
}

static const struct tunable tunables[] = {
	{ "min_partial", get_min_partial, set_min_partial },
	{ "cpu_partial", get_cpu_partial, set_cpu_partial },
	{ "sheaf_capacity", get_sheaf_capacity, set_sheaf_capacity },
};

static const struct tunable *find(const char *key)
{
	for (size_t i = 0; i < sizeof(tunables) / sizeof(tunables[0]); i++)
		if (!strcmp(tunables[i].key, key))
			return &tunables[i];
	return NULL;
}

int kmem_cache_tune(struct kmem_cache *s, const char *key, unsigned long value)
{
	const struct tunable *t = find(key);

	return t ? t->set(s, value) : -ENOENT;
}

int kmem_cache_tunable(struct kmem_cache *s, const char *key, unsigned long *value)
{
	const struct tunable *t = find(key);

	if (!t)
		return -ENOENT;
	*value = t->get(s);
	return 0;
}
