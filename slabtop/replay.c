// SPDX-License-Identifier: MIT
/* replay.c - moving through a recording; see replay.h. */
#include "replay.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "graph.h"

/* Time for the samples before a place that is jumped to. */
#define LEAD_NS 50000000u
#define SEARCH_NS 30000000u	/* of a search between two looks at the keys */
#define SKIPS 20		/* skips from one end to the other */

void replay_start(struct replay *r, const struct feed *f)
{
	memset(r, 0, sizeof(*r));
	r->on = f->samples > 1;
	if (!r->on)
		return;
	r->target = f->at;
	r->mark = slabstat_source_marks(f->source, &r->marks);
	for (size_t i = 0; i < REPLAY_LINE && i < f->samples; i++) {
		size_t points = f->samples < REPLAY_LINE ? f->samples : REPLAY_LINE;
		struct slabstat_instant at;

		if (slabstat_source_instant(f->source, i * (f->samples - 1) / (points - 1), &at) !=
			    0 ||
		    !at.has_footprint)
			break;
		r->line[i] = (float)at.footprint_bytes;
		r->points = i + 1;
	}
}

static size_t next_mark(const struct replay *r, size_t at, size_t samples, int step)
{
	size_t found = at;

	for (size_t i = 0; i < r->marks; i++) {
		size_t s = r->mark[i].sample < samples ? r->mark[i].sample : samples - 1;

		if (step > 0 ? s > at && (found == at || s < found)
			     : s < at && (found == at || s > found))
			found = s;
	}
	return found;
}

static size_t largest_sample(struct feed *f, const char **said)
{
	size_t n = f->at;

	if (slabstat_source_at(f->source, "peak", &n) != 0)
		*said = "the recording does not tell sizes";
	else
		*said = "the largest footprint of all caches";
	return n;
}

static void start_search(struct replay *r, const struct track *row, const char **said)
{
	if (!row) {
		*said = "no row is chosen";
		return;
	}
	r->searching = true;
	r->sought = row;
	r->looked = r->found = 0;
	r->most = 0;
}

/* The footprint of the sought cache in a snapshot; 0 where it is not there. */
static uint64_t sought_size(const struct replay *r, const struct slabstat_snapshot *s)
{
	for (size_t i = 0; i < slabstat_snapshot_count(s); i++) {
		const struct slabstat_cache *c = slabstat_snapshot_cache(s, i);

		if (strcmp(slabstat_cache_name(c), r->sought->name) == 0 &&
		    slabstat_cache_or(c, SLABSTAT_SLAB_SIZE, 0) == r->sought->slot_size)
			return slabstat_cache_or(c, SLABSTAT_FOOTPRINT, 0);
	}
	return 0;
}

void replay_stop(struct replay *r)
{
	r->searching = false;
}

bool replay_search(struct replay *r, struct feed *f)
{
	struct slabstat_fieldset want = { { 0 } };
	uint64_t begun = clock_ns(CLOCK_MONOTONIC);

	slabstat_fieldset_add(&want, SLABSTAT_FOOTPRINT);
	slabstat_fieldset_add(&want, SLABSTAT_SLAB_SIZE);
	while (r->searching && clock_ns(CLOCK_MONOTONIC) - begun < SEARCH_NS) {
		struct slabstat_snapshot *s;
		uint64_t size;

		if (r->looked >= f->samples || slabstat_source_seek(f->source, r->looked) != 0 ||
		    slabstat_source_read(f->source, &want, &s) != 0) {
			r->target = r->found;
			r->searching = false;
			break;
		}
		size = sought_size(r, s);
		if (size > r->most) {
			r->most = size;
			r->found = r->looked;
		}
		slabstat_snapshot_free(s);
		r->looked++;
	}
	return r->searching;
}

static size_t moved(size_t at, long by, size_t samples)
{
	if (by < 0)
		return at > (size_t)-by ? at - (size_t)-by : 0;
	return at + (size_t)by < samples ? at + (size_t)by : samples - 1;
}

bool replay_act(struct replay *r, struct feed *f, enum action a, const struct track *row,
		const char **said)
{
	long skip = (long)(f->samples / SKIPS);
	size_t to = f->at;

	*said = NULL;
	switch (a) {
	case ACTION_PLAY:
	case ACTION_PAUSE:
		r->playing = !r->playing;
		if (r->playing && f->at + 1 >= f->samples)
			to = 0;
		break;
	case ACTION_STEP_BACK: to = moved(f->at, -1, f->samples); break;
	case ACTION_STEP_ON: to = moved(f->at, 1, f->samples); break;
	case ACTION_SKIP_BACK: to = moved(f->at, -(skip ? skip : 1), f->samples); break;
	case ACTION_SKIP_ON: to = moved(f->at, skip ? skip : 1, f->samples); break;
	case ACTION_BEGINNING: to = 0; break;
	case ACTION_END: to = f->samples - 1; break;
	case ACTION_MARK_NEXT:
	case ACTION_MARK_PREVIOUS:
		to = next_mark(r, f->at, f->samples, a == ACTION_MARK_NEXT ? 1 : -1);
		if (to == f->at)
			*said = r->marks ? "no further mark" : "the recording has no marks";
		break;
	case ACTION_PEAK: to = largest_sample(f, said); break;
	case ACTION_ROW_PEAK: start_search(r, row, said); break;
	default: return false;
	}
	r->target = to;
	return true;
}

void replay_tick(struct replay *r, const struct feed *f)
{
	if (f->at + 1 < f->samples)
		r->target = f->at + 1;
	else
		r->playing = false;
}

static int add_sample(struct feed *f, struct tracks *tracks, size_t at,
		      const struct feed_want *want)
{
	int err;

	f->at = at;
	err = feed_read(f, want);
	return err ? err : tracks_add(tracks, f->snapshot, feed_clock(f));
}

static int jump(struct replay *r, struct feed *f, struct tracks *tracks,
		const struct feed_want *want)
{
	size_t base = r->base <= r->target ? r->base : 0, lead, at;
	int err = add_sample(f, tracks, base, want);

	lead = f->read_ns ? (size_t)(LEAD_NS / f->read_ns) : TRACK_HISTORY;
	lead = lead < 1 ? 1 : lead < TRACK_HISTORY ? lead : TRACK_HISTORY - 1;
	at = r->target > lead ? r->target - lead : 0;
	if (at > base + 1)
		tracks_gap(tracks);
	else
		at = base + 1;
	for (; !err && at <= r->target; at++)
		err = add_sample(f, tracks, at, want);
	return err;
}

int replay_step(struct replay *r, struct feed *f, struct tracks *tracks,
		const struct feed_want *want)
{
	size_t before = f->at;
	int err;

	if (tracks_samples(tracks) && r->target == f->at) {
		err = feed_read(f, want);
		return err ? err : tracks_amend(tracks, f->snapshot, feed_clock(f));
	}
	if (tracks_samples(tracks) && r->target == f->at + 1)
		return add_sample(f, tracks, r->target, want);
	tracks_reset(tracks);
	err = jump(r, f, tracks, want);
	if (err)
		f->at = before;
	return err;
}

static void time_text(int64_t wall_ns, char buf[16])
{
	time_t t = (time_t)(wall_ns / 1000000000);
	struct tm tm;

	buf[0] = '\0';
	if (wall_ns && localtime_r(&t, &tm))
		strftime(buf, 16, "%H:%M:%S", &tm);
}

static void draw_line(const struct replay *r, const struct feed *f, struct canvas *c, int y, int x,
		      int width, bool unicode)
{
	float value[REPLAY_LINE];
	char line[4 * REPLAY_LINE], *at = line;
	size_t n = (size_t)width < REPLAY_LINE ? (size_t)width : REPLAY_LINE;
	int thumb = x + (int)(f->at * (size_t)(width - 1) / (f->samples - 1));

	for (size_t i = 0; i < n && r->points > 1; i++)
		value[i] = r->line[i * (r->points - 1) / (n > 1 ? n - 1 : 1)];
	if (r->points > 1) {
		at = graph_line(value, n, n, unicode, line, sizeof(line));
		canvas_text(c, y, x, width, ROLE_BAR, at);
	} else {
		canvas_char(c, y, x, width, ROLE_BAR, L'-');
	}
	for (size_t i = 0; i < r->marks; i++) {
		size_t s = r->mark[i].sample < f->samples ? r->mark[i].sample : f->samples - 1;

		canvas_char(c, y, x + (int)(s * (size_t)(width - 1) / (f->samples - 1)), 1,
			    ROLE_KEY, L'|');
	}
	canvas_mark(c, y, thumb, 1, ROLE_ALERT);
}

/* The mark that the sample follows, for the line under the slider. */
static const char *mark_here(const struct replay *r, size_t at)
{
	for (size_t i = 0; i < r->marks; i++)
		if (r->mark[i].sample == at)
			return r->mark[i].text && *r->mark[i].text ? r->mark[i].text :
			       r->mark[i].kind == SLABSTAT_MARK_START ? "run begins" :
			       r->mark[i].kind == SLABSTAT_MARK_END ? "run ends" :
			       r->mark[i].kind == SLABSTAT_MARK_SETTLED ? "settled" : "mark";
	return NULL;
}

void replay_draw(const struct replay *r, const struct feed *f, struct canvas *c, int y,
		 bool unicode)
{
	const char *mark = mark_here(r, f->at);
	char now[16];
	int x;

	time_text(slabstat_snapshot_wall_ns(f->snapshot), now);
	x = canvas_printf(c, y, 0, ROLE_FIGURE, "%s %s %zu/%zu ", r->playing ? ">" : "=", now,
			  f->at + 1, f->samples);
	if (mark)
		x = canvas_printf(c, y, x, ROLE_KEY, "%.20s ", mark);
	if (c->width - x >= 4)
		draw_line(r, f, c, y, x, c->width - x, unicode);
}
