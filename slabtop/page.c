// SPDX-License-Identifier: MIT
/* page.c - scrolled text; see page.h. */
#include "page.h"

#include <string.h>

void page_start(struct page *p, struct canvas *c, int y, int height, int scroll)
{
	*p = (struct page){ c, y, height > 0 ? height : 0, scroll, 0 };
	for (int i = 0; i < p->height; i++)
		canvas_char(c, y + i, 0, c->width, ROLE_PLAIN, L' ');
}

int page_see(const struct page *p)
{
	int at = p->line - p->scroll;

	return at >= 0 && at < p->height ? p->top + at : -1;
}

int page_next(struct page *p)
{
	int y = page_see(p);

	p->line++;
	return y;
}

int page_skip(struct page *p, int n)
{
	int at = p->line - p->scroll;

	p->line += n;
	return p->top + at;
}

void page_title(struct page *p, const char *text)
{
	if (p->line)
		p->line++;
	canvas_text(p->c, page_next(p), 0, p->c->width, ROLE_TITLE, text);
}

void page_text(struct page *p, int x, const char *first, const char *text)
{
	int width = p->c->width - x > 8 ? p->c->width - x : 8;

	do {
		size_t len = strlen(text), cut = len;
		char part[512];
		int y = page_next(p);

		if (cut > (size_t)width || cut >= sizeof(part)) {
			cut = (size_t)width < sizeof(part) - 1 ? (size_t)width : sizeof(part) - 1;
			while (cut > 1 && text[cut] != ' ')
				cut--;
			if (cut == 1)
				cut = (size_t)width < sizeof(part) - 1 ? (size_t)width
								       : sizeof(part) - 1;
		}
		memcpy(part, text, cut);
		part[cut] = '\0';
		canvas_text(p->c, y, 0, x, ROLE_LABEL, first);
		canvas_text(p->c, y, x, width, ROLE_PLAIN, part);
		first = "";
		text += cut;
		while (*text == ' ')
			text++;
	} while (*text);
}

bool page_again(struct page *p, int *scroll)
{
	int most = p->line > p->height ? p->line - p->height : 0;

	if (*scroll <= most)
		return false;
	*scroll = most;
	return true;
}
