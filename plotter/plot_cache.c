// SPDX-License-Identifier: MIT
/* plot_cache.c - named caches as lines over time. */
#include "plot.h"
#include "stack.h"

#include <stdlib.h>
#include <string.h>

static struct track *find(const struct series *s, const char *name)
{
	for (size_t i = 0; i < s->track_count; i++) {
		if (strcmp(s->track[i]->name, name) == 0)
			return s->track[i];
	}
	return NULL;
}

static int draw(const struct request *req, struct script *script)
{
	struct track **track = calloc(req->cache_count + 1, sizeof(*track));
	struct series *s;
	int ret = track ? series_load(req->file[0], &req->range, req->by, &s) : plot_no_memory();

	if (ret) {
		free(track);
		return ret;
	}
	for (size_t i = 0; i < req->cache_count && ret == 0; i++) {
		track[i] = find(s, req->cache[i]);
		if (!track[i]) {
			fprintf(stderr, "slabplot: %s: no cache '%s' with %s in it; slabinfo -F %s lists "
				"them\n", req->file[0], req->cache[i],
				slabstat_field_info(req->by)->id, req->file[0]);
			ret = 1;
		}
	}
	if (ret == 0)
		ret = stack_lines(req, script, s, track, req->cache_count,
				  slabstat_field_info(req->by)->id);
	series_free(s);
	free(track);
	return ret;
}

const struct graph graph_cache = {
	.name = "cache",
	.usage = "NAME... FILE",
	.summary = "single caches as lines over time",
	.draw = draw,
};
