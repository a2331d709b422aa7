// SPDX-License-Identifier: MIT
/*
 * derive.c - the fields that follow from others; see derive.h.
 *
 *	footprint = slabs x pages per slab x page size
 *	used      = objects x object_size
 *	loss      = footprint - used = free + padding + tail
 *	free      = (total_objects - objects) x slab_size
 *	padding   = objects x (slab_size - object_size)
 *	tail      = footprint - total_objects x slab_size
 *
 * Slabs that the kernel had to make of a smaller order hold fewer objects and take fewer pages
 * than objs_per_slab and order tell; how many there are it does not tell. So where total_objects
 * is less than slabs x objs_per_slab, footprint, loss and tail are upper bounds.
 *
 * /proc/slabinfo has the distance between objects, not what users asked for: used and padding are
 * then unknown, and loss counts free and tail only, a lower bound.
 */
#include "slabstat/derive.h"
#include "slabstat/quality.h"
#include "util/num.h"

/* A value with what is known of it; absent values are 0. */
struct value {
	uint64_t n;
	enum slabstat_quality q;
};

static struct value get(const struct slabstat_cache *c, enum slabstat_field f)
{
	struct value v = { cache_has(c, f) ? c->value[f] : 0,
			   (enum slabstat_quality)c->quality[f] };

	return v;
}

static struct value exactly(uint64_t n)
{
	struct value v = { n, SLABSTAT_EXACT };

	return v;
}

/* What a source stated itself gives way to an exact result only: it may be the better known. */
static void put(struct slabstat_cache *c, enum slabstat_field f, struct value v)
{
	if (v.q == SLABSTAT_EXACT || (v.q != SLABSTAT_ABSENT && !cache_has(c, f)))
		cache_set(c, f, v.n, v.q);
}

/* What does not fit in 64 bits is at least the largest number that does. */
static struct value add(struct value a, struct value b)
{
	struct value v = { 0, quality_join(a.q, b.q) };

	if (__builtin_add_overflow(a.n, b.n, &v.n)) {
		v.n = UINT64_MAX;
		v.q = quality_join(v.q, SLABSTAT_LOWER);
	}
	return v;
}

static struct value mul(struct value a, struct value b)
{
	struct value v = { 0, quality_join(a.q, b.q) };

	if (__builtin_mul_overflow(a.n, b.n, &v.n)) {
		v.n = UINT64_MAX;
		v.q = quality_join(v.q, SLABSTAT_LOWER);
	}
	return v;
}

/*
 * A difference that would be negative is a race between two readings: 0, and no better than a
 * guess.
 */
static struct value sub(struct value a, struct value b)
{
	struct value v = { a.n - b.n, quality_join(a.q, quality_flip(b.q)) };

	if (a.n < b.n) {
		v.n = 0;
		if (v.q != SLABSTAT_ABSENT)
			v.q = SLABSTAT_ESTIMATE;
	}
	return v;
}

static struct value least(struct value a, uint64_t limit)
{
	if (a.n > limit)
		a.n = limit;
	return a;
}

/* Parts of a hundred: of nothing there are none. More than all of it is a race. */
static struct value percent(struct value part, struct value whole)
{
	struct value v = { num_muldiv(part.n, 100, whole.n),
			   quality_join(part.q, quality_flip(whole.q)) };

	if (whole.n == 0)
		v.q = SLABSTAT_ABSENT;
	return least(v, 100);
}

static void derive_layout(struct slabstat_cache *c)
{
	struct value pages = get(c, SLABSTAT_PAGES_PER_SLAB), order = get(c, SLABSTAT_ORDER);

	if (pages.q == SLABSTAT_ABSENT && order.q != SLABSTAT_ABSENT && order.n < 64) {
		put(c, SLABSTAT_PAGES_PER_SLAB, (struct value){ (uint64_t)1 << order.n, order.q });
	} else if (order.q == SLABSTAT_ABSENT && pages.n && (pages.n & (pages.n - 1)) == 0) {
		order.n = (uint64_t)__builtin_ctzll(pages.n);
		put(c, SLABSTAT_ORDER, (struct value){ order.n, pages.q });
	}
}

static void derive_footprint(struct slabstat_cache *c, const struct slabstat_machine *m)
{
	struct value slabs = get(c, SLABSTAT_SLABS), total = get(c, SLABSTAT_TOTAL_OBJECTS);
	struct value full = mul(slabs, get(c, SLABSTAT_OBJS_PER_SLAB));
	struct value page = { m->page_size,
			      m->page_size_guessed ? SLABSTAT_ESTIMATE : SLABSTAT_EXACT };
	struct value footprint;

	if (m->page_size == 0)
		page.q = SLABSTAT_ABSENT;
	footprint = mul(mul(slabs, get(c, SLABSTAT_PAGES_PER_SLAB)), page);
	/* A slab of one page cannot have fallen back to less. */
	if (full.q != SLABSTAT_ABSENT && total.q != SLABSTAT_ABSENT && total.n < full.n &&
	    c->value[SLABSTAT_PAGES_PER_SLAB] != 1)
		footprint.q = quality_join(footprint.q, SLABSTAT_UPPER);
	put(c, SLABSTAT_FOOTPRINT, footprint);
}

/* Bring one value down to a limit that it cannot exceed but by a race between two readings. */
static size_t clamp(struct slabstat_cache *c, enum slabstat_field f, struct value limit)
{
	if (!cache_has(c, f) || limit.q == SLABSTAT_ABSENT || c->value[f] <= limit.n)
		return 0;
	cache_set(c, f, limit.n, SLABSTAT_ESTIMATE);
	return 1;
}

static size_t clamp_levels(struct slabstat_cache *c)
{
	size_t n = 0;

	n += clamp(c, SLABSTAT_OBJECTS, get(c, SLABSTAT_TOTAL_OBJECTS));
	n += clamp(c, SLABSTAT_PARTIAL, get(c, SLABSTAT_SLABS));
	n += clamp(c, SLABSTAT_CPU_SLABS, get(c, SLABSTAT_SLABS));
	n += clamp(c, SLABSTAT_OBJECTS_PARTIAL, get(c, SLABSTAT_OBJECTS));
	return n;
}

/* Loss and its parts. Each part is taken out of what is left, so that they always add up. */
static size_t derive_loss(struct slabstat_cache *c)
{
	struct value footprint = get(c, SLABSTAT_FOOTPRINT);
	struct value objects = get(c, SLABSTAT_OBJECTS), total = get(c, SLABSTAT_TOTAL_OBJECTS);
	struct value slot = get(c, SLABSTAT_SLAB_SIZE), object = get(c, SLABSTAT_OBJECT_SIZE);
	struct value used = mul(objects, object), free_objs = sub(total, objects);
	struct value padding = mul(objects, sub(slot, object)), free = mul(free_objs, slot);
	struct value tail = sub(footprint, mul(total, slot)), loss;

	size_t clamped;

	put(c, SLABSTAT_FREE_OBJS, free_objs);
	put(c, SLABSTAT_USED, used);
	clamped = clamp(c, SLABSTAT_USED, footprint);
	loss = sub(footprint, get(c, SLABSTAT_USED));
	if (loss.q == SLABSTAT_ABSENT && footprint.q != SLABSTAT_ABSENT) {
		loss = sub(footprint, mul(objects, slot));
		if (loss.q != SLABSTAT_ABSENT)
			loss.q = quality_join(loss.q, SLABSTAT_LOWER);
	}
	put(c, SLABSTAT_LOSS, loss);
	loss = get(c, SLABSTAT_LOSS);
	if (loss.q == SLABSTAT_ABSENT)
		return clamped;
	padding = least(padding, padding.q == SLABSTAT_ABSENT ? 0 : loss.n);
	put(c, SLABSTAT_PADDING, padding);
	if (tail.q == SLABSTAT_ABSENT || free.q == SLABSTAT_ABSENT)
		return clamped;
	free = least(free, loss.n - padding.n);
	tail.n = loss.n - padding.n - free.n;
	put(c, SLABSTAT_FREE, free);
	put(c, SLABSTAT_TAIL, tail);
	return clamped;
}

/*
 * What the layers above the node lists can hold: whole CPU slabs, and, for each CPU, a main, a
 * spare and an RCU sheaf, and ten full sheaves in the barn of each node. Kernels before 6.18 have
 * no sheaves, kernels from 7.0 on no CPU slabs.
 */
static struct value per_cpu_objs(const struct slabstat_cache *c, const struct slabstat_machine *m)
{
	struct value held = mul(get(c, SLABSTAT_CPU_SLABS), get(c, SLABSTAT_OBJS_PER_SLAB));
	struct value capacity = get(c, SLABSTAT_SHEAF_CAPACITY), sheaves = exactly(0);

	if (m->cpu_slabs_retired)
		held = exactly(0);
	if (capacity.q == SLABSTAT_ABSENT && m->kernel < SLABSTAT_KERNEL(6, 18) &&
	    !m->cpu_slabs_retired)
		return held;
	if (capacity.q != SLABSTAT_ABSENT && capacity.n != 0) {
		sheaves.n = 3 * (uint64_t)m->cpus + 10 * (uint64_t)m->nodes;
		if (m->cpus == 0 || m->nodes == 0)
			sheaves.q = SLABSTAT_ABSENT;
	}
	return add(held, mul(capacity, sheaves));
}

/*
 * Of a program the cached objects are known. While others were at work it is an estimate; without
 * sheaves a CPU's own slab may hold free objects, as in the kernel.
 */
static void derive_really_in_use(struct slabstat_cache *c)
{
	struct value cached = add(add(get(c, SLABSTAT_SHEAF_OBJS), get(c, SLABSTAT_BARN_OBJS)),
				  get(c, SLABSTAT_RCU_OBJS));
	struct value motion = get(c, SLABSTAT_IN_MOTION), in_use;

	if (cached.q == SLABSTAT_ABSENT)
		return;
	if (motion.q == SLABSTAT_ABSENT || motion.n)
		cached.q = SLABSTAT_ESTIMATE;
	put(c, SLABSTAT_CACHED_OBJS, least(cached, c->value[SLABSTAT_OBJECTS]));
	in_use = sub(get(c, SLABSTAT_OBJECTS), get(c, SLABSTAT_CACHED_OBJS));
	if (in_use.q == SLABSTAT_EXACT && c->value[SLABSTAT_CPU_SLABS])
		in_use.q = SLABSTAT_UPPER;
	put(c, SLABSTAT_IN_USE_OBJS, in_use);
	in_use = mul(in_use, get(c, SLABSTAT_OBJECT_SIZE));
	if (in_use.n > c->value[SLABSTAT_USED])
		in_use = least(in_use, c->value[SLABSTAT_USED]);
	put(c, SLABSTAT_IN_USE, in_use);
	put(c, SLABSTAT_CACHED, sub(get(c, SLABSTAT_USED), in_use));
}

/* Bounds of it: what was in motion, and what the CPUs' own slabs can hold. */
static void derive_in_use_min(struct slabstat_cache *c)
{
	struct value in_use = get(c, SLABSTAT_IN_USE_OBJS), motion = get(c, SLABSTAT_IN_MOTION);
	struct value held = mul(get(c, SLABSTAT_CPU_SLABS), get(c, SLABSTAT_OBJS_PER_SLAB));
	uint64_t off = num_add_sat(motion.n, held.n);

	in_use.n = in_use.n > off ? in_use.n - off : 0;
	if (off)
		in_use.q = SLABSTAT_LOWER;
	put(c, SLABSTAT_IN_USE_MIN, in_use);
}

static void derive_in_use(struct slabstat_cache *c, const struct slabstat_machine *m)
{
	struct value objects = get(c, SLABSTAT_OBJECTS), held = per_cpu_objs(c, m);
	struct value lower = { objects.n > held.n ? objects.n - held.n : 0,
			       quality_join(objects.q, quality_flip(held.q)) };

	if (lower.q != SLABSTAT_ABSENT)
		lower.q = quality_join(lower.q, SLABSTAT_LOWER);
	put(c, SLABSTAT_IN_USE_MIN, lower);
}

/* Packed tightly, the objects on partial slabs would need fewer slabs. */
static void derive_defrag(struct slabstat_cache *c, const struct slabstat_machine *m)
{
	struct value partial = get(c, SLABSTAT_PARTIAL), objs = get(c, SLABSTAT_OBJECTS_PARTIAL);
	struct value room = get(c, SLABSTAT_OBJS_PER_SLAB), gain;
	struct value slab = mul(get(c, SLABSTAT_PAGES_PER_SLAB), exactly(m->page_size));
	uint64_t needed;

	if (room.q == SLABSTAT_ABSENT || room.n == 0 || m->page_size == 0)
		return;
	needed = objs.n / room.n + (objs.n % room.n != 0);
	gain = mul(sub(partial, (struct value){ needed, objs.q }), slab);
	if (cache_has(c, SLABSTAT_FOOTPRINT))
		gain.q = quality_join(gain.q, get(c, SLABSTAT_FOOTPRINT).q);
	if (cache_has(c, SLABSTAT_LOSS))
		gain = least(gain, c->value[SLABSTAT_LOSS]);
	put(c, SLABSTAT_DEFRAG, gain);
}

/*
 * From 6.18 to 6.19 sheaves count apart from the two paths, and the objects that they fetch from
 * or flush to slabs count in both: with any such traffic the sum is no better than an estimate.
 */
static struct value calls(const struct slabstat_cache *c, enum slabstat_field fast,
			  enum slabstat_field slow, enum slabstat_field sheaf,
			  enum slabstat_field moved)
{
	struct value v = add(get(c, fast), get(c, slow));

	if (v.q == SLABSTAT_ABSENT || !cache_has(c, sheaf))
		return v;
	v = add(v, get(c, sheaf));
	if (get(c, moved).n != 0)
		v.q = SLABSTAT_ESTIMATE;
	return v;
}

void derive_percents(struct slabstat_cache *c)
{
	struct value footprint = get(c, SLABSTAT_FOOTPRINT);

	put(c, SLABSTAT_FILL_PERCENT,
	    percent(get(c, SLABSTAT_OBJECTS), get(c, SLABSTAT_TOTAL_OBJECTS)));
	put(c, SLABSTAT_EFFICIENCY_PERCENT, percent(get(c, SLABSTAT_USED), footprint));
	put(c, SLABSTAT_PARTIAL_PERCENT, percent(get(c, SLABSTAT_PARTIAL), get(c, SLABSTAT_SLABS)));
	put(c, SLABSTAT_BARN_HIT_PERCENT,
	    percent(get(c, SLABSTAT_BARN_GET),
		    add(get(c, SLABSTAT_BARN_GET), get(c, SLABSTAT_BARN_GET_FAIL))));
	put(c, SLABSTAT_LOSS_PERCENT, percent(get(c, SLABSTAT_LOSS), footprint));
}

/*
 * The fast path counts nothing. What came into a CPU's sheaves, whole sheaves at a time, left them
 * again but for what they still hold; what was freed into them and allocated again comes on top.
 */
static void derive_sheaf_hit(struct slabstat_cache *c)
{
	struct value bypass = get(c, SLABSTAT_ALLOC_BYPASS), in, out;

	if (bypass.q == SLABSTAT_ABSENT)
		return;
	in = mul(get(c, SLABSTAT_SHEAF_CAPACITY),
		 add(get(c, SLABSTAT_BARN_GET), get(c, SLABSTAT_BARN_GET_FAIL)));
	out = sub(in, get(c, SLABSTAT_SHEAF_OBJS));
	out = percent(out, add(out, bypass));
	if (out.q != SLABSTAT_ABSENT && bypass.n)
		out.q = SLABSTAT_LOWER;
	put(c, SLABSTAT_SHEAF_HIT_PERCENT, out);
}

size_t derive_cache(struct slabstat_cache *c, const struct slabstat_machine *m)
{
	size_t clamped;

	derive_layout(c);
	clamped = clamp_levels(c);
	derive_footprint(c, m);
	clamped += derive_loss(c);
	derive_really_in_use(c);
	if (cache_has(c, SLABSTAT_IN_USE_OBJS))
		derive_in_use_min(c);
	else
		derive_in_use(c, m);
	derive_defrag(c, m);
	derive_sheaf_hit(c);
	put(c, SLABSTAT_ALLOCS, calls(c, SLABSTAT_ALLOC_FASTPATH, SLABSTAT_ALLOC_SLOWPATH,
				      SLABSTAT_ALLOC_CPU_SHEAF, SLABSTAT_SHEAF_REFILL));
	put(c, SLABSTAT_FREES, calls(c, SLABSTAT_FREE_FASTPATH, SLABSTAT_FREE_SLOWPATH,
				     SLABSTAT_FREE_CPU_SHEAF, SLABSTAT_SHEAF_FLUSH));
	derive_percents(c);
	return clamped;
}

struct slabstat_sum slabstat_sum_caches(const struct slabstat_cache *const *caches, size_t n,
					enum slabstat_field field)
{
	struct slabstat_sum s = { .quality = SLABSTAT_ABSENT };
	bool cut = false;

	if ((unsigned)field >= SLABSTAT_NFIELDS)
		return s;
	for (size_t i = 0; i < n; i++) {
		uint64_t v = caches[i]->value[field];
		enum slabstat_quality q = (enum slabstat_quality)caches[i]->quality[field];

		if (q == SLABSTAT_ABSENT) {
			s.missing++;
			continue;
		}
		s.quality = s.n ? quality_join(s.quality, q) : q;
		s.min = s.n == 0 || v < s.min ? v : s.min;
		s.max = v > s.max ? v : s.max;
		if (__builtin_add_overflow(s.sum, v, &s.sum)) {
			s.sum = UINT64_MAX;
			cut = true;
		}
		s.n++;
	}
	if (s.n && (s.missing || cut))
		s.quality = quality_join(s.quality, SLABSTAT_LOWER);
	return s;
}

bool slabstat_cache_in_use(const struct slabstat_cache *cache, uint64_t *lower, uint64_t *upper)
{
	uint64_t in_use;

	if (slabstat_cache_value(cache, SLABSTAT_IN_USE_OBJS, &in_use) != SLABSTAT_ABSENT &&
	    cache_has(cache, SLABSTAT_IN_USE_MIN)) {
		*lower = cache->value[SLABSTAT_IN_USE_MIN];
		*upper = num_add_sat(in_use, slabstat_cache_or(cache, SLABSTAT_IN_MOTION, 0));
		if (*upper > cache->value[SLABSTAT_OBJECTS])
			*upper = cache->value[SLABSTAT_OBJECTS];
		return true;
	}
	if (!cache_has(cache, SLABSTAT_OBJECTS) || !cache_has(cache, SLABSTAT_IN_USE_MIN))
		return false;
	*lower = cache->value[SLABSTAT_IN_USE_MIN];
	*upper = cache->value[SLABSTAT_OBJECTS];
	return true;
}
