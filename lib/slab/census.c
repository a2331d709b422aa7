// SPDX-License-Identifier: MIT
/* census.c - taking the figures of every cache. */
#include "census.h"

#include <string.h>
#include <time.h>

#include "cpu.h"
#include "merge.h"
#include "node.h"
#include "peek.h"
#include "quiet.h"
#include "root.h"
#include "wire/wire.h"

/* What is read of a CPU's block in one go, twice. */
struct look {
	struct wire_cpu v;
	uint64_t barn_objs;
	bool owned, has_sheaf;
};

/* One cache; cpu[] holds the first look at each CPU, then the second; the nodes stand behind. */
struct sight {
	struct wire_cache v;
	struct look cpu[];
};

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

static bool make_room(struct census_space *space, size_t bytes)
{
	size_t room = space->room ? space->room : 4 * PAGE_BYTES;
	char *at;

	while (room < bytes)
		room *= 2;
	if (room == space->room)
		return true;
	at = pages_map(room);
	if (!at)
		return false;
	if (space->room)
		memcpy(at, space->at, space->room);
	*space = (struct census_space){ .at = at, .room = room };
	return true;
}

/* ---- records --------------------------------------------------------------------------------- */

static bool put(struct census *c, enum wire_record_type type, unsigned int index,
		const void *values, size_t value_bytes, const char *text)
{
	size_t text_bytes = text ? strlen(text) + 1 : 0;
	size_t bytes = (sizeof(struct wire_record) + value_bytes + text_bytes + 7) & ~(size_t)7;
	struct wire_record r = { .bytes = (uint32_t)bytes,
				 .type = (uint16_t)type,
				 .index = (uint16_t)index };
	char *p;

	if (!make_room(&c->records, c->bytes + bytes))
		return false;
	p = c->records.at + c->bytes;
	memset(p + bytes - 8, 0, 8);
	memcpy(p, &r, sizeof(r));
	if (value_bytes)
		memcpy(p + sizeof(r), values, value_bytes);
	if (text)
		memcpy(p + sizeof(r) + value_bytes, text, text_bytes);
	c->bytes += bytes;
	return true;
}

/* ---- reading a cache ------------------------------------------------------------------------- */

/*
 * The owner of a block writes its counts of objects as plain words, for the fast path's sake: one
 * that is read meanwhile is the old or the new one. ThreadSanitizer cannot know.
 */
__attribute__((no_sanitize("thread"))) static void
look_at_cpu(const struct kmem_cache *s, unsigned int cpu, struct look *l)
{
	const struct cpu_block *b = &s->cpu[cpu];

	memset(l, 0, sizeof(*l));
	l->owned = root.rseq ? peek(b->lo) != 0 : peek(b->lock_word) != 0;
	if (!s->sheafless) {
		l->has_sheaf = peek(b->main) != NULL;
		l->v.sheaf_objs = (uint64_t)peek(b->n) + peek(b->spare_n);
		l->barn_objs = (uint64_t)peek(b->barn.nr_full) * peek(s->capacity);
	}
	l->v.barn_get = peek(b->stat[STAT_BARN_GET]);
	l->v.barn_get_fail = peek(b->stat[STAT_ALLOC_REFILL]);
	l->v.barn_put = peek(b->stat[STAT_BARN_PUT]);
	l->v.barn_put_fail = peek(b->stat[STAT_FREE_FLUSH]);
	l->v.barn_steal = peek(b->stat[STAT_BARN_STEAL]);
	l->v.sheaf_swap = peek(b->stat[STAT_SHEAF_SWAP]);
	l->v.alloc_bypass = peek(b->stat[STAT_ALLOC_BYPASS]);
	l->v.free_bypass = peek(b->stat[STAT_FREE_BYPASS]);
}

static bool is_blank(const struct look *l)
{
	static const struct wire_cpu none;

	return !memcmp(&l->v, &none, sizeof(none));
}

static uint64_t apart(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* Objects that may have moved on one CPU between two looks. */
static uint64_t motion(const struct kmem_cache *s, const struct look *a, const struct look *b)
{
	uint64_t sheaves = b->v.barn_get - a->v.barn_get;

	sheaves += b->v.barn_get_fail - a->v.barn_get_fail;
	sheaves += b->v.barn_put - a->v.barn_put;
	sheaves += b->v.barn_put_fail - a->v.barn_put_fail;
	sheaves += b->v.barn_steal - a->v.barn_steal;
	sheaves += b->v.sheaf_swap - a->v.sheaf_swap;
	sheaves += a->owned || b->owned;
	return sheaves * peek(s->capacity) + apart(a->barn_objs, b->barn_objs) +
	       (b->v.alloc_bypass - a->v.alloc_bypass) + (b->v.free_bypass - a->v.free_bypass);
}

/* Without sheaves: slabs in a CPU's hands. */
static uint64_t cpu_slabs(const struct kmem_cache *s, unsigned int cpu)
{
	const struct cpu_block *b = &s->cpu[cpu];

	return s->sheafless ? peek(b->nr_slabs) + (peek(b->slab) != NULL) : 0;
}

static void look_at_node(const struct kmem_cache *s, unsigned int node, struct wire_node *v)
{
	uint64_t free = node_free(s, node), room;

	memset(v, 0, sizeof(*v));
	v->slabs = peek(s->nodes[node].nr_slabs);
	v->partial = peek(s->nodes[node].nr_partial);
	v->released_bytes = node_holes(s, node) * root.page_bytes;
	v->total_objects = v->slabs * s->objects;
	v->objects = v->total_objects > free ? v->total_objects - free : 0;
	/* What is free is on partial slabs, but without sheaves CPUs have some too. */
	room = v->partial * s->objects;
	v->objects_partial = room > free ? room - free : 0;
}

/* What CPUs hold counts for the node that they take memory from. */
static void look_at_nodes(const struct kmem_cache *s, const struct look *l, struct wire_node *v)
{
	unsigned int nodes = numa_indices(&root.numa);
	uint64_t held = 0;

	for (unsigned int node = 0; node < nodes; node++)
		look_at_node(s, node, &v[node]);
	for (unsigned int cpu = 0; cpu < root.nr_cpus; cpu++) {
		struct wire_node *own = &v[numa_of_cpu(&root.numa, cpu)];
		uint64_t slabs = cpu_slabs(s, cpu);

		own->barn_objs += l[cpu].barn_objs;
		own->cpu_slabs += slabs;
		held += slabs;
	}
	for (unsigned int node = 0; held && node < nodes; node++)
		v[node].objects_partial = WIRE_ABSENT;
}

static void look_at_cache(const struct kmem_cache *s, struct wire_cache *v)
{
	memset(v, 0, sizeof(*v));
	v->serial = s->serial;
	v->mergeable = s->mergeable;
	v->account = !!(s->flags & SLAB_ACCOUNT);
	v->object_size = peek(s->object_size);
	v->slab_size = s->size;
	v->objs_per_slab = s->objects;
	v->order = s->order;
	v->align = s->align;
	v->usersize = s->usersize;
	v->aliases = s->refcount ? s->refcount - 1 : 0; /* 0: what a destroy left */
	v->hwcache_align = !!(s->flags & SLAB_HWCACHE_ALIGN);
	v->reclaim_account = !!(s->flags & SLAB_RECLAIM_ACCOUNT);
	v->destroy_by_rcu = !!(s->flags & SLAB_TYPESAFE_BY_RCU);
	v->sanity_checks = !!(s->flags & SLAB_CONSISTENCY_CHECKS);
	v->red_zone = !!(s->flags & SLAB_RED_ZONE);
	v->poison = !!(s->flags & SLAB_POISON);
	v->store_user = !!(s->flags & SLAB_STORE_USER);
	v->min_partial = peek(s->min_partial);
	v->cpu_partial = peek(s->cpu_partial);
	v->sheaf_capacity = peek(s->capacity);
	v->rcu_objs = rcu_waiting_objects(s);
	v->rcu_sheaves = peek(s->rcu.sent);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static size_t sight_bytes(void)
{
	return sizeof(struct sight) + 2 * root.nr_cpus * sizeof(struct look) +
	       numa_indices(&root.numa) * sizeof(struct wire_node);
}

static struct wire_node *nodes_of(struct sight *t)
{
	return (struct wire_node *)&t->cpu[2 * root.nr_cpus];
}

static struct sight *sight_of(const struct census *c, size_t i)
{
	return (struct sight *)(c->sights.at + i * sight_bytes());
}

static void look_first(const struct kmem_cache *s, struct sight *t)
{
	for (unsigned int cpu = 0; cpu < root.nr_cpus; cpu++)
		look_at_cpu(s, cpu, &t->cpu[cpu]);
}

static void look_again(const struct kmem_cache *s, struct sight *t)
{
	struct look *l = &t->cpu[root.nr_cpus];

	look_at_cache(s, &t->v);
	for (unsigned int cpu = 0; cpu < root.nr_cpus; cpu++)
		look_at_cpu(s, cpu, &l[cpu]);
	look_at_nodes(s, l, nodes_of(t));
}

/*
 * Objects in motion: what moved in sheaves and round them between the looks; and where others ran,
 * for as many CPUs as there were threads, what the fast path may have taken and put back unseen.
 */
static uint64_t bound_motion(const struct kmem_cache *s, const struct sight *t, uint32_t ran)
{
	const struct look *again = &t->cpu[root.nr_cpus];
	uint64_t moved = 0, with_sheaf = 0;

	for (unsigned int cpu = 0; cpu < root.nr_cpus; cpu++) {
		moved += motion(s, &t->cpu[cpu], &again[cpu]);
		with_sheaf += again[cpu].has_sheaf;
	}
	return moved + (with_sheaf < ran ? with_sheaf : ran) * t->v.sheaf_capacity;
}

static bool put_cache(struct census *c, const struct kmem_cache *s, struct sight *t, uint32_t ran)
{
	const struct look *l = &t->cpu[root.nr_cpus];

	t->v.in_motion_objs = bound_motion(s, t, ran);
	if (!put(c, WIRE_RECORD_CACHE, 0, &t->v, sizeof(t->v), s->name))
		return false;
	for (const struct alias *a = s->aliases; a; a = a->next)
		if (!put(c, WIRE_RECORD_NAME, 0, NULL, 0, a->name))
			return false;
	for (unsigned int node = 0; node < numa_indices(&root.numa); node++)
		if ((!node || nodes_of(t)[node].slabs || nodes_of(t)[node].barn_objs) &&
		    !put(c, WIRE_RECORD_NODE, node, &nodes_of(t)[node], sizeof(struct wire_node),
			 NULL))
			return false;
	for (unsigned int cpu = 0; cpu < root.nr_cpus; cpu++)
		if (!is_blank(&l[cpu]) &&
		    !put(c, WIRE_RECORD_CPU, cpu, &l[cpu].v, sizeof(l[cpu].v), NULL))
			return false;
	return true;
}

static bool put_process(struct census *c, uint64_t start)
{
	const struct wire_process v = {
		.used_bytes = peek(root.pages.used_bytes),
		.dirty_bytes = peek(root.pages.dirty_bytes),
		.mapped_bytes = peek(root.pages.mapped_bytes),
		.page_bytes = PAGE_BYTES,
		.take_ns = now_ns() - start,
		.lost = c->lost,
	};

	return put(c, WIRE_RECORD_PROCESS, 0, &v, sizeof(v), NULL);
}

/* Under the root's lock. */
static bool take_all(struct census *c)
{
	struct quiet q;
	uint32_t ran;
	size_t i = 0;

	for (const struct kmem_cache *s = root.caches; s; s = s->next)
		i++;
	if (!make_room(&c->sights, i * sight_bytes()))
		return false;
	c->caches = (uint32_t)i;
	quiet_begin(&q);
	i = 0;
	for (const struct kmem_cache *s = root.caches; s; s = s->next)
		look_first(s, sight_of(c, i++));
	i = 0;
	for (const struct kmem_cache *s = root.caches; s; s = s->next)
		look_again(s, sight_of(c, i++));
	ran = quiet_end(&q);
	i = 0;
	for (const struct kmem_cache *s = root.caches; s; s = s->next)
		if (!put_cache(c, s, sight_of(c, i++), ran))
			return false;
	return true;
}

bool census_take(struct census *c, bool wait)
{
	uint64_t start = now_ns();
	bool ok;

	c->bytes = 0;
	if (wait)
		lock_take(&root.lock, LOCK_ROOT);
	else if (!lock_try(&root.lock))
		return false;
	ok = take_all(c);
	lock_drop(&root.lock, LOCK_ROOT);
	return ok && put_process(c, start);
}
