// SPDX-License-Identifier: MIT
/* fault_test.c - allocations fail when a rule says so, by every call, and never otherwise. */
#include "cmocka_all.h"

#include <errno.h>
#include <slab/slab.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report_trap.h"
#include "rerun.h"

#define ALL (SLAB_RED_ZONE | SLAB_POISON | SLAB_STORE_USER | SLAB_CONSISTENCY_CHECKS)

static const slab_flags_t kinds[] = { SLAB_FAILSLAB, SLAB_FAILSLAB | ALL };

static struct kmem_cache *make(slab_flags_t flags)
{
	struct kmem_cache *s = kmem_cache_create("faulty", 96, 0, flags, NULL);

	assert_non_null(s);
	return s;
}

static struct slab_fault always_after(uint64_t n)
{
	return (struct slab_fault){ .after = n, .probability = 100, .times = -1 };
}

/* One by one, n times: which fail, as a string of '.' and 'x'. */
static const char *pattern(struct kmem_cache *s, unsigned int n, gfp_t gfp)
{
	static char text[128];
	void *p[128];

	for (unsigned int i = 0; i < n; i++) {
		errno = 0;
		p[i] = kmem_cache_alloc(s, gfp);
		text[i] = p[i] ? '.' : 'x';
		assert_true(p[i] || errno == ENOMEM);
	}
	text[n] = '\0';
	kmem_cache_free_bulk(s, n, p);
	return text;
}

static void test_rules(void **state)
{
	(void)state;
	for (unsigned int k = 0; k < 2; k++) {
		struct kmem_cache *s = make(kinds[k]);
		struct slab_fault f = always_after(3);

		assert_string_equal(pattern(s, 6, GFP_KERNEL), "......");
		assert_int_equal(kmem_cache_set_fault(s, &f), 0);
		assert_string_equal(pattern(s, 6, GFP_KERNEL), "...xxx");
		assert_int_equal(kmem_cache_faults(s), 3);
		f.times = 2;
		kmem_cache_set_fault(s, &f);
		assert_string_equal(pattern(s, 7, GFP_ATOMIC), "...xx..");
		f = (struct slab_fault){ .interval = 3, .probability = 100, .times = -1 };
		kmem_cache_set_fault(s, &f);
		assert_string_equal(pattern(s, 9, GFP_KERNEL), "..x..x..x");
		f = (struct slab_fault){ .space = 400, .probability = 100, .times = -1 };
		kmem_cache_set_fault(s, &f);
		assert_string_equal(pattern(s, 6, GFP_KERNEL), "....xx");
		f = (struct slab_fault){ .probability = 0, .times = -1 };
		kmem_cache_set_fault(s, &f);
		assert_string_equal(pattern(s, 6, GFP_KERNEL), "......");
		f = always_after(1);
		f.ignore_gfp_reclaim = true;
		kmem_cache_set_fault(s, &f);
		assert_string_equal(pattern(s, 3, GFP_KERNEL), "...");
		assert_string_equal(pattern(s, 3, GFP_NOWAIT), ".xx");
		kmem_cache_set_fault(s, NULL);
		assert_string_equal(pattern(s, 3, GFP_NOWAIT), "...");
		assert_int_equal(kmem_cache_nr_allocated(s), 0);
		assert_destroys(s);
	}
}

/* The same seed, the same failures; of many, the share that was asked for. */
static void test_probability(void **state)
{
	struct kmem_cache *s = make(SLAB_FAILSLAB);
	struct slab_fault f = { .probability = 30, .times = -1, .seed = 7 };
	char first[128];

	(void)state;
	kmem_cache_set_fault(s, &f);
	strcpy(first, pattern(s, 100, GFP_KERNEL));
	kmem_cache_set_fault(s, &f);
	assert_string_equal(pattern(s, 100, GFP_KERNEL), first);
	f.seed = 8;
	kmem_cache_set_fault(s, &f);
	assert_string_not_equal(pattern(s, 100, GFP_KERNEL), first);
	for (unsigned int i = 0; i < 99; i++)
		pattern(s, 100, GFP_KERNEL);
	assert_in_range(kmem_cache_faults(s), 2800, 3200);
	assert_destroys(s);
}

/* Bulk, sheaves, zeroed memory, pools: each says no and keeps nothing. */
static void test_every_call(void **state)
{
	(void)state;
	for (unsigned int k = 0; k < 2; k++) {
		struct kmem_cache *s = make(kinds[k]);
		struct slab_fault f = always_after(10);
		struct slab_sheaf *sheaf;
		mempool_t *pool;
		void *p[20];

		kmem_cache_set_fault(s, &f);
		assert_int_equal(kmem_cache_alloc_bulk(s, GFP_KERNEL, 11, p), 0);
		assert_int_equal(errno, ENOMEM);
		assert_int_equal(kmem_cache_nr_allocated(s), 0);
		kmem_cache_set_fault(s, &f);
		assert_int_equal(kmem_cache_alloc_bulk(s, GFP_KERNEL, 10, p), 10);
		assert_null(kmem_cache_zalloc(s, GFP_KERNEL));
		kmem_cache_free_bulk(s, 10, p);
		kmem_cache_set_fault(s, &f);
		assert_null(kmem_cache_prefill_sheaf(s, GFP_KERNEL, 11));
		kmem_cache_set_fault(s, &f);
		sheaf = kmem_cache_prefill_sheaf(s, GFP_KERNEL, 10);
		assert_non_null(sheaf);
		assert_int_equal(kmem_cache_refill_sheaf(s, GFP_KERNEL, &sheaf, 11), -ENOMEM);
		for (unsigned int i = 0; i < 10; i++)
			assert_non_null(p[i] = kmem_cache_alloc_from_sheaf(s, GFP_KERNEL, sheaf));
		assert_int_equal(kmem_cache_nr_allocated(s), 10);
		kmem_cache_free_bulk(s, 10, p);
		kmem_cache_return_sheaf(s, GFP_KERNEL, sheaf);
		kmem_cache_set_fault(s, &f);
		assert_null(mempool_create_slab_pool(11, s));
		kmem_cache_set_fault(s, &f);
		pool = mempool_create_slab_pool(10, s);
		assert_non_null(pool);
		assert_non_null(p[0] = mempool_alloc(pool, GFP_NOWAIT));
		mempool_free(p[0], pool);
		mempool_destroy(pool);
		assert_int_equal(kmem_cache_nr_allocated(s), 0);
		assert_destroys(s);
	}
}

/* A rule for all is for those without one of their own; neither is for other caches. */
static void test_whose_rule(void **state)
{
	struct slab_fault all = always_after(0), own = always_after(2);
	struct kmem_cache *a = make(SLAB_FAILSLAB), *b = make(SLAB_FAILSLAB);
	struct kmem_cache *other = kmem_cache_create("sound", 96, 0, SLAB_NO_MERGE, NULL);

	(void)state;
	assert_ptr_not_equal(a, b);
	own.probability = 101;
	assert_int_equal(kmem_cache_set_fault(a, &own), -EINVAL);
	own.probability = 100;
	kmem_cache_set_fault(NULL, &all);
	kmem_cache_set_fault(b, &own);
	assert_string_equal(pattern(a, 4, GFP_KERNEL), "xxxx");
	assert_string_equal(pattern(b, 4, GFP_KERNEL), "..xx");
	assert_int_equal(kmem_cache_faults(NULL), 4);
	assert_int_equal(kmem_cache_faults(b), 2);
	if (!getenv("SLAB_OPTIONS")) {
		assert_int_equal(kmem_cache_set_fault(other, &own), -EINVAL);
		assert_string_equal(pattern(other, 4, GFP_KERNEL), "....");
	}
	kmem_cache_set_fault(NULL, NULL);
	assert_string_equal(pattern(a, 4, GFP_KERNEL), "....");
	assert_destroys(a);
	assert_destroys(b);
	assert_destroys(other);
}

struct doomed {
	struct {
		void *word[2];
	} rcu;
	char rest[80];
};

static void test_live_objects(void **state)
{
	static const unsigned int capacities[] = { 0, 5, SLAB_NO_SHEAVES };

	(void)state;
	for (unsigned int k = 0; k < 4; k++) {
		struct kmem_cache_args args = { .sheaf_capacity = capacities[k % 3] };
		struct kmem_cache *s = kmem_cache_create("live", sizeof(struct doomed), &args,
							 k < 3 ? SLAB_NO_MERGE : ALL);
		struct doomed *p[300];

		for (unsigned int i = 0; i < 300; i++) {
			p[i] = kmem_cache_alloc(s, GFP_KERNEL);
			assert_int_equal(kmem_cache_nr_allocated(s), i + 1);
		}
		for (unsigned int i = 0; i < 150; i++)
			kmem_cache_free(s, p[i]);
		assert_int_equal(kmem_cache_nr_allocated(s), 150);
		for (unsigned int i = 150; i < 300; i++)
			kfree_rcu(p[i], rcu);
		kvfree_rcu_barrier();
		assert_int_equal(kmem_cache_nr_allocated(s), 0);
		assert_destroys(s);
	}
}

/* ---- by the environment ---------------------------------------------------------------------- */

static int child(void)
{
	struct kmem_cache *s = kmem_cache_create("any", 96, 0, 0, NULL);
	struct kmem_cache *named = kmem_cache_create("named", 96, 0, 0, NULL);
	bool all = getenv("SLABKIT_FAULT_ALL");

	if (strcmp(pattern(s, 8, GFP_KERNEL), all ? ".xx....." : "........"))
		return 1;
	if (strcmp(pattern(named, 8, GFP_KERNEL), all ? "........" : ".xx....."))
		return 2;
	return kmem_cache_faults(NULL) != 2;
}

static void run_child(const char *options, bool all)
{
	int status = -1;
	pid_t pid = fork();

	if (!pid) {
		if (all)
			setenv("SLABKIT_FAULT_ALL", "1", 1);
		rerun(options, "SLABKIT_FAULT_CHILD");
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void test_by_the_environment(void **state)
{
	(void)state;
	run_child("failslab=1,100,0,2,1 debug=A,na*", false);
	run_child("failslab=1,100,0,2,1", true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rules),
		cmocka_unit_test(test_probability),
		cmocka_unit_test(test_every_call),
		cmocka_unit_test(test_whose_rule),
		cmocka_unit_test(test_live_objects),
		cmocka_unit_test(test_by_the_environment),
	};

	if (getenv("SLABKIT_FAULT_CHILD"))
		return child();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
