// SPDX-License-Identifier: MIT
/* detached.c - chaining objects by slab. */
#include "detached.h"

#include "link.h"
#include "node.h"
#include "report.h"
#include "slab.h"

#define LOOK_BACK 4
#define AHEAD	  8 /* objects whose links are fetched meanwhile */

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
	return is_detached(s, d, object) || node_has_free(s, d->slab, object);
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
	struct detached *d = NULL;
	size_t i;

	set->n = 0;
	for (i = 0; i < n; i++) {
		if (i + AHEAD < n)
			__builtin_prefetch(link_at(s, p[i + AHEAD]), 1);
		/* What is of the last one's slab needs no search. */
		if (!d || !slab_is_object(s, d->slab, p[i])) {
			struct slab *slab = slab_of_object(s, p[i]);

			if (!slab)
				continue;
			d = find_list(set, slab);
			if (!d)
				break;
		}
		add(s, d, p[i]);
	}
	return i;
}
