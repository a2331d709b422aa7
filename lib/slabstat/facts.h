/* SPDX-License-Identifier: MIT */
/*
 * facts.h - what one reading of the running kernel's slab directory may take over from the last.
 *
 * Where aliases lead and most of a cache's layout never change while the directory lists the same
 * entries with the same inode numbers; a new cache, one that went away and one merged into another
 * (which may enlarge its object_size) all change the listing. So a listing that is the same,
 * entry by entry, keeps the facts, and any other drops them all.
 *
 * A copy is edited without a trace in its listing: nothing is remembered of it.
 */
#ifndef SLABSTAT_FACTS_H
#define SLABSTAT_FACTS_H

#include <slab/slabstat.h>

struct facts {
	bool on;			/* remember at all */
	bool fixed_order;		/* 5.9 and later: nobody may change order, reclaim_account or debug flags */
	struct facts_entry *entry;	/* in the order of the directory */
	size_t count, room;
	size_t at;			/* of the listing under way: its next entry */
	bool changed;			/* it is another than the last */
	struct facts_cache *cache;	/* by the place of the cache in the listing */
	size_t caches;
};

/* Zero-initialise. facts_free - and it is as before. */
void facts_free(struct facts *f);

/*
 * A listing: facts_begin, facts_next for each entry, facts_end with the number of caches in it,
 * which says whether it was the same as the last.
 */
void facts_begin(struct facts *f);

/*
 * facts_next - where an entry led in the last listing: its target, *borrowed* until the next
 * facts_begin; NULL where that is not known (then facts_target tells it).
 */
const char *facts_next(struct facts *f, unsigned long inode, const char *name);
void facts_target(struct facts *f, const char *target);
bool facts_end(struct facts *f, size_t caches);

/* facts_last - is this field one that is remembered? */
bool facts_last(const struct facts *f, enum slabstat_field field);

/* facts_get - a value of the cache at a place in the listing. False: not known. */
bool facts_get(const struct facts *f, size_t place, enum slabstat_field field, uint64_t *value);
/* facts_put - remember one, if it is one that does not change. */
void facts_put(struct facts *f, size_t place, enum slabstat_field field, uint64_t value);

#endif
