// SPDX-License-Identifier: MIT
/*
 * malloc.c - the C library's allocator on top of slab caches, for LD_PRELOAD.
 *
 *	to 8 KiB	a cache malloc-SIZE for each size class, made when it is first asked for
 *	to 1 MiB	runs of 1 KiB (run.h)
 *	above		a mapping of its own, which realloc moves by page tables, not by bytes
 *
 * Whose a pointer is says the map of the pages layer: there is no header in front of an object.
 *
 * The first call may come before any constructor, out of the dynamic linker, and out of what the
 * allocator's own start calls (pthread_atfork may want memory): the root is ready by then, classes
 * are made with nothing but system calls, and no lock is held across either. Threads own nothing,
 * so nothing is to be done, or may go wrong, when one ends. Fork: lib/slab/fork.c, then run.c.
 *
 * errno: ENOMEM with every NULL but realloc's for size 0; free leaves it alone.
 */
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heap.h"
#include "run.h"
#include "slab/alloc.h"
#include "slab/reclaim.h"
#include "slab/report.h"
#include "slab/root.h"
#include "slab/slab.h"

/* Newer than the C library's headers may be. */
void MALLOC_NAME(free_sized)(void *p, size_t size);
void MALLOC_NAME(free_aligned_sized)(void *p, size_t align, size_t size);

#define SHEAF_BYTES 8192 /* of objects in one sheaf */
#define SHEAF_MOST  62
#define SHEAF_LEAST 2
#define MIN_PARTIAL 1 /* an empty slab serves the other classes of its order better */

struct heap heap;

/* ---- classes --------------------------------------------------------------------------------- */

/* There are many classes: each keeps little. */
static unsigned int choose_capacity(uint32_t size)
{
	unsigned int n = SHEAF_BYTES / size;

	return n > SHEAF_MOST ? SHEAF_MOST : n < SHEAF_LEAST ? SHEAF_LEAST : n;
}

static __attribute__((noinline)) struct kmem_cache *make_cache(unsigned int class)
{
	struct kmem_cache_args args = { .align = CLASS_STEP };
	uint32_t size = class_size(class);
	struct kmem_cache *s, *none = NULL;
	char name[32];

	root_init();
	if (!root.opts.sheaf_capacity.given)
		args.sheaf_capacity = choose_capacity(size);
	snprintf(name, sizeof(name), "malloc-%u", size);
	s = cache_make_class(name, size, &args);
	if (!s)
		return NULL;
	if (!root.opts.min_partial.given)
		kmem_cache_tune(s, "min_partial", MIN_PARTIAL);
	/* Another thread may have been quicker. */
	if (!__atomic_compare_exchange_n(&heap.cache[class], &none, s, false, __ATOMIC_ACQ_REL,
					 __ATOMIC_ACQUIRE)) {
		kmem_cache_destroy(s);
		return none;
	}
	return s;
}

static inline struct kmem_cache *find_cache(size_t size)
{
	return heap_cache(class_of(size));
}

static __attribute__((noinline)) void *alloc_first(size_t size, gfp_t gfp)
{
	struct kmem_cache *s = make_cache(class_of(size));

	if (!s) {
		errno = ENOMEM;
		return NULL;
	}
	return alloc_object(s, gfp);
}

/* ---- allocation ------------------------------------------------------------------------------ */

/* One with a mapping of its own comes, goes or has another size: a difference. */
static void count_map(uint64_t maps, uint64_t bytes)
{
	bump(heap.maps, maps);
	bump(heap.maps_bytes, bytes);
}

static void *take_big(size_t size, size_t align, bool *zeroed)
{
	struct slab *slab;

	if (size <= RUN_MAX && align <= RUN_MAX)
		return run_alloc(size, align, zeroed);
	*zeroed = true;
	root_init();
	slab = pages_alloc_own(size, align);
	if (!slab)
		return NULL;
	count_map(1, slab->large_bytes);
	return slab->base;
}

static __attribute__((noinline)) void *alloc_big(size_t size, size_t align, gfp_t gfp)
{
	struct reclaim r = { .gfp = gfp };
	bool zeroed;
	void *p;

	if (size > PTRDIFF_MAX || align > PTRDIFF_MAX) {
		errno = ENOMEM;
		return NULL;
	}
	size += !size; /* an alignment may ask for more than the block */
	do
		p = take_big(size, align, &zeroed);
	while (!p && reclaim_more(&r));
	if (p && gfp & __GFP_ZERO && !zeroed)
		memset(p, 0, size);
	return p;
}

static inline __attribute__((always_inline)) void *allocate(size_t size, gfp_t gfp)
{
	struct kmem_cache *s;

	if (__builtin_expect(size > CLASS_MAX, 0))
		return alloc_big(size, 0, gfp);
	s = find_cache(size);
	if (__builtin_expect(!s, 0))
		return alloc_first(size, gfp);
	return alloc_object(s, gfp);
}

/* align: a power of two. A watched object stands behind a zone, and is aligned at 16 only. */
static void *allocate_aligned(size_t align, size_t size)
{
	size_t whole = (size + !size + align - 1) & ~(align - 1);
	struct kmem_cache *s;

	if (align <= CLASS_STEP)
		return allocate(size, GFP_KERNEL);
	if (whole > CLASS_MAX || whole < size || align > PAGE_BYTES)
		return alloc_big(size, align, GFP_KERNEL);
	s = find_cache(whole);
	if (!s)
		s = make_cache(class_of(whole));
	if (!s || s->debug)
		return alloc_big(size, align, GFP_KERNEL);
	return alloc_object(s, GFP_KERNEL);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* NULL, and reported: no block of ours. */
static inline struct slab *find_block(const void *p)
{
	struct chunk *c = slabmap_find(&root.map, p);
	struct slab *slab = c ? pages_block(c, p) : NULL;

	if (__builtin_expect(!slab || slab->kind == BLOCK_FREE || slab->kind == BLOCK_META, 0)) {
		report_misuse(NULL, p, "address that is no block");
		return NULL;
	}
	return slab;
}

static size_t block_bytes(const struct slab *slab, const void *p)
{
	if (slab->kind == BLOCK_SLAB)
		return slab->cache->object_size;
	return slab->kind == BLOCK_RUNS ? run_bytes(slab, p) : slab->large_bytes;
}

static __attribute__((noinline)) void free_big(struct slab *slab, void *p)
{
	if (slab->kind == BLOCK_RUNS) {
		run_free(slab, p);
	} else if (p != slab->base) {
		report_misuse(NULL, p, "free of an address inside a block");
	} else {
		slab->next = NULL;
		count_map(-1ULL, -(uint64_t)slab->large_bytes);
		pages_free(slab);
	}
}

static inline __attribute__((always_inline)) void release(void *p)
{
	struct slab *slab;

	if (!p)
		return;
	slab = find_block(p);
	if (__builtin_expect(!slab, 0))
		return;
	if (__builtin_expect(slab->kind == BLOCK_SLAB, 1))
		free_object(slab->cache, p);
	else
		free_big(slab, p);
}

/* The block at another size, where that takes no copy; NULL: it does. */
static void *resize(struct slab *slab, void *p, size_t old, size_t size)
{
	if (slab->kind == BLOCK_SLAB) {
		/* Less than a quarter would be saved. */
		return size <= old && old - size <= old / 4 ? p : NULL;
	}
	if (slab->kind == BLOCK_RUNS)
		return size > CLASS_MAX && size <= RUN_MAX && run_resize(slab, p, size) ? p : NULL;
	if (size <= RUN_MAX / 2)
		return NULL;
	slab = pages_resize_own(slab, size);
	if (!slab)
		return NULL;
	count_map(0, slab->large_bytes - old);
	return slab->base;
}

static void *reallocate(void *p, size_t size)
{
	struct slab *slab = find_block(p);
	size_t old = slab ? block_bytes(slab, p) : 0;
	void *fresh;

	if (!old) {
		errno = EINVAL;
		return NULL;
	}
	fresh = resize(slab, p, old, size);
	if (fresh)
		return fresh;
	fresh = allocate(size, GFP_KERNEL);
	if (!fresh)
		return size <= old ? p : NULL;
	memcpy(fresh, p, size < old ? size : old);
	release(p);
	return fresh;
}

/* ---- the family ------------------------------------------------------------------------------ */

EXPORT void *MALLOC_NAME(malloc)(size_t size)
{
	return allocate(size, GFP_KERNEL);
}

EXPORT void MALLOC_NAME(free)(void *p)
{
	release(p);
}

EXPORT void *MALLOC_NAME(calloc)(size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return allocate(bytes, GFP_KERNEL | __GFP_ZERO);
}

/* Size 0 frees, as the C library has it. */
EXPORT void *MALLOC_NAME(realloc)(void *p, size_t size)
{
	if (!p)
		return allocate(size, GFP_KERNEL);
	if (size)
		return reallocate(p, size);
	release(p);
	return NULL;
}

EXPORT void *MALLOC_NAME(reallocarray)(void *p, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return MALLOC_NAME(realloc)(p, bytes);
}

EXPORT size_t MALLOC_NAME(malloc_usable_size)(void *p)
{
	struct slab *slab = p ? find_block(p) : NULL;

	return slab ? block_bytes(slab, p) : 0;
}

static bool is_power(size_t n)
{
	return n && !(n & (n - 1));
}

EXPORT void *MALLOC_NAME(aligned_alloc)(size_t align, size_t size)
{
	if (!is_power(align)) {
		errno = EINVAL;
		return NULL;
	}
	return allocate_aligned(align, size);
}

/* An alignment that is no power of two is rounded up to one, as the C library has it. */
EXPORT void *MALLOC_NAME(memalign)(size_t align, size_t size)
{
	size_t power = CLASS_STEP;

	if (align > SIZE_MAX / 2 + 1) {
		errno = EINVAL;
		return NULL;
	}
	while (power < align)
		power *= 2;
	return allocate_aligned(power, size);
}

EXPORT int MALLOC_NAME(posix_memalign)(void **out, size_t align, size_t size)
{
	int saved = errno;
	void *p;

	if (!is_power(align) || align % sizeof(void *))
		return EINVAL;
	p = allocate_aligned(align, size);
	errno = saved;
	if (!p)
		return ENOMEM;
	*out = p;
	return 0;
}

EXPORT void *MALLOC_NAME(valloc)(size_t size)
{
	root_init();
	return allocate_aligned(root.page_bytes, size);
}

EXPORT void *MALLOC_NAME(pvalloc)(size_t size)
{
	size_t whole;

	root_init();
	whole = (size + root.page_bytes - 1) & ~(root.page_bytes - 1);
	if (whole < size) {
		errno = ENOMEM;
		return NULL;
	}
	return allocate_aligned(root.page_bytes, whole);
}

/* C23: what the size is, the block knows. */
EXPORT void MALLOC_NAME(free_sized)(void *p, size_t size)
{
	(void)size;
	release(p);
}

EXPORT void MALLOC_NAME(free_aligned_sized)(void *p, size_t align, size_t size)
{
	(void)align;
	(void)size;
	release(p);
}

/* Bytes that blocks, and what is kept for new ones, hold of the system's memory. */
static uint64_t held_bytes(void)
{
	struct run_counts runs;

	run_count(&runs);
	return peek(root.pages.used_bytes) + peek(root.pages.dirty_bytes) - runs.idle_bytes;
}

/* Everything that is free goes back; pad, what the C library would keep at its heap's top, is 0. */
EXPORT int MALLOC_NAME(malloc_trim)(size_t pad)
{
	uint64_t before;

	(void)pad;
	root_init();
	before = held_bytes();
	for (unsigned int i = 0; i < CLASSES; i++) {
		struct kmem_cache *s = heap_cache(i);

		if (s)
			kmem_cache_shrink(s);
	}
	run_purge(0);
	pages_purge(0);
	return held_bytes() < before;
}
