// SPDX-License-Identifier: MIT
/* canvas.c - character cells; see canvas.h. */
#include "canvas.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

int canvas_resize(struct canvas *c, int width, int height)
{
	size_t n = (size_t)(width > 0 ? width : 0) * (size_t)(height > 0 ? height : 0);
	wchar_t *cell = malloc((n ? n : 1) * sizeof(*cell));
	uint8_t *role = malloc(n ? n : 1);

	if (!cell || !role) {
		free(cell);
		free(role);
		return -ENOMEM;
	}
	canvas_free(c);
	c->cell = cell;
	c->role = role;
	c->width = n ? width : 0;
	c->height = n ? height : 0;
	canvas_clear(c);
	return 0;
}

void canvas_clear(struct canvas *c)
{
	size_t n = (size_t)c->width * (size_t)c->height;

	for (size_t i = 0; i < n; i++)
		c->cell[i] = L' ';
	memset(c->role, ROLE_PLAIN, n);
}

void canvas_free(struct canvas *c)
{
	free(c->cell);
	free(c->role);
	memset(c, 0, sizeof(*c));
}

static void put(struct canvas *c, int y, int x, wchar_t ch, unsigned role)
{
	size_t i;

	if (y < 0 || y >= c->height || x < 0 || x >= c->width)
		return;
	i = (size_t)y * (size_t)c->width + (size_t)x;
	c->cell[i] = ch;
	c->role[i] = (uint8_t)role;
}

/* The next character of UTF-8 text and the columns it takes; '?' for what cannot be shown. */
static const char *next_char(const char *p, wchar_t *ch, int *columns)
{
	static const unsigned char lead[] = { 0xc2, 0xe0, 0xf0, 0xf5 };
	const unsigned char *u = (const unsigned char *)p;
	unsigned code = u[0];
	int more = code < lead[0] || code >= lead[3] ? 0
		   : code < lead[1]		     ? 1
		   : code < lead[2]		     ? 2
						     : 3;

	*ch = L'?';
	*columns = 1;
	if (code < 0x80) {
		if (code >= ' ' && code != 0x7f)
			*ch = (wchar_t)code;
		return p + 1;
	}
	if (!more)
		return p + 1;
	code &= 0x3fu >> more;
	for (int i = 1; i <= more; i++) {
		if ((u[i] & 0xc0) != 0x80)
			return p + 1;
		code = code << 6 | (u[i] & 0x3f);
	}
	/* In a locale of another encoding wcwidth() is -1 for what it cannot show. */
	*columns = wcwidth((wchar_t)code);
	if (*columns <= 0)
		*columns = 1;
	else
		*ch = (wchar_t)code;
	return p + more + 1;
}

int canvas_text(struct canvas *c, int y, int x, int width, unsigned role, const char *text)
{
	int end = width < INT_MAX - x ? x + width : INT_MAX;

	if (end > c->width)
		end = c->width;
	while (*text) {
		wchar_t ch;
		int columns;

		text = next_char(text, &ch, &columns);
		if (x + columns > end)
			break;
		put(c, y, x, ch, role);
		if (columns == 2)
			put(c, y, x + 1, 0, role);
		x += columns;
	}
	return x;
}

int canvas_columns(const char *text)
{
	int n = 0;

	while (*text) {
		wchar_t ch;
		int columns;

		text = next_char(text, &ch, &columns);
		n += columns;
	}
	return n;
}

void canvas_right(struct canvas *c, int y, int x, int width, unsigned role, const char *text)
{
	int n = canvas_columns(text);

	if (n > width)
		canvas_char(c, y, x, width, role, L'#');
	else
		canvas_text(c, y, x + width - n, n, role, text);
}

int canvas_printf(struct canvas *c, int y, int x, unsigned role, const char *fmt, ...)
{
	va_list ap;
	char *text;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (n < 0)
		return x;
	x = canvas_text(c, y, x, INT_MAX, role, text);
	free(text);
	return x;
}

int canvas_char(struct canvas *c, int y, int x, int n, unsigned role, wchar_t ch)
{
	for (; n > 0; n--, x++)
		put(c, y, x, ch, role);
	return x;
}

void canvas_mark(struct canvas *c, int y, int x, int n, unsigned role)
{
	for (; n > 0; n--, x++) {
		uint8_t *r;

		if (y < 0 || y >= c->height || x < 0 || x >= c->width)
			continue;
		r = &c->role[(size_t)y * (size_t)c->width + (size_t)x];
		*r = (uint8_t)(role == ROLE_CURSOR ? *r | ROLE_CURSOR : role);
	}
}

static void print_char(wchar_t ch, FILE *out)
{
	char buf[MB_LEN_MAX];
	mbstate_t state = { 0 };
	size_t n = wcrtomb(buf, ch, &state);

	if (n == (size_t)-1)
		fputc('?', out);
	else
		fwrite(buf, 1, n, out);
}

void canvas_print(const struct canvas *c, FILE *out)
{
	for (int y = 0; y < c->height; y++) {
		const wchar_t *row = c->cell + (size_t)y * (size_t)c->width;
		int end = c->width;

		while (end > 0 && row[end - 1] == L' ')
			end--;
		for (int x = 0; x < end; x++)
			if (row[x])
				print_char(row[x], out);
		fputc('\n', out);
	}
}
