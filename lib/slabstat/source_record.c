// SPDX-License-Identifier: MIT
/*
 * source_record.c - recordings as a source: any sample of slab-recording(5), in any order.
 *
 * Opening takes the index at the end, or makes one. A sample is reached from the last full one
 * before it, or from where the reader stands if that is nearer, so reading in order applies each
 * line once. Walking for times alone (slabstat_source_instant) has a place of its own.
 */
#include "slabstat/recdecode.h"
#include "slabstat/recindex.h"
#include "slabstat/source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A place in the text: the next sample that walking from here gives. */
struct place {
	struct recwalk walk;
	size_t next;
	bool set;
};

struct record_state {
	struct arena arena;		/* what lives as long as the source */
	struct recindex index;
	struct slabstat_recording about;	/* its strings are those of first */
	struct recdecode first;		/* header of the first segment, for about */
	struct slabstat_mark *mark;
	size_t mark_count;

	struct recdecode decode;	/* the segment read from last */
	const struct recindex_pair *segment;
	struct place at;		/* decode is as of sample at.next - 1 */
	bool applied;			/* at least one sample went into decode since place_at */
	size_t wanted;			/* what the next read gives */

	struct place look;		/* for instants */
	struct slabstat_instant seen;	/* of sample look.next - 1 */
};

static struct record_state *state_of(const struct slabstat_source *src)
{
	return src->state;
}

static unsigned long line_of(const struct slabstat_source *src, size_t offset)
{
	unsigned long n = 1;

	for (const char *p = src->text, *end = p + offset; (p = memchr(p, '\n', (size_t)(end - p)));
	     p++)
		n++;
	return n;
}

static int damaged(const struct slabstat_source *src, size_t offset, int code)
{
	const char *text = code == -ENOMEM ? "out of memory"
			   : code == -EPROTO
				   ? "a recording of a later version than this program reads"
				   : "this line of the recording is damaged";

	return error_set(src->h, code, source_label(src),
			 line_of(src, offset), "%s", text);
}

/* The line at an offset, without its newline. */
static size_t line_len(const struct slabstat_source *src, size_t offset)
{
	const char *nl = memchr(src->text + offset, '\n', src->text_len - offset);

	return nl ? (size_t)(nl - (src->text + offset)) : src->text_len - offset;
}

/* ---- opening --------------------------------------------------------------------------------- */

static int record_sniff(const char *text, size_t len)
{
	size_t n = strlen(RECORD_MAGIC);

	if (len >= n)
		return memcmp(text, RECORD_MAGIC, n) == 0 ? 100 : 0;
	/* The very beginning of one: its recorder was killed in its first write. */
	return len > 0 && memcmp(text, RECORD_MAGIC, len) == 0 ? 60 : 0;
}

static int read_marks(struct slabstat_source *src)
{
	struct record_state *st = state_of(src);
	const struct recindex_list *l = &st->index.marks;

	st->mark = arena_alloc(&st->arena, (l->count + 1) * sizeof(*st->mark));
	if (!st->mark)
		return damaged(src, 0, -ENOMEM);
	for (size_t i = 0; i < l->count; i++) {
		size_t offset = l->pair[i].offset;
		cJSON *o = recline_parse(src->text + offset, line_len(src, offset));

		if (o && recline_mark_get(o, &st->arena, &st->mark[st->mark_count]))
			st->mark[st->mark_count++].sample = l->pair[i].sample;
		cJSON_Delete(o);
	}
	return 0;
}

/* Facts of the whole: those of the first header, and what the index tells. */
static int read_about(struct slabstat_source *src)
{
	struct record_state *st = state_of(src);
	int ret;

	if (st->index.segments.count > 0) {
		size_t offset = st->index.segments.pair[0].offset;

		ret = recdecode_header(&st->first, src->text + offset, line_len(src, offset));
		if (ret != 0)
			return damaged(src, offset, ret);
		st->about = st->first.about;
	}
	st->about.segments = st->index.segments.count;
	st->about.complete = st->index.complete;
	st->about.torn_bytes = st->index.torn_bytes;
	return read_marks(src);
}

static void record_close(struct slabstat_source *src)
{
	struct record_state *st = state_of(src);

	if (!st)
		return;
	recindex_free(&st->index);
	recdecode_free(&st->first);
	recdecode_free(&st->decode);
	arena_free(&st->arena);
	free(st);
	src->state = NULL;
}

static int record_open(struct slabstat_source *src)
{
	struct record_state *st = calloc(1, sizeof(*st));
	int ret;

	if (!st)
		return damaged(src, 0, -ENOMEM);
	src->state = st;
	if (record_sniff(src->text, src->text_len) == 0 && src->text_len > 0) {
		ret = error_set(src->h, -EINVAL, source_label(src), 0,
				"not a recording");
	} else {
		ret = recindex_load(&st->index, src->text, src->text_len);
		if (ret == -ENOENT)
			ret = recindex_make(&st->index, src->text, src->text_len);
		ret = ret != 0 ? damaged(src, 0, ret) : read_about(src);
	}
	if (ret != 0)
		record_close(src);
	return ret;
}

static size_t record_samples(const struct slabstat_source *src)
{
	return state_of(src)->index.samples;
}

static int record_seek(struct slabstat_source *src, size_t n)
{
	struct record_state *st = state_of(src);

	if (n >= st->index.samples)
		return -ERANGE;
	st->wanted = n;
	return 0;
}

/* ---- going to a sample ----------------------------------------------------------------------- */

/* Stand before the full sample from which n is reached, unless walking on from here is nearer. */
static bool place_before(const struct slabstat_source *src, struct place *p, size_t n)
{
	const struct recindex_pair *full = recindex_floor(&state_of(src)->index.full, n);

	if (p->set && p->next <= n && (!full || p->next >= full->sample))
		return false;
	*p = (struct place){ .walk = { .text = src->text, .len = src->text_len }, .set = true };
	if (full) {
		p->walk.offset = full->offset;
		p->next = full->sample;
	}
	return true;
}

static const struct recindex_pair *segment_of(const struct record_state *st, size_t offset)
{
	const struct recindex_list *l = &st->index.segments;
	size_t i = 0;

	while (i + 1 < l->count && l->pair[i + 1].offset <= offset)
		i++;
	return l->count > 0 ? &l->pair[i] : NULL;
}

/* Load header and caches of the segment that the offset lies in, unless they are. */
static int load_segment(struct slabstat_source *src, size_t offset)
{
	struct record_state *st = state_of(src);
	const struct recindex_pair *seg = segment_of(st, offset);
	const struct recindex_list *caches = &st->index.caches;
	size_t end = src->text_len;
	int ret;

	if (!seg || seg == st->segment)
		return seg ? 0 : damaged(src, offset, -EBADMSG);
	st->segment = NULL;
	if (seg + 1 < st->index.segments.pair + st->index.segments.count)
		end = seg[1].offset;
	ret = recdecode_header(&st->decode, src->text + seg->offset, line_len(src, seg->offset));
	if (ret != 0)
		return damaged(src, seg->offset, ret);
	for (size_t i = 0; i < caches->count; i++) {
		size_t at = caches->pair[i].offset;

		if (at < seg->offset || at >= end)
			continue;
		ret = recdecode_cache(&st->decode, src->text + at, line_len(src, at));
		if (ret != 0)
			return damaged(src, at, ret);
	}
	st->segment = seg;
	return 0;
}

static int go_to(struct slabstat_source *src, size_t n)
{
	struct record_state *st = state_of(src);
	struct recwalk_line line;
	int ret;

	if (st->applied && st->at.next == n + 1)
		return 0;
	place_before(src, &st->at, n);
	while (st->at.next <= n) {
		if (!recwalk_next(&st->at.walk, &line))
			return damaged(src, st->at.walk.offset, -EBADMSG);
		if (line.kind != RECLINE_SAMPLE)
			continue;
		ret = load_segment(src, line.offset);
		if (ret == 0) {
			ret = recdecode_sample(&st->decode, src->text + line.offset, line.len);
			if (ret != 0)
				ret = damaged(src, line.offset, ret);
		}
		if (ret != 0) {
			/* Half a sample may have been applied: start from a full one next time. */
			st->at.set = st->applied = false;
			return ret;
		}
		st->at.next++;
		st->applied = true;
	}
	return 0;
}

static int record_read(struct slabstat_source *src, const struct slabstat_fieldset *want,
		       struct slabstat_snapshot *s)
{
	struct record_state *st = state_of(src);
	int ret;

	(void)want;
	if (st->index.samples == 0)
		return error_set(src->h, -ENODATA, source_label(src), 0,
				 "the recording has no sample in it");
	ret = go_to(src, st->wanted);
	if (ret == 0 && recdecode_fill(&st->decode, s) != 0)
		ret = damaged(src, 0, -ENOMEM);
	return ret;
}

static int record_instant(struct slabstat_source *src, size_t n, struct slabstat_instant *instant)
{
	struct record_state *st = state_of(src);
	struct recwalk_line line;

	if (n >= st->index.samples)
		return -ERANGE;
	if (!st->look.set || st->look.next != n + 1)
		place_before(src, &st->look, n);
	while (st->look.next <= n) {
		if (!recwalk_next(&st->look.walk, &line))
			return damaged(src, st->look.walk.offset, -EBADMSG);
		if (line.kind == RECLINE_SAMPLE) {
			st->look.next++;
			st->seen = line.head.instant;
		}
	}
	*instant = st->seen;
	return 0;
}

const struct source_ops source_record = {
	.kind = SLABSTAT_SOURCE_RECORD,
	.sniff = record_sniff,
	.open = record_open,
	.read = record_read,
	.close = record_close,
	.samples = record_samples,
	.seek = record_seek,
	.instant = record_instant,
};

/* ---- what only recordings have --------------------------------------------------------------- */

const struct slabstat_recording *slabstat_source_recording(const struct slabstat_source *src)
{
	return src->ops == &source_record ? &state_of(src)->about : NULL;
}

const struct slabstat_mark *slabstat_source_marks(const struct slabstat_source *src, size_t *count)
{
	*count = 0;
	if (src->ops != &source_record)
		return NULL;
	*count = state_of(src)->mark_count;
	return state_of(src)->mark;
}
