// SPDX-License-Identifier: MIT
/* bulk_test.c - many objects at once: all or nothing, holes, mixed caches. */
#include "cmocka_all.h"

#include <errno.h>
#include <limits.h>
#include <slab/slab.h>
#include <stdlib.h>
#include <string.h>

#include "report_trap.h"

#define MAX 3000

static void mark(void **p, size_t n, long first)
{
	for (size_t i = 0; i < n; i++)
		*(long *)p[i] = first + (long)i;
}

static void check(void **p, size_t n, long first)
{
	for (size_t i = 0; i < n; i++)
		assert_int_equal(*(long *)p[i], first + (long)i);
}

static void test_every_count(void **state)
{
	static const size_t counts[] = { 1,  2,	 3,   5,   13,	30,  31,  32,	61,   62,
					 63, 64, 100, 124, 125, 186, 250, 1000, 1500, MAX };
	struct kmem_cache *s = kmem_cache_create("bulk", 32, 0, SLAB_NO_MERGE, NULL);
	void **p = calloc(MAX, sizeof(*p)), **q = calloc(MAX, sizeof(*q));

	(void)state;
	assert_int_equal(kmem_cache_alloc_bulk(s, GFP_KERNEL, 0, p), 0);
	for (unsigned int round = 0; round < 3; round++) {
		for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
			size_t n = counts[i];

			assert_int_equal(kmem_cache_alloc_bulk(s, GFP_KERNEL, n, p), n);
			mark(p, n, 1);
			assert_int_equal(kmem_cache_alloc_bulk(s, GFP_KERNEL | __GFP_ZERO, n, q),
					 n);
			for (size_t k = 0; k < n; k++)
				assert_int_equal(*(long *)q[k], 0);
			mark(q, n, 100000);
			check(p, n, 1);
			check(q, n, 100000);
			kmem_cache_free_bulk(s, n, p);
			kmem_cache_free_bulk(s, n, q);
		}
	}
	assert_destroys(s);
	free(p);
	free(q);
}

static void test_more_than_can_be_told(void **state)
{
	struct kmem_cache *s = kmem_cache_create("bulk-most", 64, 0, SLAB_NO_MERGE, NULL);
	void *p[1];

	(void)state;
	errno = 0;
	assert_int_equal(kmem_cache_alloc_bulk(s, GFP_KERNEL, 0, p), 0);
	assert_int_equal(errno, 0);
	assert_int_equal(kmem_cache_alloc_bulk(s, GFP_KERNEL, (size_t)INT_MAX + 1, p), 0);
	assert_int_equal(errno, EINVAL);
	assert_destroys(s);
}

static void test_holes_and_mixed_caches(void **state)
{
	struct kmem_cache *a = kmem_cache_create("mix-a", 40, 0, SLAB_NO_MERGE, NULL);
	struct kmem_cache *b = kmem_cache_create("mix-b", 72, 0, SLAB_NO_MERGE, NULL);
	void *p[300];

	(void)state;
	for (unsigned int round = 0; round < 4; round++) {
		for (unsigned int i = 0; i < 300; i++)
			p[i] = i % 7 ? kmem_cache_alloc(a, GFP_KERNEL) : NULL;
		kmem_cache_free_bulk(a, 300, p);
		for (unsigned int i = 0; i < 300; i++)
			p[i] = i % 11 == 0  ? NULL
			       : i % 5 == 0 ? kmalloc(i * 100, GFP_KERNEL)
			       : i % 3	    ? kmem_cache_alloc(a, GFP_KERNEL)
					    : kmem_cache_alloc(b, GFP_KERNEL);
		kfree_bulk(300, p);
	}
	assert_destroys(a);
	assert_destroys(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_count),
		cmocka_unit_test(test_more_than_can_be_told),
		cmocka_unit_test(test_holes_and_mixed_caches),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
