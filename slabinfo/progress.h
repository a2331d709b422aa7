/* SPDX-License-Identifier: MIT */
/*
 * progress.h - one line on a terminal that tells how a recording goes; nothing anywhere else.
 *
 * The cursor is left at the start of the line, so that what the command prints takes its place.
 */
#ifndef SLABINFO_PROGRESS_H
#define SLABINFO_PROGRESS_H

#include "sampler.h"

struct progress {
	bool on;
	bool shown;
};

/* progress_start - decide: standard error is a terminal that can move its cursor, and not quiet. */
void progress_start(struct progress *p, bool quiet);

/* progress_show - elapsed, samples, footprint, what grew most since the beginning. */
void progress_show(struct progress *p, const struct sampler *s);

/* progress_end - the same, as a line that stays, with what it cost. */
void progress_end(struct progress *p, const struct sampler *s);

#endif
