// SPDX-License-Identifier: MIT
/* facts.c - what does not change from reading to reading; see facts.h. */
#include "slabstat/facts.h"

#include <stdlib.h>
#include <string.h>

struct facts_entry {
	unsigned long inode;
	char *name;
	char *target;		/* of a link */
};

static const enum slabstat_field lasting[] = {
	SLABSTAT_OBJECT_SIZE, SLABSTAT_SLAB_SIZE, SLABSTAT_ALIGN, SLABSTAT_USERSIZE,
	SLABSTAT_HWCACHE_ALIGN, SLABSTAT_DESTROY_BY_RCU, SLABSTAT_CACHE_DMA, SLABSTAT_SHEAF_CAPACITY,
	/* These only with fixed_order: old kernels let root change them. */
	SLABSTAT_RECLAIM_ACCOUNT, SLABSTAT_OBJS_PER_SLAB, SLABSTAT_ORDER, SLABSTAT_SANITY_CHECKS,
	SLABSTAT_RED_ZONE, SLABSTAT_POISON, SLABSTAT_STORE_USER, SLABSTAT_TRACE,
};

#define LASTING	 (sizeof(lasting) / sizeof(lasting[0]))
#define WRITABLE 8	/* of them, before 5.9 */

struct facts_cache {
	uint64_t value[LASTING];
	unsigned known;		/* a bit a value */
};

static void drop_entry(struct facts_entry *e)
{
	free(e->name);
	free(e->target);
	*e = (struct facts_entry){ 0 };
}

static void forget_from(struct facts *f, size_t at)
{
	for (size_t i = at; i < f->count; i++)
		drop_entry(&f->entry[i]);
	if (f->count > at)
		f->count = at;
}

void facts_free(struct facts *f)
{
	forget_from(f, 0);
	free(f->entry);
	free(f->cache);
	*f = (struct facts){ .on = f->on, .fixed_order = f->fixed_order };
}

void facts_begin(struct facts *f)
{
	f->at = 0;
	f->changed = false;
}

/* Without memory nothing is remembered; the reading itself goes on. */
static bool add_entry(struct facts *f, unsigned long inode, const char *name)
{
	if (f->count == f->room) {
		size_t room = f->room ? 2 * f->room : 512;
		struct facts_entry *grown = realloc(f->entry, room * sizeof(*grown));

		if (!grown)
			return false;
		f->entry = grown;
		f->room = room;
	}
	f->entry[f->count] = (struct facts_entry){ .inode = inode, .name = strdup(name) };
	if (!f->entry[f->count].name)
		return false;
	f->count++;
	return true;
}

const char *facts_next(struct facts *f, unsigned long inode, const char *name)
{
	struct facts_entry *e;

	if (!f->on)
		return NULL;
	e = f->at < f->count ? &f->entry[f->at] : NULL;
	if (e && e->inode == inode && strcmp(e->name, name) == 0) {
		f->at++;
		return e->target;
	}
	f->changed = true;
	forget_from(f, f->at);
	if (add_entry(f, inode, name)) {
		f->at++;
	} else {
		/* A target told next would go to the entry before: remember nothing any more. */
		facts_free(f);
		f->on = false;
	}
	return NULL;
}

void facts_target(struct facts *f, const char *target)
{
	struct facts_entry *e = f->at ? &f->entry[f->at - 1] : NULL;

	if (!f->on || !e)
		return;
	free(e->target);
	e->target = strdup(target);
}

bool facts_end(struct facts *f, size_t caches)
{
	if (!f->on)
		return false;
	if (!f->changed && f->at == f->count && f->caches == caches)
		return true;
	forget_from(f, f->at);
	free(f->cache);
	f->cache = calloc(caches ? caches : 1, sizeof(*f->cache));
	f->caches = f->cache ? caches : 0;
	return false;
}

static int lasting_index(const struct facts *f, enum slabstat_field field)
{
	size_t n = f->fixed_order ? LASTING : LASTING - WRITABLE;

	for (size_t i = 0; i < n; i++)
		if (lasting[i] == field)
			return (int)i;
	return -1;
}

bool facts_last(const struct facts *f, enum slabstat_field field)
{
	return f->on && lasting_index(f, field) >= 0;
}

bool facts_get(const struct facts *f, size_t place, enum slabstat_field field, uint64_t *value)
{
	int i = f->on && place < f->caches ? lasting_index(f, field) : -1;

	if (i < 0 || !(f->cache[place].known >> i & 1))
		return false;
	*value = f->cache[place].value[i];
	return true;
}

void facts_put(struct facts *f, size_t place, enum slabstat_field field, uint64_t value)
{
	int i = f->on && place < f->caches ? lasting_index(f, field) : -1;

	if (i < 0)
		return;
	f->cache[place].value[i] = value;
	f->cache[place].known |= 1u << i;
}
