// SPDX-License-Identifier: MIT
/* safe.c - text from elsewhere made harmless to look at; see safe.h. */
#include "util/safe.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The character at s and its length; 0 where no UTF-8 character stands there (RFC 3629). */
static size_t decode(const unsigned char *s, uint32_t *c)
{
	size_t n;
	uint32_t least;

	if (s[0] < 0x80) {
		*c = s[0];
		return 1;
	}
	if (s[0] >= 0xc2 && s[0] < 0xe0) {
		n = 2, least = 0x80, *c = s[0] & 0x1f;
	} else if (s[0] >= 0xe0 && s[0] < 0xf0) {
		n = 3, least = 0x800, *c = s[0] & 0x0f;
	} else if (s[0] >= 0xf0 && s[0] < 0xf5) {
		n = 4, least = 0x10000, *c = s[0] & 0x07;
	} else {
		return 0;
	}
	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		*c = *c << 6 | (s[i] & 0x3f);
	}
	return *c < least || *c > 0x10ffff || (*c >= 0xd800 && *c < 0xe000) ? 0 : n;
}

static bool turns_direction(uint32_t c)
{
	return c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) ||
	       (c >= 0x2066 && c <= 0x2069);
}

/* Bytes at s that may be shown as they are: 0 (escape the first), or the length of a character. */
static size_t plain_length(const unsigned char *s, unsigned flags)
{
	uint32_t c;
	size_t n = decode(s, &c);

	if (n == 0 || c == '\\')
		return 0;
	if (c < 0x20)
		return flags & SAFE_KEEP_CONTROLS ? 1 : 0;
	if (c >= 0x7f && c < 0xa0)
		return 0;
	if (c >= 0xa0 && ((flags & SAFE_ASCII) || c == 0x2028 || c == 0x2029 || turns_direction(c)))
		return 0;
	return n;
}

bool safe_is_plain(const char *text, unsigned flags)
{
	const unsigned char *s = (const unsigned char *)text;

	while (*s) {
		size_t n = plain_length(s, flags);

		if (n == 0)
			return false;
		s += n;
	}
	return true;
}

char *safe_text(const char *text, unsigned flags)
{
	const unsigned char *s = (const unsigned char *)text;
	char *escaped = malloc(4 * strlen(text) + 1);
	char *o = escaped;

	if (!escaped)
		return NULL;
	while (*s) {
		size_t n = plain_length(s, flags);

		if (n == 0) {
			o += sprintf(o, "\\x%02x", *s++);
			continue;
		}
		memcpy(o, s, n);
		o += n;
		s += n;
	}
	*o = '\0';
	return escaped;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

char *safe_undo(const char *text)
{
	char *bytes = malloc(strlen(text) + 1);
	char *o = bytes;

	if (!bytes)
		return NULL;
	while (*text) {
		if (text[0] == '\\' && text[1] == 'x' && hex_digit(text[2]) >= 0 &&
		    hex_digit(text[3]) >= 0) {
			*o++ = (char)(hex_digit(text[2]) << 4 | hex_digit(text[3]));
			text += 4;
		} else {
			*o++ = *text++;
		}
	}
	*o = '\0';
	return bytes;
}

size_t safe_width(const char *text)
{
	size_t width = 0;

	for (; *text; text++)
		width += ((unsigned char)*text & 0xc0) != 0x80;
	return width;
}
