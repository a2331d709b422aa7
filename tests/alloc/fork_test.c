// SPDX-License-Identifier: MIT
/* fork_test.c - a child made in the middle of a storm can allocate, free, shrink and destroy. */
#include "cmocka_all.h"

#include <pthread.h>
#include <slab/slab.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 3
#define CACHES	3
#define FORKS	12

struct scene {
	struct kmem_cache *cache[CACHES];
	bool stop;
};

static void use(struct kmem_cache *s, unsigned int n)
{
	void *p[500];

	for (unsigned int i = 0; i < n; i++) {
		p[i] = kmem_cache_alloc(s, GFP_KERNEL);
		if (!p[i])
			abort();
		*(long *)p[i] = (long)i;
	}
	for (unsigned int i = 0; i < n; i++) {
		if (*(long *)p[i] != (long)i)
			abort();
		kmem_cache_free(s, p[i]);
	}
}

static void *work(void *arg)
{
	struct scene *scene = arg;

	for (unsigned int i = 0; !__atomic_load_n(&scene->stop, __ATOMIC_RELAXED); i++) {
		use(scene->cache[i % CACHES], 1 + i * 7 % 500);
		kfree(kmalloc(i % 9000, GFP_KERNEL));
	}
	return NULL;
}

static void be_child(struct scene *scene)
{
	alarm(20); /* a lock left behind must not hang the test */
	for (unsigned int i = 0; i < CACHES; i++) {
		use(scene->cache[i], 500);
		kmem_cache_shrink(scene->cache[i]);
		use(scene->cache[i], 10);
	}
	kfree(kmalloc(100000, GFP_KERNEL));
	kmem_cache_destroy(kmem_cache_create("of-the-child", 100, NULL, 0));
	_exit(0);
}

/* Before there is any thread; what the parent had is the child's too. */
static void test_fork_alone(void **state)
{
	struct scene scene = { .stop = false };
	int status = -1;
	void *kept;
	pid_t pid;

	(void)state;
	for (unsigned int i = 0; i < CACHES; i++) {
		scene.cache[i] = kmem_cache_create("alone", 64 << i, NULL, SLAB_NO_MERGE);
		use(scene.cache[i], 500);
	}
	kept = kmem_cache_alloc(scene.cache[0], GFP_KERNEL);
	pid = fork();
	if (!pid) {
		kmem_cache_free(scene.cache[0], kept);
		be_child(&scene);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	kmem_cache_free(scene.cache[0], kept);
	for (unsigned int i = 0; i < CACHES; i++) {
		use(scene.cache[i], 500);
		kmem_cache_destroy(scene.cache[i]);
	}
}

static void test_fork_in_a_storm(void **state)
{
	pthread_t thread[THREADS];
	struct scene scene = { .stop = false };

	(void)state;
	for (unsigned int i = 0; i < CACHES; i++)
		scene.cache[i] = kmem_cache_create("forked", 64 << i, NULL, SLAB_NO_MERGE);
	for (unsigned int i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, work, &scene);
	for (unsigned int i = 0; i < FORKS; i++) {
		int status = -1;
		pid_t pid = fork();

		if (!pid)
			be_child(&scene);
		assert_true(pid > 0);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_int_equal(status, 0);
	}
	__atomic_store_n(&scene.stop, true, __ATOMIC_RELAXED);
	for (unsigned int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	for (unsigned int i = 0; i < CACHES; i++)
		kmem_cache_destroy(scene.cache[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_fork_alone),
					    cmocka_unit_test(test_fork_in_a_storm) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
