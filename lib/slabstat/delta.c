// SPDX-License-Identifier: MIT
/*
 * delta.c - which cache of one snapshot is which of another.
 *
 * Names are not identities: the kernel calls a merged cache after its size (:A-0000128), the set of
 * caches merged into one differs between boots and kernels, a name can stand twice, and old kernels
 * put addresses into names. So pairs are made in rounds, the surest first, and what is paired is
 * out:
 *
 *	1. name, size and flags; for a merged cache the same aliases too
 *	2. name: the cache has grown another field or lost a debug flag
 *	3. the same aliases, size and flags under another name
 *	4. the most users in common
 *	5. merged caches of the same name, that is of the same size and flags
 *	6. names that differ in an address only, size and flags
 *
 * Equal keys are paired from the end of the source: the kernel lists new caches first.
 */
#include "slabstat/error.h"
#include "slabstat/family.h"
#include "slabstat/quality.h"
#include "slabstat/snapshot.h"
#include "util/name.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct slabstat_delta {
	struct slabstat_pair *pair;
	size_t count;
};

/* One snapshot's caches that have no partner yet. */
struct side {
	const struct slabstat_cache **cache;
	size_t count;
};

typedef int compare_fn(const struct slabstat_cache *a, const struct slabstat_cache *b);
typedef bool takes_fn(const struct slabstat_cache *c);

/* ---- keys ------------------------------------------------------------------------------------ */

static int compare_u64(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_value(const struct slabstat_cache *a, const struct slabstat_cache *b,
			 enum slabstat_field f)
{
	if (cache_has(a, f) != cache_has(b, f))
		return cache_has(a, f) ? 1 : -1;
	return cache_has(a, f) ? compare_u64(a->value[f], b->value[f]) : 0;
}

static int compare_make(const struct slabstat_cache *a, const struct slabstat_cache *b)
{
	static const enum slabstat_field make[] = {
		SLABSTAT_SLAB_SIZE,	  SLABSTAT_OBJECT_SIZE,	   SLABSTAT_HWCACHE_ALIGN,
		SLABSTAT_RECLAIM_ACCOUNT, SLABSTAT_DESTROY_BY_RCU, SLABSTAT_CACHE_DMA,
		SLABSTAT_SANITY_CHECKS,	  SLABSTAT_RED_ZONE,	   SLABSTAT_POISON,
		SLABSTAT_STORE_USER,
	};
	int order = 0;

	for (size_t i = 0; i < sizeof(make) / sizeof(make[0]) && order == 0; i++)
		order = compare_value(a, b, make[i]);
	return order;
}

static int compare_aliases(const struct slabstat_cache *a, const struct slabstat_cache *b)
{
	int order = compare_u64(a->alias_count, b->alias_count);

	for (size_t i = 0; i < a->alias_count && order == 0; i++)
		order = strcmp(a->alias[i], b->alias[i]);
	return order;
}

static int compare_name(const struct slabstat_cache *a, const struct slabstat_cache *b)
{
	return strcmp(a->name, b->name);
}

static int compare_identity(const struct slabstat_cache *a, const struct slabstat_cache *b)
{
	int order = compare_name(a, b);

	if (order == 0)
		order = compare_make(a, b);
	return order == 0 && a->name[0] == ':' ? compare_aliases(a, b) : order;
}

static int compare_users(const struct slabstat_cache *a, const struct slabstat_cache *b)
{
	int order = compare_aliases(a, b);

	return order ? order : compare_make(a, b);
}

static int compare_stem(const struct slabstat_cache *a, const struct slabstat_cache *b)
{
	size_t n = family_stem(a->name), m = family_stem(b->name);
	int order = memcmp(a->name, b->name, n < m ? n : m);

	if (order == 0)
		order = compare_u64(n, m);
	return order ? order : compare_make(a, b);
}

static bool takes_all(const struct slabstat_cache *c)
{
	(void)c;
	return true;
}

static bool takes_named(const struct slabstat_cache *c)
{
	return c->name[0] != ':';
}

static bool takes_merged(const struct slabstat_cache *c)
{
	return c->name[0] == ':';
}

static bool takes_aliased(const struct slabstat_cache *c)
{
	return c->alias_count > 0;
}

static bool takes_address(const struct slabstat_cache *c)
{
	return family_stem(c->name) > 0;
}

/* ---- rounds by equal keys -------------------------------------------------------------------- */

static void add_pair(struct slabstat_delta *d, const struct slabstat_cache *older,
		     const struct slabstat_cache *newer)
{
	d->pair[d->count++] = (struct slabstat_pair){ older, newer };
}

static int compare_candidates(const void *left, const void *right, void *arg)
{
	const struct slabstat_cache *a = *(const struct slabstat_cache *const *)left;
	const struct slabstat_cache *b = *(const struct slabstat_cache *const *)right;
	compare_fn *const *key = arg;
	int order = (*key)(a, b);

	return order ? order : compare_u64(b->position, a->position);
}

/* Move the caches that take part to the front, sorted by key; returns how many. */
static size_t gather(struct side *s, compare_fn *key, takes_fn *takes)
{
	size_t n = 0;

	for (size_t i = 0; i < s->count; i++) {
		const struct slabstat_cache *c = s->cache[i];

		if (takes(c)) {
			s->cache[i] = s->cache[n];
			s->cache[n++] = c;
		}
	}
	qsort_r(s->cache, n, sizeof(*s->cache), compare_candidates, &key);
	return n;
}

static void drop_paired(struct side *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->count; i++)
		if (s->cache[i])
			s->cache[n++] = s->cache[i];
	s->count = n;
}

static void pair_equal(struct slabstat_delta *d, struct side *older, struct side *newer,
		       compare_fn *key, takes_fn *takes)
{
	size_t n = gather(older, key, takes), m = gather(newer, key, takes);

	for (size_t i = 0, k = 0; i < n && k < m;) {
		int order = key(older->cache[i], newer->cache[k]);

		if (order == 0) {
			add_pair(d, older->cache[i], newer->cache[k]);
			older->cache[i] = newer->cache[k] = NULL;
		}
		i += order <= 0;
		k += order >= 0;
	}
	drop_paired(older);
	drop_paired(newer);
}

/* ---- the round by users in common ------------------------------------------------------------ */

/* A name that says who uses a cache, and whose it is: the cache's index in its side. */
struct user {
	const char *name;
	size_t owner;
};

/* Two caches that have users in common. */
struct link {
	size_t older, newer;
	size_t common;
	bool same_make;
	/* the two labels in order: the same seen from either side */
	const char *low, *high;
};

static int compare_user(const void *a, const void *b)
{
	const struct user *p = a, *q = b;
	int order = strcmp(p->name, q->name);

	return order ? order : compare_u64(p->owner, q->owner);
}

static int compare_ends(const void *a, const void *b)
{
	const struct link *p = a, *q = b;
	int order = compare_u64(p->older, q->older);

	return order ? order : compare_u64(p->newer, q->newer);
}

static int compare_strength(const void *a, const void *b)
{
	const struct link *p = a, *q = b;
	int order = compare_u64(q->common, p->common);

	if (order == 0)
		order = (int)q->same_make - (int)p->same_make;
	if (order == 0)
		order = name_compare(p->low, q->low);
	if (order == 0)
		order = name_compare(p->high, q->high);
	return order ? order : compare_ends(a, b);
}

/* All aliases, and a cache's own name unless that is the kernel's for merged ones; sorted. */
static struct user *list_users(const struct side *s, size_t *count)
{
	struct user *users;
	size_t n = 0;

	for (size_t i = 0; i < s->count; i++)
		n += s->cache[i]->alias_count + 1;
	users = calloc(n + 1, sizeof(*users));
	if (!users)
		return NULL;
	n = 0;
	for (size_t i = 0; i < s->count; i++) {
		const struct slabstat_cache *c = s->cache[i];

		if (takes_named(c))
			users[n++] = (struct user){ c->name, i };
		for (size_t k = 0; k < c->alias_count; k++)
			users[n++] = (struct user){ c->alias[k], i };
	}
	qsort(users, n, sizeof(*users), compare_user);
	*count = n;
	return users;
}

/* A link for each name that stands on both sides; one that repeats is taken pair by pair. */
static size_t meet_users(const struct user *older, size_t n, const struct user *newer, size_t m,
			 struct link *links)
{
	size_t count = 0;

	for (size_t i = 0, k = 0; i < n && k < m;) {
		int order = strcmp(older[i].name, newer[k].name);

		if (order == 0)
			links[count++] = (struct link){ older[i].owner, newer[k].owner, 1, false,
							NULL, NULL };
		i += order <= 0;
		k += order >= 0;
	}
	return count;
}

/* Count the links between the same two caches as one. */
static size_t merge_links(struct link *links, size_t count, const struct side *older,
			  const struct side *newer)
{
	size_t n = 0;

	qsort(links, count, sizeof(*links), compare_ends);
	for (size_t i = 0; i < count; i++) {
		const struct slabstat_cache *a = older->cache[links[i].older];
		const struct slabstat_cache *b = newer->cache[links[i].newer];
		bool ordered = name_compare(a->label, b->label) <= 0;

		if (n && compare_ends(&links[n - 1], &links[i]) == 0) {
			links[n - 1].common++;
			continue;
		}
		links[n] = links[i];
		links[n].same_make = compare_make(a, b) == 0;
		links[n].low = ordered ? a->label : b->label;
		links[n++].high = ordered ? b->label : a->label;
	}
	return n;
}

static int pair_by_users(struct slabstat_delta *d, struct side *older, struct side *newer)
{
	size_t n = 0, m = 0, count;
	struct user *left = list_users(older, &n), *right = list_users(newer, &m);
	struct link *links = calloc((n < m ? n : m) + 1, sizeof(*links));
	int ret = -ENOMEM;

	if (left && right && links) {
		count = merge_links(links, meet_users(left, n, right, m, links), older, newer);
		qsort(links, count, sizeof(*links), compare_strength);
		for (size_t i = 0; i < count; i++) {
			const struct slabstat_cache **a = &older->cache[links[i].older];
			const struct slabstat_cache **b = &newer->cache[links[i].newer];

			if (!*a || !*b)
				continue;
			add_pair(d, *a, *b);
			*a = *b = NULL;
		}
		ret = 0;
	}
	free(left);
	free(right);
	free(links);
	drop_paired(older);
	drop_paired(newer);
	return ret;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static int compare_pairs(const void *left, const void *right)
{
	const struct slabstat_pair *p = left, *q = right;
	const struct slabstat_cache *a = p->newer ? p->newer : p->older;
	const struct slabstat_cache *b = q->newer ? q->newer : q->older;
	int order = name_compare(a->label, b->label);

	if (order == 0)
		order = name_compare(a->name, b->name);
	if (order == 0)
		order = (p->newer == NULL) - (q->newer == NULL);
	return order ? order : compare_u64(a->position, b->position);
}

static int side_init(struct side *s, const struct slabstat_snapshot *snapshot)
{
	s->count = snapshot->count;
	s->cache = calloc(s->count + 1, sizeof(*s->cache));
	if (!s->cache)
		return -ENOMEM;
	for (size_t i = 0; i < s->count; i++)
		s->cache[i] = snapshot->cache[i];
	return 0;
}

static int pair_all(struct slabstat_delta *d, struct side *older, struct side *newer)
{
	pair_equal(d, older, newer, compare_identity, takes_all);
	pair_equal(d, older, newer, compare_name, takes_named);
	pair_equal(d, older, newer, compare_users, takes_aliased);
	if (pair_by_users(d, older, newer))
		return -ENOMEM;
	pair_equal(d, older, newer, compare_name, takes_merged);
	pair_equal(d, older, newer, compare_stem, takes_address);
	for (size_t i = 0; i < older->count; i++)
		add_pair(d, older->cache[i], NULL);
	for (size_t i = 0; i < newer->count; i++)
		add_pair(d, NULL, newer->cache[i]);
	qsort(d->pair, d->count, sizeof(*d->pair), compare_pairs);
	return 0;
}

int slabstat_delta(struct slabstat *h, const struct slabstat_snapshot *older,
		   const struct slabstat_snapshot *newer, struct slabstat_delta **delta)
{
	struct side sides[2] = { { NULL, 0 }, { NULL, 0 } };
	struct slabstat_delta *d = calloc(1, sizeof(*d));
	int ret = -ENOMEM;

	*delta = NULL;
	if (d)
		d->pair = calloc(older->count + newer->count + 1, sizeof(*d->pair));
	if (d && d->pair && side_init(&sides[0], older) == 0 && side_init(&sides[1], newer) == 0)
		ret = pair_all(d, &sides[0], &sides[1]);
	free(sides[0].cache);
	free(sides[1].cache);
	if (ret) {
		slabstat_delta_free(d);
		return error_memory(h);
	}
	*delta = d;
	return 0;
}

void slabstat_delta_free(struct slabstat_delta *delta)
{
	if (!delta)
		return;
	free(delta->pair);
	free(delta);
}

size_t slabstat_delta_count(const struct slabstat_delta *delta)
{
	return delta->count;
}

const struct slabstat_pair *slabstat_delta_pairs(const struct slabstat_delta *delta)
{
	return delta->pair;
}

static int64_t difference(uint64_t newer, uint64_t older)
{
	if (newer >= older)
		return newer - older > INT64_MAX ? INT64_MAX : (int64_t)(newer - older);
	return older - newer > INT64_MAX ? INT64_MIN : -(int64_t)(older - newer);
}

enum slabstat_quality slabstat_pair_growth(const struct slabstat_pair *pair,
					   enum slabstat_field field, int64_t *growth)
{
	enum slabstat_quality was = SLABSTAT_EXACT, is = SLABSTAT_EXACT, q;
	uint64_t older = 0, newer = 0;

	if ((unsigned)field >= SLABSTAT_NFIELDS || (!pair->older && !pair->newer))
		return SLABSTAT_ABSENT;
	if (pair->older) {
		was = (enum slabstat_quality)pair->older->quality[field];
		older = pair->older->value[field];
	}
	if (pair->newer) {
		is = (enum slabstat_quality)pair->newer->quality[field];
		newer = pair->newer->value[field];
	}
	q = quality_join(is, quality_flip(was));
	if (q != SLABSTAT_ABSENT)
		*growth = difference(newer, older);
	return q;
}
