// SPDX-License-Identifier: MIT
/*
 * source_hybrid.c - counts from one reading of /proc/slabinfo, the rest from the slab directory.
 *
 * One read of /proc/slabinfo costs less than a single `objects` attribute of a busy cache, and
 * its counts of one cache are of one moment. What it cannot tell (partial slabs, what users asked
 * for, settings) is read from the directory of the cache that the row is for sure (join.h); any
 * other cache is read from its directory alone, and a row without one stands alone.
 *
 * The objects on partial slabs need no second walk of the lists: all objects that the kernel
 * counts as free are there, so they are partial x objs_per_slab - (total_objects - objects). And
 * as a slab there has a free object at least, no free objects means no partial slabs: most caches
 * need not be asked for them.
 *
 * In a copy the two halves are of two moments. There the directory counts, and rows only fill in
 * what it lacks.
 */
#include "slabstat/field.h"
#include "slabstat/join.h"
#include "slabstat/machine.h"
#include "slabstat/source_procfs.h"
#include "slabstat/source_sysfs.h"
#include "util/num.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct hybrid {
	struct sysfs sys;
	struct procfs_text text;
	bool one_moment;		/* both halves are: rows count */
};

/* One reading. */
struct reading {
	struct hybrid *y;
	struct slabstat_snapshot *s;
	struct procfs_table table;
	struct join join;
	struct slabstat_fieldset want;	/* attributes, if the directory had to give all */
	struct slabstat_fieldset cheap;	/* those of them that walk no list */
	bool exact, shares, ctor;
};

static void hybrid_close(struct slabstat_source *src)
{
	struct hybrid *y = src->state;

	if (!y)
		return;
	procfs_text_free(&y->text);
	sysfs_stop(&y->sys);
	free(y);
	src->state = NULL;
}

static int hybrid_open(struct slabstat_source *src)
{
	struct hybrid *y = calloc(1, sizeof(*y));
	int ret, fd;

	if (!y)
		return error_memory(src->h);
	src->state = y;
	ret = sysfs_start(&y->sys, src);
	if (ret)
		return ret;
	fd = root_openat(&y->sys.root, y->sys.root.fd, "proc/slabinfo", O_RDONLY);
	if (fd < 0)
		return root_error(&y->sys.root, fd, "proc/slabinfo");
	close(fd);
	y->one_moment = y->sys.root.live || src->spec.kind == SLABSTAT_SOURCE_HYBRID ||
			(src->spec.flags & SLABSTAT_FLAG_AGAIN);
	return 0;
}

/* ---- a cache and its row --------------------------------------------------------------------- */

static int read_some(struct reading *x, struct slabstat_cache *c, enum slabstat_field a,
		     enum slabstat_field b)
{
	struct slabstat_fieldset set = { { 0 } };

	slabstat_fieldset_add(&set, a);
	slabstat_fieldset_add(&set, b);
	return slabdir_read(&x->y->sys.dir, x->s, c, &set);
}

static void take(struct slabstat_cache *c, enum slabstat_field f, const struct procfs_row *row,
		 enum procfs_column column)
{
	if (!cache_has(c, f) && procfs_has(row, column))
		cache_set(c, f, row->value[column], SLABSTAT_EXACT);
}

static void take_layout(struct slabstat_cache *c, const struct procfs_row *row)
{
	uint64_t pages;

	take(c, SLABSTAT_SLAB_SIZE, row, PROCFS_OBJSIZE);
	take(c, SLABSTAT_OBJS_PER_SLAB, row, PROCFS_OBJPERSLAB);
	take(c, SLABSTAT_PAGES_PER_SLAB, row, PROCFS_PAGESPERSLAB);
	take(c, SLABSTAT_ACTIVE_SLABS, row, PROCFS_ACTIVE_SLABS);
	pages = c->value[SLABSTAT_PAGES_PER_SLAB];
	if (!cache_has(c, SLABSTAT_ORDER) && pages && (pages & (pages - 1)) == 0)
		cache_set(c, SLABSTAT_ORDER, (uint64_t)__builtin_ctzll(pages), SLABSTAT_EXACT);
}

static void take_counts(struct slabstat_cache *c, const struct procfs_row *row)
{
	take(c, SLABSTAT_TOTAL_OBJECTS, row, PROCFS_NUM_OBJS);
	take(c, SLABSTAT_SLABS, row, PROCFS_NUM_SLABS);
}

/* The longest partial list of any node; without shares by node there is one node. */
static uint64_t longest_partial(const struct slabstat_cache *c)
{
	size_t n;
	const struct slabstat_share *share = slabstat_cache_shares(c, SLABSTAT_PARTIAL, &n);
	uint64_t longest = n ? 0 : slabstat_cache_or(c, SLABSTAT_PARTIAL, UINT64_MAX);

	for (size_t i = 0; i < n; i++) {
		if (share[i].value > longest)
			longest = share[i].value;
	}
	return longest;
}

/*
 * Take the count of objects, unless the kernel sampled it: then it is an estimate, or left for the
 * directory to count exactly.
 */
static int take_objects(struct reading *x, struct slabstat_cache *c, const struct procfs_row *row)
{
	bool sampled = procfs_may_sample(row, true, x->s->machine.kernel);

	if (sampled) {
		int ret = read_some(x, c, SLABSTAT_PARTIAL, SLABSTAT_PARTIAL);

		if (ret)
			return ret;
		sampled = longest_partial(c) > PROCFS_SAMPLED_SLABS;
	}
	if (sampled && x->exact)
		return 0;
	take(c, SLABSTAT_OBJECTS, row, PROCFS_ACTIVE_OBJS);
	if (sampled)
		c->quality[SLABSTAT_OBJECTS] = SLABSTAT_ESTIMATE;
	if (!sampled && row->value[PROCFS_ACTIVE_OBJS] == row->value[PROCFS_NUM_OBJS])
		cache_set(c, SLABSTAT_PARTIAL, 0, SLABSTAT_EXACT);
	return 0;
}

/* See the head of this file. A race may make it negative; fallback slabs hold fewer objects. */
static void compute_objects_partial(struct slabstat_snapshot *s, struct slabstat_cache *c)
{
	uint64_t per_slab = c->value[SLABSTAT_OBJS_PER_SLAB], slabs = c->value[SLABSTAT_SLABS];
	uint64_t partial = c->value[SLABSTAT_PARTIAL], total = c->value[SLABSTAT_TOTAL_OBJECTS];
	uint64_t objects = c->value[SLABSTAT_OBJECTS], room, free_objs;
	bool exact = c->quality[SLABSTAT_OBJECTS] == SLABSTAT_EXACT &&
		     total == num_mul_sat(slabs, per_slab) && partial <= slabs;

	room = num_mul_sat(partial < slabs ? partial : slabs, per_slab);
	free_objs = total > objects ? total - objects : 0;
	if (free_objs > room) {
		s->notes.clamped++;
		free_objs = room;
		exact = false;
	}
	cache_set(c, SLABSTAT_OBJECTS_PARTIAL, room - free_objs,
		  exact ? SLABSTAT_EXACT : SLABSTAT_ESTIMATE);
}

static bool has_all(const struct slabstat_cache *c)
{
	static const enum slabstat_field needed[] = { SLABSTAT_OBJS_PER_SLAB, SLABSTAT_SLABS,
						      SLABSTAT_PARTIAL, SLABSTAT_TOTAL_OBJECTS,
						      SLABSTAT_OBJECTS };

	for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
		if (!cache_has(c, needed[i]))
			return false;
	}
	return true;
}

static bool is_empty(const struct procfs_row *row)
{
	return procfs_has(row, PROCFS_NUM_SLABS) && procfs_has(row, PROCFS_NUM_OBJS) &&
	       !row->value[PROCFS_NUM_SLABS] && !row->value[PROCFS_NUM_OBJS];
}

/* The row counts; the directory gives what it lacks. */
static int read_joined(struct reading *x, struct slabstat_cache *c, const struct procfs_row *row)
{
	int ret;

	take_layout(c, row);
	if (!x->shares || is_empty(row))	/* no node has a share of nothing */
		take_counts(c, row);
	ret = take_objects(x, c, row);
	if (ret)
		return ret;
	ret = slabdir_read(&x->y->sys.dir, x->s, c, &x->cheap);
	take_counts(c, row);
	if (ret == 0 && slabstat_fieldset_has(&x->want, SLABSTAT_OBJECTS_PARTIAL) && has_all(c))
		compute_objects_partial(x->s, c);
	/* What is left: objects that the kernel would only estimate. */
	return ret ? ret : slabdir_read(&x->y->sys.dir, x->s, c, &x->want);
}

/* The directory counts; the row gives what it lacks. */
static void fill_in(struct reading *x, struct slabstat_cache *c, const struct procfs_row *row)
{
	bool sampled = !cache_has(c, SLABSTAT_OBJECTS) &&
		       procfs_may_sample(row, true, x->s->machine.kernel);

	take_layout(c, row);
	take_counts(c, row);
	take(c, SLABSTAT_OBJECTS, row, PROCFS_ACTIVE_OBJS);
	if (sampled)
		c->quality[SLABSTAT_OBJECTS] = SLABSTAT_ESTIMATE;
}

/*
 * What confirms that a row is the cache that its name leads to. A kernel that is read again and
 * again has no two files a cache opened for that if no other row leads there: was the name given
 * to another cache between the two halves, then this is the old one, empty, and the next reading
 * tells of the new one. What the id of a merged cache says costs nothing.
 */
static int read_identity(struct reading *x, struct slabstat_cache *c, size_t i)
{
	const struct procfs_row *row = x->y->sys.dir.facts.on ? join_only(&x->join, i) : NULL;

	if (!row || !procfs_has(row, PROCFS_OBJSIZE) || !procfs_has(row, PROCFS_OBJPERSLAB))
		return read_some(x, c, SLABSTAT_SLAB_SIZE, SLABSTAT_OBJS_PER_SLAB);
	return c->name[0] == ':' ? read_some(x, c, SLABSTAT_SLAB_SIZE, SLABSTAT_SLAB_SIZE) : 0;
}

static int read_cache(struct reading *x, size_t i)
{
	struct slabstat_cache *c = x->s->cache[i];
	const struct procfs_row *row;
	int ret = read_identity(x, c, i);

	row = join_take(&x->join, x->s, i);
	if (ret)
		return ret;
	if (row && x->y->one_moment) {
		ret = read_joined(x, c, row);
	} else {
		x->s->notes.unjoined += x->y->one_moment;
		ret = slabdir_read(&x->y->sys.dir, x->s, c, &x->want);
		if (ret == 0 && row)
			fill_in(x, c, row);
	}
	if (ret == 0 && x->ctor)
		ret = slabdir_read_ctor(&x->y->sys.dir, x->s, c);
	return ret;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* What to read of each cache. */
static void want_fields(struct reading *x, const struct slabstat_fieldset *want)
{
	x->want = slabdir_fields(want, &x->y->sys.machine);
	x->ctor = !want;
	x->cheap = x->want;
	slabstat_fieldset_remove(&x->cheap, SLABSTAT_OBJECTS);
	slabstat_fieldset_remove(&x->cheap, SLABSTAT_OBJECTS_PARTIAL);
	if (slabstat_fieldset_has(&x->want, SLABSTAT_OBJECTS_PARTIAL))
		slabstat_fieldset_add(&x->cheap, SLABSTAT_PARTIAL);
}

/* The same reading with everything of one cache. */
static int read_whole(const struct reading *x, size_t i)
{
	struct reading whole = *x;

	want_fields(&whole, NULL);
	whole.shares = true;
	return read_cache(&whole, i);
}

static int read_or_drop(const struct slabstat_source *src, struct reading *x, size_t i)
{
	bool whole = source_in_focus(src, x->s->cache[i]->name);
	int ret = whole ? read_whole(x, i) : read_cache(x, i);

	if (ret != -ENOENT)
		return ret;
	snapshot_drop(x->s, i);
	x->s->notes.vanished++;
	return 0;
}

static int read_caches(const struct slabstat_source *src, struct reading *x)
{
	size_t count = x->s->count;
	int ret = 0;

	for (int rest = 0; rest < 2; rest++)
		for (size_t i = 0; ret == 0 && i < count; i++)
			if (x->s->cache[i] && slabdir_grows(x->s->cache[i]) == !rest)
				ret = read_or_drop(src, x, i);
	return ret;
}

static int add_rest(struct reading *x)
{
	const struct procfs_row *row;
	size_t at = 0;

	while ((row = join_rest(&x->join, &at)) != NULL) {
		struct slabstat_cache *c = snapshot_add(x->s, row->name, row->name_len);

		if (!c)
			return -ENOMEM;
		procfs_row_fill(row, true, x->s->machine.kernel, c);
	}
	return 0;
}

static int read_both(struct slabstat_source *src, struct reading *x)
{
	static const struct slabstat_fieldset names_only = { { 0 } };
	struct sysfs *sys = &x->y->sys;
	int ret;

	if (memcmp(&x->want, &names_only, sizeof(names_only)) == 0)
		return sysfs_begin(sys, x->s);
	ret = procfs_read(&sys->root, &x->y->text, &x->table);
	if (ret)
		return ret;
	if (sys->root.live)
		machine_meminfo(&sys->root, &x->s->meminfo);
	ret = sysfs_begin(sys, x->s);
	if (ret)
		return ret;
	if (join_make(&x->join, &x->table, x->s))
		return error_memory(src->h);
	ret = read_caches(src, x);
	if (ret)
		return ret;
	x->s->notes.bad_rows = x->table.bad_rows;
	x->s->notes.first_bad_row = x->table.first_bad_row;
	return add_rest(x) ? error_memory(src->h) : 0;
}

static int hybrid_read(struct slabstat_source *src, const struct slabstat_fieldset *want,
		       struct slabstat_snapshot *s)
{
	struct hybrid *y = src->state;
	struct reading x = {
		.y = y,
		.s = s,
		.exact = src->spec.flags & SLABSTAT_FLAG_EXACT,
		.shares = src->spec.flags & SLABSTAT_FLAG_SHARES,
	};
	int ret;

	want_fields(&x, want);
	ret = read_both(src, &x);
	procfs_free(&x.table);
	join_free(&x.join);
	sysfs_end(&y->sys, s);
	return ret;
}

const struct source_ops source_hybrid = {
	.kind = SLABSTAT_SOURCE_HYBRID,
	.open = hybrid_open,
	.read = hybrid_read,
	.close = hybrid_close,
};
