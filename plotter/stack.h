/* SPDX-License-Identifier: MIT */
/* stack.h - several tracks as a stacked area, or as lines. */
#ifndef SLABPLOT_STACK_H
#define SLABPLOT_STACK_H

#include "plot.h"

/*
 * stack_draw - the tracks as areas upon each other, the largest at the bottom, and the rest of
 * total above them as "other" where total is not NULL. 0 or the exit status after a message.
 */
int stack_draw(const struct request *req, struct script *script, const struct series *s,
	       struct track *const *track, size_t n, const double *total, const char *what);

/* stack_lines - the tracks as lines, one colour each. */
int stack_lines(const struct request *req, struct script *script, const struct series *s,
		struct track *const *track, size_t n, const char *what);

#endif
