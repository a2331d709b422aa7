// SPDX-License-Identifier: MIT
/*
 * oom_test.c - memory runs out at the n-th block of pages, for every n.
 *
 * One workload touches every layer. It is run with no memory after n blocks, n = 0, 1, 2, ...,
 * until it does not run out any more: each allocation either works or says ENOMEM, what was had
 * stays intact, everything can be freed, and with memory back the same caches serve again.
 */
#include "cmocka_all.h"

#include <errno.h>
#include <slab/slab.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "report_trap.h"

#define SINGLES 300
#define BULK	150
#define LARGE	4

struct load {
	struct kmem_cache *s[4];
	void *single[4][SINGLES];
	void *bulk[4][BULK];
	void *large[LARGE];
	bool failed;
};

static const unsigned int sizes[4] = { 40, 256, 1500, 9000 };

static void *check(struct load *l, void *p)
{
	if (!p) {
		assert_int_equal(errno, ENOMEM);
		l->failed = true;
	}
	errno = 0;
	return p;
}

static void fill_cache(struct load *l, unsigned int i)
{
	struct kmem_cache_args args = { .sheaf_capacity = i == 3 ? SLAB_NO_SHEAVES : 0 };

	l->s[i] = check(l, kmem_cache_create("oom", sizes[i], &args, SLAB_NO_MERGE));
	if (!l->s[i])
		return;
	for (unsigned int k = 0; k < SINGLES / (i + 1); k++) {
		l->single[i][k] = check(l, kmem_cache_alloc(l->s[i], GFP_KERNEL));
		if (l->single[i][k])
			memset(l->single[i][k], (int)k, sizes[i]);
	}
	if (!kmem_cache_alloc_bulk(l->s[i], GFP_KERNEL, BULK, l->bulk[i])) {
		check(l, NULL);
		memset(l->bulk[i], 0, sizeof(l->bulk[i]));
	}
}

static void free_cache(struct load *l, unsigned int i)
{
	if (!l->s[i])
		return;
	for (unsigned int k = 0; k < SINGLES; k++) {
		unsigned char *p = l->single[i][k];

		assert_true(!p || (p[0] == (k & 255) && p[sizes[i] - 1] == (k & 255)));
		kmem_cache_free(l->s[i], p);
	}
	kmem_cache_free_bulk(l->s[i], BULK, l->bulk[i]);
}

static bool run(long after)
{
	struct load *l = calloc(1, sizeof(*l));
	bool failed;

	slab_fail_pages(after);
	for (unsigned int i = 0; i < 4; i++)
		fill_cache(l, i);
	for (unsigned int i = 0; i < LARGE; i++)
		l->large[i] = check(l, kzalloc(10000 << (3 * i), GFP_KERNEL));
	for (unsigned int i = 0; i < 4; i++)
		free_cache(l, i);
	for (unsigned int i = 0; i < LARGE; i++)
		kfree(l->large[i]);
	failed = l->failed;
	slab_fail_pages(-1);
	for (unsigned int i = 0; i < 4; i++) {
		if (!l->s[i])
			continue;
		assert_int_equal(kmem_cache_alloc_bulk(l->s[i], GFP_KERNEL, BULK, l->bulk[i]),
				 BULK);
		kmem_cache_free_bulk(l->s[i], BULK, l->bulk[i]);
		assert_destroys(l->s[i]);
	}
	free(l);
	return failed;
}

static void test_out_of_memory_at_every_block(void **state)
{
	long after = 0;

	(void)state;
	while (run(after))
		after++;
	printf("# runs out up to block %ld\n", after);
	assert_true(after > 20);
	assert_false(run(-1));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_out_of_memory_at_every_block) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
