/* SPDX-License-Identifier: MIT */
/* cpu_none.h - no restartable sequences on this machine, or under this sanitizer: always slow. */
#ifndef SLABKIT_SLAB_CPU_NONE_H
#define SLABKIT_SLAB_CPU_NONE_H

#define CPU_HAS_SEQUENCES 0

static inline void *cpu_pop(struct kmem_cache *s)
{
	(void)s;
	return NULL;
}

static inline bool cpu_push(struct kmem_cache *s, void *object)
{
	(void)s;
	(void)object;
	return false;
}

static inline bool cpu_push_near(struct kmem_cache *s, void *object, uint64_t where)
{
	(void)s;
	(void)object;
	(void)where;
	return false;
}

static inline size_t cpu_pop_bulk(struct kmem_cache *s, void **p, size_t n)
{
	(void)s;
	(void)p;
	(void)n;
	return 0;
}

static inline size_t cpu_push_bulk(struct kmem_cache *s, void **p, size_t n)
{
	(void)s;
	(void)p;
	(void)n;
	return 0;
}

static inline void *cpu_slab_pop(struct kmem_cache *s)
{
	(void)s;
	return NULL;
}

static inline bool cpu_slab_push(struct kmem_cache *s, void *object, struct slab *slab,
				 uint64_t mask)
{
	(void)s;
	(void)object;
	(void)slab;
	(void)mask;
	return false;
}

static inline void cpu_add_freed(struct kmem_cache *s, uint64_t n)
{
	(void)s;
	(void)n;
}

static inline struct cpu_block *cpu_try_lock(struct kmem_cache *s)
{
	(void)s;
	return NULL;
}

#endif
