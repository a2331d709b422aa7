/* SPDX-License-Identifier: MIT */
/*
 * engine.h - one poll loop over keys, a timer and signals.
 *
 * The engine knows no data. Its user returns dirty bits from each call, and the engine pays them
 * off in the order in which one makes another stale: a new sample makes the rows stale, new rows
 * make the picture stale. What waits is taken in before the picture is drawn, so a hundred queued
 * keys or a storm of resizes cost one redraw; but a key that comes behind one which makes the rows
 * stale waits for the new rows, so that what is typed ahead means what it would have meant.
 *
 * Signals are blocked and read from a descriptor: no handler runs, and nothing is interrupted.
 */
#ifndef SLABTOP_ENGINE_H
#define SLABTOP_ENGINE_H

#include <stdint.h>

enum {
	ENGINE_SAMPLE = 1 << 0,		/* take a sample, then rebuild and redraw */
	ENGINE_REBUILD = 1 << 1,	/* make rows from the sample there is, then redraw */
	ENGINE_REDRAW = 1 << 2,
	ENGINE_IDLE = 1 << 3,		/* call idle when nothing else waits */
	ENGINE_INPUT = 1 << 4,		/* more input may wait where poll() does not see it */
	ENGINE_QUIT = 1 << 5
};

/* Each returns dirty bits (0: nothing to do); none may be NULL. */
struct engine_ops {
	unsigned (*input)(void *arg);	/* input can be read: take one key */
	unsigned (*sample)(void *arg);
	unsigned (*rebuild)(void *arg);
	unsigned (*redraw)(void *arg);
	unsigned (*idle)(void *arg);	/* a slice of background work, some milliseconds */
	unsigned (*resize)(void *arg);
	unsigned (*suspend)(void *arg);	/* give the terminal back: the process is about to stop */
	unsigned (*resume)(void *arg);	/* take it again */
};

struct engine;

/* engine_new - *returns owned*; blocks the signals it reads. NULL with errno set on failure. */
struct engine *engine_new(const struct engine_ops *ops, void *arg, int input_fd);
void engine_free(struct engine *e);

/* engine_period - the timer's: a sample falls due every ns nanoseconds; 0 stops it. */
int engine_period(struct engine *e, int64_t ns);

/*
 * engine_run - until a call returns ENGINE_QUIT, the input ends or a signal ends it, beginning
 * with the dirty bits given. Returns 0, the signal's number, or a negative errno.
 */
int engine_run(struct engine *e, unsigned dirty);

#endif
