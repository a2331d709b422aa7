/* SPDX-License-Identifier: MIT */
/*
 * cpu_aarch64.h - the restartable sequences for 64-bit ARM. See cpu.h for what they do and why.
 *
 * Built by a cross compiler, never run: UNTESTED. The bounds are loaded with acquire order, so
 * that n and main are those of the same owner or later ones; the commit may be a plain store, since
 * another CPU reads the block only after a membarrier.
 */
#ifndef SLABKIT_SLAB_CPU_AARCH64_H
#define SLABKIT_SLAB_CPU_AARCH64_H

/* The strings with operands between are no expression to lay out. */
/* clang-format off */
#define CPU_HAS_SEQUENCES 1

#define CS_SIGNATURE "0xd428bc00" /* brk #0x45e0: what glibc registers with on this machine */

/* %[b] becomes this CPU's block; x16 and x17 are used up. */
#define CS_START                                                                                   \
	".pushsection __rseq_cs, \"aw\", @progbits\n\t"                                            \
	".balign 32\n"                                                                             \
	".Lcs%=:\n\t"                                                                              \
	".long 0, 0\n\t"                                                                           \
	".quad .Lstart%=, .Lend%= - .Lstart%=, .Labort%=\n\t"                                      \
	".popsection\n\t"                                                                          \
	".pushsection __rseq_failure, \"ax\", @progbits\n\t"                                       \
	".long " CS_SIGNATURE "\n"                                                                 \
	".Labort%=:\n\t"                                                                           \
	"b .Ltry%=\n\t"                                                                            \
	".popsection\n"                                                                            \
	".Ltry%=:\n\t"                                                                             \
	"adrp x16, .Lcs%=\n\t"                                                                     \
	"add x16, x16, :lo12:.Lcs%=\n\t"                                                           \
	"str x16, [%[rseq], #8]\n"                                                                 \
	".Lstart%=:\n\t"                                                                           \
	"ldr w16, [%[rseq]]\n\t"                                                                   \
	"add %[b], %[blocks], x16, lsl %[shift]\n\t"
#define CS_END "\n.Lend%=:\n\t"
#define CS_ZERO(reg)                                                                               \
	".pushsection __rseq_failure, \"ax\", @progbits\n"                                         \
	".Lzero%=:\n\t"                                                                            \
	"mov %[" #reg "], xzr\n\t"                                                                 \
	"b .Lend%=\n\t"                                                                            \
	".popsection\n\t"

#define CS_BLOCK(field)                                                                            \
	[field] "i"(offsetof(struct cpu_block, field))
#define CS_INPUTS                                                                                  \
	[blocks] "r"(s->cpu), [rseq] "r"((char *)__builtin_thread_pointer() + root.rseq_offset),   \
		[shift] "i"(CPU_BLOCK_SHIFT), CS_BLOCK(bounds), CS_BLOCK(n), CS_BLOCK(main),       \
		CS_BLOCK(spare), CS_BLOCK(freelist)

/* Both bounds at once: w16 is lo, the high half of x16 is hi; w17 is n. */
#define CS_BOUNDS                                                                                  \
	"add x17, %[b], %[bounds]\n\t"                                                             \
	"ldar x16, [x17]\n\t"                                                                      \
	"ldr w17, [%[b], %[n]]\n\t"

static inline __attribute__((always_inline)) void *cpu_pop(struct kmem_cache *s)
{
	uint64_t b;
	void *object;

	asm volatile(CS_START CS_BOUNDS
		     "cmp w17, w16\n\t"
		     "b.le .Lzero%=\n\t"
		     "ldr x16, [%[b], %[main]]\n\t"
		     "add x16, x16, x17, lsl #3\n\t"
		     "ldr %[object], [x16, #8]\n\t"
		     "sub w17, w17, #1\n\t"
		     "str w17, [%[b], %[n]]" CS_END CS_ZERO(object)
		     : [b] "=&r"(b), [object] "=&r"(object)
		     : CS_INPUTS
		     : "memory", "cc", "x16", "x17");
	return object;
}

/* 1 when done, 0 for the slow path. */
static inline __attribute__((always_inline)) bool cpu_push(struct kmem_cache *s, void *object)
{
	uint64_t b, done;

	asm volatile("mov %[done], #1\n\t" CS_START CS_BOUNDS
		     "lsr x16, x16, #32\n\t"
		     "cmp w17, w16\n\t"
		     "b.hs .Lzero%=\n\t"
		     "ldr x16, [%[b], %[main]]\n\t"
		     "add x16, x16, x17, lsl #3\n\t"
		     "str %[object], [x16, #16]\n\t"
		     "add w17, w17, #1\n\t"
		     "str w17, [%[b], %[n]]" CS_END CS_ZERO(done)
		     : [b] "=&r"(b), [done] "=&r"(done)
		     : CS_INPUTS, [object] "r"(object)
		     : "memory", "cc", "x16", "x17");
	return done;
}

static inline bool cpu_push_near(struct kmem_cache *s, void *object, uint64_t where)
{
	uint64_t b, done;

	asm volatile("mov %[done], #1\n\t" CS_START CS_BOUNDS
		     "cbnz w16, .Lzero%=\n\t"
		     "ldr x16, [%[b], %[near]]\n\t"
		     "tst x16, %[where]\n\t"
		     "b.eq .Lzero%=\n\t"
		     "ldr w16, [%[capacity]]\n\t"
		     "cmp w17, w16\n\t"
		     "b.hs .Lzero%=\n\t"
		     "ldr x16, [%[b], %[main]]\n\t"
		     "cbz x16, .Lzero%=\n\t"
		     "add x16, x16, x17, lsl #3\n\t"
		     "str %[object], [x16, #16]\n\t"
		     "add w17, w17, #1\n\t"
		     "str w17, [%[b], %[n]]" CS_END CS_ZERO(done)
		     : [b] "=&r"(b), [done] "=&r"(done)
		     : CS_INPUTS, CS_BLOCK(near), [object] "r"(object), [where] "r"(where),
		       [capacity] "r"(&s->capacity)
		     : "memory", "cc", "x16", "x17");
	return done;
}

/* Copies %[k] (1 or more) words from [from] to [to], from the last to the first. */
#define CS_COPY(check)                                                                             \
	"mov %[i], %[k]\n"                                                                         \
	"1:\n\t"                                                                                   \
	"sub %[i], %[i], #1\n\t"                                                                   \
	"ldr x16, [%[from], %[i], lsl #3]\n\t" check                                               \
	"str x16, [%[to], %[i], lsl #3]\n\t"                                                       \
	"cbnz %[i], 1b\n\t"

static inline size_t cpu_pop_bulk(struct kmem_cache *s, void **p, size_t want)
{
	uint64_t b, k, from, i;

	asm volatile(CS_START CS_BOUNDS
		     "cmp w17, w16\n\t"
		     "b.le .Lzero%=\n\t"
		     "cmp x17, %[want]\n\t"
		     "csel %[k], x17, %[want], lo\n\t"
		     "sub x17, x17, %[k]\n\t"
		     "ldr x16, [%[b], %[main]]\n\t"
		     "add %[from], x16, #16\n\t"
		     "add %[from], %[from], x17, lsl #3\n\t" CS_COPY("")
		     "str w17, [%[b], %[n]]" CS_END CS_ZERO(k)
		     : [b] "=&r"(b), [k] "=&r"(k), [from] "=&r"(from), [i] "=&r"(i)
		     : CS_INPUTS, [to] "r"(p), [want] "r"(want)
		     : "memory", "cc", "x16", "x17");
	return k;
}

static inline size_t cpu_push_bulk(struct kmem_cache *s, void **p, size_t have)
{
	uint64_t b, k, to, i;

	asm volatile(CS_START CS_BOUNDS
		     "lsr x16, x16, #32\n\t"
		     "subs %[k], x16, x17\n\t"
		     "b.ls .Lzero%=\n\t"
		     "cmp %[k], %[have]\n\t"
		     "csel %[k], %[k], %[have], lo\n\t"
		     "ldr x16, [%[b], %[main]]\n\t"
		     "add %[to], x16, #16\n\t"
		     "add %[to], %[to], x17, lsl #3\n\t"
		     "add x17, x17, %[k]\n\t" CS_COPY("cbz x16, .Lzero%=\n\t")
		     "str w17, [%[b], %[n]]" CS_END CS_ZERO(k)
		     : [b] "=&r"(b), [k] "=&r"(k), [to] "=&r"(to), [i] "=&r"(i)
		     : CS_INPUTS, [from] "r"(p), [have] "r"(have)
		     : "memory", "cc", "x16", "x17");
	return k;
}

static inline void *cpu_slab_pop(struct kmem_cache *s)
{
	uint64_t b, at;
	void *object;

	asm volatile(CS_START CS_BOUNDS
		     "cbnz w16, .Lzero%=\n\t"
		     "ldr %[object], [%[b], %[freelist]]\n\t"
		     "cbz %[object], .Lzero%=\n\t"
		     "add %[at], %[object], %[offset]\n\t"
		     "ldr x16, [%[at]]\n\t"
		     "rev %[at], %[at]\n\t"
		     "eor x16, x16, %[at]\n\t"
		     "eor x16, x16, %[key]\n\t"
		     "str x16, [%[b], %[freelist]]" CS_END CS_ZERO(object)
		     : [b] "=&r"(b), [at] "=&r"(at), [object] "=&r"(object)
		     : CS_INPUTS, [offset] "r"((uint64_t)s->offset), [key] "r"(s->key)
		     : "memory", "cc", "x16", "x17");
	return object;
}

static inline bool cpu_slab_push(struct kmem_cache *s, void *object, struct slab *slab,
				 uint64_t mask)
{
	uint64_t b, done;

	asm volatile("mov %[done], #1\n\t" CS_START CS_BOUNDS
		     "cbnz w16, .Lzero%=\n\t"
		     "ldr x16, [%[b], %[spare]]\n\t"
		     "cmp x16, %[slab]\n\t"
		     "b.ne .Lzero%=\n\t"
		     "ldr x16, [%[b], %[freelist]]\n\t"
		     "eor x16, x16, %[mask]\n\t"
		     "str x16, [%[at]]\n\t"
		     "str %[object], [%[b], %[freelist]]" CS_END CS_ZERO(done)
		     : [b] "=&r"(b), [done] "=&r"(done)
		     : CS_INPUTS, [object] "r"(object), [slab] "r"(slab), [mask] "r"(mask),
		       [at] "r"((char *)object + s->offset)
		     : "memory", "cc", "x16", "x17");
	return done;
}

static inline void cpu_add_freed(struct kmem_cache *s, uint64_t n)
{
	uint64_t b;

	asm volatile(CS_START
		     "ldr x16, [%[b], %[freed]]\n\t"
		     "add x16, x16, %[more]\n\t"
		     "str x16, [%[b], %[freed]]" CS_END
		     : [b] "=&r"(b)
		     : CS_INPUTS, CS_BLOCK(freed), [more] "r"(n)
		     : "memory", "cc", "x16", "x17");
}

static inline struct cpu_block *cpu_try_lock(struct kmem_cache *s)
{
	struct cpu_block *b;

	asm volatile(CS_START CS_BOUNDS
		     "cbnz w16, .Lzero%=\n\t"
		     "mov w16, %[locked]\n\t"
		     "str x16, [%[b], %[bounds]]" CS_END CS_ZERO(b)
		     : [b] "=&r"(b)
		     : CS_INPUTS, [locked] "i"(CPU_LOCKED_LOCAL)
		     : "memory", "cc", "x16", "x17");
	/* The owner reads what the last one wrote. */
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return b;
}

#endif
