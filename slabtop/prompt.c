// SPDX-License-Identifier: MIT
/* prompt.c - one line of text being typed; see prompt.h. */
#include "prompt.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "keys.h"

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

int prompt_draw(const struct prompt *p, struct canvas *c, int y)
{
	const char *text = p->text;
	int x = canvas_text(c, y, 0, INT_MAX, ROLE_KEY, p->label);

	/* Keep the end of the text, and one cell for the cursor, on the line. */
	if (x > c->width / 2)
		x = c->width / 2;
	while (*text && x + canvas_columns(text) + 1 > c->width) {
		text++;
		while (((unsigned char)*text & 0xc0) == 0x80)
			text++;
	}
	canvas_char(c, y, x, c->width - x, ROLE_PLAIN, L' ');
	return canvas_text(c, y, x, INT_MAX, ROLE_PLAIN, text);
}
