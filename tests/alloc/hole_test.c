// SPDX-License-Identifier: MIT
/*
 * hole_test.c - a shrink gives back just the pages inside slabs that no object in use touches, and
 * they come back when the slab is allocated from.
 */
#include "cmocka_all.h"

#include <errno.h>
#include <pthread.h>
#include <slab/slab.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "report_trap.h"

#define COUNT 1000

struct set {
	struct kmem_cache *s;
	struct kmem_cache_stats st;
	unsigned int size;
	size_t block, page;
	char *p[COUNT];
	uint64_t seed;
};

static unsigned int rnd(struct set *t)
{
	t->seed = t->seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (unsigned int)(t->seed >> 33);
}

static struct slab_memory memory(void)
{
	struct slab_memory m;

	slab_memory(&m);
	return m;
}

/* Its capacity is asked for, so that SLAB_OPTIONS takes no sheaves away. */
static struct set *new_set(unsigned int size, slab_flags_t flags)
{
	struct kmem_cache_args args = { .sheaf_capacity = 20 };
	struct set *t = calloc(1, sizeof(*t));

	t->size = size;
	t->seed = size;
	t->page = (size_t)sysconf(_SC_PAGESIZE);
	t->s = kmem_cache_create("hole", size, &args, SLAB_NO_MERGE | flags);
	assert_non_null(t->s);
	kmem_cache_stats(t->s, &t->st);
	t->block = (size_t)4096 << t->st.order;
	return t;
}

static bool has_holes(const struct set *t)
{
	bool possible = t->st.sheaf_capacity && t->block > t->page && t->st.objects_per_slab > 1;

	if (!possible)
		puts("# SKIP: pages are too large, or every cache is watched");
	return possible;
}

static bool fill(struct set *t)
{
	for (unsigned int i = 0; i < COUNT; i++) {
		if (t->p[i])
			continue;
		t->p[i] = kmem_cache_alloc(t->s, GFP_NOWAIT);
		if (!t->p[i])
			return false;
		memset(t->p[i], (int)(i % 251 + 1), t->size);
	}
	return true;
}

static void thin_out(struct set *t, unsigned int percent)
{
	for (unsigned int i = 0; i < COUNT; i++)
		if (t->p[i] && rnd(t) % 100 < percent) {
			kmem_cache_free(t->s, t->p[i]);
			t->p[i] = NULL;
		}
}

static void check_contents(const struct set *t)
{
	for (unsigned int i = 0; i < COUNT; i++)
		if (t->p[i] && ((unsigned char)t->p[i][0] != i % 251 + 1 ||
				memcmp(t->p[i], t->p[i] + 1, t->size - 1)))
			fail_msg("object %u is not what it was", i);
	assert_int_equal(kmem_cache_validate(t->s), 0);
}

static void finish(struct set *t)
{
	for (unsigned int i = 0; i < COUNT; i++)
		kmem_cache_free(t->s, t->p[i]);
	assert_destroys(t->s);
	free(t);
}

static bool touches(const struct set *t, const char *page)
{
	for (unsigned int i = 0; i < COUNT; i++)
		if (t->p[i] && t->p[i] < page + t->page && t->p[i] + t->st.size > page)
			return true;
	return false;
}

static char *slab_of(const struct set *t, const char *object)
{
	return (char *)((uintptr_t)object & ~(uintptr_t)(t->block - 1));
}

static bool is_first_of_slab(const struct set *t, unsigned int i)
{
	for (unsigned int k = 0; k < i; k++)
		if (t->p[k] && slab_of(t, t->p[k]) == slab_of(t, t->p[i]))
			return false;
	return true;
}

/*
 * Pages of one slab with objects on them, but none in use: none of them is resident. Their bytes.
 */
static size_t check_slab(const struct set *t, char *base)
{
	size_t used = t->st.objects_per_slab * t->st.size, free = 0;
	unsigned char in[8];

	assert_int_equal(mincore(base, t->block, in), 0);
	for (size_t at = 0; at < used; at += t->page) {
		bool busy = touches(t, base + at);

		assert_int_equal(in[at / t->page] & 1, busy);
		free += busy ? 0 : t->page;
	}
	return free;
}

static void check_residence(const struct set *t)
{
	struct kmem_cache_stats st;
	size_t free = 0;

	for (unsigned int i = 0; i < COUNT; i++)
		if (t->p[i] && is_first_of_slab(t, i))
			free += check_slab(t, slab_of(t, t->p[i]));
	kmem_cache_stats(t->s, &st);
	assert_true(free > 0);
	assert_int_equal(st.released_bytes, free);
	assert_int_equal(st.footprint_bytes, st.slabs * t->block);
}

/* Objects within pages, larger ones, and such that lie across the pages' borders. */
static void test_pages_go_and_come_back(void **state)
{
	static const unsigned int sizes[] = { 512, 700, 1024, 1500, 4096, 6000 };

	(void)state;
	for (unsigned int i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct set *t = new_set(sizes[i], 0);
		struct slab_memory full, thin;
		struct kmem_cache_stats st;
		uint64_t released;

		if (has_holes(t)) {
			assert_true(fill(t));
			thin_out(t, 90);
			kmem_cache_shrink(t->s);
			check_residence(t);
			check_contents(t);
			/* Once more: there is nothing left to do. */
			thin = memory();
			kmem_cache_shrink(t->s);
			assert_int_equal(memory().held_bytes, thin.held_bytes);
			check_residence(t);
			/* What is freed while there are holes makes more of them. */
			thin_out(t, 50);
			kmem_cache_shrink(t->s);
			check_residence(t);
			full = memory();
			kmem_cache_stats(t->s, &st);
			assert_true(full.held_bytes < thin.held_bytes);
			released = st.released_bytes;
			assert_true(fill(t));
			check_contents(t);
			kmem_cache_stats(t->s, &st);
			/* With several nodes new memory that is near comes before far pages. */
			assert_true(st.released_bytes < released / 2 || slab_nr_nodes() > 1);
		}
		finish(t);
	}
}

/* Fresh objects, too, may lie where pages went, and slabs with holes may go as a whole. */
static void test_never_used_objects(void **state)
{
	struct set *t = new_set(1024, 0);
	struct slab_memory before = memory();

	(void)state;
	for (unsigned int n = 1; has_holes(t) && n < 40; n += 9) {
		for (unsigned int i = 0; i < n; i++) {
			t->p[i] = kmem_cache_alloc(t->s, GFP_KERNEL);
			memset(t->p[i], (int)(i % 251 + 1), t->size);
		}
		kmem_cache_shrink(t->s);
		check_contents(t);
		assert_true(fill(t));
		check_contents(t);
		thin_out(t, 95);
		kmem_cache_shrink(t->s);
		check_residence(t);
		thin_out(t, 100);
		kmem_cache_shrink(t->s);
		kmem_cache_stats(t->s, &t->st);
		assert_int_equal(t->st.slabs, 0);
		assert_int_equal(t->st.released_bytes, 0);
	}
	finish(t);
	kfree(kmalloc(1, GFP_KERNEL));
	assert_true(memory().used_bytes <= before.used_bytes + (1 << 20));
}

static void test_double_free_is_told(void **state)
{
	struct set *t = new_set(4096, 0);
	char *gone = NULL;

	(void)state;
	if (has_holes(t)) {
		assert_true(fill(t));
		for (unsigned int i = 0; i < COUNT; i++)
			if (i % 2) {
				gone = t->p[i];
				kmem_cache_free(t->s, gone);
				t->p[i] = NULL;
			}
		kmem_cache_shrink(t->s);
		check_residence(t);
		/* The sheaf knows nothing of it yet. */
		assert_reports("double free",
			       (kmem_cache_free(t->s, gone), kmem_cache_shrink(t->s)));
		check_contents(t);
	}
	finish(t);
}

/* A page that comes back is memory like any other: it may be refused, and nothing is lost then. */
static void test_no_memory_for_a_page(void **state)
{
	struct set *t = new_set(1500, 0);

	(void)state;
	for (long after = 0; has_holes(t) && after < 5; after++) {
		assert_true(fill(t));
		thin_out(t, 90);
		kmem_cache_shrink(t->s);
		slab_fail_pages(after);
		errno = 0;
		assert_false(fill(t));
		assert_int_equal(errno, ENOMEM);
		check_contents(t);
		slab_fail_pages(-1);
		assert_true(fill(t));
		check_contents(t);
	}
	finish(t);
}

/* At the limit what one cache has free inside its slabs serves another, and only then. */
static void test_limit(void **state)
{
	struct set *t = new_set(2048, 0), *other = new_set(3000, 0);

	(void)state;
	if (has_holes(t)) {
		uint64_t limit;

		assert_true(fill(t));
		thin_out(t, 90);
		limit = memory().held_bytes + (64 << 10);
		assert_int_equal(slab_set_limit(limit), 0);
		for (unsigned int i = 0; i < COUNT / 3; i++) {
			other->p[i] = kmem_cache_alloc(other->s, GFP_KERNEL);
			assert_non_null(other->p[i]);
			memset(other->p[i], (int)(i % 251 + 1), other->size);
			assert_true(memory().held_bytes <= limit);
		}
		assert_false(fill(t));
		assert_true(memory().held_peak_bytes >= memory().held_bytes);
		assert_true(memory().held_bytes <= limit);
		check_contents(t);
		check_contents(other);
		slab_set_limit(0);
		assert_true(fill(t));
		check_contents(t);
	}
	finish(t);
	finish(other);
}

static void nothing(void *object)
{
	(void)object;
}

/*
 * What must stay as it is stays: constructed objects, those that readers may look at, watched ones.
 */
static void test_who_has_none(void **state)
{
	static const slab_flags_t flags[] = { 0, SLAB_TYPESAFE_BY_RCU, SLAB_POISON };

	(void)state;
	for (unsigned int i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		struct kmem_cache_args args = { .ctor = flags[i] ? NULL : nothing };
		struct kmem_cache *s =
			kmem_cache_create("whole", 2048, &args, SLAB_NO_MERGE | flags[i]);
		struct kmem_cache_stats st;
		void *p[100];

		assert_int_equal(kmem_cache_alloc_bulk(s, GFP_KERNEL, 100, p), 100);
		kmem_cache_free_bulk(s, 99, p);
		kmem_cache_shrink(s);
		kmem_cache_stats(s, &st);
		assert_int_equal(st.released_bytes, 0);
		kmem_cache_free(s, p[99]);
		assert_destroys(s);
	}
}

/* ---- others meanwhile ------------------------------------------------------------------------ */

#define THREADS 4
#define HELD	300

struct storm {
	struct kmem_cache *s;
	unsigned int size;
	bool stop;
	uint64_t errors;
};

struct worker {
	struct storm *storm;
	uint64_t id, seed;
};

static void *work(void *arg)
{
	struct worker *w = arg;
	struct storm *storm = w->storm;
	uint64_t *p[HELD] = { NULL };
	size_t last = storm->size / 8 - 1;

	while (!__atomic_load_n(&storm->stop, __ATOMIC_RELAXED)) {
		unsigned int i;

		w->seed = w->seed * 6364136223846793005ULL + 1442695040888963407ULL;
		i = (unsigned int)(w->seed >> 33) % HELD;
		if (!p[i]) {
			/* Most are gone most of the time. */
			if ((w->seed >> 50) % 4)
				continue;
			p[i] = kmem_cache_alloc(storm->s, GFP_KERNEL);
			if (!p[i])
				abort();
			for (size_t k = 0; k <= last; k++)
				p[i][k] = w->id;
			continue;
		}
		for (size_t k = 0; k <= last; k++)
			if (p[i][k] != w->id)
				__atomic_add_fetch(&storm->errors, 1, __ATOMIC_RELAXED);
		kmem_cache_free(storm->s, p[i]);
		p[i] = NULL;
	}
	for (unsigned int i = 0; i < HELD; i++)
		kmem_cache_free(storm->s, p[i]);
	return NULL;
}

static void storm(unsigned int size)
{
	struct kmem_cache_args args = { .sheaf_capacity = 4 };
	struct storm st = { .s = kmem_cache_create("hole_storm", size, &args, SLAB_NO_MERGE),
			    .size = size };
	struct timespec nap = { .tv_nsec = 500000 };
	struct kmem_cache_stats stats;
	struct worker w[THREADS];
	pthread_t thread[THREADS];

	kmem_cache_stats(st.s, &stats);
	for (unsigned int i = 0; i < THREADS; i++) {
		w[i] = (struct worker){ .storm = &st, .id = i + 1, .seed = i };
		assert_int_equal(pthread_create(&thread[i], NULL, work, &w[i]), 0);
	}
	for (unsigned int i = 0; i < 60; i++) {
		kmem_cache_shrink(st.s);
		/* Watched objects change outside of the slabs' lock. */
		if (stats.sheaf_capacity)
			assert_int_equal(kmem_cache_validate(st.s), 0);
		nanosleep(&nap, NULL);
	}
	__atomic_store_n(&st.stop, true, __ATOMIC_RELAXED);
	for (unsigned int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	assert_int_equal(st.errors, 0);
	assert_destroys(st.s);
}

static void test_storm(void **state)
{
	(void)state;
	storm(1000);
	storm(3000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pages_go_and_come_back),
		cmocka_unit_test(test_never_used_objects),
		cmocka_unit_test(test_double_free_is_told),
		cmocka_unit_test(test_no_memory_for_a_page),
		cmocka_unit_test(test_limit),
		cmocka_unit_test(test_who_has_none),
		cmocka_unit_test(test_storm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
