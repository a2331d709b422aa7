// SPDX-License-Identifier: MIT
/* num.c - strict reading of numbers, and their human form; see num.h. */
#include "util/num.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

int num_scan_u64(const char **p, const char *end, uint64_t *value)
{
	const char *c = *p;
	uint64_t v = 0;
	bool over = false;

	if (c == end || *c < '0' || *c > '9')
		return -EINVAL;
	for (; c < end && *c >= '0' && *c <= '9'; c++) {
		if (__builtin_mul_overflow(v, 10, &v) ||
		    __builtin_add_overflow(v, (uint64_t)(*c - '0'), &v))
			over = true;
	}
	*p = c;
	if (over)
		return -ERANGE;
	*value = v;
	return 0;
}

int num_parse_u64(const char *text, uint64_t *value)
{
	const char *end = text + strlen(text);
	uint64_t v;
	int ret = num_scan_u64(&text, end, &v);

	if (text != end)
		return -EINVAL;
	if (ret == 0)
		*value = v;
	return ret;
}

int num_parse_seconds(const char *text, double *seconds)
{
	double value = 0, scale = 1;
	int digits = 0;

	for (; *text >= '0' && *text <= '9'; text++, digits++)
		value = value * 10 + (*text - '0');
	if (*text == '.') {
		for (text++; *text >= '0' && *text <= '9'; text++, digits++) {
			scale /= 10;
			value += scale * (*text - '0');
		}
	}
	if (digits == 0 || *text != '\0')
		return -EINVAL;
	if (value <= 0 || value > 1e7)
		return -ERANGE;
	*seconds = value;
	return 0;
}

uint64_t num_muldiv(uint64_t a, uint64_t b, uint64_t c)
{
	unsigned __int128 q;

	if (c == 0)
		return 0;
	q = (unsigned __int128)a * b / c;
	return q > UINT64_MAX ? UINT64_MAX : (uint64_t)q;
}

char *num_human_bytes(uint64_t bytes, char buf[NUM_HUMAN_SIZE])
{
	static const char *const units[] = { "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	unsigned unit = 0;
	uint64_t tenths;

	if (bytes < 1024) {
		snprintf(buf, NUM_HUMAN_SIZE, "%u B", (unsigned)bytes);
		return buf;
	}
	/*
	 * Round to a tenth of the unit; a value that rounds up to 1024.0 belongs to the next unit.
	 */
	for (;; unit++) {
		unsigned shift = 10 * (unit + 1);
		unsigned __int128 scaled = (unsigned __int128)bytes * 10;

		tenths = (uint64_t)((scaled + ((unsigned __int128)1 << (shift - 1))) >> shift);
		if (tenths < 10240 || unit + 1 == sizeof(units) / sizeof(units[0]))
			break;
	}
	snprintf(buf, NUM_HUMAN_SIZE, "%u.%u %s", (unsigned)(tenths / 10), (unsigned)(tenths % 10),
		 units[unit]);
	return buf;
}

char *num_human_delta(int64_t bytes, char buf[NUM_HUMAN_SIZE])
{
	char plain[NUM_HUMAN_SIZE];
	uint64_t magnitude = bytes < 0 ? 0 - (uint64_t)bytes : (uint64_t)bytes;

	snprintf(buf, NUM_HUMAN_SIZE, "%s%.20s", bytes < 0 ? "-" : bytes > 0 ? "+" : "",
		 num_human_bytes(magnitude, plain));
	return buf;
}
