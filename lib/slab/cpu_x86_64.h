/* SPDX-License-Identifier: MIT */
/*
 * cpu_x86_64.h - the restartable sequences for x86-64. See cpu.h for what they do and why.
 *
 * Those that programs inline stand in <slab/fast.h>, with the parts that all are made of. An abort
 * goes back to the first step: nothing that a sequence does before its commit needs undoing. The
 * thread's rseq area is reached from the thread pointer (fs). cpu_id_start is read, not cpu_id: it
 * is a valid index even in a thread that has no rseq, where the bounds then say no.
 *
 * A sequence that has a result gives 0 for "take the slow path" and is no asm goto (see
 * slab_fast_pop). The way to the 0 is out of line (SLAB_CS_ZERO).
 */
#ifndef SLABKIT_SLAB_CPU_X86_64_H
#define SLABKIT_SLAB_CPU_X86_64_H

#include <slab/fast.h>

_Static_assert(SLAB_FAST_CPU == offsetof(struct kmem_cache, cpu) &&
		       SLAB_FAST_SHIFT == CPU_BLOCK_SHIFT &&
		       SLAB_FAST_MAIN == offsetof(struct cpu_block, main) &&
		       SLAB_FAST_LO == offsetof(struct cpu_block, lo) &&
		       SLAB_FAST_HI == offsetof(struct cpu_block, hi) &&
		       SLAB_FAST_N == offsetof(struct cpu_block, n) &&
		       SLAB_FAST_SLOT == offsetof(struct sheaf, slot),
	       "what programs were compiled with: see fast.h before changing it");

/* The strings with operands between are no expression to lay out. */
/* clang-format off */
#define CPU_HAS_SEQUENCES 1

#define CS_BLOCK(field)                                                                            \
	[field] "i"(offsetof(struct kmem_cache, cpu) + offsetof(struct cpu_block, field))
#define CS_CACHE(field) [field] "i"(offsetof(struct kmem_cache, field))
#define CS_INPUTS SLAB_CS_INPUTS(s, root.rseq_offset), CS_BLOCK(bounds)

static inline __attribute__((always_inline)) void *cpu_pop(struct kmem_cache *s)
{
	return slab_fast_pop(s, root.rseq_offset);
}

static inline __attribute__((always_inline)) bool cpu_push(struct kmem_cache *s, void *object)
{
	return slab_fast_push(s, object, root.rseq_offset);
}

static inline bool cpu_push_near(struct kmem_cache *s, void *object, uint64_t where)
{
	asm goto(SLAB_CS_START("%%rax", "%%eax")
		 "cmpl $0, %c[lo](%%rax)\n\t"
		 "jne %l[slow]\n\t"
		 "testq %[where], %c[near](%%rax)\n\t"
		 "jz %l[slow]\n\t"
		 "movl %c[n](%%rax), %%ecx\n\t"
		 "cmpl %c[capacity](%[s]), %%ecx\n\t"
		 "jae %l[slow]\n\t"
		 "movq %c[main](%%rax), %%rdx\n\t"
		 "testq %%rdx, %%rdx\n\t"
		 "jz %l[slow]\n\t"
		 "movq %[object], %c[slot](%%rdx, %%rcx, 8)\n\t"
		 "incl %%ecx\n\t"
		 "movl %%ecx, %c[n](%%rax)" SLAB_CS_END
		 :
		 : CS_INPUTS, CS_BLOCK(near), CS_CACHE(capacity), [object] "r"(object),
		   [where] "r"(where)
		 : "memory", "cc", "rax", "rcx", "rdx"
		 : slow);
	return true;
slow:
	return false;
}

static inline size_t cpu_pop_bulk(struct kmem_cache *s, void **p, size_t n)
{
	return n <= SLAB_SHEAF_MAX && slab_fast_pop_bulk(s, p, n, root.rseq_offset) ? n : 0;
}

static inline size_t cpu_push_bulk(struct kmem_cache *s, void **p, size_t n)
{
	return n <= SLAB_SHEAF_MAX && slab_fast_push_bulk(s, p, n, root.rseq_offset) ? n : 0;
}

static inline void *cpu_slab_pop(struct kmem_cache *s)
{
	uint64_t b, at, next;
	void *object;

	asm volatile(SLAB_CS_START("%[b]", "%k[b]")
		     "cmpl $0, %c[lo](%[b])\n\t"
		     "jne .Lzero%=\n\t"
		     "movq %c[freelist](%[b]), %[object]\n\t"
		     "testq %[object], %[object]\n\t"
		     "jz .Lzero%=\n\t"
		     "movl %c[offset](%[s]), %k[at]\n\t"
		     "addq %[object], %[at]\n\t"
		     "movq (%[at]), %[next]\n\t"
		     "bswapq %[at]\n\t"
		     "xorq %[at], %[next]\n\t"
		     "xorq %c[key](%[s]), %[next]\n\t"
		     "movq %[next], %c[freelist](%[b])" SLAB_CS_END SLAB_CS_ZERO(object)
		     : [b] "=&r"(b), [at] "=&r"(at), [next] "=&r"(next), [object] "=&r"(object)
		     : CS_INPUTS, CS_CACHE(offset), CS_CACHE(key), CS_BLOCK(freelist)
		     : "memory", "cc");
	return object;
}

static inline bool cpu_slab_push(struct kmem_cache *s, void *object, struct slab *slab,
				 uint64_t mask)
{
	asm goto(SLAB_CS_START("%%rax", "%%eax")
		 "cmpl $0, %c[lo](%%rax)\n\t"
		 "jne %l[slow]\n\t"
		 "cmpq %[slab], %c[spare](%%rax)\n\t"
		 "jne %l[slow]\n\t"
		 "movq %c[freelist](%%rax), %%rdx\n\t"
		 "xorq %[mask], %%rdx\n\t"
		 "movq %%rdx, (%[at])\n\t"
		 "movq %[object], %c[freelist](%%rax)" SLAB_CS_END
		 :
		 : CS_INPUTS, CS_BLOCK(spare), CS_BLOCK(freelist), [object] "r"(object),
		   [slab] "r"(slab), [mask] "r"(mask), [at] "r"((char *)object + s->offset)
		 : "memory", "cc", "rax", "rdx"
		 : slow);
	return true;
slow:
	return false;
}

static inline void cpu_add_freed(struct kmem_cache *s, uint64_t n)
{
	uint64_t b;

	asm volatile(SLAB_CS_START("%[b]", "%k[b]")
		     "addq %[more], %c[freed](%[b])" SLAB_CS_END
		     : [b] "=&r"(b)
		     : CS_INPUTS, CS_BLOCK(freed), [more] "r"(n)
		     : "memory", "cc");
}

static inline struct cpu_block *cpu_try_lock(struct kmem_cache *s)
{
	uint64_t b, t;

	asm volatile(SLAB_CS_START("%[b]", "%k[b]")
			  "cmpl $0, %c[lo](%[b])\n\t"
			  "jne .Lzero%=\n\t"
			  "movl %[locked], %k[t]\n\t"
			  "movq %[t], %c[bounds](%[b])" SLAB_CS_END SLAB_CS_ZERO(b)
			  : [b] "=&r"(b), [t] "=&r"(t)
			  : CS_INPUTS, [locked] "i"(CPU_LOCKED_LOCAL)
			  : "memory", "cc");
	return b ? (struct cpu_block *)(b + offsetof(struct kmem_cache, cpu)) : NULL;
}

#endif
