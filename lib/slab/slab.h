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
#include "detached.h"
#include "link.h"
#include "pages.h"
#include "peek.h"
#include "root.h"

/* slab_new - up to want fresh slabs of a node, made by CPU home, into slab[]; returns how many. */
unsigned int slab_new(struct kmem_cache *s, unsigned int node, unsigned int home,
		      struct slab **slab, unsigned int want);
/* slab_release - takes a chain of empty slabs and gives their blocks to the pages layer. */
void slab_release(struct slab *chain);

/* slab_on_freelist - or hidden by a hole; under the node's lock. */
bool slab_on_freelist(struct kmem_cache *s, const struct slab *slab, const void *object);
/* slab_take - up to want free objects into p; the caller owns the slab or its node's lock. */
unsigned int slab_take(struct kmem_cache *s, struct slab *slab, void **p, unsigned int want);
/* slab_put - a detached list back into its slab; under the node's lock. */
void slab_put(struct kmem_cache *s, struct detached *d);

/*
 * The same for caches without sheaves, whose slabs change without a lock:
 *
 * slab_put_word - d into its slab, whose state is still *old; frozen: as the slab shall be. True,
 * and *old is the new state; or false, and *old is what was found instead.
 */
bool slab_put_word(struct kmem_cache *s, struct detached *d, union slab_word *old, bool frozen);
/* slab_freeze - the whole freelist, of *n objects; the slab is then frozen, all objects in use. */
void *slab_freeze(struct kmem_cache *s, struct slab *slab, uint32_t *n);
/* slab_mark_frozen - frozen, its freelist left where it is; under the node's lock. */
void slab_mark_frozen(struct slab *slab);
/* slab_thaw_full - thaws a slab with no free object; false: it has one by now. */
bool slab_thaw_full(struct kmem_cache *s, struct slab *slab);
/* slab_thaw - the slab is no CPU's any more; its state. */
union slab_word slab_thaw(struct slab *slab);
/* slab_link_all - a new slab's objects onto its freelist. */
void slab_link_all(struct kmem_cache *s, struct slab *slab);

/*
 * slab_of_object - the slab of an object of s, checked: the address lies in a slab of s, at the
 * start of an object that was handed out. Anything else is reported; NULL if the hook returns.
 */
struct slab *slab_of_object(struct kmem_cache *s, void *object);

/* slab_is_object - the same for a slab that is known to be of s, and no report. */
static inline bool slab_is_object(const struct kmem_cache *s, const struct slab *slab,
				  const void *object)
{
	uint32_t index = link_index(s, slab, object);

	return link_in_slab(slab, (uintptr_t)object) && index < peek(slab->fresh) &&
	       link_object(s, slab, index) == object;
}

/* slab_holds - whether object is one of s, in use or free. */
bool slab_holds(const struct kmem_cache *s, const void *object);

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

/* slab_near - the CPUs that object is near to, as bits of their nodes; none: it is no object. */
static inline uint64_t slab_near(const void *object)
{
	const struct chunk *c;

	if (root.numa.nr == 1)
		return ~0ULL;
	c = slabmap_find(&root.map, object);
	return c ? numa_near(&root.numa, c->node) : 0;
}

static inline union slab_word slab_word(const struct slab *slab)
{
	return (union slab_word){ .all = peek(slab->w.all) };
}

static inline void *slab_first_free(const struct kmem_cache *s, const struct slab *slab,
				    union slab_word w)
{
	return w.head ? link_object(s, slab, w.head - 1U) : NULL;
}

static inline uint16_t slab_head_of(const struct kmem_cache *s, const struct slab *slab,
				    const void *object)
{
	return object ? (uint16_t)(link_index(s, slab, object) + 1) : 0;
}

static inline uint32_t slab_free_objects(const struct kmem_cache *s, const struct slab *slab)
{
	return s->objects - slab_word(slab).inuse;
}

#endif
