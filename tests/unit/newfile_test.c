// SPDX-License-Identifier: MIT
/* newfile_test.c - the old file stays until the new one is whole; links and devices are spared. */
#include "cmocka_all.h"
#include "util/newfile.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int set_up(void **state)
{
	char *dir = strdup("/tmp/newfile.XXXXXX");

	*state = dir;
	return dir && mkdtemp(dir) && chdir(dir) == 0 ? 0 : -1;
}

static int tear_down(void **state)
{
	static const char *const names[] = { "file", "link", "other" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unlink(names[i]);
	if (chdir("/") || rmdir(*state))	/* fails where something is left over */
		return -1;
	free(*state);
	return 0;
}

static void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static void assert_holds(const char *path, const char *want)
{
	char text[64] = "";
	FILE *f = fopen(path, "r");

	assert_non_null(f);
	assert_true(fread(text, 1, sizeof(text) - 1, f) == strlen(want));
	fclose(f);
	assert_string_equal(text, want);
}

static int write_new(const char *path, const char *text, bool keep)
{
	struct newfile n;
	int err = newfile_open(&n, path);

	if (err)
		return err;
	fputs(text, n.f);
	return newfile_close(&n, keep);
}

static void test_new_and_again(void **state)
{
	struct stat st;

	(void)state;
	umask(022);
	assert_int_equal(write_new("file", "one", true), 0);
	assert_int_equal(stat("file", &st), 0);
	assert_int_equal(st.st_mode & 07777, 0644);
	assert_int_equal(chmod("file", 0600), 0);
	assert_int_equal(write_new("file", "two", true), 0);
	assert_holds("file", "two");
	assert_int_equal(stat("file", &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
}

static void test_not_kept(void **state)
{
	(void)state;
	put("file", "old");
	assert_int_equal(write_new("file", "new", false), 0);
	assert_holds("file", "old");
	assert_int_equal(write_new("other", "new", false), 0);
	assert_int_equal(access("other", F_OK), -1);
}

static void test_a_link_stays(void **state)
{
	struct stat st;

	(void)state;
	put("file", "old");
	assert_int_equal(symlink("file", "link"), 0);
	assert_int_equal(write_new("link", "new", true), 0);
	assert_holds("file", "new");
	assert_int_equal(lstat("link", &st), 0);
	assert_true(S_ISLNK(st.st_mode));
}

static void test_a_device_stays(void **state)
{
	struct stat st;

	(void)state;
	assert_int_equal(symlink("/dev/full", "link"), 0);
	assert_int_equal(write_new("link", "text", true), -ENOSPC);
	assert_int_equal(unlink("link"), 0);
	assert_int_equal(symlink("/dev/null", "link"), 0);
	assert_int_equal(write_new("link", "text", true), 0);
	assert_int_equal(lstat("link", &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(stat("link", &st), 0);
	assert_true(S_ISCHR(st.st_mode));
}

static void test_refused(void **state)
{
	(void)state;
	assert_int_equal(write_new("", "text", true), -ENOENT);
	assert_int_equal(write_new("none/file", "text", true), -ENOENT);
	assert_int_equal(write_new(".", "text", true), -EISDIR);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_new_and_again),
		TEST(test_not_kept),
		TEST(test_a_link_stays),
		TEST(test_a_device_stays),
		TEST(test_refused),
	};

	return cmocka_run_group_tests_name("newfile", tests, NULL, NULL);
}
