/* SPDX-License-Identifier: MIT */
/*
 * texts.h - text in memory, opened and read as a source; for tests of everything that reads text.
 */
#ifndef SLABKIT_TESTS_TEXTS_H
#define SLABKIT_TESTS_TEXTS_H

#include "cmocka_all.h"

#include <slab/slabstat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct opened {
	struct slabstat *h;
	struct slabstat_source *source;
};

/* open_text - of any kind; fails the test where that is not possible. The text must stay. */
static inline struct opened open_text(const char *text, size_t len)
{
	struct slabstat_spec spec = { .buffer = text, .buffer_size = len, .label = "test" };
	struct opened o = { slabstat_new(), NULL };

	assert_non_null(o.h);
	if (slabstat_source_open(o.h, &spec, &o.source))
		fail_msg("%s", slabstat_error(o.h)->text);
	return o;
}

static inline void close_text(struct opened *o)
{
	slabstat_source_close(o->source);
	slabstat_free(o->h);
}

static inline struct slabstat_snapshot *read_sample(struct opened *o, size_t n)
{
	struct slabstat_snapshot *s = NULL;

	assert_int_equal(slabstat_source_seek(o->source, n), 0);
	if (slabstat_source_read(o->source, NULL, &s))
		fail_msg("%s", slabstat_error(o->h)->text);
	return s;
}

/* read_text - the only sample of a text. */
static inline struct slabstat_snapshot *read_text(const char *text)
{
	struct opened o = open_text(text, strlen(text));
	struct slabstat_snapshot *s;

	assert_int_equal(slabstat_source_samples(o.source), 1);
	s = read_sample(&o, 0);
	close_text(&o);
	return s;
}

/* refuse_text - no source takes this; what the error says, *returned owned*. */
static inline char *refuse_text(const char *text)
{
	struct slabstat_spec spec = { .buffer = text,
				      .buffer_size = strlen(text),
				      .label = "test" };
	struct slabstat *h = slabstat_new();
	struct slabstat_source *source = NULL;
	char *why;

	assert_true(slabstat_source_open(h, &spec, &source) < 0);
	assert_null(source);
	why = strdup(slabstat_error(h)->text);
	slabstat_free(h);
	return why;
}

static inline uint64_t field_of(const struct slabstat_snapshot *s, const char *name,
				enum slabstat_field f)
{
	const struct slabstat_cache *c = name ? slabstat_snapshot_find(s, name) :
						slabstat_snapshot_reported(s);
	uint64_t value = 0;

	if (!c)
		fail_msg("no cache %s", name ? name : "with totals");
	if (!slabstat_cache_value(c, f, &value))
		fail_msg("%s has no %s", name ? name : "the total", slabstat_field_info(f)->id);
	return value;
}

static inline enum slabstat_quality quality_of(const struct slabstat_snapshot *s, const char *name,
					       enum slabstat_field f)
{
	const struct slabstat_cache *c = name ? slabstat_snapshot_find(s, name) :
						slabstat_snapshot_reported(s);

	assert_non_null(c);
	return slabstat_cache_value(c, f, NULL);
}

/* A text that grows line by line. */
struct buffer {
	char *text;
	size_t len;
	FILE *out;
};

static inline void buffer_open(struct buffer *b)
{
	b->out = open_memstream(&b->text, &b->len);
	assert_non_null(b->out);
}

static inline void buffer_done(struct buffer *b)
{
	assert_int_equal(fclose(b->out), 0);
}

/*
 * check_rows - the finished buffer is one sample of so many caches, whose field adds up to sum:
 * none is lost, none invented, none read wrong. Frees it.
 */
static inline void check_rows(struct buffer *b, size_t count, enum slabstat_field f, uint64_t sum)
{
	struct slabstat_snapshot *s;
	struct opened o;
	uint64_t found = 0;

	buffer_done(b);
	o = open_text(b->text, b->len);
	assert_int_equal(slabstat_source_samples(o.source), 1);
	s = read_sample(&o, 0);
	assert_int_equal(slabstat_snapshot_count(s), count);
	for (size_t i = 0; i < count; i++)
		found += slabstat_cache_or(slabstat_snapshot_cache(s, i), f, 0);
	assert_true(found == sum);
	assert_int_equal(slabstat_snapshot_notes(s)->bad_rows, 0);
	slabstat_snapshot_free(s);
	close_text(&o);
	free(b->text);
}

#endif
