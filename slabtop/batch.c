// SPDX-License-Identifier: MIT
/* batch.c - the picture as lines; see batch.h. */
#include "batch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "top.h"

/* $COLUMNS, else the terminal's width, else as wide as everything that was chosen. */
static int width(struct top *t, const struct out *out)
{
	const char *columns = getenv("COLUMNS");
	struct column_style style = top_style(t);
	long n = columns ? strtol(columns, NULL, 10) : 0;
	int least = 100;

	if (n > 0 && n < 10000)
		return (int)n;
	if (out->tty && out->width)
		return (int)out->width;
	n = grid_width(&t->list[t->view], &style);
	return n > least ? (int)n : least;
}

static void print_picture(struct top *t, const struct out *out)
{
	int y, rows = (int)t->list[t->view].count;

	/* Head, heading, rows; tall enough for the whole head; the foot stays empty and goes. */
	t->canvas.width = t->canvas.width > 0 ? t->canvas.width : 1;
	t->plain = true;
	top_draw(t, width(t, out), rows + 4 > 10 ? rows + 4 : 10, &y);
	canvas_print(&t->canvas, out->f);
}

/* Sleep until the given time on the monotonic clock, whatever comes between. */
static void sleep_until(uint64_t ns)
{
	struct timespec t = { .tv_sec = (time_t)(ns / 1000000000u), .tv_nsec = (long)(ns % 1000000000u) };

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
	for (unsigned long frame = 1;; frame++) {
		top_rebuild(t);
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
