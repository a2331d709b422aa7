// SPDX-License-Identifier: MIT
/* tunedir_test.c - writes stay where they belong, whatever names and links say. */
#include "cmocka_all.h"
#include "slabstat/tunedir.h"
#include "slabtree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct fixture {
	struct slabtree tree;
	struct slabstat *h;
	struct tunedir dir;
};

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	slabtree_make(&f->tree);
	f->h = slabstat_new();
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	tunedir_close(&f->dir);
	slabstat_free(f->h);
	slabtree_remove(&f->tree);
	free(f);
	return 0;
}

static void start(struct fixture *f)
{
	assert_int_equal(tunedir_open(&f->dir, f->h, f->tree.root), 0);
	assert_false(f->dir.live);
}

static void link_in(struct fixture *f, const char *target, const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", f->tree.slab, name);
	assert_int_equal(symlink(target, path), 0);
}

static void test_names_are_literal(void **state)
{
	static const char *const bad[] = { "",
					   ".",
					   "..",
					   "/",
					   "dentry/",
					   "../slab/dentry",
					   "dentry\n",
					   "d*",
					   "DENTRY",
					   "./dentry",
					   ":0000256/cpu_partial" };
	struct fixture *f = *state;

	slabtree_cache(&f->tree, "odd *\n%x", 64);
	start(f);
	assert_string_equal(tunedir_resolve(&f->dir, "dentry"), "dentry");
	assert_string_equal(tunedir_resolve(&f->dir, "pool"), ":0000256");
	assert_string_equal(tunedir_resolve(&f->dir, "odd *\n%x"), "odd *\n%x");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_null(tunedir_resolve(&f->dir, bad[i]));
		assert_int_equal(slabstat_error(f->h)->code, -ENOENT);
	}
}

static void test_users(void **state)
{
	struct fixture *f = *state;
	size_t n;

	start(f);
	assert_string_equal(tunedir_users(&f->dir, ":0000256", &n)[0], "item");
	assert_string_equal(tunedir_users(&f->dir, ":0000256", &n)[1], "pool");
	assert_int_equal(n, 2);
	tunedir_users(&f->dir, "dentry", &n);
	assert_int_equal(n, 0);
}

static void test_links_that_leave_are_refused(void **state)
{
	static const char *const names[] = {
		"up", "absolute", "self", "chain", "dangling", "here"
	};
	struct fixture *f = *state;

	link_in(f, "../../kernel", "up");
	link_in(f, "/tmp", "absolute");
	link_in(f, "self", "self");
	link_in(f, "pool", "chain");
	link_in(f, "nothing", "dangling");
	link_in(f, ".", "here");
	start(f);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_null(tunedir_resolve(&f->dir, names[i]));
		assert_int_equal(slabstat_error(f->h)->code, -ELOOP);
		assert_true(tunedir_cache(&f->dir, names[i], NULL) < 0);
	}
	assert_int_equal(tunedir_cache(&f->dir, "..", NULL), -ENOENT);
	assert_int_equal(tunedir_cache(&f->dir, "../slab", NULL), -ENOENT);
}

static void test_values(void **state)
{
	struct fixture *f = *state;
	uint64_t value;
	int cache;

	start(f);
	cache = tunedir_cache(&f->dir, ":0000256", NULL);
	assert_true(cache >= 0);
	assert_int_equal(tunedir_read(&f->dir, cache, "cpu_partial", &value), 0);
	assert_int_equal(value, 52);
	assert_int_equal(tunedir_write(&f->dir, cache, "cpu_partial", 4294967295u), 0);
	assert_string_equal(slabtree_get(&f->tree, ":0000256", "cpu_partial"), "4294967295\n");
	assert_int_equal(tunedir_write(&f->dir, cache, "cpu_partial", 7), 0);
	assert_string_equal(slabtree_get(&f->tree, ":0000256", "cpu_partial"), "7\n");
	slabtree_set(&f->tree, ":0000256", "cpu_partial", "7 N0=7\n");
	assert_int_equal(tunedir_read(&f->dir, cache, "cpu_partial", &value), -EINVAL);
	assert_int_equal(tunedir_write(&f->dir, cache, "nothing", 1), -ENOENT);
	close(cache);
}

/*
 * An attribute that is a link, a pipe, a directory or a second name of another file stays
 * untouched.
 */
static void test_only_plain_files_are_written(void **state)
{
	struct fixture *f = *state;
	char victim[256], path[256];
	int cache;

	slabtree_set(&f->tree, "dentry", "victim", "keep\n");
	snprintf(victim, sizeof(victim), "%s/dentry/victim", f->tree.slab);
	snprintf(path, sizeof(path), "%s/dentry/link", f->tree.slab);
	assert_int_equal(symlink("victim", path), 0);
	snprintf(path, sizeof(path), "%s/dentry/hard", f->tree.slab);
	assert_int_equal(link(victim, path), 0);
	snprintf(path, sizeof(path), "%s/dentry/pipe", f->tree.slab);
	assert_int_equal(mkfifo(path, 0600), 0);
	snprintf(path, sizeof(path), "%s/dentry/dir", f->tree.slab);
	assert_int_equal(mkdir(path, 0700), 0);
	start(f);
	cache = tunedir_cache(&f->dir, "dentry", NULL);
	assert_int_equal(tunedir_write(&f->dir, cache, "link", 1), -ELOOP);
	assert_int_equal(tunedir_write(&f->dir, cache, "hard", 1), -EMLINK);
	assert_int_equal(tunedir_write(&f->dir, cache, "dir", 1), -EISDIR);
	assert_true(tunedir_write(&f->dir, cache, "pipe", 1) < 0);
	assert_int_equal(tunedir_writable(&f->dir, cache, "link"), -ELOOP);
	assert_int_equal(tunedir_writable(&f->dir, cache, "hard"), -EMLINK);
	assert_int_equal(tunedir_writable(&f->dir, cache, "pipe"), -EMLINK);
	assert_string_equal(slabtree_get(&f->tree, "dentry", "victim"), "keep\n");
	close(cache);
}

static void test_a_cache_made_anew_is_another(void **state)
{
	char first[TUNEDIR_IDENTITY_SIZE], again[TUNEDIR_IDENTITY_SIZE],
		anew[TUNEDIR_IDENTITY_SIZE];
	struct fixture *f = *state;

	start(f);
	close(tunedir_cache(&f->dir, "dentry", first));
	slabtree_set(&f->tree, "dentry", "cpu_partial", "1\n");
	close(tunedir_cache(&f->dir, "dentry", again));
	assert_string_equal(first, again);
	slabtree_drop(&f->tree, "dentry");
	assert_int_equal(tunedir_cache(&f->dir, "dentry", NULL), -ENOENT);
	slabtree_cache(&f->tree, "dentry", 192);
	close(tunedir_cache(&f->dir, "dentry", anew));
	assert_string_not_equal(first, anew);
}

static void test_a_root_may_be_the_slab_directory(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(tunedir_open(&f->dir, f->h, f->tree.slab), 0);
	assert_string_equal(f->dir.path, f->tree.slab);
	assert_string_equal(tunedir_resolve(&f->dir, "item"), ":0000256");
}

static void test_a_root_that_leads_elsewhere_is_refused(void **state)
{
	struct fixture *f = *state;
	char root[128], path[160];

	snprintf(root, sizeof(root), "%s/other", f->tree.root);
	assert_int_equal(mkdir(root, 0700), 0);
	snprintf(path, sizeof(path), "%s/sys", root);
	assert_int_equal(symlink("../sys", path), 0);
	assert_true(tunedir_open(&f->dir, f->h, root) < 0);
	snprintf(root, sizeof(root), "%s/none", f->tree.root);
	assert_int_equal(tunedir_open(&f->dir, f->h, root), -ENOENT);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_names_are_literal),
		CASE(test_users),
		CASE(test_links_that_leave_are_refused),
		CASE(test_values),
		CASE(test_only_plain_files_are_written),
		CASE(test_a_cache_made_anew_is_another),
		CASE(test_a_root_may_be_the_slab_directory),
		CASE(test_a_root_that_leads_elsewhere_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
