// SPDX-License-Identifier: MIT
/* recindex.c - where things stand in a recording; see recindex.h. */
#include "slabstat/recindex.h"

#include "util/json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- walking --------------------------------------------------------------------------------- */

/* A line may be torn where writing stopped: at the end of the text, and before a later header. */
static bool may_be_torn(const struct recwalk *w, const struct recwalk_line *line)
{
	const char *text = w->text + line->offset;

	if (line->len == 0 || text[line->len - 1] != '}')
		return true;
	return w->offset >= w->len ||
	       recline_kind(w->text + w->offset, w->len - w->offset) == RECLINE_HEADER;
}

/* Does this sample follow from what stands before it? */
static bool follows(struct recwalk *w, const struct recline_sample *head)
{
	bool ok = head->full || (w->chained && head->number == w->next);

	w->chained = ok;
	w->next = head->number + 1;
	return ok;
}

bool recwalk_next(struct recwalk *w, struct recwalk_line *line)
{
	while (w->offset < w->len) {
		const char *start = w->text + w->offset;
		const char *nl = memchr(start, '\n', w->len - w->offset);

		line->offset = w->offset;
		line->len = nl ? (size_t)(nl - start) : w->len - w->offset;
		w->offset += line->len + (nl ? 1 : 0);
		while (line->len > 0 &&
		       (start[line->len - 1] == '\r' || start[line->len - 1] == ' '))
			line->len--;
		line->kind = recline_kind(start, line->len);
		if (may_be_torn(w, line) && !recline_whole(start, line->len)) {
			if (!nl)
				w->torn_bytes = line->len;
			w->chained = w->chained && line->kind != RECLINE_SAMPLE;
			continue;
		}
		if (line->kind == RECLINE_OTHER)
			line->kind = recline_kind_any(start, line->len);
		if (line->kind == RECLINE_OTHER || line->kind == RECLINE_END)
			continue;
		if (line->kind == RECLINE_HEADER)
			w->chained = false;
		if (line->kind == RECLINE_SAMPLE &&
		    (!recline_head(start, line->len, &line->head) || !follows(w, &line->head)))
			continue;
		return true;
	}
	return false;
}

/* ---- making ---------------------------------------------------------------------------------- */

static int add_pair(struct recindex_list *l, size_t sample, size_t offset)
{
	if (l->count == l->room) {
		size_t room = l->room ? l->room * 2 : 64;
		struct recindex_pair *p = realloc(l->pair, room * sizeof(*p));

		if (!p)
			return -ENOMEM;
		l->pair = p;
		l->room = room;
	}
	l->pair[l->count++] = (struct recindex_pair){ sample, offset };
	return 0;
}

static int note_line(struct recindex *ix, const struct recwalk_line *line)
{
	ix->complete = line->kind == RECLINE_INDEX;
	switch (line->kind) {
	case RECLINE_HEADER:
		return add_pair(&ix->segments, ix->samples, line->offset);
	case RECLINE_CACHE:
		return add_pair(&ix->caches, ix->samples, line->offset);
	case RECLINE_MARK:
		return add_pair(&ix->marks, ix->samples, line->offset);
	case RECLINE_SAMPLE:
		if (line->head.full && add_pair(&ix->full, ix->samples, line->offset) != 0)
			return -ENOMEM;
		ix->samples++;
		return 0;
	default:
		return 0;
	}
}

int recindex_make(struct recindex *ix, const char *text, size_t len)
{
	struct recwalk w = { .text = text, .len = len };
	struct recwalk_line line;
	int ret = 0;

	memset(ix, 0, sizeof(*ix));
	while (ret == 0 && recwalk_next(&w, &line))
		ret = note_line(ix, &line);
	ix->torn_bytes = w.torn_bytes;
	if (ret != 0)
		recindex_free(ix);
	return ret;
}

void recindex_free(struct recindex *ix)
{
	free(ix->segments.pair);
	free(ix->caches.pair);
	free(ix->marks.pair);
	free(ix->full.pair);
	memset(ix, 0, sizeof(*ix));
}

const struct recindex_pair *recindex_floor(const struct recindex_list *list, size_t n)
{
	size_t lo = 0, hi = list->count;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (list->pair[mid].sample <= n)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo > 0 ? &list->pair[lo - 1] : NULL;
}

/* ---- the index as two lines ------------------------------------------------------------------ */

static void put_list(cJSON *line, const char *key, const struct recindex_list *l)
{
	cJSON *array = cJSON_CreateArray();

	for (size_t i = 0; i < l->count; i++) {
		cJSON_AddItemToArray(array, json_u64(l->pair[i].sample));
		cJSON_AddItemToArray(array, json_u64(l->pair[i].offset));
	}
	json_add(line, key, array);
}

char *recindex_line(const struct recindex *ix, size_t offset, size_t *len)
{
	cJSON *index = cJSON_CreateObject(), *end = cJSON_CreateObject();
	char *first, *second, *both = NULL;
	size_t n = 0, m = 0;

	json_add_u64(index, "index", RECORD_VERSION);
	json_add_u64(index, "samples", ix->samples);
	put_list(index, "segments", &ix->segments);
	put_list(index, "caches", &ix->caches);
	put_list(index, "marks", &ix->marks);
	put_list(index, "full", &ix->full);
	json_add_u64(end, "end", offset);
	first = recline_finish(index, &n);
	second = recline_finish(end, &m);
	if (first && second)
		both = cJSON_malloc(n + m + 1);
	if (both) {
		memcpy(both, first, n);
		memcpy(both + n, second, m + 1);
		*len = n + m;
	}
	cJSON_free(first);
	cJSON_free(second);
	return both;
}

/* A list is believed only if it rises and stays before the index. */
static int get_list(const cJSON *index, const char *key, size_t samples, size_t limit,
		    struct recindex_list *l)
{
	const cJSON *array = cJSON_GetObjectItemCaseSensitive(index, key);
	size_t last_sample = 0, last_offset = 0;

	if (!cJSON_IsArray(array))
		return -ENOENT;
	for (const cJSON *i = array->child; i; i = i->next->next) {
		uint64_t sample, offset;

		if (!recline_u64(i, &sample) || !i->next || !recline_u64(i->next, &offset))
			return -ENOENT;
		if (sample > samples || sample < last_sample || offset >= limit ||
		    (l->count > 0 && offset <= last_offset))
			return -ENOENT;
		if (add_pair(l, (size_t)sample, (size_t)offset) != 0)
			return -ENOMEM;
		last_sample = (size_t)sample;
		last_offset = (size_t)offset;
	}
	return 0;
}

/* The last line is {"end":OFFSET}; the index stands there, and nothing between. */
static const char *find_index(const char *text, size_t len, size_t *index_len)
{
	const char *nl, *start;
	cJSON *end;
	uint64_t offset;
	bool ok;

	if (len < 2 || text[len - 1] != '\n')
		return NULL;
	nl = memrchr(text, '\n', len - 1);
	start = nl ? nl + 1 : text;
	if (recline_kind(start, (size_t)(text + len - start)) != RECLINE_END)
		return NULL;
	end = recline_parse(start, (size_t)(text + len - 1 - start));
	ok = end && recline_u64(cJSON_GetObjectItemCaseSensitive(end, "end"), &offset) &&
	     offset < (size_t)(start - text);
	cJSON_Delete(end);
	if (!ok || recline_kind(text + offset, len - offset) != RECLINE_INDEX ||
	    memchr(text + offset, '\n', len - offset) != nl)
		return NULL;
	*index_len = (size_t)(nl - (text + offset));
	return text + offset;
}

int recindex_load(struct recindex *ix, const char *text, size_t len)
{
	size_t index_len = 0, limit;
	const char *at = find_index(text, len, &index_len);
	cJSON *index = at ? recline_parse(at, index_len) : NULL;
	uint64_t samples;
	int ret = -ENOENT;

	memset(ix, 0, sizeof(*ix));
	if (index && recline_get_u64(index, "index", 0) == RECORD_VERSION &&
	    recline_u64(cJSON_GetObjectItemCaseSensitive(index, "samples"), &samples)) {
		limit = (size_t)(at - text);
		ix->samples = (size_t)samples;
		ix->complete = true;
		ret = get_list(index, "segments", ix->samples, limit, &ix->segments);
		ret = ret ? ret : get_list(index, "caches", ix->samples, limit, &ix->caches);
		ret = ret ? ret : get_list(index, "marks", ix->samples, limit, &ix->marks);
		ret = ret ? ret : get_list(index, "full", ix->samples, limit, &ix->full);
		if (ret == 0 && (ix->segments.count == 0 || (samples > 0 && ix->full.count == 0)))
			ret = -ENOENT;
	}
	cJSON_Delete(index);
	if (ret != 0)
		recindex_free(ix);
	return ret;
}
