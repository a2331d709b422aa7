/* SPDX-License-Identifier: MIT */
/*
 * slab.h - object caches in user space: SLUB with per-CPU sheaves.
 *
 * The names, the argument order and the meaning are those of the Linux kernel (6.18), so that code
 * written for it links unchanged. Sizes are bytes. Every function may be called from any thread,
 * and from fork handlers; none but kmem_cache_size, ksize and kmem_cache_alloc_from_sheaf may be
 * called from a signal handler that can interrupt another of them.
 *
 * Failure: an allocation that cannot be served returns NULL (bulk: 0) with errno ENOMEM; a create
 * with a bad name, size, alignment or argument returns NULL with errno EINVAL. Misuse (double free,
 * free to the wrong cache, foreign pointer, overrun in debug mode) is reported, then given to the
 * hook of slab_set_report_hook(), then the program is aborted.
 *
 * Ownership: allocations *return owned* objects, frees *take* them. See slab(3) and slab(7).
 */
#ifndef SLAB_SLAB_H
#define SLAB_SLAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SLAB_API __attribute__((visibility("default")))

typedef unsigned int gfp_t;
typedef unsigned int slab_flags_t;

/*
 * Allocation flags. __GFP_ZERO asks for zeroes, __GFP_THISNODE is told of at kmem_cache_alloc_node.
 * The others matter only when there is no memory: what the allocator holds free is given back and
 * asked for again with either of the two __GFP_RECLAIM flags; shrinkers run only with
 * __GFP_DIRECT_RECLAIM, so for GFP_KERNEL and not for GFP_NOWAIT or GFP_ATOMIC; __GFP_NORETRY asks
 * them once and not again. With __GFP_NOFAIL such an allocation never returns NULL: it waits for as
 * long as it takes, and says so once, after a second, unless __GFP_NOWARN is set. It is for sizes
 * that can be served at all, and means nothing in a shrinker's callback. The rest is for shrinkers
 * to see, and so that kernel code compiles.
 */
#define __GFP_HIGH	     0x20u
#define __GFP_IO	     0x40u
#define __GFP_FS	     0x80u
#define __GFP_ZERO	     0x100u
#define __GFP_DIRECT_RECLAIM 0x400u
#define __GFP_KSWAPD_RECLAIM 0x800u
#define __GFP_NOWARN	     0x2000u
#define __GFP_NOFAIL	     0x8000u
#define __GFP_NORETRY	     0x10000u
#define __GFP_THISNODE	     0x200000u
#define __GFP_ACCOUNT	     0x400000u
#define __GFP_RECLAIM	     (__GFP_DIRECT_RECLAIM | __GFP_KSWAPD_RECLAIM)

#define GFP_KERNEL	   (__GFP_RECLAIM | __GFP_IO | __GFP_FS)
#define GFP_KERNEL_ACCOUNT (GFP_KERNEL | __GFP_ACCOUNT)
#define GFP_ATOMIC	   (__GFP_HIGH | __GFP_KSWAPD_RECLAIM)
#define GFP_NOWAIT	   (__GFP_KSWAPD_RECLAIM | __GFP_NOWARN)
#define GFP_NOIO	   (__GFP_RECLAIM)
#define GFP_NOFS	   (__GFP_RECLAIM | __GFP_IO)

/* Cache flags. */
#define SLAB_CONSISTENCY_CHECKS 0x00000100u /* check objects at alloc and free */
#define SLAB_RED_ZONE		0x00000400u /* guard bytes around objects */
#define SLAB_POISON		0x00000800u /* free objects hold a pattern */
#define SLAB_STORE_USER		0x00010000u /* remember who allocated and who freed */
#define SLAB_HWCACHE_ALIGN	0x00002000u /* align to cache lines */
#define SLAB_RECLAIM_ACCOUNT	0x00020000u /* objects can be reclaimed; such caches merge apart */
#define SLAB_PANIC		0x00040000u /* abort when create fails */
#define SLAB_TYPESAFE_BY_RCU	0x00080000u /* a free object's memory is left as it is */
#define SLAB_NO_MERGE		0x01000000u /* never share slabs with another cache */
#define SLAB_FAILSLAB		0x02000000u /* allocations may be made to fail: struct slab_fault */
#define SLAB_NO_USER_FLAGS	0x10000000u /* SLAB_OPTIONS=debug= does not concern it */
/* account to the allocating group; such caches merge apart */
#define SLAB_ACCOUNT		0x04000000u

struct kmem_cache;

/* What sheaf_capacity may be beside a number of objects: SLUB's own way, without sheaves. */
#define SLAB_NO_SHEAVES (~0u)
/* The largest sheaf_capacity, and the largest cpu_partial. */
#define SLAB_SHEAF_MAX	     1022u
#define SLAB_CPU_PARTIAL_MAX 1000000u
/* The longest name of a cache, bytes. */
#define SLAB_NAME_MAX 4095u

/*
 * What a cache may be asked for beside name and size; all zero is the default.
 * sheaf_capacity: objects in one per-CPU sheaf. 0 takes the default for the size and does not keep
 * the cache from being merged; any other value does.
 */
struct kmem_cache_args {
	unsigned int align;	     /* power of two; 0: the natural one */
	unsigned int useroffset;     /* start of the part that may be copied to users */
	unsigned int usersize;	     /* its length */
	unsigned int freeptr_offset; /* where a free object keeps its link ... */
	/*
	 * ... when this is set (a multiple of 8 inside the object; with SLAB_TYPESAFE_BY_RCU or a
	 * ctor: others keep it in it anyway)
	 */
	bool use_freeptr_offset;
	void (*ctor)(void *object);  /* runs once per object, when its slab is made */
	unsigned int sheaf_capacity;
};

/*
 * kmem_cache_create - make a cache of objects of size bytes. *Returns owned.* C++ has it too.
 *	kmem_cache_create(name, size, struct kmem_cache_args *args or NULL, flags)
 *	kmem_cache_create(name, size, align, flags, ctor)
 * The name is copied. It may be merged with a cache of like objects, and is then an alias of it.
 * NULL with errno EINVAL or ENOMEM.
 */
#ifndef __cplusplus
#define kmem_cache_create(name, size, args, ...) \
	_Generic((args),                                                                           \
		struct kmem_cache_args *: kmem_cache_create_args,                                  \
		void *: kmem_cache_create_default,                                                 \
		default: kmem_cache_create_align)(name, size, args, __VA_ARGS__)
#endif

SLAB_API struct kmem_cache *kmem_cache_create_args(const char *name, unsigned int size,
						   struct kmem_cache_args *args,
						   slab_flags_t flags);
SLAB_API struct kmem_cache *kmem_cache_create_default(const char *name, unsigned int size,
						      void *null, slab_flags_t flags);
SLAB_API struct kmem_cache *kmem_cache_create_align(const char *name, unsigned int size,
						    unsigned int align, slab_flags_t flags,
						    void (*ctor)(void *));

/* KMEM_CACHE - a cache for struct_name, called so. */
#define KMEM_CACHE(struct_name, flags)                                    \
	kmem_cache_create_align(#struct_name, sizeof(struct struct_name), \
				__alignof__(struct struct_name), (flags), NULL)

/*
 * kmem_cache_destroy - *takes* s; NULL is fine. No other call on s may be under way. Waits for
 * objects of s that were freed through RCU. Objects still in use are reported, and their slabs
 * stay.
 */
SLAB_API void kmem_cache_destroy(struct kmem_cache *s);

/* kmem_cache_alloc - one object, contents undefined (or as ctor left them). NULL: ENOMEM. */
SLAB_API void *kmem_cache_alloc(struct kmem_cache *s, gfp_t gfp)
	__attribute__((warn_unused_result));
/* kmem_cache_zalloc - the same, filled with zeroes. */
SLAB_API void *kmem_cache_zalloc(struct kmem_cache *s, gfp_t gfp)
	__attribute__((warn_unused_result));
/*
 * kmem_cache_alloc_node - the same, of that memory node if it has any left, with __GFP_THISNODE of
 * no other (else NULL: ENOMEM). NUMA_NO_NODE, and without that flag a node that there is not: as
 * kmem_cache_alloc, which takes memory near to the CPU, or by the thread's policy (set_mempolicy).
 */
#define NUMA_NO_NODE (-1)
SLAB_API void *kmem_cache_alloc_node(struct kmem_cache *s, gfp_t gfp, int node)
	__attribute__((warn_unused_result));
/* kmem_cache_free - *takes* one object of s; NULL is fine. */
SLAB_API void kmem_cache_free(struct kmem_cache *s, void *object);

/*
 * kmem_cache_alloc_bulk - n objects into p: all of them (returns n) or none (returns 0; p is then
 * undefined). More than INT_MAX is EINVAL.
 */
SLAB_API int kmem_cache_alloc_bulk(struct kmem_cache *s, gfp_t gfp, size_t n, void **p);
/*
 * kmem_cache_free_bulk - *takes* n objects; NULL entries are skipped; s == NULL asks each object.
 */
SLAB_API void kmem_cache_free_bulk(struct kmem_cache *s, size_t n, void **p);
static inline void kfree_bulk(size_t n, void **p)
{
	kmem_cache_free_bulk(NULL, n, p);
}

/*
 * Prefilled sheaves: objects set aside for code that must not fail later. Borrow the worst case,
 * take what is needed, return the rest. A sheaf is its borrower's alone: one thread at a time. Its
 * objects count as in use.
 */
struct slab_sheaf;
/*
 * kmem_cache_prefill_sheaf - *returns owned* a sheaf with n objects, whatever the cache's own
 * sheaves hold. NULL: ENOMEM, or EINVAL for n == 0; nothing is kept then.
 */
SLAB_API struct slab_sheaf *kmem_cache_prefill_sheaf(struct kmem_cache *s, gfp_t gfp,
						     unsigned int n)
	__attribute__((warn_unused_result));
/*
 * kmem_cache_refill_sheaf - until it holds n objects at least; *sheaf may be another one
 * afterwards. 0, or -ENOMEM: the sheaf is as it was.
 */
SLAB_API int kmem_cache_refill_sheaf(struct kmem_cache *s, gfp_t gfp, struct slab_sheaf **sheaf,
				     unsigned int n) __attribute__((warn_unused_result));
/* kmem_cache_return_sheaf - *takes* the sheaf and what it still holds; NULL is fine. */
SLAB_API void kmem_cache_return_sheaf(struct kmem_cache *s, gfp_t gfp, struct slab_sheaf *sheaf);
/*
 * kmem_cache_alloc_from_sheaf - one object of it, never NULL while it holds any, whatever the state
 * of memory; NULL with ENOMEM when it is empty. Also for a signal handler, if the sheaf is the
 * handler's alone. __GFP_ZERO counts here and not at the prefill.
 */
SLAB_API void *kmem_cache_alloc_from_sheaf(struct kmem_cache *s, gfp_t gfp,
					   struct slab_sheaf *sheaf)
	__attribute__((warn_unused_result));
/* kmem_cache_sheaf_size - objects that it holds. */
SLAB_API unsigned int kmem_cache_sheaf_size(struct slab_sheaf *sheaf);

/*
 * Freeing after a grace period of RCU (liburcu). None of these waits for readers but the barrier
 * and kmem_cache_destroy: they may be called inside a read-side critical section, and under locks
 * that readers want. Until the grace period has passed the object is as it was and counts as in
 * use.
 *
 * kfree_rcu - *takes* p, from kmalloc or any cache. field: a struct rcu_head in it, which is
 * written.
 */
#ifdef __cplusplus
#define SLAB_STATIC_ASSERT static_assert
#else
#define SLAB_STATIC_ASSERT _Static_assert
#endif
#define kfree_rcu(p, field)                                                                    \
	do {                                                                                   \
		__typeof__(p) slab_p_ = (p);                                                   \
                                                                                               \
		SLAB_STATIC_ASSERT(sizeof(slab_p_->field) >= 2 * sizeof(void *),               \
				   "no room for a link");                                      \
		slab_kfree_rcu(slab_p_ ? (void *)&slab_p_->field : NULL, (const void *)slab_p_); \
	} while (0)
SLAB_API void slab_kfree_rcu(void *head, const void *p);
/*
 * kfree_rcu_mightsleep - the same for p without such a field. With no memory for a sheaf, and for a
 * large block, it waits for a grace period: not inside a read-side critical section.
 */
#define kfree_rcu_mightsleep(p) slab_kfree_rcu_mightsleep(p)
SLAB_API void slab_kfree_rcu_mightsleep(const void *p);
/*
 * kmem_cache_free_rcu - *takes* an object of s that has no head; NULL is fine. If there is no
 * memory for a sheaf, it waits for a grace period; inside a read-side critical section, where it
 * cannot, the object is then lost, and a line on stderr says so. kfree_rcu knows no such case.
 */
SLAB_API void kmem_cache_free_rcu(struct kmem_cache *s, void *object);
/*
 * kvfree_rcu_barrier - waits until all objects freed so before have been given back. Not inside a
 * read-side critical section.
 */
SLAB_API void kvfree_rcu_barrier(void);
/*
 * slab_set_rcu_flavor - whose readers are waited for: the rcu_flavor of a liburcu header; at the
 * start it is that of memb. *Borrows* it for good. Makes a barrier; nobody may free meanwhile.
 */
struct rcu_flavor_struct;
SLAB_API void slab_set_rcu_flavor(const struct rcu_flavor_struct *flavor);

/*
 * kmem_cache_shrink - give back all memory of free objects that can be: empty slabs, and where
 * nothing speaks against it (see slab(7)) whole free pages inside larger slabs. Returns 0.
 */
SLAB_API int kmem_cache_shrink(struct kmem_cache *s);
/* kmem_cache_size - the object size asked for; in a merged cache the largest one. */
SLAB_API unsigned int kmem_cache_size(struct kmem_cache *s);
/* kmem_cache_name - the name given by the first who made the cache. *Borrows*: while s lives. */
SLAB_API const char *kmem_cache_name(struct kmem_cache *s);
/* kmem_cache_alias - further names of s, latest first; NULL behind the last. *Borrows* likewise. */
SLAB_API const char *kmem_cache_alias(struct kmem_cache *s, unsigned int index);
/*
 * kmem_cache_validate - walks every slab of s: freelists, counts and, where s watches its objects,
 * zones and poison. Returns the number of faults, each of which is reported. A cache without
 * sheaves must be quiet meanwhile.
 */
SLAB_API long kmem_cache_validate(struct kmem_cache *s);
/* slab_walk - fn for every cache until it returns non-zero, which is returned. fn makes none. */
SLAB_API int slab_walk(int (*fn)(struct kmem_cache *s, void *arg), void *arg);

/*
 * kmem_cache_tune, kmem_cache_tunable - write and read a setting by the name of its file in
 * /sys/kernel/slab:
 *	min_partial	partial slabs that are kept before empty ones are given back
 *	cpu_partial	objects a CPU may keep on partial slabs; only for caches without sheaves
 *	sheaf_capacity	objects in a sheaf, 1 to SLAB_SHEAF_MAX; not for caches without sheaves
 * 0, -ENOENT (no such setting), -EINVAL (not this value, not this cache), -EBUSY (sheaf_capacity:
 * a CPU's sheaves could not be had).
 */
SLAB_API int kmem_cache_tune(struct kmem_cache *s, const char *key, unsigned long value);
SLAB_API int kmem_cache_tunable(struct kmem_cache *s, const char *key, unsigned long *value);

/*
 * What a cache holds and has done. Reading takes no lock, walks no slab and delays nobody; while
 * others work, each number is true for some moment of the reading.
 *
 *	total_objects = objects_in_use + sheaf_objects + barn_objects + free_objects
 *
 * at a quiet point. Objects that wait for a grace period count as in use. In caches without
 * sheaves, objects that are free in a CPU's own slab count as in use.
 */
struct kmem_cache_stats {
	uint64_t object_size, size, align; /* bytes: asked for; from one object to the next */
	uint64_t order;			   /* of slabs: 4096 << order bytes each */
	uint64_t objects_per_slab;
	uint64_t sheaf_capacity; /* 0: none */
	uint64_t min_partial, cpu_partial;
	uint64_t slabs, partial_slabs;
	uint64_t
		/* without sheaves: owned by CPUs, and partial_slabs does not count them */
		cpu_slabs;
	uint64_t total_objects;
	uint64_t objects_in_use;
	uint64_t sheaf_objects;	  /* in the CPUs' sheaves */
	uint64_t barn_objects;	  /* in full sheaves in barns */
	uint64_t free_objects;	  /* in slabs */
	uint64_t footprint_bytes; /* slabs x bytes of one */
	/* Since the cache was made: */
	uint64_t alloc_refill;	     /* sheaves filled from slabs */
	uint64_t alloc_bypass;	     /* objects allocated from slabs, round the sheaves */
	uint64_t free_flush;	     /* sheaves emptied into slabs */
	uint64_t free_bypass;	     /* objects freed to slabs, round the sheaves */
	uint64_t sheaf_swap;	     /* main and spare sheaf exchanged */
	uint64_t barn_get, barn_put; /* full sheaves from and to barns */
	uint64_t barn_steal;	     /* full sheaves from other CPUs' barns */
	uint64_t rcu_sheaves;	     /* sent to wait for a grace period */
	/* Of those: */
	uint64_t rcu_waiting, rcu_waiting_peak; /* at present; at most at once */
	uint64_t rcu_objects; /* of objects_in_use: freed, and waiting for a grace period */
	/* of footprint_bytes: free pages inside slabs, given back by a shrink */
	uint64_t released_bytes;
};

SLAB_API void kmem_cache_stats(struct kmem_cache *s, struct kmem_cache_stats *st);

/*
 * The part of a node in these numbers. Summed up over all nodes, from 0 to slab_nr_nodes() - 1, and
 * NUMA_NO_NODE they are those of kmem_cache_stats.
 */
struct kmem_cache_node_stats {
	uint64_t slabs, partial_slabs;
	uint64_t total_objects;
	uint64_t sheaf_objects, barn_objects; /* of the node's CPUs */
	uint64_t free_objects;
	uint64_t footprint_bytes;
	uint64_t released_bytes;
};
/*
 * kmem_cache_node_stats - NUMA_NO_NODE: of memory that was placed by a thread's own policy. 0, or
 * -EINVAL: there is no such node.
 */
SLAB_API int kmem_cache_node_stats(struct kmem_cache *s, int node,
				   struct kmem_cache_node_stats *st);
/* slab_nr_nodes - one more than the highest node; 1 without NUMA. */
SLAB_API unsigned int slab_nr_nodes(void);
/* slab_node_here - the node that the caller's CPU takes memory from. */
SLAB_API int slab_node_here(void);
/* slab_node_of - the node of an object; NUMA_NO_NODE: placed by policy, or no object. */
SLAB_API int slab_node_of(const void *p);

/*
 * Publishing: one page of figures that other programs of the same user read (slabinfo --pid), and
 * may ask through to tune a cache. SLAB_OPTIONS=publish asks for it from outside; see slab(7).
 *
 * slab_publish - begins; how: NULL, "" or what may stand behind "publish=". 0, -EINVAL (not such
 *	words), or why no page could be made: -ENOSPC, -EACCES, ... Nothing is published then.
 * slab_unpublish - the page goes, unless it is to be kept.
 * slab_publish_now - the figures of this moment. 0, -ENOENT (nothing is published), or as above.
 * slab_publish_path - the file; NULL: there is none. *Borrows*: until the next of these calls.
 */
SLAB_API int slab_publish(const char *how);
SLAB_API void slab_unpublish(void);
SLAB_API int slab_publish_now(void);
SLAB_API const char *slab_publish_path(void);

/*
 * A mempool keeps min_nr elements in reserve, so that its users go on when memory is out: whoever
 * may wait (__GFP_DIRECT_RECLAIM) is served as soon as another frees, and never gets NULL.
 */
typedef struct mempool mempool_t;
typedef void *mempool_alloc_t(gfp_t gfp, void *pool_data);
typedef void mempool_free_t(void *element, void *pool_data);

/*
 * mempool_create - *returns owned*. NULL: EINVAL (min_nr < 1), or ENOMEM: the reserve cannot be
 * filled.
 * mempool_create_slab_pool - elements of s, which is then never merged; *borrows* s until
 * destroyed.
 *	NULL also with EINVAL: s is NULL, or with EBUSY: s has been merged with another cache
 *	already (see SLAB_NO_MERGE).
 * mempool_create_kmalloc_pool - elements of size bytes.
 */
SLAB_API mempool_t *mempool_create(int min_nr, mempool_alloc_t *alloc, mempool_free_t *free,
				   void *pool_data);
SLAB_API mempool_t *mempool_create_slab_pool(int min_nr, struct kmem_cache *s);
SLAB_API mempool_t *mempool_create_kmalloc_pool(int min_nr, size_t size);
/* mempool_destroy - *takes* the pool; every element has been freed. NULL is fine. */
SLAB_API void mempool_destroy(mempool_t *pool);
/*
 * mempool_resize - another reserve; nobody else resizes meanwhile. 0, -EINVAL or -ENOMEM (the pool
 * is as it was). What a larger reserve lacks comes with later frees.
 */
SLAB_API int mempool_resize(mempool_t *pool, int min_nr);
/*
 * mempool_alloc - an element, contents undefined. NULL (ENOMEM) only without __GFP_DIRECT_RECLAIM.
 */
SLAB_API void *mempool_alloc(mempool_t *pool, gfp_t gfp) __attribute__((warn_unused_result));
/* mempool_free - *takes* an element of pool; NULL is fine. */
SLAB_API void mempool_free(void *element, mempool_t *pool);
/* For mempool_create: pool_data is the cache, or the size. */
SLAB_API mempool_alloc_t mempool_alloc_slab, mempool_kmalloc;
SLAB_API mempool_free_t mempool_free_slab, mempool_kfree;

/*
 * The memory limit: bytes that the allocator may hold, objects in use and free ones, and what it
 * needs for itself. At the limit, and where the system refuses, an allocation gives back what is
 * free in caches, then asks shrinkers, and tries again; only then it fails. (Address space that was
 * never touched does not count; shared pages of statistics do not either.)
 */
struct slab_memory {
	uint64_t limit_bytes;	  /* 0: none */
	uint64_t held_bytes;	  /* at present; never more than the limit that it grew under */
	uint64_t held_peak_bytes; /* at most */
	uint64_t used_bytes;	  /* of those held: slabs of caches, large blocks */
	uint64_t reclaims;	  /* allocations that found no memory at first */
	uint64_t refused;	  /* and in the end */
	uint64_t shrunk_objects;  /* that shrinkers said they had freed */
};
SLAB_API void slab_memory(struct slab_memory *m);
/*
 * slab_set_limit - another limit; 0: none. If more is held already, what can be is given back, by
 * shrinkers too. 0, or -EBUSY: the limit holds from here on, but more is in use.
 */
SLAB_API int slab_set_limit(uint64_t bytes);

/*
 * Shrinkers let go of objects that the program could do without (its own caches of results, say)
 * when an allocation finds no memory. As in the kernel:
 *
 * count_objects	how many there are that may be freed: 0 or SHRINK_EMPTY if none, or if it
 *			cannot be known. Quick, approximate.
 * scan_objects		looks at sc->nr_to_scan of them and frees those that it can; returns how
 *			many, or SHRINK_STOP if it cannot get at any now (a lock is taken). If it
 *			looked at another number than it was asked for, it says so in
 *			sc->nr_scanned.
 * batch		objects in one call; 0: 128
 * seeks		what an object costs to make again; fewer are asked for if it is more than
 *			DEFAULT_SEEKS. 0: half of all, each time.
 * private_data		the program's
 *
 * Callbacks run in the thread that allocates, in several at once if these find no memory at once,
 * under whatever locks that thread holds of the program: take such locks by trying, or allocate
 * under them with flags that do not reclaim. They may allocate and free; what they allocate
 * reclaims nothing.
 */
struct shrink_control {
	gfp_t gfp_mask; /* of the allocation that found no memory */
	int nid;	/* the node, for SHRINKER_NUMA_AWARE; else 0 */
	unsigned long nr_to_scan;
	unsigned long nr_scanned; /* nr_to_scan, unless the callback writes another number */
	struct mem_cgroup *memcg; /* NULL */
};
#define SHRINK_STOP   (~0UL)
#define SHRINK_EMPTY  (~0UL - 1)
#define DEFAULT_SEEKS 2

struct shrinker {
	unsigned long (*count_objects)(struct shrinker *, struct shrink_control *sc);
	unsigned long (*scan_objects)(struct shrinker *, struct shrink_control *sc);
	long batch;
	int seeks;
	unsigned int flags;
	void *private_data;
};

/*
 * Flags of shrinkers. SHRINKER_NUMA_AWARE: it counts and scans by node, and is called for each that
 * the program may have memory of. The others are taken so that kernel code compiles.
 */
#define SHRINKER_NUMA_AWARE  0x4u
#define SHRINKER_MEMCG_AWARE 0x8u
#define SHRINKER_NONSLAB     0x10u

/*
 * shrinker_alloc - *returns owned*, to be filled in and registered. NULL: ENOMEM, EINVAL (flags).
 */
SLAB_API struct shrinker *shrinker_alloc(unsigned int flags, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* shrinker_register - from here on it may be called. */
SLAB_API void shrinker_register(struct shrinker *shrinker);
/* shrinker_free - *takes* it, registered or not; waits until no callback runs. NULL is fine. */
SLAB_API void shrinker_free(struct shrinker *shrinker);
/*
 * kmem_cache_pin - s is never merged from here on: for the cache whose objects a shrinker frees,
 * which gives back nothing where others' objects lie between. 0, or -EBUSY: it has been merged
 * already (see SLAB_NO_MERGE). mempool_create_slab_pool does it for its cache.
 */
SLAB_API int kmem_cache_pin(struct kmem_cache *s);

/* What kmalloc(0) returns: not NULL, never to be read, fine to free. */
#define ZERO_SIZE_PTR	    ((void *)16)
#define ZERO_OR_NULL_PTR(x) ((uintptr_t)(x) <= (uintptr_t)ZERO_SIZE_PTR)

/*
 * kmalloc - at least size bytes, aligned to 8, and to the size where that is a power of two up to
 * 2 MiB. kfree *takes* what any of these, or kmem_cache_alloc, returned.
 */
SLAB_API void *kmalloc(size_t size, gfp_t gfp) __attribute__((malloc, warn_unused_result));
SLAB_API void *kzalloc(size_t size, gfp_t gfp) __attribute__((malloc, warn_unused_result));
SLAB_API void *kcalloc(size_t n, size_t size, gfp_t gfp)
	__attribute__((malloc, warn_unused_result));
SLAB_API void *kmalloc_array(size_t n, size_t size, gfp_t gfp)
	__attribute__((malloc, warn_unused_result));
/*
 * The same, of a node as kmem_cache_alloc_node; above 8 KiB __GFP_THISNODE is no more than a wish.
 */
SLAB_API void *kmalloc_node(size_t size, gfp_t gfp, int node)
	__attribute__((malloc, warn_unused_result));
SLAB_API void *kzalloc_node(size_t size, gfp_t gfp, int node)
	__attribute__((malloc, warn_unused_result));
SLAB_API void *kcalloc_node(size_t n, size_t size, gfp_t gfp, int node)
	__attribute__((malloc, warn_unused_result));
SLAB_API void *kmalloc_array_node(size_t n, size_t size, gfp_t gfp, int node)
	__attribute__((malloc, warn_unused_result));
/*
 * krealloc - *takes* p (NULL: as kmalloc) and *returns owned*; on NULL p is still the caller's.
 * With __GFP_ZERO what is new is zero, if p was made and resized with that flag always.
 */
SLAB_API void *krealloc(const void *p, size_t size, gfp_t gfp) __attribute__((warn_unused_result));
SLAB_API void kfree(const void *p);
/* ksize - bytes that may be used at p; 0 for NULL and ZERO_SIZE_PTR. */
SLAB_API size_t ksize(const void *p);
/* kmalloc_size_roundup - bytes that kmalloc(size) really gives: what ksize will say. */
SLAB_API size_t kmalloc_size_roundup(size_t size);

/*
 * slab_set_report_hook - hook gets the text of each report, after it was printed. When it returns
 * 0 the program goes on and the object in question is left alone, else it is aborted (but not for
 * objects left at kmem_cache_destroy). NULL takes the hook away. The hook must not allocate from a
 * cache.
 */
SLAB_API void slab_set_report_hook(int (*hook)(const char *text));

/*
 * slab_fail_pages - for tests: after this many more blocks of pages, none can be had, until it is
 * called again; -1: no limit, as at the start.
 */
SLAB_API void slab_fail_pages(long after);

/*
 * For tests: which allocations of objects fail, in caches with SLAB_FAILSLAB
 * (SLAB_OPTIONS=failslab= sets the flag for all caches, debug=A for those named). Such caches are
 * not merged and have no sheaves, so that every object is asked for here. As the kernel's failslab,
 * but for after and seed: the first `after` objects and the first `space` bytes are had; of those
 * that follow each interval-th may fail, and does so with a probability in percent that depends on
 * seed and on which object it is; no more than `times` fail (-1: no bound). A bulk call fails if
 * one of its objects does; kmem_cache_alloc_from_sheaf never does.
 *
 *	struct slab_fault after_100 = { .after = 100, .probability = 100, .times = -1 };
 */
struct slab_fault {
	uint64_t after;
	unsigned int interval; /* 0 and 1: each */
	unsigned int probability;
	uint64_t space;
	long times;
	uint64_t seed;
	bool ignore_gfp_reclaim; /* only those without __GFP_DIRECT_RECLAIM fail, or are counted */
};
/*
 * kmem_cache_set_fault - a rule for s, or with s NULL for all such caches that have none of their
 * own; counts begin anew. NULL: no rule. 0, or -EINVAL: s has no SLAB_FAILSLAB, or probability >
 * 100.
 */
SLAB_API int kmem_cache_set_fault(struct kmem_cache *s, const struct slab_fault *rule);
/* kmem_cache_faults - allocations that failed by the rule of s, or with NULL by that for all. */
SLAB_API unsigned long kmem_cache_faults(struct kmem_cache *s);
/*
 * kmem_cache_nr_allocated - objects of s that the program has, those that wait for a grace period
 * among them; exact when nobody is at work.
 */
SLAB_API unsigned long kmem_cache_nr_allocated(struct kmem_cache *s);

#include <slab/fast.h>
#include <slab/kernel.h>

#ifdef __cplusplus
}

inline struct kmem_cache *kmem_cache_create(const char *name, unsigned int size,
					    struct kmem_cache_args *args, slab_flags_t flags)
{
	return kmem_cache_create_args(name, size, args, flags);
}

inline struct kmem_cache *kmem_cache_create(const char *name, unsigned int size, unsigned int align,
					    slab_flags_t flags, void (*ctor)(void *))
{
	return kmem_cache_create_align(name, size, align, flags, ctor);
}
#endif

#endif
