// SPDX-License-Identifier: MIT
/*
 * main.c - slabtop: the kernel's slab caches as they change.
 *
 *	options -> once | top (sample, rebuild, redraw) -> batch | engine and screen
 *
 * The first sample is taken before the terminal is touched: what cannot be read is said in one
 * line on an unchanged terminal.
 */
#include <errno.h>
#include <locale.h>
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "batch.h"
#include "once.h"
#include "top.h"

#define FIRST_MEMORY ((size_t)3 << 19)

static unsigned on_input(void *arg)
{
	struct top *t = arg;
	int x = 0, y = 0, key = screen_key(t->screen, &x, &y);

	/* What ncurses has read ahead does not wake poll() again. */
	return key == KEYS_NONE ? 0 : ENGINE_INPUT | top_key(t, key, x, y);
}

static unsigned on_timer(void *arg)
{
	struct top *t = arg;

	if (t->replay.on && t->replay.playing)
		replay_tick(&t->replay, &t->feed);
	return top_sample(t);
}

static unsigned on_idle(void *arg)
{
	struct top *t = arg;

	if (!t->replay.searching)
		return 0;
	if (replay_search(&t->replay, &t->feed)) {
		top_say(t, "looking for its peak: %zu%%; any key stops",
			t->replay.looked * 100 / t->feed.samples);
		return ENGINE_IDLE | ENGINE_REDRAW;
	}
	top_say(t, "its largest footprint");
	return ENGINE_SAMPLE;
}

static unsigned on_resize(void *arg)
{
	struct top *t = arg;

	return screen_resize(t->screen) ? ENGINE_REBUILD : 0;
}

static unsigned on_suspend(void *arg)
{
	struct top *t = arg;

	screen_suspend(t->screen);
	return 0;
}

static unsigned on_resume(void *arg)
{
	struct top *t = arg;

	screen_resume(t->screen);
	return ENGINE_REDRAW;
}

static const struct engine_ops ops = {
	.input = on_input, .sample = on_timer, .rebuild = top_rebuild, .redraw = top_redraw,
	.idle = on_idle, .resize = on_resize, .suspend = on_suspend, .resume = on_resume,
};

/* Why no picture can be shown, with the way out; true where it goes on, with lines if need be. */
static bool fit(enum screen_fitness fitness)
{
	const char *type = getenv("TERM");

	switch (fitness) {
	case SCREEN_FIT: return true;
	case SCREEN_NO_TERMINAL:
		fprintf(stderr, "%s: this is no terminal; use -o to print once, or -B for lines\n",
			PROGRAM);
		return false;
	case SCREEN_UNKNOWN_TYPE:
		fprintf(stderr,
			"%s: terminal type '%s' is not known; set TERM, or use -B for lines\n",
			PROGRAM, type ? type : "");
		return false;
	default:
		fprintf(stderr, "%s: a '%s' terminal cannot move its cursor; going on as with -B\n",
			PROGRAM, type ? type : "");
		return true;
	}
}

static bool want_colour(const struct options *o)
{
	struct out out;

	out_start(&out);
	out_choose_color(&out, o->color);
	return out.color;
}

/* The signal that ended us ends us: whoever waits for the process sees it. ^C is a way to leave. */
static int end_by(int sig)
{
	sigset_t set;

	if (sig <= 0 || sig == SIGINT)
		return sig < 0;
	sigemptyset(&set);
	sigaddset(&set, sig);
	signal(sig, SIG_DFL);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(sig);
	return 1;
}

/*
 * A sample of ten thousand caches takes megabytes, once a second. Keeping them between samples
 * spares the kernel the work of mapping and clearing them each time. What a few hundred caches
 * take it gives at once: asking for it page by page costs a virtual machine more than reading them.
 */
static void keep_memory(void)
{
#ifdef M_TRIM_THRESHOLD
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from;
	void *first;

	mallopt(M_MMAP_THRESHOLD, 64 << 20);
	mallopt(M_TRIM_THRESHOLD, 64 << 20);
	first = malloc(FIRST_MEMORY);
	from = ((uintptr_t)first + page - 1) & ~(page - 1);
#ifdef MADV_POPULATE_WRITE
	if (first)
		madvise((void *)from, (FIRST_MEMORY - page) & ~(page - 1), MADV_POPULATE_WRITE);
#endif
	free(first);
#endif
}

static int run_screen(struct top *t, const struct options *o)
{
	int sig;

	t->unicode = screen_unicode() && !o->ascii;
	t->screen = screen_open(want_colour(o));
	if (!t->screen) {
		fprintf(stderr, "%s: the terminal cannot be used; use -B for lines\n", PROGRAM);
		return 1;
	}
	t->engine = engine_new(&ops, t, screen_fd(t->screen));
	if (!t->engine ||
	    (t->feed.live && engine_period(t->engine, (int64_t)(t->interval * 1e9)) != 0)) {
		int saved = errno;

		screen_close(t->screen);
		engine_free(t->engine);
		fprintf(stderr, "%s: %s\n", PROGRAM, strerror(saved));
		return 1;
	}
	sig = engine_run(t->engine, ENGINE_REBUILD);
	screen_close(t->screen);
	engine_free(t->engine);
	if (sig < 0)
		fprintf(stderr, "%s: %s\n", PROGRAM, strerror(-sig));
	return end_by(sig);
}

static int run(const struct options *o)
{
	enum screen_fitness fitness = SCREEN_FIT;
	bool lines = o->batch;
	struct top t;
	int status;

	if (o->once)
		return once_run(o);
	keep_memory();
	if (!lines) {
		fitness = screen_fitness();
		lines = fitness == SCREEN_NO_CURSOR;
	}
	/* What cannot be read matters more than where it would be shown. */
	status = top_open(&t, o, !lines);
	if (!status && !fit(fitness))
		status = 1;
	if (!status) {
		t.unicode = screen_unicode() && !o->ascii;
		status = lines ? batch_run(&t) : run_screen(&t, o);
	}
	top_close(&t);
	return status;
}

int main(int argc, char **argv)
{
	struct options o;
	int status = 0;

	setlocale(LC_CTYPE, "");
	setlocale(LC_COLLATE, "");
	switch (options_parse(&o, argc, argv)) {
	case OPTIONS_RUN: status = run(&o); break;
	case OPTIONS_USAGE: status = 2; break;
	case OPTIONS_DONE: status = fflush(stdout) != 0; break;
	}
	options_free(&o);
	return status;
}
