/* SPDX-License-Identifier: MIT */
/*
 * recline.h - one line of a recording as JSON: the parts that writer and reader share.
 *
 * Every line is one JSON object; its first key tells what it is. Texts are escaped as everywhere
 * in slabkit (safe.h), so that a name of any bytes comes back as it was. Integers are exact to
 * 2^64-1: they are written as raw numbers, and long ones are quoted before cJSON sees them, since
 * its numbers are doubles. slab-recording(5) is the contract.
 */
#ifndef SLABSTAT_RECLINE_H
#define SLABSTAT_RECLINE_H

#include <cjson/cJSON.h>

#include "slabstat/snapshot.h"

#define RECORD_VERSION	  1
#define RECORD_MAGIC	  "{\"slabkit\":\"recording\""
#define RECORD_FULL_EVERY 256	/* samples from one full one to the next */

enum recline_kind {
	RECLINE_OTHER,		/* JSON of no kind known here, or no JSON at all */
	RECLINE_HEADER,		/* {"slabkit":"recording",... */
	RECLINE_CACHE,		/* {"cache":ID,... */
	RECLINE_SAMPLE,		/* {"sample":N,... */
	RECLINE_MARK,		/* {"mark":TEXT,... */
	RECLINE_INDEX,		/* {"index":VERSION,... */
	RECLINE_END		/* {"end":OFFSET} */
};

/* What stands at the head of a sample's line. */
struct recline_sample {
	uint64_t number;		/* in its segment, from 0 */
	struct slabstat_instant instant;
	bool full;
};

/*
 * recline_kind - by the first key alone. recline_kind_any - of a line with its keys in another
 * order and blanks between them, as people and other programs write them: a cache, sample or mark.
 */
enum recline_kind recline_kind(const char *line, size_t len);
enum recline_kind recline_kind_any(const char *line, size_t len);

/* recline_whole - the line is one complete JSON object. */
bool recline_whole(const char *line, size_t len);

/*
 * recline_parse - *returns owned*; NULL where it is no JSON object (or memory is exhausted).
 * Integers of 16 digits and more come as strings: recline_u64() reads either.
 */
cJSON *recline_parse(const char *line, size_t len);

bool recline_u64(const cJSON *item, uint64_t *value);
/* recline_get_u64 - the member of that name, or other. */
uint64_t recline_get_u64(const cJSON *object, const char *key, uint64_t other);
/* recline_get_time - a time in ns; 0 where there is none. */
int64_t recline_get_time(const cJSON *object, const char *key);
/* recline_text - an escaped text undone, in the arena; NULL where item is none. */
const char *recline_text(const cJSON *item, struct arena *arena);

/* recline_head - the head of a sample's line, without parsing the rest where it can be helped. */
bool recline_head(const char *line, size_t len, struct recline_sample *head);

/*
 * A value: an integer (exact), a text ("~5" an estimate, "<5" an upper bound, ">5" a lower one),
 * null (absent), or [value,[index,share,...]].
 */
cJSON *recline_value(uint64_t value, enum slabstat_quality quality,
		     const struct share_list *shares);
/* recline_value_get - false: no value. *shares is the array of shares, or NULL. */
bool recline_value_get(const cJSON *item, uint64_t *value, enum slabstat_quality *quality,
		       const cJSON **shares);

/*
 * recline_mark - a mark's line *returned owned*, with its newline; free with cJSON_free. NULL: no
 * memory.
 */
char *recline_mark(const struct slabstat_mark *mark);
/* recline_mark_get - the other way; the text goes to the arena. */
bool recline_mark_get(const cJSON *line, struct arena *arena, struct slabstat_mark *mark);

/* recline_finish - print a line with its newline and *take* the object; free with cJSON_free. */
char *recline_finish(cJSON *line, size_t *len);

#endif
