// SPDX-License-Identifier: MIT
/*
 * tree_test.c - a user of prefilled sheaves and RCU: an ordered tree whose updates cannot fail half
 * way and whose readers take no lock.
 *
 * Keys of 32 bits, eight levels of sixteen branches. An update copies the nodes on its way down and
 * publishes the new root; the old way is freed through RCU. At most eight nodes are needed, and
 * which is known only under the lock, where nobody may fail or wait: so the eight are borrowed
 * before, and what was not needed is kept for the next update, refilled.
 */
#include "cmocka_all.h"

#include <pthread.h>
#include <slab/slab.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <urcu/flavor.h>

#include "report_trap.h"

#define LEVELS 8
#define FANOUT 16
#define KEYS   4096

extern const struct rcu_flavor_struct urcu_mb_flavor;

struct node {
	void *branch[FANOUT]; /* nodes, and values in the last level */
};

struct tree {
	struct kmem_cache *cache;
	pthread_mutex_t lock;
	struct node *root;
	struct node *old[LEVELS]; /* replaced by the update under way */
	unsigned int nr_old;
	unsigned long nodes;
};

static unsigned int branch_of(uint32_t key, unsigned int level)
{
	return key >> (4 * (LEVELS - 1 - level)) & (FANOUT - 1);
}

static void *tree_find(struct tree *t, uint32_t key)
{
	void *at = __atomic_load_n(&t->root, __ATOMIC_ACQUIRE);

	for (unsigned int level = 0; at && level < LEVELS; level++)
		at = ((struct node *)at)->branch[branch_of(key, level)];
	return at;
}

/* A copy of old, or an empty node. It is there: the sheaf has one for each level. */
static struct node *copy(struct tree *t, struct slab_sheaf *sheaf, const struct node *old)
{
	struct node *n = kmem_cache_alloc_from_sheaf(t->cache, GFP_NOWAIT, sheaf);

	if (!n)
		abort();
	t->nodes++;
	if (old)
		*n = *old;
	else
		memset(n, 0, sizeof(*n));
	return n;
}

static bool is_empty(const struct node *n)
{
	for (unsigned int i = 0; i < FANOUT; i++)
		if (n->branch[i])
			return false;
	return true;
}

/* The way to key with value at its end (NULL: none); NULL where nothing is left below. */
static struct node *change(struct tree *t, struct slab_sheaf *sheaf, struct node *old, uint32_t key,
			   unsigned int level, void *value)
{
	struct node *n = copy(t, sheaf, old);
	void **branch = &n->branch[branch_of(key, level)];

	*branch = level == LEVELS - 1 ? value : change(t, sheaf, *branch, key, level + 1, value);
	if (old)
		t->old[t->nr_old++] = old;
	if (!is_empty(n))
		return n;
	/* Nobody has seen it. */
	kmem_cache_free(t->cache, n);
	t->nodes--;
	return NULL;
}

/* False: no memory, and the tree is as it was. *sheaf is kept from update to update. */
static bool tree_store(struct tree *t, struct slab_sheaf **sheaf, uint32_t key, void *value)
{
	if (!*sheaf)
		*sheaf = kmem_cache_prefill_sheaf(t->cache, GFP_KERNEL, LEVELS);
	else if (kmem_cache_refill_sheaf(t->cache, GFP_KERNEL, sheaf, LEVELS))
		return false;
	if (!*sheaf)
		return false;
	pthread_mutex_lock(&t->lock);
	__atomic_store_n(&t->root, change(t, *sheaf, t->root, key, 0, value), __ATOMIC_RELEASE);
	/* Not before: a reader may find the old way until the new root stands. */
	t->nodes -= t->nr_old;
	while (t->nr_old)
		kmem_cache_free_rcu(t->cache, t->old[--t->nr_old]);
	pthread_mutex_unlock(&t->lock);
	return true;
}

static void tree_init(struct tree *t, slab_flags_t flags)
{
	*t = (struct tree){ .lock = PTHREAD_MUTEX_INITIALIZER };
	t->cache =
		kmem_cache_create("tree_node", sizeof(struct node), 0, SLAB_NO_MERGE | flags, NULL);
	assert_non_null(t->cache);
}

static void *value_of(uint32_t key)
{
	return (void *)(uintptr_t)(key + 1);
}

static uint32_t key_of(unsigned int i)
{
	return i * 2654435761U;
}

/* Stores, replaces and removes; each answer must be that of an array of what is stored. */
static void test_with_memory_that_runs_out(void **state)
{
	static const slab_flags_t kinds[] = { 0, SLAB_RED_ZONE | SLAB_POISON | SLAB_STORE_USER };

	(void)state;
	for (unsigned int k = 0; k < 2; k++) {
		bool *stored = calloc(KEYS, sizeof(*stored));
		struct slab_sheaf *sheaf = NULL;
		unsigned int refused = 0;
		struct tree t;

		tree_init(&t, kinds[k]);
		/* The first update of all may find no memory, not even for the sheaf. */
		for (unsigned int i = 0; i < 4 * KEYS; i++) {
			unsigned int which = i * 7919 % KEYS;
			bool put = i < KEYS || i / 3 % 2;

			slab_fail_pages(i % 5 ? -1 : 0);
			if (tree_store(&t, &sheaf, key_of(which), put ? value_of(which) : NULL))
				stored[which] = put;
			else
				refused++;
			slab_fail_pages(-1);
			assert_ptr_equal(tree_find(&t, key_of(which)),
					 stored[which] ? value_of(which) : NULL);
		}
		for (unsigned int i = 0; i < KEYS; i++) {
			assert_ptr_equal(tree_find(&t, key_of(i)), stored[i] ? value_of(i) : NULL);
			assert_true(tree_store(&t, &sheaf, key_of(i), NULL));
		}
		printf("# %u updates refused for want of memory, none half way\n", refused);
		assert_null(t.root);
		assert_int_equal(t.nodes, 0);
		kmem_cache_return_sheaf(t.cache, GFP_KERNEL, sheaf);
		assert_destroys(t.cache);
		free(stored);
	}
}

/* ---- readers beside writers ------------------------------------------------------------------ */

struct scene {
	struct tree tree;
	bool stop;
	unsigned long wrong;
};

/* The first half of the keys is always there. */
static void *read_keys(void *arg)
{
	struct scene *scene = arg;
	unsigned long wrong = 0;

	urcu_mb_flavor.register_thread();
	for (unsigned int i = 0; !__atomic_load_n(&scene->stop, __ATOMIC_RELAXED); i++) {
		unsigned int which = i % (KEYS / 2);

		urcu_mb_flavor.read_lock();
		wrong += tree_find(&scene->tree, key_of(which)) != value_of(which);
		urcu_mb_flavor.read_unlock();
	}
	urcu_mb_flavor.unregister_thread();
	__atomic_add_fetch(&scene->wrong, wrong, __ATOMIC_RELAXED);
	return NULL;
}

static void *write_keys(void *arg)
{
	struct scene *scene = arg;
	struct slab_sheaf *sheaf = NULL;

	for (unsigned int i = 0; i < 10000; i++) {
		unsigned int which = i % KEYS;
		bool put = which < KEYS / 2 || i / KEYS % 2 == 0;

		tree_store(&scene->tree, &sheaf, key_of(which), put ? value_of(which) : NULL);
	}
	kmem_cache_return_sheaf(scene->tree.cache, GFP_KERNEL, sheaf);
	return NULL;
}

static void test_readers_beside_writers(void **state)
{
	struct scene scene = { .stop = false };
	struct slab_sheaf *sheaf = NULL;
	pthread_t thread[4];

	(void)state;
#ifdef __SANITIZE_THREAD__
	puts("# SKIP under ThreadSanitizer: it does not look into liburcu");
	return;
#endif
	slab_set_rcu_flavor(&urcu_mb_flavor);
	tree_init(&scene.tree, 0);
	for (unsigned int i = 0; i < KEYS / 2; i++)
		assert_true(tree_store(&scene.tree, &sheaf, key_of(i), value_of(i)));
	for (unsigned int i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, i < 2 ? read_keys : write_keys, &scene);
	pthread_join(thread[2], NULL);
	pthread_join(thread[3], NULL);
	__atomic_store_n(&scene.stop, true, __ATOMIC_RELAXED);
	pthread_join(thread[0], NULL);
	pthread_join(thread[1], NULL);
	assert_int_equal(scene.wrong, 0);
	for (unsigned int i = 0; i < KEYS; i++)
		assert_true(tree_store(&scene.tree, &sheaf, key_of(i), NULL));
	assert_null(scene.tree.root);
	kmem_cache_return_sheaf(scene.tree.cache, GFP_KERNEL, sheaf);
	assert_destroys(scene.tree.cache);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_with_memory_that_runs_out),
		cmocka_unit_test(test_readers_beside_writers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
