/* SPDX-License-Identifier: MIT */
/*
 * family.h - what a program relies on of malloc and its family, which go by the names M(malloc),
 * ...
 *
 * malloc_test.c has them under a prefix, beside the C library's, so that sanitizers can watch;
 * preload_test.c has the real names and the shim preloaded.
 */
#ifndef SLABKIT_TESTS_FAMILY_H
#define SLABKIT_TESTS_FAMILY_H

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define KIB ((size_t)1024)
#define MIB ((size_t)1024 * 1024)

/* Hidden from the compiler, which knows too much of sizes. */
static size_t plain(size_t n)
{
	static volatile size_t zero;

	return n + zero;
}

static bool is_filled(const unsigned char *p, int value, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i] != (unsigned char)value)
			return false;
	return true;
}

/* The next size worth a try: every one up to 9,000, then some around each power of two. */
static size_t next_size(size_t size)
{
	return size < 9000 ? size + 1 : size + size / 97 + 1;
}

static void test_waste_is_an_eighth_at_most(void **state)
{
	(void)state;
	for (size_t size = 0; size < 5 * MIB; size = next_size(size)) {
		void *p = M(malloc)(size);
		size_t usable = M(malloc_usable_size)(p);

		assert_non_null(p);
		assert_int_equal((uintptr_t)p % 16, 0);
		assert_true(usable >= size);
		if (size > 112)
			assert_true((usable - size) * 8 <= usable);
		else
			assert_true(usable - size < 16 || !size);
		M(free)(p);
	}
}

static void test_all_of_a_block_may_be_used(void **state)
{
	void *p[64];
	unsigned int n = 0;

	(void)state;
	for (size_t size = 1; size < 3 * MIB; size = size * 5 / 4 + 1) {
		p[n] = M(malloc)(size);
		memset(p[n], (int)n, M(malloc_usable_size)(p[n]));
		n++;
	}
	for (unsigned int i = 0; i < n; i++) {
		assert_true(is_filled(p[i], (int)i, M(malloc_usable_size)(p[i])));
		M(free)(p[i]);
	}
}

static void test_sizes_that_cannot_be(void **state)
{
	static const size_t sizes[] = { SIZE_MAX, SIZE_MAX - 4095, SIZE_MAX / 2,
					(size_t)PTRDIFF_MAX, (size_t)PTRDIFF_MAX - 8 * MIB };
	char *kept = M(malloc)(100);

	(void)state;
	memset(kept, 7, 100);
	for (unsigned int i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		size_t size = plain(sizes[i]);

		errno = 0;
		assert_null(M(malloc)(size));
		assert_int_equal(errno, ENOMEM);
		errno = 0;
		assert_null(M(realloc)(kept, size));
		assert_int_equal(errno, ENOMEM);
		errno = 0;
		assert_null(M(aligned_alloc)(64, size));
		assert_int_equal(errno, ENOMEM);
	}
	errno = 0;
	assert_null(M(calloc)(plain(SIZE_MAX / 4), 8));
	assert_int_equal(errno, ENOMEM);
	errno = 0;
	assert_null(M(reallocarray)(kept, plain(SIZE_MAX / 4), 8));
	assert_int_equal(errno, ENOMEM);
	errno = 0;
	assert_null(M(pvalloc)(plain(SIZE_MAX - 10)));
	assert_int_equal(errno, ENOMEM);
	assert_true(is_filled((unsigned char *)kept, 7, 100));
	M(free)(kept);
}

static void test_nothing_is_something(void **state)
{
	void *a = M(malloc)(0), *b = M(malloc)(0), *c = M(calloc)(0, 8);

	(void)state;
	assert_non_null(a);
	assert_non_null(b);
	assert_non_null(c);
	assert_ptr_not_equal(a, b);
	errno = 0;
	assert_null(M(realloc)(a, 0)); /* frees */
	assert_int_equal(errno, 0);
	M(free)(b);
	M(free)(c);
	M(free)(NULL);
	M(free_sized)(NULL, 0);
	assert_int_equal(M(malloc_usable_size)(NULL), 0);
	a = M(realloc)(NULL, 50);
	assert_non_null(a);
	M(free_sized)(a, 50);
	a = M(aligned_alloc)(256, 512);
	M(free_aligned_sized)(a, 256, 512);
}

static void test_alignment(void **state)
{
	void *p[16];

	(void)state;
	for (size_t align = 8; align <= 16 * MIB; align *= 2)
		for (size_t size = 0; size < 3 * MIB; size = size * 11 + 5) {
			for (unsigned int i = 0; i < 3; i++) {
				assert_int_equal(M(posix_memalign)(&p[i], align, size), 0);
				assert_int_equal((uintptr_t)p[i] % align, 0);
				assert_true(M(malloc_usable_size)(p[i]) >= size);
				memset(p[i], 1, size);
			}
			p[3] = M(aligned_alloc)(align, size);
			assert_int_equal((uintptr_t)p[3] % align, 0);
			p[4] = M(memalign)(align, size);
			assert_int_equal((uintptr_t)p[4] % align, 0);
			p[4] = M(realloc)(p[4], size + 100);
			assert_non_null(p[4]);
			for (unsigned int i = 0; i < 5; i++)
				M(free)(p[i]);
		}
	p[0] = M(valloc)(10);
	p[1] = M(pvalloc)(10);
	assert_int_equal((uintptr_t)p[0] % 4096, 0);
	assert_int_equal((uintptr_t)p[1] % 4096, 0);
	assert_true(M(malloc_usable_size)(p[1]) >= 4096);
	M(free)(p[0]);
	M(free)(p[1]);
}

static void test_alignments_that_cannot_be(void **state)
{
	void *p = &p;

	(void)state;
	errno = 77;
	assert_int_equal(M(posix_memalign)(&p, 0, 8), EINVAL);
	assert_int_equal(M(posix_memalign)(&p, 4, 8), EINVAL);
	assert_int_equal(M(posix_memalign)(&p, 24, 8), EINVAL);
	assert_int_equal(M(posix_memalign)(&p, 64, plain(SIZE_MAX - 100)), ENOMEM);
	assert_int_equal(errno, 77);
	assert_ptr_equal(p, &p);
	errno = 0;
	assert_null(M(aligned_alloc)(plain(24), 48));
	assert_int_equal(errno, EINVAL);
	errno = 0;
	assert_null(M(aligned_alloc)(plain(0), 48));
	assert_int_equal(errno, EINVAL);
	errno = 0;
	assert_null(M(memalign)(plain(SIZE_MAX), 48));
	assert_int_equal(errno, EINVAL);
	errno = 0;
	assert_null(M(memalign)(plain(SIZE_MAX / 2 + 1), 48));
	assert_int_equal(errno, ENOMEM);
	p = M(memalign)(plain(24), 48); /* rounded up */
	assert_int_equal((uintptr_t)p % 32, 0);
	M(free)(p);
}

static void test_calloc_clears_what_was_used(void **state)
{
	(void)state;
	for (size_t size = 1; size < 6 * MIB; size = size * 3 + 1) {
		unsigned char *p[3];

		for (unsigned int i = 0; i < 3; i++) {
			p[i] = M(malloc)(size);
			memset(p[i], 0xee, size);
		}
		for (unsigned int i = 0; i < 3; i++)
			M(free)(p[i]);
		for (unsigned int i = 0; i < 3; i++) {
			p[i] = M(calloc)(size, 1);
			assert_true(is_filled(p[i], 0, size));
		}
		for (unsigned int i = 0; i < 3; i++)
			M(free)(p[i]);
	}
}

/* Up through classes, runs and mappings, and down again: what was there stays there. */
static void test_realloc_keeps_the_bytes(void **state)
{
	size_t size = 1, had = 0;
	unsigned char *p = NULL;

	(void)state;
	for (; size < 9 * MIB; size = size * 5 / 4 + 1) {
		p = M(realloc)(p, size);
		assert_non_null(p);
		assert_true(is_filled(p, 0x5a, had));
		memset(p + had, 0x5a, size - had);
		had = size;
	}
	for (; size > 1; size = size * 3 / 4) {
		p = M(realloc)(p, size);
		assert_non_null(p);
		if (size < had)
			had = size;
		assert_true(is_filled(p, 0x5a, had));
		assert_true(M(malloc_usable_size)(p) < size * 2 + 32);
	}
	M(free)(p);
}

/* Two that grow side by side must make way for each other. */
static void test_realloc_in_turns(void **state)
{
	unsigned char *p[2] = { NULL, NULL };

	(void)state;
	for (size_t size = 5000; size < 3 * MIB; size += 90000)
		for (unsigned int i = 0; i < 2; i++) {
			size_t had = size == 5000 ? 0 : size - 90000;

			p[i] = M(reallocarray)(p[i], size, 1);
			assert_true(is_filled(p[i], (int)i + 1, had));
			memset(p[i], (int)i + 1, size);
		}
	M(free)(p[0]);
	M(free)(p[1]);
}

static void test_free_keeps_errno(void **state)
{
	enum { MANY = 20000 };
	void **p = M(malloc)(MANY * sizeof(*p));

	(void)state;
	for (size_t size = 16; size < 4 * MIB; size *= 7) {
		size_t n = size < KIB ? MANY : size < 64 * KIB ? 400 : 4;

		for (size_t i = 0; i < n; i++) {
			p[i] = M(malloc)(size);
			memset(p[i], 1, size);
		}
		errno = 4711;
		for (size_t i = 0; i < n; i++)
			M(free)(p[i]);
		assert_int_equal(errno, 4711);
	}
	M(free)(p);
}

static void test_trim(void **state)
{
	enum { MANY = 4000 };
	static void *p[MANY];

	(void)state;
	for (unsigned int i = 0; i < MANY; i++) {
		p[i] = M(malloc)(i % 2 ? 1000 : 10000);
		memset(p[i], 1, 1000);
	}
	for (unsigned int i = 0; i < MANY; i++)
		M(free)(p[i]);
	M(malloc_trim)(0);
	assert_int_equal(M(malloc_trim)(0), 0); /* nothing is left to give */
}

/*
 * What blocks have counts as used, with a mapping of their own apart, and is free again afterwards.
 */
static void test_mallinfo(void **state)
{
	struct mallinfo2 before = M(mallinfo2)(), with, after;
	static void *p[200];
	void *run, *map;

	(void)state;
	for (unsigned int i = 0; i < 200; i++)
		p[i] = M(malloc)(plain(1000));
	run = M(malloc)(plain(50000));
	map = M(malloc)(plain(5 * MIB));
	with = M(mallinfo2)();
	assert_in_range(with.uordblks - before.uordblks, 250000, 290000);
	assert_int_equal(with.hblks - before.hblks, 1);
	assert_in_range(with.hblkhd - before.hblkhd, 5 * MIB, 5 * MIB + 65536);
	assert_int_equal(with.arena, with.uordblks + with.fordblks);
	map = M(realloc)(map, plain(9 * MIB));
	assert_in_range(M(mallinfo2)().hblkhd - before.hblkhd, 9 * MIB, 9 * MIB + 65536);
	for (unsigned int i = 0; i < 200; i++)
		M(free)(p[i]);
	M(free)(run);
	M(free)(map);
	after = M(mallinfo2)();
	assert_int_equal(after.uordblks, before.uordblks);
	assert_int_equal(after.hblks, before.hblks);
	assert_int_equal(after.hblkhd, before.hblkhd);
	assert_true(after.fordblks >= before.fordblks);
}

static void test_malloc_info(void **state)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);

	(void)state;
	errno = 0;
	assert_int_equal(M(malloc_info)(1, out), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(M(malloc_info)(0, out), 0);
	fclose(out);
	assert_non_null(strstr(text, "<malloc version=\"1\">\n<heap nr=\"0\">\n<sizes>\n"));
	assert_non_null(strstr(text, "<system type=\"current\" size=\""));
	assert_non_null(strstr(text, "</malloc>\n"));
	free(text);
}

/* ---- threads and forks ----------------------------------------------------------------------- */

#define SLOTS 64

struct scene {
	void *slot[SLOTS];
	bool stop;
};

static size_t random_size(unsigned int *seed)
{
	unsigned int r = (*seed = *seed * 1103515245 + 12345) >> 8;

	return r % 16 == 0 ? r % 300000 : r % 4 == 0 ? r % 20000 : r % 400;
}

/* What one thread puts into a slot another takes out. */
static void *trade(void *arg)
{
	struct scene *scene = arg;
	unsigned int seed = (unsigned int)(uintptr_t)&seed;

	while (!__atomic_load_n(&scene->stop, __ATOMIC_RELAXED)) {
		size_t size = random_size(&seed);
		unsigned int at = (seed >> 8) % SLOTS;
		unsigned char *p = M(malloc)(size + 1);

		if (!p)
			abort();
		p[0] = p[size] = (unsigned char)size;
		if (size % 5 == 0)
			p = M(realloc)(p, size * 2 + 1);
		if (!p || p[0] != (unsigned char)size)
			abort();
		M(free)(__atomic_exchange_n(&scene->slot[at], p, __ATOMIC_ACQ_REL));
	}
	return NULL;
}

static void *use_all(void *arg)
{
	alarm(20); /* a lock left behind must not hang the test */
	for (unsigned int i = 0; i < 60; i++) {
		void *p = M(malloc)(i * 500), *q = M(calloc)(1, i * 3000);

		if (!p || !q)
			abort();
		M(free)(p);
		M(free)(M(realloc)(q, i * 500 + 1));
	}
	M(malloc_trim)(0);
	return arg;
}

static void test_threads_and_forks(void **state)
{
	pthread_t thread[3];
	static struct scene scene;

	(void)state;
	for (unsigned int i = 0; i < 3; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, trade, &scene), 0);
	for (unsigned int i = 0; i < 6; i++) {
		int status = -1;
		pid_t pid = fork();

		if (!pid) {
			use_all(NULL);
			/*
			 * A sanitizer allows the child no threads, or has locks of its own left
			 * behind.
			 */
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
			if (!pthread_create(&thread[0], NULL, use_all, NULL))
				pthread_join(thread[0], NULL);
#endif
			_exit(0);
		}
		assert_true(pid > 0);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_int_equal(status, 0);
		usleep(2000);
	}
	__atomic_store_n(&scene.stop, true, __ATOMIC_RELAXED);
	for (unsigned int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	for (unsigned int i = 0; i < SLOTS; i++)
		M(free)(scene.slot[i]);
}

#define FAMILY_TESTS                                                                              \
	cmocka_unit_test(test_waste_is_an_eighth_at_most),                                        \
		cmocka_unit_test(test_all_of_a_block_may_be_used),                                \
		cmocka_unit_test(test_sizes_that_cannot_be),                                      \
		cmocka_unit_test(test_nothing_is_something), cmocka_unit_test(test_alignment),    \
		cmocka_unit_test(test_alignments_that_cannot_be),                                 \
		cmocka_unit_test(test_calloc_clears_what_was_used),                               \
		cmocka_unit_test(test_realloc_keeps_the_bytes),                                   \
		cmocka_unit_test(test_realloc_in_turns), cmocka_unit_test(test_free_keeps_errno), \
		cmocka_unit_test(test_trim), cmocka_unit_test(test_mallinfo),                     \
		cmocka_unit_test(test_malloc_info), cmocka_unit_test(test_threads_and_forks)

#endif
