/* SPDX-License-Identifier: MIT */
/*
 * page.h - a view that is a text longer than the screen: lines are put one behind the other, and
 * those that are scrolled away are not drawn.
 *
 *	do {
 *		page_start(&p, c, y, height, t->scroll);
 *		... page_next(&p) for each line: its row, or -1 where it cannot be seen ...
 *	} while (page_again(&p, &t->scroll));
 */
#ifndef SLABTOP_PAGE_H
#define SLABTOP_PAGE_H

#include <stdbool.h>

#include "canvas.h"

struct page {
	struct canvas *c;
	int top, height, scroll, line;
};

void page_start(struct page *p, struct canvas *c, int y, int height, int scroll);

/* page_next - a line; page_skip - n of them, and the row of the first even where it is outside.
 * page_see - the row that page_next would give. */
int page_next(struct page *p);
int page_see(const struct page *p);
int page_skip(struct page *p, int n);

/* page_title - an empty line and a heading. */
void page_title(struct page *p, const char *text);

/* page_text - text broken at blanks into lines that begin at column x; first goes before it. */
void page_text(struct page *p, int x, const char *first, const char *text);

/*
 * page_again - true where the scroll was behind the end: it is brought back, and all is drawn anew.
 */
bool page_again(struct page *p, int *scroll);

#endif
