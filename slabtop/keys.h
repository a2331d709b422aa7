/* SPDX-License-Identifier: MIT */
/* keys.h - what the keys of keys.def mean; no terminal in here. */
#ifndef SLABTOP_KEYS_H
#define SLABTOP_KEYS_H

#include <stddef.h>
#include <stdio.h>

/* Keys that are no character. A character is its Unicode number. */
enum {
	KEYS_NONE = 0x110000,	/* nothing waits, or nothing that slabtop knows */
	KEYS_EOF,		/* the terminal is gone */
	KEYS_UP, KEYS_DOWN, KEYS_LEFT, KEYS_RIGHT, KEYS_SHIFT_LEFT, KEYS_SHIFT_RIGHT,
	KEYS_PAGE_UP, KEYS_PAGE_DOWN, KEYS_HOME, KEYS_END, KEYS_ENTER, KEYS_ESCAPE,
	KEYS_BACKSPACE, KEYS_DELETE, KEYS_F1, KEYS_WHEEL_UP, KEYS_WHEEL_DOWN, KEYS_CLICK
};

enum keys_where {
	KEYS_ANY = 1 << 0,
	KEYS_LIST = 1 << 1,
	KEYS_DETAIL = 1 << 2,
	KEYS_TIME = 1 << 3,
	KEYS_COLUMNS = 1 << 4
};

enum action {
	ACTION_NONE,
	ACTION_QUIT, ACTION_HELP, ACTION_BACK,
	ACTION_VIEW_CACHES, ACTION_VIEW_FAMILIES, ACTION_VIEW_GROWTH, ACTION_VIEW_ALIASES,
	ACTION_VIEW_NODES, ACTION_VIEW_TOTALS,
	ACTION_PAUSE, ACTION_REFRESH, ACTION_SLOWER, ACTION_FASTER, ACTION_INTERVAL, ACTION_RESTART,
	ACTION_BYTES, ACTION_SAVE, ACTION_COST, ACTION_REPAINT,
	ACTION_UP, ACTION_DOWN, ACTION_PAGE_UP, ACTION_PAGE_DOWN, ACTION_FIRST, ACTION_LAST,
	ACTION_OPEN, ACTION_FILTER, ACTION_HIDE, ACTION_MATCH_NEXT, ACTION_MATCH_PREVIOUS,
	ACTION_REVERSE, ACTION_SORT_LEFT, ACTION_SORT_RIGHT, ACTION_SCROLL_LEFT,
	ACTION_SCROLL_RIGHT, ACTION_COLUMNS,
	ACTION_TUNE, ACTION_UNDO,
	ACTION_PLAY, ACTION_STEP_BACK, ACTION_STEP_ON, ACTION_SKIP_BACK, ACTION_SKIP_ON,
	ACTION_BEGINNING, ACTION_END, ACTION_MARK_NEXT, ACTION_MARK_PREVIOUS, ACTION_PEAK,
	ACTION_ROW_PEAK,
	ACTION_TOGGLE, ACTION_MOVE_EARLIER, ACTION_MOVE_LATER, ACTION_SORT_HERE, ACTION_DEFAULTS,
	ACTION_KEEP,
	ACTION_SORT		/* one of the sort letters: keys_sort_column() says which */
};

/* keys_action - what a key does where all the places of the mask are; ACTION_NONE: nothing. */
enum action keys_action(int key, unsigned where);

/*
 * keys_sort_column - the column (columns.h) of a sort letter in either case; false: no such letter.
 */
int keys_sort_column(int letter, int *column);

/* One line of help. */
struct keys_line {
	unsigned where;		/* one of enum keys_where; KEYS_LIST for the sort letters */
	const char *keys, *help;
};
/* keys_line - the i-th in the order of keys.def; 0, or -1 past the end. */
int keys_line(size_t i, struct keys_line *line);

/* keys_place - the heading for one place: "In lists". */
const char *keys_place(unsigned where);

/* keys_print - the whole table as text, for --list-keys and the manual. */
void keys_print(FILE *out);

#endif
