// SPDX-License-Identifier: MIT
/*
 * limit_test.c - no more is held than the limit allows, nothing that could be had is refused, and
 * what is refused leaves nothing half done.
 */
#include "cmocka_all.h"

#include <errno.h>
#include <pthread.h>
#include <slab/slab.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "report_trap.h"
#include "rerun.h"

#define ALL (SLAB_RED_ZONE | SLAB_POISON | SLAB_STORE_USER | SLAB_CONSISTENCY_CHECKS)

/* Every kind of cache: default, small sheaves, none, watched. */
static const struct {
	unsigned int capacity;
	slab_flags_t flags;
} kinds[] = { { 0, 0 }, { 5, 0 }, { SLAB_NO_SHEAVES, 0 }, { 0, ALL } };

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))
#define MIB   ((uint64_t)1 << 20)

static struct kmem_cache *make(unsigned int kind, unsigned int size)
{
	struct kmem_cache_args args = { .sheaf_capacity = kinds[kind].capacity };
	struct kmem_cache *s =
		kmem_cache_create("bounded", size, &args, SLAB_NO_MERGE | kinds[kind].flags);

	assert_non_null(s);
	return s;
}

static struct slab_memory memory(void)
{
	struct slab_memory m;

	slab_memory(&m);
	return m;
}

/* So much more than is held without a byte to spare. */
static void allow(uint64_t bytes)
{
	slab_set_limit(1);
	assert_int_equal(slab_set_limit(memory().held_bytes + bytes), 0);
}

static uint64_t in_use(struct kmem_cache *s)
{
	struct kmem_cache_stats st;

	kmem_cache_shrink(s);
	kmem_cache_stats(s, &st);
	return st.objects_in_use;
}

/* Until there is no more, linked by their first words; how many. */
static size_t hoard(struct kmem_cache *s, gfp_t gfp, void **list)
{
	size_t n = 0, size = kmem_cache_size(s);
	void **p;

	errno = 0;
	while ((p = kmem_cache_alloc(s, gfp))) {
		memset(p, 0x41, size);
		*p = *list;
		*list = p;
		n++;
	}
	assert_int_equal(errno, ENOMEM);
	assert_true(memory().held_bytes <= memory().limit_bytes);
	return n;
}

static void let_go(struct kmem_cache *s, void **list)
{
	while (*list) {
		void **p = *list;

		*list = *p;
		kmem_cache_free(s, p);
	}
}

static void test_what_is_held_is_known(void **state)
{
	struct slab_memory before, during;
	void *p;

	(void)state;
	/* The map may need a leaf for the addresses; it stays. */
	kfree(kmalloc(3 * MIB - 8192, GFP_KERNEL));
	kfree(kmalloc(2 * MIB, GFP_KERNEL));
	slab_set_limit(1);
	assert_int_equal(slab_set_limit(0), 0);
	before = memory();
	p = kmalloc(3 * MIB - 8192, GFP_KERNEL);
	during = memory();
	/* A mapping of its own: a page in front. */
	assert_int_equal(during.held_bytes, before.held_bytes + 3 * MIB - 8192 + 4096);
	assert_int_equal(during.used_bytes, before.used_bytes + 3 * MIB - 8192 + 4096);
	kfree(p);
	assert_int_equal(memory().held_bytes, before.held_bytes);
	assert_int_equal(memory().held_peak_bytes, during.held_bytes);
	p = kmalloc(2 * MIB, GFP_KERNEL);
	during = memory();
	/* A block of 2 MiB, and the page of its chunk's header. */
	assert_int_equal(during.held_bytes, before.held_bytes + 2 * MIB + 4096);
	kfree(p);
	assert_int_equal(memory().used_bytes, before.used_bytes);
	slab_set_limit(1);
	assert_int_equal(memory().held_bytes, before.held_bytes);
	slab_set_limit(0);
}

static uint64_t rss_bytes(void)
{
	unsigned long pages = 0;
	FILE *f = fopen("/proc/self/statm", "r");

	assert_non_null(f);
	assert_int_equal(fscanf(f, "%*u %lu", &pages), 1);
	fclose(f);
	return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* The system's own count of pages agrees. */
static void test_the_process_grows_by_what_is_held(void **state)
{
	struct kmem_cache *s = make(0, 500);
	uint64_t held, rss;
	void *list = NULL;
	size_t n;

	(void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	puts("# SKIP under a sanitizer, whose shadow grows too");
	kmem_cache_destroy(s);
	return;
#endif
	allow(24 * MIB);
	held = memory().held_bytes;
	rss = rss_bytes();
	n = hoard(s, GFP_KERNEL, &list);
	rss = rss_bytes() - rss;
	held = memory().held_bytes - held;
	printf("# %zu objects of 504 bytes below 24 MiB; %llu KiB held, the process grew by %llu\n",
	       n, (unsigned long long)held >> 10, (unsigned long long)rss >> 10);
	assert_true(n * 504 > 24 * MIB * 94 / 100 / (getenv("SLAB_OPTIONS") ? 2 : 1));
	assert_true(rss < held + MIB / 2 && held < rss + MIB / 2);
	let_go(s, &list);
	slab_set_limit(0);
	assert_destroys(s);
}

/* Memory that is free in one cache, wherever, is another's if that needs it. */
static void test_free_memory_changes_hands(void **state)
{
	(void)state;
	for (unsigned int kind = 0; kind < KINDS; kind++) {
		for (unsigned int atomic = 0; atomic < 2; atomic++) {
			struct kmem_cache *a = make(kind, 200), *b = make((kind + 1) % KINDS, 3000);
			gfp_t gfp = atomic ? GFP_ATOMIC : GFP_KERNEL;
			void *list = NULL;
			size_t first, again;

			allow(4 * MIB);
			first = hoard(b, gfp, &list);
			let_go(b, &list);
			assert_true(hoard(a, gfp, &list) > 5000);
			let_go(a, &list);
			again = hoard(b, gfp, &list);
			/* A chunk of the other's order keeps its header; sheaves their memory. */
			if (again + first / 10 < first)
				fail_msg("kind %u: %zu objects, then %zu", kind, first, again);
			let_go(b, &list);
			assert_true(memory().held_peak_bytes >= memory().held_bytes);
			slab_set_limit(0);
			assert_destroys(a);
			assert_destroys(b);
		}
	}
}

/* Each way of asking says no, and has taken nothing. */
static void test_refusals_leave_nothing(void **state)
{
	(void)state;
	for (unsigned int kind = 0; kind < KINDS; kind++) {
		struct kmem_cache *s = make(kind, 120);
		struct slab_sheaf *sheaf = kmem_cache_prefill_sheaf(s, GFP_KERNEL, 7);
		void **p = calloc(100000, sizeof(*p)), *small = kmalloc(100, GFP_KERNEL);
		uint64_t refused = memory().refused, held;

		memset(small, 5, 100);
		allow(MIB);
		held = memory().held_bytes;
		for (unsigned int round = 0; round < 3; round++) {
			assert_int_equal(kmem_cache_alloc_bulk(s, GFP_KERNEL, 100000, p), 0);
			assert_null(kmem_cache_prefill_sheaf(s, GFP_KERNEL, 50000));
			assert_int_equal(errno, ENOMEM);
			assert_int_equal(kmem_cache_refill_sheaf(s, GFP_KERNEL, &sheaf, 50000),
					 -ENOMEM);
			assert_int_equal(kmem_cache_sheaf_size(sheaf), 7);
			assert_null(kmalloc(2 * MIB, GFP_KERNEL));
			assert_null(kzalloc(20 * MIB, GFP_ATOMIC));
			assert_null(krealloc(small, 3 * MIB, GFP_KERNEL));
			assert_int_equal(in_use(s), 7);
		}
		assert_true(memory().refused >= refused + 18);
		assert_true(memory().held_peak_bytes <= memory().limit_bytes ||
			    memory().held_peak_bytes > 4 * MIB);
		for (unsigned int i = 0; i < 100; i++)
			assert_int_equal(((unsigned char *)small)[i], 5);
		kfree(small);
		kmem_cache_return_sheaf(s, GFP_KERNEL, sheaf);
		slab_set_limit(1);
		/* The sheaves' own memory is the cache's while it lives. */
		assert_true(memory().held_bytes <= held + 128 * 1024);
		slab_set_limit(0);
		assert_int_equal(kmem_cache_validate(s), 0);
		assert_destroys(s);
		free(p);
	}
}

static void test_a_limit_below_what_is_in_use(void **state)
{
	char *p = kmalloc(10 * MIB, GFP_KERNEL);
	uint64_t limit = memory().held_bytes - 5 * MIB;

	(void)state;
	assert_int_equal(slab_set_limit(limit), -EBUSY);
	assert_int_equal(memory().limit_bytes, limit);
	assert_null(kmalloc(2 * MIB, GFP_KERNEL));
	kfree(p);
	assert_int_equal(slab_set_limit(limit), 0);
	p = kmalloc(2 * MIB, GFP_KERNEL);
	assert_non_null(p);
	kfree(p);
	assert_int_equal(slab_set_limit(0), 0);
	p = kmalloc(30 * MIB, GFP_KERNEL);
	assert_non_null(p);
	kfree(p);
}

struct giver {
	struct kmem_cache *s;
	void *list;
};

/* While others wait for it. */
static void *give_later(void *arg)
{
	struct timespec nap = { .tv_nsec = 20000000 };
	struct giver *g = arg;

	nanosleep(&nap, NULL);
	let_go(g->s, &g->list);
	return NULL;
}

/*
 * Where it may wait it is served when another has freed something; where it may not, it may fail.
 */
static void test_an_allocation_that_must_not_fail(void **state)
{
	(void)state;
	for (unsigned int kind = 0; kind < KINDS; kind++) {
		struct giver g = { .s = make(kind, 2000) };
		struct kmem_cache *s = make(kind, 700);
		void *p[100], *rest = NULL;
		pthread_t thread;

		allow(2 * MIB);
		assert_true(hoard(g.s, GFP_KERNEL, &g.list) > 500);
		hoard(s, GFP_KERNEL, &rest);
		assert_null(kmem_cache_alloc(s, GFP_NOWAIT | __GFP_NOFAIL));
		assert_int_equal(pthread_create(&thread, NULL, give_later, &g), 0);
		assert_int_equal(kmem_cache_alloc_bulk(s, GFP_KERNEL | __GFP_NOFAIL, 100, p), 100);
		pthread_join(thread, NULL);
		kmem_cache_free_bulk(s, 100, p);
		assert_null(kmalloc(SIZE_MAX - 8, GFP_KERNEL | __GFP_NOFAIL));
		slab_set_limit(0);
		let_go(s, &rest);
		assert_destroys(s);
		assert_destroys(g.s);
	}
}

static void test_caches_are_made_at_the_limit(void **state)
{
	struct kmem_cache *s = make(0, 4000), *more[40];
	void *list = NULL, *rest = NULL;
	unsigned int n;

	(void)state;
	allow(2 * MIB);
	hoard(s, GFP_KERNEL, &list);
	errno = 0;
	for (n = 0; n < 40; n++)
		if (!(more[n] = kmem_cache_create("late", 4000, 0, SLAB_NO_MERGE, NULL)))
			break;
	assert_true(n == 40 || errno == ENOMEM);
	while (n)
		kmem_cache_destroy(more[--n]);
	/* Now free, but in the sheaves and slabs of s. */
	let_go(s, &list);
	for (n = 0; n < 40; n++)
		assert_non_null(more[n] = kmem_cache_create("late", 4000, 0, SLAB_NO_MERGE, NULL));
	assert_true(hoard(more[3], GFP_KERNEL, &rest) > 200);
	let_go(more[3], &rest);
	while (n)
		assert_destroys(more[--n]);
	slab_set_limit(0);
	assert_destroys(s);
}

/* ---- many at once ---------------------------------------------------------------------------- */

#define THREADS 4
#define SLOTS	600

struct crowd {
	struct kmem_cache *cache[2];
	unsigned int seed;
	unsigned long refused, wrong;
};

static void *crowd(void *arg)
{
	struct crowd *c = arg;
	unsigned int seed = __atomic_add_fetch(&c->seed, 1, __ATOMIC_RELAXED);
	unsigned char *slot[SLOTS] = { NULL };
	unsigned long refused = 0, wrong = 0;

	for (unsigned int i = 0; i < 40000; i++) {
		unsigned int k = (unsigned int)rand_r(&seed) % SLOTS;
		struct kmem_cache *s = c->cache[k % 2];

		if (slot[k]) {
			wrong += slot[k][0] != (k & 255) || slot[k][999] != (k & 255);
			kmem_cache_free(s, slot[k]);
			slot[k] = NULL;
		} else if ((slot[k] = kmem_cache_alloc(s, i % 3 ? GFP_KERNEL : GFP_NOWAIT))) {
			memset(slot[k], (int)k, 1000);
		} else {
			refused++;
		}
	}
	for (unsigned int k = 0; k < SLOTS; k++)
		kmem_cache_free(c->cache[k % 2], slot[k]);
	__atomic_add_fetch(&c->refused, refused, __ATOMIC_RELAXED);
	__atomic_add_fetch(&c->wrong, wrong, __ATOMIC_RELAXED);
	return NULL;
}

static void test_many_threads_at_the_limit(void **state)
{
	struct crowd c = { .cache = { make(0, 1000), make(2, 1400) } };
	pthread_t thread[THREADS];

	(void)state;
	allow(MIB);
	for (unsigned int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, crowd, &c), 0);
	for (unsigned int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	printf("# %lu of %u steps refused\n", c.refused, THREADS * 40000);
	assert_int_equal(c.wrong, 0);
	assert_true(memory().held_bytes <= memory().limit_bytes);
	slab_set_limit(0);
	for (unsigned int i = 0; i < 2; i++) {
		assert_int_equal(kmem_cache_validate(c.cache[i]), 0);
		assert_destroys(c.cache[i]);
	}
}

/* ---- in a process of its own ----------------------------------------------------------------- */

static int wait_for(pid_t pid)
{
	int status = -1;

	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status;
}

/* The system refuses instead of the limit. */
static int child_without_address_space(void)
{
	struct kmem_cache *a = make(0, 200), *b = make(2, 3000);
	struct rlimit as;
	unsigned long pages = 0;
	void *list = NULL;
	FILE *f = fopen("/proc/self/statm", "r");
	size_t n = 0;
	void **p;

	if (!f || fscanf(f, "%lu", &pages) != 1 || getrlimit(RLIMIT_AS, &as))
		return 10;
	fclose(f);
	as.rlim_cur = pages * (rlim_t)sysconf(_SC_PAGESIZE) + (32 << 20);
	if (setrlimit(RLIMIT_AS, &as))
		return 11;
	while ((p = kmem_cache_alloc(a, GFP_KERNEL))) {
		*p = list;
		list = p;
		n++;
	}
	if (errno != ENOMEM || n < 50000)
		return 12;
	let_go(a, &list);
	for (n = 0; (p = kmem_cache_alloc(b, GFP_KERNEL)); n++) {
		*p = list;
		list = p;
	}
	if (n < 5000)
		return 13;
	let_go(b, &list);
	return !kmalloc(20 << 20, GFP_KERNEL);
}

static void test_the_system_refuses(void **state)
{
	pid_t pid;

	(void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	puts("# SKIP under a sanitizer, which needs address space");
	return;
#endif
	pid = fork();
	if (!pid)
		_exit(child_without_address_space());
	assert_int_equal(wait_for(pid), 0);
}

static int child_with_option(void)
{
	struct slab_memory m;

	slab_memory(&m);
	return m.limit_bytes != 3 * MIB || kmalloc(3 * MIB, GFP_KERNEL) ||
	       !kmalloc(MIB, GFP_KERNEL);
}

static void test_by_the_environment(void **state)
{
	pid_t pid = fork();

	(void)state;
	if (!pid)
		rerun("limit=3M", "SLABKIT_LIMIT_CHILD");
	assert_int_equal(wait_for(pid), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_is_held_is_known),
		cmocka_unit_test(test_the_process_grows_by_what_is_held),
		cmocka_unit_test(test_free_memory_changes_hands),
		cmocka_unit_test(test_refusals_leave_nothing),
		cmocka_unit_test(test_a_limit_below_what_is_in_use),
		cmocka_unit_test(test_an_allocation_that_must_not_fail),
		cmocka_unit_test(test_caches_are_made_at_the_limit),
		cmocka_unit_test(test_many_threads_at_the_limit),
		cmocka_unit_test(test_the_system_refuses),
		cmocka_unit_test(test_by_the_environment),
	};

	if (getenv("SLABKIT_LIMIT_CHILD"))
		return child_with_option();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
