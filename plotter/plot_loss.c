// SPDX-License-Identifier: MIT
/* plot_loss.c - two panels: the caches that lose most, and where the loss goes. */
#include "plot.h"
#include "stack.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	enum total total;
	const char *name;
} parts[] = {
	{ TOTAL_TAIL, "tail: ends of slabs" },
	{ TOTAL_PADDING, "padding: inside objects" },
	{ TOTAL_FREE, "free objects" },
};

static bool has_parts(const struct series *s)
{
	for (size_t p = 0; p < 3; p++) {
		if (series_has(s->total[parts[p].total], s->count))
			return true;
	}
	return false;
}

/* The parts of loss as tracks, so that they are drawn as any other stack. */
static int split(const struct request *req, struct script *script, const struct series *s)
{
	struct track track[3] = { 0 }, *shown[3];
	struct request sub = *req;
	size_t n = 0;
	int ret = 0;

	for (size_t p = 0; p < 3; p++) {
		struct track *t = &track[p];

		if (!series_has(s->total[parts[p].total], s->count))
			continue;
		t->name = (char *)parts[p].name;
		t->point = calloc(s->count, sizeof(*t->point));
		if (!t->point) {
			ret = plot_no_memory();
			break;
		}
		for (size_t i = 0; i < s->count; i++)
			t->point[i] = (struct track_point){ i, s->total[parts[p].total][i] };
		t->count = s->count;
		shown[n++] = t;
	}
	sub.by = SLABSTAT_LOSS;
	sub.title = n == 3 ? "where the loss goes" :
		"where the loss goes (padding needs object sizes, which this recording lacks)";
	if (ret == 0)
		ret = stack_draw(&sub, script, s, shown, n, NULL, "");
	for (size_t p = 0; p < 3; p++)
		free(track[p].point);
	return ret;
}

static int draw(const struct request *req, struct script *script)
{
	struct request by_loss = *req;
	struct series *s;
	size_t n;
	int ret = series_load(req->file[0], &req->range, SLABSTAT_LOSS, &s);

	if (ret)
		return ret;
	by_loss.by = SLABSTAT_LOSS;
	n = s->track_count < req->top ? s->track_count : req->top;
	if (!series_has(s->total[TOTAL_LOSS], s->count)) {
		fprintf(stderr, "slabplot: %s: no loss in it\n", req->file[0]);
		series_free(s);
		return 1;
	}
	fprintf(script->out, "set multiplot layout %d,1\n", has_parts(s) ? 2 : 1);
	ret = stack_draw(&by_loss, script, s, s->track, n, s->total[TOTAL_LOSS],
			 "loss, the caches with the highest peaks of it");
	if (ret == 0 && has_parts(s)) {
		fputs("unset label\nunset arrow\n", script->out);
		ret = split(req, script, s);
	}
	fputs("unset multiplot\n", script->out);
	series_free(s);
	return ret;
}

const struct graph graph_loss = {
	.name = "loss",
	.usage = "FILE",
	.summary = "the caches that lose most, and where the loss goes",
	.draw = draw,
};
