// SPDX-License-Identifier: MIT
/* barn.c - full and empty sheaves of one CPU. */
#include "barn.h"

#include "cache.h"
#include "peek.h"
#include "root.h"
#include "sheaf.h"

#define STRIDE_MAX 16 /* full sheaves that one theft may take */

static inline struct sheaf *pop(struct sheaf **list)
{
	struct sheaf *sh = *list;

	*list = sh->next;
	return sh;
}

static inline void push(struct sheaf **list, struct sheaf *sh)
{
	sh->next = *list;
	*list = sh;
}

struct sheaf *barn_get_full(struct barn *b, struct sheaf *empty)
{
	struct sheaf *full = NULL;

	lock_take(&b->lock, LOCK_BARN);
	if (b->nr_full) {
		full = pop(&b->full);
		poke_sub(b->nr_full, 1);
		push(&b->empty, empty);
		poke_add(b->nr_empty, 1);
	}
	lock_drop(&b->lock, LOCK_BARN);
	return full;
}

bool barn_put_full(struct barn *b, struct sheaf *full, struct sheaf **empty)
{
	bool room;

	*empty = NULL;
	lock_take(&b->lock, LOCK_BARN);
	room = b->nr_full < b->limit;
	if (room) {
		push(&b->full, full);
		poke_add(b->nr_full, 1);
		if (b->nr_empty) {
			*empty = pop(&b->empty);
			poke_sub(b->nr_empty, 1);
		}
	}
	lock_drop(&b->lock, LOCK_BARN);
	return room;
}

unsigned int barn_take_full(struct barn *b, struct sheaf **chain, unsigned int want)
{
	unsigned int got = 0;

	*chain = NULL;
	lock_take(&b->lock, LOCK_BARN);
	for (; got < want && b->nr_full; got++) {
		push(chain, pop(&b->full));
		poke_sub(b->nr_full, 1);
	}
	lock_drop(&b->lock, LOCK_BARN);
	return got;
}

unsigned int barn_take_empty(struct barn *b, struct sheaf **chain, unsigned int want)
{
	unsigned int got = 0;
	int room;

	*chain = NULL;
	lock_take(&b->lock, LOCK_BARN);
	room = b->limit - b->nr_full;
	for (; got < want && (int)got < room && b->nr_empty; got++) {
		push(chain, pop(&b->empty));
		poke_sub(b->nr_empty, 1);
	}
	lock_drop(&b->lock, LOCK_BARN);
	return got;
}

void barn_give(struct barn *b, struct sheaf *full, struct sheaf *empty)
{
	lock_take(&b->lock, LOCK_BARN);
	while (full) {
		push(&b->full, pop(&full));
		poke_add(b->nr_full, 1);
	}
	while (empty) {
		push(&b->empty, pop(&empty));
		poke_add(b->nr_empty, 1);
	}
	lock_drop(&b->lock, LOCK_BARN);
}

bool barn_note_miss(struct kmem_cache *s, struct barn *b)
{
	bool alone;

	lock_take(&b->lock, LOCK_BARN);
	b->flushes = 0;
	if (b->limit < s->barn_max) {
		uint32_t more = b->limit * 2U + 1;

		poke(b->limit, (uint16_t)(more < s->barn_max ? more : s->barn_max));
	}
	if (b->misses < UINT16_MAX)
		poke_add(b->misses, 1);
	alone = b->misses > s->barn_max;
	lock_drop(&b->lock, LOCK_BARN);
	return alone;
}

struct sheaf *barn_note_flush(struct kmem_cache *s, struct barn *b)
{
	struct sheaf *excess = NULL;

	lock_take(&b->lock, LOCK_BARN);
	poke(b->misses, 0);
	b->stride = 1;
	if (b->flushes < UINT16_MAX)
		b->flushes++;
	if (b->flushes > s->barn_max && b->limit) {
		poke(b->limit, b->limit / 2);
		while (b->nr_full > b->limit) {
			push(&excess, pop(&b->full));
			poke_sub(b->nr_full, 1);
		}
	}
	lock_drop(&b->lock, LOCK_BARN);
	return excess;
}

static struct sheaf **tail_of(struct sheaf **list)
{
	while (*list)
		list = &(*list)->next;
	return list;
}

/* Up to n from the front of a list, which keeps the rest. A list that goes whole is not walked. */
static unsigned int cut(struct sheaf **list, uint16_t *nr, unsigned int n, struct sheaf **chain)
{
	struct sheaf **end = list;

	*chain = *list;
	if (n >= *nr) {
		n = *nr;
		*list = NULL;
	} else {
		for (unsigned int i = 0; i < n; i++)
			end = &(*end)->next;
		*chain = n ? *list : NULL;
		*list = *end;
		*end = NULL;
	}
	poke(*nr, (uint16_t)(*nr - n));
	return n;
}

static void join(struct sheaf **list, uint16_t *nr, struct sheaf *chain, unsigned int n)
{
	*tail_of(list) = chain;
	poke(*nr, (uint16_t)(*nr + n));
}

/*
 * One lock at a time: the other's for the loot, mine to put it away and for empty sheaves to pay
 * with, the other's to pay. The lines of the loot are in the other's cache, and stay there: its
 * whole list changes hands by its head.
 */
static unsigned int steal_from(struct kmem_cache *s, struct barn *mine, struct barn *other)
{
	struct sheaf *full, *empty;
	unsigned int want = mine->stride ? mine->stride : 1, got, paid;

	lock_take(&other->lock, LOCK_BARN);
	got = cut(&other->full, &other->nr_full, want, &full);
	if (got) {
		other->flushes = 0;
		poke(other->limit, (uint16_t)s->barn_max);
	}
	lock_drop(&other->lock, LOCK_BARN);
	if (!got)
		return 0;

	lock_take(&mine->lock, LOCK_BARN);
	join(&mine->full, &mine->nr_full, full, got);
	paid = cut(&mine->empty, &mine->nr_empty, got, &empty);
	if (mine->stride < STRIDE_MAX)
		mine->stride = (uint16_t)(want * 2);
	lock_drop(&mine->lock, LOCK_BARN);

	if (paid) {
		struct sheaf **end = tail_of(&empty);

		lock_take(&other->lock, LOCK_BARN);
		*end = other->empty;
		other->empty = empty;
		poke(other->nr_empty, (uint16_t)(other->nr_empty + paid));
		lock_drop(&other->lock, LOCK_BARN);
	}
	return got;
}

static void reopen(struct kmem_cache *s, struct barn *b)
{
	lock_take(&b->lock, LOCK_BARN);
	b->flushes = 0;
	poke(b->limit, (uint16_t)s->barn_max);
	lock_drop(&b->lock, LOCK_BARN);
}

unsigned int barn_steal(struct kmem_cache *s, struct cpu_block *mine)
{
	unsigned int home = cache_home(s, mine);

	for (unsigned int i = 1; i < root.nr_cpus; i++) {
		struct barn *other = &s->cpu[(home + i) % root.nr_cpus].barn;
		unsigned int got;

		if (s->cpu[(home + i) % root.nr_cpus].near != mine->near)
			continue;
		if (!peek(other->nr_full)) {
			/* What is freed there is wanted here: it need not go to slabs. */
			if (peek(other->limit) < s->barn_max)
				reopen(s, other);
			continue;
		}
		got = steal_from(s, &mine->barn, other);
		if (got)
			return got;
	}
	return 0;
}
