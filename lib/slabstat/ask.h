/* SPDX-License-Identifier: MIT */
/*
 * ask.h - asking the process behind a page: for fresh figures, or to change a setting.
 *
 * One asks at a time, under a flock(2) on the page; the process itself takes no lock. Who may write
 * to the page may ask: the user of the process, and root.
 */
#ifndef SLABSTAT_ASK_H
#define SLABSTAT_ASK_H

#include "slabstat/wirepage.h"

/* ask_allowed - 0; -EACCES: the page is not ours to write to; -ENOTSUP: no place for requests. */
int ask_allowed(const struct wirepage *p);

/*
 * ask_process - writes what is asked, rings, and waits so long for the answer. verb, serial, key
 * and value of *ask are set. 0, and *answer is what came back; -EACCES: the page is not ours to
 * write to; -ENOTSUP: it has no place for requests; -ETIMEDOUT: no answer; or an error of the file
 * system.
 */
int ask_process(const struct wirepage *p, struct wire_ask *ask, struct wire_answer *answer,
		unsigned wait_ms);

#endif
