/* SPDX-License-Identifier: MIT */
/*
 * fast.h - kmem_cache_alloc, kmem_cache_free and their bulk forms compiled into their callers
 * (included by slab.h).
 *
 * What is inlined is one restartable sequence of the kernel (rseq) on the CPU's main sheaf; when it
 * fails, the call goes to the library. The functions are also there to be called: that is what
 * a function pointer gets, and what is called without optimisation, under a sanitizer, on
 * machines but x86-64 (and there without SSE2), by other compilers than gcc and clang, and with
 * -DSLAB_NO_INLINE.
 *
 * ABI: the numbers below are compiled into programs. SLAB_FAST_OFFSET is the library's promise of
 * them: its name carries the number of the layout, so that a program made for another layout does
 * not link, and one that was linked before does not start. Whoever changes a number, or what the
 * sequences do with a block, renames it. A library built for a sanitizer does not have it.
 *
 * Nothing here is for use by other names than those of slab.h.
 */
#ifndef SLAB_FAST_H
#define SLAB_FAST_H

#if defined(__x86_64__) && defined(__LP64__) && defined(__SSE2__) && defined(__linux__) && \
	defined(__GNUC__)

#define SLAB_FAST_OFFSET slab_fast_offset_1

/* In a cache: its per-CPU blocks, each of 1 << SLAB_FAST_SHIFT bytes. */
#define SLAB_FAST_CPU	256
#define SLAB_FAST_SHIFT 9
/* In a block: the main sheaf, the two bounds of n, and n, the objects in it. */
#define SLAB_FAST_MAIN 0
#define SLAB_FAST_LO   48
#define SLAB_FAST_HI   52
#define SLAB_FAST_N    56
/* In a sheaf: the objects. */
#define SLAB_FAST_SLOT 16
/* In the thread's rseq area: the CPU, and the sequence that it is in. */
#define SLAB_FAST_RSEQ_CPU 0
#define SLAB_FAST_RSEQ_CS  8

/* clang-format off: the strings with operands between are no expression to lay out. */

/*
 * A sequence: point rseq_cs at its descriptor; [start] this CPU's block; test; work; commit [end].
 * The abort handler, behind the signature that the kernel wants to see, goes back to the first
 * step. b, the register so called and its low half, becomes the block less SLAB_FAST_CPU. The
 * sections join the group of the function that they serve (?), and go with it.
 */
#define SLAB_CS_START(b, b32)                                                                      \
	".pushsection __rseq_cs, \"aw?\", @progbits\n\t"                                           \
	".balign 32\n"                                                                             \
	".Lcs%=:\n\t"                                                                              \
	".long 0, 0\n\t"                                                                           \
	".quad .Lstart%=, .Lend%= - .Lstart%=, .Labort%=\n\t"                                      \
	".popsection\n\t"                                                                          \
	".pushsection __rseq_failure, \"ax?\", @progbits\n\t"                                      \
	".byte 0x0f, 0xb9, 0x3d\n\t"                                                               \
	".long 0x53053053\n"                                                                       \
	".Labort%=:\n\t"                                                                           \
	"jmp .Ltry%=\n\t"                                                                          \
	".popsection\n"                                                                            \
	".Ltry%=:\n\t"                                                                             \
	"leaq .Lcs%=(%%rip), " b "\n\t"                                                            \
	"movq " b ", %%fs:%c[rseq_cs](%[rseq])\n"                                                  \
	".Lstart%=:\n\t"                                                                           \
	"movl %%fs:%c[rseq_cpu](%[rseq]), " b32 "\n\t"                                             \
	"shlq %[shift], " b "\n\t"                                                                 \
	"addq %[s], " b "\n\t"
#define SLAB_CS_END "\n.Lend%=:\n\t"
/* Out of line: 0 for the result, "take the slow path". */
#define SLAB_CS_ZERO(reg)                                                                          \
	".pushsection __rseq_failure, \"ax?\", @progbits\n"                                        \
	".Lzero%=:\n\t"                                                                            \
	"xorl %k[" #reg "], %k[" #reg "]\n\t"                                                      \
	"jmp .Lend%=\n\t"                                                                          \
	".popsection\n\t"
#define SLAB_CS_INPUTS(s, offset)                                                                  \
	[s] "r"(s), [rseq] "r"(offset), [rseq_cpu] "i"(SLAB_FAST_RSEQ_CPU),                        \
		[rseq_cs] "i"(SLAB_FAST_RSEQ_CS), [shift] "i"(SLAB_FAST_SHIFT),                    \
		[lo] "i"(SLAB_FAST_CPU + SLAB_FAST_LO), [hi] "i"(SLAB_FAST_CPU + SLAB_FAST_HI),    \
		[n] "i"(SLAB_FAST_CPU + SLAB_FAST_N), [main] "i"(SLAB_FAST_CPU + SLAB_FAST_MAIN),  \
		[slot] "i"(SLAB_FAST_SLOT), [last] "i"(SLAB_FAST_SLOT - 8)

/* Never compiled as functions of their own: an address of one is the library's. */
#define SLAB_FAST_INLINE extern __inline__ __attribute__((__gnu_inline__, __always_inline__))

/*
 * slab_fast_pop - an object from this CPU's main sheaf, or NULL. No asm goto: gcc 12 deletes one
 * whose outputs look unused, and takes what an output's register holds for the value on the
 * label's side too.
 */
SLAB_FAST_INLINE void *slab_fast_pop(struct kmem_cache *s, ptrdiff_t offset)
{
	uint64_t b, n;
	void *object;

	__asm__ __volatile__(SLAB_CS_START("%[b]", "%k[b]")
			     "movl %c[lo](%[b]), %k[object]\n\t"
			     "movl %c[n](%[b]), %k[count]\n\t"
			     "cmpl %k[object], %k[count]\n\t"
			     "jle .Lzero%=\n\t"
			     "movq %c[main](%[b]), %[object]\n\t"
			     "movq %c[last](%[object], %[count], 8), %[object]\n\t"
			     "decl %k[count]\n\t"
			     "movl %k[count], %c[n](%[b])" SLAB_CS_END SLAB_CS_ZERO(object)
			     : [b] "=&r"(b), [count] "=&r"(n), [object] "=&r"(object)
			     : SLAB_CS_INPUTS(s, offset)
			     : "memory", "cc");
	return object;
}

/* slab_fast_push - object into it, or false. */
SLAB_FAST_INLINE bool slab_fast_push(struct kmem_cache *s, void *object, ptrdiff_t offset)
{
	__asm__ goto(SLAB_CS_START("%%rax", "%%eax")
		     "movl %c[hi](%%rax), %%edx\n\t"
		     "movl %c[n](%%rax), %%ecx\n\t"
		     "cmpl %%edx, %%ecx\n\t"
		     "jae %l[slow]\n\t"
		     "movq %c[main](%%rax), %%rdx\n\t"
		     "movq %[object], %c[slot](%%rdx, %%rcx, 8)\n\t"
		     "incl %%ecx\n\t"
		     "movl %%ecx, %c[n](%%rax)" SLAB_CS_END
		     :
		     : SLAB_CS_INPUTS(s, offset), [object] "r"(object)
		     : "memory", "cc", "rax", "rcx", "rdx"
		     : slow);
	return true;
slow:
	return false;
}

/*
 * Copies %[want] (1 or more) words from (from) to (to); %r8, %r9 and %xmm0 to 3 are used up. Less
 * than sixteen word by word: a wider load of what was just stored in words would wait for the
 * stores to leave. More by pairs, in blocks of eight words. The second block begins where what is
 * left makes whole blocks: blocks may overlap, so that few branches depend on the length, but the
 * pairs of one are pairs of the other, and what the next call loads is what this one stored. word
 * stands between load and store of a word, pairs behind each two pairs.
 */
#define SLAB_CS_WORD(from, to, word, at)                                                           \
	"movq " at "(" from ", %%r8, 8), %%r9\n\t" word                                            \
	"movq %%r9, " at "(" to ", %%r8, 8)\n\t"
#define SLAB_CS_FOUR(from, to, word)                                                               \
	SLAB_CS_WORD(from, to, word, "0") SLAB_CS_WORD(from, to, word, "8")                        \
	SLAB_CS_WORD(from, to, word, "16") SLAB_CS_WORD(from, to, word, "24")
/* As the code around it is: with AVX the older forms may wait for the registers' upper halves. */
#ifdef __AVX__
#define SLAB_CS_MOV		   "vmovups "
#define SLAB_CS_VECTOR(op, by, on) "v" op " " by ", " on ", " on "\n\t"
#else
#define SLAB_CS_MOV		   "movups "
#define SLAB_CS_VECTOR(op, by, on) op " " by ", " on "\n\t"
#endif
#define SLAB_CS_PAIRS(from, to, pairs, at0, at1)                                                   \
	SLAB_CS_MOV at0 "(" from ", %%r8, 8), %%xmm0\n\t"                                          \
	SLAB_CS_MOV at1 "(" from ", %%r8, 8), %%xmm1\n\t"                                          \
	SLAB_CS_MOV "%%xmm0, " at0 "(" to ", %%r8, 8)\n\t"                                         \
	SLAB_CS_MOV "%%xmm1, " at1 "(" to ", %%r8, 8)\n\t" pairs
#define SLAB_CS_EIGHT(from, to, pairs)                                                             \
	SLAB_CS_PAIRS(from, to, pairs, "0", "16") SLAB_CS_PAIRS(from, to, pairs, "32", "48")
#define SLAB_CS_COPY(from, to, word, pairs)                                                        \
	"xorl %%r8d, %%r8d\n\t"                                                                    \
	"cmpq $16, %[want]\n\t"                                                                    \
	"jb .Lless%=\n\t"                                                                          \
	"testb $1, %b[want]\n\t"                                                                   \
	"jz .Leven%=\n\t" SLAB_CS_WORD(from, to, word, "0")                                        \
	"incl %%r8d\n"                                                                             \
	".Leven%=:\n\t" SLAB_CS_EIGHT(from, to, pairs)                                             \
	"leaq -1(%[want]), %%r9\n\t"                                                               \
	"subl %%r8d, %%r9d\n\t"                                                                    \
	"andl $7, %%r9d\n\t"                                                                       \
	"leaq 1(%%r8, %%r9), %%r8\n"                                                               \
	".Leight%=:\n\t" SLAB_CS_EIGHT(from, to, pairs)                                            \
	"addq $8, %%r8\n\t"                                                                        \
	"cmpq %[want], %%r8\n\t"                                                                   \
	"jb .Leight%=\n\t"                                                                         \
	"jmp .Lcopied%=\n"                                                                         \
	".Lless%=:\n\t"                                                                            \
	"cmpq $4, %[want]\n\t"                                                                     \
	"jb .Lfew%=\n\t" SLAB_CS_FOUR(from, to, word)                                              \
	"movq %[want], %%r8\n\t"                                                                   \
	"andl $3, %%r8d\n\t"                                                                       \
	"jnz .Lfour%=\n\t"                                                                         \
	"movl $4, %%r8d\n\t"                                                                       \
	"jmp .Ltest%=\n"                                                                           \
	".Lfour%=:\n\t" SLAB_CS_FOUR(from, to, word)                                               \
	"addq $4, %%r8\n"                                                                          \
	".Ltest%=:\n\t"                                                                            \
	"cmpq %[want], %%r8\n\t"                                                                   \
	"jb .Lfour%=\n\t"                                                                          \
	"jmp .Lcopied%=\n"                                                                         \
	".Lfew%=:\n\t" SLAB_CS_WORD(from, to, word, "0")                                           \
	"leaq -1(%[want]), %%r8\n\t" SLAB_CS_WORD(from, to, word, "0")                             \
	"shrq $1, %%r8\n\t" SLAB_CS_WORD(from, to, word, "0")                                      \
	".Lcopied%=:\n\t"
/* No word may be NULL. Pairs note it: of words less one, only NULL's has the highest bit. */
#define SLAB_CS_NO_NULL "testq %%r9, %%r9\n\tjz %l[slow]\n\t"
#define SLAB_CS_NOTE_BEGIN                                                                         \
	SLAB_CS_VECTOR("pcmpeqd", "%%xmm2", "%%xmm2") SLAB_CS_VECTOR("pxor", "%%xmm3", "%%xmm3")
#define SLAB_CS_NOTE                                                                               \
	SLAB_CS_VECTOR("paddq", "%%xmm2", "%%xmm0") SLAB_CS_VECTOR("paddq", "%%xmm2", "%%xmm1")    \
	SLAB_CS_VECTOR("por", "%%xmm0", "%%xmm3") SLAB_CS_VECTOR("por", "%%xmm1", "%%xmm3")
#ifdef __AVX__
#define SLAB_CS_NOTE_END "vmovmskpd %%xmm3, %%r9d\n\ttestl %%r9d, %%r9d\n\tjnz %l[slow]\n\t"
#else
#define SLAB_CS_NOTE_END "movmskpd %%xmm3, %%r9d\n\ttestl %%r9d, %%r9d\n\tjnz %l[slow]\n\t"
#endif
#define SLAB_CS_COPY_CLOBBERS "r8", "r9", "xmm0", "xmm1", "xmm2", "xmm3"

/* slab_fast_pop_bulk - n objects (1 to INT_MAX) from it into p, or false: none. */
SLAB_FAST_INLINE bool slab_fast_pop_bulk(struct kmem_cache *s, void **p, size_t n, ptrdiff_t offset)
{
	__asm__ goto(SLAB_CS_START("%%rax", "%%eax")
		     "movl %c[lo](%%rax), %%edx\n\t"
		     "movl %c[n](%%rax), %%ecx\n\t"
		     "subl %k[want], %%ecx\n\t"
		     "cmpl %%edx, %%ecx\n\t"
		     "jl %l[slow]\n\t"
		     "movq %c[main](%%rax), %%rdx\n\t"
		     "leaq %c[slot](%%rdx, %%rcx, 8), %%rdx\n\t"
		     SLAB_CS_COPY("%%rdx", "%[p]", "", "")
		     "movl %%ecx, %c[n](%%rax)" SLAB_CS_END
		     :
		     : SLAB_CS_INPUTS(s, offset), [p] "r"(p), [want] "r"(n)
		     : "memory", "cc", "rax", "rcx", "rdx", SLAB_CS_COPY_CLOBBERS
		     : slow);
	return true;
slow:
	return false;
}

/* slab_fast_push_bulk - n objects (1 to INT_MAX) into it, or false: none. False for a NULL too. */
SLAB_FAST_INLINE bool slab_fast_push_bulk(struct kmem_cache *s, void **p, size_t n,
					  ptrdiff_t offset)
{
	__asm__ goto(SLAB_CS_START("%%rax", "%%eax")
		     SLAB_CS_NOTE_BEGIN
		     "movl %c[hi](%%rax), %%edx\n\t"
		     "movl %c[n](%%rax), %%ecx\n\t"
		     "subl %%ecx, %%edx\n\t"
		     "cmpl %k[want], %%edx\n\t"
		     "jl %l[slow]\n\t"
		     "movq %c[main](%%rax), %%rdx\n\t"
		     "leaq %c[slot](%%rdx, %%rcx, 8), %%rdx\n\t"
		     SLAB_CS_COPY("%[p]", "%%rdx", SLAB_CS_NO_NULL, SLAB_CS_NOTE)
		     SLAB_CS_NOTE_END
		     "addl %k[want], %%ecx\n\t"
		     "movl %%ecx, %c[n](%%rax)" SLAB_CS_END
		     :
		     : SLAB_CS_INPUTS(s, offset), [p] "r"(p), [want] "r"(n)
		     : "memory", "cc", "rax", "rcx", "rdx", SLAB_CS_COPY_CLOBBERS
		     : slow);
	return true;
slow:
	return false;
}
/* clang-format on */

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SLAB_FAST_WATCHED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
	__has_feature(memory_sanitizer)
#define SLAB_FAST_WATCHED 1
#endif
#endif

#if defined(__OPTIMIZE__) && !defined(SLAB_NO_INLINE) && !defined(SLAB_FAST_WATCHED)

/* The thread's rseq area, from the thread pointer. Set before the first cache is made. */
SLAB_API extern ptrdiff_t SLAB_FAST_OFFSET;
/* What the functions do when the sheaf will not. */
SLAB_API void *slab_alloc_slow(struct kmem_cache *s, gfp_t gfp) __attribute__((__cold__));
SLAB_API void slab_free_slow(struct kmem_cache *s, void *object) __attribute__((__cold__));
SLAB_API int slab_alloc_bulk_slow(struct kmem_cache *s, gfp_t gfp, size_t n, void **p);
SLAB_API void slab_free_bulk_slow(struct kmem_cache *s, size_t n, void **p);

/*
 * Code that may be unloaded must not leave rseq_cs pointing at its descriptor, which the kernel
 * may look at long after the sequence; the code of a program stays.
 */
SLAB_FAST_INLINE void slab_fast_leave(void)
{
#if defined(__PIC__) && !defined(__PIE__)
	__asm__ __volatile__("movq $0, %%fs:%c[rseq_cs](%[rseq])"
			     :
			     : [rseq] "r"(SLAB_FAST_OFFSET), [rseq_cs] "i"(SLAB_FAST_RSEQ_CS)
			     : "memory");
#endif
}

SLAB_FAST_INLINE void *kmem_cache_alloc(struct kmem_cache *s, gfp_t gfp)
{
	void *object;

	if (gfp & __GFP_ZERO)
		return kmem_cache_zalloc(s, gfp);
	object = slab_fast_pop(s, SLAB_FAST_OFFSET);
	slab_fast_leave();
	return __builtin_expect(object != NULL, 1) ? object : slab_alloc_slow(s, gfp);
}

SLAB_FAST_INLINE void kmem_cache_free(struct kmem_cache *s, void *object)
{
	bool done;

	if (__builtin_expect(!object, 0))
		return;
	done = slab_fast_push(s, object, SLAB_FAST_OFFSET);
	slab_fast_leave();
	if (__builtin_expect(!done, 0))
		slab_free_slow(s, object);
}

SLAB_FAST_INLINE int kmem_cache_alloc_bulk(struct kmem_cache *s, gfp_t gfp, size_t n, void **p)
{
	bool done = false;

	if (n - 1 < SLAB_SHEAF_MAX && !(gfp & __GFP_ZERO)) {
		done = slab_fast_pop_bulk(s, p, n, SLAB_FAST_OFFSET);
		slab_fast_leave();
	}
	return done ? (int)n : slab_alloc_bulk_slow(s, gfp, n, p);
}

SLAB_FAST_INLINE void kmem_cache_free_bulk(struct kmem_cache *s, size_t n, void **p)
{
	bool done = false;

	if (s && n - 1 < SLAB_SHEAF_MAX) {
		done = slab_fast_push_bulk(s, p, n, SLAB_FAST_OFFSET);
		slab_fast_leave();
	}
	if (!done)
		slab_free_bulk_slow(s, n, p);
}

#endif
#endif
#endif
