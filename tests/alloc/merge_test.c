// SPDX-License-Identifier: MIT
/* merge_test.c - which caches share slabs, which do not, and what becomes of their names. */
#include "cmocka_all.h"

#include <slab/slab.h>
#include <stdlib.h>
#include <string.h>

#include "report_trap.h"

static void nothing(void *object)
{
	(void)object;
}

static void test_like_caches_merge(void **state)
{
	struct kmem_cache *a = kmem_cache_create("merge-a", 1040, 0, 0, NULL);
	struct kmem_cache *b = kmem_cache_create("merge-b", 1036, 0, 0, NULL);
	struct kmem_cache *c = kmem_cache_create("merge-c", 1040, 0, 0, NULL);
	void *p;

	(void)state;
	assert_ptr_equal(a, b);
	assert_ptr_equal(a, c);
	assert_string_equal(kmem_cache_name(b), "merge-a");
	assert_string_equal(kmem_cache_alias(a, 0), "merge-c");
	assert_string_equal(kmem_cache_alias(a, 1), "merge-b");
	assert_null(kmem_cache_alias(a, 2));
	/* It lives as long as one of its users. */
	assert_destroys(a);
	assert_destroys(b);
	p = kmem_cache_alloc(c, GFP_KERNEL);
	assert_non_null(p);
	kmem_cache_free(c, p);
	assert_destroys(c);
}

static void apart(struct kmem_cache *a, struct kmem_cache *b)
{
	assert_non_null(a);
	assert_non_null(b);
	assert_ptr_not_equal(a, b);
	assert_destroys(a);
	assert_destroys(b);
}

static void test_unlike_caches_stay_apart(void **state)
{
	struct kmem_cache_args sheaf = { .sheaf_capacity = 20 }, copy = { .usersize = 8 };

	(void)state;
	apart(kmem_cache_create("m1", 1040, 0, 0, NULL), kmem_cache_create("m2", 1048, 0, 0, NULL));
	apart(kmem_cache_create("m1", 1040, 0, 0, NULL),
	      kmem_cache_create("m2", 1040, 0, SLAB_NO_MERGE, NULL));
	apart(kmem_cache_create("m1", 1040, 0, SLAB_NO_MERGE, NULL),
	      kmem_cache_create("m2", 1040, 0, 0, NULL));
	apart(kmem_cache_create("m1", 1040, 0, 0, NULL),
	      kmem_cache_create("m2", 1040, 0, SLAB_ACCOUNT, NULL));
	apart(kmem_cache_create("m1", 1040, 0, 0, NULL),
	      kmem_cache_create("m2", 1040, 0, SLAB_RECLAIM_ACCOUNT, NULL));
	apart(kmem_cache_create("m1", 1040, 0, 0, NULL),
	      kmem_cache_create("m2", 1040, 0, SLAB_TYPESAFE_BY_RCU, NULL));
	apart(kmem_cache_create("m1", 1040, 0, 0, NULL),
	      kmem_cache_create("m2", 1040, 0, 0, nothing));
	apart(kmem_cache_create("m1", 1040, 0, 0, NULL),
	      kmem_cache_create("m2", 1040, 64, 0, NULL));
	apart(kmem_cache_create("m1", 1040, 0, 0, NULL), kmem_cache_create("m2", 1040, &sheaf, 0));
	apart(kmem_cache_create("m1", 1040, &copy, 0), kmem_cache_create("m2", 1040, 0, 0, NULL));
}

static void test_kmalloc_takes_aliases(void **state)
{
	struct kmem_cache *s = kmem_cache_create("session", 252, 0, 0, NULL);

	(void)state;
	assert_string_equal(kmem_cache_name(s), "kmalloc-256");
	kmem_cache_destroy(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_like_caches_merge),
		cmocka_unit_test(test_unlike_caches_stay_apart),
		cmocka_unit_test(test_kmalloc_takes_aliases),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
