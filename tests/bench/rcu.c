// SPDX-License-Identifier: MIT
/*
 * rcu.c - the shape of map and unmap in the kernel: cycles of 50 objects allocated, touched and
 * freed through RCU, 20,000 of them; with libslabkit by its own call, elsewhere by call_rcu and
 * free.
 *
 * "loop" is what the program waits for; "all" goes on until every object has been given back.
 * "growth" is resident memory at the end of the loop: what waits for grace periods, mostly.
 */
#include "worker.h"

#include "clock.h"
#include "pool.h"

#define CYCLES 20000
#define BURST  50

#if POOL_RCU
static void cycle(struct pool *p, void **v)
{
	for (size_t i = 0; i < BURST; i++) {
		v[i] = pool_alloc(p);
		if (!v[i])
			die("no object");
		*(volatile uint64_t *)v[i] = i;
	}
	for (size_t i = 0; i < BURST; i++)
		pool_free_rcu(p, v[i]);
}

int bench_rcu(const struct worker *w, char **args)
{
	struct pool *p = make_pool(w, "rcu", (size_t)CYCLES * BURST);
	void **v = map_pointers(w, BURST);
	double objects = (double)CYCLES * BURST;
	uint64_t start, end;
	double grown;
	size_t rss;

	(void)args;
	/* The thread that waits for readers may use the CPUs that the process has. */
	unpin();
	pool_rcu_enter(p);
	for (size_t i = 0; i < CYCLES / 10; i++)
		cycle(p, v);
	pool_rcu_barrier(p);
	rss = rss_bytes();
	start = clock_ticks();
	for (size_t i = 0; i < CYCLES; i++)
		cycle(p, v);
	end = clock_ticks();
	grown = (double)rss_bytes() - (double)rss;
	pool_rcu_barrier(p);
	emit((double)(clock_ticks() - start) / objects, "ticks", "rcu.%zu.all", w->size);
	emit((double)(end - start) / objects, "ticks", "rcu.%zu.loop", w->size);
	emit(grown, "bytes", "rcu.%zu.growth", w->size);
	pool_rcu_leave(p);
	return 0;
}
#else
int bench_rcu(const struct worker *w, char **args)
{
	(void)w;
	(void)args;
	die("this allocator has no pool for RCU");
}
#endif
