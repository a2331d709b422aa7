/* SPDX-License-Identifier: MIT */
/*
 * advice.h - what was seen of one cache, and whether another value of a tunable could matter.
 *
 * Pure functions. Three things are looked for, each with a threshold below which nothing is wrong:
 *
 *	churn	slabs come and go all the time: each is a trip to the page allocator that a longer
 *		partial list would save. Proposes min_partial, higher by what the number of slabs
 *		swings by.
 *	stock	CPUs hold many slabs of a cache that nobody uses meanwhile. Proposes cpu_partial,
 *		lower.
 *	hoard	min_partial was raised, and the partial slabs that it keeps are nearly empty.
 *		Proposes the kernel's default.
 *	slow	many allocations leave the fast path although the CPU's stock is small (only kernels
 *		with CONFIG_SLUB_STATS tell). Proposes cpu_partial, doubled.
 *
 * What costs memory is proposed only where the cost is small: at most ADVICE_COST_MAX bytes.
 */
#ifndef SLABINFO_ADVICE_H
#define SLABINFO_ADVICE_H

#include <slab/slabstat.h>

#define ADVICE_CHURN_PER_S	10	/* slabs that came and went again, a second */
#define ADVICE_CHURN_TURNS	4	/* turns from growing to shrinking or back */
#define ADVICE_STOCK_BYTES	(1u << 20)
#define ADVICE_STOCK_PERCENT	25	/* of the cache's slabs */
#define ADVICE_HOARD_BYTES	(1u << 20)
#define ADVICE_HOARD_PERCENT	25	/* fill of the partial slabs, at most */
#define ADVICE_SLOW_PERCENT	20	/* allocations off the fast path */
#define ADVICE_SLOW_PER_S	10000
#define ADVICE_COST_MAX		(8u << 20)

/* What was seen; a _known that is false means that the source does not tell. */
struct advice_facts {
	double seconds;
	size_t samples;
	unsigned cpus, nodes;		/* 0: unknown, then nothing that depends on them */
	bool retired;			/* no CPU-partial slabs: 7.0 and later */
	uint64_t slab_bytes, slab_size, objs_per_slab;
	uint64_t slabs_first, slabs_last, slabs_min, slabs_max;
	uint64_t came, went;		/* slabs, between samples or by counters */
	size_t turns;
	bool counted;			/* came and went are the kernel's own counters */
	bool idle;			/* neither slabs nor objects changed */
	bool partial_known;
	uint64_t partial, partial_free_objs;	/* at the end */
	bool held_known;
	uint64_t held_min;		/* slabs held by CPUs, the least ever seen */
	bool min_partial_known, cpu_partial_known, min_partial_standard_known;
	uint64_t min_partial, cpu_partial, min_partial_standard;
	bool paths_known;
	double slow, fast;		/* allocations */
};

enum advice_kind { ADVICE_NONE, ADVICE_CHURN, ADVICE_STOCK, ADVICE_HOARD, ADVICE_SLOW };

struct advice {
	enum advice_kind kind;
	enum slabstat_field field;
	uint64_t now, proposed;
	int64_t cost_bytes;		/* < 0: memory that would be saved */
	/* to rank by: bytes, or slabs or allocations times a page */
	double weight;
};

/* advice_make - at most max proposals for one cache; returns how many. */
size_t advice_make(const struct advice_facts *facts, struct advice *out, size_t max);

/* advice_evidence - what was seen, one line in text. Returns text. */
char *advice_evidence(const struct advice *a, const struct advice_facts *facts, char *text,
		      size_t size);

#endif
