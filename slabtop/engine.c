// SPDX-License-Identifier: MIT
/* engine.c - the poll loop; see engine.h. */
#include "engine.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

/* Keys taken before the work they made is done, so that a flood of input cannot starve it. */
#define INPUT_BURST 64

struct engine {
	const struct engine_ops *ops;
	void *arg;
	int input_fd, signal_fd, timer_fd;
	int ended_by;			/* signal */
	sigset_t blocked_before;
};

static const int ending[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
static const int shaping[] = { SIGWINCH, SIGTSTP, SIGCONT };

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static bool is_ending(int sig)
{
	for (size_t i = 0; i < COUNT(ending); i++)
		if (ending[i] == sig)
			return true;
	return false;
}

struct engine *engine_new(const struct engine_ops *ops, void *arg, int input_fd)
{
	struct engine *e = calloc(1, sizeof(*e));
	sigset_t set;

	if (!e)
		return NULL;
	e->ops = ops;
	e->arg = arg;
	e->input_fd = input_fd;
	sigemptyset(&set);
	for (size_t i = 0; i < COUNT(ending); i++)
		sigaddset(&set, ending[i]);
	for (size_t i = 0; i < COUNT(shaping); i++)
		sigaddset(&set, shaping[i]);
	sigprocmask(SIG_BLOCK, &set, &e->blocked_before);
	e->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	e->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (e->signal_fd < 0 || e->timer_fd < 0) {
		int saved = errno;

		engine_free(e);
		errno = saved;
		return NULL;
	}
	return e;
}

void engine_free(struct engine *e)
{
	if (!e)
		return;
	if (e->signal_fd >= 0)
		close(e->signal_fd);
	if (e->timer_fd >= 0)
		close(e->timer_fd);
	sigprocmask(SIG_SETMASK, &e->blocked_before, NULL);
	free(e);
}

int engine_period(struct engine *e, int64_t ns)
{
	struct timespec t = { .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };
	struct itimerspec its = { .it_interval = t, .it_value = t };

	return timerfd_settime(e->timer_fd, 0, &its, NULL) ? -errno : 0;
}

/*
 * Stop as the terminal's owner expects it: by SIGTSTP's own action, so that the shell says
 * "Stopped". Execution goes on behind raise() once the process is continued.
 */
static unsigned stop_and_go_on(struct engine *e)
{
	struct sigaction dfl = { .sa_handler = SIG_DFL }, old;
	sigset_t tstp;
	unsigned dirty;

	dirty = e->ops->suspend(e->arg);
	sigaction(SIGTSTP, &dfl, &old);
	sigemptyset(&tstp);
	sigaddset(&tstp, SIGTSTP);
	raise(SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &tstp, NULL);
	sigprocmask(SIG_BLOCK, &tstp, NULL);
	sigaction(SIGTSTP, &old, NULL);
	return dirty | e->ops->resume(e->arg);
}

static unsigned take_signals(struct engine *e)
{
	struct signalfd_siginfo si;
	unsigned dirty = 0;
	bool resized = false, stopped = false, continued = false;

	while (read(e->signal_fd, &si, sizeof(si)) == (ssize_t)sizeof(si)) {
		int sig = (int)si.ssi_signo;

		if (is_ending(sig)) {
			e->ended_by = sig;
			return ENGINE_QUIT;
		}
		resized |= sig == SIGWINCH;
		stopped |= sig == SIGTSTP;
		continued |= sig == SIGCONT;
	}
	if (stopped)
		dirty |= stop_and_go_on(e);
	else if (continued)
		dirty |= e->ops->resume(e->arg);
	if (resized || stopped || continued)
		dirty |= e->ops->resize(e->arg);
	return dirty;
}

static unsigned take_timer(struct engine *e)
{
	uint64_t expired;

	/* However many expirations were missed, one sample is due. */
	return read(e->timer_fd, &expired, sizeof(expired)) == (ssize_t)sizeof(expired) ?
		       ENGINE_SAMPLE : 0;
}

/* Pay off what is due, the first thing first; each step makes the next one due. */
static unsigned work(struct engine *e, unsigned dirty)
{
	if (dirty & ENGINE_SAMPLE)
		dirty = (dirty & ~(unsigned)ENGINE_SAMPLE) | ENGINE_REBUILD | ENGINE_REDRAW |
			e->ops->sample(e->arg);
	if (dirty & ENGINE_REBUILD)
		dirty = (dirty & ~(unsigned)ENGINE_REBUILD) | ENGINE_REDRAW |
			e->ops->rebuild(e->arg);
	/* Rows that want a richer sample first are no rows to draw. */
	if (dirty & (ENGINE_SAMPLE | ENGINE_REBUILD))
		return dirty;
	if (dirty & ENGINE_REDRAW)
		dirty = (dirty & ~(unsigned)ENGINE_REDRAW) | e->ops->redraw(e->arg);
	return dirty;
}

#define STALE (unsigned)(ENGINE_SAMPLE | ENGINE_REBUILD | ENGINE_QUIT)

/* Wait for anything, or with something due just look. Adds the dirty bits of what came. */
static int gather(struct engine *e, unsigned *dirty)
{
	struct pollfd fd[] = {
		{ .fd = e->signal_fd, .events = POLLIN },
		{ .fd = e->timer_fd, .events = POLLIN },
		{ .fd = e->input_fd, .events = POLLIN },
	};

	if (poll(fd, COUNT(fd), *dirty ? 0 : -1) < 0)
		return errno == EINTR ? 0 : -errno;
	if (fd[0].revents)
		*dirty |= take_signals(e);
	if (fd[1].revents)
		*dirty |= take_timer(e);
	if (fd[2].revents & POLLIN)
		*dirty |= ENGINE_INPUT;
	else if (fd[2].revents & (POLLHUP | POLLERR | POLLNVAL))
		*dirty |= ENGINE_QUIT;
	return 0;
}

/* Take input as long as there is some and it does not make the rows stale. */
static int gather_all(struct engine *e, unsigned *dirty)
{
	for (int burst = 0; burst < INPUT_BURST; burst++) {
		int err = gather(e, dirty);

		if (err)
			return err;
		if ((*dirty & STALE) || !(*dirty & ENGINE_INPUT))
			break;
		*dirty = (*dirty & ~(unsigned)ENGINE_INPUT) | e->ops->input(e->arg);
	}
	return 0;
}

int engine_run(struct engine *e, unsigned dirty)
{
	e->ended_by = 0;
	while (!(dirty & ENGINE_QUIT)) {
		int err = gather_all(e, &dirty);

		if (err)
			return err;
		if (dirty & ENGINE_QUIT)
			break;
		if (dirty & (ENGINE_SAMPLE | ENGINE_REBUILD | ENGINE_REDRAW))
			dirty = work(e, dirty);
		else if (dirty & ENGINE_IDLE)
			dirty = (dirty & ~(unsigned)ENGINE_IDLE) | e->ops->idle(e->arg);
	}
	return e->ended_by;
}
