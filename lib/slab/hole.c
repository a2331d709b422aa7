// SPDX-License-Identifier: MIT
/* hole.c - giving back whole pages inside slabs in use, and taking them again. */
#include "hole.h"

#include "layout.h"
#include "link.h"
#include "slab.h"

#define PAGES 8 /* of a slab with more than one object, at most: see LAYOUT_MAX_ORDER */

_Static_assert(PAGES == 1 << LAYOUT_MAX_ORDER, "a bit of a byte for each page");

bool hole_possible(const struct kmem_cache *s)
{
	return s->objects > 1 && !s->sheafless && !s->ctor && !(s->flags & SLAB_TYPESAFE_BY_RCU) &&
	       PAGE_BYTES << s->order > root.page_bytes;
}

/* Objects that touch page k: from *first to before the end that is returned. */
static uint32_t objects_on(const struct kmem_cache *s, unsigned int k, uint32_t *first)
{
	uint32_t page = (uint32_t)root.page_bytes, end = ((k + 1) * page - 1) / s->size + 1;

	*first = k * page / s->size;
	return end < s->objects ? end : s->objects;
}

static void tally(uint16_t *free, uint32_t pages)
{
	for (; pages; pages &= pages - 1)
		free[__builtin_ctz(pages)]++;
}

/* Free objects that touch each page; false: the freelist is damaged, which the next taker tells. */
static bool count_free(struct kmem_cache *s, const struct slab *slab, uint16_t *free)
{
	uint64_t at = (uintptr_t)slab_first_free(s, slab, slab_word(slab));
	uint32_t n = 0;

	for (; at; at = link_load(s, (void *)at)) {
		if (!link_in_slab(slab, at) || ++n > s->objects)
			return false;
		tally(free, hole_pages(s, slab, (void *)at));
	}
	for (uint32_t i = slab->holes ? 0 : slab->fresh; i < s->objects; i++) {
		const void *object = link_object(s, slab, i);

		if (i >= slab->fresh || hole_hides(s, slab, object))
			tally(free, hole_pages(s, slab, object));
	}
	return true;
}

/* Pages with free objects alone that are no holes yet. */
static uint32_t free_pages(struct kmem_cache *s, const struct slab *slab)
{
	unsigned int n = (unsigned int)((PAGE_BYTES << s->order) / root.page_bytes);
	uint16_t free[PAGES] = { 0 };
	uint32_t pages = 0, first;

	/* Fewer than lie wholly on a page: none can be free. */
	if (slab_free_objects(s, slab) < root.page_bytes / s->size || !count_free(s, slab, free))
		return 0;
	for (unsigned int k = 0; k < n; k++)
		if (free[k] && free[k] == objects_on(s, k, &first) - first)
			pages |= 1U << k;
	return pages & ~(uint32_t)slab->holes;
}

/* The freelist without the objects that touch these pages. */
static void *unlink_pages(struct kmem_cache *s, struct slab *slab, uint32_t pages)
{
	void *at = slab_first_free(s, slab, slab_word(slab)), *head = NULL, *last = NULL, *next;

	for (; at; at = next) {
		next = (void *)link_load(s, at);
		if (hole_pages(s, slab, at) & pages) {
			link_wipe(s, at);
			continue;
		}
		if (last)
			link_store(s, last, at);
		else
			head = at;
		last = at;
	}
	if (last)
		link_store(s, last, NULL);
	return head;
}

unsigned int hole_dig(struct kmem_cache *s, struct slab *slab, struct iovec *range)
{
	uint32_t pages = free_pages(s, slab);
	union slab_word w = slab_word(slab);
	size_t page = root.page_bytes;
	unsigned int n = 0;

	if (!pages)
		return 0;
	w.head = slab_head_of(s, slab, unlink_pages(s, slab, pages));
	poke(slab->w.all, w.all);
	poke(slab->holes, (uint8_t)(slab->holes | pages));
	poke_add(s->nodes[slab->node].nr_holes, (uint64_t)__builtin_popcount(pages));
	while (pages) {
		unsigned int from = (unsigned int)__builtin_ctz(pages);
		unsigned int len = (unsigned int)__builtin_ctz(~(pages >> from));

		range[n++] = (struct iovec){ .iov_base = slab->base + from * page,
					     .iov_len = len * page };
		pages &= ~(((1U << len) - 1) << from);
	}
	return n;
}

/* The lowest hole is one no more: its objects to p, the rest to the freelist. False: no memory. */
static bool fill_one(struct kmem_cache *s, struct slab *slab, void **freelist, void **p,
		     unsigned int want, unsigned int *got)
{
	unsigned int k = (unsigned int)__builtin_ctz(slab->holes);
	uint32_t i, end = objects_on(s, k, &i);

	if (!pages_regain())
		return false;
	poke(slab->holes, (uint8_t)(slab->holes & (slab->holes - 1)));
	poke_sub(s->nodes[slab->node].nr_holes, 1);
	for (; i < end && i < slab->fresh; i++) {
		void *object = link_object(s, slab, i);

		if (hole_hides(s, slab, object))
			continue;
		if (*got < want) {
			p[(*got)++] =
				object; /* its link was wiped, or is part of a page of zeroes */
			continue;
		}
		link_store(s, object, *freelist);
		*freelist = object;
	}
	return true;
}

unsigned int hole_take(struct kmem_cache *s, struct slab *slab, void **freelist, void **p,
		       unsigned int want)
{
	unsigned int got = 0;

	do {
		void *object = link_object(s, slab, slab->fresh);

		for (; got < want && slab->fresh < s->objects && !hole_hides(s, slab, object);
		     object = link_object(s, slab, slab->fresh)) {
			p[got++] = object;
			poke(slab->fresh, (uint16_t)(slab->fresh + 1));
		}
	} while (got < want && slab->holes && fill_one(s, slab, freelist, p, want, &got));
	return got;
}
