// SPDX-License-Identifier: MIT
/* cache.c - making, finding and destroying caches. */
#include "cache.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "cpuslab.h"
#include "debug.h"
#include "layout.h"
#include "merge.h"
#include "node.h"
#include "peek.h"
#include "pressure.h"
#include "publish.h"
#include "report.h"
#include "root.h"

#define MIN_PARTIAL	5
#define MIN_PARTIAL_MAX 10
#define KNOWN_FLAGS                                                                      \
	(SLAB_CONSISTENCY_CHECKS | SLAB_RED_ZONE | SLAB_POISON | SLAB_STORE_USER |       \
	 SLAB_HWCACHE_ALIGN | SLAB_RECLAIM_ACCOUNT | SLAB_PANIC | SLAB_TYPESAFE_BY_RCU | \
	 SLAB_NO_MERGE | SLAB_FAILSLAB | SLAB_ACCOUNT | SLAB_NOLEAKTRACE | SLAB_NO_USER_FLAGS)

static int check_args(const char *name, unsigned int size, const struct kmem_cache_args *a,
		      slab_flags_t flags)
{
	if (flags & ~KNOWN_FLAGS)
		return -EINVAL;
	if (!name || !*name || strnlen(name, SLAB_NAME_MAX + 1) > SLAB_NAME_MAX)
		return -EINVAL;
	if (!size || size > LAYOUT_MAX_SIZE)
		return -EINVAL;
	if (a->align & (a->align - 1) || a->align > PAGE_BYTES << LAYOUT_MAX_ORDER)
		return -EINVAL;
	if (a->usersize > size || a->useroffset > size - a->usersize)
		return -EINVAL;
	if (a->use_freeptr_offset && (a->freeptr_offset % sizeof(void *) || size < sizeof(void *) ||
				      a->freeptr_offset > size - sizeof(void *)))
		return -EINVAL;
	if (a->use_freeptr_offset && !(flags & SLAB_TYPESAFE_BY_RCU) && !a->ctor)
		return -EINVAL;
	if (a->sheaf_capacity > SLAB_SHEAF_MAX && a->sheaf_capacity != SLAB_NO_SHEAVES)
		return -EINVAL;
	return 0;
}

/* As SLUB: half the logarithm of the size, between 5 and 10. */
static uint32_t choose_min_partial(uint32_t size)
{
	uint32_t n = (31U - (uint32_t)__builtin_clz(size)) / 2;

	return n < MIN_PARTIAL ? MIN_PARTIAL : n > MIN_PARTIAL_MAX ? MIN_PARTIAL_MAX : n;
}

static void set_sheaves(struct kmem_cache *s, const struct kmem_cache_args *a)
{
	if (s->debug || a->sheaf_capacity == SLAB_NO_SHEAVES)
		s->capacity = 0;
	else if (a->sheaf_capacity)
		s->capacity = a->sheaf_capacity;
	else if (root.opts.sheaf_capacity.given)
		s->capacity = root.opts.sheaf_capacity.value;
	else
		s->capacity = sheaf_default_capacity(s->size);
	s->sheafless = !s->capacity;
	if (s->sheafless)
		s->cpu_partial = root.opts.cpu_partial.given ? root.opts.cpu_partial.value
							     : cpuslab_default_partial(s->size);
	else
		s->barn_max = sheaf_default_stock(s->size, s->capacity);
}

/*
 * Memory for a cache and, behind it, its nodes, its rule of faults and its name, in a block of its
 * own. Blocks begin at page borders: the cache is moved up by some lines, others for each cache, so
 * that the hot lines of caches do not all fall on the same few sets of the processor's first-level
 * cache.
 */
static struct kmem_cache *cache_memory(const char *name)
{
	size_t blocks = sizeof(struct kmem_cache) + root.nr_cpus * sizeof(struct cpu_block);
	size_t head = blocks + numa_indices(&root.numa) * sizeof(struct node);
	size_t bytes = head + sizeof(struct fault) + strlen(name) + 1, room;
	unsigned int order = 0;
	struct kmem_cache *s;
	struct slab *block;

	while (PAGE_BYTES << order < bytes)
		order++;
	if (order > PAGES_MAX_ORDER)
		return NULL;
	block = pages_alloc_any(order, numa_default(&root.numa, cpu_current()), BLOCK_META, 0);
	if (!block)
		return NULL;
	room = ((PAGE_BYTES << order) - bytes) / 64;
	s = (struct kmem_cache *)(block->base + (root.nr_created * 5 % (room + 1)) * 64);
	memset(s, 0, bytes);
	s->serial = root.nr_created++;
	s->block = block;
	s->nodes = (struct node *)((char *)s + blocks);
	s->fault = (struct fault *)((char *)s + head);
	s->name = strcpy((char *)(s->fault + 1), name);
	return s;
}

/* Under the root's lock. */
static void list_add(struct kmem_cache *s)
{
	s->prev = NULL;
	s->next = root.caches;
	if (s->next)
		s->next->prev = s;
	root.caches = s;
}

static void list_del(struct kmem_cache *s)
{
	if (s->prev)
		s->prev->next = s->next;
	else
		root.caches = s->next;
	if (s->next)
		s->next->prev = s->prev;
}

static void release_memory(struct kmem_cache *s)
{
	for (unsigned int cpu = 0; cpu < root.nr_cpus; cpu++)
		if (s->cpu[cpu].area_block)
			pages_free(s->cpu[cpu].area_block);
	pages_free(s->block);
}

static void fill_cache(struct kmem_cache *s, unsigned int size, const struct kmem_cache_args *a,
		       slab_flags_t flags)
{
	uint32_t cpus = root.opts.cpus ? root.opts.cpus : root.nr_cpus;

	s->object_size = size;
	s->flags = flags;
	s->debug = flags & (DEBUG_FLAGS | SLAB_FAILSLAB);
	s->ctor = a->ctor;
	s->useroffset = a->useroffset;
	s->usersize = a->usersize;
	s->refcount = 1;
	s->key = root_random();
	layout_set(s, a, cpus, root.opts.min_order);
	s->min_partial = root.opts.min_partial.given ? root.opts.min_partial.value
						     : choose_min_partial(s->size);
	s->mergeable = merge_allowed(s->name, a, flags);
	set_sheaves(s, a);
	for (unsigned int cpu = 0; cpu < root.nr_cpus; cpu++) {
		s->cpu[cpu].barn.limit = (uint16_t)s->barn_max;
		s->cpu[cpu].barn.stride = 1;
		cpu_init_block(s, &s->cpu[cpu]);
	}
}

/* Under the root's lock. NULL: no memory. */
static struct kmem_cache *make_cache(const char *name, unsigned int size,
				     const struct kmem_cache_args *a, slab_flags_t flags)
{
	struct kmem_cache *s = cache_memory(name);

	if (s) {
		fill_cache(s, size, a, flags);
		list_add(s);
	}
	return s;
}

/* Takes the alias, if the cache that it is for can be found. NULL: no memory. */
static struct kmem_cache *find_or_make(struct alias **alias, const char *name, unsigned int size,
				       const struct kmem_cache_args *a, slab_flags_t flags)
{
	struct kmem_cache *s = NULL;

	lock_take(&root.lock, LOCK_ROOT);
	if (*alias)
		s = merge_into(*alias, size, a, flags);
	if (s)
		*alias = NULL;
	else
		s = make_cache(name, size, a, flags);
	lock_drop(&root.lock, LOCK_ROOT);
	return s;
}

/* What was asked for has been checked. NULL: no memory. */
static struct kmem_cache *create_valid(const char *name, unsigned int size,
				       const struct kmem_cache_args *a, slab_flags_t flags)
{
	struct reclaim r = { .gfp = GFP_KERNEL };
	struct alias *alias = NULL;
	struct kmem_cache *s;

	if (!(flags & SLAB_NO_USER_FLAGS))
		flags |= opts_debug_flags(&root.opts, name);
	/* Memory for the name is had before the lock: kmalloc may have to make its own caches. */
	if (!(flags & CACHE_NO_ALIAS) && merge_allowed(name, a, flags))
		alias = merge_alias(name);
	do {
		s = find_or_make(&alias, name, size, a, flags);
	} while (!s && reclaim_more(&r));
	kfree(alias);
	return s;
}

/* own: flags that no program may give. */
static struct kmem_cache *create(const char *name, unsigned int size,
				 const struct kmem_cache_args *a, slab_flags_t flags,
				 slab_flags_t own)
{
	int err = check_args(name, size, a, flags);
	struct kmem_cache *s = NULL;

	root_init();
	pressure_start();
	if (!err) {
		s = create_valid(name, size, a, flags | own);
		err = s ? 0 : -ENOMEM;
	}
	publish_note();
	if (s)
		return s;
	if (flags & SLAB_PANIC) {
		report_warn("cache %s must be had and cannot be made: %s\n",
			    name ? name : "without name", strerror(-err));
		abort();
	}
	errno = -err;
	return NULL;
}

struct kmem_cache *cache_make_class(const char *name, unsigned int size,
				    const struct kmem_cache_args *args)
{
	return create(name, size, args, 0, CACHE_NO_ALIAS);
}

struct kmem_cache *kmem_cache_create_args(const char *name, unsigned int size,
					  struct kmem_cache_args *args, slab_flags_t flags)
{
	static const struct kmem_cache_args none;

	return create(name, size, args ? args : &none, flags, 0);
}

struct kmem_cache *kmem_cache_create_default(const char *name, unsigned int size, void *null,
					     slab_flags_t flags)
{
	if (null) {
		errno = EINVAL;
		return NULL;
	}
	return kmem_cache_create_args(name, size, NULL, flags);
}

struct kmem_cache *kmem_cache_create_align(const char *name, unsigned int size, unsigned int align,
					   slab_flags_t flags, void (*ctor)(void *))
{
	struct kmem_cache_args args = { .align = align, .ctor = ctor };

	return create(name, size, &args, flags, 0);
}

/* What others put there meanwhile came later than the drain. */
static bool is_drained(const struct kmem_cache *s, const struct cpu_block *b)
{
	if (s->sheafless)
		return !peek(b->slab) && !peek(b->slabs);
	return !peek(b->n) && !peek(b->spare_n) && !peek(b->barn.nr_full);
}

void cache_drain(struct kmem_cache *s)
{
	if (s->debug)
		return; /* they hold nothing */
	lock_take(&s->drain, LOCK_DRAIN);
	for (unsigned int cpu = 0; cpu < root.nr_cpus; cpu++) {
		struct cpu_block *b = &s->cpu[cpu];

		if (is_drained(s, b) || !cpu_lock_remote(s, cpu))
			continue;
		if (s->sheafless)
			cpuslab_drain(s, b);
		else
			sheaf_drain(s, b);
		cpu_unlock(s, b);
	}
	lock_drop(&s->drain, LOCK_DRAIN);
}

int kmem_cache_shrink(struct kmem_cache *s)
{
	cache_drain(s);
	node_shrink(s, 0);
	node_dig(s);
	pages_purge(0);
	return 0;
}

/* Whether s is a cache with users. It may be one no more: then its memory is looked at first. */
static bool is_alive(const struct kmem_cache *s)
{
	struct chunk *c = slabmap_find(&root.map, s);
	struct slab *block = c ? pages_block(c, s) : NULL;

	return block && block->kind == BLOCK_META && s->block == block && s->refcount;
}

/* What is left by a program stays to be seen, and nobody's objects come to lie among it. */
static void keep_leak(struct kmem_cache *s)
{
	lock_take(&root.lock, LOCK_ROOT);
	s->mergeable = false;
	lock_drop(&root.lock, LOCK_ROOT);
	report_leak(s, node_slabs(s) * s->objects - node_free_objects(s));
}

void kmem_cache_destroy(struct kmem_cache *s)
{
	bool alive, last;

	if (!s)
		return;
	lock_take(&root.lock, LOCK_ROOT);
	alive = is_alive(s);
	last = alive && !--s->refcount;
	if (last)
		s->mergeable = false; /* it is found until it is empty: nobody may join it */
	lock_drop(&root.lock, LOCK_ROOT);
	if (!alive)
		report_misuse(NULL, s, "destroy of what is no cache, or no more");
	if (!last)
		return;
	rcu_settle(s);
	cache_drain(s);
	node_shrink(s, 0);
	if (s->flags & SLAB_TYPESAFE_BY_RCU)
		rcu_settle(s);
	if (node_slabs(s)) {
		keep_leak(s);
		return;
	}
	lock_take(&root.lock, LOCK_ROOT);
	list_del(s);
	lock_drop(&root.lock, LOCK_ROOT);
	merge_release(s);
	release_memory(s);
	publish_note();
}

unsigned int kmem_cache_size(struct kmem_cache *s)
{
	return s->object_size;
}
