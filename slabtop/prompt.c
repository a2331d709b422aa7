// SPDX-License-Identifier: MIT
/* prompt.c - one line of text being typed; see prompt.h. */
#include "prompt.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "keys.h"

/* Columns that a label leaves to the text, on a line of twice that. */
#define TEXT_LEAST 12

#define CONTROL(letter) ((letter) & 0x1f)

int prompt_start(struct prompt *p, const char *label, const char *text, bool one_key)
{
	char *l = strdup(label), *t = strdup(text);

	if (!l || !t) {
		free(l);
		free(t);
		return -ENOMEM;
	}
	prompt_free(p);
	p->label = l;
	p->text = t;
	p->length = strlen(t);
	p->room = p->length + 1;
	p->one_key = one_key;
	p->on = true;
	return 0;
}

void prompt_free(struct prompt *p)
{
	free(p->label);
	free(p->text);
	memset(p, 0, sizeof(*p));
}

static size_t encode(int ch, char out[4])
{
	unsigned u = (unsigned)ch;

	if (u < 0x80) {
		out[0] = (char)u;
		return 1;
	}
	if (u < 0x800) {
		out[0] = (char)(0xc0 | u >> 6);
		out[1] = (char)(0x80 | (u & 0x3f));
		return 2;
	}
	if (u < 0x10000) {
		out[0] = (char)(0xe0 | u >> 12);
		out[1] = (char)(0x80 | (u >> 6 & 0x3f));
		out[2] = (char)(0x80 | (u & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | u >> 18);
	out[1] = (char)(0x80 | (u >> 12 & 0x3f));
	out[2] = (char)(0x80 | (u >> 6 & 0x3f));
	out[3] = (char)(0x80 | (u & 0x3f));
	return 4;
}

static enum prompt_event insert(struct prompt *p, int key)
{
	char bytes[4];
	size_t n = encode(key, bytes);

	if (p->length + n + 1 > p->room) {
		size_t room = 2 * p->room + 16;
		char *grown = realloc(p->text, room);

		if (!grown)
			return PROMPT_NOTHING;
		p->text = grown;
		p->room = room;
	}
	memcpy(p->text + p->length, bytes, n);
	p->length += n;
	p->text[p->length] = '\0';
	return PROMPT_CHANGED;
}

static enum prompt_event erase(struct prompt *p)
{
	if (!p->length) {
		p->on = false;
		return PROMPT_CANCELLED;
	}
	do
		p->length--;
	while (p->length && ((unsigned char)p->text[p->length] & 0xc0) == 0x80);
	p->text[p->length] = '\0';
	return PROMPT_CHANGED;
}

static enum prompt_event erase_word(struct prompt *p)
{
	while (p->length && p->text[p->length - 1] == ' ')
		p->length--;
	while (p->length && p->text[p->length - 1] != ' ')
		p->length--;
	p->text[p->length] = '\0';
	return PROMPT_CHANGED;
}

enum prompt_event prompt_key(struct prompt *p, int key)
{
	if (p->one_key) {
		if (key == KEYS_NONE || key == KEYS_CLICK || key == KEYS_WHEEL_UP ||
		    key == KEYS_WHEEL_DOWN)
			return PROMPT_NOTHING;
		p->on = false;
		return key == 'y' || key == 'Y' ? PROMPT_ACCEPTED : PROMPT_CANCELLED;
	}
	switch (key) {
	case KEYS_ENTER:
		p->on = false;
		return PROMPT_ACCEPTED;
	case KEYS_ESCAPE:
	case CONTROL('G'):
		p->on = false;
		return PROMPT_CANCELLED;
	case KEYS_BACKSPACE:
		return erase(p);
	case CONTROL('U'):
		p->text[p->length = 0] = '\0';
		return PROMPT_CHANGED;
	case CONTROL('W'):
		return erase_word(p);
	default:
		return key >= ' ' && key < KEYS_NONE ? insert(p, key) : PROMPT_NOTHING;
	}
}

/* Text without its first characters, so that at most width columns are left. */
static const char *end_of(const char *text, int width)
{
	while (*text && canvas_columns(text) > width) {
		text++;
		while (((unsigned char)*text & 0xc0) == 0x80)
			text++;
	}
	return text;
}

/* The end of a question is what has to be seen: what it comes to, and how to answer. */
static int draw_question(const struct prompt *p, struct canvas *c, int y)
{
	const char *label = end_of(p->label, c->width - 1);

	if (label == p->label)
		return canvas_text(c, y, 0, INT_MAX, ROLE_KEY, label);
	canvas_char(c, y, 0, 1, ROLE_KEY, L'<');
	return canvas_text(c, y, 1, INT_MAX, ROLE_KEY, label);
}

int prompt_draw(const struct prompt *p, struct canvas *c, int y)
{
	int columns = canvas_columns(p->text) + 1, room, x;

	canvas_char(c, y, 0, c->width, ROLE_PLAIN, L' ');
	if (p->one_key)
		return draw_question(p, c, y);
	/* A long label gives way to the text, down to half of the line. */
	if (columns < TEXT_LEAST)
		columns = TEXT_LEAST;
	room = c->width - columns > c->width / 2 ? c->width - columns : c->width / 2;
	x = canvas_text(c, y, 0, room, ROLE_KEY, p->label);
	if (canvas_columns(p->label) > room) {
		x = room;
		canvas_char(c, y, x - 2, 1, ROLE_KEY, L'>');
		canvas_char(c, y, x - 1, 1, ROLE_KEY, L' ');
	}
	/* Keep the end of the text, and one cell for the cursor, on the line. */
	return canvas_text(c, y, x, INT_MAX, ROLE_PLAIN, end_of(p->text, c->width - x - 1));
}
