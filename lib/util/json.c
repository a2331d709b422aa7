// SPDX-License-Identifier: MIT
/* json.c - cJSON with exact integers, any bytes and long documents; see json.h. */
#include "util/json.h"

#include "util/num.h"
#include "util/safe.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

cJSON *json_u64(uint64_t value)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%" PRIu64, value);
	return cJSON_CreateRaw(digits);
}

static cJSON *json_i64(int64_t value)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%" PRId64, value);
	return cJSON_CreateRaw(digits);
}

cJSON *json_text(const char *text)
{
	char *safe;
	cJSON *item;

	if (!text)
		return cJSON_CreateNull();
	if (safe_is_plain(text, SAFE_KEEP_CONTROLS))
		return cJSON_CreateString(text);
	safe = safe_text(text, SAFE_KEEP_CONTROLS);
	item = safe ? cJSON_CreateString(safe) : NULL;
	free(safe);
	return item;
}

void json_add(cJSON *object, const char *key, cJSON *item)
{
	if (!item || !cJSON_AddItemToObjectCS(object, key, item))
		cJSON_Delete(item);
}

void json_add_u64(cJSON *object, const char *key, uint64_t value)
{
	json_add(object, key, json_u64(value));
}

void json_add_i64(cJSON *object, const char *key, int64_t value)
{
	json_add(object, key, json_i64(value));
}

void json_add_real(cJSON *object, const char *key, double value)
{
	char digits[40];
	char *point;

	if (!isfinite(value)) {
		json_add_null(object, key);
		return;
	}
	snprintf(digits, sizeof(digits), "%.15g", value);
	point = strchr(digits, ','); /* the locale's, should the program have set one */
	if (point)
		*point = '.';
	json_add(object, key, cJSON_CreateRaw(digits));
}

void json_add_bool(cJSON *object, const char *key, bool value)
{
	json_add(object, key, cJSON_CreateBool(value));
}

void json_add_null(cJSON *object, const char *key)
{
	json_add(object, key, cJSON_CreateNull());
}

void json_add_text(cJSON *object, const char *key, const char *text)
{
	json_add(object, key, json_text(text));
}

int json_get_u64(const cJSON *object, const char *key, uint64_t *value)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

	if (!item || cJSON_IsNull(item))
		return -ENOENT;
	if (cJSON_IsRaw(item))
		return num_parse_u64(item->valuestring, value);
	if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0))
		return -EINVAL;
	if (item->valuedouble > 9007199254740992.0)
		return -ERANGE;
	if (item->valuedouble != (double)(uint64_t)item->valuedouble)
		return -EINVAL;
	*value = (uint64_t)item->valuedouble;
	return 0;
}

/* ---- documents ------------------------------------------------------------------------------- */

/* Members of the two outer levels start on a line of their own, what is deeper stays on one. */
static void separate(struct json_doc *d, const char *key)
{
	if (d->some[d->depth])
		fputc(',', d->out);
	d->some[d->depth] = true;
	if (d->depth <= 4)
		fprintf(d->out, "\n%*s", d->depth, "");
	if (key)
		fprintf(d->out, "\"%s\":", key);
}

static void open_level(struct json_doc *d, char open, char close)
{
	fputc(open, d->out);
	if (d->depth + 1 >= JSON_DEPTH) {
		d->failed = true;
		return;
	}
	d->depth++;
	d->some[d->depth] = false;
	d->close[d->depth] = close;
}

void json_open(struct json_doc *d, FILE *out)
{
	*d = (struct json_doc){ .out = out };
	open_level(d, '{', '}');
}

void json_open_object(struct json_doc *d, const char *key)
{
	separate(d, key);
	open_level(d, '{', '}');
}

void json_open_array(struct json_doc *d, const char *key)
{
	separate(d, key);
	open_level(d, '[', ']');
}

void json_close(struct json_doc *d)
{
	fputc(d->close[d->depth], d->out);
	if (--d->depth == 0)
		fputc('\n', d->out);
}

void json_put(struct json_doc *d, const char *key, cJSON *item)
{
	char *text = item ? cJSON_PrintUnformatted(item) : NULL;

	separate(d, key);
	if (text)
		fputs(text, d->out);
	else
		d->failed = true;
	cJSON_free(text);
	cJSON_Delete(item);
}
