// SPDX-License-Identifier: MIT
/* arena.c - memory that is given back all at once; see arena.h. */
#include "util/arena.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_BLOCK ((size_t)16 << 10)
#define LAST_BLOCK  ((size_t)1 << 20)

struct arena_block {
	struct arena_block *older;
	size_t size, used;
	alignas(max_align_t) char data[];
};

void *arena_alloc(struct arena *a, size_t size)
{
	const size_t align = alignof(max_align_t);
	struct arena_block *b = a->block;
	void *p;

	if (size > (size_t)-1 / 2)
		return NULL;
	size = (size + align - 1) & ~(align - 1);
	if (!b || b->size - b->used < size) {
		size_t room = !b ? FIRST_BLOCK : b->size < LAST_BLOCK ? b->size * 2 : LAST_BLOCK;

		if (room < size)
			room = size;
		b = calloc(1, sizeof(*b) + room);
		if (!b)
			return NULL;
		b->size = room;
		b->older = a->block;
		a->block = b;
	}
	p = b->data + b->used;
	b->used += size;
	return p;
}

char *arena_string(struct arena *a, const char *text, size_t len)
{
	char *copy = arena_alloc(a, len + 1);

	if (copy)
		memcpy(copy, text, len);
	return copy;
}

void arena_free(struct arena *a)
{
	while (a->block) {
		struct arena_block *older = a->block->older;

		free(a->block);
		a->block = older;
	}
}
