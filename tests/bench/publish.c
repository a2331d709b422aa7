// SPDX-License-Identifier: MIT
/*
 * publish.c - what publishing costs the program that does, and what a reader of its page does to
 * it.
 *
 *	bench-publish work MS	prints "NAME NS" for each pattern: the CPU time of the thread for a
 *				pair, the least of slices of a fiftieth of a second
 *	bench-publish read FILE	reads the whole page a thousand times a second, until it is ended
 *
 * The driver (publish.py) sets SLAB_OPTIONS, takes turns and compares. Time is of the thread, so
 * that what the publishing thread does beside it counts only where it disturbs. The least slice is
 * the one that other work on the machine disturbed least; twenty readings fall into each.
 */
#include <fcntl.h>
#include <slab/slab.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SLICE_NS  20000000
#define OBJECT	  256
#define BULK	  64u
#define BATCH	  1000u
#define PERIOD_NS 1000000

static struct kmem_cache *cache;
static void *object[BATCH];

static _Noreturn void fail(const char *what)
{
	perror(what);
	exit(1);
}

static uint64_t thread_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

/* Each does 64,000 pairs. */
static void run_single(void)
{
	for (unsigned int i = 0; i < 64000; i++) {
		char *p = kmem_cache_alloc(cache, GFP_KERNEL);

		*p = 1;
		__asm__ volatile("" : : "r"(p) : "memory");
		kmem_cache_free(cache, p);
	}
}

static void run_batch(void)
{
	for (unsigned int round = 0; round < 64; round++) {
		for (unsigned int i = 0; i < BATCH; i++)
			object[i] = kmem_cache_alloc(cache, GFP_KERNEL);
		for (unsigned int i = 0; i < BATCH; i++)
			kmem_cache_free(cache, object[i]);
	}
}

static void run_bulk(void)
{
	for (unsigned int i = 0; i < 64000 / BULK; i++) {
		if (!kmem_cache_alloc_bulk(cache, GFP_KERNEL, BULK, object))
			fail("bulk");
		kmem_cache_free_bulk(cache, BULK, object);
	}
}

static double measure(void (*run)(void), uint64_t ms)
{
	uint64_t end = thread_ns() + ms * 1000000;
	double least = 1e9;

	run();
	while (thread_ns() < end) {
		uint64_t start = thread_ns(), pairs = 0, now;

		do {
			run();
			pairs += 64000;
			now = thread_ns();
		} while (now - start < SLICE_NS);
		if (least > (double)(now - start) / (double)pairs)
			least = (double)(now - start) / (double)pairs;
	}
	return least;
}

static int work(uint64_t ms)
{
	cache = kmem_cache_create("bench", OBJECT, 0, 0, NULL);
	if (!cache)
		fail("bench");
	printf("single %.3f\n", measure(run_single, ms));
	printf("batch_1000 %.3f\n", measure(run_batch, ms));
	printf("bulk_64 %.3f\n", measure(run_bulk, ms));
	return 0;
}

static _Noreturn void read_on(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct timespec next;
	struct stat st;
	char *text;

	if (fd < 0 || fstat(fd, &st) || !(text = malloc((size_t)st.st_size)))
		fail(path);
	clock_gettime(CLOCK_MONOTONIC, &next);
	for (;;) {
		if (pread(fd, text, (size_t)st.st_size, 0) < 0)
			fail(path);
		next.tv_nsec += PERIOD_NS;
		if (next.tv_nsec >= 1000000000) {
			next.tv_nsec -= 1000000000;
			next.tv_sec++;
		}
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
	}
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "work"))
		return work(strtoull(argv[2], NULL, 10));
	if (argc == 3 && !strcmp(argv[1], "read"))
		read_on(argv[2]);
	fprintf(stderr, "usage: bench-publish work MS | read FILE\n");
	return 2;
}
