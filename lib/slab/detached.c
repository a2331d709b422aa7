// SPDX-License-Identifier: MIT
/* detached.c - chaining objects by slab. */
#include "detached.h"

#include "hole.h"
#include "link.h"
#include "node.h"
#include "report.h"
#include "slab.h"

#define LOOK_BACK    4
#define AHEAD	     8	/* objects whose links are fetched meanwhile */
#define ADDRESS_BITS 48 /* of a user's address: slabmap.h */

/* Among those already chained to d. */
static bool is_detached(struct kmem_cache *s, const struct detached *d, const void *object)
{
	void *at = d->head;

	for (uint32_t i = 0; i < d->count; i++) {
		if (at == object)
			return true;
		at = (void *)link_load(s, at);
	}
	return false;
}

/*
 * A hole may hide it; or its link reads like that of a free object: by chance, or because it is
 * one.
 */
static __attribute__((noinline, cold)) bool is_free(struct kmem_cache *s, const struct detached *d,
						    void *object)
{
	return hole_hides(s, d->slab, object) ||
	       (link_looks_free(s, d->slab, object) &&
		(is_detached(s, d, object) || node_has_free(s, d->slab, object)));
}

/*
 * p[0], which is one of d's slab, and what follows it of the same slab: onto d's list. How many of
 * p are done with. What the loop needs of s and slab is loaded once: stores of links hide from the
 * compiler that it stays. The links are fetched ahead, and only what has no bits above an
 * address's, or is of a slab with holes, is looked at closely.
 */
LINK_FUNCTION size_t add_run(struct kmem_cache *s, struct detached *d, void **p, size_t n)
{
	const uintptr_t base = (uintptr_t)d->slab->base;
	const uint32_t recip = s->recip, used = peek(d->slab->fresh) * s->size;
	const size_t offset = s->offset;
	const uint64_t key = s->key;
	const uint64_t suspect = peek(d->slab->holes) ? UINT64_MAX : (1ULL << ADDRESS_BITS) - 1;
	uintptr_t head = d->count ? (uintptr_t)d->head : 0, at = (uintptr_t)p[0], off;
	void **const first = p, **const end = p + n;

	if (!head)
		d->tail = p[0];
	do {
		uint64_t *link = (uint64_t *)(at + offset);
		uint64_t mask = key ^ __builtin_bswap64((uintptr_t)link);

		if (p + AHEAD < end)
			__builtin_prefetch((char *)p[AHEAD] + offset, 1);
		if (__builtin_expect((peek(*link) ^ mask) <= suspect, 0)) {
			d->head = (void *)head;
			d->count += (uint32_t)(p - first);
			if (is_free(s, d, (void *)at)) {
				report_misuse(s, (void *)at, "double free");
				return (size_t)(p + 1 - first);
			}
			d->count -= (uint32_t)(p - first);
		}
		poke(*link, head ^ mask);
		head = at;
		if (++p == end)
			break;
		at = (uintptr_t)*p;
		off = at - base;
	} while (off < used && (uint32_t)off * recip < recip);
	d->head = (void *)head;
	d->count += (uint32_t)(p - first);
	return (size_t)(p - first);
}

/* The latest list but few that is of slab, or a new one; NULL: the set is full. */
static struct detached *find_list(struct detached_set *set, struct slab *slab)
{
	unsigned int at = set->n, stop = at > LOOK_BACK ? at - LOOK_BACK : 0;

	while (at > stop && set->list[at - 1].slab != slab)
		at--;
	if (at == stop) {
		if (set->n == DETACHED_LISTS)
			return NULL;
		at = ++set->n;
		set->list[at - 1].slab = slab;
		set->list[at - 1].count = 0;
	}
	return &set->list[at - 1];
}

size_t detached_fill(struct kmem_cache *s, struct detached_set *set, void **p, size_t n)
{
	size_t i = 0;

	set->n = 0;
	while (i < n) {
		struct slab *slab = slab_of_object(s, p[i]);
		struct detached *d;

		if (!slab) {
			i++;
			continue;
		}
		d = find_list(set, slab);
		if (!d)
			break;
		i += add_run(s, d, p + i, n - i);
	}
	return i;
}
