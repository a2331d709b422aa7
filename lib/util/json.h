/* SPDX-License-Identifier: MIT */
/*
 * json.h - cJSON with what it lacks here: integers exact to 2^64-1 (as raw numbers, since a double
 * is not), any bytes as text (safe.h), and documents that are longer than memory wants to hold.
 *
 * Memory: json_new_object() and json_add_*() may fail inside; the object is then incomplete and
 * json_failed() of the document that it ends up in says so. Keys must be constant strings.
 */
#ifndef SLABKIT_UTIL_JSON_H
#define SLABKIT_UTIL_JSON_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

void json_add_u64(cJSON *object, const char *key, uint64_t value);
void json_add_i64(cJSON *object, const char *key, int64_t value);
/* json_add_real - rounded to 15 digits; infinities and NaN become null. */
void json_add_real(cJSON *object, const char *key, double value);
void json_add_bool(cJSON *object, const char *key, bool value);
void json_add_null(cJSON *object, const char *key);
/* json_add_text - any bytes; NULL becomes null. */
void json_add_text(cJSON *object, const char *key, const char *text);
/* json_add - *takes* item. */
void json_add(cJSON *object, const char *key, cJSON *item);

/* The same for the elements of an array. */
cJSON *json_u64(uint64_t value);
cJSON *json_text(const char *text);

/*
 * json_get_u64 - the number at key of a parsed document. 0; -ENOENT without such a key or with
 * null; -EINVAL where it is no unsigned integer; -ERANGE above 2^53, which a parsed double cannot
 * tell apart any more.
 */
int json_get_u64(const cJSON *object, const char *key, uint64_t *value);

/* ---- documents: an object whose members are written as they come ----------------------------- */

#define JSON_DEPTH 16

struct json_doc {
	FILE *out;
	bool failed;
	int depth;
	bool some[JSON_DEPTH];		/* something stands at this depth already */
	char close[JSON_DEPTH];
};

/* json_open - "{" at the top, or inside under key (NULL: as an element of an array). */
void json_open(struct json_doc *d, FILE *out);
void json_open_object(struct json_doc *d, const char *key);
void json_open_array(struct json_doc *d, const char *key);
/* json_close - end what was opened last. The last one ends the document with a newline. */
void json_close(struct json_doc *d);
/* json_put - write item under key (NULL: as an element) and *take* it. */
void json_put(struct json_doc *d, const char *key, cJSON *item);

#endif
