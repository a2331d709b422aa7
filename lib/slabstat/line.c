// SPDX-License-Identifier: MIT
/* line.c - lines of a text that came through mails, logs and terminals; see line.h. */
#include "slabstat/line.h"

#include <string.h>

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/*
 * Match a shape at p: '9' a digit, 'A' a letter, '#' one or more digits, ' ' one or more blanks,
 * anything else itself. What follows it, or NULL.
 */
static const char *match(const char *p, const char *end, const char *shape)
{
	for (; *shape; shape++) {
		if (*shape == '#') {
			if (p == end || !is_digit(*p))
				return NULL;
			while (p < end && is_digit(*p))
				p++;
			continue;
		}
		if (p == end)
			return NULL;
		if (*shape == ' ') {
			if (!line_blank(*p))
				return NULL;
			while (p < end && line_blank(*p))
				p++;
			continue;
		}
		if (*shape == '9' ? !is_digit(*p) : *shape == 'A' ? !is_letter(*p) : *p != *shape)
			return NULL;
		p++;
	}
	return p;
}

/* What follows the first shape that matches, or p. */
static const char *skip_any(const char *p, const char *end, const char *const *shapes)
{
	for (; *shapes; shapes++) {
		const char *after = match(p, end, *shapes);

		if (after)
			return after;
	}
	return p;
}

static const char *skip_blanks(const char *p, const char *end)
{
	while (p < end && line_blank(*p))
		p++;
	return p;
}

/* "> > row": marks of quoting, each with a blank behind the last; a name may begin with '>'. */
static const char *skip_quotes(const char *p, const char *end)
{
	const char *q = p;

	while (q < end && (*q == '>' || *q == '|') && q + 1 < end)
		q = skip_blanks(q + 1, end);
	return q > p && line_blank(q[-1]) ? q : p;
}

/* The kernel log's own stamp, with the caller behind it where there is one: "[    1.5][  T1] ". */
static const char *skip_stamp(const char *p, const char *end)
{
	static const char *const level[] = { "<#>", NULL };
	static const char *const stamp[] = { "[#.#]", "[ #.#]", "[AAA AAA # 99:99:99 9999]", NULL };
	const char *start = skip_any(p, end, level), *q = skip_any(start, end, stamp);

	if (q == start)
		return p;
	if (q < end && *q == '[') {
		const char *close = memchr(q, ']', (size_t)(end - q));

		if (close && close - q < 16)
			q = close + 1;
	}
	return q < end && line_blank(*q) ? skip_blanks(q, end) : p;
}

/* "host kernel: " behind a time: a word, and a word with a letter that ends with a colon. */
static const char *skip_tag(const char *p, const char *end)
{
	const char *q = p, *tag;
	bool letter = false;

	while (q < end && !line_blank(*q))
		q++;
	q = tag = skip_blanks(q, end);
	for (; q < end && !line_blank(*q); q++)
		letter |= is_letter(*q);
	return letter && q - tag > 1 && q[-1] == ':' && q < end ? skip_blanks(q, end) : p;
}

/*
 * "Jan 12 10:22:33", "2024-01-12T10:22:33.123456+01:00", "10:22:33", with host and tag or without.
 */
static const char *skip_log(const char *p, const char *end)
{
	static const char *const date[] = { "9999-99-99T", "9999-99-99 ", "AAA # ", NULL };
	static const char *const fraction[] = { ".#", ",#", NULL };
	static const char *const zone[] = { "Z", "+99:99", "-99:99", "+9999", "-9999", NULL };
	const char *q = match(skip_any(p, end, date), end, "99:99:99");

	if (!q)
		return p;
	q = skip_any(skip_any(q, end, fraction), end, zone);
	if (q == end || !line_blank(*q))
		return p;
	return skip_tag(skip_blanks(q, end), end);
}

bool lines_next(struct lines *r, struct line *l)
{
	const char *p = r->next, *eol, *before;

	if (p == r->end)
		return false;
	eol = memchr(p, r->ending, (size_t)(r->end - p));
	r->next = eol ? eol + 1 : r->end;
	if (!eol)
		eol = r->end;
	while (eol > p && (line_blank(eol[-1]) || eol[-1] == '\r'))
		eol--;
	p = skip_blanks(p, eol);
	/* A log may be quoted, and a quoted log stamped again. */
	do {
		before = p;
		p = skip_quotes(p, eol);
		p = skip_log(p, eol);
		p = skip_stamp(p, eol);
	} while (p != before);
	l->text = p;
	l->len = (size_t)(eol - p);
	l->number = ++r->number;
	return true;
}

bool line_is_text(const struct line *l)
{
	return memchr(l->text, '\0', l->len) == NULL;
}

bool line_begins(const struct line *l, const char *prefix)
{
	size_t n = strlen(prefix);

	return l->len >= n && memcmp(l->text, prefix, n) == 0;
}
