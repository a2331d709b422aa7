// SPDX-License-Identifier: MIT
/* rcu.c - batches, rounds, and the thread that makes them. */
#include "rcu.h"

#include <time.h>
#include <urcu/flavor.h>

#include "alloc.h"
#include "debug.h"
#include "futex.h"
#include "node.h"
#include "pages.h"
#include "peek.h"
#include "report.h"
#include "root.h"
#include "slab.h"
#include "thread.h"

#define BATCH_LEAST   32      /* objects in a batch */
#define BATCH_WITHOUT 64      /* for caches without sheaves */
#define BOUND_WITHOUT 8	      /* batches in flight before they are hurried, likewise */
#define FLIGHTS	      4	      /* bounds' worth a CPU in flight before who frees helps */
#define HELP	      2	      /* batches to give back for one sent */
#define NAP_NS	      50000
#define NAPS_MOST     20      /* at most so many for a batch sent */
#define LINGER_NS     2000000 /* work gathers for so long */
#define ODD_BOUND     64      /* lone objects and slabs that wait before they are hurried */
#define HURRY_NAPS    100     /* of NAP_NS at least, and HURRY_MS at least, that somebody who needs
				 memory waits */
#define HURRY_MS      100
#define FORK_NAPS     1000    /* of NAP_NS that fork waits for a round */

extern const struct rcu_flavor_struct urcu_memb_flavor;

enum call {
	CALL_NONE,
	CALL_GATHER, /* work waits; more may come */
	CALL_HURRY,
};

static const struct rcu_flavor_struct *flavor(void)
{
	const struct rcu_flavor_struct *f = peek(root.rcu.flavor);

	return f ? f : &urcu_memb_flavor;
}

static void nap(long ns)
{
	struct timespec ts = { .tv_nsec = ns };

	nanosleep(&ts, NULL);
}

static uint64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

/* ---- giving back ----------------------------------------------------------------------------- */

static void hide(const struct rcu_batch *batch)
{
#ifdef SLABKIT_ASAN
	for (uint32_t i = 0; i < batch->n; i++)
		alloc_hide(batch->cache, batch->slot[i]);
#else
	(void)batch;
#endif
}

/* How many are near to the CPU that freed them: these come to stand before the others. */
static uint32_t near_first(struct rcu_batch *batch)
{
	uint64_t near = batch->cache->cpu[batch->home].near;
	uint32_t n = 0;

	for (uint32_t i = 0; i < batch->n; i++) {
		void *object = batch->slot[i];

		if (!(slab_near(object) & near))
			continue;
		batch->slot[i] = batch->slot[n];
		batch->slot[n++] = object;
	}
	return n;
}

static void give_batch(struct rcu_batch *batch)
{
	struct kmem_cache *s = batch->cache;
	size_t done;

	if (s->debug) {
		for (uint32_t i = 0; i < batch->n; i++)
			debug_free(s, batch->slot[i], NULL);
	} else if (s->sheafless) {
		kmem_cache_free_bulk(s, batch->n, batch->slot);
	} else {
		hide(batch);
		/* A drain may take the sheaves' memory away: not while one is filled. */
		lock_take(&s->drain, LOCK_DRAIN);
		done = sheaf_give_home(s, &s->cpu[batch->home], batch->slot, near_first(batch));
		lock_drop(&s->drain, LOCK_DRAIN);
		node_put(s, batch->slot + done, batch->n - done);
	}
	bump(s->rcu.given, batch->n);
	__atomic_sub_fetch(&s->rcu.flight, 1, __ATOMIC_RELEASE);
	kfree(batch);
}

static void give(struct rcu_queue *q)
{
	while (q->batches) {
		struct rcu_batch *batch = q->batches;

		q->batches = batch->next;
		give_batch(batch);
	}
	while (q->lone) {
		struct rcu_lone *lone = q->lone;

		q->lone = lone->next;
		kfree(lone->object);
	}
	if (q->slabs)
		pages_free(q->slabs);
	q->slabs = NULL;
}

static bool is_empty(const struct rcu_queue *q)
{
	return !q->batches && !q->lone && !q->slabs;
}

/* A batch of what is ready, or all that is ready and is none. False: nothing, or a fork waits. */
static bool take_ready(struct rcu_queue *part)
{
	struct rcu *r = &root.rcu;
	bool any;

	*part = (struct rcu_queue){ 0 };
	lock_take(&r->lock, LOCK_RCU);
	any = !r->fork_waits && !is_empty(&r->ready);
	if (any && r->ready.batches) {
		part->batches = r->ready.batches;
		r->ready.batches = part->batches->next;
		part->batches->next = NULL;
	} else if (any) {
		*part = r->ready;
		r->ready = (struct rcu_queue){ 0 };
	}
	r->givers += any;
	lock_drop(&r->lock, LOCK_RCU);
	return any;
}

static bool give_some(void)
{
	struct rcu *r = &root.rcu;
	struct rcu_queue part;

	if (!take_ready(&part))
		return false;
	give(&part);
	lock_take(&r->lock, LOCK_RCU);
	r->givers--;
	lock_drop(&r->lock, LOCK_RCU);
	return true;
}

/* ---- rounds ---------------------------------------------------------------------------------- */

/* What waits becomes covered; false: somebody else is at it, or forks. */
static bool begin_round(void)
{
	struct rcu *r = &root.rcu;
	bool mine;

	lock_take(&r->lock, LOCK_RCU);
	mine = r->round == ROUND_NONE && !r->fork_waits;
	if (mine) {
		r->round = ROUND_WAITS;
		r->begun++;
		r->covered = r->waiting;
		r->waiting = (struct rcu_queue){ 0 };
		r->nr_odd = 0;
	}
	lock_drop(&r->lock, LOCK_RCU);
	return mine;
}

static void make_ready(void)
{
	struct rcu *r = &root.rcu;

	lock_take(&r->lock, LOCK_RCU);
	r->round = ROUND_GIVES;
	r->ready = r->covered;
	r->covered = (struct rcu_queue){ 0 };
	lock_drop(&r->lock, LOCK_RCU);
}

/* False: not all has been given back yet. */
static bool end_round(void)
{
	struct rcu *r = &root.rcu;
	bool done;

	lock_take(&r->lock, LOCK_RCU);
	done = is_empty(&r->ready) && !r->givers;
	if (done) {
		r->round = ROUND_NONE;
		__atomic_store_n(&r->ended, r->begun, __ATOMIC_RELEASE);
	}
	lock_drop(&r->lock, LOCK_RCU);
	return done;
}

static bool make_round(void)
{
	if (!begin_round())
		return false;
	if (!is_empty(&root.rcu.covered))
		flavor()->update_synchronize_rcu();
	make_ready();
	while (!end_round())
		if (!give_some())
			nap(NAP_NS);
	return true;
}

/* Until all that waits by now has been given back. */
static void wait_rounds(void)
{
	struct rcu *r = &root.rcu;
	uint64_t last;

	lock_take(&r->lock, LOCK_RCU);
	last = r->begun + !is_empty(&r->waiting);
	lock_drop(&r->lock, LOCK_RCU);
	while (__atomic_load_n(&r->ended, __ATOMIC_ACQUIRE) < last)
		if (!make_round())
			nap(NAP_NS);
}

/* ---- the thread ------------------------------------------------------------------------------ */

static void *work(void *arg)
{
	static const struct timespec linger = { .tv_nsec = LINGER_NS };
	uint32_t *call = arg;

	for (;;) {
		while (__atomic_load_n(call, __ATOMIC_ACQUIRE) == CALL_NONE)
			futex_wait(call, CALL_NONE, NULL);
		futex_wait(call, CALL_GATHER, &linger);
		/* Before the queue is taken: what is sent later calls again. */
		__atomic_store_n(call, CALL_NONE, __ATOMIC_SEQ_CST);
		while (!make_round())
			nap(NAP_NS);
	}
	return NULL;
}

/* Nothing is lost without the thread: the next call tries again, and a barrier needs none. */
static void call_thread(enum call how)
{
	struct rcu *r = &root.rcu;
	uint32_t was = __atomic_load_n(&r->call, __ATOMIC_SEQ_CST);

	if (!__atomic_load_n(&r->worker, __ATOMIC_ACQUIRE) &&
	    !__atomic_exchange_n(&r->worker, true, __ATOMIC_ACQ_REL) &&
	    !thread_start(work, &r->call, 0))
		__atomic_store_n(&r->worker, false, __ATOMIC_RELEASE);
	while (was < (uint32_t)how) {
		if (!__atomic_compare_exchange_n(&r->call, &was, (uint32_t)how, false,
						 __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
			continue;
		futex_wake(&r->call, 1);
		return;
	}
}

/* ---- sending --------------------------------------------------------------------------------- */

/* Whole sheaves, and not too few objects. */
static uint32_t batch_capacity(const struct kmem_cache *s)
{
	uint32_t sheaf = peek(s->capacity);

	return sheaf ? (BATCH_LEAST + sheaf - 1) / sheaf * sheaf : BATCH_WITHOUT;
}

/* Batches that the barn of one CPU has room for. */
static uint32_t bound_of(const struct kmem_cache *s)
{
	uint32_t bound = peek(s->barn_max) * peek(s->capacity) / batch_capacity(s);

	return s->sheafless ? BOUND_WITHOUT : bound + !bound;
}

/* Returns how many batches of the cache are in flight. */
static uint32_t send(struct kmem_cache *s, struct rcu_batch *batch)
{
	struct rcu *r = &root.rcu;
	uint32_t flight = __atomic_add_fetch(&s->rcu.flight, 1, __ATOMIC_RELAXED);

	if (flight > peek(s->rcu.peak))
		poke(s->rcu.peak, flight);
	bump(s->rcu.sent, 1);
	lock_take(&r->lock, LOCK_RCU);
	batch->next = r->waiting.batches;
	r->waiting.batches = batch;
	lock_drop(&r->lock, LOCK_RCU);
	call_thread(flight >= bound_of(s) ? CALL_HURRY : CALL_GATHER);
	return flight;
}

/*
 * By somebody who frees, with nothing locked. Too much in flight: then he gives back more than he
 * sends, or where no grace period has ended, makes a pause that grows with how much it is.
 */
static void send_full(struct kmem_cache *s, struct rcu_batch *batch)
{
	uint32_t flight = send(s, batch), most = FLIGHTS * bound_of(s) * root.nr_cpus;
	uint32_t over = flight / most, given = 0;

	if (!over || flavor()->read_ongoing())
		return;
	while (given < HELP && give_some())
		given++;
	if (!given)
		nap(NAP_NS * (over < NAPS_MOST ? over : NAPS_MOST));
}

static void send_lone(struct rcu_lone *lone, const void *object)
{
	struct rcu *r = &root.rcu;
	bool hurry;

	lone->object = object;
	lock_take(&r->lock, LOCK_RCU);
	lone->next = r->waiting.lone;
	r->waiting.lone = lone;
	hurry = ++r->nr_odd >= ODD_BOUND;
	lock_drop(&r->lock, LOCK_RCU);
	call_thread(hurry ? CALL_HURRY : CALL_GATHER);
}

void rcu_defer_slabs(struct slab *chain)
{
	struct rcu *r = &root.rcu;
	struct slab *last = chain;
	uint32_t n = 1;
	bool hurry;

	/* No object of these may be freed any more, and no walk over the cache meets them. */
	for (;; last = last->next, n++) {
		last->kind = BLOCK_META;
		last->cache = NULL;
		if (!last->next)
			break;
	}
	lock_take(&r->lock, LOCK_RCU);
	last->next = r->waiting.slabs;
	r->waiting.slabs = chain;
	r->nr_odd += n;
	hurry = r->nr_odd >= ODD_BOUND;
	lock_drop(&r->lock, LOCK_RCU);
	call_thread(hurry ? CALL_HURRY : CALL_GATHER);
}

/* ---- batches --------------------------------------------------------------------------------- */

static struct rcu_batch *make_batch(struct kmem_cache *s, void *object)
{
	uint32_t capacity = batch_capacity(s);
	struct rcu_batch *batch;

	batch = kmalloc(sizeof(*batch) + capacity * sizeof(void *), GFP_NOWAIT);
	if (batch) {
		*batch = (struct rcu_batch){ .cache = s, .n = 1, .capacity = capacity };
		batch->home = cpu_current();
		batch->slot[0] = object;
	}
	return batch;
}

/* Into this CPU's batch. False: it has none, or is somebody's. */
static bool add(struct kmem_cache *s, void *object)
{
	struct cpu_block *b = cpu_lock(s);
	struct rcu_batch *full = NULL, *batch;

	if (!b)
		return false;
	batch = b->rcu;
	if (batch) {
		batch->slot[batch->n++] = object;
		poke_add(b->rcu_objects, 1);
		if (batch->n == batch->capacity) {
			full = batch;
			poke(b->rcu, NULL);
			if (!s->sheafless)
				sheaf_stock_empty(s, b, batch->n);
		}
	}
	cpu_unlock(s, b);
	if (full)
		send_full(s, full);
	return batch != NULL;
}

/* A new batch: the CPU's from here on, unless that has got one meanwhile. False: no memory. */
static bool add_first(struct kmem_cache *s, void *object)
{
	struct rcu_batch *batch = make_batch(s, object);
	struct cpu_block *b;

	if (!batch)
		return false;
	b = cpu_lock(s);
	if (b && !b->rcu) {
		batch->home = cache_home(s, b);
		poke(b->rcu, batch);
		poke_add(b->rcu_objects, 1);
		batch = NULL;
	}
	if (b)
		cpu_unlock(s, b);
	if (batch) {
		bump(s->rcu.direct, 1);
		send_full(s, batch);
	}
	return true;
}

static bool store(struct kmem_cache *s, void *object)
{
	return add(s, object) || add_first(s, object);
}

uint64_t rcu_waiting_objects(const struct kmem_cache *s)
{
	uint64_t given = peek(s->rcu.given), n = peek(s->rcu.direct);

	for (unsigned int cpu = 0; cpu < root.nr_cpus; cpu++)
		n += peek(s->cpu[cpu].rcu_objects);
	return n > given ? n - given : 0;
}

void rcu_flush(struct kmem_cache *s)
{
	lock_take(&s->drain, LOCK_DRAIN);
	for (unsigned int cpu = 0; cpu < root.nr_cpus; cpu++) {
		struct cpu_block *b = &s->cpu[cpu];
		struct rcu_batch *batch;

		if (!peek(b->rcu) || !cpu_lock_remote(s, cpu))
			continue;
		batch = b->rcu;
		poke(b->rcu, NULL);
		cpu_unlock(s, b);
		if (batch)
			send(s, batch);
	}
	lock_drop(&s->drain, LOCK_DRAIN);
}

void rcu_settle(struct kmem_cache *s)
{
	rcu_flush(s);
	if (peek(s->rcu.sent) || s->flags & SLAB_TYPESAFE_BY_RCU)
		wait_rounds();
}

/* ---- fork ------------------------------------------------------------------------------------ */

void rcu_before_fork(void)
{
	struct rcu *r = &root.rcu;
	bool reader = flavor()->read_ongoing(), wait;

	for (unsigned int naps = 0;; naps++) {
		lock_take_fork(&r->lock);
		r->fork_waits = true;
		wait = r->givers || (r->round == ROUND_WAITS && !reader && naps < FORK_NAPS);
		lock_drop_fork(&r->lock);
		if (!wait)
			break;
		nap(NAP_NS);
	}
}

static void append(struct rcu_queue *to, struct rcu_queue *from)
{
	struct rcu_batch **batch = &to->batches;
	struct rcu_lone **lone = &to->lone;
	struct slab **slab = &to->slabs;

	while (*batch)
		batch = &(*batch)->next;
	while (*lone)
		lone = &(*lone)->next;
	while (*slab)
		slab = &(*slab)->next;
	*batch = from->batches;
	*lone = from->lone;
	*slab = from->slabs;
	*from = (struct rcu_queue){ 0 };
}

void rcu_after_fork(bool child)
{
	struct rcu *r = &root.rcu;

	lock_take_fork(&r->lock);
	if (child) {
		/* There is no round: what one had waits again. */
		append(&r->waiting, &r->covered);
		append(&r->waiting, &r->ready);
		r->round = ROUND_NONE;
		r->worker = false;
		r->call = CALL_NONE;
		r->ended = r->begun;
	}
	r->fork_waits = false;
	lock_drop_fork(&r->lock);
}

/* ---- the program's calls --------------------------------------------------------------------- */

static bool is_own(struct kmem_cache *s, void *object, const void *caller)
{
	return s->debug ? debug_retire(s, object, caller) : slab_of_object(s, object) != NULL;
}

void kmem_cache_free_rcu(struct kmem_cache *s, void *object)
{
	if (!object || !is_own(s, object, __builtin_return_address(0)) || store(s, object))
		return;
	if (flavor()->read_ongoing())
		report_warn("no memory to wait for readers with: an object of %s is lost\n",
			    s->name);
	else {
		flavor()->update_synchronize_rcu();
		kmem_cache_free(s, object);
	}
}

void slab_kfree_rcu(void *head, const void *object)
{
	struct slab *slab;

	if (ZERO_OR_NULL_PTR(object))
		return;
	slab = slab_find(&root.map, object);
	if (slab && !is_own(slab->cache, (void *)object, __builtin_return_address(0)))
		return;
	if (!slab || !store(slab->cache, (void *)object))
		send_lone(head, object);
}

void slab_kfree_rcu_mightsleep(const void *object)
{
	struct slab *slab;

	if (ZERO_OR_NULL_PTR(object))
		return;
	slab = slab_find(&root.map, object);
	if (slab && (!is_own(slab->cache, (void *)object, __builtin_return_address(0)) ||
		     store(slab->cache, (void *)object)))
		return;
	flavor()->update_synchronize_rcu();
	kfree(object);
}

static int flush(struct kmem_cache *s, void *arg)
{
	(void)arg;
	rcu_flush(s);
	return 0;
}

void kvfree_rcu_barrier(void)
{
	slab_walk(flush, NULL);
	wait_rounds();
}

bool rcu_hurry(void)
{
	struct rcu *r = &root.rcu;
	unsigned int naps = 0;
	uint64_t last, start;
	bool any;

	slab_walk(flush, NULL);
	lock_take(&r->lock, LOCK_RCU);
	last = r->begun + !is_empty(&r->waiting);
	any = last > r->ended;
	lock_drop(&r->lock, LOCK_RCU);
	if (!any)
		return false;
	call_thread(CALL_HURRY);
	if (flavor()->read_ongoing())
		return false;
	start = now_ms();
	while (__atomic_load_n(&r->ended, __ATOMIC_ACQUIRE) < last) {
		if (naps++ >= HURRY_NAPS && now_ms() - start >= HURRY_MS)
			return false;
		nap(NAP_NS);
	}
	return true;
}

void slab_set_rcu_flavor(const struct rcu_flavor_struct *f)
{
	kvfree_rcu_barrier();
	poke(root.rcu.flavor, f);
}
