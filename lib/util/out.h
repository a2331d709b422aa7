/* SPDX-License-Identifier: MIT */
/*
 * out.h - standard output of a program: is it a terminal, how wide, in colour, and did every byte
 * arrive.
 *
 * Write errors are errors: out_finish() flushes and reports them once (a full disk, a closed
 * descriptor). A reader that went away (EPIPE) is no news to anybody: it is quiet, but not success.
 */
#ifndef SLABKIT_UTIL_OUT_H
#define SLABKIT_UTIL_OUT_H

#include <stdbool.h>
#include <stdio.h>

enum out_color { OUT_COLOR_AUTO, OUT_COLOR_ALWAYS, OUT_COLOR_NEVER };

struct out {
	FILE *f;
	bool tty;		/* a terminal reads it */
	bool color;		/* escape codes are welcome */
	bool ascii;		/* the terminal's character set has no more than ASCII for sure */
	unsigned width;		/* columns of the terminal; 0: no limit */
	int error;		/* errno of the first write that failed; 0: none */
};

/*
 * out_start - look at standard output. Call once, before anything is opened: descriptors 0 to 2
 * that are closed are occupied first, so that no file of ours is taken for standard output.
 */
void out_start(struct out *o);

/*
 * out_choose_color - from --color, NO_COLOR, CLICOLOR_FORCE, TERM and what reads the output: the
 * option first, then NO_COLOR (set and not empty), then CLICOLOR_FORCE (set and not "0").
 */
void out_choose_color(struct out *o, enum out_color when);

/* out_color_parse - "auto", "always" or "never". 0 or -EINVAL. */
int out_color_parse(const char *text, enum out_color *when);

/* out_flush - hand on what is written so far; an error is kept for out_finish. */
void out_flush(struct out *o);

/* out_finish - flush; 0, or 1 after a message "PROGRAM: write error: ..." (none for EPIPE). */
int out_finish(struct out *o, const char *program);

/* Styles: what a value means, not how it looks. */
enum out_style { OUT_PLAIN, OUT_HEADING, OUT_FAINT, OUT_GOOD, OUT_WARN, OUT_BAD, OUT_NAME };

/* out_style_on - the escape code of a style, "" without colour. out_style_off - the end of any. */
const char *out_style_on(const struct out *o, enum out_style style);
const char *out_style_off(const struct out *o, enum out_style style);

#endif
