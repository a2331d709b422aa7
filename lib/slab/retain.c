// SPDX-License-Identifier: MIT
/* retain.c - see retain.h. */
#include "retain.h"

#include <string.h>
#include <time.h>

#define USED_SHARE 16 /* one in sixteen of the bytes in use */

/* Of a clock that costs a few nanoseconds to read. */
static uint64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

void retain_init(struct retain *r)
{
	memset(r, 0, sizeof(*r));
	r->floor = RETAIN_FLOOR_MIN;
}

static void age(struct retain *r, uint64_t kept)
{
	uint64_t now = now_ms(), most = r->floor - RETAIN_FLOOR_MIN;

	if (now - r->since_ms < RETAIN_SOON_MS)
		return;
	r->floor -= r->least < most ? r->least : most;
	r->least = kept;
	r->since_ms = now;
}

uint64_t retain_bound(struct retain *r, uint64_t kept, uint64_t used)
{
	if (r->floor > RETAIN_FLOOR_MIN)
		age(r, kept);
	return r->floor + used / USED_SHARE;
}

void retain_note_gone(struct retain *r, unsigned int order, uint64_t bytes)
{
	r->gone[order] += bytes;
	r->gone_ms = now_ms();
}

void retain_note_new(struct retain *r, unsigned int order, uint64_t bytes)
{
	if (!r->gone[order])
		return;
	if (now_ms() - r->gone_ms > RETAIN_SOON_MS) {
		memset(r->gone, 0, sizeof(r->gone));
		return;
	}
	if (bytes > r->gone[order])
		bytes = r->gone[order];
	r->gone[order] -= bytes;
	if (r->floor == RETAIN_FLOOR_MIN) {
		r->least = 0;
		r->since_ms = now_ms();
	}
	if (r->floor < RETAIN_FLOOR_MAX)
		r->floor += bytes;
}
