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

enum facts_kind { FACTS_CACHE, FACTS_LINK, FACTS_OTHER };

/* One entry of the directory. */
struct facts_entry {
	unsigned long inode;
	char *name;
	char *target;			/* of a link; else NULL */
	enum facts_kind kind;
	size_t place;			/* of a cache: how many stand before it in the directory */
};

struct facts {
	bool on;			/* remember at all */
	/* 5.9 and later: nobody may change order, reclaim_account or debug flags */
	bool fixed_order;
	struct facts_entry *entry;	/* in the order of the directory */
	size_t count, room;
	size_t at;			/* of the listing under way: its next entry */
	bool changed;			/* it is another than the last */
	size_t *by_name;		/* the entries in the order of name_compare */
	struct facts_cache *cache;	/* by the place of the cache in the listing */
	size_t caches;
};

/* Zero-initialise. facts_free - and it is as before. */
void facts_free(struct facts *f);

/*
 * A listing: facts_begin, then for each entry facts_next, and facts_add where that is false, then
 * facts_end.
 */
void facts_begin(struct facts *f);

/*
 * facts_next - whether the next entry is the same as in the last listing. If not, nothing is
 * remembered from there on.
 */
bool facts_next(struct facts *f, unsigned long inode, const char *name);
/* facts_add - what it is instead; target is copied. 0 or -ENOMEM. */
int facts_add(struct facts *f, unsigned long inode, const char *name, enum facts_kind kind,
	      const char *target);
/* facts_end - 1: the listing is the same as the last; 0: another; -ENOMEM. */
int facts_end(struct facts *f);

/*
 * facts_entry - entry i of the listing in order of name, *borrowed* until the next; NULL past the
 * last.
 */
const struct facts_entry *facts_entry(const struct facts *f, size_t i);

/* facts_last - is this field one that is remembered? */
bool facts_last(const struct facts *f, enum slabstat_field field);

/* facts_get - a value of the cache at a place in the listing. False: not known. */
bool facts_get(const struct facts *f, size_t place, enum slabstat_field field, uint64_t *value);
/* facts_put - remember one, if it is one that does not change. */
void facts_put(struct facts *f, size_t place, enum slabstat_field field, uint64_t value);

#endif
