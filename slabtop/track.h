/* SPDX-License-Identifier: MIT */
/*
 * track.h - what becomes of each cache from sample to sample.
 *
 * A snapshot knows one instant. A track follows one cache through many: where it began, where it
 * was at the sample before, its peak, and a ring of the last TRACK_HISTORY samples. It is also the
 * identity of a row: a cursor that holds a track stays on its cache however the rows move.
 *
 * The same cache is the one with the same name and slot size; equal ones are told apart by their
 * order. A track outlives its cache, so that what vanished can still be shown. Two quantities are
 * followed: the footprint and the objects.
 */
#ifndef SLABTOP_TRACK_H
#define SLABTOP_TRACK_H

#include <slab/slabstat.h>

#define TRACK_HISTORY 160

enum track_what { TRACK_FOOTPRINT, TRACK_OBJECTS, TRACK_QUANTITIES };

struct track_series {
	bool known;			/* the source has it */
	/* at the beginning, at the sample before, at the last one */
	uint64_t base, previous, last;
	uint64_t peak;
	float ring[TRACK_HISTORY];	/* sample n in ring[n % TRACK_HISTORY] */
};

struct track {
	char *name;			/* the cache's; label: what people call it */
	char *label;
	uint64_t slot_size;
	uint64_t first, seen;		/* numbers of samples */
	bool born;			/* not there when the tracks began */
	bool new_peak;			/* the last sample went over the peak of those before */
	struct track_series s[TRACK_QUANTITIES];
};

struct tracks;

/* tracks_new - *returns owned*; NULL: no memory. */
struct tracks *tracks_new(void);
void tracks_free(struct tracks *t);

/*
 * tracks_add - the next sample, taken at ns on some steady clock. 0 or -ENOMEM (nothing changed).
 */
int tracks_add(struct tracks *t, const struct slabstat_snapshot *snapshot, int64_t ns);

/*
 * tracks_amend - the last sample was read once more, or a little later: its values take the place
 * of those before. 0 or -ENOMEM (nothing changed).
 */
int tracks_amend(struct tracks *t, const struct slabstat_snapshot *snapshot, int64_t ns);

/* tracks_restart - growth, peaks and history begin with the last sample; the dead are forgotten. */
void tracks_restart(struct tracks *t);

/* tracks_reset - as if nothing had been added, but every track stays the same object, so that what
 * holds on to one finds its cache again in the samples that follow. */
void tracks_reset(struct tracks *t);

/* tracks_gap - the next sample does not follow the last one: the history begins with it, and peaks
 * are only those of the samples that were seen. Growth since the beginning goes on. */
void tracks_gap(struct tracks *t);

/* tracks_gapped - whether samples were left out since the beginning. */
bool tracks_gapped(const struct tracks *t);

/* tracks_of - the track of a cache of the snapshot added last; NULL: not one of its. *borrows*. */
struct track *tracks_of(const struct tracks *t, const struct slabstat_cache *cache);

/* tracks_alive - whether it was in the last sample. tracks_gone - in an earlier one only. */
bool tracks_alive(const struct tracks *t, const struct track *track);
bool tracks_gone(const struct tracks *t, const struct track *track);

/* Every track, in order of name, those too that are not alive. */
size_t tracks_count(const struct tracks *t);
const struct track *tracks_at(const struct tracks *t, size_t i);

/* Samples since the beginning (1 after the first), and seconds from the sample before and from the
 * beginning; 0 where there is none. */
uint64_t tracks_samples(const struct tracks *t);
double tracks_step_seconds(const struct tracks *t);
double tracks_span_seconds(const struct tracks *t);

/*
 * tracks_history - up to n values of one quantity, oldest first, ending with the last sample.
 * Returns how many there are; a cache that was not there yet counts as 0.
 */
size_t tracks_history(const struct tracks *t, const struct track *track, enum track_what what,
		      float *value, size_t n);

/* track_fold - add one track to a sum of several, such as a family. into starts zeroed. */
void track_fold(struct track *into, const struct track *member);

#endif
