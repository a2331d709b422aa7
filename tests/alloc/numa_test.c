// SPDX-License-Identifier: MIT
/*
 * numa_test.c - memory nodes: what is bound comes from its node, no sheaf holds what is far away,
 * and the nodes' counters add up. On faked nodes: 2 of them, or as SLAB_OPTIONS=numa=fake:N says.
 */
#include "cmocka_all.h"

#include <errno.h>
#include <linux/mempolicy.h>
#include <pthread.h>
#include <sched.h>
#include <slab/slab.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "report_trap.h"
#include "slab/barn.h"
#include "slab/cpu.h"
#include "slab/root.h"
#include "slab/sheaf.h"

#define MANY 700

/* Before the library reads it. */
__attribute__((constructor(101))) static void ask_for_nodes(void)
{
	const char *given = getenv("SLAB_OPTIONS");
	char text[256];

	if (given && strstr(given, "numa="))
		return;
	snprintf(text, sizeof(text), "%s numa=fake:2", given ? given : "");
	setenv("SLAB_OPTIONS", text, 1);
}

static void pin(unsigned int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static unsigned int cpus_online(void)
{
	return (unsigned int)sysconf(_SC_NPROCESSORS_ONLN);
}

/* A node that the CPU is not of. */
static int far_node(void)
{
	return (slab_node_here() + 1) % (int)slab_nr_nodes();
}

/* ---- what sheaves hold ----------------------------------------------------------------------- */

static unsigned int count_far(const struct cpu_block *b, const struct sheaf *sh, uint32_t n)
{
	unsigned int far = 0;

	for (uint32_t i = 0; i < n; i++) {
		int node = slab_node_of(sh->slot[i]);

		far += node != NUMA_NO_NODE && !(b->near & 1ULL << node);
	}
	return far;
}

static unsigned int far_in_block(struct kmem_cache *s, struct cpu_block *b)
{
	unsigned int far = count_far(b, b->main, b->n) + count_far(b, b->spare, b->spare_n);

	lock_take(&b->barn.lock, LOCK_BARN);
	for (struct sheaf *sh = b->barn.full; sh; sh = sh->next)
		far += count_far(b, sh, s->capacity);
	lock_drop(&b->barn.lock, LOCK_BARN);
	return far;
}

/* Objects in sheaves and barns of CPUs that they are not near to; others may be at work. */
static unsigned int far_in_sheaves(struct kmem_cache *s)
{
	unsigned int far = 0;

	if (s->sheafless)
		return 0;
	lock_take(&s->drain, LOCK_DRAIN);
	for (unsigned int cpu = 0; cpu < root.nr_cpus; cpu++) {
		/* On a machine that is too busy: the next look may see it. */
		if (!cpu_lock_remote(s, cpu))
			continue;
		far += far_in_block(s, &s->cpu[cpu]);
		cpu_unlock(s, &s->cpu[cpu]);
	}
	lock_drop(&s->drain, LOCK_DRAIN);
	return far;
}

/* ---- counters -------------------------------------------------------------------------------- */

static void assert_adds_up(struct kmem_cache *s)
{
	struct kmem_cache_node_stats sum = { 0 }, st;
	struct kmem_cache_stats all;

	kmem_cache_stats(s, &all);
	for (int node = NUMA_NO_NODE; node < (int)slab_nr_nodes(); node++) {
		assert_int_equal(kmem_cache_node_stats(s, node, &st), 0);
		sum.slabs += st.slabs;
		sum.partial_slabs += st.partial_slabs;
		sum.total_objects += st.total_objects;
		sum.sheaf_objects += st.sheaf_objects;
		sum.barn_objects += st.barn_objects;
		sum.free_objects += st.free_objects;
		sum.footprint_bytes += st.footprint_bytes;
	}
	assert_int_equal(kmem_cache_node_stats(s, (int)slab_nr_nodes(), &st), -EINVAL);
	assert_int_equal(sum.slabs, all.slabs);
	assert_int_equal(sum.partial_slabs, all.partial_slabs);
	assert_int_equal(sum.total_objects, all.total_objects);
	assert_int_equal(sum.sheaf_objects, all.sheaf_objects);
	assert_int_equal(sum.barn_objects, all.barn_objects);
	assert_int_equal(sum.free_objects, all.free_objects);
	assert_int_equal(sum.footprint_bytes, all.footprint_bytes);
	assert_int_equal(all.objects_in_use + all.sheaf_objects + all.barn_objects +
				 all.free_objects,
			 all.total_objects);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void test_cpus_are_dealt_out(void **state)
{
	(void)state;
	for (unsigned int cpu = 0; cpu < cpus_online(); cpu++) {
		pin(cpu);
		assert_int_equal(slab_node_here(), cpu % slab_nr_nodes());
	}
	pin(0);
}

static void bind_on(struct kmem_cache *s, int node)
{
	static void *p[MANY];
	struct kmem_cache_node_stats st;

	for (unsigned int i = 0; i < MANY; i++) {
		p[i] = kmem_cache_alloc_node(s, GFP_KERNEL | __GFP_THISNODE | __GFP_ZERO, node);
		assert_non_null(p[i]);
		assert_int_equal(slab_node_of(p[i]), node);
		assert_int_equal(*(uint64_t *)p[i], 0);
		memset(p[i], 0x5a, kmem_cache_size(s));
	}
	kmem_cache_node_stats(s, node, &st);
	assert_true(st.total_objects - st.free_objects >= MANY);
	assert_adds_up(s);
	for (unsigned int i = 0; i < MANY / 2; i++)
		kmem_cache_free(s, p[i]);
	kmem_cache_free_bulk(s, MANY - MANY / 2, p + MANY / 2);
	assert_int_equal(far_in_sheaves(s), 0);
	assert_int_equal(kmem_cache_validate(s), 0);
	assert_adds_up(s);
}

static void bind_with(unsigned int capacity, slab_flags_t flags)
{
	struct kmem_cache_args args = { .sheaf_capacity = capacity };
	struct kmem_cache *s = kmem_cache_create("bound", 200, &args, SLAB_NO_MERGE | flags);

	for (int node = 0; node < (int)slab_nr_nodes(); node++)
		bind_on(s, node);
	for (int node = (int)slab_nr_nodes(); node--;)
		bind_on(s, node);
	assert_destroys(s);
}

static void test_bound_allocations_come_from_their_node(void **state)
{
	(void)state;
	bind_with(0, 0);
	bind_with(4, 0);
	bind_with(SLAB_NO_SHEAVES, 0);
	bind_with(0, SLAB_RED_ZONE | SLAB_POISON | SLAB_STORE_USER);
}

static void test_no_such_node(void **state)
{
	struct kmem_cache *s = kmem_cache_create("nowhere", 64, NULL, SLAB_NO_MERGE);
	int node = (int)slab_nr_nodes();
	void *p = kmem_cache_alloc_node(s, GFP_KERNEL, node);

	(void)state;
	assert_non_null(p);
	kmem_cache_free(s, p);
	p = kmem_cache_alloc_node(s, GFP_KERNEL, NUMA_NO_NODE);
	assert_int_equal(slab_node_of(p), slab_node_here());
	kmem_cache_free(s, p);
	errno = 0;
	assert_null(kmem_cache_alloc_node(s, GFP_KERNEL | __GFP_THISNODE, node));
	assert_int_equal(errno, ENOMEM);
	assert_int_equal(slab_node_of(&node), NUMA_NO_NODE);
	assert_destroys(s);
}

static void test_kmalloc_on_nodes(void **state)
{
	static const size_t sizes[] = { 8, 100, 8192, 20000, 3 << 20 };

	(void)state;
	for (unsigned int i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		for (int node = 0; node < (int)slab_nr_nodes(); node++) {
			char *p = kzalloc_node(sizes[i], GFP_KERNEL, node);

			assert_int_equal(slab_node_of(p), node);
			assert_int_equal(p[sizes[i] - 1], 0);
			kfree(p);
			p = kcalloc_node(2, sizes[i] / 2, GFP_KERNEL, node);
			assert_int_equal(slab_node_of(p), node);
			kfree(p);
		}
	assert_null(kmalloc_array_node(SIZE_MAX / 2, 3, GFP_KERNEL, 0));
	assert_ptr_equal(kmalloc_node(0, GFP_KERNEL, 0), ZERO_SIZE_PTR);
}

/* What one node has no memory for comes from the others, unless it must not. */
static void test_a_node_without_memory(void **state)
{
	struct kmem_cache *s = kmem_cache_create("short", 256, NULL, SLAB_NO_MERGE);
	int far = far_node();
	void *keep = kmem_cache_alloc_node(s, GFP_KERNEL, far), *p[64];
	unsigned int left = s->objects - 1, n = 0, here = 0;

	(void)state;
	assert_in_range(left, 1, 63);
	assert_int_equal(slab_node_of(keep), far);
	slab_fail_pages(0);
	/* The far node's one slab has the rest of its objects left, this CPU's node has none. */
	while (n < 64 && (p[n] = kmem_cache_alloc(s, GFP_KERNEL)))
		here += slab_node_of(p[n++]) != far;
	assert_int_equal(n, left);
	assert_int_equal(here, 0);
	assert_null(kmem_cache_alloc_node(s, GFP_KERNEL, far));
	kmem_cache_free_bulk(s, n, p);
	assert_int_equal(kmem_cache_alloc_bulk(s, GFP_KERNEL, left, p), left);
	kmem_cache_free_bulk(s, left, p);
	/* Last, as it makes reclaim give pages inside the slab back, which now stay away. */
	assert_null(kmem_cache_alloc_node(s, GFP_KERNEL | __GFP_THISNODE, slab_node_here()));
	slab_fail_pages(-1);
	assert_int_equal(far_in_sheaves(s), 0);
	kmem_cache_free(s, keep);
	assert_destroys(s);
}

/* Memory by a policy of the thread's own is near to every CPU, and has a row of counters. */
static void test_a_policy_is_respected(void **state)
{
	struct kmem_cache *s = kmem_cache_create("policy", 256, NULL, SLAB_NO_MERGE);
	unsigned long first = 1;
	struct kmem_cache_node_stats st;
	void *p[MANY];

	(void)state;
	if (syscall(SYS_set_mempolicy, MPOL_INTERLEAVE, &first, 64UL)) {
		printf("# SKIP no memory policies here: %s\n", strerror(errno));
		kmem_cache_destroy(s);
		return;
	}
	for (unsigned int i = 0; i < MANY; i++) {
		p[i] = kmem_cache_alloc(s, GFP_KERNEL);
		assert_int_equal(slab_node_of(p[i]), NUMA_NO_NODE);
	}
	kmem_cache_node_stats(s, NUMA_NO_NODE, &st);
	assert_true(st.total_objects - st.free_objects >= MANY);
	/* A node that is named counts for more. */
	kmem_cache_free(s, p[0]);
	p[0] = kmem_cache_alloc_node(s, GFP_KERNEL, 0);
	assert_int_equal(slab_node_of(p[0]), 0);
	for (unsigned int i = 0; i < MANY; i++)
		kmem_cache_free(s, p[i]);
	assert_adds_up(s);
	assert_int_equal(syscall(SYS_set_mempolicy, MPOL_DEFAULT, NULL, 0UL), 0);
	assert_destroys(s);
}

static void test_grace_periods(void **state)
{
	struct kmem_cache *s = kmem_cache_create("grace", 256, NULL, SLAB_NO_MERGE);
	struct kmem_cache_stats st;

	(void)state;
	for (unsigned int i = 0; i < MANY; i++) {
		kmem_cache_free_rcu(s, kmem_cache_alloc_node(s, GFP_KERNEL, far_node()));
		kmem_cache_free_rcu(s, kmem_cache_alloc(s, GFP_KERNEL));
	}
	kvfree_rcu_barrier();
	assert_int_equal(far_in_sheaves(s), 0);
	kmem_cache_stats(s, &st);
	/* What is free in CPUs' slabs counts, and such caches have no sheaves to look into. */
	if (st.sheaf_capacity)
		assert_int_equal(st.objects_in_use, 0);
	assert_adds_up(s);
	assert_destroys(s);
}

/* ---- a storm --------------------------------------------------------------------------------- */

#define RINGS 8
#define SLOTS 256

/* Threads, each on one CPU, hand objects to each other through slots that are exchanged. */
struct storm {
	struct kmem_cache *cache;
	void *slot[SLOTS];
	bool stop;
	uint64_t errors;
};

struct worker {
	struct storm *storm;
	unsigned int id;
};

static uint64_t rnd(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

static void *allocate(struct storm *st, uint64_t r)
{
	int node = r % 4 ? NUMA_NO_NODE : (int)(r / 4 % slab_nr_nodes());
	uint64_t *object = kmem_cache_alloc_node(st->cache, GFP_KERNEL, node);
	bool there = node == NUMA_NO_NODE || slab_node_of(object) == node;

	if (!object || __atomic_exchange_n(object, 1, __ATOMIC_RELAXED) || !there)
		__atomic_add_fetch(&st->errors, 1, __ATOMIC_RELAXED);
	return object;
}

static void give(struct storm *st, void **p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (__atomic_exchange_n((uint64_t *)p[i], 0, __ATOMIC_RELAXED) != 1)
			__atomic_add_fetch(&st->errors, 1, __ATOMIC_RELAXED);
	if (n == 1)
		kmem_cache_free(st->cache, p[0]);
	else
		kmem_cache_free_bulk(st->cache, n, p);
}

static void *work(void *arg)
{
	struct worker *w = arg;
	struct storm *st = w->storm;
	uint64_t seed = 88172645463325252ULL + w->id;
	void *got[RINGS];

	pin(w->id % cpus_online());
	while (!__atomic_load_n(&st->stop, __ATOMIC_RELAXED)) {
		size_t n = 0, most = rnd(&seed) % 4 ? 1 : RINGS;

		while (n < most) {
			uint64_t r = rnd(&seed);
			void **slot = &st->slot[r % SLOTS];

			got[n] = __atomic_exchange_n(slot, allocate(st, r / SLOTS),
						     __ATOMIC_ACQ_REL);
			if (!got[n])
				break;
			n++;
		}
		if (n)
			give(st, got, n);
	}
	return NULL;
}

static void clear(void *object)
{
	memset(object, 0, 64);
}

static void storm(unsigned int capacity)
{
	struct kmem_cache_args args = { .ctor = clear, .sheaf_capacity = capacity };
	struct timespec nap = { .tv_nsec = 10000000 };
	struct storm st = { .stop = false };
	struct worker w[4];
	pthread_t thread[4];

	st.cache = kmem_cache_create("numa-storm", 64, &args, SLAB_NO_MERGE);
	for (unsigned int i = 0; i < 4; i++) {
		w[i] = (struct worker){ .storm = &st, .id = i };
		assert_int_equal(pthread_create(&thread[i], NULL, work, &w[i]), 0);
	}
	for (unsigned int i = 0; i < 20; i++) {
		nanosleep(&nap, NULL);
		assert_int_equal(far_in_sheaves(st.cache), 0);
		if (i % 5 == 4)
			kmem_cache_shrink(st.cache);
	}
	__atomic_store_n(&st.stop, true, __ATOMIC_RELAXED);
	for (unsigned int i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	for (unsigned int i = 0; i < SLOTS; i++)
		if (st.slot[i])
			give(&st, &st.slot[i], 1);
	assert_int_equal(st.errors, 0);
	assert_adds_up(st.cache);
	assert_int_equal(kmem_cache_validate(st.cache), 0);
	assert_destroys(st.cache);
}

static void test_a_storm_between_nodes(void **state)
{
	(void)state;
	storm(0);
	storm(4);
	storm(SLAB_NO_SHEAVES);
}

struct asked {
	uint64_t counted, scanned; /* a bit for each node */
	unsigned long asked;
};

static unsigned long count_on_node(struct shrinker *shrinker, struct shrink_control *sc)
{
	struct asked *a = shrinker->private_data;

	a->counted |= 1ULL << sc->nid;
	return sc->nid + 1 == (int)slab_nr_nodes() ? 40960 : 0;
}

static unsigned long scan_on_node(struct shrinker *shrinker, struct shrink_control *sc)
{
	struct asked *a = shrinker->private_data;

	a->scanned |= 1ULL << sc->nid;
	a->asked += sc->nr_to_scan;
	return 0;
}

static struct asked ask_shrinker(unsigned int flags)
{
	struct shrinker *shrinker = shrinker_alloc(flags, "by node");
	struct asked a = { 0 };
	struct slab_memory m;

	assert_non_null(shrinker);
	shrinker->count_objects = count_on_node;
	shrinker->scan_objects = scan_on_node;
	shrinker->private_data = &a;
	shrinker_register(shrinker);
	slab_memory(&m);
	slab_set_limit(m.held_bytes + (1 << 20));
	assert_null(kmalloc(64 << 20, GFP_NOFS));
	slab_set_limit(0);
	shrinker_free(shrinker);
	return a;
}

/* Asked about every node, and to let go of what there is on the one that has some. */
static void test_shrinkers_by_node(void **state)
{
	unsigned int nr = slab_nr_nodes();
	struct asked a = ask_shrinker(SHRINKER_NUMA_AWARE);

	(void)state;
	for (unsigned int node = 0; node < nr; node++)
		assert_int_equal(a.counted >> node & 1, root.numa.usable >> node & 1 || nr == 1);
	assert_int_equal(a.counted >> nr, 0);
	assert_int_equal(a.scanned, 1ULL << (nr - 1));
	assert_true(a.asked > 3 * 40960 && a.asked < 5 * 40960);
	a = ask_shrinker(0);
	assert_int_equal(a.counted, 1);
	assert_int_equal(a.scanned, nr == 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cpus_are_dealt_out),
		cmocka_unit_test(test_bound_allocations_come_from_their_node),
		cmocka_unit_test(test_no_such_node),
		cmocka_unit_test(test_kmalloc_on_nodes),
		cmocka_unit_test(test_a_node_without_memory),
		cmocka_unit_test(test_a_policy_is_respected),
		cmocka_unit_test(test_grace_periods),
		cmocka_unit_test(test_shrinkers_by_node),
		cmocka_unit_test(test_a_storm_between_nodes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
