/* SPDX-License-Identifier: MIT */
/*
 * slab.h - one slab: its freelist and its in-use count. The theory stands at the head of slab.c.
 */
#ifndef SLABKIT_SLAB_SLAB_H
#define SLABKIT_SLAB_SLAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cache.h"
#include "pages.h"

/* Objects of one slab on their way back, chained through their links, not yet in the slab. */
struct detached {
	struct slab *slab;
	void *head, *tail;
	uint32_t count;
};

/* slab_new - up to want fresh slabs for s into slab[], home set; returns how many. */
unsigned int slab_new(struct kmem_cache *s, unsigned int home, struct slab **slab,
		      unsigned int want);
/* slab_release - takes a chain of empty slabs and gives their blocks to the pages layer. */
void slab_release(struct slab *chain);

/* slab_take - up to want free objects into p; the caller owns the slab or its node's lock. */
unsigned int slab_take(struct kmem_cache *s, struct slab *slab, void **p, unsigned int want);
/* slab_put - a detached list back into its slab; under the node's lock. */
void slab_put(struct kmem_cache *s, struct detached *d);

/* slab_detach - chain object to d; d->slab is the object's. The caller owns the object. */
void slab_detach(struct kmem_cache *s, struct detached *d, void *object);

/*
 * slab_of_object - the slab of an object of s, checked: the address lies in a slab of s, at the
 * start of an object that was handed out. Anything else is reported; NULL if the hook returns.
 */
struct slab *slab_of_object(struct kmem_cache *s, void *object);

/* slab_find - the slab that p lies in, of whatever cache; NULL for any other address. */
static inline struct slab *slab_find(const struct slabmap *map, const void *p)
{
	struct chunk *c = slabmap_find(map, p);
	struct slab *slab;

	if (!c)
		return NULL;
	slab = pages_block(c, p);
	return slab->kind == BLOCK_SLAB ? slab : NULL;
}

static inline uint32_t slab_free_objects(const struct kmem_cache *s, const struct slab *slab)
{
	return s->objects - slab->w.inuse;
}

#endif
