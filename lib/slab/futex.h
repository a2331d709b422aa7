/* SPDX-License-Identifier: MIT */
/* futex.h - sleeping until a word of this process has changed. */
#ifndef SLABKIT_SLAB_FUTEX_H
#define SLABKIT_SLAB_FUTEX_H

#include <limits.h>
#include <linux/futex.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* futex_wait - sleeps while *word is value, for span at most (NULL: for ever); may return early. */
static inline void futex_wait(uint32_t *word, uint32_t value, const struct timespec *span)
{
	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, span, NULL, 0);
}

/* futex_wake - up to n of those who sleep on word. */
static inline void futex_wake(uint32_t *word, int n)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, n, NULL, NULL, 0);
}

#endif
