// SPDX-License-Identifier: MIT
/*
 * record_fuzz.c - any bytes as a recording: an error or samples, whatever order they are read in.
 */
#include "reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct slabstat *h = slabstat_new();
	const struct slabstat_spec spec = {
		.kind = SLABSTAT_SOURCE_RECORD,
		.buffer = data,
		.buffer_size = size,
		.label = "fuzz",
	};
	struct slabstat_source *source;
	struct slabstat_snapshot *s;
	size_t n, samples;

	if (slabstat_source_open(h, &spec, &source) == 0) {
		samples = slabstat_source_samples(source);
		slabstat_source_marks(source, &n);
		slabstat_source_at(source, "peak", &n);
		slabstat_source_at(source, "2s", &n);
		for (size_t i = 0; i < samples && i < 40; i++) {
			/* Forwards and backwards in turn. */
			size_t at = i % 2 ? samples - 1 - i / 2 : i / 2;

			if (slabstat_source_seek(source, at) == 0 &&
			    slabstat_source_read(source, NULL, &s) == 0)
				slabstat_snapshot_free(s);
		}
		slabstat_source_close(source);
	}
	slabstat_free(h);
	return 0;
}
