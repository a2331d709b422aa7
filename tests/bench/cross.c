// SPDX-License-Identifier: MIT
/*
 * cross.c - objects that one thread allocates and another, on another CPU, frees.
 *
 * They go through a ring whose two indices are published every 16 items, so that the ring costs
 * little; "ring" is the same with objects that exist already, and is the floor. A round in which
 * one of the two was preempted does not count, as the other one only waited meanwhile. Rounds are
 * short for that, and begin without a system call, which would be half of their time.
 */
#include "worker.h"

#include <stdatomic.h>
#include <string.h>

#include "clock.h"
#include "pool.h"

static inline void relax(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

#define RING_SLOTS   4096u
#define RING_PUBLISH 16u /* items between two stores of the shared index */

struct ring {
	_Alignas(64) _Atomic(uint32_t) head; /* next to be written, as the consumer knows it */
	_Alignas(64) _Atomic(uint32_t) tail; /* next to be read, as the producer knows it */
	_Alignas(64) void *slots[RING_SLOTS];
};

struct cross {
	struct pool *pool;
	struct ring *ring;
	void **objects; /* not NULL: circulate these, allocate and free nothing */
	size_t n_objects;
	size_t count;
	uint64_t sum;
	pthread_barrier_t ready;
	bool disturbed;	      /* the consumer was preempted in the last round */
	atomic_uint begun;    /* rounds that the producer began */
	atomic_uint finished; /* rounds that the consumer finished */
	atomic_bool stop;
};

static void consume(struct cross *x)
{
	struct ring *r = x->ring;
	uint32_t tail = atomic_load_explicit(&r->tail, memory_order_relaxed), head = tail;

	for (size_t i = 0; i < x->count; i++, tail++) {
		void *o;

		while (head == tail) {
			head = atomic_load_explicit(&r->head, memory_order_acquire);
			if (head == tail)
				relax();
		}
		o = r->slots[tail % RING_SLOTS];
		x->sum += *(volatile uint64_t *)o;
		if (!x->objects)
			pool_free(x->pool, o);
		if ((tail + 1) % RING_PUBLISH == 0 || i + 1 == x->count)
			atomic_store_explicit(&r->tail, tail + 1, memory_order_release);
	}
}

static void produce(struct cross *x)
{
	struct ring *r = x->ring;
	uint32_t head = atomic_load_explicit(&r->head, memory_order_relaxed), tail = head;

	for (size_t i = 0; i < x->count; i++, head++) {
		void *o = x->objects ? x->objects[i % x->n_objects] : pool_alloc(x->pool);

		if (!o)
			die("no object for the consumer");
		*(volatile uint64_t *)o = i;
		while (head - tail == RING_SLOTS) {
			tail = atomic_load_explicit(&r->tail, memory_order_acquire);
			if (head - tail == RING_SLOTS)
				relax();
		}
		r->slots[head % RING_SLOTS] = o;
		if ((head + 1) % RING_PUBLISH == 0 || i + 1 == x->count)
			atomic_store_explicit(&r->head, head + 1, memory_order_release);
	}
}

static void *run_consumer(void *arg)
{
	struct cross *x = arg;
	unsigned round = atomic_load(&x->finished);

	pin_to(1);
	pool_thread_init(x->pool);
	pthread_barrier_wait(&x->ready);
	for (;;) {
		long preemptions = count_preemptions();

		while (atomic_load_explicit(&x->begun, memory_order_acquire) == round)
			relax();
		if (atomic_load(&x->stop))
			break;
		consume(x);
		x->disturbed = count_preemptions() != preemptions;
		atomic_store_explicit(&x->finished, ++round, memory_order_release);
	}
	pool_thread_exit(x->pool);
	return NULL;
}

/* Ticks per object of one round; *good unless somebody was preempted. */
static double time_round(struct cross *x, bool *good)
{
	long preemptions = count_preemptions();
	uint64_t start = clock_ticks();
	unsigned round = atomic_fetch_add_explicit(&x->begun, 1, memory_order_release) + 1;
	double ticks;

	produce(x);
	while (atomic_load_explicit(&x->finished, memory_order_acquire) != round)
		relax();
	ticks = (double)(clock_ticks() - start) / (double)x->count;
	*good = !x->disturbed && count_preemptions() == preemptions;
	return ticks;
}

/* Median and minimum go out: a whole process may fall into a slow mode. */
static void time_cross(const struct worker *w, struct cross *x, const char *kind)
{
	double ticks[64], spoiled = 0;
	size_t n = 0, wanted = 5 * (size_t)w->samples;
	pthread_t thread;
	bool good;

	if (wanted > 64)
		wanted = 64;
	if (pthread_create(&thread, NULL, run_consumer, x) != 0)
		die("no thread");
	/* Until then it is on this CPU, where spinning might keep it from ever leaving. */
	pthread_barrier_wait(&x->ready);
	for (size_t i = 0; i < 8; i++)
		time_round(x, &good);
	for (size_t i = 0; i < 4 * wanted && n < wanted; i++) {
		ticks[n] = spoiled = time_round(x, &good);
		n += good;
	}
	atomic_store(&x->stop, true);
	atomic_fetch_add(&x->begun, 1);
	pthread_join(thread, NULL);
	atomic_store(&x->stop, false);
	atomic_fetch_add(&x->finished, 1);
	if (!n)
		ticks[n++] = spoiled;
	emit(median(ticks, n), "ticks", "cross.%zu.%s.median", w->size, kind);
	emit(ticks[0], "ticks", "cross.%zu.%s.min", w->size, kind);
}

int bench_cross(const struct worker *w, char **args)
{
	struct cross x = { .count = 20000, .n_objects = 2 * RING_SLOTS };

	(void)args;
	if (cpu_count() < 2)
		die("a producer and a consumer need two CPUs");
	x.pool = make_pool(w, "bench_cross", 4 * RING_SLOTS);
	x.ring = map_array(sizeof(*x.ring));
	pthread_barrier_init(&x.ready, NULL, 2);
	time_cross(w, &x, "pool");
	x.objects = map_pointers(w, x.n_objects);
	for (size_t i = 0; i < x.n_objects; i++)
		if (!(x.objects[i] = pool_alloc(x.pool)))
			die("no object");
	time_cross(w, &x, "ring");
	return 0;
}
