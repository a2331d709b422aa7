/* SPDX-License-Identifier: MIT */
/*
 * replay.h - moving through a recording: the place in it, marks, playing, the slider.
 *
 * Going on by one sample is like a live sample. A jump starts the tracks anew: with the first
 * sample of the recording, from which growth counts, and then with as many samples before the new
 * place as can be read in a blink, so that rates and histories are those of that place.
 */
#ifndef SLABTOP_REPLAY_H
#define SLABTOP_REPLAY_H

#include "canvas.h"
#include "feed.h"
#include "keys.h"
#include "track.h"

#define REPLAY_LINE 256		/* points of the slider's graph */

struct replay {
	bool on;			/* the source has several samples */
	bool playing;
	size_t base;			/* sample from which growth counts */
	size_t target;			/* where to be after the next step */
	const struct slabstat_mark *mark;
	size_t marks;
	/* A search for the sample in which one cache is largest, under way. */
	bool searching;
	const struct track *sought;
	size_t looked, found;		/* samples: looked at so far; the best of them */
	uint64_t most;
	float line[REPLAY_LINE];	/* footprint along the recording */
	size_t points;			/* of line that are known; 0: none */
};

/* replay_start - after feed_open. */
void replay_start(struct replay *r, const struct feed *f);

/*
 * replay_act - an action of KEYS_TIME. True where it was one; the target is then set and *said is
 * a message of constant text or NULL. row: at the cursor, for its peak; NULL: there is none.
 */
bool replay_act(struct replay *r, struct feed *f, enum action a, const struct track *row,
		const char **said);

/* replay_tick - the timer while playing: one sample on; at the end it stops. */
void replay_tick(struct replay *r, const struct feed *f);

/* replay_stop - give up the search. */
void replay_stop(struct replay *r);

/* replay_step - read the target and bring the tracks to it. 0 or a negative errno. */
int replay_step(struct replay *r, struct feed *f, struct tracks *tracks,
		const struct feed_want *want);

/*
 * replay_search - some milliseconds of the search. True while it goes on; then the target is the
 * sample that was found. The feed's own sample stays.
 */
bool replay_search(struct replay *r, struct feed *f);

/* replay_draw - the slider on row y. */
void replay_draw(const struct replay *r, const struct feed *f, struct canvas *c, int y,
		 bool unicode);

#endif
