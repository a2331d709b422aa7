/* SPDX-License-Identifier: MIT */
/*
 * top.h - slabtop's one state, and what a view is.
 *
 *	feed -> snapshot -> tracks -> rows of a view's list -> canvas -> screen or lines
 *
 * The engine calls top.c to sample, rebuild and redraw. A view fills rows from the snapshot and the
 * tracks, says which fields it needs of the next sample, and draws; it neither reads nor prints.
 * Rows borrow from the snapshot, so that every list is emptied when a new one comes.
 */
#ifndef SLABTOP_TOP_H
#define SLABTOP_TOP_H

#include "engine.h"
#include "feed.h"
#include "kin.h"
#include "grid.h"
#include "options.h"
#include "prompt.h"
#include "replay.h"
#include "screen.h"
#include "totals.h"

enum view_id {
	VIEW_CACHES, VIEW_FAMILIES, VIEW_GROWTH, VIEW_ALIASES, VIEW_NODES, VIEW_TOTALS,
	VIEW_DETAIL, VIEW_COLUMNS, VIEW_HELP,
	VIEW_COUNT
};

/* What the line being typed is for. */
enum purpose { FOR_FILTER, FOR_INTERVAL, FOR_SAVE, FOR_TUNABLE, FOR_TUNING, FOR_UNDO };

struct detail;
struct chooser;

struct top {
	const struct options *options;
	struct slabstat *h;
	struct feed feed;
	struct tracks *tracks;
	struct kin kin;
	struct totals totals;
	struct replay replay;

	struct screen *screen;		/* NULL: lines on standard output */
	struct engine *engine;
	struct canvas canvas;
	bool unicode;

	enum view_id view;
	enum view_id back[8];		/* where Escape leads */
	size_t backs;
	struct grid list[VIEW_COUNT];
	struct slabstat_rows *rows;	/* what the current list borrows besides the snapshot */
	int scroll;			/* first line shown by views that are no list */
	int list_y;			/* row of the screen where the list's heading stands */

	char *pattern;			/* of the filter or search; NULL: none */
	bool hide;			/* it filters; otherwise it marks */
	char *pattern_before;		/* while another is typed */
	char *family;			/* only its caches, in VIEW_CACHES; NULL: all */

	struct detail *detail;		/* of view_detail.c and view_columns.c */
	struct chooser *chooser;

	struct prompt prompt;
	enum purpose purpose;
	char message[256];		/* until the next key; "" for none */
	bool alarm;			/* the message is an error */

	double interval;		/* seconds */
	bool paused, exact, show_cost;
	bool amend;			/* the next sample is the last one once more */
	bool resampled;			/* one was, for want of fields */
	bool quick;			/* the first picture is due: a glance will do */
	bool glanced;			/* the snapshot is one; the sequence begins with the next */
	bool plain;			/* lines: no foot */
	uint64_t sample_ns, build_ns, draw_ns;	/* CPU time of each step, the last time */
};

struct view {
	const char *name;
	unsigned where;			/* keys that hold: enum keys_where without ANY and TIME */
	const int *columns;		/* of its list; NULL: it has none */
	int sort;
	bool heading;			/* the lines with the totals stand above it */
	void (*needs)(const struct top *t, struct feed_want *want);	/* or NULL */
	int (*rebuild)(struct top *t);	/* 0 or -errno; or NULL */
	void (*draw)(struct top *t, int y, int height);	/* NULL: the list */
	/* act - true where the action was its own; *dirty is then set. Or NULL. */
	bool (*act)(struct top *t, enum action a, unsigned *dirty);
};

extern const struct view view_caches, view_families, view_growth, view_aliases, view_nodes,
	view_totals, view_detail, view_columns, view_help;
extern const struct view *const views[VIEW_COUNT];

/* ---- top.c: life ---- */

/*
 * top_open - source, first sample, lists. quick: a glance will do for the first picture, so that
 * one stands at once; the sample follows. An exit status; 0: go on.
 */
int top_open(struct top *t, const struct options *options, bool quick);
void top_close(struct top *t);

/* top_sample, top_rebuild, top_redraw - the engine's three steps; each returns dirty bits. */
unsigned top_sample(void *arg);
unsigned top_rebuild(void *arg);
unsigned top_redraw(void *arg);

/* top_draw - the whole picture on a canvas of the given size. Returns where the text cursor is:
 * its row in *y (-1: nowhere) and its column. */
int top_draw(struct top *t, int width, int height, int *y);

/* top_style - how cells are written at the moment. */
struct column_style top_style(const struct top *t);

/* top_needs - everything that the current view and the head need. */
void top_needs(const struct top *t, struct feed_want *want);

/*
 * top_go - to another view, from which Escape leads back here. top_go_back - false: nowhere to go.
 */
unsigned top_go(struct top *t, enum view_id view);
bool top_go_back(struct top *t);

/* top_say - a message on the last line. top_warn - an error there. */
__attribute__((format(printf, 2, 3)))
void top_say(struct top *t, const char *fmt, ...);
__attribute__((format(printf, 2, 3)))
void top_warn(struct top *t, const char *fmt, ...);

/* ---- act.c: keys ---- */

/* top_key - one key; x and y for mouse keys. Returns dirty bits. */
unsigned top_key(struct top *t, int key, int x, int y);

/* top_ask - start a line to be typed. */
unsigned top_ask(struct top *t, enum purpose purpose, const char *label, const char *text,
		 bool one_key);

/* ---- head.c: what stands around a view ---- */

/* head_height, foot_height - lines above and below the view in a picture of this height. */
int head_height(const struct top *t, int height);
int foot_height(const struct top *t, int height);
void head_draw(struct top *t, int height);
/* foot_draw - from row y on; returns the text cursor's column, or -1. */
int foot_draw(struct top *t, int y, int height);

/* ---- rows.c: rows that several views share ---- */

/*
 * rows_fill - the caches that pass the filter, as rows of the current view's list, in order of
 * name. keep decides about each (NULL: all). -EINVAL where the pattern does not compile: the list
 * is then filled as if there were none.
 */
int rows_fill(struct top *t, bool families, bool (*keep)(const struct slabstat_cache *c, void *arg),
	      void *arg);

#endif
