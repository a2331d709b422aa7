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
#define KMEM_CACHE_USERCOPY(struct_name, flags, field)                                              \
	kmem_cache_create_usercopy(#struct_name, sizeof(struct struct_name),                        \
				   __alignof__(struct struct_name), (flags),                        \
				   offsetof(struct struct_name, field),                             \
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

#define kvfree_rcu(p, field) kfree_rcu(p, field)

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

#endif
