// SPDX-License-Identifier: MIT
/*
 * numa.c - asking the system for its nodes, and for memory of one.
 *
 * By the system calls themselves: the library that wraps them would read half of /sys in every
 * program that links us, and allocate.
 */
#include "numa.h"

#include <fcntl.h>
#include <linux/mempolicy.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "pages.h"
#include "root.h"

#define MASK_BITS  1024 /* nodes that any kernel is built for */
#define MASK_WORDS (MASK_BITS / 64)

/* ---- the system's nodes ---------------------------------------------------------------------- */

/* A file of /sys about one node into text; false: there is none. */
static bool read_node_file(unsigned int node, const char *file, char *text, size_t size)
{
	char path[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/sys/devices/system/node/node%u/%s", node, file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, text, size - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	return n > 0;
}

/* The usable node with the least distance, where a node has no memory of its own. */
static unsigned int nearest(const struct numa *nu, unsigned int node)
{
	unsigned int best = (unsigned int)__builtin_ctzll(nu->usable);
	unsigned long least = ~0UL;
	char text[1024], *at = text, *end;

	if (!read_node_file(node, "distance", text, sizeof(text)))
		return best;
	for (unsigned int i = 0; i < nu->nr; i++, at = end) {
		unsigned long distance = strtoul(at, &end, 10);

		if (end == at)
			break;
		if (nu->usable >> i & 1 && distance < least) {
			least = distance;
			best = i;
		}
	}
	return best;
}

/* A list of CPUs as the kernel writes it, "0-3,8,10-11": all of them are of node. */
static void set_cpus(struct numa *nu, uint32_t nr_cpus, const char *list, unsigned int node)
{
	char *end;

	for (const char *at = list; *at; at = *end ? end + 1 : end) {
		unsigned long from = strtoul(at, &end, 10), to = from;

		if (end == at)
			return;
		if (*end == '-')
			to = strtoul(end + 1, &end, 10);
		for (; from <= to && from < nr_cpus; from++)
			nu->cpu_node[from] = (uint8_t)node;
	}
}

static void deal_real(struct numa *nu, uint32_t nr_cpus)
{
	char list[4096];

	for (unsigned int node = 0; node < NUMA_MOST; node++)
		if (read_node_file(node, "cpulist", list, sizeof(list)))
			set_cpus(nu, nr_cpus, list,
				 nu->usable >> node & 1 ? node : nearest(nu, node));
}

/* The nodes that this process may have memory of; 0: no say, or too many. */
static uint64_t usable_nodes(void)
{
	unsigned long mask[MASK_WORDS] = { 0 };

	if (syscall(SYS_get_mempolicy, NULL, mask, MASK_BITS, NULL, MPOL_F_MEMS_ALLOWED))
		return 0;
	for (unsigned int i = 1; i < MASK_WORDS; i++)
		if (mask[i])
			return 0;
	return mask[0];
}

/* ---- at the start ---------------------------------------------------------------------------- */

void numa_init(struct numa *nu, uint32_t nr_cpus)
{
	uint32_t fake = root.opts.numa.value;

	nu->nr = 1;
	nu->usable = root.opts.numa.given ? (2ULL << (fake - 1)) - 1 : usable_nodes();
	/* One node, or no say. */
	if (!(nu->usable & (nu->usable - 1)))
		return;
	nu->cpu_node = pages_map(nr_cpus);
	if (!nu->cpu_node)
		return;
	nu->fake = root.opts.numa.given;
	nu->nr = 64U - (uint32_t)__builtin_clzll(nu->usable);
	nu->policy = nu->nr;
	for (uint32_t cpu = 0; cpu < nr_cpus; cpu++)
		nu->cpu_node[cpu] = (uint8_t)(nu->fake ? cpu % fake : 0);
	if (!nu->fake)
		deal_real(nu, nr_cpus);
}

/* ---- memory ---------------------------------------------------------------------------------- */

unsigned int numa_default(const struct numa *nu, unsigned int cpu)
{
	int mode = MPOL_DEFAULT;

	if (nu->nr == 1)
		return 0;
	syscall(SYS_get_mempolicy, &mode, NULL, 0UL, NULL, 0UL);
	return mode == MPOL_DEFAULT || mode == MPOL_LOCAL ? numa_of_cpu(nu, cpu) : nu->policy;
}

void numa_bind(const struct numa *nu, void *base, size_t bytes, unsigned int node)
{
	unsigned long mask = 1UL << (node & 63);

	/* Preferred: a node that has no memory left must not kill the program. */
	if (nu->nr > 1 && node != nu->policy && !nu->fake)
		syscall(SYS_mbind, base, bytes, MPOL_PREFERRED, &mask, (unsigned long)NUMA_MOST + 1,
			0UL);
}

bool numa_holds(const struct numa *nu, const void *p, unsigned int node)
{
	int real = -1;

	if (nu->nr == 1 || nu->fake)
		return true;
	return syscall(SYS_get_mempolicy, &real, NULL, 0UL, p, MPOL_F_NODE | MPOL_F_ADDR) ||
	       real == (int)node;
}
