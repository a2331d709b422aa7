// SPDX-License-Identifier: MIT
/*
 * malloc_test.c - the shim's functions by other names: what a program relies on, and memory's end.
 */
#include "cmocka_all.h"

#include <slab/slab.h>
#include <stdio.h>
#include <sys/mman.h>

#include "malloc/class.h"
#include "prefixed.h"

#define M(name) shim_##name
#include "family.h"

static void test_classes(void **state)
{
	(void)state;
	for (unsigned int class = 0; class < CLASSES; class ++) {
		uint32_t size = class_size(class), below = class ? class_size(class - 1) : 0;

		assert_int_equal(size % CLASS_STEP, 0);
		assert_int_equal(class_of(size), class);
		assert_int_equal(class_of(below + 1), class);
		assert_true(size <= 128 ? size - below == 16 : (size - below) * 9 <= size);
	}
	assert_int_equal(class_size(CLASSES - 1), CLASS_MAX);
	assert_int_equal(class_of(0), 0);
}

static int find(struct kmem_cache *s, void *arg)
{
	return !strcmp(kmem_cache_name(s), arg);
}

/* A tool tells them apart by name, and counts what is in use. */
static void test_caches_are_seen(void **state)
{
	void *p = M(malloc)(300);
	char name[] = "malloc-320";

	(void)state;
	assert_int_equal(slab_walk(find, name), 1);
	M(free)(p);
}

/* The first page that lies in the block as a whole. */
static char *page_in(void *p, size_t page)
{
	return (char *)(((uintptr_t)p + page - 1) & ~(uintptr_t)(page - 1));
}

/* More holes than are given back in one call, in several chunks: all are, and nothing else. */
static void test_holes_go_back(void **state)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = 4 * page + 1000;
	static unsigned char *p[1200];
	unsigned char there;

	(void)state;
	for (unsigned int i = 0; i < 1200; i++) {
		p[i] = M(malloc)(bytes);
		assert_non_null(p[i]);
		memset(p[i], 1, bytes);
	}
	for (unsigned int i = 0; i < 1200; i += 2)
		M(free)(p[i]);
	assert_int_equal(M(malloc_trim)(0), 1);
	assert_int_equal(M(malloc_trim)(0), 0);
	for (unsigned int i = 0; i < 1200; i++) {
		assert_int_equal(mincore(page_in(p[i], page), page, &there), 0);
		assert_int_equal(there & 1, i % 2);
		if (i % 2)
			assert_true(is_filled(p[i], 1, bytes));
	}
	for (unsigned int i = 0; i < 1200; i += 2) {
		p[i] = M(calloc)(1, bytes);
		assert_non_null(p[i]);
		assert_true(is_filled(p[i], 0, bytes));
	}
	for (unsigned int i = 0; i < 1200; i++)
		M(free)(p[i]);
}

/* Memory ends at the n-th block: NULL and ENOMEM, and what was had stays whole. */
static void test_memory_runs_out(void **state)
{
	static const size_t sizes[] = { 24, 600, 5000, 30000, 3 * MIB };
	unsigned int failures = 0;
	void *p[5];

	(void)state;
	for (long n = 0; n < 8; n++) {
		M(malloc_trim)(0);
		slab_fail_pages(n);
		for (unsigned int i = 0; i < 5; i++) {
			errno = 0;
			p[i] = M(calloc)(1, sizes[i]);
			if (p[i]) {
				memset(p[i], 1, sizes[i]);
				continue;
			}
			assert_int_equal(errno, ENOMEM);
			failures++;
		}
		for (unsigned int i = 0; i < 5; i++) {
			void *more = p[i] ? M(realloc)(p[i], sizes[i] * 10) : NULL;

			if (more)
				p[i] = more;
			if (p[i])
				assert_true(is_filled(p[i], 1, sizes[i]));
		}
		slab_fail_pages(-1);
		for (unsigned int i = 0; i < 5; i++)
			M(free)(p[i]);
	}
	assert_true(failures > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_memory_runs_out), /* while there is nothing yet */
		cmocka_unit_test(test_holes_go_back),	cmocka_unit_test(test_classes),
		cmocka_unit_test(test_caches_are_seen), FAMILY_TESTS,
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
