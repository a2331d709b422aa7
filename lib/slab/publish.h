/* SPDX-License-Identifier: MIT */
/*
 * publish.h - when the page of this process (wire/wire.h, pubfile.h) is written, and by whom.
 *
 * A thread of the library writes it. It sleeps for good while nothing happens. The first visit of a
 * slow path wakes it, which costs that visit one small write; it then writes the figures once the
 * period since the last writing is over, and goes to sleep again. So a busy program writes one page
 * a period, an idle one none, and no fast path knows of it. Who wants fresher figures, or to tune,
 * asks (WIRE_ASK_*) and rings: the thread answers at once, at most once in PUBLISH_LEAST_MS.
 *
 * Without the thread (publish=slow, for programs that must have none of ours) slow paths write
 * themselves when the period is over, and look for requests then: figures of an idle program are
 * as old as its last visit there.
 *
 * A page belongs to one process. The child of a fork makes its own at its first visit of a slow
 * path, so one that only calls exec makes none; a child by a bare clone(2) finds another process's
 * number in ours and keeps its hands off. Nothing here makes an allocation fail or wait.
 */
#ifndef SLABKIT_SLAB_PUBLISH_H
#define SLABKIT_SLAB_PUBLISH_H

#include <stdbool.h>
#include <stdint.h>

#include "census.h"
#include "lock.h"
#include "pubfile.h"

#define PUBLISH_PERIOD_MS 1000
#define PUBLISH_LEAST_MS  10

/* What SLAB_OPTIONS or slab_publish() asks for. */
struct publish_wish {
	bool on, keep, threadless;
	uint32_t period_ms;
	char tree[40];
};

struct publish {
	struct lock lock; /* of all below; slow paths only try it */
	struct publish_wish wish;
	int64_t pid; /* whose page it is; 0: there is none yet */
	bool begun;  /* constructors run: threads can be had */
	bool thread; /* of this process, is there */
	bool unhurried; /* slow paths write, and need not look at the clock each time */
	bool ended;
	uint32_t turn;	   /* a thread of an earlier one goes */
	uint64_t born_ms, wrote_ms; /* monotonic: the page; its figures */
	struct census census;
	struct pubfile file;
};

/* publish_parse - "", or words with commas between: keep, slow, thread, MS, tree:NAME. */
bool publish_parse(const char *text, struct publish_wish *wish);
/*
 * publish_visit - a slow path came by while root.publish_due was set; no lock of ours is awaited.
 */
void publish_visit(void);

/* Around fork: before every other lock; after them. */
void publish_before_fork(void);
void publish_after_fork(bool child);

/* publish_note - at the end of each visit of a slow path. */
#define publish_note()                                                       \
	do {                                                                 \
		if (__builtin_expect(peek(root.publish_due), 0))             \
			publish_visit();                                     \
	} while (0)

#endif
