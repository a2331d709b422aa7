// SPDX-License-Identifier: MIT
/* prefill.c - lending sheaves. */
#include "prefill.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "alloc.h"
#include "debug.h"
#include "peek.h"
#include "report.h"

/* Room for n objects, and for as many as a sheaf of the CPUs has, so that small refills fit. */
static struct slab_sheaf *make_sheaf(struct kmem_cache *s, gfp_t gfp, uint32_t n)
{
	uint32_t least = peek(s->capacity);
	uint32_t capacity = n > least ? n : least;
	struct slab_sheaf *sheaf;

	sheaf = kmalloc(sizeof(*sheaf) + (size_t)capacity * sizeof(void *), gfp & ~__GFP_ZERO);
	if (sheaf)
		*sheaf = (struct slab_sheaf){ .cache = s, .capacity = capacity };
	return sheaf;
}

/* Up to n objects in all, or as it was. */
static int fill(struct slab_sheaf *sheaf, gfp_t gfp, uint32_t n)
{
	struct kmem_cache *s = sheaf->cache;
	void **slot = sheaf->slot + sheaf->n;
	uint32_t more = n - sheaf->n;

	if (more > INT_MAX || !kmem_cache_alloc_bulk(s, gfp & ~__GFP_ZERO, more, slot))
		return -ENOMEM;
	for (uint32_t i = 0; i < more; i++)
		alloc_hide(s, slot[i]);
	sheaf->n = n;
	return 0;
}

static bool belongs(struct kmem_cache *s, const struct slab_sheaf *sheaf)
{
	if (__builtin_expect(sheaf->cache == s, 1))
		return true;
	report_misuse(s, sheaf, "sheaf of another cache");
	return false;
}

struct slab_sheaf *kmem_cache_prefill_sheaf(struct kmem_cache *s, gfp_t gfp, unsigned int n)
{
	struct slab_sheaf *sheaf;

	if (!n) {
		errno = EINVAL;
		return NULL;
	}
	sheaf = make_sheaf(s, gfp, n);
	if (sheaf && fill(sheaf, gfp, n)) {
		kfree(sheaf);
		errno = ENOMEM;
		return NULL;
	}
	return sheaf;
}

int kmem_cache_refill_sheaf(struct kmem_cache *s, gfp_t gfp, struct slab_sheaf **sheafp,
			    unsigned int n)
{
	struct slab_sheaf *old = *sheafp, *sheaf;

	if (!belongs(s, old))
		return -EINVAL;
	if (n <= old->n)
		return 0;
	if (n <= old->capacity)
		return fill(old, gfp, n);
	sheaf = make_sheaf(s, gfp, n);
	if (!sheaf)
		return -ENOMEM;
	memcpy(sheaf->slot, old->slot, old->n * sizeof(void *));
	sheaf->n = old->n;
	if (fill(sheaf, gfp, n)) {
		kfree(sheaf);
		return -ENOMEM;
	}
	*sheafp = sheaf;
	kfree(old);
	return 0;
}

void kmem_cache_return_sheaf(struct kmem_cache *s, gfp_t gfp, struct slab_sheaf *sheaf)
{
	(void)gfp;
	if (!sheaf || !belongs(s, sheaf))
		return;
	kmem_cache_free_bulk(s, sheaf->n, sheaf->slot);
	kfree(sheaf);
}

void *kmem_cache_alloc_from_sheaf(struct kmem_cache *s, gfp_t gfp, struct slab_sheaf *sheaf)
{
	void *object;

	if (!belongs(s, sheaf) || __builtin_expect(!sheaf->n, 0)) {
		errno = ENOMEM;
		return NULL;
	}
	object = sheaf->slot[--sheaf->n];
	if (__builtin_expect(s->debug, 0))
		debug_own(s, object, __builtin_return_address(0));
	alloc_show(s, object);
	return gfp & __GFP_ZERO ? cache_zero(s, object) : object;
}

unsigned int kmem_cache_sheaf_size(struct slab_sheaf *sheaf)
{
	return sheaf->n;
}
