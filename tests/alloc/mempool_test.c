// SPDX-License-Identifier: MIT
/* mempool_test.c - with all memory refused, users of a pool go on; the reserve loses nothing. */
#include "cmocka_all.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <slab/slab.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report_trap.h"

#define ALL (SLAB_RED_ZONE | SLAB_POISON | SLAB_STORE_USER | SLAB_CONSISTENCY_CHECKS)

static const slab_flags_t kinds[] = { 0, ALL };

static struct kmem_cache *make(slab_flags_t flags)
{
	struct kmem_cache *s = kmem_cache_create("request", 1000, 0, SLAB_NO_MERGE | flags, NULL);

	assert_non_null(s);
	return s;
}

/* A source that a test opens and closes, and that knows what is out. */
struct source {
	bool closed;
	long out;
};

static void *from_source(gfp_t gfp, void *data)
{
	struct source *src = data;

	(void)gfp;
	if (__atomic_load_n(&src->closed, __ATOMIC_ACQUIRE))
		return NULL;
	__atomic_add_fetch(&src->out, 1, __ATOMIC_RELAXED);
	return malloc(100);
}

static void to_source(void *element, void *data)
{
	struct source *src = data;

	__atomic_sub_fetch(&src->out, 1, __ATOMIC_RELAXED);
	free(element);
}

static void test_the_reserve_is_the_last_resort(void **state)
{
	struct source src = { 0 };
	mempool_t *pool = mempool_create(3, from_source, to_source, &src);
	void *p[5];

	(void)state;
	assert_non_null(pool);
	assert_int_equal(src.out, 3);
	for (unsigned int i = 0; i < 2; i++)
		p[i] = mempool_alloc(pool, GFP_NOWAIT);
	assert_int_equal(src.out, 5);
	src.closed = true;
	for (unsigned int i = 2; i < 5; i++) {
		p[i] = mempool_alloc(pool, GFP_NOWAIT);
		assert_non_null(p[i]);
	}
	assert_int_equal(src.out, 5);
	errno = 0;
	assert_null(mempool_alloc(pool, GFP_NOWAIT));
	assert_int_equal(errno, ENOMEM);
	/* The first to come back fill the reserve, the others go home. */
	for (unsigned int i = 0; i < 5; i++) {
		mempool_free(p[i], pool);
		assert_int_equal(src.out, i < 3 ? 5 : 5 - (i - 2));
	}
	mempool_free(NULL, pool);
	mempool_destroy(pool);
	mempool_destroy(NULL);
	assert_int_equal(src.out, 0);
}

static void test_resize(void **state)
{
	struct source src = { 0 };
	mempool_t *pool = mempool_create(4, from_source, to_source, &src);
	void *p[6];

	(void)state;
	assert_int_equal(mempool_resize(pool, 0), -EINVAL);
	assert_int_equal(mempool_resize(pool, 1), 0);
	assert_int_equal(src.out, 1);
	assert_int_equal(mempool_resize(pool, 6), 0);
	assert_int_equal(src.out, 6);
	src.closed = true;
	for (unsigned int i = 0; i < 6; i++)
		assert_non_null(p[i] = mempool_alloc(pool, GFP_NOWAIT));
	/* Grown while the source has nothing: it fills with what comes back. */
	assert_int_equal(mempool_resize(pool, 600), 0);
	for (unsigned int i = 0; i < 6; i++)
		mempool_free(p[i], pool);
	assert_int_equal(src.out, 6);
	mempool_destroy(pool);
	assert_int_equal(src.out, 0);
}

static void test_bad_arguments_and_no_memory(void **state)
{
	struct source src = { .closed = true };

	(void)state;
	errno = 0;
	assert_null(mempool_create(0, from_source, to_source, &src));
	assert_int_equal(errno, EINVAL);
	errno = 0;
	assert_null(mempool_create_slab_pool(1, NULL));
	assert_int_equal(errno, EINVAL);
	assert_null(mempool_create(1, from_source, to_source, &src));
	assert_int_equal(errno, ENOMEM);
	for (unsigned int k = 0; k < 2; k++) {
		struct kmem_cache *s = make(kinds[k]);
		mempool_t *pool = NULL;

		for (long after = 0; !pool; after++) {
			slab_fail_pages(after);
			pool = mempool_create_slab_pool(200, s);
			slab_fail_pages(-1);
			assert_true(pool || errno == ENOMEM);
		}
		mempool_destroy(pool);
		assert_destroys(s);
	}
}

/* ---- going on without memory ----------------------------------------------------------------- */

#define USERS  6
#define ROUNDS 300

struct scene {
	mempool_t *pool;
	unsigned int done;
};

static void *use(void *arg)
{
	struct scene *scene = arg;

	for (unsigned int i = 0; i < ROUNDS; i++) {
		unsigned char *p = mempool_alloc(scene->pool, GFP_NOIO);

		if (!p)
			return NULL;
		memset(p, (int)i, 1000);
		if (i % 8 == 0)
			sched_yield();
		if (p[0] != (i & 255) || p[999] != (i & 255))
			return NULL;
		mempool_free(p, scene->pool);
	}
	__atomic_add_fetch(&scene->done, 1, __ATOMIC_RELAXED);
	return NULL;
}

static void run_users(struct scene *scene)
{
	pthread_t thread[USERS];

	for (unsigned int i = 0; i < USERS; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, use, scene), 0);
	for (unsigned int i = 0; i < USERS; i++)
		pthread_join(thread[i], NULL);
	assert_int_equal(scene->done, USERS);
}

/* More users than elements, and not a page to be had. */
static void test_progress_without_memory(void **state)
{
	(void)state;
	alarm(60);
	for (unsigned int k = 0; k < 2; k++) {
		for (int reserve = 1; reserve < 4; reserve += 2) {
			struct kmem_cache *s = make(kinds[k]);
			struct scene scene = { .pool = mempool_create_slab_pool(reserve, s) };
			void **hoard = NULL, *p;

			slab_fail_pages(0);
			while ((p = kmem_cache_alloc(s, GFP_KERNEL))) {
				*(void **)p = hoard;
				hoard = p;
			}
			run_users(&scene);
			slab_fail_pages(-1);
			while (hoard) {
				p = hoard;
				hoard = *(void **)p;
				kmem_cache_free(s, p);
			}
			mempool_destroy(scene.pool);
			assert_int_equal(kmem_cache_validate(s), 0);
			assert_destroys(s);
		}
	}
	alarm(0);
}

static void test_kmalloc_pool(void **state)
{
	struct scene scene = { .pool = mempool_create_kmalloc_pool(2, 1000) };

	(void)state;
	assert_non_null(scene.pool);
	run_users(&scene);
	mempool_destroy(scene.pool);
}

/* ---- merging --------------------------------------------------------------------------------- */

static void test_a_pool_pins_its_cache(void **state)
{
	struct kmem_cache *s = kmem_cache_create("pinned", 4040, 0, 0, NULL);
	struct kmem_cache *later, *other, *same;
	mempool_t *pool = mempool_create_slab_pool(1, s);

	(void)state;
	assert_non_null(pool);
	later = kmem_cache_create("later", 4040, 0, 0, NULL);
	assert_ptr_not_equal(later, s);
	other = kmem_cache_create("merged", 3000, 0, 0, NULL);
	same = kmem_cache_create("merged-too", 3000, 0, 0, NULL);
	if (other == same) {
		errno = 0;
		assert_null(mempool_create_slab_pool(1, same));
		assert_int_equal(errno, EBUSY);
	}
	kmem_cache_destroy(other);
	kmem_cache_destroy(same);
	mempool_destroy(pool);
	kmem_cache_destroy(later);
	assert_destroys(s);
}

/* ---- fork ------------------------------------------------------------------------------------ */

static void *use_all_the_time(void *arg)
{
	struct scene *scene = arg;

	/* Valgrind runs one thread at a time, and lets others run for the asking. */
	for (unsigned int i = 0; !__atomic_load_n(&scene->done, __ATOMIC_RELAXED); i++) {
		mempool_free(mempool_alloc(scene->pool, GFP_KERNEL), scene->pool);
		if (i % 16 == 0)
			sched_yield();
	}
	return NULL;
}

static void test_fork(void **state)
{
	struct source src = { 0 };
	struct scene scene = { .pool = mempool_create(4, from_source, to_source, &src) };
	pthread_t thread;

	(void)state;
	/* The reserve alone serves: its lock is taken all the time. */
	__atomic_store_n(&src.closed, true, __ATOMIC_RELEASE);
	pthread_create(&thread, NULL, use_all_the_time, &scene);
	for (unsigned int i = 0; i < 10; i++) {
		int status = -1;
		pid_t pid = fork();

		if (!pid) {
			alarm(20);
			for (unsigned int k = 0; k < 100; k++)
				mempool_free(mempool_alloc(scene.pool, GFP_KERNEL), scene.pool);
			_exit(0);
		}
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_int_equal(status, 0);
	}
	__atomic_store_n(&scene.done, 1, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	mempool_destroy(scene.pool);
	assert_int_equal(src.out, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_reserve_is_the_last_resort),
		cmocka_unit_test(test_resize),
		cmocka_unit_test(test_bad_arguments_and_no_memory),
		cmocka_unit_test(test_progress_without_memory),
		cmocka_unit_test(test_kmalloc_pool),
		cmocka_unit_test(test_a_pool_pins_its_cache),
		cmocka_unit_test(test_fork),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
