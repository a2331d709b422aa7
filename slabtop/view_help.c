// SPDX-License-Identifier: MIT
/* view_help.c - the table of keys, in as many columns as fit, and what the signs mean. */
#include <string.h>

#include "top.h"

#define KEYS_WIDTH 16
#define PANE_WIDTH 78

static const unsigned places[] = { KEYS_LIST, KEYS_ANY, KEYS_DETAIL, KEYS_TIME, KEYS_COLUMNS };

static const struct {
	unsigned role;
	const char *sign, *meaning;
} signs[] = {
	{ ROLE_GROWTH, "^", "new maximum of the footprint since the beginning" },
	{ ROLE_GROWTH, "*", "born since the beginning" },
	{ ROLE_SHRINK, "x", "gone" },
	{ ROLE_GROWTH, "+1.2 MiB", "grew" },
	{ ROLE_SHRINK, "-1.2 MiB", "shrank" },
	{ ROLE_LOW, "12%", "less than half of the slots in use, and more than 1 MiB lost" },
	{ ROLE_FIXED, "name", "unreclaimable: only its user can give the memory back" },
	{ ROLE_PLAIN, "~1", "estimate or upper bound" },
	{ ROLE_PLAIN, ">1", "lower bound" },
	{ ROLE_PLAIN, "-", "not known here; never the same as 0" },
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Lines go down one pane after the other; those above the scroll or below the end are not drawn. */
struct pen {
	struct canvas *c;
	int top, height, panes, width, scroll, line;
};

static bool place(const struct pen *p, int *y, int *x)
{
	int at = p->line - p->scroll;

	*x = at / p->height * p->width;
	*y = p->top + at % p->height;
	return at >= 0 && at / p->height < p->panes;
}

static void line(struct pen *p, unsigned role, const char *left, int width, const char *right)
{
	int x, y;

	if (place(p, &y, &x)) {
		canvas_text(p->c, y, x + 1, width, role, left);
		canvas_text(p->c, y, x + 1 + width, p->width - width - 2, ROLE_PLAIN, right);
	}
	p->line++;
}

static void draw_all(struct pen *p)
{
	struct keys_line k;

	for (size_t i = 0; i < COUNT(places); i++) {
		line(p, ROLE_TITLE, keys_place(places[i]), p->width, "");
		for (size_t n = 0; keys_line(n, &k) == 0; n++)
			if (k.where == places[i])
				line(p, ROLE_KEY, k.keys, KEYS_WIDTH, k.help);
		p->line++;
	}
	line(p, ROLE_TITLE, "Signs", p->width, "");
	for (size_t i = 0; i < COUNT(signs); i++)
		line(p, signs[i].role, signs[i].sign, KEYS_WIDTH, signs[i].meaning);
}

static void draw(struct top *t, int y, int height)
{
	struct canvas none = { 0 };
	struct pen p = { .c = &none, .top = y, .height = height > 0 ? height : 1 };
	int room;

	p.panes = t->canvas.width / PANE_WIDTH > 0 ? t->canvas.width / PANE_WIDTH : 1;
	p.width = t->canvas.width / p.panes;
	draw_all(&p);		/* to count the lines */
	room = p.line - p.panes * p.height;
	if (t->scroll > room)
		t->scroll = room > 0 ? room : 0;
	p = (struct pen){ &t->canvas, y, p.height, p.panes, p.width, t->scroll, 0 };
	draw_all(&p);
}

const struct view view_help = {
	.name = "keys",
	.where = KEYS_DETAIL,
	.draw = draw,
};
