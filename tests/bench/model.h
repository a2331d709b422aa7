/* SPDX-License-Identifier: MIT */
/*
 * model.h - the physical limits: an array of object pointers and a count, and nothing else.
 *
 * No slabs, no refill, no bounds beyond "empty": whatever an allocator with a stock per thread
 * (tls) or per CPU (rseq) does on its fast path, it cannot do less than this. A pair costs the
 * store and the load of the count, twice; the rest runs in their shadow.
 *
 * The count stands at offset 56 of its cache line, away from where objects begin: at the same
 * offset within a 4 KiB page as the object's first word, each load of the count would wait for
 * the store to the object.
 */
#ifndef BENCH_MODEL_H
#define BENCH_MODEL_H

#include <stddef.h>
#include <stdint.h>

#define MODEL_EXPORT __attribute__((visibility("default")))

/* Per CPU, one page apart. */
#define MODEL_CPU_SHIFT 12
struct model_cpu {
	char pad[48];
	void **slots;
	uint64_t n;
};

struct model {
	struct model_cpu *cpus;
	size_t size;
	size_t capacity;
};

struct model_tls {
	char pad[48];
	void **slots;
	uint64_t n;
} __attribute__((aligned(64)));

extern MODEL_EXPORT __thread struct model_tls model_tls __attribute__((tls_model("initial-exec")));

/* Both create an array with capacity objects in it, for each thread or each CPU that has one. */
MODEL_EXPORT struct model *tls_create(size_t size, size_t capacity);
MODEL_EXPORT void tls_thread_init(struct model *m);
MODEL_EXPORT void *tls_alloc(struct model *m);
MODEL_EXPORT void tls_free(struct model *m, void *object);

static inline void *tls_pop(struct model *m)
{
	struct model_tls *t = &model_tls;

	(void)m;
	if (__builtin_expect(t->n == 0, 0))
		return NULL;
	return t->slots[--t->n];
}

static inline void tls_push(struct model *m, void *object)
{
	struct model_tls *t = &model_tls;

	(void)m;
	t->slots[t->n++] = object;
}

#if defined(__x86_64__) && __has_include(<sys/rseq.h>)
#define MODEL_HAS_RSEQ 1
#include <sys/rseq.h>

MODEL_EXPORT struct model *rseq_create(size_t size, size_t capacity);
MODEL_EXPORT void rseq_thread_init(struct model *m);
MODEL_EXPORT void *rseq_alloc(struct model *m);
MODEL_EXPORT void rseq_free(struct model *m, void *object);

/*
 * A restartable sequence runs from 1: to the store of the count that ends it; on preemption,
 * migration or a signal the kernel continues at 4:, which begins again.
 */
#define RSEQ_BEGIN                                \
	".pushsection __rseq_cs, \"aw\"\n\t"      \
	".balign 32\n"                            \
	"3:\n\t"                                  \
	".long 0, 0\n\t"                          \
	".quad 1f, 2f - 1f, 4f\n\t"               \
	".popsection\n\t"                         \
	".pushsection .text.unlikely, \"ax\"\n\t" \
	".byte 0x0f, 0xb9, 0x3d\n\t"              \
	".long 0x53053053\n"                      \
	"4:\n\t"                                  \
	"jmp 5f\n\t"                              \
	".popsection\n"                           \
	"5:\n\t"                                  \
	"leaq 3b(%%rip), %[a]\n\t"                \
	"movq %[a], %%fs:8(%[area])\n"            \
	"1:\n\t"                                  \
	"movl %%fs:4(%[area]), %k[a]\n\t"         \
	"shlq $12, %[a]\n\t"                      \
	"addq %[cpus], %[a]\n\t"                  \
	"movq 56(%[a]), %[n]\n\t"
#define RSEQ_END                \
	"movq %[n], 56(%[a])\n" \
	"2:\n\t"

static inline void *rseq_pop(struct model *m)
{
	uint64_t a, n;
	void *object;

	__asm__ volatile goto(RSEQ_BEGIN "testq %[n], %[n]\n\t"
					 "jz %l[empty]\n\t"
					 "movq 48(%[a]), %[obj]\n\t"
					 "movq -8(%[obj],%[n],8), %[obj]\n\t"
					 "decq %[n]\n\t" RSEQ_END
			      : [a] "=&r"(a), [n] "=&r"(n), [obj] "=&r"(object)
			      : [area] "r"(__rseq_offset), [cpus] "r"(m->cpus)
			      : "memory", "cc"
			      : empty);
	return object;
empty:
	return NULL;
}

static inline void rseq_push(struct model *m, void *object)
{
	uint64_t a, n, slots;

	__asm__ volatile(RSEQ_BEGIN "movq 48(%[a]), %[slots]\n\t"
				    "movq %[obj], (%[slots],%[n],8)\n\t"
				    "incq %[n]\n\t" RSEQ_END
			 : [a] "=&r"(a), [n] "=&r"(n), [slots] "=&r"(slots)
			 : [area] "r"(__rseq_offset), [cpus] "r"(m->cpus), [obj] "r"(object)
			 : "memory", "cc");
}
#endif

#endif
