// SPDX-License-Identifier: MIT
/* advice.c - whether another value of a tunable could matter; see advice.h. */
#include "advice.h"

#include <inttypes.h>
#include <stdio.h>

#include "util/num.h"

static uint64_t bytes_of(const struct advice_facts *f, uint64_t slabs)
{
	return num_mul_sat(slabs, f->slab_bytes);
}

static int64_t signed_bytes(uint64_t bytes)
{
	return bytes > INT64_MAX ? INT64_MAX : (int64_t)bytes;
}

/* Slabs that came and went again, a second. */
static double churn_rate(const struct advice_facts *f)
{
	uint64_t both = f->came < f->went ? f->came : f->went;

	return f->seconds > 0 ? (double)both / f->seconds : 0;
}

static bool advise_churn(const struct advice_facts *f, struct advice *a)
{
	unsigned nodes = f->nodes ? f->nodes : 1;
	uint64_t swing = f->slabs_max - f->slabs_min, more = (swing + nodes - 1) / nodes, cost;

	if (!f->min_partial_known || churn_rate(f) < ADVICE_CHURN_PER_S)
		return false;
	if (!f->counted && f->turns < ADVICE_CHURN_TURNS)
		return false;
	if (more == 0)
		more = 1;	/* the counters saw what the samples did not */
	cost = num_mul_sat(bytes_of(f, more), nodes);
	if (cost > ADVICE_COST_MAX)
		return false;
	*a = (struct advice){ .kind = ADVICE_CHURN,
			      .field = SLABSTAT_MIN_PARTIAL,
			      .now = f->min_partial,
			      .proposed = num_add_sat(f->min_partial, more),
			      .cost_bytes = signed_bytes(cost),
			      .weight = churn_rate(f) * (double)f->slab_bytes };
	return true;
}

static bool advise_stock(const struct advice_facts *f, struct advice *a)
{
	uint64_t bytes = bytes_of(f, f->held_min);

	if (f->retired || !f->held_known || !f->cpu_partial_known || !f->cpu_partial || !f->idle)
		return false;
	if (bytes < ADVICE_STOCK_BYTES || !f->slabs_last ||
	    (double)f->held_min * 100 < (double)f->slabs_last * ADVICE_STOCK_PERCENT)
		return false;
	*a = (struct advice){ .kind = ADVICE_STOCK,
			      .field = SLABSTAT_CPU_PARTIAL,
			      .now = f->cpu_partial,
			      .proposed = f->cpu_partial / 4,
			      .cost_bytes = -signed_bytes(bytes / 4 * 3),
			      .weight = (double)bytes };
	return true;
}

static bool advise_hoard(const struct advice_facts *f, struct advice *a)
{
	uint64_t room = num_mul_sat(f->partial, f->objs_per_slab), bytes;

	if (!f->partial_known || !f->min_partial_known || !f->min_partial_standard_known || !room)
		return false;
	if (f->min_partial <= f->min_partial_standard || f->partial <= f->min_partial_standard)
		return false;
	if (f->partial_free_objs > room ||
	    (double)(room - f->partial_free_objs) * 100 > (double)room * ADVICE_HOARD_PERCENT)
		return false;
	bytes = bytes_of(f, f->partial_free_objs / f->objs_per_slab);
	if (bytes < ADVICE_HOARD_BYTES)
		return false;
	*a = (struct advice){ .kind = ADVICE_HOARD,
			      .field = SLABSTAT_MIN_PARTIAL,
			      .now = f->min_partial,
			      .proposed = f->min_partial_standard,
			      .cost_bytes = -signed_bytes(bytes),
			      .weight = (double)bytes };
	return true;
}

static bool advise_slow(const struct advice_facts *f, struct advice *a)
{
	double all = f->slow + f->fast;
	uint64_t cost;

	if (f->retired || !f->paths_known || !f->cpu_partial_known || !f->cpu_partial ||
	    f->seconds <= 0)
		return false;
	if (all / f->seconds < ADVICE_SLOW_PER_S || f->slow * 100 < all * ADVICE_SLOW_PERCENT)
		return false;
	cost = num_mul_sat(num_mul_sat(f->cpu_partial, f->slab_size), f->cpus ? f->cpus : 1);
	if (cost > ADVICE_COST_MAX)
		return false;
	*a = (struct advice){ .kind = ADVICE_SLOW,
			      .field = SLABSTAT_CPU_PARTIAL,
			      .now = f->cpu_partial,
			      .proposed = num_mul_sat(f->cpu_partial, 2),
			      .cost_bytes = signed_bytes(cost),
			      .weight = f->slow / f->seconds };
	return true;
}

size_t advice_make(const struct advice_facts *facts, struct advice *out, size_t max)
{
	static bool (*const rules[])(const struct advice_facts *, struct advice *) = {
		advise_churn, advise_hoard, advise_stock, advise_slow
	};
	size_t n = 0;

	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]) && n < max; i++) {
		if (!rules[i](facts, &out[n]))
			continue;
		/* Two proposals for one tunable would contradict each other: the first stands. */
		if (n == 0 || out[n].field != out[n - 1].field)
			n++;
	}
	return n;
}

char *advice_evidence(const struct advice *a, const struct advice_facts *f, char *text, size_t size)
{
	char human[NUM_HUMAN_SIZE];

	switch (a->kind) {
	case ADVICE_CHURN:
		snprintf(text, size,
			 "%s%" PRIu64 " slabs came and %" PRIu64 " went in %.1f s (%.0f a second), "
			 "between %" PRIu64 " and %" PRIu64,
			 f->counted ? "" : "at least ", f->came, f->went, f->seconds, churn_rate(f),
			 f->slabs_min, f->slabs_max);
		break;
	case ADVICE_STOCK:
		snprintf(text, size,
			 "CPUs held %" PRIu64 " of %" PRIu64
			 " slabs (%s) for %.1f s in which nothing was "
			 "allocated or freed",
			 f->held_min, f->slabs_last,
			 num_human_bytes(bytes_of(f, f->held_min), human), f->seconds);
		break;
	case ADVICE_HOARD:
		snprintf(text, size,
			 "%" PRIu64 " partial slabs with room for %" PRIu64
			 " objects, of which %" PRIu64 " are free (%s in whole slabs)",
			 f->partial, f->partial * f->objs_per_slab, f->partial_free_objs,
			 num_human_bytes(bytes_of(f, f->partial_free_objs / f->objs_per_slab),
					 human));
		break;
	case ADVICE_SLOW:
		snprintf(text, size, "%.0f %% of %.0f allocations a second left the fast path",
			 100 * f->slow / (f->slow + f->fast), (f->slow + f->fast) / f->seconds);
		break;
	case ADVICE_NONE:
		text[0] = '\0';
		break;
	}
	return text;
}
