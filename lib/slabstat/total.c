// SPDX-License-Identifier: MIT
/* total.c - one number for a whole snapshot: what the source states, else the sum of its caches. */
#include "slabstat/snapshot.h"

enum slabstat_quality slabstat_snapshot_total(const struct slabstat_snapshot *s,
					      enum slabstat_field field, uint64_t *value)
{
	enum slabstat_quality q = SLABSTAT_ABSENT;
	struct slabstat_sum sum;

	if (s->reported)
		q = slabstat_cache_value(s->reported, field, value);
	if (q != SLABSTAT_ABSENT)
		return q;
	sum = slabstat_sum_caches((const struct slabstat_cache *const *)s->cache, s->count, field);
	if (sum.n == 0)
		return SLABSTAT_ABSENT;
	if (value)
		*value = sum.sum;
	return sum.quality;
}
