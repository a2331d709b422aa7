// SPDX-License-Identifier: MIT
/*
 * trees_test.c - a slab directory and the listing of it say the same of every cache, on kernels
 * from 5.10 to 7.3.
 *
 * The project's own trees always; those of real machines where they are ($SLABKIT_SHARED, else
 * ../shared), and otherwise the test says that it skipped them.
 */
#include "cmocka_all.h"
#include "rootdir.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One line of a listing: "cache/attribute:value", '|' between lines, or "alias -> target". */
static void unpack_line(const struct rootdir *r, char *line)
{
	char *arrow = strstr(line, " -> "), *slash, *colon, path[1024], *text;

	if (arrow && !memchr(line, '/', (size_t)(arrow - line))) {
		*arrow = '\0';
		rootdir_alias(r, line, arrow + 4);
		return;
	}
	slash = strchr(line, '/');
	colon = slash ? strchr(slash, ':') : NULL;
	if (!colon || colon[1] == '<')
		return;
	*colon = '\0';
	snprintf(path, sizeof(path), "sys/kernel/slab/%s", line);
	assert_true(asprintf(&text, "%s%s", colon + 1, colon[1] ? "\n" : "") >= 0);
	for (char *p = text; *p; p++) {
		if (*p == '|')
			*p = '\n';
	}
	rootdir_file(r, path, text);
	free(text);
}

static void unpack(const struct rootdir *r, const char *listing)
{
	FILE *f = fopen(listing, "r");
	char *line = NULL;
	size_t room = 0;
	ssize_t n;

	assert_non_null(f);
	while ((n = getline(&line, &room, f)) > 0) {
		line[strcspn(line, "\n")] = '\0';
		unpack_line(r, line);
	}
	free(line);
	fclose(f);
}

static void compare_caches(const struct slabstat_cache *a, const struct slabstat_cache *b)
{
	assert_string_equal(slabstat_cache_name(a), slabstat_cache_name(b));
	assert_string_equal(slabstat_cache_label(a), slabstat_cache_label(b));
	assert_int_equal(slabstat_cache_alias_count(a), slabstat_cache_alias_count(b));
	for (size_t i = 0; i < slabstat_cache_alias_count(a); i++)
		assert_string_equal(slabstat_cache_alias(a, i), slabstat_cache_alias(b, i));
	for (int n = 0; n < SLABSTAT_NFIELDS; n++) {
		enum slabstat_field f = (enum slabstat_field)n;
		size_t shares_a, shares_b;

		if (slabstat_cache_value(a, f, NULL) != slabstat_cache_value(b, f, NULL) ||
		    slabstat_cache_or(a, f, 0) != slabstat_cache_or(b, f, 0))
			fail_msg("%s: %s differs", slabstat_cache_name(a),
				 slabstat_field_info(f)->id);
		slabstat_cache_shares(a, f, &shares_a);
		slabstat_cache_shares(b, f, &shares_b);
		assert_int_equal(shares_a, shares_b);
	}
}

static struct slabstat_snapshot *read_listing(const char *path)
{
	struct slabstat_spec spec = { .file = path };
	struct slabstat *h = slabstat_new();
	struct slabstat_source *src = NULL;
	struct slabstat_snapshot *s = NULL;

	if (slabstat_source_open(h, &spec, &src) || slabstat_source_read(src, NULL, &s))
		fail_msg("%s: %s", path, slabstat_error(h)->text);
	assert_int_equal(slabstat_source_kind(src), SLABSTAT_SOURCE_TREE);
	slabstat_source_close(src);
	slabstat_free(h);
	return s;
}

/* Both ways of reading one listing; the snapshot of the directory. */
static struct slabstat_snapshot *compare(const char *listing)
{
	struct slabstat_snapshot *a, *b = read_listing(listing);
	struct rootdir r;

	rootdir_make(&r);
	unpack(&r, listing);
	a = rootdir_read(&r, SLABSTAT_SOURCE_AUTO, 0, NULL);
	rootdir_remove(&r);
	assert_int_equal(slabstat_snapshot_source(a), SLABSTAT_SOURCE_SYSFS);
	assert_int_equal(slabstat_snapshot_count(a), slabstat_snapshot_count(b));
	for (size_t i = 0; i < slabstat_snapshot_count(a); i++)
		compare_caches(slabstat_snapshot_cache(a, i), slabstat_snapshot_cache(b, i));
	assert_int_equal(slabstat_snapshot_machine(a)->cpu_slabs_retired,
			 slabstat_snapshot_machine(b)->cpu_slabs_retired);
	assert_int_equal(slabstat_snapshot_machine(a)->page_size,
			 slabstat_snapshot_machine(b)->page_size);
	slabstat_snapshot_free(b);
	return a;
}

static void test_own_trees(void **state)
{
	glob_t g;

	(void)state;
	assert_int_equal(glob("tests/data/trees/*.txt", 0, NULL, &g), 0);
	for (size_t i = 0; i < g.gl_pathc; i++)
		slabstat_snapshot_free(compare(g.gl_pathv[i]));
	globfree(&g);
}

/* Counted and summed with other tools: find, and awk over the listing. */
static const struct {
	const char *tree;
	size_t caches, links;
	bool retired;
	uint64_t objects, slabs;
	bool unpacked;	/* as a directory too: thousands of files, so one tree is enough */
} trees[] = {
	{ "5.10.262-default", 127, 115, false, 50084, 2077, false },
	{ "6.12.117-default", 187, 124, false, 44064, 1264, false },
	{ "6.12.117-slab_nomerge", 248, 0, false, 50439, 1385, false },
	{ "7.3.4-default", 203, 130, true, 47363, 1615, true },
};

static const char *shared(void)
{
	const char *dir = getenv("SLABKIT_SHARED");

	return dir ? dir : "../shared";
}

static void test_trees_of_real_machines(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(trees) / sizeof(trees[0]); i++) {
		struct slabstat_snapshot *s;
		uint64_t objects = 0, slabs = 0;
		char path[1024];

		snprintf(path, sizeof(path), "%s/data/trees/%s/slab.txt", shared(), trees[i].tree);
		s = trees[i].unpacked ? compare(path) : read_listing(path);
		assert_int_equal(slabstat_snapshot_count(s), trees[i].caches);
		assert_int_equal(slabstat_snapshot_notes(s)->links, trees[i].links);
		assert_int_equal(slabstat_snapshot_notes(s)->dangling, 0);
		assert_int_equal(slabstat_snapshot_notes(s)->unreadable, 0);
		assert_int_equal(slabstat_snapshot_notes(s)->clamped, 0);
		assert_int_equal(slabstat_snapshot_machine(s)->page_size, 4096);
		assert_false(slabstat_snapshot_machine(s)->page_size_guessed);
		assert_int_equal(slabstat_snapshot_machine(s)->cpu_slabs_retired, trees[i].retired);
		for (size_t k = 0; k < slabstat_snapshot_count(s); k++) {
			objects += slabstat_cache_or(slabstat_snapshot_cache(s, k),
						     SLABSTAT_OBJECTS, 0);
			slabs +=
				slabstat_cache_or(slabstat_snapshot_cache(s, k), SLABSTAT_SLABS, 0);
		}
		assert_int_equal(objects, trees[i].objects);
		assert_int_equal(slabs, trees[i].slabs);
		slabstat_snapshot_free(s);
	}
}

static void nothing(void **state)
{
	(void)state;
}

int main(void)
{
	struct CMUnitTest tests[] = {
		cmocka_unit_test(test_own_trees),
		cmocka_unit_test(test_trees_of_real_machines),
	};

	/* cmocka's own skip() is printed as a failure. */
	if (access(shared(), R_OK | X_OK) != 0) {
		tests[1].name = "trees of real machines # SKIP they are not here (SLABKIT_SHARED)";
		tests[1].test_func = nothing;
	}

	return cmocka_run_group_tests(tests, NULL, NULL);
}
