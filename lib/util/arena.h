/* SPDX-License-Identifier: MIT */
/*
 * arena.h - memory that is given back all at once.
 *
 * Blocks of rising size; an allocation is a bump. Nothing is freed singly.
 */
#ifndef SLABKIT_UTIL_ARENA_H
#define SLABKIT_UTIL_ARENA_H

#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *block;	/* newest first; NULL: nothing yet */
};

/* arena_alloc - size bytes of zeroes, aligned for any type; NULL: no memory. */
void *arena_alloc(struct arena *a, size_t size);

/* arena_string - a terminated copy of len bytes. */
char *arena_string(struct arena *a, const char *text, size_t len);

void arena_free(struct arena *a);

#endif
