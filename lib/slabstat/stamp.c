// SPDX-License-Identifier: MIT
/* stamp.c - a line that is a time and nothing else; see stamp.h. */
#include "slabstat/stamp.h"
#include "util/num.h"

#include <string.h>

struct scan {
	const char *p, *end;
	int64_t year, month, day;	/* 0: not seen */
	int64_t seconds;		/* of the day; -1: not seen */
	int64_t ns;
	int64_t zone;			/* seconds east of UTC */
};

static bool take(struct scan *s, char c)
{
	if (s->p == s->end || *s->p != c)
		return false;
	s->p++;
	return true;
}

/* Digits, at most so many. */
static bool take_number(struct scan *s, size_t digits, int64_t *value)
{
	const char *from = s->p;
	uint64_t v;

	if (num_scan_u64(&s->p, s->end, &v) || (size_t)(s->p - from) > digits) {
		s->p = from;
		return false;
	}
	*value = (int64_t)v;
	return true;
}

static void take_fraction(struct scan *s)
{
	int64_t unit = 100000000;

	if (s->p + 1 >= s->end || (*s->p != '.' && *s->p != ',') || s->p[1] < '0' || s->p[1] > '9')
		return;
	for (s->p++; s->p < s->end && *s->p >= '0' && *s->p <= '9'; s->p++, unit /= 10)
		s->ns += unit * (*s->p - '0');
}

/* "10:31:31[.25]" */
static bool take_clock(struct scan *s)
{
	struct scan was = *s;
	int64_t h, m, sec;

	if (s->seconds < 0 && take_number(s, 2, &h) && take(s, ':') && take_number(s, 2, &m) &&
	    take(s, ':') && take_number(s, 2, &sec) && h < 24 && m < 60 && sec < 61) {
		s->seconds = h * 3600 + m * 60 + sec;
		take_fraction(s);
		return true;
	}
	*s = was;
	return false;
}

/* "+01:00", "-0500" */
static bool take_offset(struct scan *s)
{
	struct scan was = *s;
	int64_t sign = take(s, '+') ? 1 : take(s, '-') ? -1 : 0, v, m;

	if (sign && s->seconds >= 0 && take_number(s, 4, &v)) {
		if (take(s, ':') && v < 24 && take_number(s, 2, &m)) {
			s->zone = sign * (v * 3600 + m * 60);
			return true;
		}
		if (s->p - was.p == 5) {
			s->zone = sign * (v / 100 * 3600 + v % 100 * 60);
			return true;
		}
	}
	*s = was;
	return false;
}

/* "2026-11-30" */
static bool take_date(struct scan *s)
{
	struct scan was = *s;

	if (s->year == 0 && s->month == 0 && take_number(s, 4, &s->year) && s->p - was.p == 4 &&
	    take(s, '-') && take_number(s, 2, &s->month) && take(s, '-') &&
	    take_number(s, 2, &s->day))
		return true;
	*s = was;
	return false;
}

/* A name: of a month, a day of the week, a zone, a half of the day. */
static bool take_word(struct scan *s)
{
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	static const char days[] = "MonTueWedThuFriSatSun";
	const char *from = s->p, *at;
	char word[4] = "";
	size_t n;

	while (s->p < s->end && ((*s->p >= 'A' && *s->p <= 'Z') || (*s->p >= 'a' && *s->p <= 'z')))
		s->p++;
	n = (size_t)(s->p - from);
	if (n == 0 || n > 9)
		return false;
	memcpy(word, from, n < 3 ? n : 3);
	take(s, ',');
	if (n == 2 && word[1] == 'M' && (word[0] == 'A' || word[0] == 'P') && s->seconds >= 0) {
		s->seconds = s->seconds % 43200 + (word[0] == 'P' ? 43200 : 0);
		return true;
	}
	at = n >= 3 ? strstr(months, word) : NULL;
	if (at && (at - months) % 3 == 0 && s->month == 0) {
		s->month = (at - months) / 3 + 1;
		return true;
	}
	at = n >= 3 ? strstr(days, word) : NULL;
	if (at && (at - days) % 3 == 0)
		return true;
	return s->seconds >= 0 && n <= 5 && word[0] <= 'Z';	/* a zone, behind the time */
}

static int64_t days_from_1970(int64_t year, int64_t month, int64_t day)
{
	static const int before[] = { 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334 };
	int64_t leap = year - (month <= 2);	/* the last year whose 29 February may have been */

	return (year - 1970) * 365 + leap / 4 - leap / 100 + leap / 400 - 477 + before[month - 1] +
	       day - 1;
}

static bool scan_epoch(struct scan *s, int64_t *wall_ns)
{
	bool marked = take(s, '@');
	const char *from = s->p;
	int64_t seconds;

	if (!take_number(s, 10, &seconds) || (!marked && s->p - from != 10))
		return false;
	take_fraction(s);
	*wall_ns = seconds * 1000000000 + s->ns;
	return s->p == s->end;
}

static bool scan_words(struct scan *s)
{
	while (s->p < s->end) {
		int64_t number;

		if (*s->p == ' ' || (*s->p == 'T' && s->year && s->seconds < 0)) {
			s->p++;
			continue;
		}
		if (take_clock(s) || take_offset(s) || take_date(s) || take_word(s))
			continue;
		if (!take_number(s, 4, &number))
			return false;
		if (number > 31 && s->year == 0)
			s->year = number;
		else if (number <= 31 && s->day == 0)
			s->day = number;
		else
			return false;
	}
	return true;
}

bool stamp_scan(const char *text, size_t len, int64_t *wall_ns)
{
	struct scan s = { .p = text, .end = text + len, .seconds = -1 };
	int64_t seconds;

	if (len == 0 || len > 64)
		return false;
	if (scan_epoch(&s, wall_ns))
		return true;
	s = (struct scan){ .p = text, .end = text + len, .seconds = -1 };
	if (!scan_words(&s) || s.year < 1970 || s.year > 2261 || s.month < 1 || s.month > 12 ||
	    s.day < 1 || s.day > 31 || s.seconds < 0)
		return false;
	seconds = days_from_1970(s.year, s.month, s.day) * 86400 + s.seconds - s.zone;
	*wall_ns = seconds * 1000000000 + s.ns;
	return true;
}
