/* SPDX-License-Identifier: MIT */
/* prompt.h - one line of text being typed; it draws itself and knows nothing of what it is for. */
#ifndef SLABTOP_PROMPT_H
#define SLABTOP_PROMPT_H

#include <stdbool.h>
#include <stddef.h>

#include "canvas.h"

struct prompt {
	bool on;
	bool one_key;		/* any key answers (a question of yes or no) */
	char *label;
	char *text;		/* UTF-8, terminated; never NULL while on */
	size_t length, room;
};

enum prompt_event {
	PROMPT_NOTHING,
	PROMPT_CHANGED,		/* the text is another */
	PROMPT_ACCEPTED,	/* Enter; or y or Y */
	PROMPT_CANCELLED	/* Escape, or Backspace in an empty line; or any other key */
};

/* prompt_start - with a label and a first text. 0 or -ENOMEM. */
int prompt_start(struct prompt *p, const char *label, const char *text, bool one_key);

/*
 * prompt_key - one key (keys.h). After ACCEPTED and CANCELLED the prompt is off, its text still
 * there.
 */
enum prompt_event prompt_key(struct prompt *p, int key);

/*
 * prompt_draw - on row y; returns the column of the text cursor. The end of a long text is shown.
 */
int prompt_draw(const struct prompt *p, struct canvas *c, int y);

void prompt_free(struct prompt *p);

#endif
