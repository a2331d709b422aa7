// SPDX-License-Identifier: MIT
/* grid_test.c - order, cursor and columns of a list. */
#include "cmocka_all.h"

#include <string.h>

#include "grid.h"

/* Rows whose order is that of their members: each with a track of its own. */
struct fixture {
	struct grid grid;
	struct tracks *tracks;
	struct track track[6];
};

static const char *const names[] = { "a", "b", "c", "d", "e", "f" };
static const int columns[] = { COLUMN_MEMBERS, COLUMN_NONE };

static void fill(struct fixture *f, const size_t *members, size_t n)
{
	grid_clear(&f->grid);
	for (size_t i = 0; i < n; i++) {
		struct row row = { .track = &f->track[i], .name = names[i], .members = members[i] };

		row.match = i % 2;
		assert_int_equal(grid_add(&f->grid, &row), 0);
	}
	assert_int_equal(grid_order(&f->grid, f->tracks), 0);
}

static void assert_order(const struct fixture *f, const char *wanted)
{
	char got[16] = "";

	for (size_t i = 0; i < f->grid.count; i++)
		strcat(got, f->grid.row[i].name);
	assert_string_equal(got, wanted);
}

static int start(void **state)
{
	static struct fixture f;

	memset(&f, 0, sizeof(f));
	f.tracks = tracks_new();
	f.grid.page = 3;
	*state = &f;
	return f.tracks ? grid_start(&f.grid, columns, COLUMN_MEMBERS) : -1;
}

static int stop(void **state)
{
	struct fixture *f = *state;

	grid_free(&f->grid);
	tracks_free(f->tracks);
	return 0;
}

static void test_order_is_stable(void **state)
{
	struct fixture *f = *state;

	fill(f, (const size_t[]){ 2, 1, 2, 3, 1, 2 }, 6);
	assert_order(f, "dacfbe");
	grid_act(&f->grid, ACTION_REVERSE);
	fill(f, (const size_t[]){ 2, 1, 2, 3, 1, 2 }, 6);
	assert_order(f, "ebfcad");
	grid_sort_by(&f->grid, COLUMN_NAME);
	fill(f, (const size_t[]){ 2, 1, 2, 3, 1, 2 }, 6);
	assert_order(f, "abcdef");
	/* The same column again turns it round. */
	grid_sort_by(&f->grid, COLUMN_NAME);
	fill(f, (const size_t[]){ 2, 1, 2, 3, 1, 2 }, 6);
	assert_order(f, "fedcba");
}

/* Until it is moved, the cursor rests on the first row; then it goes where its cache goes. */
static void test_cursor_follows(void **state)
{
	struct fixture *f = *state;

	fill(f, (const size_t[]){ 6, 5, 4, 3, 2, 1 }, 6);
	fill(f, (const size_t[]){ 1, 2, 3, 4, 5, 6 }, 6);
	assert_string_equal(grid_current(&f->grid)->name, "f");
	grid_act(&f->grid, ACTION_DOWN);
	assert_string_equal(grid_current(&f->grid)->name, "e");
	fill(f, (const size_t[]){ 6, 5, 4, 3, 2, 1 }, 6);
	assert_string_equal(grid_current(&f->grid)->name, "e");
	assert_int_equal(f->grid.at, 4);
	/* A cache that is gone leaves the cursor in its place. */
	fill(f, (const size_t[]){ 6, 5, 4 }, 3);
	assert_string_equal(grid_current(&f->grid)->name, "c");
	fill(f, NULL, 0);
	assert_null(grid_current(&f->grid));
	grid_act(&f->grid, ACTION_DOWN);
	grid_act(&f->grid, ACTION_PAGE_UP);
	assert_null(grid_current(&f->grid));
}

static void test_movement(void **state)
{
	struct fixture *f = *state;

	fill(f, (const size_t[]){ 6, 5, 4, 3, 2, 1 }, 6);
	grid_act(&f->grid, ACTION_UP);
	assert_int_equal(f->grid.at, 0);
	grid_act(&f->grid, ACTION_PAGE_DOWN);
	assert_int_equal(f->grid.at, 2);
	grid_act(&f->grid, ACTION_LAST);
	grid_act(&f->grid, ACTION_DOWN);
	assert_int_equal(f->grid.at, 5);
	grid_act(&f->grid, ACTION_FIRST);
	assert_int_equal(f->grid.at, 0);
	assert_true(grid_match(&f->grid, 1));
	assert_string_equal(grid_current(&f->grid)->name, "b");
	assert_true(grid_match(&f->grid, -1));
	assert_string_equal(grid_current(&f->grid)->name, "f");
}

static void test_every_size(void **state)
{
	struct fixture *f = *state;
	struct column_style style = { .tracks = f->tracks };

	fill(f, (const size_t[]){ 6, 5, 4, 3, 2, 1 }, 6);
	for (int width = 0; width < 40; width++)
		for (int height = 0; height < 9; height++) {
			struct canvas c = { 0 };

			assert_int_equal(canvas_resize(&c, width, height), 0);
			grid_draw(&f->grid, &c, 0, height, &style);
			grid_act(&f->grid, ACTION_DOWN);
			grid_draw(&f->grid, &c, 0, height, &style);
			canvas_free(&c);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_order_is_stable, start, stop),
		cmocka_unit_test_setup_teardown(test_cursor_follows, start, stop),
		cmocka_unit_test_setup_teardown(test_movement, start, stop),
		cmocka_unit_test_setup_teardown(test_every_size, start, stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
