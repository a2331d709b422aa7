// SPDX-License-Identifier: MIT
/* thread.c - starting a thread that the program need not know of. */
#include "thread.h"

#include <limits.h>
#include <pthread.h>
#include <signal.h>

bool thread_start(void *(*work)(void *arg), void *arg, size_t stack_bytes)
{
	sigset_t all, before;
	pthread_attr_t attr;
	pthread_t thread;
	int err;

	if (pthread_attr_init(&attr))
		return false;
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	if (stack_bytes > (size_t)PTHREAD_STACK_MIN)
		pthread_attr_setstacksize(&attr, stack_bytes);
	/* Signals are the program's threads' business. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&thread, &attr, work, arg);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attr);
	return !err;
}
