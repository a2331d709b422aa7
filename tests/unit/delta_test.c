// SPDX-License-Identifier: MIT
/* delta_test.c - the same cache is found again, across boots and kernels too. */
#include "caches.h"

static struct slabstat *h;

static struct slabstat_delta *delta_of(struct slabstat_snapshot *older,
				       struct slabstat_snapshot *newer)
{
	struct slabstat_delta *d = NULL;

	assert_int_equal(slabstat_delta(h, older, newer, &d), 0);
	return d;
}

/* The cache of newer that c was paired with; NULL: none. */
static const struct slabstat_cache *partner(const struct slabstat_delta *d,
					    const struct slabstat_cache *c)
{
	const struct slabstat_pair *p = slabstat_delta_pairs(d);

	for (size_t i = 0; i < slabstat_delta_count(d); i++)
		if (p[i].older == c)
			return p[i].newer;
	fail_msg("cache %s is in no pair", c->name);
	return NULL;
}

static void test_same_boot(void **state)
{
	struct slabstat_cache *a[] = {
		cache_of("dentry", { SLABSTAT_SLAB_SIZE, 192 }, { SLABSTAT_SLABS, 10 }),
		cache_of("gone", { SLABSTAT_SLABS, 3 }),
		cache_of("mlx5_fs_fgs", { SLABSTAT_SLAB_SIZE, 64 }),
		cache_of("mlx5_fs_fgs", { SLABSTAT_SLAB_SIZE, 64 }),
	};
	struct slabstat_cache *b[] = {
		cache_of("born", { SLABSTAT_SLABS, 5 }),
		cache_of("dentry", { SLABSTAT_SLAB_SIZE, 192 }, { SLABSTAT_SLABS, 4 }),
		cache_of("mlx5_fs_fgs", { SLABSTAT_SLAB_SIZE, 64 }),
		cache_of("mlx5_fs_fgs", { SLABSTAT_SLAB_SIZE, 64 }),
		cache_of("mlx5_fs_fgs", { SLABSTAT_SLAB_SIZE, 64 }),
	};
	struct slabstat_snapshot older = snapshot_of(a, 4), newer = snapshot_of(b, 5);
	struct slabstat_delta *d = delta_of(&older, &newer);
	const struct slabstat_pair *p = slabstat_delta_pairs(d);
	int64_t growth = 0;

	(void)state;
	assert_int_equal(slabstat_delta_count(d), 6);
	/*
	 * By label: born, dentry, gone, then three of a name; the new one stands first in the
	 * source.
	 */
	assert_null(p[0].older);
	assert_ptr_equal(p[1].newer, b[1]);
	assert_null(p[2].newer);
	assert_ptr_equal(partner(d, a[2]), b[3]);
	assert_ptr_equal(partner(d, a[3]), b[4]);

	assert_int_equal(slabstat_pair_growth(&p[0], SLABSTAT_SLABS, &growth), SLABSTAT_EXACT);
	assert_int_equal(growth, 5);
	assert_int_equal(slabstat_pair_growth(&p[1], SLABSTAT_SLABS, &growth), SLABSTAT_EXACT);
	assert_int_equal(growth, -6);
	slabstat_pair_growth(&p[2], SLABSTAT_SLABS, &growth);
	assert_int_equal(growth, -3);
	assert_int_equal(slabstat_pair_growth(&p[1], SLABSTAT_OBJECTS, &growth), SLABSTAT_ABSENT);
	slabstat_delta_free(d);
	caches_free(a, 4);
	caches_free(b, 5);
}

static void test_merge_targets_change_between_boots(void **state)
{
	static const char *set1[] = { "a", "b", "c" }, *set2[] = { "d" }, *set3[] = { "e", "f" };
	static const char *now1[] = { "a", "b", "c" }, *now2[] = { "d", "x", "y" },
			  *now3[] = { "p" };
	struct slabstat_cache *a[] = {
		alias_to(cache_of(":0000064", { SLABSTAT_SLAB_SIZE, 64 }), set1, 3),
		alias_to(cache_of(":0000072", { SLABSTAT_SLAB_SIZE, 72 }), set2, 1),
		alias_to(cache_of(":0000080", { SLABSTAT_SLAB_SIZE, 80 }), set3, 2),
		cache_of("task_struct", { SLABSTAT_SLAB_SIZE, 9000 }),
	};
	struct slabstat_cache *b[] = {
		/* Same id, other users: not the same cache while its users are elsewhere. */
		alias_to(cache_of(":0000064", { SLABSTAT_SLAB_SIZE, 64 }), now2, 3),
		alias_to(cache_of(":A-0000064", { SLABSTAT_SLAB_SIZE, 64 }), now1, 3),
		alias_to(cache_of(":0000096", { SLABSTAT_SLAB_SIZE, 96 }), now3, 1),
		cache_of("f", { SLABSTAT_SLAB_SIZE, 80 }),
		cache_of("task_struct", { SLABSTAT_SLAB_SIZE, 9100 }),
	};
	struct slabstat_snapshot older = snapshot_of(a, 4), newer = snapshot_of(b, 5);
	struct slabstat_delta *d = delta_of(&older, &newer);

	(void)state;
	assert_ptr_equal(partner(d, a[0]), b[1]);
	assert_ptr_equal(partner(d, a[1]), b[0]);
	assert_ptr_equal(partner(d, a[2]), b[3]);
	assert_ptr_equal(partner(d, a[3]), b[4]);
	assert_int_equal(slabstat_delta_count(d), 5);
	slabstat_delta_free(d);
	caches_free(a, 4);
	caches_free(b, 5);
}

static void test_addresses_in_names(void **state)
{
	struct slabstat_cache *a[] = {
		cache_of("nf_conntrack_ffff880139b5a000", { SLABSTAT_SLAB_SIZE, 312 }),
		cache_of("kmalloc-64", { SLABSTAT_SLAB_SIZE, 64 }),
	};
	struct slabstat_cache *b[] = {
		cache_of("nf_conntrack_ffff8800c0d5a2c0", { SLABSTAT_SLAB_SIZE, 312 }),
		cache_of("kmalloc-128", { SLABSTAT_SLAB_SIZE, 128 }),
	};
	struct slabstat_snapshot older = snapshot_of(a, 2), newer = snapshot_of(b, 2);
	struct slabstat_delta *d = delta_of(&older, &newer);

	(void)state;
	assert_ptr_equal(partner(d, a[0]), b[0]);
	assert_null(partner(d, a[1]));
	slabstat_delta_free(d);
	caches_free(a, 2);
	caches_free(b, 2);
}

static void test_growth_saturates_and_knows_its_quality(void **state)
{
	struct slabstat_cache *a =
		cache_of("a", { SLABSTAT_FOOTPRINT, UINT64_MAX }, { SLABSTAT_SLABS, 0 });
	struct slabstat_cache *b =
		cache_of("a", { SLABSTAT_FOOTPRINT, 0 }, { SLABSTAT_SLABS, UINT64_MAX });
	struct slabstat_pair p = { a, b }, none = { NULL, NULL };
	int64_t growth;

	(void)state;
	assert_int_equal(slabstat_pair_growth(&p, SLABSTAT_FOOTPRINT, &growth), SLABSTAT_EXACT);
	assert_true(growth == INT64_MIN);
	slabstat_pair_growth(&p, SLABSTAT_SLABS, &growth);
	assert_true(growth == INT64_MAX);
	a->quality[SLABSTAT_SLABS] = SLABSTAT_UPPER;
	assert_int_equal(slabstat_pair_growth(&p, SLABSTAT_SLABS, &growth), SLABSTAT_LOWER);
	b->quality[SLABSTAT_SLABS] = SLABSTAT_UPPER;
	assert_int_equal(slabstat_pair_growth(&p, SLABSTAT_SLABS, &growth), SLABSTAT_ESTIMATE);
	assert_int_equal(slabstat_pair_growth(&none, SLABSTAT_SLABS, &growth), SLABSTAT_ABSENT);
	test_free(a);
	test_free(b);
}

/* A random snapshot: few names, so that they repeat; few sizes; some merged caches with aliases. */
#define COUNT 120
static void make_random(struct slabstat_cache **c, uint64_t *seed)
{
	static const char *const names[] = { "a",
					     "b",
					     "c",
					     "d",
					     "e",
					     "f",
					     "g",
					     ":0000064",
					     ":0000128",
					     "nf_conntrack_ffff880139b5a000",
					     "nf_ffff880139b5a001" };
	static const char *pool[] = { "a", "b", "c", "d", "e", "m", "n", "o", "p" };

	for (size_t i = 0; i < COUNT; i++) {
		c[i] = cache_of(names[random_next(seed) % 11],
				{ SLABSTAT_SLAB_SIZE, 64 * (1 + random_next(seed) % 3) },
				{ SLABSTAT_SLABS, random_next(seed) % 1000 });
		if (c[i]->name[0] == ':') {
			size_t from = random_next(seed) % 9;

			c[i]->alias = &pool[from];
			c[i]->alias_count = 1 + random_next(seed) % (9 - from);
			c[i]->label = pool[from];
		}
	}
}

static int64_t total(const struct slabstat_delta *d)
{
	int64_t sum = 0, growth;

	for (size_t i = 0; i < slabstat_delta_count(d); i++)
		if (slabstat_pair_growth(&slabstat_delta_pairs(d)[i], SLABSTAT_SLABS, &growth))
			sum += growth;
	return sum;
}

static void test_every_cache_is_in_one_pair_and_turning_round_negates(void **state)
{
	struct slabstat_cache *a[COUNT], *b[COUNT];
	uint64_t seed = 99;

	(void)state;
	for (int round = 0; round < 100; round++) {
		struct slabstat_snapshot older, newer;
		struct slabstat_delta *there, *back;
		struct slabstat_sum was, is;
		size_t n = 0, m = 0;

		make_random(a, &seed);
		make_random(b, &seed);
		older = snapshot_of(a, COUNT);
		newer = snapshot_of(b, COUNT);
		there = delta_of(&older, &newer);
		back = delta_of(&newer, &older);
		for (size_t i = 0; i < slabstat_delta_count(there); i++) {
			const struct slabstat_pair *p = &slabstat_delta_pairs(there)[i];

			n += p->older != NULL;
			m += p->newer != NULL;
			if (p->older && p->newer)
				assert_ptr_equal(partner(back, p->newer), p->older);
		}
		assert_int_equal(n, COUNT);
		assert_int_equal(m, COUNT);
		assert_int_equal(slabstat_delta_count(there), slabstat_delta_count(back));
		was = slabstat_sum_caches((const struct slabstat_cache *const *)a, COUNT,
					  SLABSTAT_SLABS);
		is = slabstat_sum_caches((const struct slabstat_cache *const *)b, COUNT,
					 SLABSTAT_SLABS);
		assert_true(total(there) == (int64_t)(is.sum - was.sum));
		assert_true(total(there) == -total(back));
		slabstat_delta_free(there);
		slabstat_delta_free(back);
		/* Against itself nothing has grown. */
		there = delta_of(&older, &older);
		assert_int_equal(slabstat_delta_count(there), COUNT);
		for (size_t i = 0; i < COUNT; i++)
			assert_ptr_equal(slabstat_delta_pairs(there)[i].older,
					 slabstat_delta_pairs(there)[i].newer);
		slabstat_delta_free(there);
		caches_free(a, COUNT);
		caches_free(b, COUNT);
	}
}

static void test_nothing(void **state)
{
	struct slabstat_snapshot none = { .sealed = true };
	struct slabstat_delta *d = delta_of(&none, &none);

	(void)state;
	assert_int_equal(slabstat_delta_count(d), 0);
	slabstat_delta_free(d);
	slabstat_delta_free(NULL);
}

static int open_handle(void **state)
{
	(void)state;
	h = slabstat_new();
	return h ? 0 : -1;
}

static int close_handle(void **state)
{
	(void)state;
	slabstat_free(h);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_boot),
		cmocka_unit_test(test_merge_targets_change_between_boots),
		cmocka_unit_test(test_addresses_in_names),
		cmocka_unit_test(test_growth_saturates_and_knows_its_quality),
		cmocka_unit_test(test_every_cache_is_in_one_pair_and_turning_round_negates),
		cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests(tests, open_handle, close_handle);
}
