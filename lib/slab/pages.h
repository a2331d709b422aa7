/* SPDX-License-Identifier: MIT */
/*
 * pages.h - where memory comes from and goes back to: chunks of 4 MiB, cut into blocks.
 *
 * A chunk is mapped at a multiple of its size and cut into blocks of one order (4 KiB << order).
 * Its first block or blocks hold the header: two bitmaps and one descriptor (struct slab) per
 * block, so that a block's address gives its descriptor by a shift and descriptors never share a
 * page with objects. Of each chunk every CPU has runs of 256 KiB, from which it is served while
 * they last: where two CPUs' objects lie side by side, each disturbs the other. A request above the
 * largest order gets a mapping of its own, with a header of one page in front, aligned like a chunk
 * so that the map finds it.
 *
 * A block that is freed keeps its pages (it is *dirty*) until the dirty bytes exceed a bound
 * (retain.h); then dirty blocks go back to the system, in ranges, and chunks that are free as a
 * whole are unmapped. This is decided here, on the way of the free that crosses the bound: no
 * thread, no timer.
 *
 * What is *held* is bounded by a limit: blocks in use (less their holes: hole.h) or dirty, and
 * headers. A clean block holds nothing yet; its chunk is address space that was asked for without a
 * reserve. At the limit, and where the system refuses, dirty blocks of every order go back first,
 * and the request is made again.
 *
 * This is the only place that calls mmap.
 */
#ifndef SLABKIT_SLAB_PAGES_H
#define SLABKIT_SLAB_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "lock.h"
#include "numa.h"
#include "retain.h"
#include "slabmap.h"

#define PAGE_SHIFT_MIN	12
/* the unit of orders; not the machine's page */
#define PAGE_BYTES	((size_t)1 << PAGE_SHIFT_MIN)
#define PAGES_MAX_ORDER 9
#define PAGES_ORDER_OWN 255 /* chunk->order of a mapping of its own */
#define CHUNK_WORDS	(CHUNK_BYTES / PAGE_BYTES / 64)

/* What a block is. */
enum block_kind {
	BLOCK_FREE,
	BLOCK_SLAB,  /* objects of a cache */
	BLOCK_LARGE, /* one large kmalloc */
	BLOCK_META,  /* the allocator's own: caches, sheaves */
	BLOCK_RUNS,  /* a mapping of its own that its user cuts up */
};

/*
 * The state that lock-free and locked paths share: index + 1 of the first free object (0: none),
 * objects not on the freelist, and for slabs that are changed without a lock, whether a CPU owns
 * the slab and a count of changes, so that a compare-exchange never meets an old state again.
 */
union slab_word {
	uint64_t all;
	struct {
		uint16_t head;
		uint16_t inuse;
		uint32_t frozen : 1;
		uint32_t seq : 31;
	};
};

#define SLAB_NO_HOME UINT16_MAX

/* One block. 64 bytes: one line, one in sixty-four of the memory it describes. */
struct slab {
	struct kmem_cache *cache;
	struct slab *next, *prev; /* a node's partial list, or a chain in one thread's hands */
	char *base;
	union slab_word w;
	uint16_t fresh; /* objects from here on were never handed out */
	uint16_t home;	/* CPU whose partial list it joins, or SLAB_NO_HOME: its node's */
	uint8_t kind;
	uint8_t order;
	uint8_t node;	    /* its chunk's */
	uint8_t listed;	    /* on its home's partial list */
	size_t large_bytes; /* BLOCK_LARGE: bytes that may be used */
	/* in its node's nr_slabs: not on its way there or away, without a lock */
	uint8_t counted;
	uint8_t holes;	    /* pages of it that the system has back, as bits: see hole.h */
	uint8_t digging;    /* holes are under way: nothing is taken from it, and it stays */
	uint8_t pad[5];
};

struct chunk {
	struct chunk *next, *prev;
	struct chunk **list; /* the head of the list it is on, or NULL */
	size_t map_bytes;
	uint32_t shift; /* bytes of a block, as a power of two */
	uint16_t nr_blocks, nr_free, nr_dirty;
	uint16_t first; /* blocks before it hold the header */
	uint8_t order;
	uint8_t node; /* that it asks pages of: see numa.h */
	uint64_t free[CHUNK_WORDS];
	uint64_t dirty[CHUNK_WORDS];
	struct slab slab[] __attribute__((aligned(64)));
};

/* Chunks of one order: those with a dirty free block, and those whose free blocks are all clean. */
struct pages_order {
	struct chunk *dirty, *clean, *full;
};

struct pages {
	struct lock lock;
	uint64_t allowance; /* maps and blocks that may still be had, plus 1; 0: no limit */
	struct pages_order order[NUMA_MOST + 1][PAGES_MAX_ORDER + 1]; /* for each node */
	struct chunk *own; /* mappings of their own */
	uint64_t used_bytes;
	uint64_t dirty_bytes;
	uint64_t mapped_bytes; /* address space, touched or not */
	/* Used and dirty blocks, headers, mappings of their own, the map's leaves. */
	uint64_t held_bytes, held_peak_bytes;
	uint64_t limit_bytes; /* of held_bytes; 0: none */
	struct retain retain; /* how many dirty bytes are kept */
};

/* pages_set_limit - held_bytes grow to so many and no further; 0: no limit. Gives nothing back. */
void pages_set_limit(uint64_t bytes);

/* pages_init - for a root that is being made. */
void pages_init(void);
/* pages_map - bytes of zeroed memory, never given back. NULL when the system refuses. */
void *pages_map(size_t bytes);

/*
 * pages_alloc - up to want blocks of a node into slab[], apart from those of other CPUs than home
 * if it can be; returns how many (0: no memory there).
 */
unsigned int pages_alloc(unsigned int order, unsigned int node, enum block_kind kind,
			 unsigned int home, struct slab **slab, unsigned int want);
/* pages_alloc_any - one block, of node if it can be; NULL: no memory. */
struct slab *pages_alloc_any(unsigned int order, unsigned int node, enum block_kind kind,
			     unsigned int home);
/* pages_alloc_large - one block of at least bytes, likewise. */
struct slab *pages_alloc_large(size_t bytes, unsigned int node);
/*
 * pages_alloc_own - a mapping of its own: zeroed, at least bytes, at a multiple of align (0, or a
 * power of two) and else a page behind a multiple of the chunk size. NULL: no memory.
 */
struct slab *pages_alloc_own(size_t bytes, size_t align);
/*
 * pages_resize_own - to at least bytes, without a copy; it may move, and slab with it. NULL: it
 * stays as it was, for want of memory, or since it was aligned at a chunk's size or more.
 */
struct slab *pages_resize_own(struct slab *slab, size_t bytes);
/* pages_free - takes a chain of blocks linked by next. Keeps errno. */
void pages_free(struct slab *chain);
/* pages_discard - the pages of n ranges go back to the system and read as zero. Keeps errno. */
void pages_discard(const struct iovec *range, unsigned int n);
/*
 * pages_lend - the same for whole pages inside blocks in use, which are then not held any more.
 * pages_regain - one page of those; false: there is no room for it.
 */
void pages_lend(const struct iovec *range, unsigned int n);
bool pages_regain(void);
/* pages_purge - give back all that is dirty beyond keep bytes; 0: somebody asked for it. */
void pages_purge(uint64_t keep);
/* pages_walk - fn for every block of a node's chunks that is not free, under the pages lock. */
void pages_walk(unsigned int node, void (*fn)(struct slab *slab, void *arg), void *arg);

/* pages_block - the descriptor of the block that p lies in, in a chunk that the map knows. */
static inline struct slab *pages_block(struct chunk *c, const void *p)
{
	return &c->slab[((uintptr_t)p & (CHUNK_BYTES - 1)) >> c->shift];
}

static inline size_t pages_block_bytes(const struct slab *slab)
{
	return PAGE_BYTES << slab->order;
}

#endif
