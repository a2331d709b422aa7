// SPDX-License-Identifier: MIT
/* totals.c - sums over every cache; see totals.h. */
#include "totals.h"

#include <stdlib.h>
#include <string.h>

#include "util/num.h"

struct wanted {
	enum slabstat_field field;
	size_t at;		/* in struct totals */
};

static const struct wanted wanted[] = {
	{ SLABSTAT_FOOTPRINT, offsetof(struct totals, footprint) },
	{ SLABSTAT_USED, offsetof(struct totals, used) },
	{ SLABSTAT_LOSS, offsetof(struct totals, loss) },
	{ SLABSTAT_FREE, offsetof(struct totals, free) },
	{ SLABSTAT_PADDING, offsetof(struct totals, padding) },
	{ SLABSTAT_TAIL, offsetof(struct totals, tail) },
	{ SLABSTAT_OBJECTS, offsetof(struct totals, objects) },
	{ SLABSTAT_TOTAL_OBJECTS, offsetof(struct totals, total_objects) },
	{ SLABSTAT_SLABS, offsetof(struct totals, slabs) },
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

void totals_needs(struct slabstat_fieldset *fields)
{
	for (size_t i = 0; i < COUNT(wanted); i++)
		slabstat_fieldset_add(fields, wanted[i].field);
	slabstat_fieldset_add(fields, SLABSTAT_RECLAIM_ACCOUNT);
}

static void sum_fields(struct totals *t, const struct slabstat_snapshot *s)
{
	size_t n = slabstat_snapshot_count(s);
	const struct slabstat_cache **cache = malloc((n ? n : 1) * sizeof(*cache));

	if (!cache)
		return;		/* everything stays unknown */
	t->reclaim_known = n > 0;
	for (size_t i = 0; i < n; i++) {
		uint64_t reclaim, bytes;

		cache[i] = slabstat_snapshot_cache(s, i);
		bytes = slabstat_cache_or(cache[i], SLABSTAT_FOOTPRINT, 0);
		if (slabstat_cache_value(cache[i], SLABSTAT_RECLAIM_ACCOUNT, &reclaim) ==
		    SLABSTAT_ABSENT) {
			t->reclaim_known = false;
		} else if (reclaim) {
			t->reclaimable = num_add_sat(t->reclaimable, bytes);
			t->reclaimable_caches++;
		} else {
			t->unreclaimable = num_add_sat(t->unreclaimable, bytes);
		}
	}
	for (size_t i = 0; i < COUNT(wanted); i++)
		*(struct slabstat_sum *)((char *)t + wanted[i].at) =
			slabstat_sum_caches(cache, n, wanted[i].field);
	free(cache);
}

static struct value signed_value(uint64_t up, uint64_t down)
{
	return (struct value){ SLABSTAT_EXACT, down > up, down > up ? down - up : up - down };
}

static void follow(struct totals *t, const struct tracks *tracks)
{
	double seconds = tracks_step_seconds(tracks);
	uint64_t last = 0, previous = 0, base = 0, objs = 0, base_objs = 0;

	if (tracks_samples(tracks) < 2)
		return;
	for (size_t i = 0; i < tracks_count(tracks); i++) {
		const struct track *k = tracks_at(tracks, i);
		const struct track_series *f = &k->s[TRACK_FOOTPRINT], *o = &k->s[TRACK_OBJECTS];

		last = num_add_sat(last, f->last);
		previous = num_add_sat(previous, f->previous);
		base = num_add_sat(base, f->base);
		objs = num_add_sat(objs, o->last);
		base_objs = num_add_sat(base_objs, o->base);
		t->grown += f->last > f->base;
		t->shrunk += f->last < f->base;
		t->born += k->born && tracks_alive(tracks, k);
		t->gone += tracks_gone(tracks, k);
	}
	if (t->footprint.n) {
		t->delta = signed_value(last, previous);
		t->since = signed_value(last, base);
	}
	if (t->objects.n)
		t->obj_since = signed_value(objs, base_objs);
	t->rate = t->delta;
	if (seconds > 0)
		t->rate.magnitude = (uint64_t)((double)t->delta.magnitude / seconds + 0.5);
	else
		t->rate.quality = SLABSTAT_ABSENT;
}

void totals_make(struct totals *t, const struct slabstat_snapshot *snapshot,
		 const struct tracks *tracks)
{
	memset(t, 0, sizeof(*t));
	t->caches = slabstat_snapshot_count(snapshot);
	sum_fields(t, snapshot);
	follow(t, tracks);
}

char *sum_text(const struct slabstat_sum *s, bool exact, char buf[COLUMN_TEXT])
{
	enum slabstat_quality q = !s->n					       ? SLABSTAT_ABSENT
				  : s->missing && s->quality == SLABSTAT_EXACT ? SLABSTAT_LOWER
									       : s->quality;

	return value_text(SLABSTAT_FOOTPRINT, q, s->sum, exact, buf);
}

unsigned sum_percent(uint64_t part, uint64_t whole)
{
	return (unsigned)num_muldiv(part, 100, whole);
}
