/* SPDX-License-Identifier: MIT */
/*
 * quiet.h - whether the process stood still for a while, proven and not guessed.
 *
 * Figures of many words are exact only if nobody changed them while they were read. Nobody can have
 * if no thread but the reader ran: the CPU time of each of the others is the same before and after.
 * That costs the others nothing, and the reader a few microseconds and less than one a thread.
 */
#ifndef SLABKIT_SLAB_QUIET_H
#define SLABKIT_SLAB_QUIET_H

#include <stdbool.h>
#include <stdint.h>

/* Threads beyond which nothing is proven: looking would take too long. */
#define QUIET_THREADS 128

struct quiet {
	bool known;
	unsigned int threads;
	int32_t tid[QUIET_THREADS];
	uint64_t ran_ns[QUIET_THREADS];
};

/* quiet_begin - remembers the other threads of the process and what each has run. */
void quiet_begin(struct quiet *q);
/*
 * quiet_end - how many of them have run since, or ended; UINT32_MAX where that cannot be told. One
 * that was made since was made by one that ran.
 */
uint32_t quiet_end(const struct quiet *q);

#endif
