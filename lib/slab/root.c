// SPDX-License-Identifier: MIT
/* root.c - making the allocator's root. */
#include "root.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "cpu.h"
#include "fork.h"

struct root root;

uint64_t root_mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
	return x ^ (x >> 31);
}

uint64_t root_random(void)
{
	return root_mix(__atomic_add_fetch(&root.seed, 0x9e3779b97f4a7c15ULL, __ATOMIC_RELAXED));
}

/* The options keep pointers into the text, and the environment may change: a copy of it. */
static void read_options(void)
{
	const char *text = secure_getenv("SLAB_OPTIONS");
	char *copy = text && *text ? pages_map(strlen(text) + 1) : NULL;

	if (copy)
		opts_parse(&root.opts, strcpy(copy, text));
	pages_set_limit(root.opts.limit_bytes);
	if (root.opts.failslab.given)
		fault_set(&root.fault, &root.opts.failslab.rule);
}

static void make_root(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF), page = sysconf(_SC_PAGESIZE);
	const char *entropy = (const char *)getauxval(AT_RANDOM); /* 16 bytes, not aligned */

	root.nr_cpus = cpus > 0 ? (uint32_t)cpus : 1;
	root.page_bytes = page > 0 ? (size_t)page : PAGE_BYTES;
	root.seed = (uintptr_t)&cpus;
	if (entropy)
		memcpy(&root.seed, entropy, sizeof(root.seed));
	pages_init();
	read_options();
	cpu_find_sequences();
	fork_install();
	__atomic_store_n(&root.ready, true, __ATOMIC_RELEASE);
}

__attribute__((constructor)) void root_init(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	if (!__atomic_load_n(&root.ready, __ATOMIC_ACQUIRE))
		pthread_once(&once, make_root);
}
