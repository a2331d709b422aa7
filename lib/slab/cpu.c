// SPDX-License-Identifier: MIT
/* cpu.c - finding restartable sequences, locking blocks of other CPUs, and doing without. */
#include "cpu.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define GIVE_UP_NS 2000000000LL /* an owner that has not come back by then died holding the block */

#define EVERY_CPU UINT32_MAX

/* Values of lock_word. */
#define WORD_LOCAL  1
#define WORD_REMOTE 2

#if CPU_HAS_SEQUENCES
/* glibc's words about its registration; absent in other C libraries and before 2.35. */
extern const ptrdiff_t __rseq_offset __attribute__((weak));
extern const unsigned int __rseq_size __attribute__((weak));

/* Where there is no registration the fast path still needs an area to look at. */
static __thread struct {
	uint32_t cpu_id_start, cpu_id;
	uint64_t rseq_cs, rest[2];
} no_area __attribute__((tls_model("initial-exec"), aligned(32)));

#if defined(SLAB_FAST_OFFSET) && !defined(SLAB_FAST_WATCHED)
/* For programs; the library has its own in the root, which it reaches by one load less. */
SLAB_API ptrdiff_t SLAB_FAST_OFFSET;

static void publish_offset(void)
{
	SLAB_FAST_OFFSET = root.rseq_offset;
}
#else
static void publish_offset(void)
{
}
#endif

static char *thread_pointer(void)
{
	char *tp;

#if defined(__x86_64__)
	asm("movq %%fs:0, %0" : "=r"(tp));
#else
	asm("mrs %0, tpidr_el0" : "=r"(tp));
#endif
	return tp;
}

static int membarrier(int cmd, unsigned int flags, int cpu)
{
	return (int)syscall(SYS_membarrier, cmd, flags, cpu);
}

void cpu_find_sequences(void)
{
	bool usable = &__rseq_offset && &__rseq_size && __rseq_size &&
		      *(const int32_t *)(thread_pointer() + __rseq_offset + 4) >= 0;

	root.rseq_offset = usable ? __rseq_offset : (char *)&no_area - thread_pointer();
	publish_offset();
	if (root.opts.percpu == OPTS_PERCPU_LOCK)
		return;
	root.rseq = usable && cpu_register();
}

bool cpu_register(void)
{
	return !membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_RSEQ, 0, 0);
}

/* On one CPU, or with EVERY_CPU on all. */
static void restart_sequences(unsigned int cpu)
{
	if (cpu == EVERY_CPU ||
	    membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ, MEMBARRIER_CMD_FLAG_CPU, (int)cpu))
		membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ, 0, 0);
}
#else
void cpu_find_sequences(void)
{
	root.rseq = false;
}

bool cpu_register(void)
{
	return false;
}

static void restart_sequences(unsigned int cpu)
{
	(void)cpu;
}
#endif

unsigned int cpu_current(void)
{
	int cpu = sched_getcpu();

	return cpu < 0 ? 0 : (unsigned int)cpu % root.nr_cpus;
}

void cpu_init_block(const struct kmem_cache *s, struct cpu_block *b)
{
	b->near = numa_near(&root.numa, numa_of_cpu(&root.numa, cache_home(s, b)));
	if (!root.rseq)
		b->bounds = CPU_LOCKED_ALWAYS;
}

static bool try_word(struct cpu_block *b, uint32_t value)
{
	uint32_t free = 0;

	return __atomic_compare_exchange_n(&b->lock_word, &free, value, false, __ATOMIC_ACQUIRE,
					   __ATOMIC_RELAXED);
}

struct cpu_block *cpu_lock_fallback(struct kmem_cache *s)
{
	struct cpu_block *b = &s->cpu[cpu_current()];

	return try_word(b, WORD_LOCAL) ? b : NULL;
}

static int64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

/* The first half of a remote lock: it holds if the word is still ours after a membarrier. */
static bool claim_bounds(struct cpu_block *b)
{
	uint64_t old = __atomic_load_n(&b->bounds, __ATOMIC_RELAXED);

	return (int32_t)old == 0 &&
	       __atomic_compare_exchange_n(&b->bounds, &old, CPU_LOCKED_REMOTE, false,
					   __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

static bool owns_remotely(const struct cpu_block *b)
{
	if (root.rseq)
		return __atomic_load_n(&b->bounds, __ATOMIC_ACQUIRE) == CPU_LOCKED_REMOTE;
	return __atomic_load_n(&b->lock_word, __ATOMIC_ACQUIRE) == WORD_REMOTE;
}

static bool try_bounds(struct cpu_block *b, unsigned int cpu)
{
	if (!claim_bounds(b))
		return false;
	restart_sequences(cpu);
	return owns_remotely(b);
}

/* Between tries of a remote lock; false when the owner has been away for too long. */
static bool keep_trying(unsigned int turn, int64_t *start)
{
	sched_yield();
	if (turn % 64)
		return true;
	if (!*start)
		*start = now_ns();
	return now_ns() - *start < GIVE_UP_NS;
}

bool cpu_lock_remote(struct kmem_cache *s, unsigned int cpu)
{
	struct cpu_block *b = &s->cpu[cpu];
	int64_t start = 0;

	for (unsigned int turn = 0; root.rseq ? !try_bounds(b, cpu) : !try_word(b, WORD_REMOTE);
	     turn++)
		if (!keep_trying(turn, &start))
			return false;
	lock_rank_enter(LOCK_CPU);
	return true;
}

/* The one cache, or with NULL all of them. */
static struct kmem_cache *first(struct kmem_cache *only)
{
	return only ? only : root.caches;
}

static struct kmem_cache *next(struct kmem_cache *only, struct kmem_cache *s)
{
	return only ? NULL : s->next;
}

/* One try at every block that is not owned yet; how many are still not. */
static unsigned int claim(struct kmem_cache *only)
{
	unsigned int missing = 0;

	for (struct kmem_cache *s = first(only); s; s = next(only, s))
		for (unsigned int cpu = 0; cpu < root.nr_cpus; cpu++)
			if (!owns_remotely(&s->cpu[cpu])) {
				if (root.rseq)
					claim_bounds(&s->cpu[cpu]);
				else
					try_word(&s->cpu[cpu], WORD_REMOTE);
			}
	if (root.rseq)
		restart_sequences(EVERY_CPU);
	for (struct kmem_cache *s = first(only); s; s = next(only, s))
		for (unsigned int cpu = 0; cpu < root.nr_cpus; cpu++)
			missing += !owns_remotely(&s->cpu[cpu]);
	return missing;
}

bool cpu_lock_all(struct kmem_cache *only)
{
	int64_t start = 0;

	for (unsigned int turn = 0; claim(only); turn++)
		if (!keep_trying(turn, &start))
			return false;
	return true;
}

void cpu_unlock_all(struct kmem_cache *only)
{
	for (struct kmem_cache *s = first(only); s; s = next(only, s))
		for (unsigned int cpu = 0; cpu < root.nr_cpus; cpu++)
			if (owns_remotely(&s->cpu[cpu]))
				cpu_unlock(s, &s->cpu[cpu]);
}
