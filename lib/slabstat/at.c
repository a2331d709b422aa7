// SPDX-License-Identifier: MIT
/* at.c - which sample a person means: first, last, peak, a number, a time, a mark. */
#include "slabstat/source.h"
#include "util/num.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#define NS_PER_S 1000000000LL

int slabstat_source_instant(struct slabstat_source *src, size_t n, struct slabstat_instant *instant)
{
	struct slabstat_snapshot *s;
	int ret;

	if (src->ops->instant)
		return src->ops->instant(src, n, instant);
	ret = slabstat_source_seek(src, n);
	if (ret == 0)
		ret = slabstat_source_read(src, NULL, &s);
	if (ret != 0)
		return ret;
	*instant = (struct slabstat_instant){ .wall_ns = s->wall_ns, .mono_ns = s->mono_ns };
	instant->has_footprint =
		slabstat_snapshot_total(s, SLABSTAT_FOOTPRINT, &instant->footprint_bytes) !=
		SLABSTAT_ABSENT;
	slabstat_snapshot_free(s);
	return 0;
}

static int refuse(struct slabstat_source *src, int code, const char *at, const char *why)
{
	return error_set(src->h, code, source_label(src), 0, "'%s': %s", at,
			 why);
}

/* ---- peak ------------------------------------------------------------------------------------ */

static int peak_footprint(struct slabstat_source *src, size_t samples, size_t *n)
{
	uint64_t most = 0;
	bool some = false;

	for (size_t i = 0; i < samples; i++) {
		struct slabstat_instant t;
		int ret = slabstat_source_instant(src, i, &t);

		if (ret != 0)
			return ret;
		if (!t.has_footprint || (some && t.footprint_bytes <= most))
			continue;
		most = t.footprint_bytes;
		*n = i;
		some = true;
	}
	return some ? 0 : -ENODATA;
}

/* Samples that tell no footprint: the most used, or the most lost. */
static int peak_of(struct slabstat_source *src, size_t samples, enum slabstat_field field,
		   size_t *n)
{
	uint64_t most = 0;
	bool some = false;

	for (size_t i = 0; i < samples; i++) {
		struct slabstat_snapshot *s;
		uint64_t value;
		int ret = slabstat_source_seek(src, i);

		if (ret == 0)
			ret = slabstat_source_read(src, NULL, &s);
		if (ret != 0)
			return ret;
		if (slabstat_snapshot_total(s, field, &value) != SLABSTAT_ABSENT &&
		    (!some || value > most)) {
			most = value;
			*n = i;
			some = true;
		}
		slabstat_snapshot_free(s);
	}
	return some ? 0 : -ENODATA;
}

static int at_peak(struct slabstat_source *src, size_t samples, size_t *n)
{
	int ret = peak_footprint(src, samples, n);

	if (ret == -ENODATA)
		ret = peak_of(src, samples, SLABSTAT_USED, n);
	if (ret == -ENODATA)
		ret = peak_of(src, samples, SLABSTAT_LOSS, n);
	if (ret == -ENODATA)
		refuse(src, ret, "peak", "no sample tells its size");
	return ret;
}

/* ---- marks ----------------------------------------------------------------------------------- */

static int at_mark(struct slabstat_source *src, const char *at, size_t samples, size_t *n)
{
	size_t count;
	const struct slabstat_mark *mark = slabstat_source_marks(src, &count);

	for (size_t i = 0; i < count; i++) {
		if (strcmp(mark[i].text, at + strlen("mark:")) == 0) {
			*n = mark[i].sample < samples ? mark[i].sample : samples - 1;
			return 0;
		}
	}
	return refuse(src, -ENOENT, at, "no such mark in this recording");
}

/* ---- times ----------------------------------------------------------------------------------- */

static bool scan_number(const char **p, const char *end, int *value)
{
	uint64_t v;

	if (num_scan_u64(p, end, &v) != 0 || v > 9999)
		return false;
	*value = (int)v;
	return true;
}

/* HH:MM[:SS] to the end of the text. */
static bool scan_clock(const char *p, const char *end, struct tm *tm)
{
	tm->tm_sec = 0;
	if (!scan_number(&p, end, &tm->tm_hour) || p == end || *p++ != ':' ||
	    !scan_number(&p, end, &tm->tm_min))
		return false;
	if (p < end && (*p++ != ':' || !scan_number(&p, end, &tm->tm_sec)))
		return false;
	return p == end && tm->tm_hour < 24 && tm->tm_min < 60 && tm->tm_sec <= 60;
}

/* YYYY-MM-DD, then a blank or T; *p stands behind it. */
static bool scan_date(const char **p, const char *end, struct tm *tm)
{
	const char *c = *p;
	int year, month, day;

	if (!scan_number(&c, end, &year) || c == end || *c++ != '-' ||
	    !scan_number(&c, end, &month) || c == end || *c++ != '-' ||
	    !scan_number(&c, end, &day) || c == end || (*c != ' ' && *c != 'T'))
		return false;
	if (year < 1970 || month < 1 || month > 12 || day < 1 || day > 31)
		return false;
	tm->tm_year = year - 1900;
	tm->tm_mon = month - 1;
	tm->tm_mday = day;
	*p = c + 1;
	return true;
}

/*
 * A time of day or a date with one, as local time; without a date the first such after the start.
 */
static bool parse_clock(const char *at, int64_t first_ns, int64_t *wall_ns)
{
	const char *p = at, *end = at + strlen(at);
	time_t start = (time_t)(first_ns / NS_PER_S), t;
	struct tm tm;
	bool date;

	tzset();
	if (!localtime_r(&start, &tm))
		return false;
	date = scan_date(&p, end, &tm);
	if (!scan_clock(p, end, &tm))
		return false;
	tm.tm_isdst = -1;
	t = mktime(&tm);
	if (!date && t < start) {
		tm.tm_mday++;
		tm.tm_isdst = -1;
		t = mktime(&tm);
	}
	*wall_ns = (int64_t)t * NS_PER_S;
	return t != (time_t)-1;
}

/* "90s", "12.5s", "2m", "1h" in ns. */
static bool parse_since(const char *at, int64_t *ns)
{
	size_t n = strlen(at);
	char number[32];
	double unit, seconds;

	if (n < 2 || n > sizeof(number))
		return false;
	unit = at[n - 1] == 's' ? 1 : at[n - 1] == 'm' ? 60 : at[n - 1] == 'h' ? 3600 : 0;
	memcpy(number, at, n - 1);
	number[n - 1] = '\0';
	if (unit == 0)
		return false;
	if (num_parse_seconds(number, &seconds) != 0) {
		/* Zero is no interval, but it is a time. */
		if (strspn(number, "0.") != n - 1)
			return false;
		seconds = 0;
	}
	*ns = (int64_t)(seconds * unit * (double)NS_PER_S);
	return true;
}

/* The last sample that is not later than the time. */
static int last_before(struct slabstat_source *src, const char *at, size_t samples, bool mono,
		       int64_t ns, size_t *n)
{
	bool some = false;

	for (size_t i = 0; i < samples; i++) {
		struct slabstat_instant t;
		int ret = slabstat_source_instant(src, i, &t);

		if (ret != 0)
			return ret;
		if ((mono ? t.mono_ns : t.wall_ns) > ns)
			break;
		*n = i;
		some = true;
	}
	return some ? 0 : refuse(src, -ERANGE, at, "before the first sample");
}

static int at_time(struct slabstat_source *src, const char *at, size_t samples, size_t *n)
{
	struct slabstat_instant first;
	int64_t ns;
	uint64_t epoch;
	bool mono = false;
	int ret = slabstat_source_instant(src, 0, &first);

	if (ret != 0)
		return ret;
	if (parse_since(at, &ns)) {
		mono = first.mono_ns > 0;
		if (__builtin_add_overflow(ns, mono ? first.mono_ns : first.wall_ns, &ns))
			ns = INT64_MAX;
	} else if (at[0] == '@' && num_parse_u64(at + 1, &epoch) == 0 &&
		   epoch < INT64_MAX / NS_PER_S) {
		/* A sample within that second is meant, too. */
		ns = (int64_t)epoch * NS_PER_S + NS_PER_S - 1;
	} else if (parse_clock(at, first.wall_ns, &ns)) {
		ns += NS_PER_S - 1;
	} else {
		return refuse(src, -EINVAL, at,
			      "no sample is named so: first, last, peak, a number, 90s, 14:05:30, "
			      "2026-01-31 14:05, @SECONDS or mark:TEXT");
	}
	if (!mono && first.wall_ns == 0)
		return refuse(src, -ENODATA, at, "the samples have no times");
	return last_before(src, at, samples, mono, ns, n);
}

int slabstat_source_at(struct slabstat_source *src, const char *at, size_t *n)
{
	size_t samples = slabstat_source_samples(src);
	uint64_t number;
	int ret;

	*n = 0;
	if (samples == 0) {
		if (slabstat_source_recording(src))
			return refuse(src, -ENODATA, at, "the recording has no sample in it");
		return refuse(src, -ESPIPE, at, "a live source has only the present");
	}
	if (strcmp(at, "first") == 0)
		return 0;
	if (strcmp(at, "last") == 0) {
		*n = samples - 1;
		return 0;
	}
	if (strcmp(at, "peak") == 0)
		return at_peak(src, samples, n);
	if (strncmp(at, "mark:", strlen("mark:")) == 0)
		return at_mark(src, at, samples, n);
	ret = num_parse_u64(at, &number);
	if (ret == -EINVAL)
		return at_time(src, at, samples, n);
	if (ret != 0 || number >= samples)
		return refuse(src, -ERANGE, at,
			      "there are not so many samples (they count from 0)");
	*n = (size_t)number;
	return 0;
}
