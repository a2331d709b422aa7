/* SPDX-License-Identifier: MIT */
/* source_process.h - what tuning needs of the source that reads the page of a program. */
#ifndef SLABSTAT_SOURCE_PROCESS_H
#define SLABSTAT_SOURCE_PROCESS_H

#include "slabstat/ask.h"
#include "slabstat/source.h"

/* source_process_may_ask - 0; -ESRCH: it does not run; -EPERM: the page is not ours to write to. */
int source_process_may_ask(const struct slabstat_source *src);

/*
 * source_process_ask - what it answers, a negative errno; positive: faults that a validation found.
 * -ETIMEDOUT: no answer.
 */
int source_process_ask(const struct slabstat_source *src, struct wire_ask *ask);

#endif
