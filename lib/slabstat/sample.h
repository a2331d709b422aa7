/* SPDX-License-Identifier: MIT */
/* sample.h - where the samples of a text begin: a loop of dumps in one file is read one by one. */
#ifndef SLABSTAT_SAMPLE_H
#define SLABSTAT_SAMPLE_H

#include "slabstat/line.h"

#include <stdint.h>

struct sample {
	size_t offset;		/* of its first line in the text */
	unsigned long line;	/* number of the line before that */
	int64_t wall_ns;	/* of a time stamp that stood before it; 0: none */
};

/* Zero-initialise. */
struct sample_list {
	struct sample *at;	/* owned */
	size_t count, room;
};

/* sample_add - 0 or -ENOMEM. sample_free - give all back. */
int sample_add(struct sample_list *list, size_t offset, unsigned long line, int64_t wall_ns);
void sample_free(struct sample_list *list);

/* sample_lines - the lines of sample n, numbered as in the whole text of len bytes. */
struct lines sample_lines(const struct sample_list *list, size_t n, const char *text, size_t len);

/*
 * sample_separator - the line stands between samples, whatever their format: a time stamp (then
 * *wall_ns is set, else 0), or "Sample #12".
 */
bool sample_separator(const struct line *l, int64_t *wall_ns);

#endif
