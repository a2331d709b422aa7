// SPDX-License-Identifier: MIT
/* recline.c - one line of a recording as JSON; see recline.h. */
#include "slabstat/recline.h"

#include "util/json.h"
#include "util/num.h"
#include "util/safe.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *head;
	enum recline_kind kind;
} kinds[] = {
	{ "{\"sample\":", RECLINE_SAMPLE }, { "{\"cache\":", RECLINE_CACHE },
	{ RECORD_MAGIC, RECLINE_HEADER },   { "{\"mark\":", RECLINE_MARK },
	{ "{\"index\":", RECLINE_INDEX },   { "{\"end\":", RECLINE_END },
};

enum recline_kind recline_kind(const char *line, size_t len)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		size_t n = strlen(kinds[i].head);

		if (len >= n && memcmp(line, kinds[i].head, n) == 0)
			return kinds[i].kind;
	}
	return RECLINE_OTHER;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Digits that a double may not hold: as many and more are quoted before cJSON sees them. */
#define LONG_DIGITS 16

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* An integer of LONG_DIGITS or more at p, outside of strings: its length, else 0. */
static size_t long_integer(const char *p, const char *end)
{
	size_t n = 0;

	while (p + n < end && is_digit(p[n]))
		n++;
	if (n < LONG_DIGITS || (p + n < end && (p[n] == '.' || p[n] == 'e' || p[n] == 'E')))
		return 0;
	return n;
}

/* Copy a line with its long integers quoted; out has room for two bytes more a number. */
static size_t quote_long(const char *line, size_t len, char *out)
{
	const char *p = line, *end = line + len;
	char *o = out;
	bool in_string = false;

	while (p < end) {
		size_t n;

		if (in_string) {
			if (*p == '\\' && p + 1 < end)
				*o++ = *p++;
			else if (*p == '"')
				in_string = false;
		} else if (*p == '"') {
			in_string = true;
		} else if (is_digit(*p) && (p == line || p[-1] == ':' || p[-1] == ',' ||
					    p[-1] == '[' || p[-1] == ' ')) {
			n = long_integer(p, end);
			if (n > 0) {
				*o++ = '"';
				memcpy(o, p, n);
				o += n;
				p += n;
				*o++ = '"';
				continue;
			}
		}
		*o++ = *p++;
	}
	return (size_t)(o - out);
}

cJSON *recline_parse(const char *line, size_t len)
{
	const char *rest = NULL;
	char *copy = malloc(len + len / LONG_DIGITS * 2 + 3);
	cJSON *object;
	size_t n;

	if (!copy)
		return NULL;
	n = quote_long(line, len, copy);
	object = cJSON_ParseWithLengthOpts(copy, n, &rest, false);
	/* Nothing but blanks may follow the object: half a line may stand before the next. */
	for (; object && rest < copy + n; rest++) {
		if (*rest != ' ' && *rest != '\r' && *rest != '\t')
			goto bad;
	}
	if (object && cJSON_IsObject(object)) {
		free(copy);
		return object;
	}
bad:
	cJSON_Delete(object);
	free(copy);
	return NULL;
}

bool recline_whole(const char *line, size_t len)
{
	cJSON *object;

	if (len < 2 || line[0] != '{' || line[len - 1] != '}')
		return false;
	object = recline_parse(line, len);
	cJSON_Delete(object);
	return object != NULL;
}

bool recline_u64(const cJSON *item, uint64_t *value)
{
	if (cJSON_IsString(item))
		return num_parse_u64(item->valuestring, value) == 0;
	if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0 && item->valuedouble < 1e16))
		return false;
	*value = (uint64_t)item->valuedouble;
	return (double)*value == item->valuedouble;
}

uint64_t recline_get_u64(const cJSON *object, const char *key, uint64_t other)
{
	uint64_t value;

	return recline_u64(cJSON_GetObjectItemCaseSensitive(object, key), &value) ? value : other;
}

int64_t recline_get_time(const cJSON *object, const char *key)
{
	uint64_t value = recline_get_u64(object, key, 0);

	return value > INT64_MAX ? 0 : (int64_t)value;
}

const char *recline_text(const cJSON *item, struct arena *arena)
{
	const char *copy;
	char *text;

	if (!cJSON_IsString(item))
		return NULL;
	text = safe_undo(item->valuestring);
	copy = text ? arena_string(arena, text, strlen(text)) : NULL;
	free(text);
	return copy;
}

enum recline_kind recline_kind_any(const char *line, size_t len)
{
	cJSON *object = recline_parse(line, len);
	enum recline_kind kind = RECLINE_OTHER;

	if (cJSON_HasObjectItem(object, "sample"))
		kind = RECLINE_SAMPLE;
	else if (cJSON_HasObjectItem(object, "cache"))
		kind = RECLINE_CACHE;
	else if (cJSON_HasObjectItem(object, "mark"))
		kind = RECLINE_MARK;
	cJSON_Delete(object);
	return kind;
}

/* ---- the head of a sample -------------------------------------------------------------------- */

/* Step over a fixed text. */
static bool take(const char **p, const char *end, const char *text)
{
	size_t n = strlen(text);

	if ((size_t)(end - *p) < n || memcmp(*p, text, n) != 0)
		return false;
	*p += n;
	return true;
}

static bool take_time(const char **p, const char *end, const char *key, int64_t *ns)
{
	uint64_t v;

	*ns = 0;
	if (!take(p, end, key))
		return true;
	if (num_scan_u64(p, end, &v) != 0 || v > INT64_MAX)
		return false;
	*ns = (int64_t)v;
	return true;
}

/* The order in which our writer puts the keys; anything else is parsed. */
static bool scan_head(const char *line, size_t len, struct recline_sample *h)
{
	const char *p = line, *end = line + len;

	if (!take(&p, end, "{\"sample\":") || num_scan_u64(&p, end, &h->number) != 0)
		return false;
	h->full = take(&p, end, ",\"full\":true");
	if (!take_time(&p, end, ",\"mono_ns\":", &h->instant.mono_ns) ||
	    !take_time(&p, end, ",\"wall_ns\":", &h->instant.wall_ns))
		return false;
	h->instant.has_footprint = take(&p, end, ",\"footprint_bytes\":");
	if (h->instant.has_footprint && num_scan_u64(&p, end, &h->instant.footprint_bytes) != 0)
		return false;
	return take(&p, end, ",\"values\":");
}

bool recline_head(const char *line, size_t len, struct recline_sample *head)
{
	cJSON *object;
	bool ok;

	memset(head, 0, sizeof(*head));
	if (scan_head(line, len, head))
		return true;
	memset(head, 0, sizeof(*head));
	object = recline_parse(line, len);
	ok = object &&
	     recline_u64(cJSON_GetObjectItemCaseSensitive(object, "sample"), &head->number);
	if (ok) {
		head->full = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, "full"));
		head->instant.mono_ns = recline_get_time(object, "mono_ns");
		head->instant.wall_ns = recline_get_time(object, "wall_ns");
		head->instant.has_footprint =
			recline_u64(cJSON_GetObjectItemCaseSensitive(object, "footprint_bytes"),
				    &head->instant.footprint_bytes);
	}
	cJSON_Delete(object);
	return ok;
}

/* ---- values ---------------------------------------------------------------------------------- */

static const char quality_signs[] = { [SLABSTAT_ESTIMATE] = '~', [SLABSTAT_UPPER] = '<',
				      [SLABSTAT_LOWER] = '>' };

static cJSON *plain_value(uint64_t value, enum slabstat_quality quality)
{
	char text[24];

	if (quality == SLABSTAT_ABSENT)
		return cJSON_CreateNull();
	if (quality == SLABSTAT_EXACT)
		return json_u64(value);
	snprintf(text, sizeof(text), "%c%llu", quality_signs[quality], (unsigned long long)value);
	return cJSON_CreateString(text);
}

cJSON *recline_value(uint64_t value, enum slabstat_quality quality, const struct share_list *shares)
{
	cJSON *pair, *list;

	if (!shares || quality == SLABSTAT_ABSENT)
		return plain_value(value, quality);
	pair = cJSON_CreateArray();
	list = cJSON_CreateArray();
	cJSON_AddItemToArray(pair, plain_value(value, quality));
	for (size_t i = 0; i < shares->count; i++) {
		cJSON_AddItemToArray(list, json_u64(shares->share[i].index));
		cJSON_AddItemToArray(list, json_u64(shares->share[i].value));
	}
	if (!cJSON_AddItemToArray(pair, list))
		cJSON_Delete(list);
	return pair;
}

static bool plain_value_get(const cJSON *item, uint64_t *value, enum slabstat_quality *quality)
{
	if (cJSON_IsNull(item)) {
		*quality = SLABSTAT_ABSENT;
		*value = 0;
		return true;
	}
	if (cJSON_IsString(item)) {
		for (unsigned q = SLABSTAT_ESTIMATE; q < sizeof(quality_signs); q++) {
			if (item->valuestring[0] == quality_signs[q]) {
				*quality = (enum slabstat_quality)q;
				return num_parse_u64(item->valuestring + 1, value) == 0;
			}
		}
	}
	*quality = SLABSTAT_EXACT;
	return recline_u64(item, value);
}

bool recline_value_get(const cJSON *item, uint64_t *value, enum slabstat_quality *quality,
		       const cJSON **shares)
{
	*shares = NULL;
	if (cJSON_IsArray(item)) {
		const cJSON *first = item->child;

		if (!first || !cJSON_IsArray(first->next))
			return false;
		*shares = first->next;
		item = first;
	}
	return plain_value_get(item, value, quality);
}

/* ---- marks, and the end of any line ---------------------------------------------------------- */

static const char *const mark_kinds[] = {
	[SLABSTAT_MARK_USER] = "user",
	[SLABSTAT_MARK_START] = "start",
	[SLABSTAT_MARK_END] = "end",
	[SLABSTAT_MARK_SETTLED] = "settled",
};

char *recline_mark(const struct slabstat_mark *mark)
{
	cJSON *line = cJSON_CreateObject();

	json_add_text(line, "mark", mark->text ? mark->text : "");
	json_add_text(line, "kind", mark_kinds[mark->kind]);
	if (mark->mono_ns > 0)
		json_add_i64(line, "mono_ns", mark->mono_ns);
	if (mark->wall_ns > 0)
		json_add_i64(line, "wall_ns", mark->wall_ns);
	if (mark->kind != SLABSTAT_MARK_USER)
		json_add_u64(line, "run", mark->run);
	if (mark->kind == SLABSTAT_MARK_END)
		json_add_u64(line, "status", (uint64_t)(unsigned)mark->status);
	return recline_finish(line, NULL);
}

bool recline_mark_get(const cJSON *line, struct arena *arena, struct slabstat_mark *mark)
{
	const cJSON *kind = cJSON_GetObjectItemCaseSensitive(line, "kind");
	uint64_t run = recline_get_u64(line, "run", 0), status = recline_get_u64(line, "status", 0);

	memset(mark, 0, sizeof(*mark));
	mark->text = recline_text(cJSON_GetObjectItemCaseSensitive(line, "mark"), arena);
	if (!mark->text || run > UINT32_MAX || status > INT32_MAX)
		return false;
	for (unsigned k = 0; k < sizeof(mark_kinds) / sizeof(mark_kinds[0]); k++) {
		if (cJSON_IsString(kind) && strcmp(kind->valuestring, mark_kinds[k]) == 0)
			mark->kind = (enum slabstat_mark_kind)k;
	}
	mark->run = (unsigned)run;
	mark->status = (int)status;
	mark->mono_ns = recline_get_time(line, "mono_ns");
	mark->wall_ns = recline_get_time(line, "wall_ns");
	return true;
}

char *recline_finish(cJSON *line, size_t *len)
{
	char *text = line ? cJSON_PrintBuffered(line, 4096, false) : NULL;
	size_t n = text ? strlen(text) : 0;
	char *whole = text ? cJSON_malloc(n + 2) : NULL;

	cJSON_Delete(line);
	if (whole) {
		memcpy(whole, text, n);
		memcpy(whole + n, "\n", 2);
		if (len)
			*len = n + 1;
	}
	cJSON_free(text);
	return whole;
}
