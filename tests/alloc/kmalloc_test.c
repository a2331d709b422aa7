// SPDX-License-Identifier: MIT
/* kmalloc_test.c - memory by size. */
#include "cmocka_all.h"

#include <errno.h>
#include <slab/slab.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "report_trap.h"

static void test_sizes(void **state)
{
	(void)state;
	for (size_t size = 1; size < 6000000; size += size / 5 + 1) {
		char *p = kmalloc(size, GFP_KERNEL);
		char *q = kzalloc(size, GFP_KERNEL);

		assert_non_null(p);
		assert_non_null(q);
		assert_true(ksize(p) >= size);
		assert_true(size > 8192 || ksize(p) < 2 * size + 8);
		assert_int_equal((uintptr_t)p % 8, 0);
		assert_int_equal(q[0] | q[size / 2] | q[size - 1], 0);
		p[0] = p[size / 2] = p[size - 1] = 1;
		kfree(p);
		kfree(q);
	}
	for (size_t size = 8; size <= 2 << 20; size *= 2) {
		void *p = kmalloc(size, GFP_KERNEL);

		assert_int_equal((uintptr_t)p % size, 0);
		kfree(p);
	}
}

static void test_edges(void **state)
{
	(void)state;
	assert_ptr_equal(kmalloc(0, GFP_KERNEL), ZERO_SIZE_PTR);
	assert_int_equal(ksize(ZERO_SIZE_PTR), 0);
	assert_int_equal(ksize(NULL), 0);
	kfree(ZERO_SIZE_PTR);
	kfree(NULL);
	errno = 0;
	assert_null(kcalloc(SIZE_MAX / 2, 3, GFP_KERNEL));
	assert_int_equal(errno, ENOMEM);
	assert_null(kmalloc(SIZE_MAX, GFP_KERNEL));
	assert_null(kmalloc(PTRDIFF_MAX, GFP_KERNEL));
}

static void test_krealloc(void **state)
{
	char *p = krealloc(NULL, 10, GFP_KERNEL);

	(void)state;
	strcpy(p, "nine char");
	for (size_t size = 11; size < 5000000; size *= 3) {
		p = krealloc(p, size, GFP_KERNEL);
		assert_string_equal(p, "nine char");
	}
	assert_null(krealloc(p, PTRDIFF_MAX, GFP_KERNEL));
	assert_string_equal(p, "nine char");
	assert_ptr_equal(krealloc(p, 0, GFP_KERNEL), ZERO_SIZE_PTR);
}

static bool is_zero(const char *p, size_t from, size_t to)
{
	while (from < to && !p[from])
		from++;
	return from == to;
}

/* All that ksize allows, used memory or not; and what is beyond the end is zero again when cut. */
static void test_zeroes_reach_to_the_end(void **state)
{
	static const size_t sizes[] = { 5, 100, 5000, 9000, 100000, 700000, 3000000 };

	(void)state;
	for (unsigned int i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		size_t size = sizes[i], bytes;
		char *p = kmalloc(size, GFP_KERNEL);

		memset(p, 0xff, ksize(p));
		kfree(p);
		p = kzalloc(size, GFP_KERNEL);
		bytes = ksize(p);
		assert_true(is_zero(p, 0, bytes));
		memset(p, 0xff, size);
		assert_ptr_equal(krealloc(p, 3, GFP_KERNEL | __GFP_ZERO), p);
		assert_ptr_equal(krealloc(p, bytes, GFP_KERNEL | __GFP_ZERO), p);
		assert_true(is_zero(p, 3, bytes));
		assert_int_equal(p[2], -1);
		memset(p, 0xff, bytes);
		p = krealloc(p, 2 * bytes + 1, GFP_KERNEL | __GFP_ZERO);
		assert_true(is_zero(p, bytes, ksize(p)));
		kfree(p);
	}
}

struct copied {
	long private;
	char text[40];
};

static void test_kernel_spellings(void **state)
{
	struct kmem_cache *s = KMEM_CACHE_USERCOPY(copied, SLAB_ACCOUNT, text);
	char *p = kvzalloc(20000, GFP_USER);

	(void)state;
	assert_int_equal(kmem_cache_size(s), sizeof(struct copied));
	assert_null(kmem_cache_alias(s, 0));
	assert_destroys(s);
	assert_null(kmem_cache_create_usercopy("past", 8, 0, 0, 4, 8, NULL));
	assert_true(is_zero(p, 0, 20000));
	p = kvrealloc(p, 40000, GFP_KERNEL);
	assert_null(krealloc_array(p, SIZE_MAX / 2, 3, GFP_KERNEL));
	p = krealloc_array(p, 100, 8, GFP_KERNEL);
	kfree_sensitive(p);
	kfree_sensitive(NULL);
	kfree_sensitive(kmalloc(0, GFP_KERNEL));
	kvfree(kvmalloc_array(3, 5, GFP_KERNEL));
	kvfree(kvcalloc(3, 5, GFP_KERNEL));
	kvfree_sensitive(kvmalloc_node(100, GFP_KERNEL, 0), 100);
	kvfree(kvzalloc_node(100, GFP_KERNEL, NUMA_NO_NODE));
	kvfree(kvcalloc_node(3, 5, GFP_KERNEL, 0));
	assert_null(kvmalloc_array_node(SIZE_MAX / 2, 3, GFP_KERNEL, 0));
	kfree_rcu_mightsleep(kmalloc(100, GFP_KERNEL));
	kvfree_rcu_mightsleep(kvmalloc(100000, GFP_KERNEL));
	kfree_rcu_mightsleep(NULL);
	kvfree_rcu_barrier();
	assert_true(gfpflags_allow_blocking(GFP_KERNEL));
	assert_false(gfpflags_allow_blocking(GFP_NOWAIT));
}

static void test_copies(void **state)
{
	static const unsigned int numbers[] = { 1, 2, 3 };
	unsigned int *n = kmemdup_array(numbers, 3, sizeof(*numbers), GFP_KERNEL);
	char *s = kstrdup("sheaf", GFP_KERNEL), *part = kstrndup("sheaf", 3, GFP_KERNEL);
	char *whole = kstrndup("sheaf", 10, GFP_KERNEL), *raw = kmemdup_nul("a\0b", 3, GFP_KERNEL);
	const char *constant = kstrdup_const("sheaf", GFP_KERNEL);
	void *nothing = kmemdup(NULL, 0, GFP_KERNEL), *copy = kvmemdup(numbers, 12, GFP_KERNEL);

	(void)state;
	assert_memory_equal(n, numbers, sizeof(numbers));
	assert_memory_equal(copy, numbers, sizeof(numbers));
	assert_string_equal(s, "sheaf");
	assert_string_equal(part, "she");
	assert_string_equal(whole, "sheaf");
	assert_string_equal(constant, "sheaf");
	assert_memory_equal(raw, "a\0b", 4);
	assert_ptr_equal(nothing, ZERO_SIZE_PTR);
	assert_null(kstrdup(NULL, GFP_KERNEL));
	assert_null(kstrndup(NULL, 4, GFP_KERNEL));
	assert_null(kmemdup_nul(NULL, 4, GFP_KERNEL));
	assert_null(kmemdup_array(numbers, SIZE_MAX / 2, 4, GFP_KERNEL));
	kfree_const(constant);
	kfree_bulk(7, (void *[]){ n, s, part, whole, raw, nothing, copy });
}

static void test_roundup(void **state)
{
	(void)state;
	for (size_t size = 0; size < 12 << 20; size += 1 + size / 3) {
		void *p = kmalloc(size, GFP_KERNEL);

		assert_int_equal(kmalloc_size_roundup(size), ksize(p));
		kfree(p);
	}
	assert_true(kmalloc_size_roundup(SIZE_MAX) == SIZE_MAX);
}

static void test_foreign_address_is_reported(void **state)
{
	int local;

	(void)state;
	assert_reports("address that is no object", kfree(&local));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_edges),
		cmocka_unit_test(test_krealloc),
		cmocka_unit_test(test_zeroes_reach_to_the_end),
		cmocka_unit_test(test_kernel_spellings),
		cmocka_unit_test(test_copies),
		cmocka_unit_test(test_roundup),
		cmocka_unit_test(test_foreign_address_is_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
