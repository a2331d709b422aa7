/* SPDX-License-Identifier: MIT */
/*
 * cache.h - struct kmem_cache: what the layers share about one cache, laid out layer by layer.
 *
 * The per-CPU blocks follow the cache in the same block of memory, so that the fast path reaches
 * its block by adding a shifted CPU number to the cache's own address.
 */
#ifndef SLABKIT_SLAB_CACHE_H
#define SLABKIT_SLAB_CACHE_H

#include <slab/slab.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "barn.h"
#include "fault.h"
#include "lock.h"
#include "rcu.h"

struct alias;
struct sheaf;
struct slab;

/*
 * Per-CPU block. The first line is the fast path's; see cpu.h for who may write it when. The
 * count's offset of 56 in its line keeps its store from looking, to the processor, like the store
 * to the first word of an object in another page (only the low 12 address bits are compared).
 */
#define CPU_BLOCK_SHIFT 9
struct cpu_block {
	struct sheaf *main;
	union {
		struct sheaf *spare; /* full or empty */
		struct slab *slab; /* without sheaves: the CPU's slab, and in slabs partial ones */
	};
	union {
		uint32_t spare_n;
		uint32_t nr_slabs;
	};
	uint32_t lock_word; /* percpu=lock only */
	struct slab *slabs;
	uint64_t near; /* the bit of the CPU's node: see numa_near */
	void *freelist; /* without sheaves: free objects of slab */
	union {
		uint64_t bounds;
		struct {
			int32_t lo;
			uint32_t hi;
		};
	};
	uint32_t n; /* objects in main */
	uint32_t pad1;

	struct barn barn __attribute__((aligned(64)));

	/* Slab layer: partial slabs whose home is this CPU, under the lock of its node. */
	struct slab *partial __attribute__((aligned(64)));
	/* Memory for sheaves; written by the owner of the block. */
	char *area, *area_end;
	struct slab *area_block;
	/* Without sheaves: objects put into slabs less those taken out, on this CPU. */
	uint64_t freed;

	/* Counters of the slow paths; written by the owner of the block, read by anyone. */
	uint64_t stat[8] __attribute__((aligned(64)));

	/* freed, and waiting to be sent: written by the owner of the block */
	struct rcu_batch *rcu;
	uint64_t rcu_objects;  /* that ever were put into one; likewise */
	uint64_t room[30];     /* the rest of the stride */
};
_Static_assert(sizeof(struct cpu_block) == 1 << CPU_BLOCK_SHIFT, "stride of the per-CPU blocks");
_Static_assert(offsetof(struct cpu_block, bounds) == 48 && offsetof(struct cpu_block, n) == 56,
	       "layout that the fast path knows");

enum cpu_stat {
	STAT_ALLOC_REFILL, /* sheaves filled from slabs */
	STAT_ALLOC_BYPASS, /* objects allocated from slabs, round the sheaves */
	STAT_FREE_FLUSH,   /* sheaves emptied into slabs */
	STAT_FREE_BYPASS,  /* objects freed to slabs, round the sheaves */
	STAT_SHEAF_SWAP,   /* main and spare exchanged */
	STAT_BARN_GET,	   /* full sheaves from the barn */
	STAT_BARN_PUT,	   /* full sheaves to the barn */
	STAT_BARN_STEAL,   /* full sheaves from other CPUs' barns */
};

/*
 * A memory node: its partial slabs and what they add up to. Those that a CPU of the node made are
 * on that CPU's list (see cpu_block.partial), the others here.
 */
struct node {
	struct lock lock;
	uint32_t nr_partial;
	struct slab *partial;
	uint64_t nr_slabs;
	uint64_t free_objects; /* on slabs' freelists, never-used ones included; without sheaves
				* together with freed */
	uint64_t nr_holes;     /* pages of its slabs that the system has back: see hole.h */
	uint64_t freed;	       /* where there are several nodes, in place of cpu_block.freed */
} __attribute__((aligned(64)));

struct kmem_cache {
	/* The slab layer. */
	uint32_t size;	      /* bytes from one object to the next */
	uint32_t object_size; /* bytes asked for */
	uint32_t offset;      /* of the link in a free object */
	uint32_t align;
	uint32_t recip; /* for the division by size: see slab.c */
	uint16_t objects;
	uint8_t order;
	bool sheafless;
	bool mergeable; /* others may become aliases of it */
	bool debug;	/* every object by the slow path: see debug.h, fault.h */
	uint32_t left;	/* bytes of the zone before an object */
	uint64_t key;	/* that links are masked with */
	void (*ctor)(void *object);

	/* Nodes, barns, sheaves. */
	uint32_t min_partial;
	uint32_t cpu_partial; /* without sheaves: see cpuslab.h */
	uint32_t capacity;
	uint32_t barn_max;
	slab_flags_t flags;
	struct lock drain;

	/* The list of caches. */
	char *name;
	struct kmem_cache *next, *prev;
	struct slab *block;
	struct alias *aliases;
	uint32_t refcount; /* users: 1 and one for each alias */
	uint32_t serial;   /* in the order of creation */
	uint32_t useroffset, usersize;

	struct rcu_cache rcu;
	struct fault *fault; /* for SLAB_FAILSLAB; behind the blocks */
	/* Of the node layer: behind the blocks, numa_indices() of them. */
	struct node *nodes __attribute__((aligned(64)));
	struct cpu_block cpu[];
};

/* cache_home - the CPU that a block belongs to. */
static inline unsigned int cache_home(const struct kmem_cache *s, const struct cpu_block *b)
{
	return (unsigned int)(b - s->cpu);
}

/* A flag of our own: the cache is never made an alias of another (others may become its). */
#define CACHE_NO_ALIAS 0x80000000u

/*
 * cache_make_class - a cache for one size of many, which is never made an alias; otherwise as
 * kmem_cache_create.
 */
struct kmem_cache *cache_make_class(const char *name, unsigned int size,
				    const struct kmem_cache_args *args);
/* cache_drain - what the CPUs hold of s goes back to slabs; other threads go on meanwhile. */
void cache_drain(struct kmem_cache *s);

/* cache_zero - what __GFP_ZERO asks for. */
static inline void *cache_zero(const struct kmem_cache *s, void *object)
{
	return __builtin_memset(object, 0, __atomic_load_n(&s->object_size, __ATOMIC_RELAXED));
}

#endif
