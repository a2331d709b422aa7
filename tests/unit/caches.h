/* SPDX-License-Identifier: MIT */
/*
 * caches.h - caches and snapshots made by hand, for tests of what stands behind a snapshot, and a
 * small generator of numbers that is the same everywhere.
 */
#ifndef SLABKIT_TESTS_CACHES_H
#define SLABKIT_TESTS_CACHES_H

#include "cmocka_all.h"
#include "slabstat/snapshot.h"

#include <stdlib.h>
#include <string.h>

struct field_value {
	enum slabstat_field field;
	uint64_t value;
};

/*
 * cache_of - a cache on the heap (test_free) with these exact values: cache_of("a", { FIELD, 1 },
 * ...).
 */
#define cache_of(name, ...)                                                   \
	cache_of_values(name, (const struct field_value[]){ __VA_ARGS__ },    \
			sizeof((const struct field_value[]){ __VA_ARGS__ }) / \
				sizeof(struct field_value))

static inline struct slabstat_cache *cache_of_values(const char *name, const struct field_value *v,
						     size_t n)
{
	struct slabstat_cache *c = test_calloc(1, sizeof(*c));

	c->name = c->label = name;
	for (size_t i = 0; i < n; i++)
		cache_set(c, v[i].field, v[i].value, SLABSTAT_EXACT);
	return c;
}

/* alias_to - give a cache aliases; the array must outlive it. */
static inline struct slabstat_cache *alias_to(struct slabstat_cache *c, const char **alias,
					      size_t n)
{
	c->alias = alias;
	c->alias_count = n;
	c->label = alias[0];
	return c;
}

/* snapshot_of - a sealed snapshot around n caches, in the order given; nothing in it to free. */
static inline struct slabstat_snapshot snapshot_of(struct slabstat_cache **c, size_t n)
{
	struct slabstat_snapshot s = { .cache = c, .count = n, .sealed = true };

	for (size_t i = 0; i < n; i++)
		c[i]->position = i;
	return s;
}

static inline void caches_free(struct slabstat_cache **c, size_t n)
{
	for (size_t i = 0; i < n; i++)
		test_free(c[i]);
}

static inline uint64_t value_of(const struct slabstat_cache *c, enum slabstat_field f)
{
	assert_true(cache_has(c, f));
	return c->value[f];
}

/* random_next - xorshift64*; the state must not be 0. */
static inline uint64_t random_next(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1dull;
}

/* random_value - small, large and extreme numbers, each often. */
static inline uint64_t random_value(uint64_t *state)
{
	uint64_t r = random_next(state);

	switch (r % 5) {
	case 0:
		return r >> 8 & 7;
	case 1:
		return UINT64_MAX - (r >> 8 & 3);
	case 2:
		return r;
	default:
		return r >> 40 & 0xffff;
	}
}

#endif
