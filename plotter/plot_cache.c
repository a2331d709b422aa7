// SPDX-License-Identifier: MIT
/* plot_cache.c - named caches as lines over time. */
#include "plot.h"
#include "stack.h"

#include <stdlib.h>
#include <string.h>

static bool shares(const struct track *t, const char *name)
{
	for (size_t i = 0; i < t->alias_count; i++) {
		if (strcmp(t->alias[i], name) == 0)
			return true;
	}
	return false;
}

/* By the name that is shown, else by that of somebody who shares the cache. */
static struct track *find(const struct series *s, const char *name)
{
	for (size_t i = 0; i < s->track_count; i++) {
		if (strcmp(s->track[i]->name, name) == 0)
			return s->track[i];
	}
	for (size_t i = 0; i < s->track_count; i++) {
		if (shares(s->track[i], name))
			return s->track[i];
	}
	return NULL;
}

/* As asked for; where that is not the name that is shown, both. *returns owned*. */
static char *legend(const struct track *t, const char *name)
{
	char *text;

	if (strcmp(t->name, name) == 0)
		return strdup(name);
	return asprintf(&text, "%s (in %s)", name, t->name) < 0 ? NULL : text;
}

/* Each cache that was asked for, under its legend: a view of the series' tracks. */
static int find_all(const struct request *req, const struct series *s, struct track *view)
{
	for (size_t i = 0; i < req->cache_count; i++) {
		const struct track *t = find(s, req->cache[i]);

		if (!t) {
			fprintf(stderr,
				"slabplot: %s: no cache '%s' with %s in it; slabinfo -F %s lists "
				"them\n",
				req->file[0], req->cache[i], slabstat_field_info(req->by)->id,
				req->file[0]);
			return 1;
		}
		view[i] = *t;
		view[i].name = legend(t, req->cache[i]);
		if (!view[i].name)
			return plot_no_memory();
	}
	return 0;
}

static int draw_series(const struct request *req, struct script *script, const struct series *s)
{
	struct track *view = calloc(req->cache_count, sizeof(*view));
	struct track **shown = calloc(req->cache_count, sizeof(*shown));
	char *what = plot_field(req->by);
	int ret = view && shown && what ? find_all(req, s, view) : plot_no_memory();

	for (size_t i = 0; i < req->cache_count && ret == 0; i++)
		shown[i] = &view[i];
	if (ret == 0)
		ret = stack_lines(req, script, s, shown, req->cache_count, what);
	for (size_t i = 0; view && i < req->cache_count; i++)
		free(view[i].name);
	free(what);
	free(shown);
	free(view);
	return ret;
}

static int draw(const struct request *req, struct script *script)
{
	struct series *s;
	int ret = series_load(req->file[0], &req->range, req->by, &s);

	if (ret)
		return ret;
	ret = draw_series(req, script, s);
	series_free(s);
	return ret;
}

const struct graph graph_cache = {
	.name = "cache",
	.usage = "NAME... FILE",
	.summary = "single caches as lines over time",
	.draw = draw,
};
