// SPDX-License-Identifier: MIT
/* root.c - making the allocator's root. */
#include "root.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "cpu.h"
#include "fork.h"
#include "util/num.h"

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

/*
 * CPUs that may ever be there: the last of "0-7" or "0,2-7". Older C libraries make a list of
 * folders for _SC_NPROCESSORS_CONF, and take memory for it: that may come from us.
 */
static uint32_t count_cpus(void)
{
	int fd = open("/sys/devices/system/cpu/possible", O_RDONLY | O_CLOEXEC);
	ssize_t n = -1;
	char text[256];
	uint64_t last;
	long cpus;

	if (fd >= 0) {
		n = read(fd, text, sizeof(text) - 1);
		close(fd);
	}
	if (n > 1 && text[n - 1] == '\n') {
		const char *at = text + n - 1;

		text[n - 1] = '\0';
		while (at > text && at[-1] >= '0' && at[-1] <= '9')
			at--;
		if (!num_parse_u64(at, &last) && last < 65536)
			return (uint32_t)last + 1;
	}
	cpus = sysconf(_SC_NPROCESSORS_CONF);
	return cpus > 0 ? (uint32_t)cpus : 1;
}

static void make_root(void)
{
	long page = sysconf(_SC_PAGESIZE);
	const char *entropy = (const char *)getauxval(AT_RANDOM); /* 16 bytes, not aligned */

	root.nr_cpus = count_cpus();
	root.page_bytes = page > 0 ? (size_t)page : PAGE_BYTES;
	root.seed = (uintptr_t)&page;
	if (entropy)
		memcpy(&root.seed, entropy, sizeof(root.seed));
	pages_init();
	read_options();
	numa_init(&root.numa, root.nr_cpus);
	cpu_find_sequences();
	__atomic_store_n(&root.ready, true, __ATOMIC_RELEASE);
	fork_install(); /* the C library may ask for memory, and so us */
}

__attribute__((constructor)) void root_init(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	if (!__atomic_load_n(&root.ready, __ATOMIC_ACQUIRE))
		pthread_once(&once, make_root);
}
