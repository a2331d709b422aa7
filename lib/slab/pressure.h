/* SPDX-License-Identifier: MIT */
/*
 * pressure.h - memory is short in the whole system, or in the process's group: give back before the
 * limit, or the system's, is reached.
 *
 * Only if SLAB_OPTIONS asks for it there is a thread that sleeps on a trigger of the kernel's
 * pressure stall information (PSI): tasks that waited for memory for so long within so long a
 * window. At each event the allocator gives back what it holds free and asks shrinkers for half of
 * what they have. The thread is started by the first cache that is made, in a child of fork by the
 * next.
 */
#ifndef SLABKIT_SLAB_PRESSURE_H
#define SLABKIT_SLAB_PRESSURE_H

#include <stdbool.h>

/* pressure_start - the thread, if it is wanted and not there; says once why it cannot be. */
void pressure_start(void);
/* pressure_serve - answers events on fd (POLLPRI), until that has an error. */
void pressure_serve(int fd);
/* pressure_after_fork - in the child there is no thread. */
void pressure_after_fork(void);

#endif
