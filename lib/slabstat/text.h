/* SPDX-License-Identifier: MIT */
/*
 * text.h - what a format of another tool's output is to source_text.c, and what formats share.
 *
 * A format is fed line by line. It takes what it knows and leaves the rest alone: mails and bug
 * reports put prose around rows. The same function serves twice: looking (how many lines does this
 * format understand, where do samples begin) and reading (fill a snapshot from one sample). While
 * looking, caches and machine are stand-ins that nobody reads.
 */
#ifndef SLABSTAT_TEXT_H
#define SLABSTAT_TEXT_H

#include "slabstat/line.h"
#include "slabstat/sample.h"
#include "slabstat/snapshot.h"
#include "slabstat/word.h"

enum text_line {
	TEXT_OTHER,		/* not of this format: prose, decoration */
	TEXT_MARK,		/* a heading or total that only this format has */
	TEXT_ROW,		/* a row, taken */
	TEXT_BAD		/* would be a row, but is cut or garbled */
};

struct text_format;

struct text {
	/* Set by source_text.c. */
	const struct text_format *format;
	struct slabstat_snapshot *s;	/* being filled; NULL: looking */
	const char *raw, *raw_end;	/* the line as it stands, without its end */
	bool ended;			/* the line has an end */
	void *state;			/* the format's own, zeroed for each sample */
	/* Set by text_begin() and the others below. */
	struct sample_list samples;	/* looking: those found */
	bool begun;			/* a sample has begun */
	const char *start;		/* of the whole text */
	/* a separator was met: what comes belongs to another sample */
	bool apart;
	bool content;			/* the sample has rows or totals */
	bool no_memory;
	struct slabstat_cache stand_in;
	struct slabstat_machine machine;
	int64_t wall_ns;		/* of a time stamp not yet given to a sample */
};

struct text_format {
	const char *name;		/* "slabtop -o" */
	const char *why_absent;		/* "slabtop does not print it" */
	size_t state_size;
	enum text_line (*feed)(struct text *t, const struct line *l);
	/*
	 * finish - all lines of a sample were fed (reading only). NULL: nothing to do. 0 or
	 * -ENOMEM.
	 */
	int (*finish)(struct text *t);
	/* close - give back what the state holds; it may be zeroed afterwards. NULL: nothing. */
	void (*close)(struct text *t);
	/* Without a mark, rows must make up so many percent of all lines to be believed. */
	unsigned unmarked_percent;
};

extern const struct text_format text_slabinfo, text_slabtop, text_vmstat, text_numbers;

/*
 * text_begin - a heading that starts a sample stands in line l. While looking, the state is that of
 * a new sample from here on; when reading, a text ends where the next sample begins.
 */
void text_begin(struct text *t, const struct line *l);

/*
 * text_continue - a row or total stands in line l. It may start a sample too, behind a separator.
 */
void text_continue(struct text *t, const struct line *l);

/*
 * text_cache - a cache of this name; text_reported - the totals stated. A stand-in while looking.
 */
struct slabstat_cache *text_cache(struct text *t, const char *name, size_t len);
struct slabstat_cache *text_reported(struct text *t);
struct slabstat_machine *text_machine(struct text *t);
void text_link(struct text *t, const char *name, size_t len, const char *target, size_t target_len);

/* text_state - set a field unless it is there and at least as well known. */
void text_state(struct slabstat_cache *c, enum slabstat_field f, uint64_t value,
		enum slabstat_quality q);

#endif
