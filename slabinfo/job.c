// SPDX-License-Identifier: MIT
/* job.c - a command run under our eyes; see job.h. */
#include "job.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Signals that would end us, or that mean something to the command. */
static const int passed[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM };

static int64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

int job_open(struct job *j)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	sigset_t set;

	*j = (struct job){ .fd = -1, .watch = -1 };
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	for (size_t i = 0; i < sizeof(passed) / sizeof(passed[0]); i++) {
		struct sigaction old;

		/* What our caller ignores (nohup) stays ignored. */
		if (sigaction(passed[i], NULL, &old) || old.sa_handler != SIG_IGN)
			sigaddset(&set, passed[i]);
	}
	j->fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (j->fd < 0)
		return -errno;
	sigprocmask(SIG_BLOCK, &set, &j->mask);
	sigaction(SIGPIPE, &ignore, &j->pipe);
	sigaction(SIGXFSZ, &ignore, &j->size);
	signal(SIGCHLD, SIG_DFL);	/* ignored, it would take the command's status with it */
	return 0;
}

static void run(const struct job *j, char *const argv[], int report)
{
	int error;

	sigaction(SIGPIPE, &j->pipe, NULL);
	sigaction(SIGXFSZ, &j->size, NULL);
	sigprocmask(SIG_SETMASK, &j->mask, NULL);
	execvp(argv[0], argv);
	error = errno;
	if (write(report, &error, sizeof(error)) != sizeof(error))
		_exit(126);
	_exit(127);
}

static int cannot_run(const char *program, const char *what, int error)
{
	fprintf(stderr, "%s: cannot run %s: %s\n", program, what, strerror(error));
	return error == ENOENT ? 127 : 126;
}

int job_start(struct job *j, char *const argv[], const char *program)
{
	int report[2], error = 0;
	pid_t pid;
	ssize_t n;

	if (pipe2(report, O_CLOEXEC) < 0)
		return cannot_run(program, argv[0], errno);
	fflush(NULL);
	j->start_ns = now_ns();
	pid = fork();
	if (pid == 0)
		run(j, argv, report[1]);
	close(report[1]);
	if (pid < 0)
		error = errno;
	else
		do {
			n = read(report[0], &error, sizeof(error));
		} while (n < 0 && errno == EINTR);
	close(report[0]);
	if (error) {
		if (pid > 0)
			waitpid(pid, NULL, 0);
		return cannot_run(program, argv[0], error);
	}
	j->pid = pid;
	return 0;
}

static bool is_fatal(int number)
{
	return number == SIGINT || number == SIGTERM || number == SIGHUP || number == SIGQUIT;
}

/* Signals that wait: note them, and pass on what did not come from the terminal. */
static void take_signals(struct job *j)
{
	struct signalfd_siginfo info;

	while (read(j->fd, &info, sizeof(info)) == sizeof(info)) {
		int number = (int)info.ssi_signo;

		if (number == SIGCHLD)
			continue;
		if (is_fatal(number) && !j->signalled)
			j->signalled = number;
		if (j->pid > 0 && info.ssi_code <= 0)
			kill(j->pid, number);
	}
}

static bool has_ended(struct job *j)
{
	pid_t pid = wait4(j->pid, &j->status, WNOHANG, &j->usage);

	if (pid == 0 || (pid < 0 && errno == EINTR))
		return false;
	j->end_ns = now_ns();
	j->pid = 0;
	return true;
}

static int left_ms(int64_t until_ns)
{
	int64_t left = (until_ns - now_ns() + 999999) / 1000000;

	return left < 0 ? 0 : left > INT32_MAX ? INT32_MAX : (int)left;
}

/* Wait for a signal or for what is watched; true: the latter came. */
static bool wait_ms(const struct job *j, int timeout_ms)
{
	struct pollfd p[2] = { { .fd = j->fd, .events = POLLIN },
			       { .fd = j->watch, .events = POLLIN } };

	return poll(p, 2, timeout_ms) > 0 && (p[1].revents & POLLIN);
}

bool job_wait(struct job *j, int timeout_ms)
{
	int64_t until = now_ns() + (int64_t)timeout_ms * 1000000;

	while (j->pid > 0) {
		int left = timeout_ms < 0 ? -1 : left_ms(until);

		take_signals(j);
		if (has_ended(j))
			break;
		if (left == 0 || wait_ms(j, left))
			return false;
	}
	return true;
}

bool job_rest(struct job *j, int timeout_ms)
{
	int64_t until = now_ns() + (int64_t)timeout_ms * 1000000;
	int left;

	while (!job_signalled(j) && (left = left_ms(until)) > 0) {
		if (wait_ms(j, left))
			break;
	}
	return !j->signalled;
}

int job_signalled(struct job *j)
{
	take_signals(j);
	return j->signalled;
}

int job_status(const struct job *j)
{
	return WIFSIGNALED(j->status) ? 128 + WTERMSIG(j->status) : WEXITSTATUS(j->status);
}

void job_close(struct job *j)
{
	if (j->fd < 0)
		return;
	take_signals(j);
	close(j->fd);
	j->fd = -1;
	sigaction(SIGPIPE, &j->pipe, NULL);
	sigaction(SIGXFSZ, &j->size, NULL);
	sigprocmask(SIG_SETMASK, &j->mask, NULL);
}

char *job_text(char *const argv[])
{
	size_t size = 1;
	char *text, *end;

	for (char *const *a = argv; *a; a++)
		size += strlen(*a) + 1;
	text = malloc(size);
	if (!text)
		return NULL;
	end = text;
	for (char *const *a = argv; *a; a++) {
		if (a != argv)
			*end++ = ' ';
		end = stpcpy(end, *a);
	}
	*end = '\0';
	return text;
}
