// SPDX-License-Identifier: MIT
/* top.c - slabtop's life: open, sample, rebuild, redraw; see top.h. */
#include "top.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "config.h"
#include "detail.h"

/* Up to so many caches, pausing reads everything of the sample that will stand still. */
#define PAUSE_ALL_CACHES 2000

const struct view *const views[VIEW_COUNT] = {
	[VIEW_CACHES] = &view_caches, [VIEW_FAMILIES] = &view_families,
	[VIEW_GROWTH] = &view_growth, [VIEW_ALIASES] = &view_aliases,
	[VIEW_NODES] = &view_nodes, [VIEW_TOTALS] = &view_totals,
	[VIEW_DETAIL] = &view_detail, [VIEW_COLUMNS] = &view_columns, [VIEW_HELP] = &view_help,
};

struct column_style top_style(const struct top *t)
{
	return (struct column_style){ .exact = t->exact,
				      .unicode = t->unicode,
				      .tracks = t->tracks };
}

__attribute__((format(printf, 3, 0)))
static void say(struct top *t, bool alarm, const char *fmt, va_list ap)
{
	vsnprintf(t->message, sizeof(t->message), fmt, ap);
	t->alarm = alarm;
}

void top_say(struct top *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(t, false, fmt, ap);
	va_end(ap);
}

void top_warn(struct top *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(t, true, fmt, ap);
	va_end(ap);
}

void top_needs(const struct top *t, struct feed_want *want)
{
	const struct view *v = views[t->view];
	struct column_style style = top_style(t);
	int width = t->canvas.width ? t->canvas.width : 200;

	slabstat_fieldset_add(&want->fields, SLABSTAT_FOOTPRINT);
	slabstat_fieldset_add(&want->fields, SLABSTAT_OBJECTS);
	slabstat_fieldset_add(&want->fields, SLABSTAT_SLAB_SIZE);
	totals_needs(&want->fields);
	if (v->columns)
		grid_needs(&t->list[t->view], width, &style, &want->fields);
	if (v->needs)
		v->needs(t, want);
	if (t->paused && t->totals.caches < PAUSE_ALL_CACHES) {
		want->fields = slabstat_fieldset_all();
		want->shares = true;
	}
}

/* ---- the engine's steps ---------------------------------------------------------------------- */

/* Rows borrow from the snapshot that is about to go. */
static void forget_rows(struct top *t)
{
	for (int v = 0; v < VIEW_COUNT; v++)
		grid_clear(&t->list[v]);
	slabstat_rows_free(t->rows);
	t->rows = NULL;
}

static int take_sample(struct top *t)
{
	struct feed_want want = { 0 };
	bool amend = t->amend;
	int err;

	top_needs(t, &want);
	t->amend = false;
	forget_rows(t);
	if (t->quick && feed_glance(&t->feed)) {
		t->glanced = true;
		return tracks_add(t->tracks, t->feed.snapshot, feed_clock(&t->feed));
	}
	if (t->glanced) {
		t->glanced = amend = false;
		tracks_reset(t->tracks);
		kin_reset(&t->kin);
	}
	if (t->replay.on)
		return replay_step(&t->replay, &t->feed, t->tracks, &want);
	err = feed_read(&t->feed, &want);
	if (err)
		return err;
	/* A program that is over has no further samples, only its last one again. */
	amend |= feed_over(&t->feed) != NULL;
	return (amend ? tracks_amend : tracks_add)(t->tracks, t->feed.snapshot,
						   feed_clock(&t->feed));
}

unsigned top_sample(void *arg)
{
	struct top *t = arg;
	uint64_t begun = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	int err = take_sample(t);

	if (err)
		top_warn(t, "%s",
			 slabstat_error(t->h)->text ? slabstat_error(t->h)->text : strerror(-err));
	else
		totals_make(&t->totals, t->feed.snapshot, t->tracks);
	t->sample_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - begun;
	return ENGINE_REBUILD;
}

unsigned top_rebuild(void *arg)
{
	struct top *t = arg;
	const struct view *v = views[t->view];
	struct feed_want want = { 0 };
	uint64_t begun = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	int err = 0;

	top_needs(t, &want);
	if (feed_lacks(&t->feed, &want) && !t->resampled && !t->paused && !t->quick) {
		/* Another view wants more of this sample than was read. */
		t->amend = t->resampled = true;
		return ENGINE_SAMPLE;
	}
	t->resampled = false;
	if (v->columns)
		grid_clear(&t->list[t->view]);
	if (v->rebuild)
		err = v->rebuild(t);
	if (v->columns && grid_order(&t->list[t->view], t->tracks) != 0)
		err = -ENOMEM;
	if (err == -EINVAL)
		top_warn(t, "%s", slabstat_error(t->h)->text);
	else if (err)
		top_warn(t, "%s", strerror(-err));
	t->build_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - begun;
	return ENGINE_REDRAW;
}

int top_draw(struct top *t, int width, int height, int *y)
{
	const struct view *v = views[t->view];
	struct column_style style = top_style(t);
	int head, foot, x = -1;

	*y = -1;
	if ((t->canvas.width != width || t->canvas.height != height) &&
	    canvas_resize(&t->canvas, width, height) != 0)
		return -1;
	canvas_clear(&t->canvas);
	head = head_height(t, height);
	foot = foot_height(t, height);
	head_draw(t, head);
	t->list_y = head;
	if (v->draw)
		v->draw(t, head, height - head - foot);
	else
		grid_draw(&t->list[t->view], &t->canvas, head, height - head - foot, &style);
	if (foot)
		x = foot_draw(t, height - foot, foot);
	if (t->prompt.on && foot)
		*y = height - 1;
	return x;
}

unsigned top_redraw(void *arg)
{
	struct top *t = arg;
	uint64_t begun = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	int width, height, x, y;

	if (!t->screen)
		return 0;
	screen_size(t->screen, &width, &height);
	x = top_draw(t, width, height, &y);
	screen_show(t->screen, &t->canvas, y, x);
	t->draw_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - begun;
	if (!t->quick)
		return 0;
	t->quick = false;
	return ENGINE_REBUILD;
}

/* ---- from view to view ----------------------------------------------------------------------- */

static unsigned show(struct top *t, enum view_id view)
{
	t->view = view;
	t->scroll = 0;
	return ENGINE_REBUILD;
}

unsigned top_go(struct top *t, enum view_id view)
{
	if (view <= VIEW_TOTALS)
		t->backs = 0;
	else if (t->backs < sizeof(t->back) / sizeof(t->back[0]))
		t->back[t->backs++] = t->view;
	return show(t, view);
}

bool top_go_back(struct top *t)
{
	if (!t->backs)
		return false;
	show(t, t->back[--t->backs]);
	return true;
}

/* ---- open and close -------------------------------------------------------------------------- */

static int open_lists(struct top *t)
{
	for (int v = 0; v < VIEW_COUNT; v++)
		if (views[v]->columns &&
		    grid_start(&t->list[v], views[v]->columns, views[v]->sort) != 0)
			return -ENOMEM;
	config_load(t);
	if (t->options->sort != COLUMN_NONE)
		for (int v = 0; v < VIEW_COUNT; v++)
			if (views[v]->columns)
				t->list[v].sort = t->options->sort;
	return 0;
}

static bool take_match(struct top *t)
{
	t->hide = true;
	if (!t->options->match)
		return true;
	t->pattern = strdup(t->options->match);
	return t->pattern != NULL;
}

static bool pattern_ok(struct top *t)
{
	struct slabstat_select how = { .match = (const char *const *)&t->pattern,
				       .match_count = t->pattern ? 1 : 0 };
	struct slabstat_rows *rows = NULL;
	int err = slabstat_select(t->h, t->feed.snapshot, &how, &rows);

	slabstat_rows_free(rows);
	return err == 0;
}

int top_open(struct top *t, const struct options *options, bool quick)
{
	*t = (struct top){ .options = options, .interval = options->delay, .exact = options->exact,
			   .quick = quick };
	t->h = slabstat_new();
	t->tracks = tracks_new();
	if (!t->h || !t->tracks || open_lists(t) != 0 || !take_match(t)) {
		fprintf(stderr, "%s: out of memory\n", PROGRAM);
		return 1;
	}
	if (!feed_open(&t->feed, t->h, &options->source))
		return 1;
	replay_start(&t->replay, &t->feed);
	if (take_sample(t) != 0)
		return cli_print_error(t->h, PROGRAM);
	totals_make(&t->totals, t->feed.snapshot, t->tracks);
	if (!pattern_ok(t)) {
		cli_print_error(t->h, PROGRAM);
		return 2;
	}
	return 0;
}

void top_close(struct top *t)
{
	forget_rows(t);
	for (int v = 0; v < VIEW_COUNT; v++)
		grid_free(&t->list[v]);
	detail_free(t->detail);
	chooser_free(t->chooser);
	prompt_free(&t->prompt);
	canvas_free(&t->canvas);
	kin_free(&t->kin);
	tracks_free(t->tracks);
	feed_close(&t->feed);
	slabstat_free(t->h);
	free(t->pattern);
	free(t->pattern_before);
	free(t->family);
}
