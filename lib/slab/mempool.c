// SPDX-License-Identifier: MIT
/* mempool.c - reserves: filling, taking, waiting. */
#include "mempool.h"

#include <errno.h>
#include <string.h>

#include "cache.h"
#include "futex.h"
#include "peek.h"
#include "root.h"

/* ---- sources --------------------------------------------------------------------------------- */

void *mempool_alloc_slab(gfp_t gfp, void *pool_data)
{
	return kmem_cache_alloc(pool_data, gfp);
}

void mempool_free_slab(void *element, void *pool_data)
{
	kmem_cache_free(pool_data, element);
}

void *mempool_kmalloc(gfp_t gfp, void *pool_data)
{
	return kmalloc((size_t)pool_data, gfp);
}

void mempool_kfree(void *element, void *pool_data)
{
	(void)pool_data;
	kfree(element);
}

/* ---- making and destroying ------------------------------------------------------------------- */

/* Elements from the source until there are n in reserve; false: it has no more. */
static bool fill(struct mempool *pool, int n)
{
	while (pool->curr_nr < n) {
		void *element = pool->alloc(GFP_KERNEL, pool->data);

		if (!element)
			return false;
		pool->element[pool->curr_nr++] = element;
	}
	return true;
}

static void release(struct mempool *pool)
{
	while (pool->curr_nr)
		pool->free(pool->element[--pool->curr_nr], pool->data);
	kfree(pool->element);
	kfree(pool);
}

static void list_add(struct mempool *pool)
{
	lock_take(&root.lock, LOCK_ROOT);
	pool->prev = NULL;
	pool->next = root.pools;
	if (pool->next)
		pool->next->prev = pool;
	root.pools = pool;
	lock_drop(&root.lock, LOCK_ROOT);
}

static void list_del(struct mempool *pool)
{
	lock_take(&root.lock, LOCK_ROOT);
	if (pool->prev)
		pool->prev->next = pool->next;
	else
		root.pools = pool->next;
	if (pool->next)
		pool->next->prev = pool->prev;
	lock_drop(&root.lock, LOCK_ROOT);
}

mempool_t *mempool_create(int min_nr, mempool_alloc_t *alloc, mempool_free_t *free, void *data)
{
	struct mempool *pool;

	if (min_nr < 1 || !alloc || !free) {
		errno = EINVAL;
		return NULL;
	}
	pool = kzalloc(sizeof(*pool), GFP_KERNEL);
	if (!pool)
		return NULL;
	*pool = (struct mempool){ .min_nr = min_nr, .data = data, .alloc = alloc, .free = free };
	pool->element = kmalloc_array((size_t)min_nr, sizeof(void *), GFP_KERNEL);
	if (!pool->element || !fill(pool, min_nr)) {
		release(pool);
		errno = ENOMEM;
		return NULL;
	}
	list_add(pool);
	return pool;
}

mempool_t *mempool_create_slab_pool(int min_nr, struct kmem_cache *s)
{
	int err = s ? kmem_cache_pin(s) : -EINVAL;

	if (err) {
		errno = -err;
		return NULL;
	}
	return mempool_create(min_nr, mempool_alloc_slab, mempool_free_slab, s);
}

mempool_t *mempool_create_kmalloc_pool(int min_nr, size_t size)
{
	return mempool_create(min_nr, mempool_kmalloc, mempool_kfree, (void *)size);
}

void mempool_destroy(mempool_t *pool)
{
	if (!pool)
		return;
	list_del(pool);
	release(pool);
}

/* ---- use ------------------------------------------------------------------------------------- */

static void *take(struct mempool *pool)
{
	void *element = NULL;

	lock_take(&pool->lock, LOCK_POOL);
	if (pool->curr_nr) {
		element = pool->element[pool->curr_nr - 1];
		poke(pool->curr_nr, pool->curr_nr - 1);
	}
	lock_drop(&pool->lock, LOCK_POOL);
	return element;
}

/* The source first, which is not to reclaim what the reserve can give at once; then the reserve. */
static void *try_alloc(struct mempool *pool, gfp_t gfp)
{
	gfp_t light = (gfp | __GFP_NORETRY | __GFP_NOWARN) & ~(__GFP_ZERO | __GFP_DIRECT_RECLAIM);
	void *element = pool->alloc(light, pool->data);

	if (!element)
		element = take(pool);
	if (!element && gfp & __GFP_DIRECT_RECLAIM)
		element = pool->alloc(light | __GFP_DIRECT_RECLAIM, pool->data);
	return element;
}

void *mempool_alloc(mempool_t *pool, gfp_t gfp)
{
	void *element;

	for (;;) {
		/* Read before the try: what is freed after it changes the word. */
		uint32_t freed = __atomic_load_n(&pool->freed, __ATOMIC_ACQUIRE);

		element = try_alloc(pool, gfp);
		if (element)
			return element;
		if (!(gfp & __GFP_DIRECT_RECLAIM)) {
			errno = ENOMEM;
			return NULL;
		}
		/*
		 * The source may find memory again without an element coming back: look at times.
		 */
		__atomic_add_fetch(&pool->waiters, 1, __ATOMIC_SEQ_CST);
		futex_wait(&pool->freed, freed, &(struct timespec){ .tv_nsec = 100000000 });
		__atomic_sub_fetch(&pool->waiters, 1, __ATOMIC_RELAXED);
	}
}

static bool keep(struct mempool *pool, void *element)
{
	bool kept;

	lock_take(&pool->lock, LOCK_POOL);
	kept = pool->curr_nr < pool->min_nr;
	if (kept) {
		pool->element[pool->curr_nr] = element;
		poke(pool->curr_nr, pool->curr_nr + 1);
	}
	lock_drop(&pool->lock, LOCK_POOL);
	return kept;
}

/* An element that came back to the source may as well be what somebody waits for. */
static void tell(struct mempool *pool)
{
	__atomic_add_fetch(&pool->freed, 1, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&pool->waiters, __ATOMIC_SEQ_CST))
		futex_wake(&pool->freed, 1);
}

void mempool_free(void *element, mempool_t *pool)
{
	if (!element)
		return;
	if (peek(pool->curr_nr) >= peek(pool->min_nr) || !keep(pool, element))
		pool->free(element, pool->data);
	tell(pool);
}

/* Elements beyond the new size; with the lock held they only change hands. */
static void *take_excess(struct mempool *pool, int min_nr)
{
	void *element = NULL;

	lock_take(&pool->lock, LOCK_POOL);
	poke(pool->min_nr, min_nr);
	if (pool->curr_nr > min_nr) {
		element = pool->element[pool->curr_nr - 1];
		poke(pool->curr_nr, pool->curr_nr - 1);
	}
	lock_drop(&pool->lock, LOCK_POOL);
	return element;
}

static void **swap_array(struct mempool *pool, void **array, int min_nr)
{
	void **old;

	lock_take(&pool->lock, LOCK_POOL);
	old = pool->element;
	memcpy(array, old, (size_t)pool->curr_nr * sizeof(void *));
	pool->element = array;
	poke(pool->min_nr, min_nr);
	lock_drop(&pool->lock, LOCK_POOL);
	return old;
}

int mempool_resize(mempool_t *pool, int min_nr)
{
	void **array, *element;

	if (min_nr < 1)
		return -EINVAL;
	if (min_nr <= pool->min_nr) {
		while ((element = take_excess(pool, min_nr)))
			pool->free(element, pool->data);
		return 0;
	}
	array = kmalloc_array((size_t)min_nr, sizeof(void *), GFP_KERNEL);
	if (!array)
		return -ENOMEM;
	kfree(swap_array(pool, array, min_nr));
	/* What cannot be had at once comes with the next frees. */
	while (peek(pool->curr_nr) < min_nr) {
		element = pool->alloc(GFP_KERNEL | __GFP_NOWARN, pool->data);
		if (!element)
			break;
		if (!keep(pool, element)) {
			pool->free(element, pool->data);
			break;
		}
	}
	return 0;
}

/* ---- fork ------------------------------------------------------------------------------------ */

void mempool_before_fork(void)
{
	for (struct mempool *pool = root.pools; pool; pool = pool->next)
		lock_take_fork(&pool->lock);
}

void mempool_after_fork(void)
{
	for (struct mempool *pool = root.pools; pool; pool = pool->next)
		lock_drop_fork(&pool->lock);
}
