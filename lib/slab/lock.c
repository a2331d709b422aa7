// SPDX-License-Identifier: MIT
/* lock.c - waiting for a lock, and the check of lock order in debug builds. */
#include "lock.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void pause_cpu(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	asm volatile("yield");
#endif
}

void lock_wait(struct lock *l)
{
	struct timespec nap = { .tv_nsec = 20000 };
	int saved = errno; /* frees keep it */

	for (unsigned int turn = 0;; turn++) {
		if (!__atomic_load_n(&l->word, __ATOMIC_RELAXED) && lock_try(l))
			break;
		if (turn < 64) {
			pause_cpu();
		} else if (turn < 128) {
			sched_yield();
		} else {
			/* A waiter of higher priority must not keep the holder from running. */
			nanosleep(&nap, NULL);
			if (nap.tv_nsec < 1000000)
				nap.tv_nsec *= 2;
		}
	}
	errno = saved;
}

#ifdef SLABKIT_DEBUG
static __thread unsigned int held_ranks;

void lock_rank_enter(enum lock_rank rank)
{
	if (held_ranks >> rank) {
		fprintf(stderr, "slabkit: lock of rank %d taken while ranks %#x are held\n", rank,
			held_ranks);
		abort();
	}
	held_ranks |= 1U << rank;
}

void lock_rank_leave(enum lock_rank rank)
{
	held_ranks &= ~(1U << rank);
}
#endif
