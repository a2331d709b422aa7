// SPDX-License-Identifier: MIT
/*
 * rcu_test.c - an object freed through RCU is left alone while a reader may see it, and comes back
 * afterwards: by three flavours, for every kind of cache, without memory, at destroy, across fork.
 *
 * ThreadSanitizer does not look into liburcu: under it the one flavour is mb with the order that it
 * makes spelled out.
 */
#include "cmocka_all.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <slab/slab.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <urcu/flavor.h>

#include "report_trap.h"

#define ALL (SLAB_RED_ZONE | SLAB_POISON | SLAB_STORE_USER | SLAB_CONSISTENCY_CHECKS)

extern const struct rcu_flavor_struct urcu_memb_flavor, urcu_mb_flavor, urcu_qsbr_flavor;

#ifdef __SANITIZE_THREAD__
static unsigned int order;

static void unlock_in_order(void)
{
	__atomic_add_fetch(&order, 1, __ATOMIC_ACQ_REL);
	urcu_mb_flavor.read_unlock();
}

static void synchronize_in_order(void)
{
	urcu_mb_flavor.update_synchronize_rcu();
	__atomic_add_fetch(&order, 1, __ATOMIC_ACQ_REL);
}

static struct rcu_flavor_struct ordered_flavor;
static const struct rcu_flavor_struct *const flavors[] = { &ordered_flavor };

static void choose_flavor(void)
{
	ordered_flavor = urcu_mb_flavor;
	ordered_flavor.read_unlock = unlock_in_order;
	ordered_flavor.update_synchronize_rcu = synchronize_in_order;
	slab_set_rcu_flavor(&ordered_flavor);
}
#else
static const struct rcu_flavor_struct *const flavors[] = { &urcu_mb_flavor, &urcu_memb_flavor,
							   &urcu_qsbr_flavor };

static void choose_flavor(void)
{
	slab_set_rcu_flavor(flavors[0]);
}
#endif
#define FLAVORS (sizeof(flavors) / sizeof(flavors[0]))

static const struct {
	unsigned int capacity;
	slab_flags_t flags;
} kinds[] = { { 0, 0 }, { 3, 0 }, { SLAB_NO_SHEAVES, 0 }, { 0, ALL } };

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

struct item {
	long state;
	struct {
		void *word[2];
	} rcu;
	char rest[200];
};

static struct kmem_cache *make(unsigned int kind)
{
	struct kmem_cache_args args = { .sheaf_capacity = kinds[kind].capacity };
	struct kmem_cache *s = kmem_cache_create("mortal", sizeof(struct item), &args,
						 SLAB_NO_MERGE | kinds[kind].flags);

	assert_non_null(s);
	return s;
}

static uint64_t in_use(struct kmem_cache *s)
{
	struct kmem_cache_stats st;

	kmem_cache_stats(s, &st);
	return st.objects_in_use;
}

static int add_up(struct kmem_cache *s, void *arg)
{
	kmem_cache_shrink(s);
	*(uint64_t *)arg += in_use(s);
	return 0;
}

/* Of all caches, kmalloc's among them. */
static uint64_t all_in_use(void)
{
	uint64_t n = 0;

	kvfree_rcu_barrier();
	slab_walk(add_up, &n);
	return n;
}

static void fill(struct kmem_cache *s, struct item **p, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++) {
		p[i] = kmem_cache_alloc(s, GFP_KERNEL);
		assert_non_null(p[i]);
		memset(p[i], 0, sizeof(*p[i]));
		p[i]->state = 4711 + i;
	}
}

static void wait_ms(long ms)
{
	struct timespec ts = { .tv_nsec = ms * 1000000 };

	nanosleep(&ts, NULL);
}

/* ---- a reader that comes and goes when told -------------------------------------------------- */

struct reader {
	const struct rcu_flavor_struct *rcu;
	pthread_t thread;
	bool inside, leave, gone;
};

static void *read_along(void *arg)
{
	struct reader *r = arg;

	r->rcu->register_thread();
	r->rcu->read_lock();
	__atomic_store_n(&r->inside, true, __ATOMIC_RELEASE);
	while (!__atomic_load_n(&r->leave, __ATOMIC_ACQUIRE))
		wait_ms(1);
	__atomic_store_n(&r->gone, true, __ATOMIC_RELEASE);
	r->rcu->read_unlock();
	r->rcu->unregister_thread();
	return NULL;
}

static void reader_enter(struct reader *r, const struct rcu_flavor_struct *rcu)
{
	*r = (struct reader){ .rcu = rcu };
	assert_int_equal(pthread_create(&r->thread, NULL, read_along, r), 0);
	while (!__atomic_load_n(&r->inside, __ATOMIC_ACQUIRE))
		wait_ms(1);
}

static void reader_leave(struct reader *r)
{
	__atomic_store_n(&r->leave, true, __ATOMIC_RELEASE);
	pthread_join(r->thread, NULL);
}

#define N 1000

static void wait_for_reader(const struct rcu_flavor_struct *rcu, unsigned int kind, bool head)
{
	struct kmem_cache *s = make(kind);
	struct kmem_cache_stats st;
	struct item *p[N];
	struct reader r;

	fill(s, p, N);
	reader_enter(&r, rcu);
	for (unsigned int i = 0; i < N; i++) {
		if (head)
			kfree_rcu(p[i], rcu);
		else
			kmem_cache_free_rcu(s, p[i]);
	}
	wait_ms(20);
	assert_true(in_use(s) >= N);
	for (unsigned int i = 0; i < N; i++)
		assert_int_equal(p[i]->state, 4711 + i);
	reader_leave(&r);
	kvfree_rcu_barrier();
	kmem_cache_shrink(s);
	assert_int_equal(in_use(s), 0);
	assert_int_equal(kmem_cache_validate(s), 0);
	kmem_cache_stats(s, &st);
	assert_true(st.rcu_sheaves >= N / 126);
	assert_int_equal(st.rcu_waiting, 0);
	assert_destroys(s);
}

static void test_waits_for_readers(void **state)
{
	(void)state;
	for (unsigned int f = 0; f < FLAVORS; f++) {
		slab_set_rcu_flavor(flavors[f]);
		for (unsigned int kind = 0; kind < KINDS; kind++) {
			wait_for_reader(flavors[f], kind, false);
			wait_for_reader(flavors[f], kind, true);
		}
	}
	slab_set_rcu_flavor(flavors[0]);
}

static void *leave_later(void *arg)
{
	struct reader *r = arg;

	wait_ms(30);
	__atomic_store_n(&r->leave, true, __ATOMIC_RELEASE);
	return NULL;
}

static void test_destroy_waits(void **state)
{
	(void)state;
	for (unsigned int f = 0; f < FLAVORS; f++) {
		for (unsigned int kind = 0; kind < KINDS; kind++) {
			struct kmem_cache *s = make(kind);
			struct item *p[N];
			struct reader r;
			pthread_t thread;

			slab_set_rcu_flavor(flavors[f]);
			fill(s, p, 200);
			reader_enter(&r, flavors[f]);
			for (unsigned int i = 0; i < 200; i++)
				kmem_cache_free_rcu(s, p[i]);
			pthread_create(&thread, NULL, leave_later, &r);
			assert_destroys(s);
			assert_true(__atomic_load_n(&r.gone, __ATOMIC_ACQUIRE));
			pthread_join(thread, NULL);
			pthread_join(r.thread, NULL);
		}
	}
	slab_set_rcu_flavor(flavors[0]);
}

static void *destroy_along(void *s)
{
	kmem_cache_destroy(s);
	return NULL;
}

/* While its last user destroys it, a cache waits for readers: nobody may become its user then. */
static void test_destroyed_cache_takes_no_alias(void **state)
{
	struct kmem_cache *s = kmem_cache_create("leaving", 1640, 0, 0, NULL), *next;
	struct kmem_cache_stats st;
	pthread_t thread;
	struct reader r;
	void *p;

	(void)state;
	p = kmem_cache_alloc(s, GFP_KERNEL);
	assert_non_null(p);
	reader_enter(&r, flavors[0]);
	kmem_cache_free_rcu(s, p);
	pthread_create(&thread, NULL, destroy_along, s);
	do {
		wait_ms(1);
		kmem_cache_stats(s, &st); /* it sends what waits, and then waits itself */
	} while (!st.rcu_sheaves);
	next = kmem_cache_create("coming", 1640, 0, 0, NULL);
	assert_non_null(next);
	assert_ptr_not_equal(next, s);
	reader_leave(&r);
	pthread_join(thread, NULL);
	p = kmem_cache_alloc(next, GFP_KERNEL);
	assert_non_null(p);
	kmem_cache_free(next, p);
	assert_destroys(next);
}

/* ---- many readers and writers ---------------------------------------------------------------- */

#define ALIVE 0x5a5a5a5aL

struct storm {
	const struct rcu_flavor_struct *rcu;
	struct kmem_cache *cache;
	struct item *published[4];
	bool stop;
	unsigned long reads, writes, wrong;
};

static void *storm_read(void *arg)
{
	struct storm *t = arg;
	unsigned long reads = 0, wrong = 0;

	t->rcu->register_thread();
	do {
		struct item *p;

		t->rcu->read_lock();
		p = __atomic_load_n(&t->published[reads % 4], __ATOMIC_ACQUIRE);
		for (int i = 0; i < 40; i++)
			wrong += __atomic_load_n(&p->state, __ATOMIC_RELAXED) != ALIVE;
		t->rcu->read_unlock();
		t->rcu->read_quiescent_state();
		reads++;
	} while (!__atomic_load_n(&t->stop, __ATOMIC_RELAXED));
	t->rcu->unregister_thread();
	__atomic_add_fetch(&t->reads, reads, __ATOMIC_RELAXED);
	__atomic_add_fetch(&t->wrong, wrong, __ATOMIC_RELAXED);
	return NULL;
}

static void *storm_write(void *arg)
{
	struct storm *t = arg;
	unsigned long writes = 0;

	t->rcu->register_thread();
	do {
		struct item *p = kmem_cache_alloc(t->cache, GFP_KERNEL), *old;

		__atomic_store_n(&p->state, 0, __ATOMIC_RELAXED);
		memset(p->rest, 1, sizeof(p->rest));
		__atomic_store_n(&p->state, ALIVE, __ATOMIC_RELAXED);
		old = __atomic_exchange_n(&t->published[writes % 4], p, __ATOMIC_ACQ_REL);
		if (writes % 3)
			kfree_rcu(old, rcu);
		else
			kmem_cache_free_rcu(t->cache, old);
		t->rcu->read_quiescent_state();
		writes++;
	} while (!__atomic_load_n(&t->stop, __ATOMIC_RELAXED));
	t->rcu->unregister_thread();
	__atomic_add_fetch(&t->writes, writes, __ATOMIC_RELAXED);
	return NULL;
}

static double storm_seconds(void)
{
	const char *text = getenv("SLABKIT_STORM_SECS");

	return text ? atof(text) / 2 : 1;
}

static void storm(const struct rcu_flavor_struct *rcu, unsigned int kind)
{
	struct storm t = { .rcu = rcu, .cache = make(kind) };
	pthread_t thread[4];

	slab_set_rcu_flavor(rcu);
	fill(t.cache, t.published, 4);
	for (unsigned int i = 0; i < 4; i++)
		t.published[i]->state = ALIVE;
	for (unsigned int i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, i < 2 ? storm_read : storm_write, &t);
	wait_ms((long)(storm_seconds() * 1000 / (FLAVORS * KINDS)) % 1000);
	__atomic_store_n(&t.stop, true, __ATOMIC_RELAXED);
	for (unsigned int i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	assert_int_equal(t.wrong, 0);
	assert_true(t.reads > 0 && t.writes > 0);
	kmem_cache_free_bulk(t.cache, 4, (void **)t.published);
	assert_destroys(t.cache);
}

static void test_storm(void **state)
{
	(void)state;
	for (unsigned int f = 0; f < FLAVORS; f++)
		for (unsigned int kind = 0; kind < KINDS; kind++)
			storm(flavors[f], kind);
	slab_set_rcu_flavor(flavors[0]);
}

/* ---- nothing is lost, little is held --------------------------------------------------------- */

struct large {
	struct item item;
	char more[300000];
};

static void test_kmalloc_of_every_size(void **state)
{
	uint64_t before = all_in_use();
	struct item *first = kmalloc(sizeof(*first), GFP_KERNEL), *next = first;

	(void)state;
	kfree_rcu((struct item *)NULL, rcu);
	kfree_rcu(next++, rcu); /* looked at once, as a function would */
	assert_ptr_equal(next, first + 1);
	kmem_cache_free_rcu(NULL, NULL);
	for (unsigned int round = 0; round < 30; round++) {
		for (size_t size = sizeof(struct item); size < 400000; size = size * 3 / 2) {
			struct item *p = kzalloc(size, GFP_KERNEL);

			assert_non_null(p);
			kfree_rcu(p, rcu);
		}
	}
	assert_int_equal(all_in_use(), before);
}

/* The shape of map and unmap in the kernel: bursts of 50, each freed through RCU. */
static void test_waiting_objects_are_bounded(void **state)
{
	struct kmem_cache *s = make(0);
	struct kmem_cache_stats st;
	struct item *p[50];

	(void)state;
	for (unsigned int cycle = 0; cycle < 6000; cycle++) {
		fill(s, p, 50);
		for (unsigned int i = 0; i < 50; i++)
			kmem_cache_free_rcu(s, p[i]);
	}
	kmem_cache_stats(s, &st);
	printf("# 300000 objects: %llu sheaves sent, at most %llu waited, %llu KiB of slabs\n",
	       (unsigned long long)st.rcu_sheaves, (unsigned long long)st.rcu_waiting_peak,
	       (unsigned long long)st.footprint_bytes >> 10);
	assert_true(st.footprint_bytes < 300000 / 2 * sizeof(struct item));
	assert_destroys(s);
}

/* Published failure: an empty sheaf was leaked for each full one that RCU had taken. */
static void test_no_sheaf_is_leaked(void **state)
{
	struct kmem_cache *s = make(0);
	uint64_t after_one = 0, after_all;
	struct item *p[300];

	(void)state;
	for (unsigned int round = 0; round < 60; round++) {
		fill(s, p, 300);
		for (unsigned int i = 0; i < 300; i++)
			kmem_cache_free_rcu(s, p[i]);
		after_all = all_in_use();
		if (!round)
			after_one = after_all;
	}
	assert_int_equal(after_all, after_one);
	assert_destroys(s);
}

/* Published failure: many sheaves at once overfilled the barn, and the rest was thrown away. */
static void test_barn_is_not_overfilled(void **state)
{
	enum { MANY = 20000 };
	struct item **p = calloc(MANY, sizeof(*p));
	long cpus = sysconf(_SC_NPROCESSORS_CONF);

	(void)state;
	for (unsigned int kind = 0; kind < 2; kind++) {
		struct kmem_cache *s = make(kind);
		struct kmem_cache_stats st;
		uint64_t bound;

		for (unsigned int bulk = 0; bulk < 2; bulk++) {
			fill(s, p, MANY);
			if (bulk)
				kmem_cache_free_bulk(s, MANY, (void **)p);
			for (unsigned int i = 0; !bulk && i < MANY; i++)
				kmem_cache_free_rcu(s, p[i]);
			kvfree_rcu_barrier();
			kmem_cache_stats(s, &st);
			/* At most 1240 objects and a sheaf, or two sheaves, a CPU. */
			bound = 1240 + 2 * st.sheaf_capacity;
			assert_true(st.barn_objects <= bound * (uint64_t)cpus);
			kmem_cache_shrink(s);
			assert_int_equal(in_use(s), 0);
			assert_int_equal(kmem_cache_validate(s), 0);
		}
		assert_destroys(s);
	}
	free(p);
}

/*
 * Published failure: a sheaf freed through RCU went into the routine that frees such sheaves, until
 * the stack was gone. Objects of the very sizes that batches have, on the smallest of stacks.
 */
static void *free_sheaf_sized(void *arg)
{
	for (unsigned int i = 0; i < 20000; i++) {
		struct item *p = kmalloc(i % 2 ? 1024 : 512, GFP_KERNEL);

		if (!p)
			return NULL;
		kfree_rcu(p, rcu);
	}
	return arg;
}

static void test_sheaves_do_not_free_themselves(void **state)
{
	uint64_t before = all_in_use();
	pthread_attr_t attr;
	pthread_t thread;
	void *done = NULL;

	(void)state;
	pthread_attr_init(&attr);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
	pthread_attr_setstacksize(&attr, (size_t)PTHREAD_STACK_MIN + 16384);
#endif
	assert_int_equal(pthread_create(&thread, &attr, free_sheaf_sized, &before), 0);
	pthread_join(thread, &done);
	pthread_attr_destroy(&attr);
	assert_non_null(done);
	assert_int_equal(all_in_use(), before);
}

/* Published failure: what was handed to a free in bulk was not checked to be the cache's. */
static void test_objects_are_checked(void **state)
{
	struct item local;

	(void)state;
	for (unsigned int kind = 0; kind < KINDS; kind++) {
		struct kmem_cache *s = make(kind), *other = make(kind);
		struct item *p = kmem_cache_alloc(s, GFP_KERNEL);
		void *mixed[2] = { kmem_cache_alloc(other, GFP_KERNEL), NULL };

		assert_reports("wrong cache", kmem_cache_free_rcu(other, p));
		assert_reports("is no object", kmem_cache_free_rcu(s, &local));
		assert_reports("inside an object",
			       kmem_cache_free_rcu(s, (struct item *)((char *)p + 8)));
		/* In bulk: at once where objects are watched, else no later than at their slab. */
		mixed[1] = p;
		assert_reports("wrong cache", {
			kmem_cache_free_bulk(other, 2, mixed);
			kmem_cache_shrink(other);
		});
		kmem_cache_free(s, p);
		assert_destroys(other);
		assert_destroys(s);
	}
}

static void test_double_free(void **state)
{
	struct kmem_cache *s = make(3);
	struct item *p = kmem_cache_alloc(s, GFP_KERNEL);

	(void)state;
	kmem_cache_free_rcu(s, p);
	kvfree_rcu_barrier();
	assert_reports("double free", kmem_cache_free_rcu(s, p));
	assert_non_null(strstr(trapped, "freed at"));
	p = kmem_cache_alloc(s, GFP_KERNEL);
	kmem_cache_free_rcu(s, p);
	kmem_cache_free_rcu(s, p);
	assert_reports("double free", kvfree_rcu_barrier());
	assert_destroys(s);
}

/* ---- no memory ------------------------------------------------------------------------------- */

static void test_without_memory(void **state)
{
	struct kmem_cache *s = make(0);
	struct item *p[200];
	void **hoard = NULL, *block;
	struct reader r;

	(void)state;
	fill(s, p, 200);
	reader_enter(&r, flavors[0]);
	slab_fail_pages(0);
	/* No batch is to be had. */
	while ((block = kmalloc(1024, GFP_KERNEL))) {
		*(void **)block = hoard;
		hoard = block;
	}
	for (unsigned int i = 0; i < 100; i++)
		kfree_rcu(p[i], rcu);
	assert_true(in_use(s) >= 200);
	assert_int_equal(p[50]->state, 4711 + 50);
	reader_leave(&r);
	kvfree_rcu_barrier();
	kmem_cache_shrink(s);
	assert_int_equal(in_use(s), 100);
	/* Without a head: waited for on the spot. */
	for (unsigned int i = 100; i < 110; i++)
		kmem_cache_free_rcu(s, p[i]);
	kvfree_rcu_barrier();
	kmem_cache_shrink(s);
	assert_int_equal(in_use(s), 90);
	slab_fail_pages(-1);
	while (hoard) {
		void **next = *(void **)hoard;

		kfree(hoard);
		hoard = next;
	}
	for (unsigned int i = 110; i < 200; i++)
		kmem_cache_free_rcu(s, p[i]);
	assert_destroys(s);
}

/* ---- type-safe memory ------------------------------------------------------------------------ */

/*
 * A reader may look at an object that is free, whose slab is empty, and that the cache gave back.
 */
static void test_typesafe_memory_stays(void **state)
{
	static const unsigned int capacities[] = { 0, SLAB_NO_SHEAVES };

	(void)state;
	for (unsigned int k = 0; k < 4; k++) {
		struct kmem_cache_args args = { .sheaf_capacity = capacities[k % 2] };
		struct kmem_cache *s = kmem_cache_create(
			"typesafe", sizeof(struct item), &args,
			SLAB_TYPESAFE_BY_RCU | (k < 2 ? 0 : SLAB_RED_ZONE | SLAB_POISON));
		struct kmem_cache_stats st;
		struct item *p[N];
		struct reader r;

		fill(s, p, N);
		reader_enter(&r, flavors[0]);
		for (unsigned int i = 0; i < N; i++)
			kmem_cache_free(s, p[i]);
		kmem_cache_shrink(s);
		kmem_cache_stats(s, &st);
		assert_int_equal(st.slabs, 0);
		assert_int_equal(kmem_cache_validate(s), 0);
		for (unsigned int i = 0; i < N; i++)
			assert_int_equal(p[i]->state, 4711 + i);
		reader_leave(&r);
		kvfree_rcu_barrier();
		assert_destroys(s);
	}
}

/* ---- fork ------------------------------------------------------------------------------------ */

struct scene {
	struct kmem_cache *cache;
	bool stop;
};

static void *free_all_the_time(void *arg)
{
	struct scene *scene = arg;

	while (!__atomic_load_n(&scene->stop, __ATOMIC_RELAXED)) {
		void *p = kmem_cache_alloc(scene->cache, GFP_KERNEL);

		kmem_cache_free_rcu(scene->cache, p);
	}
	return NULL;
}

static void be_child(struct scene *scene)
{
	struct kmem_cache *own = make(1);
	void *p;

	alarm(20); /* a lock left behind must not hang the test */
	for (unsigned int i = 0; i < 300; i++) {
		p = kmem_cache_alloc(scene->cache, GFP_KERNEL);
		kmem_cache_free_rcu(scene->cache, p);
		kmem_cache_free_rcu(own, kmem_cache_alloc(own, GFP_KERNEL));
	}
	kvfree_rcu_barrier();
	if (in_use(own))
		abort();
	kmem_cache_destroy(own);
	_exit(0);
}

static void test_fork(void **state)
{
	struct scene scene = { .cache = make(0) };
	pthread_t thread[2];

	(void)state;
#ifdef __SANITIZE_THREAD__
	puts("# SKIP under ThreadSanitizer: it allows no new threads in a child");
	return;
#endif
	for (unsigned int i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, free_all_the_time, &scene);
	for (unsigned int i = 0; i < 12; i++) {
		int status = -1;
		pid_t pid = fork();

		if (!pid)
			be_child(&scene);
		assert_true(pid > 0);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_int_equal(status, 0);
	}
	__atomic_store_n(&scene.stop, true, __ATOMIC_RELAXED);
	for (unsigned int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	assert_destroys(scene.cache);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_waits_for_readers),
		cmocka_unit_test(test_destroy_waits),
		cmocka_unit_test(test_destroyed_cache_takes_no_alias),
		cmocka_unit_test(test_storm),
		cmocka_unit_test(test_kmalloc_of_every_size),
		cmocka_unit_test(test_waiting_objects_are_bounded),
		cmocka_unit_test(test_no_sheaf_is_leaked),
		cmocka_unit_test(test_barn_is_not_overfilled),
		cmocka_unit_test(test_sheaves_do_not_free_themselves),
		cmocka_unit_test(test_objects_are_checked),
		cmocka_unit_test(test_double_free),
		cmocka_unit_test(test_without_memory),
		cmocka_unit_test(test_typesafe_memory_stays),
		cmocka_unit_test(test_fork),
	};

	choose_flavor();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
