/* SPDX-License-Identifier: MIT */
/*
 * snapshot.h - how a snapshot is laid out, and how a source fills one.
 *
 * A source makes a builder's snapshot with snapshot_new(), adds caches and sets values, and ends
 * with snapshot_finish(), which resolves aliases, clamps what a race made impossible, derives the
 * computed fields, sorts the caches by name and seals the whole. From then on nothing changes.
 *
 * Memory: one arena of strings and shares, one array of caches. A cache is a flat record: a value
 * and a quality byte per field, so that ten thousand caches take about twelve megabytes.
 */
#ifndef SLABSTAT_SNAPSHOT_H
#define SLABSTAT_SNAPSHOT_H

#include <slab/slabstat.h>

#include "util/arena.h"

struct share_list {
	enum slabstat_field field;
	size_t count;
	struct slabstat_share *share;	/* arena; rising index */
	struct share_list *next;
};

struct slabstat_cache {
	const char *name;		/* arena */
	const char *label;		/* arena; set by alias_resolve */
	const char *ctor;		/* arena; NULL unknown */
	const char **alias;		/* arena; in order of name (util/name.h) */
	size_t alias_count;
	struct share_list *shares;
	size_t position;		/* in the source: keeps equal names apart and in order */
	uint64_t value[SLABSTAT_NFIELDS];
	uint8_t quality[SLABSTAT_NFIELDS];	/* enum slabstat_quality */
};

struct alias_link {
	const char *name, *target;	/* arena */
	struct slabstat_cache *cache;	/* set by alias_resolve; NULL: no such cache */
};

struct slabstat_snapshot {
	struct arena arena;
	struct slabstat_cache **cache;	/* each from the arena: addresses stay put */
	size_t count, room;
	struct slabstat_cache *reported;	/* totals that the source states itself, or NULL */
	struct alias_link *link;
	size_t link_count, link_room;
	struct slabstat_machine machine;
	struct slabstat_meminfo meminfo;
	struct slabstat_notes notes;
	uint8_t has[SLABSTAT_NFIELDS];		/* the best quality in any cache; set on sealing */
	const char *why_absent[SLABSTAT_NFIELDS];	/* constant or arena text, or NULL */
	int64_t wall_ns, mono_ns;
	enum slabstat_source_kind source;
	bool sealed;
};

/* snapshot_new - *returns owned*; NULL where memory is exhausted. */
struct slabstat_snapshot *snapshot_new(enum slabstat_source_kind source);

/* snapshot_add - a new cache with every field absent; name is copied. NULL: no memory. */
struct slabstat_cache *snapshot_add(struct slabstat_snapshot *s, const char *name, size_t name_len);

/* snapshot_drop_last - take back the cache added last (it vanished while being read). */
void snapshot_drop_last(struct slabstat_snapshot *s);

/*
 * snapshot_drop - take back cache i; leaves a hole that sealing closes, so that i + 1 stays i + 1.
 */
void snapshot_drop(struct slabstat_snapshot *s, size_t i);

/* snapshot_report - the record for totals that the source states itself; made at the first call. */
struct slabstat_cache *snapshot_report(struct slabstat_snapshot *s);

/* snapshot_link - a symbolic link: alias name to target directory. 0 or -ENOMEM. */
int snapshot_link(struct slabstat_snapshot *s, const char *name, const char *target);

/* snapshot_string - copy len bytes into the arena, terminated. NULL: no memory. */
const char *snapshot_string(struct slabstat_snapshot *s, const char *text, size_t len);

/* snapshot_share - one node's or CPU's share of a field. 0 or -ENOMEM. */
int snapshot_share(struct slabstat_snapshot *s, struct slabstat_cache *c, enum slabstat_field f,
		   unsigned index, uint64_t value);

static inline void cache_set(struct slabstat_cache *c, enum slabstat_field f, uint64_t value,
			     enum slabstat_quality quality)
{
	c->value[f] = value;
	c->quality[f] = (uint8_t)quality;
}

static inline bool cache_has(const struct slabstat_cache *c, enum slabstat_field f)
{
	return c->quality[f] != SLABSTAT_ABSENT;
}

/*
 * snapshot_unreadable - count an attribute that could not be read; -EINVAL: it held something else.
 */
void snapshot_unreadable(struct slabstat_snapshot *s, const struct slabstat_cache *c,
			 enum slabstat_field f, int code);

/* snapshot_why - say why a field is absent (constant text); the first reason given stays. */
void snapshot_why(struct slabstat_snapshot *s, enum slabstat_field f, const char *why);

/* snapshot_finish - see above. 0 or -ENOMEM. */
int snapshot_finish(struct slabstat_snapshot *s);

#endif
