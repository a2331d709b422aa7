// SPDX-License-Identifier: MIT
/* derive_test.c - the formulas on known answers, and what must hold for every input. */
#include "caches.h"
#include "slabstat/derive.h"

static const struct slabstat_machine machine = { .page_size = 4096, .cpus = 2, .nodes = 1 };

static struct slabstat_cache *dentry(uint64_t total)
{
	return cache_of("dentry", { SLABSTAT_OBJECT_SIZE, 184 }, { SLABSTAT_SLAB_SIZE, 192 },
			{ SLABSTAT_OBJS_PER_SLAB, 42 }, { SLABSTAT_ORDER, 1 },
			{ SLABSTAT_SLABS, 10 }, { SLABSTAT_TOTAL_OBJECTS, total },
			{ SLABSTAT_OBJECTS, 400 }, { SLABSTAT_PARTIAL, 3 },
			{ SLABSTAT_OBJECTS_PARTIAL, 106 - (420 - total) },
			{ SLABSTAT_CPU_SLABS, 2 });
}

static void test_known_answers(void **state)
{
	struct slabstat_cache *c = dentry(420);
	uint64_t lower, upper;

	(void)state;
	assert_int_equal(derive_cache(c, &machine), 0);
	assert_int_equal(value_of(c, SLABSTAT_PAGES_PER_SLAB), 2);
	assert_int_equal(value_of(c, SLABSTAT_FOOTPRINT), 81920);
	assert_int_equal(c->quality[SLABSTAT_FOOTPRINT], SLABSTAT_EXACT);
	assert_int_equal(value_of(c, SLABSTAT_USED), 400 * 184);
	assert_int_equal(value_of(c, SLABSTAT_LOSS), 81920 - 73600);
	assert_int_equal(value_of(c, SLABSTAT_FREE_OBJS), 20);
	assert_int_equal(value_of(c, SLABSTAT_FREE), 20 * 192);
	assert_int_equal(value_of(c, SLABSTAT_PADDING), 400 * 8);
	assert_int_equal(value_of(c, SLABSTAT_TAIL), 10 * (8192 - 42 * 192));
	assert_int_equal(value_of(c, SLABSTAT_FILL_PERCENT), 95);
	assert_int_equal(value_of(c, SLABSTAT_EFFICIENCY_PERCENT), 89);
	assert_int_equal(value_of(c, SLABSTAT_PARTIAL_PERCENT), 30);
	assert_int_equal(value_of(c, SLABSTAT_LOSS_PERCENT), 10);
	/* 106 objects fill three slabs of 42: nothing to gain. */
	assert_int_equal(value_of(c, SLABSTAT_DEFRAG), 0);
	assert_true(slabstat_cache_in_use(c, &lower, &upper));
	assert_int_equal(lower, 400 - 2 * 42);
	assert_int_equal(upper, 400);
	test_free(c);
}

static void test_fallback_slabs_make_footprint_an_upper_bound(void **state)
{
	struct slabstat_cache *c = dentry(410);

	(void)state;
	derive_cache(c, &machine);
	assert_int_equal(c->quality[SLABSTAT_FOOTPRINT], SLABSTAT_UPPER);
	assert_int_equal(c->quality[SLABSTAT_LOSS], SLABSTAT_UPPER);
	assert_int_equal(c->quality[SLABSTAT_TAIL], SLABSTAT_UPPER);
	assert_int_equal(c->quality[SLABSTAT_FREE], SLABSTAT_EXACT);
	assert_int_equal(c->quality[SLABSTAT_USED], SLABSTAT_EXACT);
	assert_int_equal(c->quality[SLABSTAT_EFFICIENCY_PERCENT], SLABSTAT_LOWER);
	test_free(c);

	/* A slab of one page has nothing to fall back to. */
	c = cache_of("buffer_head", { SLABSTAT_PAGES_PER_SLAB, 1 }, { SLABSTAT_SLABS, 4 },
		     { SLABSTAT_OBJS_PER_SLAB, 39 }, { SLABSTAT_TOTAL_OBJECTS, 150 });
	derive_cache(c, &machine);
	assert_int_equal(c->quality[SLABSTAT_FOOTPRINT], SLABSTAT_EXACT);
	assert_int_equal(value_of(c, SLABSTAT_ORDER), 0);
	test_free(c);
}

static void test_procfs_alone_knows_no_object_size(void **state)
{
	struct slabstat_cache *c =
		cache_of("inode_cache", { SLABSTAT_SLAB_SIZE, 600 }, { SLABSTAT_OBJS_PER_SLAB, 27 },
			 { SLABSTAT_PAGES_PER_SLAB, 4 }, { SLABSTAT_SLABS, 2 },
			 { SLABSTAT_TOTAL_OBJECTS, 54 }, { SLABSTAT_OBJECTS, 50 });
	uint64_t lower, upper;

	(void)state;
	derive_cache(c, &machine);
	assert_false(cache_has(c, SLABSTAT_USED));
	assert_false(cache_has(c, SLABSTAT_PADDING));
	assert_false(cache_has(c, SLABSTAT_EFFICIENCY_PERCENT));
	assert_int_equal(value_of(c, SLABSTAT_LOSS), 32768 - 50 * 600);
	assert_int_equal(c->quality[SLABSTAT_LOSS], SLABSTAT_LOWER);
	assert_int_equal(value_of(c, SLABSTAT_FREE) + value_of(c, SLABSTAT_TAIL),
			 value_of(c, SLABSTAT_LOSS));
	assert_false(cache_has(c, SLABSTAT_IN_USE_MIN));
	assert_false(slabstat_cache_in_use(c, &lower, &upper));
	test_free(c);
}

static void test_a_guessed_page_size_makes_estimates(void **state)
{
	struct slabstat_machine guess = machine;
	struct slabstat_cache *c = dentry(420);

	(void)state;
	guess.page_size_guessed = true;
	derive_cache(c, &guess);
	assert_int_equal(c->quality[SLABSTAT_FOOTPRINT], SLABSTAT_ESTIMATE);
	assert_int_equal(c->quality[SLABSTAT_USED], SLABSTAT_EXACT);
	test_free(c);

	guess.page_size = 0;
	c = dentry(420);
	derive_cache(c, &guess);
	assert_false(cache_has(c, SLABSTAT_FOOTPRINT));
	assert_false(cache_has(c, SLABSTAT_LOSS));
	assert_false(cache_has(c, SLABSTAT_DEFRAG));
	assert_int_equal(value_of(c, SLABSTAT_FREE_OBJS), 20);
	test_free(c);
}

static void test_bounds_of_use_with_sheaves(void **state)
{
	struct slabstat_machine m = { .page_size = 4096, .cpus = 4, .nodes = 2,
				      .kernel = SLABSTAT_KERNEL(7, 0), .cpu_slabs_retired = true };
	struct slabstat_cache *c = cache_of("maple_node", { SLABSTAT_OBJECTS, 5000 },
					    { SLABSTAT_SHEAF_CAPACITY, 32 });

	(void)state;
	derive_cache(c, &m);
	assert_int_equal(value_of(c, SLABSTAT_IN_USE_MIN), 5000 - 32 * (3 * 4 + 10 * 2));
	assert_int_equal(c->quality[SLABSTAT_IN_USE_MIN], SLABSTAT_LOWER);
	test_free(c);

	/* How many CPUs there are is unknown: no bound. */
	c = cache_of("maple_node", { SLABSTAT_OBJECTS, 5000 }, { SLABSTAT_SHEAF_CAPACITY, 32 });
	m.cpus = 0;
	derive_cache(c, &m);
	assert_false(cache_has(c, SLABSTAT_IN_USE_MIN));
	test_free(c);

	/* A kernel with sheaves whose capacity could not be read: no bound. */
	c = cache_of("maple_node", { SLABSTAT_OBJECTS, 5000 }, { SLABSTAT_CPU_SLABS, 1 },
		     { SLABSTAT_OBJS_PER_SLAB, 16 });
	m = (struct slabstat_machine){ .cpus = 4, .nodes = 2, .kernel = SLABSTAT_KERNEL(6, 18) };
	derive_cache(c, &m);
	assert_false(cache_has(c, SLABSTAT_IN_USE_MIN));
	test_free(c);
}

static void test_packing_gain(void **state)
{
	struct slabstat_cache *c =
		cache_of("filp", { SLABSTAT_ORDER, 1 }, { SLABSTAT_OBJS_PER_SLAB, 32 },
			 { SLABSTAT_PARTIAL, 10 }, { SLABSTAT_OBJECTS_PARTIAL, 65 });

	(void)state;
	derive_cache(c, &machine);
	assert_int_equal(value_of(c, SLABSTAT_DEFRAG), 7 * 8192);
	test_free(c);
}

static void test_calls(void **state)
{
	struct slabstat_cache *c = cache_of(
		"a", { SLABSTAT_ALLOC_FASTPATH, 7 }, { SLABSTAT_ALLOC_SLOWPATH, 3 },
		{ SLABSTAT_ALLOC_CPU_SHEAF, 90 }, { SLABSTAT_SHEAF_REFILL, 10 },
		{ SLABSTAT_FREE_FASTPATH, 5 }, { SLABSTAT_FREE_SLOWPATH, UINT64_MAX });

	(void)state;
	derive_cache(c, &machine);
	assert_int_equal(value_of(c, SLABSTAT_ALLOCS), 100);
	assert_int_equal(c->quality[SLABSTAT_ALLOCS], SLABSTAT_ESTIMATE);
	assert_true(value_of(c, SLABSTAT_FREES) == UINT64_MAX);
	test_free(c);

	c = cache_of("b", { SLABSTAT_ALLOC_FASTPATH, 7 });
	derive_cache(c, &machine);
	assert_false(cache_has(c, SLABSTAT_ALLOCS));
	test_free(c);
}

static void test_impossible_values_are_brought_down_and_counted(void **state)
{
	struct slabstat_cache *c = dentry(420);

	(void)state;
	cache_set(c, SLABSTAT_OBJECTS, 500, SLABSTAT_EXACT);
	cache_set(c, SLABSTAT_PARTIAL, 11, SLABSTAT_EXACT);
	assert_int_equal(derive_cache(c, &machine), 2);
	assert_int_equal(value_of(c, SLABSTAT_OBJECTS), 420);
	assert_int_equal(value_of(c, SLABSTAT_PARTIAL), 10);
	assert_int_equal(c->quality[SLABSTAT_OBJECTS], SLABSTAT_ESTIMATE);
	assert_int_equal(value_of(c, SLABSTAT_FREE_OBJS), 0);
	test_free(c);
}

static void test_stated_values_stay_unless_the_result_is_exact(void **state)
{
	struct slabstat_cache *c = dentry(420);

	(void)state;
	cache_set(c, SLABSTAT_SLABS, 1200, SLABSTAT_ESTIMATE);
	cache_set(c, SLABSTAT_FOOTPRINT, 9900000, SLABSTAT_ESTIMATE);
	derive_cache(c, &machine);
	assert_int_equal(value_of(c, SLABSTAT_FOOTPRINT), 9900000);
	test_free(c);
}

static bool is_derived(unsigned field)
{
	static const bool derived[] = {
#define KV(major, minor) 0
#define FIELD(ID, id, TITLE, UNIT, KIND, ...) SLABSTAT_KIND_##KIND == SLABSTAT_KIND_DERIVED,
#include <slab/fields.def>
#undef FIELD
#undef KV
	};

	return derived[field];
}

static void test_parts_add_up_for_every_input(void **state)
{
	uint64_t seed = 20140823;

	(void)state;
	for (int round = 0; round < 20000; round++) {
		uint64_t page = random_next(&seed) % 3 ? 4096 : random_value(&seed);
		struct slabstat_machine m = { .page_size = page,
					      .cpus = (unsigned)random_value(&seed),
					      .nodes = (unsigned)random_value(&seed) };
		struct slabstat_cache c = { .name = "x", .label = "x" };

		for (unsigned f = 0; f < SLABSTAT_NFIELDS; f++)
			if (!is_derived(f) && random_next(&seed) % 8)
				cache_set(&c, f, random_value(&seed), 1 + random_next(&seed) % 4);
		derive_cache(&c, &m);
		if (cache_has(&c, SLABSTAT_TAIL))
			assert_true(value_of(&c, SLABSTAT_FREE) + value_of(&c, SLABSTAT_TAIL) +
					    (cache_has(&c, SLABSTAT_PADDING)
						     ? c.value[SLABSTAT_PADDING]
						     : 0) ==
				    value_of(&c, SLABSTAT_LOSS));
		if (cache_has(&c, SLABSTAT_USED) && cache_has(&c, SLABSTAT_LOSS))
			assert_true(value_of(&c, SLABSTAT_USED) + value_of(&c, SLABSTAT_LOSS) ==
				    value_of(&c, SLABSTAT_FOOTPRINT));
		if (cache_has(&c, SLABSTAT_DEFRAG) && cache_has(&c, SLABSTAT_LOSS))
			assert_true(c.value[SLABSTAT_DEFRAG] <= c.value[SLABSTAT_LOSS]);
		for (unsigned f = SLABSTAT_FILL_PERCENT; f <= SLABSTAT_LOSS_PERCENT; f++)
			assert_true(!cache_has(&c, f) || c.value[f] <= 100);
	}
}

static void test_sums(void **state)
{
	struct slabstat_cache *c[3] = {
		cache_of("a", { SLABSTAT_SLABS, 4 }, { SLABSTAT_PARTIAL, UINT64_MAX }),
		cache_of("b", { SLABSTAT_SLABS, 9 }, { SLABSTAT_PARTIAL, 1 }),
		cache_of("c", { SLABSTAT_PARTIAL, 7 }),
	};
	const struct slabstat_cache *const *all = (const struct slabstat_cache *const *)c;
	struct slabstat_sum s = slabstat_sum_caches(all, 3, SLABSTAT_SLABS);

	(void)state;
	assert_int_equal(s.sum, 13);
	assert_int_equal(s.min, 4);
	assert_int_equal(s.max, 9);
	assert_int_equal(s.n, 2);
	assert_int_equal(s.missing, 1);
	assert_int_equal(s.quality, SLABSTAT_LOWER);

	s = slabstat_sum_caches(all, 3, SLABSTAT_PARTIAL);
	assert_true(s.sum == UINT64_MAX && s.min == 1 && s.max == UINT64_MAX);
	assert_int_equal(s.quality, SLABSTAT_LOWER);	/* the sum does not fit */
	c[0]->value[SLABSTAT_PARTIAL] = 0;
	c[1]->value[SLABSTAT_PARTIAL] = 0;
	c[2]->value[SLABSTAT_PARTIAL] = 0;
	assert_int_equal(slabstat_sum_caches(all, 3, SLABSTAT_PARTIAL).quality, SLABSTAT_EXACT);
	c[1]->quality[SLABSTAT_PARTIAL] = SLABSTAT_UPPER;
	assert_int_equal(slabstat_sum_caches(all, 3, SLABSTAT_PARTIAL).quality, SLABSTAT_UPPER);
	c[2]->quality[SLABSTAT_PARTIAL] = SLABSTAT_LOWER;
	assert_int_equal(slabstat_sum_caches(all, 3, SLABSTAT_PARTIAL).quality, SLABSTAT_ESTIMATE);

	s = slabstat_sum_caches(all, 3, SLABSTAT_OBJECTS);
	assert_int_equal(s.quality, SLABSTAT_ABSENT);
	assert_int_equal(s.missing, 3);
	assert_int_equal(slabstat_sum_caches(NULL, 0, SLABSTAT_SLABS).n, 0);
	for (int i = 0; i < 3; i++)
		test_free(c[i]);
}

static void test_what_does_not_fit_is_a_lower_bound(void **state)
{
	struct slabstat_cache *c =
		cache_of("huge", { SLABSTAT_SLABS, UINT64_MAX }, { SLABSTAT_ORDER, 0 },
			 { SLABSTAT_OBJECTS, UINT64_MAX }, { SLABSTAT_OBJECT_SIZE, 1 });

	(void)state;
	derive_cache(c, &machine);
	assert_true(value_of(c, SLABSTAT_FOOTPRINT) == UINT64_MAX);
	assert_int_equal(c->quality[SLABSTAT_FOOTPRINT], SLABSTAT_LOWER);
	assert_true(value_of(c, SLABSTAT_USED) == UINT64_MAX);
	assert_int_equal(c->quality[SLABSTAT_USED], SLABSTAT_EXACT);
	test_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_known_answers),
		cmocka_unit_test(test_fallback_slabs_make_footprint_an_upper_bound),
		cmocka_unit_test(test_procfs_alone_knows_no_object_size),
		cmocka_unit_test(test_a_guessed_page_size_makes_estimates),
		cmocka_unit_test(test_bounds_of_use_with_sheaves),
		cmocka_unit_test(test_packing_gain),
		cmocka_unit_test(test_calls),
		cmocka_unit_test(test_impossible_values_are_brought_down_and_counted),
		cmocka_unit_test(test_stated_values_stay_unless_the_result_is_exact),
		cmocka_unit_test(test_parts_add_up_for_every_input),
		cmocka_unit_test(test_what_does_not_fit_is_a_lower_bound),
		cmocka_unit_test(test_sums),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
