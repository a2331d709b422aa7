/* SPDX-License-Identifier: MIT */
/* thread.h - threads of the library's own. */
#ifndef SLABKIT_SLAB_THREAD_H
#define SLABKIT_SLAB_THREAD_H

#include <stdbool.h>
#include <stddef.h>

/*
 * thread_start - a detached one that gets no signals; stack_bytes: 0 for the program's default.
 * False: it cannot be had at present.
 */
bool thread_start(void *(*work)(void *arg), void *arg, size_t stack_bytes);

#endif
