/* SPDX-License-Identifier: MIT */
/*
 * reader.h - what every fuzz target of a text source does with its input: open it as one kind, read
 * each sample (up to a few), and check what must hold of any snapshot. Derived values are touched
 * through the public functions, so that a sanitizer sees them.
 */
#ifndef SLABKIT_TESTS_FUZZ_READER_H
#define SLABKIT_TESTS_FUZZ_READER_H

#include <slab/slabstat.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MOST_SAMPLES 8

static inline void check(bool holds)
{
	if (!holds)
		abort();
}

static inline void check_cache(const struct slabstat_cache *c)
{
	uint64_t footprint, used, loss, free_bytes, tail, padding = 0;

	check(slabstat_cache_name(c) && slabstat_cache_label(c));
	for (size_t i = 0; i < slabstat_cache_alias_count(c); i++)
		check(strlen(slabstat_cache_alias(c, i)) > 0);
	slabstat_cache_value(c, SLABSTAT_PADDING, &padding);
	if (slabstat_cache_value(c, SLABSTAT_LOSS, &loss) &&
	    slabstat_cache_value(c, SLABSTAT_FREE, &free_bytes) &&
	    slabstat_cache_value(c, SLABSTAT_TAIL, &tail))
		check(free_bytes + padding + tail == loss);
	if (slabstat_cache_value(c, SLABSTAT_FOOTPRINT, &footprint) == SLABSTAT_EXACT &&
	    slabstat_cache_value(c, SLABSTAT_USED, &used))
		check(used <= footprint);
}

static inline void check_snapshot(const struct slabstat_snapshot *s)
{
	const struct slabstat_cache *last = NULL;

	for (size_t i = 0; i < slabstat_snapshot_count(s); i++) {
		const struct slabstat_cache *c = slabstat_snapshot_cache(s, i);

		check_cache(c);
		check(!last || strcasecmp(slabstat_cache_name(last), slabstat_cache_name(c)) <= 0);
		check(slabstat_snapshot_find(s, slabstat_cache_name(c)) != NULL);
		last = c;
	}
	if (slabstat_snapshot_reported(s))
		check_cache(slabstat_snapshot_reported(s));
}

static inline void read_as(enum slabstat_source_kind kind, const uint8_t *data, size_t size)
{
	struct slabstat_spec spec = {
		.kind = kind, .buffer = data, .buffer_size = size, .label = "fuzz"
	};
	struct slabstat *h = slabstat_new();
	struct slabstat_source *source = NULL;
	size_t samples;

	check(h != NULL);
	if (slabstat_source_open(h, &spec, &source)) {
		check(slabstat_error(h)->code < 0 && slabstat_error(h)->text);
		slabstat_free(h);
		return;
	}
	samples = slabstat_source_samples(source);
	check(samples > 0);
	for (size_t n = 0; n < samples && n < MOST_SAMPLES; n++) {
		struct slabstat_snapshot *s = NULL;

		check(slabstat_source_seek(source, n) == 0);
		if (slabstat_source_read(source, NULL, &s) == 0)
			check_snapshot(s);
		slabstat_snapshot_free(s);
	}
	slabstat_source_close(source);
	slabstat_free(h);
}

#endif
