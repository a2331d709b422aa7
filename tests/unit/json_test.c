// SPDX-License-Identifier: MIT
/* json_test.c - integers stay exact, bytes stay whole, documents are well formed. */
#include "cmocka_all.h"
#include "util/json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void assert_json(cJSON *item, const char *want)
{
	char *text = cJSON_PrintUnformatted(item);

	assert_string_equal(text, want);
	cJSON_free(text);
	cJSON_Delete(item);
}

static void test_integers_are_exact(void **state)
{
	cJSON *o = cJSON_CreateObject();

	(void)state;
	json_add_u64(o, "max", UINT64_MAX);
	json_add_u64(o, "odd", ((uint64_t)1 << 53) + 1);
	json_add_i64(o, "min", INT64_MIN);
	assert_json(o, "{\"max\":18446744073709551615,\"odd\":9007199254740993,"
		       "\"min\":-9223372036854775808}");
}

static void test_other_values(void **state)
{
	cJSON *o = cJSON_CreateObject();

	(void)state;
	json_add_real(o, "half", 0.5);
	json_add_real(o, "nan", 0.0 / 0.0);
	json_add_bool(o, "yes", true);
	json_add_null(o, "absent");
	json_add_text(o, "none", NULL);
	json_add_text(o, "name", "a\"b\xff\n\\");
	assert_json(o, "{\"half\":0.5,\"nan\":null,\"yes\":true,\"absent\":null,\"none\":null,"
		       "\"name\":\"a\\\"b\\\\xff\\n\\\\x5c\"}");
}

static void test_get_is_strict(void **state)
{
	cJSON *o = cJSON_Parse("{\"a\":7,\"b\":-1,\"c\":1.5,\"d\":1e300,\"e\":null,\"f\":\"7\"}");
	uint64_t v = 1;

	(void)state;
	assert_int_equal(json_get_u64(o, "a", &v), 0);
	assert_int_equal(v, 7);
	assert_int_equal(json_get_u64(o, "b", &v), -EINVAL);
	assert_int_equal(json_get_u64(o, "c", &v), -EINVAL);
	assert_int_equal(json_get_u64(o, "d", &v), -ERANGE);
	assert_int_equal(json_get_u64(o, "e", &v), -ENOENT);
	assert_int_equal(json_get_u64(o, "f", &v), -EINVAL);
	assert_int_equal(json_get_u64(o, "g", &v), -ENOENT);
	assert_int_equal(v, 7);
	cJSON_Delete(o);
}

static void test_document(void **state)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);
	struct json_doc d;
	cJSON *parsed, *list;

	(void)state;
	json_open(&d, f);
	json_put(&d, "format", json_u64(1));
	json_open_array(&d, "list");
	json_put(&d, NULL, json_u64(2));
	json_open_object(&d, NULL);
	json_close(&d);
	json_close(&d);
	json_open_array(&d, "empty");
	json_close(&d);
	json_close(&d);
	fclose(f);
	assert_false(d.failed);
	assert_int_equal(text[size - 1], '\n');
	parsed = cJSON_Parse(text);
	assert_non_null(parsed);
	list = cJSON_GetObjectItem(parsed, "list");
	assert_int_equal(cJSON_GetArraySize(list), 2);
	assert_int_equal(cJSON_GetArrayItem(list, 0)->valueint, 2);
	assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(parsed, "empty")), 0);
	cJSON_Delete(parsed);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_integers_are_exact),
		cmocka_unit_test(test_other_values),
		cmocka_unit_test(test_get_is_strict),
		cmocka_unit_test(test_document),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
