// SPDX-License-Identifier: MIT
/*
 * track.c - one line of history a cache; see track.h.
 *
 * Tracks stand in the order of snapshots (name_compare, then order in the source), so a new sample
 * is joined by one walk over both. A small table of pointers finds the track of a cache.
 */
#include "track.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/name.h"

struct slot {
	const struct slabstat_cache *cache;
	struct track *track;
};

struct tracks {
	struct track **track;
	size_t count;
	struct slot *slot;		/* open addressing; slots is a power of two */
	size_t slots;
	uint64_t samples, number;	/* since the beginning; ever (for the ring) */
	uint64_t reset;			/* number of the last sample before the beginning */
	uint64_t history;		/* samples since the last gap */
	bool gap;			/* one was left out since the beginning */
	int64_t first_ns, previous_ns, last_ns;
};

static const enum slabstat_field fields[TRACK_QUANTITIES] = {
	[TRACK_FOOTPRINT] = SLABSTAT_FOOTPRINT,
	[TRACK_OBJECTS] = SLABSTAT_OBJECTS,
};

struct tracks *tracks_new(void)
{
	struct tracks *t = calloc(1, sizeof(*t));

	if (t)
		tracks_reset(t);
	return t;
}

static void track_free(struct track *t)
{
	if (!t)
		return;
	free(t->name);
	free(t->label);
	free(t);
}

void tracks_free(struct tracks *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->count; i++)
		track_free(t->track[i]);
	free(t->track);
	free(t->slot);
	free(t);
}

static struct track *track_new(const struct slabstat_cache *c)
{
	struct track *k = calloc(1, sizeof(*k));

	if (!k)
		return NULL;
	k->name = strdup(slabstat_cache_name(c));
	k->label = strdup(slabstat_cache_label(c));
	k->slot_size = slabstat_cache_or(c, SLABSTAT_SLAB_SIZE, 0);
	if (!k->name || !k->label) {
		track_free(k);
		return NULL;
	}
	return k;
}

static size_t hash_pointer(const void *p, size_t slots)
{
	return (size_t)(((uint64_t)(uintptr_t)p * 0x9e3779b97f4a7c15u) >> 20) & (slots - 1);
}

static void slot_put(struct slot *slot, size_t slots, const struct slabstat_cache *c,
		     struct track *k)
{
	size_t i = hash_pointer(c, slots);

	while (slot[i].cache)
		i = (i + 1) & (slots - 1);
	slot[i] = (struct slot){ c, k };
}

struct track *tracks_of(const struct tracks *t, const struct slabstat_cache *cache)
{
	if (!t->slots || !cache)
		return NULL;
	for (size_t i = hash_pointer(cache, t->slots); t->slot[i].cache;
	     i = (i + 1) & (t->slots - 1))
		if (t->slot[i].cache == cache)
			return t->slot[i].track;
	return NULL;
}

/* A joined walk: what each track and each cache of the new sample come to. */
struct join {
	struct track **track;		/* the new array */
	size_t count;
	struct slot *slot;
	size_t slots;
	uint64_t made;			/* tracks before this index of made_track are ours */
	struct track **made_track;
};

static void join_undo(struct join *j)
{
	for (size_t i = 0; i < j->made; i++)
		track_free(j->made_track[i]);
	free(j->made_track);
	free(j->track);
	free(j->slot);
}

static bool join_start(struct join *j, size_t tracks, size_t caches)
{
	memset(j, 0, sizeof(*j));
	j->slots = 64;
	while (j->slots < 2 * caches)
		j->slots *= 2;
	j->track = calloc(tracks + caches + 1, sizeof(struct track *));
	j->made_track = calloc(caches + 1, sizeof(struct track *));
	j->slot = calloc(j->slots, sizeof(*j->slot));
	if (j->track && j->made_track && j->slot)
		return true;
	join_undo(j);
	return false;
}

/*
 * One name's caches against the tracks of that name: each takes the first free track of its slot
 * size, so that equal ones keep their order; what is left over on either side was born or died.
 */
static int join_name(struct tracks *t, struct join *j, size_t from, size_t to,
		     const struct slabstat_snapshot *s, size_t *next)
{
	size_t first = j->count, have;
	const char *name = from < to ? t->track[from]->name :
			   slabstat_cache_name(slabstat_snapshot_cache(s, *next));

	for (size_t i = from; i < to; i++)
		j->track[j->count++] = t->track[i];
	have = j->count;
	for (; *next < slabstat_snapshot_count(s); ++*next) {
		const struct slabstat_cache *c = slabstat_snapshot_cache(s, *next);
		uint64_t size = slabstat_cache_or(c, SLABSTAT_SLAB_SIZE, 0);
		struct track *k = NULL;

		if (strcmp(slabstat_cache_name(c), name) != 0)
			break;
		for (size_t i = first; i < have && !k; i++)
			if (j->track[i]->slot_size == size && j->track[i]->seen <= t->number)
				k = j->track[i];
		if (!k) {
			k = track_new(c);
			if (!k)
				return -ENOMEM;
			j->made_track[j->made++] = k;
			j->track[j->count++] = k;
		}
		if (k->seen <= t->reset) {
			k->born = t->samples > 0;
			k->first = t->number + 1;
		}
		k->seen = t->number + 1;
		slot_put(j->slot, j->slots, c, k);
	}
	return 0;
}

static int join_all(struct tracks *t, struct join *j, const struct slabstat_snapshot *s)
{
	size_t i = 0, next = 0;

	while (i < t->count || next < slabstat_snapshot_count(s)) {
		size_t from = i;
		int order = -1, err;

		if (i >= t->count)
			order = 1;
		else if (next < slabstat_snapshot_count(s))
			order = name_compare(t->track[i]->name, slabstat_cache_name(
						     slabstat_snapshot_cache(s, next)));
		if (order < 0) {		/* a dead one */
			j->track[j->count++] = t->track[i++];
			continue;
		}
		if (order == 0)
			for (i++;
			     i < t->count && strcmp(t->track[i]->name, t->track[from]->name) == 0;)
				i++;
		err = join_name(t, j, from, i, s, &next);
		if (err)
			return err;
	}
	return 0;
}

static void series_add(struct tracks *t, struct track *k, struct track_series *s,
		       const struct slabstat_cache *c, enum slabstat_field field, bool amend)
{
	uint64_t value = 0;

	if (!amend)
		s->previous = s->last;
	if (c && slabstat_cache_value(c, field, &value) != SLABSTAT_ABSENT) {
		bool fresh = !s->known && !k->born;

		s->known = true;
		if (fresh) {
			s->base = s->previous = s->peak = value;
		} else if (value > s->peak) {
			if (field == SLABSTAT_FOOTPRINT)
				k->new_peak = true;
			s->peak = value;
		}
	}
	s->last = value;
	s->ring[t->number % TRACK_HISTORY] = (float)value;
}

static void track_add(struct tracks *t, struct track *k, const struct slabstat_cache *c, bool amend)
{
	if (!amend)
		k->new_peak = false;
	for (int w = 0; w < TRACK_QUANTITIES; w++)
		series_add(t, k, &k->s[w], c, fields[w], amend);
}

/* Find the track of each cache of the sample that follows t->number. */
static int join_snapshot(struct tracks *t, const struct slabstat_snapshot *snapshot)
{
	struct join j;

	if (!join_start(&j, t->count, slabstat_snapshot_count(snapshot)))
		return -ENOMEM;
	if (join_all(t, &j, snapshot) != 0) {
		for (size_t i = 0; i < t->count; i++)
			if (t->track[i]->seen > t->number)
				t->track[i]->seen = t->number;
		join_undo(&j);
		return -ENOMEM;
	}
	free(j.made_track);
	free(t->track);
	free(t->slot);
	t->track = j.track;
	t->count = j.count;
	t->slot = j.slot;
	t->slots = j.slots;
	return 0;
}

/* Put the values of the sample t->number into the tracks that were found. */
static void fill(struct tracks *t, bool amend)
{
	for (size_t i = 0; i < t->slots; i++)
		if (t->slot[i].cache)
			track_add(t, t->slot[i].track, t->slot[i].cache, amend);
	for (size_t i = 0; i < t->count; i++)
		if (t->track[i]->seen < t->number)
			track_add(t, t->track[i], NULL, amend);
}

int tracks_add(struct tracks *t, const struct slabstat_snapshot *snapshot, int64_t ns)
{
	int err = join_snapshot(t, snapshot);

	if (err)
		return err;
	t->number++;
	t->previous_ns = t->samples ? t->last_ns : ns;
	t->first_ns = t->samples ? t->first_ns : ns;
	t->last_ns = ns;
	fill(t, false);
	t->samples++;
	t->history++;
	return 0;
}

int tracks_amend(struct tracks *t, const struct slabstat_snapshot *snapshot, int64_t ns)
{
	int err;

	if (!t->samples)
		return tracks_add(t, snapshot, ns);
	for (size_t i = 0; i < t->count; i++)
		t->track[i]->seen -= t->track[i]->seen == t->number;
	t->number--;
	err = join_snapshot(t, snapshot);
	if (err)
		for (size_t i = 0; i < t->count; i++)
			t->track[i]->seen += t->track[i]->seen == t->number;
	t->number++;
	if (err)
		return err;
	t->last_ns = ns;
	fill(t, true);
	return 0;
}

void tracks_restart(struct tracks *t)
{
	size_t kept = 0;

	for (size_t i = 0; i < t->count; i++) {
		struct track *k = t->track[i];

		if (k->seen < t->number) {
			track_free(k);
			continue;
		}
		k->first = t->number;
		k->born = k->new_peak = false;
		for (int w = 0; w < TRACK_QUANTITIES; w++)
			k->s[w].base = k->s[w].previous = k->s[w].peak = k->s[w].last;
		t->track[kept++] = k;
	}
	t->count = kept;
	t->samples = t->history = t->samples ? 1 : 0;
	t->gap = false;
	t->first_ns = t->previous_ns = t->last_ns;
}

void tracks_reset(struct tracks *t)
{
	for (size_t i = 0; i < t->count; i++)
		memset(t->track[i]->s, 0, sizeof(t->track[i]->s));
	t->samples = t->history = 0;
	t->gap = false;
	/* One number is left out: the first sample is amended under the number before its own. */
	t->reset = t->number++;
}

void tracks_gap(struct tracks *t)
{
	t->history = 0;
	t->gap = true;
}

bool tracks_gapped(const struct tracks *t)
{
	return t->gap;
}

bool tracks_alive(const struct tracks *t, const struct track *track)
{
	return track->seen == t->number;
}

size_t tracks_count(const struct tracks *t)
{
	return t->count;
}

bool tracks_gone(const struct tracks *t, const struct track *track)
{
	return track->seen < t->number && track->seen > t->reset;
}

const struct track *tracks_at(const struct tracks *t, size_t i)
{
	return i < t->count ? t->track[i] : NULL;
}

uint64_t tracks_samples(const struct tracks *t)
{
	return t->samples;
}

static double seconds(int64_t from, int64_t to)
{
	return to > from ? (double)(to - from) / 1e9 : 0;
}

double tracks_step_seconds(const struct tracks *t)
{
	return seconds(t->previous_ns, t->last_ns);
}

double tracks_span_seconds(const struct tracks *t)
{
	return seconds(t->first_ns, t->last_ns);
}

size_t tracks_history(const struct tracks *t, const struct track *track, enum track_what what,
		      float *value, size_t n)
{
	uint64_t have = t->history < TRACK_HISTORY ? t->history : TRACK_HISTORY;

	if (!track->s[what].known)
		return 0;
	if (have > n)
		have = n;
	for (uint64_t i = 0; i < have; i++) {
		uint64_t number = t->number - have + 1 + i;

		value[i] = number < track->first ? 0 : track->s[what].ring[number % TRACK_HISTORY];
	}
	return (size_t)have;
}

void track_fold(struct track *into, const struct track *member)
{
	into->born &= member->born;
	into->new_peak |= member->new_peak;
	if (member->seen > into->seen)
		into->seen = member->seen;
	if (!into->first || member->first < into->first)
		into->first = member->first;
	for (int w = 0; w < TRACK_QUANTITIES; w++) {
		struct track_series *a = &into->s[w];
		const struct track_series *b = &member->s[w];

		if (!b->known)
			continue;
		a->known = true;
		a->base += b->base;
		a->previous += b->previous;
		a->last += b->last;
		a->peak += b->peak;
		for (size_t i = 0; i < TRACK_HISTORY; i++)
			a->ring[i] += b->ring[i];
	}
}
