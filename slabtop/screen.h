/* SPDX-License-Identifier: MIT */
/*
 * screen.h - the terminal: the only file that knows ncurses.
 *
 * It shows a canvas, reads keys as keys.h names them, and gives the terminal back as it was:
 * on close, while the process is stopped, and before an error is printed.
 */
#ifndef SLABTOP_SCREEN_H
#define SLABTOP_SCREEN_H

#include <stdbool.h>

#include "canvas.h"

struct screen;

/* Whether a terminal can show a picture at all. */
enum screen_fitness {
	SCREEN_FIT,
	SCREEN_NO_TERMINAL,	/* standard output or every input is something else */
	SCREEN_UNKNOWN_TYPE,	/* TERM is unset, or nothing describes it */
	SCREEN_NO_CURSOR	/* it cannot move its cursor (dumb) */
};

/* screen_fitness - looks, and changes nothing. */
enum screen_fitness screen_fitness(void);

/*
 * screen_open - *returns owned*; the terminal is ours from here on. Keys are read from standard
 * input where that is a terminal, else from the controlling terminal. NULL: it could not be had.
 */
struct screen *screen_open(bool colour);
void screen_close(struct screen *s);

/* screen_fd - the descriptor to wait on for keys. */
int screen_fd(const struct screen *s);

/* screen_key - the next key, or KEYS_NONE, or KEYS_EOF. For mouse keys *x and *y say where. */
int screen_key(struct screen *s, int *x, int *y);

void screen_size(const struct screen *s, int *width, int *height);

/* screen_resize - ask the terminal for its size; true where it changed. */
bool screen_resize(struct screen *s);

/* screen_show - the canvas; a text cursor at row y, column x (y < 0: none). */
void screen_show(struct screen *s, const struct canvas *c, int y, int x);

/* screen_repaint - paint everything anew at the next screen_show. */
void screen_repaint(struct screen *s);

void screen_suspend(struct screen *s);
void screen_resume(struct screen *s);

/* screen_unicode - whether block elements and arrows can be shown. */
bool screen_unicode(void);

#endif
