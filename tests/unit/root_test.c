// SPDX-License-Identifier: MIT
/* root_test.c - a copy of /sys and /proc is found in each form, and never left. */
#include "cmocka_all.h"
#include "rootdir.h"
#include "slabstat/root.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct fixture {
	struct rootdir dir;
	struct slabstat *h;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	rootdir_make(&f->dir);
	f->h = slabstat_new();
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	rootdir_remove(&f->dir);
	slabstat_free(f->h);
	free(f);
	return 0;
}

static void check_found(struct fixture *f, const char *dir, const char *slab, bool slabinfo)
{
	struct root r;

	assert_int_equal(root_open(&r, f->h, dir), 0);
	if (slab)
		assert_string_equal(r.slab, slab);
	else
		assert_null(r.slab);
	assert_int_equal(r.slabinfo, slabinfo);
	assert_false(r.live);
	root_close(&r);
}

static void test_both_halves(void **state)
{
	struct fixture *f = *state;

	rootdir_cache(&f->dir, "dentry", "slab_size=192");
	check_found(f, f->dir.path, "sys/kernel/slab", false);
	rootdir_file(&f->dir, "proc/slabinfo", "slabinfo - version: 2.1\n");
	check_found(f, f->dir.path, "sys/kernel/slab", true);
}

static void test_rows_only(void **state)
{
	struct fixture *f = *state;

	rootdir_file(&f->dir, "proc/slabinfo", "slabinfo - version: 2.1\n");
	check_found(f, f->dir.path, NULL, true);
}

static void test_bare_slab_directory(void **state)
{
	struct fixture *f = *state;

	rootdir_file(&f->dir, "notes.txt", "not a cache\n");
	rootdir_file(&f->dir, "logs/today", "nor this\n");
	rootdir_file(&f->dir, "dentry/object_size", "192\n");
	check_found(f, f->dir.path, ".", false);
}

static void test_ancient_place(void **state)
{
	struct fixture *f = *state;

	rootdir_file(&f->dir, "sys/slab/dentry/slab_size", "192\n");
	check_found(f, f->dir.path, "sys/slab", false);
}

static void test_errors_name_the_directory(void **state)
{
	struct fixture *f = *state;
	struct root r;

	rootdir_file(&f->dir, "etc/passwd", "x\n");
	assert_int_equal(root_open(&r, f->h, f->dir.path), -ENOENT);
	root_close(&r);
	assert_string_equal(slabstat_error(f->h)->path, f->dir.path);
	assert_non_null(strstr(slabstat_error(f->h)->text, "no slab statistics here"));

	assert_int_equal(root_open(&r, f->h, "/nonexistent/copy"), -ENOENT);
	root_close(&r);
	assert_string_equal(slabstat_error(f->h)->path, "/nonexistent/copy");
}

static void test_links_are_not_followed(void **state)
{
	struct fixture *f = *state;
	struct root r;
	char buf[64];

	rootdir_file(&f->dir, "proc/slabinfo", "slabinfo - version: 2.1\n");
	rootdir_link(&f->dir, "proc/version", "/proc/version");
	rootdir_link(&f->dir, "proc/sys", "/proc/sys");
	rootdir_file(&f->dir, "proc/real", "text\n");
	assert_int_equal(root_open(&r, f->h, f->dir.path), 0);
	assert_true(root_read(&r, r.fd, "proc/version", buf, sizeof(buf)) < 0);
	assert_true(root_read(&r, r.fd, "proc/sys/kernel/osrelease", buf, sizeof(buf)) < 0);
	assert_int_equal(root_read_line(&r, "proc/real", buf, sizeof(buf)), 4);
	assert_string_equal(buf, "text");
	root_close(&r);
}

/* sys is a link to the running kernel's: a reader that followed it would show another machine. */
static void test_linked_sys_is_not_this_machine(void **state)
{
	struct fixture *f = *state;

	rootdir_link(&f->dir, "sys", "/sys");
	rootdir_file(&f->dir, "proc/slabinfo", "slabinfo - version: 2.1\n");
	check_found(f, f->dir.path, NULL, true);
}

static void test_pipe_does_not_stop_the_reader(void **state)
{
	struct fixture *f = *state;
	struct root r;
	char buf[64], path[128];

	rootdir_file(&f->dir, "proc/slabinfo", "slabinfo - version: 2.1\n");
	snprintf(path, sizeof(path), "%s/proc/version", f->dir.path);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(root_open(&r, f->h, f->dir.path), 0);
	assert_int_equal(root_read(&r, r.fd, "proc/version", buf, sizeof(buf)), 0);
	root_close(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_both_halves, setup, teardown),
		cmocka_unit_test_setup_teardown(test_rows_only, setup, teardown),
		cmocka_unit_test_setup_teardown(test_bare_slab_directory, setup, teardown),
		cmocka_unit_test_setup_teardown(test_ancient_place, setup, teardown),
		cmocka_unit_test_setup_teardown(test_errors_name_the_directory, setup, teardown),
		cmocka_unit_test_setup_teardown(test_links_are_not_followed, setup, teardown),
		cmocka_unit_test_setup_teardown(test_linked_sys_is_not_this_machine, setup,
						teardown),
		cmocka_unit_test_setup_teardown(test_pipe_does_not_stop_the_reader, setup,
						teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
