// SPDX-License-Identifier: MIT
/*
 * model_test.c - random operations against a list of what must be there.
 *
 * After every step each object still holds what was written, the statistics say how many are in
 * use, and kmem_cache_validate finds every invariant of the slabs kept. The seed of a failing run
 * is printed; SLABKIT_SEED repeats it.
 */
#include "cmocka_all.h"

#include <slab/slab.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "report_trap.h"

#define MOST  1500
#define BATCH 200
#define STEPS 250

struct object {
	uint64_t *p;
	uint64_t value;
};

struct model {
	struct kmem_cache *s;
	unsigned int words; /* of an object */
	bool quiet_counts;  /* nothing is hidden in CPU slabs */
	struct object object[MOST];
	unsigned int n;
	uint64_t seed;
};

static uint64_t rnd(struct model *m)
{
	m->seed ^= m->seed << 13;
	m->seed ^= m->seed >> 7;
	m->seed ^= m->seed << 17;
	return m->seed;
}

static void add(struct model *m, void *p)
{
	struct object *o = &m->object[m->n++];

	o->p = p;
	o->value = rnd(m);
	o->p[0] = o->value;
	o->p[m->words - 1] = o->value;
}

static void *take_away(struct model *m)
{
	unsigned int i = (unsigned int)(rnd(m) % m->n);
	void *p = m->object[i].p;

	m->object[i] = m->object[--m->n];
	return p;
}

static void step(struct model *m)
{
	void *p[BATCH];
	unsigned int n = (unsigned int)(rnd(m) % BATCH);

	switch (rnd(m) % 9) {
	case 0:
	case 1:
		for (unsigned int i = 0; i < n && m->n < MOST; i++)
			add(m, kmem_cache_alloc(m->s, GFP_KERNEL));
		break;
	case 2:
		n = n < MOST - m->n ? n : MOST - m->n;
		assert_int_equal(kmem_cache_alloc_bulk(m->s, __GFP_ZERO, n, p), n);
		for (unsigned int i = 0; i < n; i++) {
			assert_int_equal(*(uint64_t *)p[i], 0);
			add(m, p[i]);
		}
		break;
	case 3:
	case 4:
		while (n-- && m->n)
			kmem_cache_free(m->s, take_away(m));
		break;
	case 5:
		n = n < m->n ? n : m->n;
		for (unsigned int i = 0; i < n; i++)
			p[i] = take_away(m);
		kmem_cache_free_bulk(rnd(m) % 2 ? m->s : NULL, n, p);
		break;
	case 6:
		while (n-- && m->n)
			kfree(take_away(m));
		break;
	case 7:
		if (rnd(m) % 8 == 0)
			while (m->n)
				kmem_cache_free(m->s, take_away(m));
		break;
	default:
		if (rnd(m) % 4 == 0)
			kmem_cache_shrink(m->s);
		break;
	}
}

static void check(struct model *m)
{
	struct kmem_cache_stats st;

	for (unsigned int i = 0; i < m->n; i++) {
		assert_true(m->object[i].p[0] == m->object[i].value);
		assert_true(m->object[i].p[m->words - 1] == m->object[i].value);
	}
	assert_int_equal(kmem_cache_validate(m->s), 0);
	kmem_cache_stats(m->s, &st);
	if (m->quiet_counts)
		assert_int_equal(st.objects_in_use, m->n);
	else
		assert_true(st.objects_in_use >= m->n);
}

static uint64_t first_seed(void)
{
	const char *text = getenv("SLABKIT_SEED");
	uint64_t seed = text ? strtoull(text, NULL, 10) : (uint64_t)time(NULL) * 2654435761U;

	printf("# SLABKIT_SEED=%llu\n", (unsigned long long)seed);
	return seed | 1;
}

static void run(unsigned int words, unsigned int capacity, slab_flags_t flags)
{
	struct kmem_cache_args args = { .sheaf_capacity = capacity };
	struct model *m = calloc(1, sizeof(*m));
	struct kmem_cache_stats st;

	m->seed = first_seed();
	m->words = words;
	m->s = kmem_cache_create("model", words * 8, &args, SLAB_NO_MERGE | flags);
	assert_non_null(m->s);
	kmem_cache_stats(m->s, &st);
	m->quiet_counts = st.sheaf_capacity || flags;
	for (unsigned int i = 0; i < STEPS; i++) {
		step(m);
		check(m);
	}
	while (m->n)
		kmem_cache_free(m->s, take_away(m));
	assert_destroys(m->s);
	free(m);
}

static void test_default_sheaves(void **state)
{
	(void)state;
	run(8, 0, 0);
	run(1, 0, 0);
	run(200, 0, 0);
}

static void test_small_sheaves(void **state)
{
	(void)state;
	run(8, 3, 0);
}

static void test_without_sheaves(void **state)
{
	(void)state;
	run(8, SLAB_NO_SHEAVES, 0);
}

static void test_watched(void **state)
{
	(void)state;
	run(8, 0, SLAB_RED_ZONE | SLAB_POISON | SLAB_STORE_USER);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_default_sheaves),
		cmocka_unit_test(test_small_sheaves),
		cmocka_unit_test(test_without_sheaves),
		cmocka_unit_test(test_watched),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
