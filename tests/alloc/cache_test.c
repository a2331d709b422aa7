// SPDX-License-Identifier: MIT
/* cache_test.c - making caches, objects one by one, misuse that is caught without debugging. */
#include "cmocka_all.h"

#include <errno.h>
#include <slab/slab.h>
#include <stdlib.h>
#include <string.h>

#include "report_trap.h"

struct point {
	long x, y, z;
};

static void test_create_forms(void **state)
{
	struct kmem_cache_args args = { .align = 64 };
	struct kmem_cache *s;

	(void)state;
	s = kmem_cache_create("with-args", 100, &args, SLAB_NO_MERGE);
	assert_non_null(s);
	assert_int_equal(kmem_cache_size(s), 100);
	kmem_cache_destroy(s);
	s = kmem_cache_create("no-args", 100, NULL, SLAB_HWCACHE_ALIGN);
	assert_non_null(s);
	kmem_cache_destroy(s);
	s = kmem_cache_create("old-form", 100, 0, 0, NULL);
	assert_non_null(s);
	kmem_cache_destroy(s);
	s = KMEM_CACHE(point, 0);
	assert_int_equal(kmem_cache_size(s), sizeof(struct point));
	kmem_cache_destroy(s);
	kmem_cache_destroy(NULL);
}

static void refused(const char *name, unsigned int size, struct kmem_cache_args args)
{
	errno = 0;
	assert_null(kmem_cache_create(name, size, &args, 0));
	assert_int_equal(errno, EINVAL);
}

static void test_create_refuses(void **state)
{
	(void)state;
	refused(NULL, 8, (struct kmem_cache_args){ 0 });
	refused("", 8, (struct kmem_cache_args){ 0 });
	refused("zero", 0, (struct kmem_cache_args){ 0 });
	refused("huge", 1U << 30, (struct kmem_cache_args){ 0 });
	refused("align", 8, (struct kmem_cache_args){ .align = 24 });
	refused("copy", 8, (struct kmem_cache_args){ .useroffset = 4, .usersize = 8 });
	refused("link", 16,
		(struct kmem_cache_args){ .use_freeptr_offset = true, .freeptr_offset = 12 });
	refused("sheaf", 16, (struct kmem_cache_args){ .sheaf_capacity = SLAB_SHEAF_MAX + 1 });
}

/* As the kernel: a flag that nobody knows is a mistake. Those without a meaning here are none. */
static void test_create_refuses_flags(void **state)
{
	(void)state;
	for (unsigned int bit = 0; bit < 32; bit++) {
		slab_flags_t known = SLAB_CONSISTENCY_CHECKS | SLAB_RED_ZONE | SLAB_POISON |
				     SLAB_STORE_USER | SLAB_HWCACHE_ALIGN | SLAB_RECLAIM_ACCOUNT |
				     SLAB_PANIC | SLAB_TYPESAFE_BY_RCU | SLAB_NO_MERGE |
				     SLAB_FAILSLAB | SLAB_ACCOUNT | SLAB_NOLEAKTRACE |
				     SLAB_NO_USER_FLAGS;
		struct kmem_cache *s = kmem_cache_create("flag", 40, 0, 1U << bit, NULL);

		assert_int_equal(!!s, known >> bit & 1);
		kmem_cache_destroy(s);
		errno = 0;
		s = kmem_cache_create("flag", 40, NULL, 1U << bit);
		assert_int_equal(!!s, known >> bit & 1);
		assert_true(s || errno == EINVAL);
		kmem_cache_destroy(s);
	}
	assert_destroys(kmem_cache_create("dma", 40, 0, SLAB_CACHE_DMA | SLAB_TRACE, NULL));
}

static void ignore(void *object)
{
	(void)object;
}

/* As the kernel: else a free object holds nothing that a link could be in the way of. */
static void test_create_refuses_links(void **state)
{
	struct kmem_cache_args args = { .use_freeptr_offset = true, .freeptr_offset = 8 };

	(void)state;
	refused("link", 16, args);
	assert_destroys(kmem_cache_create("link", 16, &args, SLAB_TYPESAFE_BY_RCU));
	args.ctor = ignore;
	assert_destroys(kmem_cache_create("link", 16, &args, 0));
}

static void test_create_refuses_endless_names(void **state)
{
	char *name = malloc(SLAB_NAME_MAX + 2);

	(void)state;
	memset(name, 'n', SLAB_NAME_MAX + 1);
	name[SLAB_NAME_MAX + 1] = '\0';
	refused(name, 8, (struct kmem_cache_args){ 0 });
	name[SLAB_NAME_MAX] = '\0';
	assert_destroys(kmem_cache_create(name, 8, 0, SLAB_NO_MERGE, NULL));
	free(name);
}

/* What may be made may be watched: no size or alignment is refused for the zones around it. */
static void test_the_largest_can_be_watched(void **state)
{
	const slab_flags_t all =
		SLAB_RED_ZONE | SLAB_POISON | SLAB_STORE_USER | SLAB_CONSISTENCY_CHECKS;

	(void)state;
	for (unsigned int align = 8; align <= 32768; align *= 64) {
		struct kmem_cache *s = kmem_cache_create("large", 1 << 20, align, all, NULL);
		char *p;

		assert_non_null(s);
		p = kmem_cache_alloc(s, GFP_KERNEL);
		assert_non_null(p);
		assert_int_equal((uintptr_t)p % align, 0);
		memset(p, 0, 1 << 20);
		kmem_cache_free(s, p);
		assert_int_equal(kmem_cache_validate(s), 0);
		assert_destroys(s);
	}
}

static int by_address(const void *a, const void *b)
{
	const char *x = *(char *const *)a, *y = *(char *const *)b;

	return (x > y) - (x < y);
}

/* Objects do not overlap, keep what is written, are aligned, and come back zeroed when asked. */
static void check_objects(unsigned int size, unsigned int align, unsigned int n)
{
	struct kmem_cache_args args = { .align = align };
	struct kmem_cache *s = kmem_cache_create("objects", size, &args, SLAB_NO_MERGE);
	void **p = calloc(n, sizeof(*p));

	assert_non_null(s);
	for (unsigned int round = 0; round < 3; round++) {
		for (unsigned int i = 0; i < n; i++) {
			p[i] = round ? kmem_cache_zalloc(s, GFP_KERNEL)
				     : kmem_cache_alloc(s, GFP_KERNEL);
			assert_non_null(p[i]);
			assert_int_equal((uintptr_t)p[i] % (align ? align : 8), 0);
			for (unsigned int k = 0; round && k < size; k++)
				assert_int_equal(((char *)p[i])[k], 0);
			memset(p[i], (int)(i % 255 + 1), size);
		}
		for (unsigned int i = 0; i < n; i++)
			for (unsigned int k = 0; k < size; k++)
				assert_int_equal(((unsigned char *)p[i])[k], i % 255 + 1);
		qsort(p, n, sizeof(*p), by_address);
		for (unsigned int i = 1; i < n; i++)
			assert_true((char *)p[i - 1] + size <= (char *)p[i]);
		for (unsigned int i = 0; i < n; i++)
			kmem_cache_free(s, p[i]);
	}
	kmem_cache_free(s, NULL);
	kmem_cache_shrink(s);
	assert_destroys(s);
	free(p);
}

static void test_objects(void **state)
{
	(void)state;
	check_objects(1, 0, 600);
	check_objects(8, 0, 3000);
	check_objects(24, 0, 3000);
	check_objects(64, 64, 3000);
	check_objects(100, 32, 1000);
	check_objects(256, 0, 3000);
	check_objects(700, 0, 300);
	check_objects(5000, 0, 100);
	check_objects(40000, 4096, 20);
	check_objects(1000000, 0, 5);
}

static void number_object(void *object)
{
	((unsigned int *)object)[0] = 0x600d;
	((unsigned int *)object)[1] = 0;
}

static void test_ctor_runs_once_and_its_work_stays(void **state)
{
	struct kmem_cache *s = kmem_cache_create("ctor", 40, 0, 0, number_object);
	unsigned int *p[500];

	(void)state;
	for (unsigned int round = 0; round < 2; round++) {
		for (unsigned int i = 0; i < 500; i++) {
			p[i] = kmem_cache_alloc(s, GFP_KERNEL);
			assert_int_equal(p[i][0], 0x600d);
			assert_true(round || !p[i][1]);
			p[i][1] = 1;
		}
		for (unsigned int i = 0; i < 500; i++)
			kmem_cache_free(s, p[i]);
		/* Through the slabs, where a link inside the object would overwrite it. */
		if (round == 0) {
			kmem_cache_shrink(s);
			for (unsigned int i = 0; i < 500; i++)
				p[i] = kmem_cache_alloc(s, GFP_KERNEL);
			for (unsigned int i = 0; i < 500; i++)
				kmem_cache_free(s, p[i]);
		}
	}
	assert_destroys(s);
}

/* Frees reach the slab layer, where misuse is seen, when the cache is shrunk. */
static void test_misuse_is_reported(void **state)
{
	struct kmem_cache *s = kmem_cache_create("mine", 48, 0, SLAB_NO_MERGE, NULL);
	struct kmem_cache *other = kmem_cache_create("other", 48, 0, SLAB_NO_MERGE, NULL);
	static char foreign[64];
	char *p, *q;

	(void)state;
	p = kmem_cache_alloc(s, GFP_KERNEL);
	q = kmem_cache_alloc(s, GFP_KERNEL);
	assert_reports("address that is no object",
		       (kmem_cache_free(s, foreign), kmem_cache_shrink(s)));
	assert_reports("wrong cache", (kmem_cache_free(other, p), kmem_cache_shrink(other)));
	assert_reports("inside an object", (kmem_cache_free(s, p + 8), kmem_cache_shrink(s)));
	kmem_cache_free(s, p);
	kmem_cache_shrink(s);
	assert_reports("double free", (kmem_cache_free(s, p), kmem_cache_shrink(s)));
	assert_non_null(strstr(trapped, "cache mine"));
	/*
	 * Without sheaves a new slab's objects are all on its freelist: it then says "double free".
	 */
	assert_reports("free",
		       (kmem_cache_free(s, (char *)((uintptr_t)q & ~4095UL) + 4032 - 4032 % 48),
			kmem_cache_shrink(s)));
	kmem_cache_free(s, q);
	assert_destroys(s);
	assert_destroys(other);
}

static void test_destroyed_twice(void **state)
{
	struct kmem_cache *s = kmem_cache_create("once", 48, 0, SLAB_NO_MERGE, NULL);
	static char foreign[4096];

	(void)state;
	assert_destroys(s);
	assert_reports("destroy of what is no cache", kmem_cache_destroy(s));
	assert_reports("destroy of what is no cache",
		       kmem_cache_destroy((struct kmem_cache *)(void *)foreign));
}

/* Others do not move in with what was left behind, under its name. */
static void test_what_is_left_is_not_merged(void **state)
{
	struct kmem_cache *s = kmem_cache_create("leaky", 3000, 0, 0, NULL), *next;
	void *left = kmem_cache_alloc(s, GFP_KERNEL);

	(void)state;
	assert_non_null(left);
	assert_reports("cache leaky destroyed with 1 objects", kmem_cache_destroy(s));
	assert_reports("destroy of what is no cache", kmem_cache_destroy(s));
	next = kmem_cache_create("next", 3000, 0, 0, NULL);
	assert_ptr_not_equal(next, s);
	assert_string_equal(kmem_cache_name(next), "next");
	assert_destroys(next);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_create_forms),
		cmocka_unit_test(test_create_refuses),
		cmocka_unit_test(test_create_refuses_flags),
		cmocka_unit_test(test_create_refuses_links),
		cmocka_unit_test(test_create_refuses_endless_names),
		cmocka_unit_test(test_the_largest_can_be_watched),
		cmocka_unit_test(test_objects),
		cmocka_unit_test(test_ctor_runs_once_and_its_work_stays),
		cmocka_unit_test(test_misuse_is_reported),
		cmocka_unit_test(test_destroyed_twice),
		cmocka_unit_test(test_what_is_left_is_not_merged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
