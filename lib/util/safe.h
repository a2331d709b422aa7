/* SPDX-License-Identifier: MIT */
/*
 * safe.h - text from elsewhere made harmless to look at.
 *
 * A cache may be called anything but NUL: with newlines, ESC, half a UTF-8 character. One rule for
 * terminals, tables, CSV and JSON, and it can be undone: a control character, a byte that is not
 * UTF-8, a character that turns the direction of writing, and a backslash become \xNN each.
 */
#ifndef SLABKIT_UTIL_SAFE_H
#define SLABKIT_UTIL_SAFE_H

#include <stdbool.h>
#include <stddef.h>

enum {
	SAFE_ASCII = 1,		/* escape every byte above 0x7f as well */
	SAFE_KEEP_CONTROLS = 2	/* leave C0 controls: what follows (JSON) escapes them itself */
};

/* safe_text - *returns owned* copy of text, escaped; NULL where memory is exhausted. */
char *safe_text(const char *text, unsigned flags);

/* safe_is_plain - nothing in text needs an escape: it may be shown as it is. */
bool safe_is_plain(const char *text, unsigned flags);

/* safe_undo - *returns owned* the bytes that safe_text was given; NULL: no memory. */
char *safe_undo(const char *text);

/* safe_width - columns that an escaped text takes: one a character. */
size_t safe_width(const char *text);

#endif
