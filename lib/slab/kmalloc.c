// SPDX-License-Identifier: MIT
/*
 * kmalloc.c - memory by size: thirteen caches up to 8 KiB, blocks of pages above.
 *
 * The classes are the kernel's: powers of two from 8, with 96 and 192 between.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "alloc.h"
#include "report.h"
#include "root.h"
#include "slab.h"

static const uint16_t class_size[KMALLOC_CLASSES] = { 8,   16,	32,   64,   96,	  128, 192,
						      256, 512, 1024, 2048, 4096, 8192 };
/* By (size - 1) / 8 for sizes up to 192. */
static const uint8_t small_class[24] = { 0, 1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4,
					 5, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 6 };

static inline unsigned int class_of(size_t size)
{
	if (size <= 192)
		return small_class[(size - 1) / 8];
	return (unsigned int)(64 - __builtin_clzll(size - 1)) - 1; /* 256: 8 bits, class 7 */
}

/* Those that are not there yet: without memory some may have to wait for a later call. */
static void make_classes(void)
{
	for (unsigned int i = 0; i < KMALLOC_CLASSES; i++) {
		char name[32];
		unsigned int size = class_size[i];
		struct kmem_cache_args args = { .align = size & (size - 1) ? 8 : size };
		struct kmem_cache *s, *none = NULL;

		if (__atomic_load_n(&root.kmalloc[i], __ATOMIC_ACQUIRE))
			continue;
		if (size < 1024)
			snprintf(name, sizeof(name), "kmalloc-%u", size);
		else
			snprintf(name, sizeof(name), "kmalloc-%uk", size / 1024);
		s = cache_make_class(name, size, &args);
		/* Another thread may have been quicker. */
		if (s && !__atomic_compare_exchange_n(&root.kmalloc[i], &none, s, false,
						      __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			kmem_cache_destroy(s);
	}
}

/* What may be reclaimed for a cache is for the caller's flags to say. */
static __attribute__((noinline, cold)) struct kmem_cache *make_class(unsigned int class, gfp_t gfp)
{
	struct reclaim r = { .gfp = gfp };
	struct kmem_cache *s;

	do {
		reclaim_forbid();
		make_classes();
		reclaim_permit();
		s = __atomic_load_n(&root.kmalloc[class], __ATOMIC_ACQUIRE);
	} while (!s && reclaim_more(&r));
	return s;
}

/* Without a node by the policy of the thread that touches it first. */
static void *alloc_large(size_t size, gfp_t gfp, int node)
{
	struct reclaim r = { .gfp = gfp };
	struct slab *slab;

	root_init();
	if (size > PTRDIFF_MAX) {
		errno = ENOMEM; /* whatever is freed */
		return NULL;
	}
	if (node < 0 || (uint32_t)node >= root.numa.nr)
		node = (int)root.numa.policy;
	while (!(slab = pages_alloc_large(size, (unsigned int)node)))
		if (!reclaim_more(&r))
			return NULL;
	/*
	 * Up to the end, for krealloc; a mapping of its own is new, and zero behind size already.
	 */
	if (gfp & __GFP_ZERO)
		memset(slab->base, 0,
		       size > PAGE_BYTES << PAGES_MAX_ORDER ? size : slab->large_bytes);
	return slab->base;
}

/* For 1 to KMALLOC_MAX_CACHE bytes; NULL: no memory for it. */
static inline struct kmem_cache *class_cache(size_t size, gfp_t gfp)
{
	unsigned int class = class_of(size);
	struct kmem_cache *s = __atomic_load_n(&root.kmalloc[class], __ATOMIC_ACQUIRE);

	return __builtin_expect(s != NULL, 1) ? s : make_class(class, gfp);
}

static inline void *allocate(size_t size, gfp_t gfp)
{
	struct kmem_cache *s;

	if (__builtin_expect(size > KMALLOC_MAX_CACHE, 0))
		return alloc_large(size, gfp, NUMA_NO_NODE);
	if (__builtin_expect(!size, 0))
		return ZERO_SIZE_PTR;
	s = class_cache(size, gfp);
	return __builtin_expect(s != NULL, 1) ? alloc_object(s, gfp) : NULL;
}

void *kmalloc(size_t size, gfp_t gfp)
{
	return allocate(size, gfp);
}

void *kmalloc_node(size_t size, gfp_t gfp, int node)
{
	struct kmem_cache *s;

	if (size > KMALLOC_MAX_CACHE)
		return alloc_large(size, gfp, node);
	if (!size)
		return ZERO_SIZE_PTR;
	s = class_cache(size, gfp);
	return s ? kmem_cache_alloc_node(s, gfp, node) : NULL;
}

void *kzalloc_node(size_t size, gfp_t gfp, int node)
{
	return kmalloc_node(size, gfp | __GFP_ZERO, node);
}

void *kzalloc(size_t size, gfp_t gfp)
{
	return allocate(size, gfp | __GFP_ZERO);
}

static void *allocate_array(size_t n, size_t size, gfp_t gfp)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return allocate(bytes, gfp);
}

void *kmalloc_array(size_t n, size_t size, gfp_t gfp)
{
	return allocate_array(n, size, gfp);
}

void *kcalloc(size_t n, size_t size, gfp_t gfp)
{
	return allocate_array(n, size, gfp | __GFP_ZERO);
}

void *kmalloc_array_node(size_t n, size_t size, gfp_t gfp, int node)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return kmalloc_node(bytes, gfp, node);
}

void *kcalloc_node(size_t n, size_t size, gfp_t gfp, int node)
{
	return kmalloc_array_node(n, size, gfp | __GFP_ZERO, node);
}

/* The block that p starts or lies in; NULL for an address that is not ours. */
static struct slab *find_block(const void *p)
{
	struct chunk *c = slabmap_find(&root.map, p);
	struct slab *slab = c ? pages_block(c, p) : NULL;

	if (!slab || (slab->kind != BLOCK_SLAB && (slab->kind != BLOCK_LARGE || p != slab->base))) {
		report_misuse(NULL, p, "address that is no object");
		return NULL;
	}
	return slab;
}

size_t ksize(const void *p)
{
	struct slab *slab;

	if (ZERO_OR_NULL_PTR(p))
		return 0;
	slab = find_block(p);
	if (!slab)
		return 0;
	return slab->kind == BLOCK_LARGE ? slab->large_bytes : slab->cache->object_size;
}

size_t kmalloc_size_roundup(size_t size)
{
	unsigned int order = 0;

	if (!size || size > PTRDIFF_MAX)
		return size;
	if (size <= KMALLOC_MAX_CACHE)
		return class_size[class_of(size)];
	root_init();
	if (size > PAGE_BYTES << PAGES_MAX_ORDER)
		return (size + root.page_bytes - 1) & ~(root.page_bytes - 1);
	while (PAGE_BYTES << order < size)
		order++;
	return PAGE_BYTES << order;
}

void kfree(const void *p)
{
	struct slab *slab;

	if (ZERO_OR_NULL_PTR(p))
		return;
	slab = find_block(p);
	if (!slab)
		return;
	if (slab->kind == BLOCK_SLAB) {
		free_object(slab->cache, (void *)p);
		return;
	}
	slab->next = NULL;
	pages_free(slab);
}

void *krealloc(const void *p, size_t size, gfp_t gfp)
{
	size_t old = ksize(p);
	void *fresh;

	if (!size) {
		kfree(p);
		return ZERO_SIZE_PTR;
	}
	if (size <= old) {
		/* Who grows it later with that flag finds zeroes there. */
		if (gfp & __GFP_ZERO)
			memset((char *)p + size, 0, old - size);
		return (void *)p;
	}
	fresh = allocate(size, gfp);
	if (fresh && old) {
		memcpy(fresh, p, old);
		kfree(p);
	}
	return fresh;
}
