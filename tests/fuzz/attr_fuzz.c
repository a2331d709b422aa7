// SPDX-License-Identifier: MIT
/*
 * attr_fuzz.c - any text as any sysfs attribute sets a whole value with its shares, or nothing.
 * The first byte says which field.
 */
#include "slabstat/attr.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct slabstat_snapshot *s = snapshot_new(SLABSTAT_SOURCE_SYSFS);
	struct slabstat_cache *c = s ? snapshot_add(s, "cache", 5) : NULL;
	enum slabstat_field f = (enum slabstat_field)(size ? data[0] % SLABSTAT_NFIELDS : 0);
	size_t n;

	if (c && size > 1) {
		int ret = attr_parse(s, c, f, (const char *)data + 1, size - 1);

		if (ret && (cache_has(c, f) || c->shares))
			abort();
		if (snapshot_finish(s) == 0) {
			const struct slabstat_share *share = slabstat_cache_shares(c, f, &n);

			for (size_t i = 1; i < n; i++) {
				if (share[i - 1].index > share[i].index)
					abort();
			}
		}
	}
	slabstat_snapshot_free(s);
	return 0;
}
