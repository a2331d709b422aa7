/* SPDX-License-Identifier: MIT */
/*
 * kernel.h - more of the kernel's names for what slab.h has already (which includes this): other
 * spellings, so that code written for the kernel compiles unchanged. All are inlined.
 */
#ifndef SLAB_KERNEL_H
#define SLAB_KERNEL_H

/* Taken, and mean nothing here: memory has no zones and nobody's reserves. */
#define __GFP_RECLAIMABLE   0x10u
#define __GFP_RETRY_MAYFAIL 0x4000u /* what is done anyway: shrinkers more than once, then NULL */
#define __GFP_COMP	    0x40000u
#define __GFP_NOMEMALLOC    0x80000u
#define __GFP_HARDWALL	    0x100000u
#define GFP_USER	    (GFP_KERNEL | __GFP_HARDWALL)

#define SLAB_NOLEAKTRACE 0x00800000u /* no leak tracer looks at these caches anyway */
#define SLAB_TEMPORARY	 SLAB_RECLAIM_ACCOUNT
/* As in a kernel that is built without them. */
#define SLAB_CACHE_DMA	   0u
#define SLAB_CACHE_DMA32   0u
#define SLAB_DEBUG_OBJECTS 0u
#define SLAB_KASAN	   0u
#define SLAB_TRACE	   0u

/* gfpflags_allow_blocking - whether an allocation with these flags may wait. */
static inline bool gfpflags_allow_blocking(gfp_t gfp)
{
	return gfp & __GFP_DIRECT_RECLAIM;
}

/* kmem_cache_create_usercopy - with the part that may be copied to users; as kmem_cache_create. */
static inline struct kmem_cache *kmem_cache_create_usercopy(const char *name, unsigned int size,
							    unsigned int align, slab_flags_t flags,
							    unsigned int useroffset,
							    unsigned int usersize,
							    void (*ctor)(void *))
{
	struct kmem_cache_args args;

	__builtin_memset(&args, 0, sizeof(args));
	args.align = align;
	args.useroffset = useroffset;
	args.usersize = usersize;
	args.ctor = ctor;
	return kmem_cache_create_args(name, size, &args, flags);
}

/* KMEM_CACHE_USERCOPY - as KMEM_CACHE; field is the part. */
#define KMEM_CACHE_USERCOPY(struct_name, flags, field)                                             \
	kmem_cache_create_usercopy(#struct_name, sizeof(struct struct_name),                       \
				   __alignof__(struct struct_name), (flags),                       \
				   offsetof(struct struct_name, field),                            \
				   sizeof(((struct struct_name *)0)->field), NULL)

/* kvmalloc and so on: all memory is virtually contiguous, and kfree takes it. */
static inline void *kvmalloc(size_t size, gfp_t gfp)
{
	return kmalloc(size, gfp);
}

static inline void *kvzalloc(size_t size, gfp_t gfp)
{
	return kzalloc(size, gfp);
}

static inline void *kvmalloc_array(size_t n, size_t size, gfp_t gfp)
{
	return kmalloc_array(n, size, gfp);
}

static inline void *kvcalloc(size_t n, size_t size, gfp_t gfp)
{
	return kcalloc(n, size, gfp);
}

static inline void *kvrealloc(const void *p, size_t size, gfp_t gfp)
{
	return krealloc(p, size, gfp);
}

static inline void kvfree(const void *p)
{
	kfree(p);
}

#define kvfree_rcu(p, field)	 kfree_rcu(p, field)
#define kvfree_rcu_mightsleep(p) kfree_rcu_mightsleep(p)

static inline void *kvmalloc_node(size_t size, gfp_t gfp, int node)
{
	return kmalloc_node(size, gfp, node);
}

static inline void *kvzalloc_node(size_t size, gfp_t gfp, int node)
{
	return kzalloc_node(size, gfp, node);
}

static inline void *kvmalloc_array_node(size_t n, size_t size, gfp_t gfp, int node)
{
	return kmalloc_array_node(n, size, gfp, node);
}

static inline void *kvcalloc_node(size_t n, size_t size, gfp_t gfp, int node)
{
	return kcalloc_node(n, size, gfp, node);
}

/* kmem_cache_alloc_lru - lists of what may be reclaimed are the program's own business. */
struct list_lru;
static inline void *kmem_cache_alloc_lru(struct kmem_cache *s, struct list_lru *lru, gfp_t gfp)
{
	(void)lru;
	return kmem_cache_alloc(s, gfp);
}

/* krealloc_array - NULL, and p as it was, also where n * size overflows. */
static inline void *krealloc_array(void *p, size_t n, size_t size, gfp_t gfp)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		bytes = SIZE_MAX; /* more than there can be */
	return krealloc(p, bytes, gfp);
}

/* kfree_sensitive - leaves nothing of what was in it. */
static inline void kfree_sensitive(const void *p)
{
	if (ZERO_OR_NULL_PTR(p))
		return;
	__builtin_memset((void *)(uintptr_t)p, 0, ksize(p));
	__asm__ __volatile__("" : : "r"(p) : "memory");
	kfree(p);
}

/* kvfree_sensitive - the same; len: what of it may be read. */
static inline void kvfree_sensitive(const void *p, size_t len)
{
	(void)len;
	kfree_sensitive(p);
}

/* kmemdup - *returns owned* a copy of size bytes at from. NULL: ENOMEM. So do the next ones. */
static inline void *kmemdup(const void *from, size_t size, gfp_t gfp)
{
	void *p = kmalloc(size, gfp);

	return p && size ? __builtin_memcpy(p, from, size) : p;
}

static inline void *kvmemdup(const void *from, size_t size, gfp_t gfp)
{
	return kmemdup(from, size, gfp);
}

/* kmemdup_array - of n elements of size bytes; NULL also where the product overflows. */
static inline void *kmemdup_array(const void *from, size_t n, size_t size, gfp_t gfp)
{
	void *p = kmalloc_array(n, size, gfp);

	return p && n && size ? __builtin_memcpy(p, from, n * size) : p;
}

/* kmemdup_nul - of len bytes, with a NUL behind them. NULL also for from NULL. */
static inline char *kmemdup_nul(const char *from, size_t len, gfp_t gfp)
{
	char *p = from && len < SIZE_MAX ? (char *)kmalloc(len + 1, gfp) : NULL;

	if (p) {
		__builtin_memcpy(p, from, len);
		p[len] = '\0';
	}
	return p;
}

/* kstrdup - of a string; NULL also for s NULL. kstrndup - of at most max bytes of it. */
static inline char *kstrdup(const char *s, gfp_t gfp)
{
	return s ? kmemdup_nul(s, __builtin_strlen(s), gfp) : NULL;
}

static inline char *kstrndup(const char *s, size_t max, gfp_t gfp)
{
	size_t len = 0;

	while (s && len < max && s[len])
		len++;
	return kmemdup_nul(s, len, gfp);
}

/* kstrdup_const, kfree_const - what lies among the program's constants is copied all the same. */
static inline const char *kstrdup_const(const char *s, gfp_t gfp)
{
	return kstrdup(s, gfp);
}

static inline void kfree_const(const void *p)
{
	kfree(p);
}

#endif
