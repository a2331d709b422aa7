/* SPDX-License-Identifier: MIT */
/*
 * line.h - lines of a text that came through mails, logs and terminals.
 *
 * Each line is given without what others put around it: line ends of any system, quoting ("> "),
 * the time stamp, host and tag of a log ("[  178.502533] ", "Jan 12 10:22:33 host kernel: "), and
 * blanks at either end. Tabs inside stay: a parser counts them as blanks.
 */
#ifndef SLABSTAT_LINE_H
#define SLABSTAT_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct lines {
	const char *next, *end;
	unsigned long number;	/* of the line given last, from 1 */
	char ending;		/* '\n', or '\r' in a text that has no '\n' at all */
};

struct line {
	const char *text;	/* not terminated */
	size_t len;
	unsigned long number;
};

static inline struct lines lines_of(const char *text, size_t len)
{
	return (struct lines){ text, text + len, 0, !len || memchr(text, '\n', len) ? '\n' : '\r' };
}

/* lines_next - false at the end of the text. */
bool lines_next(struct lines *r, struct line *l);

static inline bool line_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* line_is_text - no NUL stands in the line: a name may hold any other byte. */
bool line_is_text(const struct line *l);

/* line_begins - the line starts with these bytes. */
bool line_begins(const struct line *l, const char *prefix);

#endif
