// SPDX-License-Identifier: MIT
/*
 * view_detail.c - everything about one cache: what became of it, every field with its meaning, its
 * shares by node and CPU, and its tunables, which can be set from here.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "detail.h"
#include "graph.h"
#include "page.h"
#include "top.h"
#include "tuning.h"
#include "util/safe.h"

#define TITLE_WIDTH 13
#define VALUE_WIDTH 12
#define HELP_AT (TITLE_WIDTH + VALUE_WIDTH + 2)
#define GRAPH_HEIGHT 4
#define GRAPH_LABEL 11

struct detail {
	const struct track *track;	/* whose cache */
	const struct slabstat_cache *cache;	/* in this snapshot; NULL: gone */
	struct tuning tuning;
};

void detail_free(struct detail *d)
{
	if (d)
		tuning_free(&d->tuning);
	free(d);
}

unsigned detail_open(struct top *t, const struct row *row)
{
	if (row->members > 1) {
		char *family = strdup(row->name);

		if (!family) {
			top_warn(t, "%s", strerror(ENOMEM));
			return ENGINE_REDRAW;
		}
		free(t->family);
		t->family = family;
		t->list[VIEW_CACHES].held = false;
		return top_go(t, VIEW_CACHES);
	}
	if (!t->detail)
		t->detail = calloc(1, sizeof(*t->detail));
	if (!t->detail) {
		top_warn(t, "%s", strerror(ENOMEM));
		return ENGINE_REDRAW;
	}
	t->detail->track = row->track;
	return top_go(t, VIEW_DETAIL);
}

void detail_forget(struct top *t, const struct track *track)
{
	if (t->view == VIEW_DETAIL && t->detail->track == track)
		top_go_back(t);
}

static int rebuild(struct top *t)
{
	struct detail *d = t->detail;

	d->cache = NULL;
	for (size_t i = 0; i < slabstat_snapshot_count(t->feed.snapshot) && !d->cache; i++) {
		const struct slabstat_cache *c = slabstat_snapshot_cache(t->feed.snapshot, i);

		if (tracks_of(t->tracks, c) == d->track)
			d->cache = c;
	}
	return 0;
}

static void needs(const struct top *t, struct feed_want *want)
{
	want->whole = t->detail->track->name;
}

/* ---- drawing --------------------------------------------------------------------------------- */

static void draw_names(struct page *p, const struct top *t)
{
	const struct slabstat_cache *c = t->detail->cache;
	char *label = safe_text(t->detail->track->label, 0);
	int y = page_next(p), x;

	x = canvas_text(p->c, y, 0, p->c->width, ROLE_TITLE, label ? label : "?");
	free(label);
	if (!c) {
		canvas_text(p->c, y, x + 2, p->c->width, ROLE_ALERT, " gone ");
		return;
	}
	if (strcmp(slabstat_cache_name(c), slabstat_cache_label(c)) != 0) {
		char *name = safe_text(slabstat_cache_name(c), 0);

		x = canvas_printf(p->c, y, x, ROLE_PLAIN, "  (%s)", name ? name : "?");
		free(name);
	}
	if (t->detail->track->born)
		canvas_text(p->c, y, x + 2, p->c->width, ROLE_GROWTH, "born since the beginning");
}

/* Names in one text, harmless; NULL where there are none besides the label. */
static char *other_names(const struct slabstat_cache *c)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		return NULL;
	for (size_t i = 0; i < slabstat_cache_alias_count(c); i++) {
		const char *alias = slabstat_cache_alias(c, i);
		char *safe = strcmp(alias, slabstat_cache_label(c)) ? safe_text(alias, 0) : NULL;

		if (safe)
			fprintf(f, "%s%s", ftell(f) > 0 ? " " : "", safe);
		free(safe);
	}
	if (fclose(f) != 0 || !len) {
		free(text);
		return NULL;
	}
	return text;
}

static void draw_about(struct page *p, const struct slabstat_cache *c)
{
	char *others = other_names(c);
	const char *ctor = slabstat_cache_ctor(c);
	char flags[512] = "";
	size_t at = 0;

	if (others)
		page_text(p, TITLE_WIDTH + 1, " shared with", others);
	free(others);
	for (int f = 0; f < SLABSTAT_NFIELDS; f++) {
		const struct slabstat_field_info *i = slabstat_field_info((enum slabstat_field)f);

		if (i->unit == SLABSTAT_UNIT_FLAG &&
		    slabstat_cache_or(c, (enum slabstat_field)f, 0) && at < sizeof(flags))
			at += (size_t)snprintf(flags + at, sizeof(flags) - at, "%s%s",
					       at ? " " : "", i->id);
	}
	if (at)
		page_text(p, TITLE_WIDTH + 1, " flags", flags);
	if (ctor && *ctor)
		page_text(p, TITLE_WIDTH + 1, " constructor", ctor);
}

static char *edge_text(float edge, bool bytes, bool exact, char buf[COLUMN_TEXT])
{
	return value_text(bytes ? SLABSTAT_FOOTPRINT : SLABSTAT_OBJECTS, SLABSTAT_EXACT,
			  (uint64_t)edge, exact, buf);
}

static void draw_history(struct page *p, const struct top *t, enum track_what what,
			 const char *title)
{
	const struct track_series *s = &t->detail->track->s[what];
	struct value since = { SLABSTAT_EXACT, s->base > s->last,
			       s->base > s->last ? s->base - s->last : s->last - s->base };
	float history[TRACK_HISTORY];
	size_t n = tracks_history(t->tracks, t->detail->track, what, history, TRACK_HISTORY);
	bool bytes = what == TRACK_FOOTPRINT;
	char buf[COLUMN_TEXT];
	float low, high;
	int y, x;

	if (n < 2)
		return;
	y = page_next(p);
	x = canvas_printf(p->c, y, 0, ROLE_TITLE, "%s ", title);
	if (y >= 0) {
		x = canvas_printf(p->c, y, x, ROLE_PLAIN, "%zu samples, most ", n);
		x = canvas_text(p->c, y, x, p->c->width, ROLE_FIGURE,
				value_text(bytes ? SLABSTAT_FOOTPRINT : SLABSTAT_OBJECTS,
					   SLABSTAT_EXACT, s->peak, t->exact, buf));
		x = canvas_text(p->c, y, x, p->c->width, ROLE_PLAIN, ", since the beginning ");
		canvas_text(p->c, y, x, p->c->width, !since.magnitude ? ROLE_PLAIN :
			    since.negative ? ROLE_SHRINK : ROLE_GROWTH,
			    growth_text(since, bytes, t->exact, "", buf));
	}
	y = page_skip(p, GRAPH_HEIGHT);
	/* A graph that is half scrolled away must not cover what stands around it. */
	if (y < p->top || y + GRAPH_HEIGHT > p->top + p->height)
		return;
	graph_plot(p->c, y, GRAPH_LABEL, GRAPH_HEIGHT, p->c->width - GRAPH_LABEL - 1, history, n,
		   t->unicode, ROLE_BAR, &low, &high);
	canvas_right(p->c, y, 0, GRAPH_LABEL - 1, ROLE_LABEL,
		     edge_text(high, bytes, t->exact, buf));
	canvas_right(p->c, y + GRAPH_HEIGHT - 1, 0, GRAPH_LABEL - 1, ROLE_LABEL,
		     edge_text(low, bytes, t->exact, buf));
}

static void draw_field(struct page *p, const struct top *t, enum slabstat_field f)
{
	const struct slabstat_field_info *info = slabstat_field_info(f);
	enum slabstat_quality q;
	uint64_t value = 0;
	char buf[COLUMN_TEXT];
	int y = page_see(p);

	page_text(p, HELP_AT, "", info->help);
	q = slabstat_cache_value(t->detail->cache, f, &value);
	canvas_text(p->c, y, 1, TITLE_WIDTH - 1, ROLE_LABEL, info->title);
	canvas_right(p->c, y, TITLE_WIDTH, VALUE_WIDTH, ROLE_FIGURE,
		     value_text(f, q, value, t->exact, buf));
}

static bool has(const struct slabstat_cache *c, int f)
{
	return slabstat_cache_value(c, (enum slabstat_field)f, NULL) != SLABSTAT_ABSENT;
}

static void draw_fields(struct page *p, const struct top *t, const char *title,
			enum slabstat_field_kind kind)
{
	bool any = false;

	for (int f = 0; f < SLABSTAT_NFIELDS; f++) {
		const struct slabstat_field_info *info =
			slabstat_field_info((enum slabstat_field)f);

		if (info->kind != kind || !has(t->detail->cache, f) ||
		    (info->unit == SLABSTAT_UNIT_FLAG && kind == SLABSTAT_KIND_FACT))
			continue;
		if (!any)
			page_title(p, title);
		any = true;
		draw_field(p, t, (enum slabstat_field)f);
	}
}

static void draw_in_use(struct page *p, const struct slabstat_cache *c)
{
	uint64_t lower, upper;

	if (slabstat_cache_in_use(c, &lower, &upper) && lower < upper)
		canvas_printf(p->c, page_next(p), 1, ROLE_LABEL,
			      "really in use: at least %" PRIu64 ", at most %" PRIu64 " objects",
			      lower, upper);
}

/* How sysfs writes each field, as fields.def has it: "CPU" and "CPUSLABS" have shares by CPU. */
static const char *const forms[] = {
#define FIELD(ID, id, TITLE, UNIT, KIND, FORM, sysfs, SINCE, UNTIL, help) [SLABSTAT_##ID] = #FORM,
#define KV(major, minor) 0
#include <slab/fields.def>
#undef FIELD
#undef KV
};

static bool is_by_cpu(int field)
{
	return strncmp(forms[field], "CPU", 3) == 0;
}

/* "N0=4 N1=3" for every field that has shares of this sort. */
static void draw_shares(struct page *p, const struct top *t, bool by_cpu)
{
	bool any = false;

	for (int f = 0; f < SLABSTAT_NFIELDS; f++) {
		size_t n;
		const struct slabstat_share *s =
			slabstat_cache_shares(t->detail->cache, (enum slabstat_field)f, &n);
		const struct slabstat_field_info *info =
			slabstat_field_info((enum slabstat_field)f);
		char *text = NULL;
		size_t len;
		FILE *m;
		int y;

		if (!n || by_cpu != is_by_cpu(f))
			continue;
		if (!any)
			page_title(p, by_cpu ? "By CPU" : "By NUMA node");
		any = true;
		y = page_see(p);
		m = open_memstream(&text, &len);
		for (size_t i = 0; m && i < n; i++)
			fprintf(m, "%s%c%u=%" PRIu64, i ? " " : "", by_cpu ? 'C' : 'N', s[i].index,
				s[i].value);
		if (m && fclose(m) == 0)
			page_text(p, TITLE_WIDTH + 1, "", text);
		canvas_text(p->c, y, 1, TITLE_WIDTH - 1, ROLE_LABEL, info->title);
		free(text);
	}
}

/* Could be known but is not; what a kernel never has is no lack of its caches. */
static bool lacks(const struct slabstat_cache *c, int f)
{
	return !has(c, f) && !slabstat_field_info((enum slabstat_field)f)->program;
}

/* What is absent, in one line a reason. */
static void draw_absent(struct page *p, const struct top *t)
{
	bool done[SLABSTAT_NFIELDS] = { false }, any = false;

	for (int f = 0; f < SLABSTAT_NFIELDS; f++) {
		const char *why =
			slabstat_snapshot_why_absent(t->feed.snapshot, (enum slabstat_field)f);
		char *text = NULL;
		size_t len;
		FILE *m;

		if (done[f] || !lacks(t->detail->cache, f))
			continue;
		m = open_memstream(&text, &len);
		if (!m)
			return;
		fprintf(m, "%s:", why ? why : "the source does not have them");
		for (int g = f; g < SLABSTAT_NFIELDS; g++) {
			const char *same = slabstat_snapshot_why_absent(t->feed.snapshot,
									(enum slabstat_field)g);

			if (!lacks(t->detail->cache, g) ||
			    (same && why ? strcmp(same, why) : same != why))
				continue;
			done[g] = true;
			fprintf(m, " %s", slabstat_field_info((enum slabstat_field)g)->title);
		}
		if (!any)
			page_title(p, "Not known here");
		any = true;
		if (fclose(m) == 0)
			page_text(p, 1, "", text);
		free(text);
	}
}

static void draw(struct top *t, int y, int height)
{
	struct page p;

	do {
		page_start(&p, &t->canvas, y, height, t->scroll);
		draw_names(&p, t);
		if (t->detail->cache)
			draw_about(&p, t->detail->cache);
		draw_history(&p, t, TRACK_FOOTPRINT, "Footprint");
		draw_history(&p, t, TRACK_OBJECTS, "Objects");
		if (!t->detail->cache)
			continue;
		draw_fields(&p, t, "Memory", SLABSTAT_KIND_DERIVED);
		draw_fields(&p, t, "At this moment", SLABSTAT_KIND_LEVEL);
		draw_in_use(&p, t->detail->cache);
		draw_fields(&p, t, "Tunables", SLABSTAT_KIND_TUNABLE);
		draw_fields(&p, t, "Layout", SLABSTAT_KIND_FACT);
		draw_shares(&p, t, false);
		draw_shares(&p, t, true);
		draw_fields(&p, t, "Counters", SLABSTAT_KIND_COUNTER);
		draw_absent(&p, t);
	} while (page_again(&p, &t->scroll));
}

/* ---- tuning ---------------------------------------------------------------------------------- */

unsigned detail_typed(struct top *t, bool accepted)
{
	return tuning_typed(t, &t->detail->tuning, t->detail->cache, accepted);
}

static bool act(struct top *t, enum action a, unsigned *dirty)
{
	if (a != ACTION_TUNE && a != ACTION_UNDO)
		return false;
	if (!t->detail->cache) {
		top_say(t, "the cache is gone");
		*dirty = ENGINE_REDRAW;
		return true;
	}
	*dirty = a == ACTION_TUNE ? tuning_ask(t, &t->detail->tuning, t->detail->cache) :
				    tuning_ask_undo(t, &t->detail->tuning, t->detail->cache);
	return true;
}

const struct view view_detail = {
	.name = "detail",
	.where = KEYS_DETAIL,
	.needs = needs,
	.rebuild = rebuild,
	.draw = draw,
	.act = act,
};
