// SPDX-License-Identifier: MIT
/*
 * view_totals.c - all caches together: what they take, where the loss goes, and how that goes with
 * what meminfo says.
 */
#include <inttypes.h>

#include "graph.h"
#include "page.h"
#include "top.h"

#define LABEL_WIDTH 22
#define FIGURE_WIDTH 12
#define BAR_LEAST 12

static void bytes_line(struct page *p, const struct top *t, const char *label, const char *figure,
		       uint64_t part, uint64_t whole, unsigned role)
{
	int y = page_next(p), x = LABEL_WIDTH + FIGURE_WIDTH + 1;
	int bar = p->c->width - x - 8;

	if (y < 0)
		return;
	canvas_text(p->c, y, 1, LABEL_WIDTH - 1, ROLE_LABEL, label);
	canvas_right(p->c, y, LABEL_WIDTH, FIGURE_WIDTH, ROLE_FIGURE, figure);
	if (!whole)
		return;
	canvas_printf(p->c, y, x, ROLE_PLAIN, "%4u%%", sum_percent(part, whole));
	if (bar > 60)
		bar = 60;
	if (bar >= BAR_LEAST)
		graph_bar(p->c, y, x + 6, bar, (double)part, (double)whole, t->unicode, role);
}

static void sum_line(struct page *p, const struct top *t, const char *label,
		     const struct slabstat_sum *s, unsigned role)
{
	char buf[COLUMN_TEXT];

	bytes_line(p, t, label, sum_text(s, t->exact, buf), s->sum,
		   s->n ? t->totals.footprint.sum : 0, role);
}

static void known_line(struct page *p, const struct top *t, const char *label, uint64_t bytes)
{
	char buf[COLUMN_TEXT];

	bytes_line(p, t, label, bytes_text(bytes, t->exact, buf), bytes, t->totals.footprint.sum,
		   ROLE_BAR);
}

static void draw_memory(struct page *p, const struct top *t)
{
	const struct totals *o = &t->totals;

	page_title(p, "Memory of all caches");
	sum_line(p, t, "footprint", &o->footprint, ROLE_BAR);
	sum_line(p, t, "used", &o->used, ROLE_BAR);
	sum_line(p, t, "lost", &o->loss, ROLE_LOW);
	sum_line(p, t, "  free objects", &o->free, ROLE_LOW);
	sum_line(p, t, "  padding of objects", &o->padding, ROLE_LOW);
	sum_line(p, t, "  tails of slabs", &o->tail, ROLE_LOW);
	if (!o->reclaim_known)
		return;
	known_line(p, t, "reclaimable", o->reclaimable);
	known_line(p, t, "unreclaimable", o->unreclaimable);
}

/* meminfo's figure, the caches' and the signed rest between them. */
static void meminfo_line(struct page *p, const struct top *t, const char *label, uint64_t meminfo,
			 uint64_t caches)
{
	struct value rest = { SLABSTAT_EXACT, caches > meminfo,
			      caches > meminfo ? caches - meminfo : meminfo - caches };
	char buf[COLUMN_TEXT];
	int y = page_next(p), x = LABEL_WIDTH;

	if (y < 0)
		return;
	canvas_text(p->c, y, 1, LABEL_WIDTH - 1, ROLE_LABEL, label);
	canvas_right(p->c, y, x, FIGURE_WIDTH, ROLE_FIGURE, bytes_text(meminfo, t->exact, buf));
	canvas_right(p->c, y, x += FIGURE_WIDTH, FIGURE_WIDTH, ROLE_FIGURE,
		     bytes_text(caches, t->exact, buf));
	canvas_right(p->c, y, x + FIGURE_WIDTH, FIGURE_WIDTH + 2, ROLE_FIGURE,
		     growth_text(rest, true, t->exact, "", buf));
}

static void draw_meminfo(struct page *p, const struct top *t)
{
	const struct slabstat_meminfo *m = slabstat_snapshot_meminfo(t->feed.snapshot);
	const struct totals *o = &t->totals;
	int y;

	page_title(p, "Against meminfo");
	if (!m->present || !o->footprint.n) {
		canvas_text(p->c, page_next(p), 1, p->c->width, ROLE_LABEL,
			    "there is no meminfo of the same instant as the caches");
		return;
	}
	y = page_next(p);
	canvas_right(p->c, y, LABEL_WIDTH, FIGURE_WIDTH, ROLE_LABEL, "meminfo");
	canvas_right(p->c, y, LABEL_WIDTH + FIGURE_WIDTH, FIGURE_WIDTH, ROLE_LABEL, "caches");
	canvas_right(p->c, y, LABEL_WIDTH + 2 * FIGURE_WIDTH, FIGURE_WIDTH + 2, ROLE_LABEL,
		     "unattributed");
	meminfo_line(p, t, "Slab", m->slab_bytes, o->footprint.sum);
	if (o->reclaim_known) {
		meminfo_line(p, t, "SReclaimable", m->reclaimable_bytes, o->reclaimable);
		meminfo_line(p, t, "SUnreclaim", m->unreclaimable_bytes, o->unreclaimable);
	}
	page_text(p, 1, "",
		  "Unattributed: large kmalloc goes to the page allocator and is no cache's; "
		  "and the counters of meminfo lag behind.");
}

static void count_line(struct page *p, const char *label, const struct slabstat_sum *s)
{
	char buf[COLUMN_TEXT];
	int y = page_next(p);

	canvas_text(p->c, y, 1, LABEL_WIDTH - 1, ROLE_LABEL, label);
	canvas_right(p->c, y, LABEL_WIDTH, FIGURE_WIDTH, ROLE_FIGURE,
		     value_text(SLABSTAT_OBJECTS, s->n ? s->quality : SLABSTAT_ABSENT, s->sum, true,
				buf));
}

static void draw_counts(struct page *p, const struct top *t)
{
	const struct totals *o = &t->totals;
	int y;

	page_title(p, "Counts");
	y = page_next(p);
	canvas_text(p->c, y, 1, LABEL_WIDTH - 1, ROLE_LABEL, "caches");
	canvas_printf(p->c, y, LABEL_WIDTH, ROLE_FIGURE, "%*zu", FIGURE_WIDTH, o->caches);
	if (o->reclaim_known)
		canvas_printf(p->c, y, LABEL_WIDTH + FIGURE_WIDTH + 1, ROLE_LABEL,
			      "(%zu reclaimable)", o->reclaimable_caches);
	count_line(p, "objects in use", &o->objects);
	count_line(p, "objects in all", &o->total_objects);
	count_line(p, "slabs", &o->slabs);
}

static void growth_line(struct page *p, const struct top *t, const char *label, struct value v,
			bool bytes, const char *suffix)
{
	char buf[COLUMN_TEXT];
	int y = page_next(p);

	canvas_text(p->c, y, 1, LABEL_WIDTH - 1, ROLE_LABEL, label);
	canvas_right(p->c, y, LABEL_WIDTH, FIGURE_WIDTH,
		     !v.magnitude ? ROLE_PLAIN : v.negative ? ROLE_SHRINK : ROLE_GROWTH,
		     growth_text(v, bytes, t->exact, suffix, buf));
}

static void draw_growth(struct page *p, const struct top *t)
{
	const struct totals *o = &t->totals;

	if (tracks_samples(t->tracks) < 2)
		return;
	page_title(p, "Growth");
	growth_line(p, t, "since the beginning", o->since, true, "");
	growth_line(p, t, "at present", o->rate, true, "/s");
	growth_line(p, t, "objects", o->obj_since, false, "");
	canvas_printf(p->c, page_next(p), 1, ROLE_LABEL,
		      "%zu caches grew, %zu shrank, %zu born, %zu gone", o->grown, o->shrunk,
		      o->born, o->gone);
}

static void draw(struct top *t, int y, int height)
{
	struct page p;

	do {
		page_start(&p, &t->canvas, y, height, t->scroll);
		draw_memory(&p, t);
		draw_meminfo(&p, t);
		draw_counts(&p, t);
		draw_growth(&p, t);
	} while (page_again(&p, &t->scroll));
}

const struct view view_totals = {
	.name = "totals",
	.where = KEYS_DETAIL,
	.draw = draw,
};
