// SPDX-License-Identifier: MIT
/* batch.c - the picture as lines; see batch.h. */
#include "batch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "top.h"
#include "util/num.h"

#define HEAD_WIDTH 100		/* what the lines above the rows need */
#define WIDEST 10000

/* $COLUMNS, else the terminal's width, else as wide as everything that was chosen. */
static int width(struct top *t, const struct out *out)
{
	const char *columns = getenv("COLUMNS");
	struct column_style style = top_style(t);
	int wide = grid_width(&t->list[t->view], &style);
	uint64_t n;

	if (columns && num_parse_u64(columns, &n) == 0 && n > 0 && n <= WIDEST)
		return (int)n;
	if (out->tty && out->width)
		return (int)out->width;
	return wide > HEAD_WIDTH ? wide : HEAD_WIDTH;
}

/* Rows of the sample there is; of a richer one where the columns at hand ask for that. */
static void rebuild(struct top *t)
{
	if (top_rebuild(t) & ENGINE_SAMPLE) {
		top_sample(t);
		top_rebuild(t);
	}
}

static void print_picture(struct top *t, const struct out *out)
{
	int y, rows = (int)t->list[t->view].count;

	t->plain = true;
	top_draw(t, width(t, out), head_height(t, 0) + 1 + rows, &y);
	canvas_print(&t->canvas, out->f);
}

/* Sleep until the given time on the monotonic clock, whatever comes between. */
static void sleep_until(uint64_t ns)
{
	struct timespec t = { .tv_sec = (time_t)(ns / 1000000000u),
			      .tv_nsec = (long)(ns % 1000000000u) };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
		;
}

static bool last_frame(struct top *t, unsigned long frame)
{
	if (t->options->frames && frame >= t->options->frames)
		return true;
	if (t->replay.on)
		return t->feed.at + 1 >= t->feed.samples;
	return !t->feed.live && !t->options->frames;	/* a still picture */
}

int batch_run(struct top *t)
{
	uint64_t due = clock_ns(CLOCK_MONOTONIC);
	struct out out;

	out_start(&out);
	if (canvas_resize(&t->canvas, width(t, &out), 1) != 0)
		top_warn(t, "%s", strerror(ENOMEM));
	for (unsigned long frame = 1;; frame++) {
		rebuild(t);
		print_picture(t, &out);
		if (last_frame(t, frame) || fflush(out.f) != 0)
			break;
		fputc('\n', out.f);
		due += (uint64_t)(t->interval * 1e9);
		if (t->replay.on)
			replay_tick(&t->replay, &t->feed);
		else
			sleep_until(due);
		if (top_sample(t) & ENGINE_QUIT || t->alarm) {
			fprintf(stderr, "%s: %s\n", PROGRAM, t->message);
			out_finish(&out, PROGRAM);
			return 1;
		}
	}
	return out_finish(&out, PROGRAM);
}
