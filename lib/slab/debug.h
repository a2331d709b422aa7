/* SPDX-License-Identifier: MIT */
/*
 * debug.h - caches that watch their objects: red zones, poison, owners, consistency.
 *
 * They have no sheaves and no per-CPU slabs: every allocation and free goes to the node, and is
 * looked at on the way. A slot of such a slab:
 *
 *	object | right zone | link | allocated by, freed by | ... | left zone of the next object
 *
 * SLAB_RED_ZONE	zones of guard bytes: one value while the object is free, another while in
 *			use
 * SLAB_POISON		a free object is filled with 0x6b, 0xa5 at its end
 * SLAB_STORE_USER	who allocated and who freed it last: address, thread, time
 * SLAB_CONSISTENCY_CHECKS	the freelist is walked for each free: a double free is always seen
 */
#ifndef SLABKIT_SLAB_DEBUG_H
#define SLABKIT_SLAB_DEBUG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cache.h"

#define DEBUG_FLAGS \
	((slab_flags_t)(SLAB_RED_ZONE | SLAB_POISON | SLAB_STORE_USER | SLAB_CONSISTENCY_CHECKS))

/* Who did something to an object, kept in its slot. */
struct track {
	const void *caller;
	uint64_t when_ns; /* CLOCK_MONOTONIC */
	uint64_t thread;
};

/* debug_alloc - as node_take_one. caller: where the program asked. */
void *debug_alloc(struct kmem_cache *s, int node, const void *caller);
/* debug_free - takes object, if nothing is wrong with it. */
void debug_free(struct kmem_cache *s, void *object, const void *caller);
/*
 * debug_retire - caller frees object once no reader is left. False: reported, as for debug_free,
 *	which then follows with caller NULL.
 */
bool debug_retire(struct kmem_cache *s, void *object, const void *caller);
/* debug_own - an object in use is from here on caller's. Safe in a signal handler. */
void debug_own(const struct kmem_cache *s, void *object, const void *caller);
/* debug_new_slab - zones, poison and tracks of a slab that nobody knows yet. */
void debug_new_slab(struct kmem_cache *s, struct slab *slab);
/* debug_check_free - a free object's zones and poison; reports, and false, where they are hurt. */
bool debug_check_free(struct kmem_cache *s, void *object);
/* debug_check_used - the zones of an object in use. */
bool debug_check_used(struct kmem_cache *s, void *object);
/* debug_describe - who allocated and freed object, as text of at most size bytes; its length. */
size_t debug_describe(const struct kmem_cache *s, const void *object, char *text, size_t size);

#endif
