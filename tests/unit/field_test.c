// SPDX-License-Identifier: MIT
/* field_test.c - the table of fields is sound, and fields are found in it. */
#include "cmocka_all.h"
#include "slabstat/attr.h"
#include "slabstat/field.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <strings.h>

static void test_every_field_is_whole(void **state)
{
	(void)state;
	for (int f = 0; f < SLABSTAT_NFIELDS; f++) {
		const struct slabstat_field_info *i = slabstat_field_info((enum slabstat_field)f);

		assert_true(i->id && *i->id && i->title && *i->title && i->help && *i->help);
		assert_null(strpbrk(i->title, " \t,"));
		for (const char *p = i->id; *p; p++)
			assert_true(islower((unsigned char)*p) || isdigit((unsigned char)*p) ||
				    *p == '_');
		assert_true((i->sysfs != NULL) ==
			    (field_form((enum slabstat_field)f) != FORM_NONE));
		assert_true(i->until == 0 || i->until >= i->since);
		for (int g = 0; g < f; g++) {
			const struct slabstat_field_info *j =
				slabstat_field_info((enum slabstat_field)g);

			assert_int_not_equal(strcasecmp(i->id, j->id), 0);
			assert_int_not_equal(strcasecmp(i->title, j->title), 0);
		}
	}
	assert_null(slabstat_field_info(SLABSTAT_NFIELDS));
}

static void test_fields_are_found_by_id_or_title(void **state)
{
	(void)state;
	assert_int_equal(slabstat_field_find("footprint_bytes"), SLABSTAT_FOOTPRINT);
	assert_int_equal(slabstat_field_find("FootPrint"), SLABSTAT_FOOTPRINT);
	assert_int_equal(slabstat_field_find("objs/slab"), SLABSTAT_OBJS_PER_SLAB);
	assert_int_equal(slabstat_field_find("%loss"), SLABSTAT_LOSS_PERCENT);
	assert_int_equal(slabstat_field_find("footprint_byte"), -ENOENT);
	assert_int_equal(slabstat_field_find(""), -ENOENT);
}

static void test_attributes_lead_to_fields(void **state)
{
	(void)state;
	assert_int_equal(attr_find("slabs_cpu_partial", 17), SLABSTAT_CPU_PARTIAL_OBJS);
	assert_int_equal(attr_find("slabs_cpu_partial:5", 17), SLABSTAT_CPU_PARTIAL_OBJS);
	assert_int_equal(attr_find("slabs", 5), SLABSTAT_SLABS);
	assert_int_equal(attr_find("slab", 4), -ENOENT);
	assert_int_equal(attr_find("ctor", 4), -ENOENT);
}

static void test_inputs_are_added_all_the_way_down(void **state)
{
	struct slabstat_fieldset set = { { 0 } };

	(void)state;
	slabstat_fieldset_add(&set, SLABSTAT_LOSS_PERCENT);
	field_add_inputs(&set);
	assert_true(slabstat_fieldset_has(&set, SLABSTAT_OBJECT_SIZE));
	assert_true(slabstat_fieldset_has(&set, SLABSTAT_ORDER));
	assert_true(slabstat_fieldset_has(&set, SLABSTAT_SLABS));
	assert_false(slabstat_fieldset_has(&set, SLABSTAT_PARTIAL));
	slabstat_fieldset_remove(&set, SLABSTAT_ORDER);
	assert_false(slabstat_fieldset_has(&set, SLABSTAT_ORDER));
}

/* Every computed field says what it is computed from, or nobody would read that. */
static void test_computed_fields_have_inputs(void **state)
{
	(void)state;
	for (int f = 0; f < SLABSTAT_NFIELDS; f++) {
		if (slabstat_field_info((enum slabstat_field)f)->kind == SLABSTAT_KIND_DERIVED)
			assert_true(field_input((enum slabstat_field)f, 0) >= 0);
	}
}

static void test_set_of_all(void **state)
{
	struct slabstat_fieldset all = slabstat_fieldset_all();

	(void)state;
	for (int f = 0; f < SLABSTAT_NFIELDS; f++)
		assert_true(slabstat_fieldset_has(&all, (enum slabstat_field)f));
}

static void test_reasons(void **state)
{
	(void)state;
	assert_string_equal(field_why(SLABSTAT_CPU_SLABS, SLABSTAT_KERNEL(7, 1)), "gone since 7.0");
	assert_string_equal(field_why(SLABSTAT_BARN_GET, SLABSTAT_KERNEL(6, 12)),
			    "this kernel is older than the attribute");
	assert_string_equal(field_why(SLABSTAT_BARN_GET, SLABSTAT_KERNEL(6, 18)),
			    "this kernel is built without CONFIG_SLUB_STATS");
	assert_null(field_why(SLABSTAT_MIN_PARTIAL, 0));
	assert_true(field_only_slab(SLABSTAT_LIMIT) && field_only_slab(SLABSTAT_FREEMISS));
	assert_false(field_only_slab(SLABSTAT_ACTIVE_SLABS) ||
		     field_only_slab(SLABSTAT_ALLOC_FASTPATH));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_field_is_whole),
		cmocka_unit_test(test_fields_are_found_by_id_or_title),
		cmocka_unit_test(test_attributes_lead_to_fields),
		cmocka_unit_test(test_inputs_are_added_all_the_way_down),
		cmocka_unit_test(test_computed_fields_have_inputs),
		cmocka_unit_test(test_set_of_all),
		cmocka_unit_test(test_reasons),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
