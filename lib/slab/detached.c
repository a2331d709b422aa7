// SPDX-License-Identifier: MIT
/* detached.c - chaining objects by slab. */
#include "detached.h"

#include "link.h"
#include "report.h"
#include "slab.h"

#define LOOK_BACK 4

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

/* The object's link reads like that of a free object: by chance, or because it is free. */
static bool is_free(struct kmem_cache *s, const struct detached *d, void *object)
{
	bool found;

	if (is_detached(s, d, object))
		return true;
	lock_take(&s->node.lock, LOCK_NODE);
	found = slab_on_freelist(s, d->slab, object);
	lock_drop(&s->node.lock, LOCK_NODE);
	return found;
}

static void add(struct kmem_cache *s, struct detached *d, void *object)
{
	if (__builtin_expect(link_looks_free(s, d->slab, object), 0) && is_free(s, d, object)) {
		report_misuse(s, object, "double free");
		return;
	}
	link_store(s, object, d->count ? d->head : NULL);
	if (!d->count)
		d->tail = object;
	d->head = object;
	d->count++;
}

size_t detached_fill(struct kmem_cache *s, struct detached_set *set, void **p, size_t n)
{
	size_t i;

	set->n = 0;
	for (i = 0; i < n; i++) {
		struct slab *slab = slab_of_object(s, p[i]);
		unsigned int at = set->n, stop = at > LOOK_BACK ? at - LOOK_BACK : 0;

		if (!slab)
			continue;
		while (at > stop && set->list[at - 1].slab != slab)
			at--;
		if (at == stop) {
			if (set->n == DETACHED_LISTS)
				break;
			at = ++set->n;
			set->list[at - 1].slab = slab;
			set->list[at - 1].count = 0;
		}
		add(s, &set->list[at - 1], p[i]);
	}
	return i;
}
