// SPDX-License-Identifier: MIT
/* debug_test.c - caches that watch their objects say what went wrong, where, and whose it was. */
#include "cmocka_all.h"

#include <slab/slab.h>
#include <stdlib.h>
#include <string.h>

#include "report_trap.h"

#define ALL (SLAB_RED_ZONE | SLAB_POISON | SLAB_STORE_USER | SLAB_CONSISTENCY_CHECKS)

static struct kmem_cache *make(slab_flags_t flags)
{
	struct kmem_cache *s = kmem_cache_create("watched", 52, 0, flags, NULL);

	assert_non_null(s);
	return s;
}

static void test_good_use_is_silent(void **state)
{
	static const slab_flags_t flags[] = { SLAB_RED_ZONE, SLAB_POISON, SLAB_STORE_USER,
					      SLAB_CONSISTENCY_CHECKS, ALL };
	static const unsigned int sizes[] = { 1, 8, 52, 256, 2048, 4096, 32768, 100000 };

	(void)state;
	for (unsigned int f = 0; f < 5; f++) {
		for (unsigned int i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
			struct kmem_cache *s = kmem_cache_create("silent", sizes[i], i % 2 ? 64 : 0,
								 flags[f], NULL);
			void *p[60];

			assert_non_null(s);
			for (unsigned int k = 0; k < 30; k++) {
				p[k] = kmem_cache_alloc(s, GFP_KERNEL);
				memset(p[k], 0xff, sizes[i]);
			}
			assert_int_equal(kmem_cache_alloc_bulk(s, __GFP_ZERO, 30, p + 30), 30);
			assert_int_equal(kmem_cache_validate(s), 0);
			kmem_cache_free_bulk(s, 40, p);
			for (unsigned int k = 40; k < 60; k++)
				kmem_cache_free(s, p[k]);
			assert_int_equal(kmem_cache_validate(s), 0);
			assert_destroys(s);
		}
	}
}

static void test_double_free(void **state)
{
	static const slab_flags_t flags[] = { SLAB_RED_ZONE, SLAB_CONSISTENCY_CHECKS, ALL };

	(void)state;
	for (unsigned int i = 0; i < 3; i++) {
		struct kmem_cache *s = make(flags[i]);
		void *p = kmem_cache_alloc(s, GFP_KERNEL), *q = kmem_cache_alloc(s, GFP_KERNEL);

		kmem_cache_free(s, p);
		kmem_cache_free(s, q);
		assert_reports("double free: cache watched", kmem_cache_free(s, p));
		assert_destroys(s);
	}
}

static void test_overrun_and_underrun(void **state)
{
	struct kmem_cache *s = make(ALL);
	char *p = kmem_cache_alloc(s, GFP_KERNEL), *q = kmem_cache_alloc(s, GFP_KERNEL);

	(void)state;
	p[52] = 1; /* one byte, inside the word that ends the object */
	assert_reports("overrun", kmem_cache_free(s, p));
	assert_non_null(strstr(trapped, "byte 52 is 0x1"));
	assert_non_null(strstr(trapped, "allocated at"));
	q[-1] = 1;
	assert_reports("underrun", assert_true(kmem_cache_validate(s) > 0));
	assert_reports("underrun", kmem_cache_free(s, q));
	slab_set_report_hook(trap);
	kmem_cache_destroy(s);
	slab_set_report_hook(NULL);
}

static void test_use_after_free(void **state)
{
	struct kmem_cache *s = make(ALL);
	char *p = kmem_cache_alloc(s, GFP_KERNEL), *q;

	(void)state;
	kmem_cache_free(s, p);
	p[10] = 0;
	assert_reports("use after free", q = kmem_cache_alloc(s, GFP_KERNEL));
	assert_non_null(strstr(trapped, "freed at"));
	assert_ptr_not_equal(p, q);
	kmem_cache_free(s, q);
	q[51] = 0;
	assert_reports("use after free", assert_true(kmem_cache_validate(s) > 0));
	slab_set_report_hook(trap);
	kmem_cache_destroy(s);
	slab_set_report_hook(NULL);
}

static void test_wrong_cache_and_foreign_address(void **state)
{
	struct kmem_cache *s = make(ALL), *other = make(ALL);
	void *p = kmem_cache_alloc(s, GFP_KERNEL);
	long local[20];

	(void)state;
	assert_reports("wrong cache", kmem_cache_free(other, p));
	assert_reports("address that is no object", kmem_cache_free(s, local));
	assert_reports("inside an object", kmem_cache_free(s, (char *)p + 4));
	kmem_cache_free(s, p);
	assert_destroys(s);
	assert_destroys(other);
}

static void test_leak_names_the_owner(void **state)
{
	struct kmem_cache *s = make(ALL);
	void *p = kmem_cache_alloc(s, GFP_KERNEL);
	char object[64];

	(void)state;
	assert_reports("destroyed with 1 objects in use", kmem_cache_destroy(s));
	snprintf(object, sizeof(object), "object %p in use", p);
	assert_non_null(strstr(trapped, object));
	assert_non_null(strstr(trapped, "allocated at"));
	/* The caller has no symbol that is exported: its file and the place there. */
	assert_non_null(strstr(trapped, "debug_test+0x"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good_use_is_silent),
		cmocka_unit_test(test_double_free),
		cmocka_unit_test(test_overrun_and_underrun),
		cmocka_unit_test(test_use_after_free),
		cmocka_unit_test(test_wrong_cache_and_foreign_address),
		cmocka_unit_test(test_leak_names_the_owner),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
