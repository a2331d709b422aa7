// SPDX-License-Identifier: MIT
/*
 * layers_test.c - each layer by itself: layout, pages, map, barn, sheaf sizes, kmalloc's classes.
 */
#include "cmocka_all.h"

#include <errno.h>
#include <slab/slab.h>
#include <stdio.h>
#include <string.h>

#include "slab/barn.h"
#include "slab/cpu.h"
#include "slab/layout.h"
#include "slab/node.h"
#include "slab/pages.h"
#include "slab/root.h"
#include "slab/sheaf.h"

static struct kmem_cache laid_out(unsigned int size, uint32_t cpus, slab_flags_t flags)
{
	struct kmem_cache_args none = { .align = 0 };
	struct kmem_cache s = { .object_size = size, .flags = flags };

	layout_set(&s, &none, cpus, 0);
	return s;
}

/* Orders that the kernel shows in /sys/kernel/slab for these sizes and CPU counts. */
static void test_orders_are_slubs(void **state)
{
	(void)state;
	assert_int_equal(laid_out(256, 2, 0).order, 0);
	assert_int_equal(laid_out(256, 2, 0).objects, 16);
	assert_int_equal(laid_out(512, 2, 0).order, 1);
	assert_int_equal(laid_out(1024, 2, 0).order, 2);
	assert_int_equal(laid_out(2048, 2, 0).order, 3);
	assert_int_equal(laid_out(8192, 2, 0).order, 3);
	assert_int_equal(laid_out(256, 16, 0).order, 1);
	assert_int_equal(laid_out(64, 16, 0).order, 0);
	assert_int_equal(laid_out(100000, 2, 0).objects, 1);
	assert_int_equal(laid_out(20, 2, SLAB_HWCACHE_ALIGN).align, 32);
	assert_int_equal(laid_out(65, 2, SLAB_HWCACHE_ALIGN).size, 128);
	/* What outlives an object's being free needs a place for the link. */
	assert_int_equal(laid_out(64, 2, SLAB_TYPESAFE_BY_RCU).size, 72);
}

static void test_pages_come_and_go(void **state)
{
	struct slab *a[3], *big;

	(void)state;
	root_init();
	assert_int_equal(pages_alloc(2, 0, BLOCK_META, 0, a, 3), 3);
	for (unsigned int i = 0; i < 3; i++) {
		assert_int_equal((uintptr_t)a[i]->base % (PAGE_BYTES << 2), 0);
		assert_ptr_equal(
			pages_block(slabmap_find(&root.map, a[i]->base + 5000), a[i]->base), a[i]);
		memset(a[i]->base, 1, PAGE_BYTES << 2);
		a[i]->next = NULL;
		pages_free(a[i]);
	}
	big = pages_alloc_large(40 << 20, 0);
	assert_true(big->large_bytes >= 40 << 20);
	big->base[40 << 20 >> 1] = 1;
	big->next = NULL;
	pages_free(big);
	assert_null(slabmap_find(&root.map, &big));
	pages_purge(0);
	assert_int_equal(root.pages.dirty_bytes, 0);
	/* Given back: the same block comes as zeroes. */
	assert_int_equal(pages_alloc(2, 0, BLOCK_META, 0, a, 1), 1);
	assert_int_equal(a[0]->base[100], 0);
	a[0]->next = NULL;
	pages_free(a[0]);
}

#define WAVE 1024u /* blocks of 16 KiB: 16 MiB */

/* Takes and frees so many; how many had to be asked of the system. */
static unsigned int wave(void)
{
	static struct slab *a[WAVE];
	uint64_t kept = root.pages.dirty_bytes, most = 0;

	assert_int_equal(pages_alloc(2, 0, BLOCK_META, 0, a, WAVE), WAVE);
	for (unsigned int i = 0; i < WAVE; i++) {
		a[i]->next = NULL;
		pages_free(a[i]);
		if (root.pages.dirty_bytes > most)
			most = root.pages.dirty_bytes;
	}
	/* Nothing goes and comes back within a wave. */
	assert_true(most <= WAVE * (PAGE_BYTES << 2) + kept);
	return WAVE - (unsigned int)(kept / (PAGE_BYTES << 2));
}

/* One wave leaves next to nothing; what comes back soon is kept, until nobody wants it. */
static void test_waves_are_kept(void **state)
{
	struct retain *r = &root.pages.retain;
	struct slab *a;
	uint64_t floor;

	(void)state;
	pages_purge(0);
	wave();
	assert_true(root.pages.dirty_bytes <= RETAIN_FLOOR_MIN + root.pages.used_bytes / 16);
	wave();
	wave();
	assert_int_equal(wave(), 0);
	/* A second later nobody has wanted it. */
	for (unsigned int i = 0; i < 3; i++) {
		r->since_ms -= 2 * RETAIN_SOON_MS;
		assert_int_equal(pages_alloc(2, 0, BLOCK_META, 0, &a, 1), 1);
		a->next = NULL;
		pages_free(a);
	}
	assert_true(root.pages.dirty_bytes <= RETAIN_FLOOR_MIN + root.pages.used_bytes / 16);
	/* What comes back late was not worth keeping. */
	floor = r->floor;
	for (unsigned int i = 0; i < 2; i++) {
		r->gone_ms -= 2 * RETAIN_SOON_MS;
		wave();
		assert_int_equal(r->floor, floor);
	}
	/* Nor is anything when all is asked for. */
	wave();
	wave();
	assert_int_not_equal(root.pages.dirty_bytes, 0);
	pages_purge(0);
	assert_int_equal(root.pages.dirty_bytes, 0);
	wave();
	assert_true(root.pages.dirty_bytes <= RETAIN_FLOOR_MIN + root.pages.used_bytes / 16);
}

static uintptr_t run_of(const void *p)
{
	return (uintptr_t)p >> 18;
}

/*
 * Two CPUs' slabs lie in different 256 KiB, and neither takes the rest of the other's newest slab.
 */
static void test_cpus_stay_apart(void **state)
{
	struct kmem_cache *s = kmem_cache_create("apart", 256, 0, SLAB_NO_MERGE, NULL);
	unsigned int cpus = root.nr_cpus;
	void *p[2][20], *more[100];

	(void)state;
	if (cpus < 2) {
		puts("# SKIP on one CPU");
		return;
	}
	assert_int_equal(node_take(s, 0, p[0], 20), 20);
	assert_int_equal(node_take(s, 1, p[1], 20), 20);
	for (unsigned int i = 0; i < 20; i++)
		for (unsigned int j = 0; j < 20; j++)
			assert_int_not_equal(run_of(p[0][i]), run_of(p[1][j]));
	/* Where memory is out, it serves all the same. */
	slab_fail_pages(0);
	assert_int_equal(node_take(s, 1, more, 100), 2 * 12);
	slab_fail_pages(-1);
	node_put(s, more, 24);
	for (unsigned int cpu = 0; cpu < 2; cpu++)
		node_put(s, p[cpu], 20);
	assert_int_equal(kmem_cache_validate(s), 0);
	kmem_cache_destroy(s);
}

static void test_barn_bounds(void **state)
{
	struct kmem_cache s = { .barn_max = 4, .capacity = 6 };
	struct barn b = { .limit = 4 };
	static union {
		struct sheaf head;
		char room[sizeof(struct sheaf) + 6 * sizeof(void *)];
	} sheaves[8];
	struct sheaf *empty;

	(void)state;
	for (unsigned int i = 0; i < 4; i++)
		assert_true(barn_put_full(&b, &sheaves[i].head, &empty));
	assert_false(barn_put_full(&b, &sheaves[4].head, &empty));
	/* Last in, first out; the empty one that pays is found again. */
	assert_ptr_equal(barn_get_full(&b, &sheaves[5].head), &sheaves[3].head);
	assert_true(barn_put_full(&b, &sheaves[3].head, &empty));
	assert_ptr_equal(empty, &sheaves[5].head);
	/* Flushes alone bring the bound down to nothing, and what is over it comes out. */
	for (unsigned int i = 0; i < 8; i++)
		barn_note_flush(&s, &b);
	assert_int_equal(b.limit, 0);
	assert_int_equal(b.nr_full, 0);
	/* Misses bring it back. */
	assert_false(barn_note_miss(&s, &b));
	assert_int_equal(b.limit, 1);
	for (unsigned int i = 0; i < 3; i++)
		assert_false(barn_note_miss(&s, &b));
	assert_int_equal(b.limit, 4);
	assert_true(barn_note_miss(&s, &b));
}

/* Empty sheaves are lent only for as many as the barn would take full. */
static void test_barn_lends_what_it_has_room_for(void **state)
{
	struct barn b = { .limit = 4 };
	static struct sheaf full[3], empty[3];
	struct sheaf *chain, *none;

	(void)state;
	for (unsigned int i = 0; i < 3; i++)
		barn_give(&b, NULL, &empty[i]);
	assert_int_equal(barn_take_empty(&b, &chain, 2), 2);
	barn_give(&b, NULL, chain);
	for (unsigned int i = 0; i < 3; i++) {
		full[i].next = NULL;
		barn_give(&b, &full[i], NULL);
	}
	assert_int_equal(barn_take_empty(&b, &chain, 3), 1);
	barn_give(&b, chain, NULL);
	assert_int_equal(b.nr_full, 4);
	assert_int_equal(barn_take_empty(&b, &none, 3), 0);
	assert_null(none);
	/* One whose bound has come down below what it has lends none. */
	b.limit = 1;
	assert_int_equal(barn_take_empty(&b, &none, 1), 0);
}

/* However many objects are to come home, the stock of sheaves has its bound, and two are left. */
static void test_stock_of_empty_sheaves(void **state)
{
	struct kmem_cache *s = kmem_cache_create("stock", 256, 0, SLAB_NO_MERGE, NULL);
	struct cpu_block *b = cpu_lock(s);
	struct barn *barn = &b->barn;

	(void)state;
	assert_non_null(b);
	sheaf_stock_empty(s, b, s->capacity - 1);
	assert_int_equal(barn->nr_empty, 0);
	sheaf_stock_empty(s, b, 2 * s->capacity);
	assert_int_equal(barn->nr_empty, 2);
	for (unsigned int i = 0; i < 40; i++)
		sheaf_stock_empty(s, b, s->capacity * s->barn_max);
	assert_int_equal(barn->nr_empty, s->barn_max);
	assert_true(b->area + 2 * sheaf_bytes(s->capacity) <= b->area_end);
	cpu_unlock(s, b);
	kmem_cache_destroy(s);
}

/* A flow of frees has closed a barn; whoever looks for sheaves in it opens it again. */
static void test_barn_reopens(void **state)
{
	struct kmem_cache *s = kmem_cache_create("closed", 256, 0, SLAB_NO_MERGE, NULL);

	(void)state;
	if (root.nr_cpus < 2) {
		puts("# SKIP on one CPU");
		return;
	}
	for (unsigned int i = 0; i < 100; i++)
		barn_note_flush(s, &s->cpu[1].barn);
	assert_int_equal(s->cpu[1].barn.limit, 0);
	assert_int_equal(barn_steal(s, &s->cpu[0]), 0);
	assert_int_equal(s->cpu[1].barn.limit, s->barn_max);
	kmem_cache_destroy(s);
}

static void test_sheaf_sizes(void **state)
{
	(void)state;
	assert_int_equal(sheaf_default_capacity(8), 126);
	assert_int_equal(sheaf_default_capacity(256), 126);
	assert_int_equal(sheaf_default_capacity(512), 62);
	assert_int_equal(sheaf_default_capacity(4096), 6);
	assert_int_equal(sheaf_default_capacity(1 << 20), 6);
	assert_int_equal(sheaf_bytes(126), 1024);
	assert_int_equal(sheaf_bytes(6), 64);
	assert_true(sheaf_default_stock(256, 126) * 126 >= 1000);
	assert_int_equal(sheaf_default_stock(1 << 20, 6), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_orders_are_slubs),
		cmocka_unit_test(test_pages_come_and_go),
		cmocka_unit_test(test_waves_are_kept),
		cmocka_unit_test(test_cpus_stay_apart),
		cmocka_unit_test(test_barn_bounds),
		cmocka_unit_test(test_barn_lends_what_it_has_room_for),
		cmocka_unit_test(test_stock_of_empty_sheaves),
		cmocka_unit_test(test_barn_reopens),
		cmocka_unit_test(test_sheaf_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
