/* SPDX-License-Identifier: MIT */
/*
 * barn.h - a CPU's stock of full and empty sheaves, behind one lock of its own.
 *
 * A sheaf changes hands whole, so a visit is a few pointer moves. Its bound moves with the traffic:
 * a flow of frees alone (flush after flush, no refill between) halves it and lets the excess go, so
 * that a program that freed everything does not keep a thousand objects in a thousand pages; the
 * first refills after that double it again. A flow of allocations alone makes a CPU look into
 * other CPUs' barns (see barn_steal), and looking into one counts there as a use of its stock.
 */
#ifndef SLABKIT_SLAB_BARN_H
#define SLABKIT_SLAB_BARN_H

#include <stdbool.h>
#include <stdint.h>

#include "lock.h"

struct kmem_cache;
struct cpu_block;
struct sheaf;

struct barn {
	struct lock lock;
	uint16_t nr_full, nr_empty;
	struct sheaf *full, *empty; /* linked by next, last in first out */
	uint16_t limit;		    /* full sheaves it may hold at present */
	uint16_t flushes;	    /* sheaves flushed to slabs since the last refill */
	uint16_t misses;	    /* sheaves filled from slabs since the last flush */
	uint16_t stride;	    /* sheaves that the next theft takes */
};

/* barn_get_full - a full sheaf for an empty one (taken when a sheaf is returned); else NULL. */
struct sheaf *barn_get_full(struct barn *b, struct sheaf *empty);
/* barn_put_full - takes a full sheaf when there is room; *empty: an empty one or NULL. */
bool barn_put_full(struct barn *b, struct sheaf *full, struct sheaf **empty);
/* barn_take_full - up to want full sheaves as a chain; returns how many. */
unsigned int barn_take_full(struct barn *b, struct sheaf **chain, unsigned int want);
/* barn_take_empty - up to want empty sheaves as a chain, no more than may come back full. */
unsigned int barn_take_empty(struct barn *b, struct sheaf **chain, unsigned int want);
/* barn_give - takes chains of full and of empty sheaves, whatever the bound. */
void barn_give(struct barn *b, struct sheaf *full, struct sheaf *empty);

/* barn_note_miss - a sheaf was filled from slabs. True: allocations have come alone for long. */
bool barn_note_miss(struct kmem_cache *s, struct barn *b);
/* barn_note_flush - a sheaf went to slabs. Returns a chain of full sheaves to send after it. */
struct sheaf *barn_note_flush(struct kmem_cache *s, struct barn *b);
/* barn_steal - full sheaves from the barn of another CPU of the node into mine, for empty ones. */
unsigned int barn_steal(struct kmem_cache *s, struct cpu_block *mine);

#endif
