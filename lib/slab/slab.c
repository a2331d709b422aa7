// SPDX-License-Identifier: MIT
/*
 * slab.c - one slab.
 */
#include "slab.h"

#include "asan.h"
#include "peek.h"
#include "report.h"
#include "root.h"

/* ---- links: where a free object keeps the next one, masked ------------------------------------ */

static inline uint64_t link_mask(const struct kmem_cache *s, const void *object)
{
	return s->key ^ __builtin_bswap64((uintptr_t)object + s->offset);
}

ASAN_IGNORE static uint64_t link_load(const struct kmem_cache *s, const void *object)
{
	const uint64_t *at = (const void *)((const char *)object + s->offset);

	return *at ^ link_mask(s, object);
}

ASAN_IGNORE static void link_store(const struct kmem_cache *s, void *object, const void *next)
{
	uint64_t *at = (void *)((char *)object + s->offset);

	*at = (uintptr_t)next ^ link_mask(s, object);
}

/* What no link of a free object can look like: an object in use is told from a free one by it. */
ASAN_IGNORE static void link_wipe(const struct kmem_cache *s, void *object)
{
	uint64_t *at = (void *)((char *)object + s->offset);

	*at = 0;
}

/* ---- index and address ------------------------------------------------------------------------ */

/*
 * off / size by multiplication: recip is 2^32 / size rounded up, exact for off < 2^16 since the
 * error, off * (recip * size - 2^32) <= off * size, stays below 2^32.
 */
static inline uint32_t object_index(const struct kmem_cache *s, uint32_t off)
{
	return (uint32_t)(((uint64_t)off * s->recip) >> 32);
}

static inline void *object_at(const struct kmem_cache *s, const struct slab *slab, uint32_t index)
{
	return slab->base + (size_t)index * s->size;
}

static inline bool in_slab(const struct slab *slab, uint64_t p)
{
	return p - (uintptr_t)slab->base < pages_block_bytes(slab);
}

/* ---- making and releasing --------------------------------------------------------------------- */

static void construct(struct kmem_cache *s, struct slab *slab)
{
	for (uint32_t i = 0; i < s->objects; i++)
		s->ctor(object_at(s, slab, i));
}

unsigned int slab_new(struct kmem_cache *s, unsigned int home, struct slab **slab,
		      unsigned int want)
{
	unsigned int got = pages_alloc(s->order, BLOCK_SLAB, slab, want);

	for (unsigned int i = 0; i < got; i++) {
		slab[i]->home = (uint16_t)home;
		if (s->ctor)
			construct(s, slab[i]);
		asan_poison(slab[i]->base, pages_block_bytes(slab[i]));
		__atomic_store_n(&slab[i]->cache, s, __ATOMIC_RELEASE);
	}
	return got;
}

void slab_release(struct slab *chain)
{
	for (struct slab *slab = chain; slab; slab = slab->next)
		asan_unpoison(slab->base, pages_block_bytes(slab));
	if (chain)
		pages_free(chain);
}

/* ---- the freelist ----------------------------------------------------------------------------- */

unsigned int slab_take(struct kmem_cache *s, struct slab *slab, void **p, unsigned int want)
{
	unsigned int got = 0;
	char *head = slab->w.head ? object_at(s, slab, slab->w.head - 1U) : NULL;

	while (got < want && head) {
		uint64_t next = link_load(s, head);

		if (__builtin_expect(next && !in_slab(slab, next), 0)) {
			report_misuse(s, head, "freelist damaged: free object written to");
			next = 0;
		}
		link_wipe(s, head);
		p[got++] = head;
		head = (char *)next;
	}
	slab->w.head = head ? (uint16_t)(object_index(s, (uint32_t)(head - slab->base)) + 1) : 0;
	while (got < want && slab->fresh < s->objects) {
		p[got++] = object_at(s, slab, slab->fresh);
		poke(slab->fresh, (uint16_t)(slab->fresh + 1));
	}
	slab->w.inuse = (uint16_t)(slab->w.inuse + got);
	return got;
}

void slab_put(struct kmem_cache *s, struct detached *d)
{
	struct slab *slab = d->slab;

	link_store(s, d->tail, slab->w.head ? object_at(s, slab, slab->w.head - 1U) : NULL);
	slab->w.head = (uint16_t)(object_index(s, (uint32_t)((char *)d->head - slab->base)) + 1);
	slab->w.inuse = (uint16_t)(slab->w.inuse - d->count);
}

static bool on_list(struct kmem_cache *s, struct slab *slab, uint64_t at, const void *object)
{
	for (uint32_t i = 0; i < s->objects && at && in_slab(slab, at); i++) {
		if (at == (uintptr_t)object)
			return true;
		at = link_load(s, (void *)at);
	}
	return false;
}

/* The object's link reads like that of a free object: by chance, or because it is free. */
static bool is_free(struct kmem_cache *s, struct detached *d, void *object)
{
	struct slab *slab = d->slab;
	bool found = d->count && on_list(s, slab, (uintptr_t)d->head, object);

	if (found)
		return true;
	lock_take(&s->node.lock, LOCK_NODE);
	found = slab->w.head &&
		on_list(s, slab, (uintptr_t)object_at(s, slab, slab->w.head - 1U), object);
	lock_drop(&s->node.lock, LOCK_NODE);
	return found;
}

void slab_detach(struct kmem_cache *s, struct detached *d, void *object)
{
	uint64_t next = link_load(s, object);

	if (__builtin_expect(!next || in_slab(d->slab, next), 0) && is_free(s, d, object)) {
		report_misuse(s, object, "double free");
		return;
	}
	link_store(s, object, d->count ? d->head : NULL);
	if (!d->count)
		d->tail = object;
	d->head = object;
	d->count++;
}

struct slab *slab_of_object(struct kmem_cache *s, void *object)
{
	struct slab *slab = slab_find(&root.map, object);
	const char *what;
	uint32_t off, index;

	if (__builtin_expect(!slab, 0)) {
		report_misuse(s, object, "free of an address that is no object");
		return NULL;
	}
	off = (uint32_t)((char *)object - slab->base);
	index = object_index(s, off);
	if (__builtin_expect(slab->cache != s, 0))
		what = "free to the wrong cache";
	else if (__builtin_expect(index * s->size != off, 0))
		what = "free of an address inside an object";
	else if (__builtin_expect(index >= peek(slab->fresh), 0))
		what = "free of an object that was never allocated";
	else
		return slab;
	report_misuse(s, object, what);
	return NULL;
}
