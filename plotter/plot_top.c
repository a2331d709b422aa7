// SPDX-License-Identifier: MIT
/* plot_top.c - the N largest caches as a stacked area, the rest as "other". */
#include "plot.h"
#include "stack.h"

#include <stdlib.h>

/* The total that "other" is the rest of: only for the fields whose total the series has. */
static const double *total_of(const struct series *s, enum slabstat_field by)
{
	int t = by == SLABSTAT_FOOTPRINT ? TOTAL_FOOTPRINT :
		by == SLABSTAT_USED ? TOTAL_USED :
		by == SLABSTAT_LOSS ? TOTAL_LOSS : -1;

	return t >= 0 && series_has(s->total[t], s->count) ? s->total[t] : NULL;
}

static int draw(const struct request *req, struct script *script)
{
	const struct slabstat_field_info *f = slabstat_field_info(req->by);
	struct series *s;
	char *what = NULL, *field = NULL;
	size_t n;
	int ret = series_load(req->file[0], &req->range, req->by, &s);

	if (ret)
		return ret;
	n = s->track_count < req->top ? s->track_count : req->top;
	if (n == 0) {
		fprintf(stderr,
			"slabplot: %s: no cache has %s; it holds totals only, or was recorded "
			"without that field\n",
			req->file[0], f->id);
		ret = 1;
	} else {
		field = plot_field(req->by);
		if (asprintf(&what, "top %zu by peak %s", n, field ? field : f->id) < 0)
			what = NULL;
		ret = stack_draw(req, script, s, s->track, n, total_of(s, req->by),
				 what ? what : "");
		free(what);
		free(field);
	}
	series_free(s);
	return ret;
}

const struct graph graph_top = {
	.name = "top",
	.usage = "FILE",
	.summary = "the N largest caches as a stacked area, the rest as \"other\"",
	.draw = draw,
};
