// SPDX-License-Identifier: MIT
/*
 * source_text.c - what other tools printed, saved to a file: kernel slabinfo, slabtop -o,
 * vmstat -m, a column of numbers.
 *
 * Each format (text.h) is shown every line; the one that understands most of them is taken. That
 * look also finds where samples begin, so that one of them is read without the others. A line that
 * is a time, or "Sample #12", stands between samples, whatever the format.
 */
#include "slabstat/source.h"
#include "slabstat/field.h"
#include "slabstat/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Of formats that understand as much the first wins. */
static const struct text_format *const formats[] = { &text_slabinfo, &text_slabtop, &text_vmstat,
						     &text_numbers };

#define FORMATS (sizeof(formats) / sizeof(formats[0]))

struct look {
	size_t lines, rows, marks;
	struct sample_list samples;	/* owned */
};

struct text_source {
	const struct text_format *format;
	struct sample_list samples;
	size_t at;
};

/* ---- one walk over the lines ----------------------------------------------------------------- */

static void separate(struct text *t, int64_t wall_ns)
{
	/* A stamp right behind the start of a sample is that sample's. */
	if (wall_ns && t->begun && !t->content) {
		if (!t->s)
			t->samples.at[t->samples.count - 1].wall_ns = wall_ns;
		return;
	}
	t->apart = true;
	if (wall_ns)
		t->wall_ns = wall_ns;
}

/* Show every line to a format until the text or, when reading, the sample ends. 0 or -ENOMEM. */
static int walk(struct text *t, struct lines r, struct look *look, struct slabstat_notes *notes)
{
	const char *from = r.next;
	struct line l;

	for (; lines_next(&r, &l); from = r.next) {
		enum text_line what;
		int64_t wall_ns;

		if (l.len == 0)
			continue;
		look->lines++;
		t->raw = from;
		t->ended = r.next[-1] == r.ending;
		t->raw_end = t->ended ? r.next - 1 : r.next;
		what = line_is_text(&l) ? t->format->feed(t, &l) : TEXT_BAD;
		look->rows += what == TEXT_ROW;
		look->marks += what == TEXT_MARK;
		if (what == TEXT_BAD && notes) {
			if (notes->bad_rows == 0)
				notes->first_bad_row = l.number;
			notes->bad_rows++;
		}
		if (what == TEXT_OTHER && sample_separator(&l, &wall_ns))
			separate(t, wall_ns);
		if (t->no_memory)
			return -ENOMEM;
	}
	return 0;
}

/* How much of a text a format understands, and where its samples begin. 0 or -ENOMEM. */
static int look_at(const struct text_format *format, const char *text, size_t len,
		   struct look *look)
{
	struct text *t = calloc(1, sizeof(*t));
	int ret = -ENOMEM;

	*look = (struct look){ 0 };
	if (!t)
		return -ENOMEM;
	t->format = format;
	t->start = text;
	t->state = calloc(1, format->state_size + 1);
	if (t->state)
		ret = walk(t, lines_of(text, len), look, NULL);
	if (t->state && format->close)
		format->close(t);
	/* What stands before the first sample is read with it, for rows that are bad. */
	if (t->samples.count) {
		t->samples.at[0].offset = 0;
		t->samples.at[0].line = 0;
	}
	look->samples = t->samples;
	free(t->state);
	free(t);
	return ret;
}

/* Lines understood, or 0 where that may be chance. */
static size_t believe(const struct text_format *format, const struct look *look)
{
	if (look->samples.count == 0)
		return 0;
	if (look->marks == 0 && look->rows * 100 < look->lines * format->unmarked_percent)
		return 0;
	return look->rows + look->marks;
}

/* The format that understands most; its samples stay in *best, owned. */
static const struct text_format *choose(const char *text, size_t len, struct look *best)
{
	const struct text_format *format = NULL;
	size_t most = 0;

	*best = (struct look){ 0 };
	for (size_t i = 0; i < FORMATS; i++) {
		struct look look;
		size_t understood =
			look_at(formats[i], text, len, &look) ? 0 : believe(formats[i], &look);

		if (understood <= most) {
			sample_free(&look.samples);
			continue;
		}
		sample_free(&best->samples);
		*best = look;
		format = formats[i];
		most = understood;
	}
	return format;
}

/* ---- the source ------------------------------------------------------------------------------ */

static int text_sniff(const char *text, size_t len)
{
	struct look look;
	const struct text_format *format = choose(text, len, &look);
	int sure = !format ? 0 : look.marks ? 90 : 50;

	sample_free(&look.samples);
	return sure;
}

static int text_open(struct slabstat_source *src)
{
	struct text_source *x = calloc(1, sizeof(*x));
	struct look look;

	if (!x)
		return error_memory(src->h);
	src->state = x;
	x->format = choose(src->text, src->text_len, &look);
	x->samples = look.samples;
	if (!x->format)
		return error_set(src->h, -EINVAL, source_label(src), 0,
				 "no line in it is of slabinfo, slabtop -o or vmstat -m");
	return 0;
}

static void text_close(struct slabstat_source *src)
{
	struct text_source *x = src->state;

	if (!x)
		return;
	sample_free(&x->samples);
	free(x);
	src->state = NULL;
}

static int read_sample(const struct text_source *x, const char *text, size_t len,
		       struct slabstat_snapshot *s)
{
	struct text *t = calloc(1, sizeof(*t));
	struct look ignored = { 0 };
	int ret = -ENOMEM;

	if (!t)
		return ret;
	t->format = x->format;
	t->s = s;
	t->start = text;
	t->state = calloc(1, x->format->state_size + 1);
	s->wall_ns = x->samples.at[x->at].wall_ns;
	if (t->state)
		ret = walk(t, sample_lines(&x->samples, x->at, text, len), &ignored, &s->notes);
	if (ret == 0 && x->format->finish)
		ret = x->format->finish(t);
	if (t->state && x->format->close)
		x->format->close(t);
	free(t->state);
	free(t);
	return ret;
}

static int text_read(struct slabstat_source *src, const struct slabstat_fieldset *want,
		     struct slabstat_snapshot *s)
{
	struct text_source *x = src->state;

	(void)want;
	s->machine.page_size = src->spec.page_size;
	if (read_sample(x, src->text, src->text_len, s))
		return error_memory(src->h);
	for (unsigned f = 0; f < SLABSTAT_NFIELDS; f++)
		if (slabstat_field_info(f)->kind != SLABSTAT_KIND_DERIVED)
			snapshot_why(s, f, x->format->why_absent);
	return 0;
}

static size_t text_samples(const struct slabstat_source *src)
{
	return ((const struct text_source *)src->state)->samples.count;
}

static int text_seek(struct slabstat_source *src, size_t n)
{
	((struct text_source *)src->state)->at = n;
	return 0;
}

const struct source_ops source_text = {
	.kind = SLABSTAT_SOURCE_TEXT,
	.sniff = text_sniff,
	.open = text_open,
	.read = text_read,
	.close = text_close,
	.samples = text_samples,
	.seek = text_seek,
};
