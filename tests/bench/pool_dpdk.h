/* SPDX-License-Identifier: MIT */
/*
 * pool_dpdk.h - DPDK's rte_mempool: a cache of 512 objects per lcore, inlined, no huge pages.
 *
 * The pool has a fixed number of objects and never gives memory back. Threads other than the
 * first register as lcores, without which they would bypass the cache.
 */
#ifndef BENCH_POOL_DPDK_H
#define BENCH_POOL_DPDK_H

#include <rte_eal.h>
#include <rte_lcore.h>
#include <rte_mempool.h>
#include <rte_version.h>

#include <sched.h>
#include <stdio.h>

#include "worker.h"

#define POOL_BULK  1
#define POOL_GROWS 0
#define POOL_STATS 0

struct pool {
	struct rte_mempool mp;
};

/* EAL takes its memory when it starts: as much as the objects with headers need. */
static inline int start_eal(size_t bytes)
{
	char cpu[16], memory[32];
	const char *argv[] = {
		"bench", "--no-huge", "--no-shconf", "--no-pci", "--no-telemetry", "--log-level",
		"1",	 "-l",	      cpu,	     "-m",	 memory,	   NULL
	};

	snprintf(cpu, sizeof(cpu), "%d", sched_getcpu());
	snprintf(memory, sizeof(memory), "%zu", (bytes >> 20) + 64);
	return rte_eal_init(sizeof(argv) / sizeof(argv[0]) - 1, (char **)argv);
}

static inline struct pool *pool_create(const char *name, size_t size, size_t capacity, int flags)
{
	/* Each CPU's cache may keep half as much again as its size from the others. */
	size_t n = capacity + 2 * RTE_MEMPOOL_CACHE_MAX_SIZE * (cpu_count() + 1);

	(void)flags;
	if (start_eal(n * (size + 128)) < 0)
		return NULL;
	return (struct pool *)rte_mempool_create(name, (unsigned)n, (unsigned)size,
						 RTE_MEMPOOL_CACHE_MAX_SIZE, 0, NULL, NULL, NULL,
						 NULL, SOCKET_ID_ANY, 0);
}

static inline void pool_thread_init(struct pool *p)
{
	(void)p;
	if (rte_lcore_id() == LCORE_ID_ANY)
		rte_thread_register();
}

/* The next thread to register takes over the lcore and what its cache holds. */
static inline void pool_thread_exit(struct pool *p)
{
	(void)p;
	rte_thread_unregister();
}

static inline void *pool_alloc(struct pool *p)
{
	void *object;

	return rte_mempool_get(&p->mp, &object) == 0 ? object : NULL;
}

static inline void pool_free(struct pool *p, void *object)
{
	rte_mempool_put(&p->mp, object);
}

static inline int pool_alloc_bulk(struct pool *p, size_t n, void **v)
{
	return rte_mempool_get_bulk(&p->mp, v, (unsigned)n) == 0;
}

static inline void pool_free_bulk(struct pool *p, size_t n, void **v)
{
	rte_mempool_put_bulk(&p->mp, v, (unsigned)n);
}

static inline void pool_trim(struct pool *p)
{
	(void)p;
}

static inline void pool_describe(char *buf, size_t len)
{
	snprintf(buf, len, "%s", rte_version());
}

#endif
