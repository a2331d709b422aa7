/* SPDX-License-Identifier: MIT */
/*
 * canvas.h - a picture of character cells, drawn by the views and shown by whoever can.
 *
 * Views draw on a canvas and know no terminal; screen.c shows it with ncurses, batch.c prints it
 * as plain lines. A cell has a character and a role: what the text means, not which colour it has.
 * Everything is clipped; a canvas of 0 x 0 is fine.
 */
#ifndef SLABTOP_CANVAS_H
#define SLABTOP_CANVAS_H

#include <stdint.h>
#include <stdio.h>
#include <wchar.h>

enum role {
	ROLE_PLAIN,
	ROLE_TITLE,		/* name of the program and view */
	ROLE_HEADING,		/* column headings */
	ROLE_SORTED,		/* the heading that sorts */
	ROLE_LABEL,		/* words beside a figure */
	ROLE_FIGURE,		/* a figure that matters */
	ROLE_GROWTH,		/* got larger, new maximum */
	ROLE_SHRINK,		/* got smaller */
	ROLE_LOW,		/* poorly filled, much loss */
	ROLE_FIXED,		/* unreclaimable */
	ROLE_MATCH,		/* matches the search */
	ROLE_BAR,		/* graphs */
	ROLE_KEY,		/* a key to press */
	ROLE_ALERT,		/* paused, errors */
	ROLE_COUNT,
	ROLE_CURSOR = 0x80	/* the row under the cursor, added to any of the above */
};

struct canvas {
	int width, height;
	wchar_t *cell;		/* 0 in the second half of a wide character */
	uint8_t *role;
};

/* canvas_resize - blank cells; a zeroed struct is a canvas of 0 x 0. 0 or -ENOMEM. */
int canvas_resize(struct canvas *c, int width, int height);
void canvas_clear(struct canvas *c);
void canvas_free(struct canvas *c);

/*
 * canvas_text - at row y from column x, at most width columns of UTF-8 text; what is no printable
 * character becomes '?'. Returns the column behind it.
 */
int canvas_text(struct canvas *c, int y, int x, int width, unsigned role, const char *text);

/* canvas_right - the same, ending at column x + width. Text that is too long shows as '#'. */
void canvas_right(struct canvas *c, int y, int x, int width, unsigned role, const char *text);

__attribute__((format(printf, 5, 6)))
int canvas_printf(struct canvas *c, int y, int x, unsigned role, const char *fmt, ...);

/* canvas_char - n times the same character. Returns the column behind. */
int canvas_char(struct canvas *c, int y, int x, int n, unsigned role, wchar_t ch);

/* canvas_mark - give n cells a further role: ROLE_CURSOR is added, others replace. */
void canvas_mark(struct canvas *c, int y, int x, int n, unsigned role);

/* canvas_columns - columns that text takes, as canvas_text would draw it. */
int canvas_columns(const char *text);

/* canvas_print - rows as lines without trailing blanks, in the locale's encoding. */
void canvas_print(const struct canvas *c, FILE *out);

#endif
