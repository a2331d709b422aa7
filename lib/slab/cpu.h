/* SPDX-License-Identifier: MIT */
/*
 * cpu.h - the per-CPU layer: who may touch a per-CPU block, and when.
 *
 * The fast path is one restartable sequence: the kernel sends the thread back to its start when it
 * is preempted, moved or signalled before the last store, the commit, so at most one thread of a
 * CPU is ever past its start, and a thread that was moved never commits to the old CPU's block.
 *
 *	pop:	load lo; load n; n <= lo: slow path.  load main.slot[n-1]; commit: store n-1
 *	push:	load hi; load n; n >= hi: slow path.  store main.slot[n];  commit: store n+1
 *
 * The bounds word {lo, hi} is {0, capacity} when the block is free. Both tests fail with
 * {CPU_LOCKED_*, 0}, so the one word is also the block's lock:
 *
 *	a thread on this CPU	one sequence: lo == 0?  commit: store {CPU_LOCKED_LOCAL, 0}
 *	any thread (drain)	compare-exchange to {CPU_LOCKED_REMOTE, 0}; membarrier, which
 *				restarts every sequence on that CPU; the word read again: still
 *				remote?
 *	unlock			release store of {0, capacity}
 *
 * The owner works in plain C, and may be preempted or moved: others find the block locked and go
 * round the sheaves to the slabs; nobody waits but a drain. The bounds are loaded before n and
 * main. A sequence that started under the old bounds was restarted by the owner's preemption or by
 * the membarrier; one that starts later sees the locked bounds, or, after the unlock, everything
 * the owner wrote. With n first it could pair an old n with the new bounds.
 *
 * A local lock can overwrite a remote one (its test came before, its store after the exchange):
 * the two values differ, so the remote sees that it lost.
 *
 * Without restartable sequences (percpu=lock) the bounds are {CPU_LOCKED_ALWAYS, 0} for good, the
 * fast path fails always, and a try-lock in the block stands for the sequence. Sheaves of threads
 * would be faster there (some 9 ns a pair against 22), but their memory would grow with threads,
 * and drains, figures, forks and the ends of threads would need a list of them: too much for
 * valgrind, ThreadSanitizer and old C libraries, which is where sequences are missing.
 */
#ifndef SLABKIT_SLAB_CPU_H
#define SLABKIT_SLAB_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cache.h"
#include "peek.h"
#include "root.h"
#include "sheaf.h"

#define CPU_LOCKED_LOCAL  0x7fffffff
#define CPU_LOCKED_REMOTE 0x7ffffffe
#define CPU_LOCKED_ALWAYS 0x7ffffffd

#define RSEQ_SIGNATURE 0x53053053 /* glibc registers with this one */

#if defined(__SANITIZE_THREAD__)
#define CPU_NO_SEQUENCES 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CPU_NO_SEQUENCES 1
#endif
#endif

#if defined(CPU_NO_SEQUENCES)
#include "cpu_none.h"
#elif defined(__x86_64__)
#include "cpu_x86_64.h"
#elif defined(__aarch64__)
#include "cpu_aarch64.h"
#else
#include "cpu_none.h"
#endif

/*
 * From the machine's header:
 *
 * cpu_pop - an object from this CPU's main sheaf, or NULL: take the slow path.
 * cpu_push - object into it, or false.
 * cpu_push_near - the same where there are several nodes; where: numa_near of the object's.
 * cpu_pop_bulk, cpu_push_bulk - up to n (1 or more) objects; how many. 0: take the slow path, which
 *	push does too for a NULL among them.
 * cpu_slab_pop, cpu_slab_push - the same for caches without sheaves: the CPU's freelist, and object
 *	onto it if slab is the CPU's slab. mask: of object's link.
 * cpu_add_freed - n to this CPU's count.
 * cpu_try_lock - this CPU's block, locked, or NULL: busy.
 */

struct cpu_block *cpu_lock_fallback(struct kmem_cache *s);
/* cpu_current - the CPU the caller ran on a moment ago. */
unsigned int cpu_current(void);

/* cpu_lock - this CPU's block, owned by the caller until cpu_unlock; NULL: somebody owns it. */
static inline struct cpu_block *cpu_lock(struct kmem_cache *s)
{
	struct cpu_block *b = root.rseq ? cpu_try_lock(s) : cpu_lock_fallback(s);

	if (b)
		lock_rank_enter(LOCK_CPU);
	return b;
}

/*
 * cpu_count_freed - n objects (modulo 2^64) have become free in slabs, without their node's lock.
 */
static inline void cpu_count_freed(struct kmem_cache *s, unsigned int node, uint64_t n)
{
	if (root.numa.nr > 1)
		bump(s->nodes[node].freed, n);
	else if (root.rseq)
		cpu_add_freed(s, n);
	else
		bump(s->cpu[cpu_current()].freed, n);
}

/* cpu_init_block - for a cache that is being made. */
void cpu_init_block(const struct kmem_cache *s, struct cpu_block *b);
/* With several nodes the push that asks for none must fail, in programs too: see cpu_push_near. */
static inline uint32_t cpu_push_bound(const struct kmem_cache *s, const struct cpu_block *b)
{
	return b->main && root.numa.nr == 1 ? s->capacity : 0;
}

/* cpu_unlock - gives the block back to the fast path. */
static inline void cpu_unlock(const struct kmem_cache *s, struct cpu_block *b)
{
	lock_rank_leave(LOCK_CPU);
	if (root.rseq)
		__atomic_store_n(&b->bounds, (uint64_t)cpu_push_bound(s, b) << 32,
				 __ATOMIC_RELEASE);
	else
		__atomic_store_n(&b->lock_word, 0, __ATOMIC_RELEASE);
}

/* cpu_lock_remote - any CPU's block; s->drain is held. False: its owner seems to be gone. */
bool cpu_lock_remote(struct kmem_cache *s, unsigned int cpu);
/*
 * cpu_lock_all - every block of one cache, or with NULL of every cache; the drain locks are held.
 * False: the owner of some block seems to be gone, and that one is left out.
 */
bool cpu_lock_all(struct kmem_cache *only);
void cpu_unlock_all(struct kmem_cache *only);
/* cpu_register - asks the kernel for the membarrier; false: not to be had. */
bool cpu_register(void);
/* cpu_find_sequences - whether rseq serves here; sets root.rseq and root.rseq_offset. */
void cpu_find_sequences(void);

#endif
