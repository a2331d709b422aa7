// SPDX-License-Identifier: MIT
/* act.c - what keys do, apart from what a view does with them itself; see top.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "detail.h"
#include "save.h"
#include "top.h"
#include "util/num.h"

#define WHEEL_LINES 3

static const double intervals[] = { 0.1, 0.2, 0.5, 1, 2, 3, 5, 10, 20, 30, 60, 120, 300, 600 };

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* ---- the timer ------------------------------------------------------------------------------- */

static void set_timer(struct top *t)
{
	bool runs = t->replay.on ? t->replay.playing : t->feed.live && !t->paused;

	if (t->engine)
		engine_period(t->engine, runs ? (int64_t)(t->interval * 1e9) : 0);
}

static unsigned set_interval(struct top *t, double seconds)
{
	t->interval = seconds;
	set_timer(t);
	top_say(t, "every %g s", seconds);
	return ENGINE_REDRAW;
}

static unsigned step_interval(struct top *t, int step)
{
	size_t i = 0;

	if (step > 0) {
		while (i + 1 < COUNT(intervals) && intervals[i] <= t->interval)
			i++;
	} else {
		for (i = COUNT(intervals) - 1; i > 0 && intervals[i] >= t->interval;)
			i--;
	}
	return set_interval(t, intervals[i]);
}

/* ---- what is typed --------------------------------------------------------------------------- */

unsigned top_ask(struct top *t, enum purpose purpose, const char *label, const char *text,
		 bool one_key)
{
	t->message[0] = '\0';
	if (prompt_start(&t->prompt, label, text, one_key) != 0)
		top_warn(t, "%s", strerror(ENOMEM));
	t->purpose = purpose;
	return ENGINE_REDRAW;
}

static unsigned set_pattern(struct top *t, const char *text)
{
	char *copy = *text ? strdup(text) : NULL;

	free(t->pattern);
	t->pattern = copy;
	t->message[0] = '\0';
	return ENGINE_REBUILD;
}

static unsigned ask_filter(struct top *t)
{
	free(t->pattern_before);
	t->pattern_before = t->pattern ? strdup(t->pattern) : NULL;
	t->hide = true;
	return top_ask(t, FOR_FILTER, "/", "", false);
}

static unsigned typed_filter(struct top *t, enum prompt_event e)
{
	if (e == PROMPT_CHANGED || (e == PROMPT_ACCEPTED && *t->prompt.text))
		return set_pattern(t, t->prompt.text);
	/* Escape brings back what was before; Enter in an empty line drops it. */
	return set_pattern(t, e == PROMPT_CANCELLED && t->pattern_before ? t->pattern_before : "");
}

static unsigned typed_interval(struct top *t)
{
	double seconds;

	if (num_parse_seconds(t->prompt.text, &seconds) != 0 || seconds < 0.05) {
		top_warn(t, "not an interval: seconds, 0.05 or more");
		return ENGINE_REDRAW;
	}
	return set_interval(t, seconds);
}

static unsigned prompt_done(struct top *t, enum prompt_event e)
{
	bool accepted = e == PROMPT_ACCEPTED;

	if (t->purpose == FOR_FILTER)
		return typed_filter(t, e);
	if (e == PROMPT_CHANGED)
		return ENGINE_REDRAW;
	switch (t->purpose) {
	case FOR_INTERVAL: return accepted ? typed_interval(t) : ENGINE_REDRAW;
	case FOR_SAVE: return accepted ? save_sample(t, t->prompt.text) : ENGINE_REDRAW;
	default: return detail_typed(t, accepted);
	}
}

static unsigned ask_interval(struct top *t)
{
	char text[32];

	snprintf(text, sizeof(text), "%g", t->interval);
	return top_ask(t, FOR_INTERVAL, "seconds between samples: ", text, false);
}

/* ---- actions --------------------------------------------------------------------------------- */

static unsigned pause_or_go_on(struct top *t)
{
	if (!t->feed.live) {
		top_say(t, "this is no live source: it stands still");
		return ENGINE_REDRAW;
	}
	t->paused = !t->paused;
	set_timer(t);
	/* Once more with everything, so that other views have what they need of this instant. */
	t->amend = t->paused;
	return ENGINE_SAMPLE;
}

static unsigned restart(struct top *t)
{
	for (size_t i = 0; i < tracks_count(t->tracks); i++)
		if (tracks_gone(t->tracks, tracks_at(t->tracks, i)))
			detail_forget(t, tracks_at(t->tracks, i));
	for (int v = 0; v < VIEW_COUNT; v++)
		if (t->list[v].cursor && tracks_gone(t->tracks, t->list[v].cursor)) {
			t->list[v].cursor = NULL;
			t->list[v].held = false;
		}
	for (int v = 0; v < VIEW_COUNT; v++)
		grid_clear(&t->list[v]);
	tracks_restart(t->tracks);
	kin_reset(&t->kin);
	t->replay.base = t->feed.at;
	totals_make(&t->totals, t->feed.snapshot, t->tracks);
	top_say(t, "growth counts from here");
	return ENGINE_REBUILD;
}

static unsigned go_back(struct top *t)
{
	if (t->backs) {
		top_go_back(t);
		return ENGINE_REBUILD;
	}
	if (t->pattern)
		return set_pattern(t, "");
	if (t->family && t->view == VIEW_CACHES) {
		free(t->family);
		t->family = NULL;
		return top_go(t, VIEW_FAMILIES);
	}
	return 0;
}

static unsigned search(struct top *t, int step)
{
	if (!t->pattern)
		top_say(t, "nothing to search for: type / first");
	else if (!grid_match(&t->list[t->view], step))
		top_say(t, "no match");
	return ENGINE_REDRAW;
}

static unsigned open_row(struct top *t)
{
	const struct row *r = grid_current(&t->list[t->view]);

	if (!r)
		return 0;
	return detail_open(t, r);
}

static unsigned do_anywhere(struct top *t, enum action a)
{
	switch (a) {
	case ACTION_QUIT: return ENGINE_QUIT;
	case ACTION_HELP: return t->view == VIEW_HELP ? 0 : top_go(t, VIEW_HELP);
	case ACTION_BACK: return go_back(t);
	case ACTION_PAUSE: return pause_or_go_on(t);
	case ACTION_REFRESH: return ENGINE_SAMPLE;
	case ACTION_SLOWER: return step_interval(t, 1);
	case ACTION_FASTER: return step_interval(t, -1);
	case ACTION_INTERVAL: return ask_interval(t);
	case ACTION_RESTART: return restart(t);
	case ACTION_BYTES: t->exact = !t->exact; return ENGINE_REDRAW;
	case ACTION_SAVE: return save_ask(t);
	case ACTION_COST: t->show_cost = !t->show_cost; return ENGINE_REDRAW;
	case ACTION_REPAINT: screen_repaint(t->screen); return ENGINE_REDRAW;
	default: return 0;
	}
}

static unsigned show_list(struct top *t, enum view_id view)
{
	free(t->family);
	t->family = NULL;
	return top_go(t, view);
}

static unsigned do_list(struct top *t, enum action a, int key)
{
	struct grid *l = &t->list[t->view];
	int column;

	switch (a) {
	case ACTION_OPEN: return open_row(t);
	case ACTION_FILTER: return ask_filter(t);
	case ACTION_HIDE:
		t->hide = !t->hide;
		top_say(t, t->hide ? "what does not match is hidden"
				   : "matches are marked; ] and [ go to them");
		return ENGINE_REBUILD;
	case ACTION_MATCH_NEXT: return search(t, 1);
	case ACTION_MATCH_PREVIOUS: return search(t, -1);
	case ACTION_COLUMNS: return chooser_open(t);
	case ACTION_SORT:
		if (keys_sort_column(key, &column) == 0) {
			l->sort = column;
			l->reverse = false;
		}
		return ENGINE_REBUILD;
	case ACTION_REVERSE:
	case ACTION_SORT_LEFT:
	case ACTION_SORT_RIGHT:
	case ACTION_SCROLL_LEFT:
	case ACTION_SCROLL_RIGHT: grid_act(l, a); return ENGINE_REBUILD;
	default: return grid_act(l, a) ? ENGINE_REDRAW : 0;
	}
}

static bool do_scroll(struct top *t, enum action a)
{
	int page = t->canvas.height > 6 ? t->canvas.height - 5 : 1;

	switch (a) {
	case ACTION_UP: t->scroll--; break;
	case ACTION_DOWN: t->scroll++; break;
	case ACTION_PAGE_UP: t->scroll -= page; break;
	case ACTION_PAGE_DOWN: t->scroll += page; break;
	case ACTION_FIRST: t->scroll = 0; break;
	case ACTION_LAST: t->scroll = 1 << 20; break;	/* the view brings it down to its end */
	default: return false;
	}
	if (t->scroll < 0)
		t->scroll = 0;
	return true;
}

static unsigned do_time(struct top *t, enum action a, bool *done)
{
	const struct row *r = views[t->view]->columns ? grid_current(&t->list[t->view]) : NULL;
	const char *said;

	*done = t->replay.on && replay_act(&t->replay, &t->feed, a, r ? r->track : NULL, &said);
	if (!*done)
		return 0;
	if (said)
		top_say(t, "%s", said);
	set_timer(t);
	if (t->replay.searching)
		return ENGINE_IDLE;
	return t->replay.target != t->feed.at ? ENGINE_SAMPLE : ENGINE_REDRAW;
}

static unsigned act(struct top *t, enum action a, int key)
{
	const struct view *v = views[t->view];
	unsigned dirty = 0;
	bool done;

	if (v->act && v->act(t, a, &dirty))
		return dirty;
	dirty = do_time(t, a, &done);
	if (done)
		return dirty;
	if (a >= ACTION_VIEW_CACHES && a <= ACTION_VIEW_TOTALS)
		return show_list(t, (enum view_id)(VIEW_CACHES + (a - ACTION_VIEW_CACHES)));
	if (v->columns) {
		dirty = do_list(t, a, key);
		if (dirty)
			return dirty;
	} else if (do_scroll(t, a)) {
		return ENGINE_REDRAW;
	}
	return do_anywhere(t, a);
}

static unsigned click(struct top *t, int x, int y)
{
	struct column_style style = top_style(t);

	if (!views[t->view]->columns || y < t->list_y || y >= t->list_y + 1 + t->list[t->view].page)
		return 0;
	return grid_click(&t->list[t->view], y - t->list_y, x, t->canvas.width, &style) ?
		       ENGINE_REBUILD : ENGINE_REDRAW;
}

unsigned top_key(struct top *t, int key, int x, int y)
{
	unsigned where = KEYS_ANY | views[t->view]->where, dirty;
	enum action a;

	if (key == KEYS_NONE)
		return 0;
	if (key == KEYS_EOF)
		return ENGINE_QUIT;
	if (t->prompt.on) {
		enum prompt_event e = prompt_key(&t->prompt, key);

		return e == PROMPT_NOTHING ? 0 : prompt_done(t, e);
	}
	replay_stop(&t->replay);
	dirty = t->message[0] ? ENGINE_REDRAW : 0;
	t->message[0] = '\0';
	if (key == KEYS_CLICK)
		return dirty | click(t, x, y);
	if (t->replay.on && !(where & KEYS_COLUMNS) && t->view != VIEW_HELP)
		where |= KEYS_TIME;
	a = keys_action(key, where);
	for (int n = key == KEYS_WHEEL_UP || key == KEYS_WHEEL_DOWN ? WHEEL_LINES : 1; n > 0; n--)
		dirty |= act(t, a, key);
	return dirty;
}
