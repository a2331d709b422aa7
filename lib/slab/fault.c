// SPDX-License-Identifier: MIT
/* fault.c - whether an allocation shall fail. */
#include "fault.h"

#include <errno.h>

#include "cache.h"
#include "peek.h"
#include "root.h"

/* One of the failures that the rule allows. */
static bool spend(struct fault *f)
{
	uint64_t most = (uint64_t)f->rule.times, failed = peek(f->failed);

	if (f->rule.times < 0) {
		bump(f->failed, 1);
		return true;
	}
	while (failed < most)
		if (__atomic_compare_exchange_n(&f->failed, &failed, failed + 1, true,
						__ATOMIC_RELAXED, __ATOMIC_RELAXED))
			return true;
	return false;
}

static bool hits_one(struct fault *f, uint32_t size)
{
	const struct slab_fault *rule = &f->rule;
	uint64_t k = __atomic_fetch_add(&f->seen, 1, __ATOMIC_RELAXED);
	uint64_t bytes = __atomic_add_fetch(&f->bytes, size, __ATOMIC_RELAXED);

	if (k < rule->after || bytes <= rule->space)
		return false;
	if (rule->interval > 1 && (k - rule->after + 1) % rule->interval)
		return false;
	if (rule->probability < 100 && root_mix(rule->seed + k) % 100 >= rule->probability)
		return false;
	return spend(f);
}

bool fault_hits(struct kmem_cache *s, gfp_t gfp, size_t n)
{
	struct fault *f = __atomic_load_n(&s->fault->on, __ATOMIC_ACQUIRE) ? s->fault : &root.fault;

	if (!(s->flags & SLAB_FAILSLAB) || !__atomic_load_n(&f->on, __ATOMIC_ACQUIRE) ||
	    gfp & __GFP_NOFAIL || (f->rule.ignore_gfp_reclaim && gfp & __GFP_DIRECT_RECLAIM))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!hits_one(f, s->object_size))
			continue;
		errno = ENOMEM;
		return true;
	}
	return false;
}

void fault_set(struct fault *f, const struct slab_fault *rule)
{
	__atomic_store_n(&f->on, false, __ATOMIC_RELEASE);
	if (!rule)
		return;
	f->rule = *rule;
	f->seen = f->bytes = f->failed = 0;
	__atomic_store_n(&f->on, true, __ATOMIC_RELEASE);
}

int kmem_cache_set_fault(struct kmem_cache *s, const struct slab_fault *rule)
{
	root_init();
	if ((s && !(s->flags & SLAB_FAILSLAB)) || (rule && rule->probability > 100))
		return -EINVAL;
	fault_set(s ? s->fault : &root.fault, rule);
	return 0;
}

unsigned long kmem_cache_faults(struct kmem_cache *s)
{
	const struct fault *f = s ? s->fault : &root.fault;

	return peek(f->failed);
}
