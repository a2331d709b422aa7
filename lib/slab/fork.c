// SPDX-License-Identifier: MIT
/*
 * fork.c - before a fork every lock is taken, in rank order; parent and child drop them.
 *
 * The child has one thread, and whatever another thread was in the middle of stays so for ever: a
 * block between two stores of a swap, a partial list half linked. So the forking thread makes
 * itself the owner of every per-CPU block of every cache (one membarrier serves them all, see
 * cpu_lock_all), then of barns, nodes and pages. Sequences of the fast path need nothing: each
 * changes the block by one store.
 *
 * A process of one thread has nobody in the middle of anything. Its caches are left alone, which
 * also spares both sides the copies of the pages that the locks are in.
 */
#include "fork.h"

#include <pthread.h>

#include "cpu.h"
#include "mempool.h"
#include "pressure.h"
#include "publish.h"
#include "root.h"

/* glibc's word (2.32): no thread but this one has been made. */
extern char __libc_single_threaded __attribute__((weak));

static void take_caches(void)
{
	struct kmem_cache *s;

	for (s = root.caches; s; s = s->next)
		lock_take_fork(&s->drain);
	cpu_lock_all(NULL);
	for (s = root.caches; s; s = s->next)
		for (unsigned int cpu = 0; cpu < root.nr_cpus; cpu++)
			lock_take_fork(&s->cpu[cpu].barn.lock);
	for (s = root.caches; s; s = s->next)
		for (unsigned int node = 0; node < numa_indices(&root.numa); node++)
			lock_take_fork(&s->nodes[node].lock);
}

static void drop_caches(void)
{
	struct kmem_cache *s;

	for (s = root.caches; s; s = s->next) {
		for (unsigned int node = 0; node < numa_indices(&root.numa); node++)
			lock_drop_fork(&s->nodes[node].lock);
		for (unsigned int cpu = 0; cpu < root.nr_cpus; cpu++)
			lock_drop_fork(&s->cpu[cpu].barn.lock);
	}
	cpu_unlock_all(NULL);
	for (s = root.caches; s; s = s->next)
		lock_drop_fork(&s->drain);
}

static void prepare(void)
{
	publish_before_fork();
	rcu_before_fork();
	lock_take_fork(&root.lock);
	mempool_before_fork();
	shrinker_before_fork();
	root.forks_alone = &__libc_single_threaded && __libc_single_threaded;
	if (!root.forks_alone)
		take_caches();
	lock_take_fork(&root.rcu.lock);
	lock_take_fork(&root.pages.lock);
}

static void drop_locks(bool child)
{
	lock_drop_fork(&root.pages.lock);
	lock_drop_fork(&root.rcu.lock);
	if (!root.forks_alone)
		drop_caches();
	shrinker_after_fork(child);
	mempool_after_fork();
	lock_drop_fork(&root.lock);
}

static void parent(void)
{
	drop_locks(false);
	rcu_after_fork(false);
	publish_after_fork(false);
}

static void child(void)
{
	cpu_register();
	drop_locks(true);
	rcu_after_fork(true);
	publish_after_fork(true);
	pressure_after_fork();
}

void fork_install(void)
{
	pthread_atfork(prepare, parent, child);
}
