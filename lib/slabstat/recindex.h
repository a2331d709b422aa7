/* SPDX-License-Identifier: MIT */
/*
 * recindex.h - where things stand in a recording: walking its lines, and the index at its end.
 *
 * One walker decides what counts: a line that was torn by a crash is left out, and so is a sample
 * whose predecessor is missing (it tells changes only) until the next full one. The index holds
 * what the walker found, so that opening a long recording touches only its end; where there is
 * none, it is made by a walk. Offsets are in bytes from the start of the text.
 */
#ifndef SLABSTAT_RECINDEX_H
#define SLABSTAT_RECINDEX_H

#include "slabstat/recline.h"

struct recwalk {
	const char *text;
	size_t len;
	size_t offset;		/* of the next line */
	uint64_t next;		/* number that the next sample must have unless it is full */
	bool chained;		/* false: no sample counts before the next full one */
	size_t torn_bytes;	/* set at the end: an unfinished last line */
};

struct recwalk_line {
	enum recline_kind kind;
	size_t offset, len;		/* without the newline */
	struct recline_sample head;	/* of a sample */
};

/*
 * recwalk_next - the next header, cache, sample, mark or index line that counts; false at the end.
 */
bool recwalk_next(struct recwalk *w, struct recwalk_line *line);

struct recindex_pair {
	size_t sample;			/* global number of the first sample at or after offset */
	size_t offset;
};

struct recindex_list {
	struct recindex_pair *pair;
	size_t count, room;
};

struct recindex {
	size_t samples;
	struct recindex_list segments;	/* headers */
	struct recindex_list caches;
	struct recindex_list marks;
	struct recindex_list full;	/* full samples */
	size_t torn_bytes;
	bool complete;			/* the text ends with an index */
};

/* recindex_make - by walking the text. 0 or -ENOMEM. recindex_free takes what either made. */
int recindex_make(struct recindex *ix, const char *text, size_t len);
/*
 * recindex_load - from the index at the end of the text. 0; -ENOENT where there is none that fits.
 */
int recindex_load(struct recindex *ix, const char *text, size_t len);
void recindex_free(struct recindex *ix);

/*
 * recindex_line - the two last lines of a recording; offset is where they will stand. cJSON_free.
 */
char *recindex_line(const struct recindex *ix, size_t offset, size_t *len);

/* recindex_floor - the last pair whose sample is <= n; NULL where there is none. */
const struct recindex_pair *recindex_floor(const struct recindex_list *list, size_t n);

#endif
