// SPDX-License-Identifier: MIT
/* facts.c - what does not change from reading to reading; see facts.h. */
#include "slabstat/facts.h"

#include "util/name.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const enum slabstat_field lasting[] = {
	SLABSTAT_OBJECT_SIZE, SLABSTAT_SLAB_SIZE, SLABSTAT_ALIGN, SLABSTAT_USERSIZE,
	SLABSTAT_HWCACHE_ALIGN, SLABSTAT_DESTROY_BY_RCU, SLABSTAT_CACHE_DMA,
	SLABSTAT_SHEAF_CAPACITY,
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
	free(f->by_name);
	free(f->cache);
	*f = (struct facts){ .on = f->on, .fixed_order = f->fixed_order };
}

void facts_begin(struct facts *f)
{
	f->at = 0;
	f->changed = false;
	if (!f->on)
		forget_from(f, 0);
}

bool facts_next(struct facts *f, unsigned long inode, const char *name)
{
	const struct facts_entry *e = f->at < f->count ? &f->entry[f->at] : NULL;

	if (e && e->inode == inode && strcmp(e->name, name) == 0) {
		f->at++;
		return true;
	}
	f->changed = true;
	forget_from(f, f->at);
	return false;
}

int facts_add(struct facts *f, unsigned long inode, const char *name, enum facts_kind kind,
	      const char *target)
{
	struct facts_entry *e;

	if (f->count == f->room) {
		size_t room = f->room ? 2 * f->room : 512;
		struct facts_entry *grown = realloc(f->entry, room * sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		f->entry = grown;
		f->room = room;
	}
	e = &f->entry[f->count];
	*e = (struct facts_entry){ .inode = inode, .kind = kind, .name = strdup(name),
				   .target = target ? strdup(target) : NULL };
	if (!e->name || (target && !e->target)) {
		drop_entry(e);
		return -ENOMEM;
	}
	f->count++;
	f->at++;
	return 0;
}

static int compare_entries(const void *a, const void *b, void *arg)
{
	const struct facts_entry *entry = arg;

	return name_compare(entry[*(const size_t *)a].name, entry[*(const size_t *)b].name);
}

int facts_end(struct facts *f)
{
	size_t *by_name, caches = 0;

	if (f->at < f->count)
		f->changed = true;
	if (!f->changed && f->by_name)
		return 1;
	forget_from(f, f->at);
	by_name = reallocarray(f->by_name, f->count + 1, sizeof(*by_name));
	if (!by_name)
		return -ENOMEM;
	f->by_name = by_name;
	for (size_t i = 0; i < f->count; i++) {
		by_name[i] = i;
		f->entry[i].place = caches;
		caches += f->entry[i].kind == FACTS_CACHE;
	}
	qsort_r(by_name, f->count, sizeof(*by_name), compare_entries, f->entry);
	free(f->cache);
	f->cache = NULL;
	f->caches = 0;
	/* Without memory no value is remembered; the reading itself goes on. */
	if (f->on && (f->cache = calloc(caches + 1, sizeof(*f->cache))) != NULL)
		f->caches = caches;
	return 0;
}

const struct facts_entry *facts_entry(const struct facts *f, size_t i)
{
	return i < f->count ? &f->entry[f->by_name[i]] : NULL;
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
