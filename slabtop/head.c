// SPDX-License-Identifier: MIT
/*
 * head.c - what stands around a view: the title and the totals above it, and below it the slider
 * of a recording, the cost of sampling, and one line for messages, prompts and hints.
 *
 * On a small screen the rows matter most: the head gives way first, then the foot.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "top.h"
#include "util/safe.h"

int head_height(const struct top *t, int height)
{
	if (t->plain)
		return 3;
	if (height < 6)
		return 0;
	return height < 10 || !views[t->view]->heading ? 1 : 3;
}

int foot_height(const struct top *t, int height)
{
	int lines = 0;

	if (t->plain)
		return 0;
	if (height >= 8)
		lines = 1 + t->replay.on + t->show_cost;
	else if (height >= 2 && (t->prompt.on || t->message[0]))
		lines = 1;
	else if (height >= 5 && t->replay.on)
		lines = 1;
	return lines;
}

static void time_text(const struct top *t, char buf[40])
{
	int64_t wall = slabstat_snapshot_wall_ns(t->feed.snapshot);
	time_t s = (time_t)(wall / 1000000000);
	struct tm tm;

	buf[0] = '\0';
	if (!wall && t->feed.live)
		s = time(NULL);
	/* A recording may be of another day. */
	if (s && localtime_r(&s, &tm))
		strftime(buf, 40, !t->feed.live ? "%Y-%m-%d %H:%M:%S" : "%H:%M:%S", &tm);
}

/* "caches 3 of 232", and what narrows them. */
static int draw_view_name(const struct top *t, struct canvas *c, int x)
{
	const struct grid *l = &t->list[t->view];
	char *safe;

	x = canvas_printf(c, 0, x, ROLE_TITLE, "%s", views[t->view]->name);
	if (!views[t->view]->columns)
		return x;
	x = canvas_printf(c, 0, x, ROLE_PLAIN, " %zu", l->count);
	if (t->view == VIEW_CACHES && l->count != t->totals.caches)
		x = canvas_printf(c, 0, x, ROLE_PLAIN, " of %zu", t->totals.caches);
	if (t->view == VIEW_CACHES && t->family && (safe = safe_text(t->family, 0)) != NULL) {
		x = canvas_printf(c, 0, x, ROLE_FIGURE, "  %s", safe);
		free(safe);
	}
	if (t->pattern && (safe = safe_text(t->pattern, 0)) != NULL) {
		x = canvas_printf(c, 0, x, ROLE_FIGURE, "  /%s%s", safe,
				  t->hide ? "" : " (marked)");
		free(safe);
	}
	return x;
}

/* Where the figures are from: a kernel, or a program and its number. */
static void origin_text(const struct top *t, char buf[100])
{
	const struct slabstat_machine *m = slabstat_snapshot_machine(t->feed.snapshot);
	const struct slabstat_process *p = slabstat_source_process(t->feed.source);
	char *name = p ? safe_text(p->name, 0) : NULL;

	if (name)
		snprintf(buf, 100, "%.40s (%" PRIu64 ")", name, (uint64_t)p->pid);
	else
		snprintf(buf, 100, "%.80s", m->release ? m->release : "");
	free(name);
}

/* Why the figures stand still, over whatever else is there. */
static void draw_alert(struct canvas *c, int x, const char *word)
{
	int n = (int)strlen(word) + 2;

	if (c->width >= n)
		canvas_printf(c, 0, x + 1 + n <= c->width ? x + 1 : c->width - n, ROLE_ALERT,
			      " %s ", word);
}

static void draw_title(const struct top *t, struct canvas *c)
{
	char when[40], every[40] = "", origin[100], right[220];
	const char *over = feed_over(&t->feed);
	int x, n;

	time_text(t, when);
	x = draw_view_name(t, c, canvas_printf(c, 0, 0, ROLE_TITLE, "slabtop  "));
	if (over)
		snprintf(every, sizeof(every), "  its last figures");
	else if (t->feed.live)
		snprintf(every, sizeof(every), "  every %g s", t->interval);
	origin_text(t, origin);
	snprintf(right, sizeof(right), "%s  %s%s", origin, when, every);
	n = canvas_columns(right);
	if (x + 2 + n <= c->width)
		canvas_text(c, 0, c->width - n, n, ROLE_PLAIN, right);
	else if (x + 2 + canvas_columns(when) <= c->width)
		canvas_right(c, 0, x + 2, c->width - x - 2, ROLE_PLAIN, when);
	if (over)
		draw_alert(c, x, over);
	else if (t->paused)
		draw_alert(c, x, "PAUSED");
}

/* ", 12.0 KiB/s" with its sign and colour. */
static int draw_growth(struct canvas *c, int y, int x, struct value v, bool exact,
		       const char *suffix)
{
	char buf[COLUMN_TEXT];

	growth_text(v, true, exact, suffix, buf);
	return canvas_text(c, y, x, c->width, v.quality != SLABSTAT_ABSENT && v.magnitude ?
			   v.negative ? ROLE_SHRINK : ROLE_GROWTH : ROLE_PLAIN, buf);
}

/* A figure that is cut reads as another one: what has no room is left out, and all behind it. */
static int draw_figure(struct canvas *c, int y, int x, const char *label, const char *figure)
{
	if (x + canvas_columns(label) + canvas_columns(figure) > c->width)
		return c->width;
	x = canvas_text(c, y, x, c->width, ROLE_LABEL, label);
	return canvas_text(c, y, x, c->width, ROLE_FIGURE, figure);
}

static void span_text(double seconds, char buf[32])
{
	unsigned long s = (unsigned long)(seconds + 0.5);

	if (s < 100)
		snprintf(buf, 32, "%lu s", s);
	else if (s < 6000)
		snprintf(buf, 32, "%lu min", s / 60);
	else
		snprintf(buf, 32, "%lu h %02lu min", s / 3600, s / 60 % 60);
}

static void draw_footprint(const struct top *t, struct canvas *c, int y)
{
	const struct totals *o = &t->totals;
	char buf[COLUMN_TEXT], span[32];
	int x = draw_figure(c, y, 0, "footprint ", sum_text(&o->footprint, t->exact, buf));

	if (tracks_samples(t->tracks) > 1) {
		x = draw_growth(c, y, x + 2, o->rate, t->exact, "/s");
		span_text(tracks_span_seconds(t->tracks), span);
		x = draw_growth(c, y, x + 2, o->since, t->exact, " in ");
		if (o->since.quality != SLABSTAT_ABSENT)
			x = canvas_text(c, y, x, c->width, ROLE_LABEL, span);
	}
	if (o->reclaim_known)
		draw_figure(c, y, x, "  unreclaimable ",
			    bytes_text(o->unreclaimable, t->exact, buf));
}

static void draw_loss(const struct top *t, struct canvas *c, int y)
{
	const struct totals *o = &t->totals;
	char buf[COLUMN_TEXT];
	int x = draw_figure(c, y, 0, "used ", sum_text(&o->used, t->exact, buf));

	if (o->used.n && o->footprint.sum)
		x = canvas_printf(c, y, x, ROLE_LABEL, " %u%%",
				  sum_percent(o->used.sum, o->footprint.sum));
	x = draw_figure(c, y, x, ", lost ", sum_text(&o->loss, t->exact, buf));
	x = draw_figure(c, y, x, ": free ", sum_text(&o->free, t->exact, buf));
	x = draw_figure(c, y, x, ", padding ", sum_text(&o->padding, t->exact, buf));
	draw_figure(c, y, x, ", tail ", sum_text(&o->tail, t->exact, buf));
}

void head_draw(struct top *t, int height)
{
	struct canvas *c = &t->canvas;

	if (height >= 1)
		draw_title(t, c);
	if (height >= 2)
		draw_footprint(t, c, 1);
	if (height >= 3)
		draw_loss(t, c, 2);
}

/* ---- the foot -------------------------------------------------------------------------------- */

static void draw_cost(const struct top *t, struct canvas *c, int y)
{
	const struct slabstat_notes *n = slabstat_snapshot_notes(t->feed.snapshot);
	uint64_t cpu = t->sample_ns + t->build_ns + t->draw_ns;
	int x;

	x = canvas_printf(c, y, 0, ROLE_LABEL,
			  "CPU: sample %.2f ms (%zu files), rows %.2f ms, draw %.2f ms",
			  (double)t->sample_ns / 1e6, n->syscalls, (double)t->build_ns / 1e6,
			  (double)t->draw_ns / 1e6);
	if (t->feed.live && !t->paused)
		x = canvas_printf(c, y, x, ROLE_FIGURE, ": %.2f%% of a CPU",
				  (double)cpu / (t->interval * 1e7));
	if (n->vanished)
		x = canvas_printf(c, y, x, ROLE_LABEL, "; %zu vanished", n->vanished);
	if (n->unreadable)
		canvas_printf(c, y, x, ROLE_LABEL, "; %zu unreadable", n->unreadable);
}

struct hint {
	const char *key, *what;
};

static const struct hint list_hints[] = {
	{ "1", "caches" },  { "2", "families" }, { "3", "growth" },	{ "4", "aliases" },
	{ "5", "nodes" },   { "6", "totals" },	 { "/", "filter" },	{ "?", "help" },
	{ "q", "leave" },   { "f", "columns" },	 { "Enter", "detail" }, { "c o n u", "sort" },
	{ "r", "reverse" }, { "z", "pause" },	 { NULL, NULL },
};
static const struct hint detail_hints[] = {
	{ "Esc", "back" }, { "t", "set a tunable" }, { "U", "undo" },
	{ "?", "help" },   { "q", "leave" },	     { NULL, NULL },
};
static const struct hint page_hints[] = {
	{ "1", "caches" }, { "2", "families" }, { "3", "growth" }, { "4", "aliases" },
	{ "5", "nodes" },  { "6", "totals" },	{ "Esc", "back" }, { "?", "help" },
	{ "q", "leave" },  { NULL, NULL },
};
static const struct hint chooser_hints[] = {
	{ "Space", "show" }, { "< >", "move" },	    { "s", "sort" }, { "Enter", "keep" },
	{ "Esc", "cancel" }, { "Del", "defaults" }, { NULL, NULL },
};

static void draw_hints(const struct top *t, struct canvas *c, int y)
{
	unsigned where = views[t->view]->where;
	const struct hint *h = where & KEYS_COLUMNS ? chooser_hints :
			       t->view == VIEW_DETAIL ? detail_hints :
			       where & KEYS_DETAIL ? page_hints : list_hints;
	int x = 0;

	for (; h->key; h++) {
		int n = (int)strlen(h->key) + 1 + (int)strlen(h->what);

		if (!t->backs && strcmp(h->key, "Esc") == 0)
			continue;	/* there is nothing to go back to */
		if (x + n > c->width)
			break;
		x = canvas_text(c, y, x, c->width, ROLE_KEY, h->key);
		x = canvas_text(c, y, x + 1, c->width, ROLE_LABEL, h->what) + 1;
	}
}

int foot_draw(struct top *t, int y, int height)
{
	struct canvas *c = &t->canvas;
	bool last_free = !t->prompt.on && !t->message[0];

	if (t->show_cost && height >= 2)
		draw_cost(t, c, y++);
	if (t->replay.on && (height >= 2 || last_free)) {
		replay_draw(&t->replay, &t->feed, c, y++, t->unicode);
		if (height == 1)
			return -1;
	}
	if (t->prompt.on)
		return prompt_draw(&t->prompt, c, y);
	if (t->message[0])
		canvas_text(c, y, 0, c->width, t->alarm ? ROLE_ALERT : ROLE_FIGURE, t->message);
	else
		draw_hints(t, c, y);
	return -1;
}
