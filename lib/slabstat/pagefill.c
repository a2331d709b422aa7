// SPDX-License-Identifier: MIT
/* pagefill.c - from the figures in a page to caches of a snapshot; see pagefill.h. */
#include "slabstat/pagefill.h"

#include "util/num.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What counter i of a scope is. */
struct meaning {
	int field[WIRE_FIELDS_MAX];	/* enum slabstat_field, or -1 */
	unsigned n;
};

struct filler {
	const struct wirepage *page;
	struct slabstat_snapshot *s;
	unsigned flags;
	struct meaning meaning[WIRE_SCOPES];
	int mergeable, account, serial;	/* places in the cache scope, or -1 */
	struct slabstat_cache *cache;	/* the one whose records come; NULL: none yet */
};

/* ---- meaning --------------------------------------------------------------------------------- */

static enum slabstat_field_kind kind_of(enum slabstat_field f)
{
	return slabstat_field_info(f)->kind;
}

/* What is computed from others is ours to compute. */
static int field_of(const char *id)
{
	int field = slabstat_field_find(id);

	return field < 0 || kind_of((enum slabstat_field)field) == SLABSTAT_KIND_DERIVED ? -1
											 : field;
}

static int place_if(const struct wire_name *n, const char *id, const struct meaning *m, int before)
{
	return n->scope == WIRE_CACHE && strcmp(n->id, id) == 0 ? (int)m->n : before;
}

static void find_meaning(struct filler *x)
{
	x->mergeable = x->account = x->serial = -1;
	for (unsigned i = 0; i < x->page->head.counters; i++) {
		struct wire_name n = wirepage_name(x->page, i);
		struct meaning *m;

		if (n.scope >= WIRE_SCOPES)
			continue;
		m = &x->meaning[n.scope];
		x->mergeable = place_if(&n, "mergeable", m, x->mergeable);
		x->account = place_if(&n, "account", m, x->account);
		x->serial = place_if(&n, "serial", m, x->serial);
		m->field[m->n++] = field_of(n.id);
	}
}

/* ---- values ---------------------------------------------------------------------------------- */

static bool adds_up(enum slabstat_field f)
{
	return kind_of(f) == SLABSTAT_KIND_LEVEL || kind_of(f) == SLABSTAT_KIND_COUNTER;
}

/* Of what is over, levels are 0: it holds nothing any more. */
static uint64_t value_of(const struct filler *x, enum slabstat_field f, uint64_t v)
{
	return x->flags & PAGEFILL_PAST && kind_of(f) == SLABSTAT_KIND_LEVEL ? 0 : v;
}

static void set_value(const struct filler *x, struct slabstat_cache *c, enum slabstat_field f,
		      uint64_t v)
{
	v = value_of(x, f, v);
	if (!cache_has(c, f))
		cache_set(c, f, v, SLABSTAT_EXACT);
	else if (adds_up(f))
		c->value[f] = num_add_sat(c->value[f], v);
}

static void set_values(const struct filler *x, const struct wirepage_record *r,
		       struct slabstat_cache *c)
{
	const struct meaning *m = &x->meaning[WIRE_CACHE];

	for (unsigned i = 0; i < m->n; i++) {
		uint64_t v = wirepage_value(r, i);

		if (m->field[i] >= 0 && v != WIRE_ABSENT)
			set_value(x, c, (enum slabstat_field)m->field[i], v);
	}
}

/* What has shares by node or CPU is 0 until there are some. */
static void set_zero(const struct filler *x, enum wire_scope scope, struct slabstat_cache *c)
{
	const struct meaning *m = &x->meaning[scope];

	for (unsigned i = 0; i < m->n; i++)
		if (m->field[i] >= 0)
			cache_set(c, (enum slabstat_field)m->field[i], 0, SLABSTAT_EXACT);
}

static struct slabstat_share *find_share(const struct slabstat_cache *c, enum slabstat_field f,
					 unsigned index)
{
	for (struct share_list *l = c->shares; l; l = l->next)
		for (size_t i = 0; l->field == f && i < l->count; i++)
			if (l->share[i].index == index)
				return &l->share[i];
	return NULL;
}

static int add_share(struct slabstat_snapshot *s, struct slabstat_cache *c, enum slabstat_field f,
		     unsigned index, uint64_t v)
{
	struct slabstat_share *share = find_share(c, f, index);

	if (!share)
		return v ? snapshot_share(s, c, f, index, v) : 0;
	share->value = num_add_sat(share->value, v);
	return 0;
}

static int add_shares(const struct filler *x, const struct wirepage_record *r,
		      enum wire_scope scope)
{
	const struct meaning *m = &x->meaning[scope];
	struct slabstat_cache *c = x->cache;

	for (unsigned i = 0; i < m->n; i++) {
		enum slabstat_field f = (enum slabstat_field)m->field[i];
		uint64_t v = wirepage_value(r, i);

		if (m->field[i] < 0)
			continue;
		if (v == WIRE_ABSENT) {
			c->quality[f] = SLABSTAT_ABSENT;
			continue;
		}
		v = value_of(x, f, v);
		c->value[f] = num_add_sat(c->value[f], v);
		if (add_share(x->s, c, f, r->index, v))
			return -ENOMEM;
	}
	return 0;
}

/* ---- caches ---------------------------------------------------------------------------------- */

/* The id that the kernel would give it: ":a-0000256". */
static void make_id(const struct filler *x, const struct wirepage_record *r,
		    const struct slabstat_cache *facts, char id[48])
{
	char flags[8], *p = flags;

	if (facts->value[SLABSTAT_RECLAIM_ACCOUNT])
		*p++ = 'a';
	if (x->account >= 0 && wirepage_value(r, (unsigned)x->account))
		*p++ = 'A';
	if (p > flags)
		*p++ = '-';
	*p = '\0';
	snprintf(id, 48, ":%s%07" PRIu64, flags, facts->value[SLABSTAT_SLAB_SIZE]);
}

static struct slabstat_cache *find_cache(const struct slabstat_snapshot *s, const char *name,
					 uint64_t slab_size)
{
	for (size_t i = 0; i < s->count; i++)
		if (strcmp(s->cache[i]->name, name) == 0 &&
		    s->cache[i]->value[SLABSTAT_SLAB_SIZE] == slab_size)
			return s->cache[i];
	return NULL;
}

static int link_once(const struct filler *x, const char *name, const char *target)
{
	for (size_t i = 0; x->flags & PAGEFILL_SUM && i < x->s->link_count; i++)
		if (strcmp(x->s->link[i].name, name) == 0 &&
		    strcmp(x->s->link[i].target, target) == 0)
			return 0;
	x->s->notes.links++;
	return snapshot_link(x->s, name, target);
}

static int begin_cache(struct filler *x, const struct wirepage_record *r)
{
	struct slabstat_cache facts = { .name = NULL };
	const char *name = r->name;
	char id[48];

	set_values(x, r, &facts);
	if (x->mergeable >= 0 && wirepage_value(r, (unsigned)x->mergeable)) {
		make_id(x, r, &facts, id);
		name = id;
		if (link_once(x, r->name, id))
			return -ENOMEM;
	}
	x->cache = x->flags & PAGEFILL_SUM ? find_cache(x->s, name, facts.value[SLABSTAT_SLAB_SIZE])
					   : NULL;
	if (!x->cache) {
		x->cache = snapshot_add(x->s, name, strlen(name));
		if (!x->cache)
			return -ENOMEM;
		if (x->serial >= 0)
			x->cache->position = (size_t)wirepage_value(r, (unsigned)x->serial);
		set_zero(x, WIRE_NODE, x->cache);
		set_zero(x, WIRE_CPU, x->cache);
	}
	set_values(x, r, x->cache);
	return 0;
}

static int add_record(struct filler *x, const struct wirepage_record *r)
{
	switch (r->type) {
	case WIRE_RECORD_CACHE:
		return begin_cache(x, r);
	case WIRE_RECORD_NAME:
		return x->cache ? link_once(x, r->name, x->cache->name) : 0;
	case WIRE_RECORD_NODE:
		return x->cache ? add_shares(x, r, WIRE_NODE) : 0;
	case WIRE_RECORD_CPU:
		return x->cache ? add_shares(x, r, WIRE_CPU) : 0;
	default:
		return 0;
	}
}

int pagefill(const struct wirepage *p, struct slabstat_snapshot *s, unsigned flags)
{
	struct filler x = { .page = p, .s = s, .flags = flags };
	struct wirepage_record r;
	size_t at = 0;
	int ret;

	find_meaning(&x);
	while ((ret = wirepage_next(p, &at, &r)) == 1) {
		ret = add_record(&x, &r);
		if (ret)
			return ret;
	}
	return ret;
}

int pagefill_copy(const struct slabstat_snapshot *from, struct slabstat_snapshot *s)
{
	for (size_t i = 0; i < from->link_count; i++)
		if (snapshot_link(s, from->link[i].name, from->link[i].target))
			return -ENOMEM;
	s->notes.links += from->link_count;
	for (size_t i = 0; i < from->count; i++) {
		const struct slabstat_cache *old = from->cache[i];
		struct slabstat_cache *c = snapshot_add(s, old->name, strlen(old->name));

		if (!c)
			return -ENOMEM;
		memcpy(c->value, old->value, sizeof(c->value));
		memcpy(c->quality, old->quality, sizeof(c->quality));
		for (const struct share_list *l = old->shares; l; l = l->next)
			for (size_t k = 0; k < l->count; k++)
				if (snapshot_share(s, c, l->field, l->share[k].index,
						   l->share[k].value))
					return -ENOMEM;
	}
	return 0;
}
