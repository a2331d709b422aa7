/* SPDX-License-Identifier: MIT */
/*
 * job.h - a command run under our eyes: signals passed on, nothing left undone.
 *
 *	job_open()	from here no signal ends us: they wait
 *	job_start()	run the command
 *	job_wait()	until it ended or so many milliseconds are over; passes signals on meanwhile
 *	...		put back what was changed: still undisturbed
 *	job_close()	signals are as they were
 *
 * A signal sent to us goes on to the command; one from the terminal (^C) reached it already, being
 * in the same process group. Either way we stay until the command has ended. With a command that
 * was never started, job_signalled() tells what came instead.
 */
#ifndef SLABINFO_JOB_H
#define SLABINFO_JOB_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

struct job {
	pid_t pid;		/* 0: not running */
	int fd;			/* signalfd; -1: closed */
	int watch;		/* waits end early where this one can be read; -1: none */
	sigset_t mask;		/* of our caller, for the command */
	struct sigaction pipe, size;	/* SIGPIPE and SIGXFSZ likewise; we ignore them meanwhile */
	int signalled;		/* first signal meant to end us, or 0 */
	int status;		/* of the last command that ended, as waitpid gives it */
	int64_t start_ns, end_ns;	/* CLOCK_MONOTONIC */
	struct rusage usage;	/* of the command and what it waited for */
};

/* job_open - 0 or a negative errno. */
int job_open(struct job *j);

/*
 * job_start - run argv (NULL at its end). 0; else an exit status after a message on stderr: 127 no
 * such command, 126 it cannot be run. May be called again once a command has ended.
 */
int job_start(struct job *j, char *const argv[], const char *program);

/*
 * job_wait - true: the command has ended. timeout_ms < 0: however long it takes. job_wait and
 * job_rest come back early where watch can be read.
 */
bool job_wait(struct job *j, int timeout_ms);

/* job_rest - the same wait without a command; false: a signal meant to end us came. */
bool job_rest(struct job *j, int timeout_ms);

/* job_signalled - a signal that came so far and was meant to end us; 0: none. */
int job_signalled(struct job *j);

/* job_status - exit status of the command that ended: its own, or 128 + its signal. */
int job_status(const struct job *j);

void job_close(struct job *j);

/* job_text - the command as one line, for titles and journals; *returns owned*, NULL: no memory. */
char *job_text(char *const argv[]);

#endif
