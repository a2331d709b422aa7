// SPDX-License-Identifier: MIT
/*
 * slab.c - one slab.
 */
#include "slab.h"

#include "asan.h"
#include "debug.h"
#include "link.h"
#include "peek.h"
#include "report.h"
#include "root.h"

/* ---- making and releasing --------------------------------------------------------------------- */

static void construct(struct kmem_cache *s, struct slab *slab)
{
	for (uint32_t i = 0; i < s->objects; i++)
		s->ctor(link_object(s, slab, i));
}

unsigned int slab_new(struct kmem_cache *s, unsigned int home, struct slab **slab,
		      unsigned int want)
{
	unsigned int got = pages_alloc(s->order, BLOCK_SLAB, slab, want);

	for (unsigned int i = 0; i < got; i++) {
		slab[i]->home = (uint16_t)home;
		slab[i]->base += s->left;
		if (s->debug)
			debug_new_slab(s, slab[i]);
		if (s->ctor)
			construct(s, slab[i]);
		if (!s->debug)
			asan_poison(slab[i]->base, pages_block_bytes(slab[i]));
		__atomic_store_n(&slab[i]->cache, s, __ATOMIC_RELEASE);
	}
	return got;
}

/* The last look at objects that nobody will allocate again. */
static void check_released(struct kmem_cache *s, struct slab *slab)
{
	for (uint32_t i = 0; i < slab->fresh; i++)
		debug_check_free(s, link_object(s, slab, i));
}

void slab_release(struct slab *chain)
{
	for (struct slab *slab = chain; slab; slab = slab->next) {
		if (slab->cache->debug)
			check_released(slab->cache, slab);
		else
			asan_unpoison(slab->base, pages_block_bytes(slab));
	}
	if (chain)
		pages_free(chain);
}

/* ---- the freelist ----------------------------------------------------------------------------- */

static void *first_free(struct kmem_cache *s, const struct slab *slab, union slab_word w)
{
	return w.head ? link_object(s, slab, w.head - 1U) : NULL;
}

static uint16_t head_of(struct kmem_cache *s, const struct slab *slab, const void *object)
{
	return object ? (uint16_t)(link_index(s, slab, object) + 1) : 0;
}

bool slab_on_freelist(struct kmem_cache *s, const struct slab *slab, const void *object)
{
	uint64_t at = (uintptr_t)first_free(s, slab, slab_word(slab));

	for (uint32_t i = 0; i < s->objects && at && link_in_slab(slab, at); i++) {
		if (at == (uintptr_t)object)
			return true;
		at = link_load(s, (void *)at);
	}
	return false;
}

unsigned int slab_take(struct kmem_cache *s, struct slab *slab, void **p, unsigned int want)
{
	union slab_word w = slab->w;
	void *head = first_free(s, slab, w);
	unsigned int got = 0;

	while (got < want && head) {
		uint64_t next = link_load(s, head);

		if (__builtin_expect(next && !link_in_slab(slab, next), 0)) {
			report_misuse(s, head, "freelist damaged: a free object was written to");
			next = 0;
		}
		link_wipe(s, head);
		p[got++] = head;
		head = (void *)next;
	}
	while (got < want && slab->fresh < s->objects) {
		p[got++] = link_object(s, slab, slab->fresh);
		poke(slab->fresh, (uint16_t)(slab->fresh + 1));
	}
	w.head = head_of(s, slab, head);
	w.inuse = (uint16_t)(w.inuse + got);
	poke(slab->w.all, w.all);
	return got;
}

void slab_put(struct kmem_cache *s, struct detached *d)
{
	struct slab *slab = d->slab;
	union slab_word w = slab->w;

	link_store(s, d->tail, first_free(s, slab, w));
	w.head = head_of(s, slab, d->head);
	w.inuse = (uint16_t)(w.inuse - d->count);
	poke(slab->w.all, w.all);
}

/* One step from one state to the next; the count of changes makes each state a new one. */
static bool change(struct slab *slab, union slab_word *old, union slab_word w)
{
	w.seq = old->seq + 1;
	if (!__atomic_compare_exchange_n(&slab->w.all, &old->all, w.all, false, __ATOMIC_ACQ_REL,
					 __ATOMIC_ACQUIRE))
		return false;
	*old = w;
	return true;
}

bool slab_put_word(struct kmem_cache *s, struct detached *d, union slab_word *old, bool frozen)
{
	union slab_word w = *old;

	link_store(s, d->tail, first_free(s, d->slab, w));
	w.head = head_of(s, d->slab, d->head);
	w.inuse = (uint16_t)(w.inuse - d->count);
	w.frozen = frozen;
	return change(d->slab, old, w);
}

void *slab_freeze(struct kmem_cache *s, struct slab *slab, uint32_t *n)
{
	union slab_word old = slab_word(slab), w;
	void *head;

	do {
		head = first_free(s, slab, old);
		*n = s->objects - (uint32_t)old.inuse;
		w = old;
		w.head = 0;
		w.inuse = s->objects;
		w.frozen = true;
	} while (!change(slab, &old, w));
	return head;
}

void slab_mark_frozen(struct slab *slab)
{
	union slab_word old = slab_word(slab), w;

	do {
		w = old;
		w.frozen = true;
	} while (!change(slab, &old, w));
}

bool slab_thaw_full(struct kmem_cache *s, struct slab *slab)
{
	union slab_word old = slab_word(slab), w = old;

	w.frozen = false;
	return old.inuse == s->objects && change(slab, &old, w);
}

union slab_word slab_thaw(struct slab *slab)
{
	union slab_word old = slab_word(slab), w;

	do {
		w = old;
		w.frozen = false;
	} while (!change(slab, &old, w));
	return old;
}

void slab_link_all(struct kmem_cache *s, struct slab *slab)
{
	union slab_word w = { .head = 1 };

	for (uint32_t i = 0; i < s->objects; i++)
		link_store(s, link_object(s, slab, i),
			   i + 1U < s->objects ? link_object(s, slab, i + 1) : NULL);
	poke(slab->fresh, s->objects);
	poke(slab->w.all, w.all);
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
	index = link_index(s, slab, object);
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

bool slab_holds(const struct kmem_cache *s, const void *object)
{
	const struct slab *slab = slab_find(&root.map, object);

	return slab && slab->cache == s &&
	       link_index(s, slab, object) * s->size == (uint32_t)((const char *)object - slab->base);
}
