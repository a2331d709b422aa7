// SPDX-License-Identifier: MIT
/* source_sysfs_test.c - slab directories of several kernels, and of several kinds of trouble. */
#include "cmocka_all.h"
#include "rootdir.h"
#include "slabstat/slabdir.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LAYOUT	"align=8;aliases=0;hwcache_align=0;destroy_by_rcu=0;reclaim_account=0;" \
		"cache_dma=0;sanity_checks=0;red_zone=0;poison=0;store_user=0;trace=0;" \
		"min_partial=5;remote_node_defrag_ratio=100;"
#define KMALLOC_64 LAYOUT "object_size=64;slab_size=64;objs_per_slab=64;order=0;"
#define DENTRY	LAYOUT "object_size=192;slab_size=192;objs_per_slab=21;order=0;"

static int setup(void **state)
{
	*state = calloc(1, sizeof(struct rootdir));
	rootdir_make(*state);
	return 0;
}

static int teardown(void **state)
{
	rootdir_remove(*state);
	free(*state);
	return 0;
}

static struct slabstat_snapshot *read_all(const struct rootdir *r)
{
	return rootdir_read(r, SLABSTAT_SOURCE_SYSFS, 0, NULL);
}

static void test_kernel_6_12(void **state)
{
	struct rootdir *r = *state;
	struct slabstat_snapshot *s;
	const struct slabstat_share *share;
	size_t n;

	rootdir_cache(
		r, "dentry",
		DENTRY
		"objects=900 N0=600 N1=300;total_objects=1050 N0=735 N1=315;"
		"slabs=50 N0=35 N1=15;partial=9 N0=9;objects_partial=39 N0=39;cpu_slabs=3 N0=2 "
		"N1=1;cpu_partial=120;slabs_cpu_partial=42(4) C0=21(2) "
		"C7=21(2);ctor=init_once+0x0/0x20;usersize=0;alloc_fastpath=12 C0=5 C7=7");
	rootdir_file(r, "proc/version", "Linux version 6.12.117-amd64 (root@builder) #1 SMP\n");
	rootdir_file(r, "sys/devices/system/cpu/possible", "0-7\n");
	rootdir_file(r, "sys/devices/system/node/has_memory", "0-1\n");
	s = read_all(r);

	assert_int_equal(slabstat_snapshot_machine(s)->kernel, SLABSTAT_KERNEL(6, 12));
	assert_string_equal(slabstat_snapshot_machine(s)->release, "6.12.117-amd64");
	assert_int_equal(slabstat_snapshot_machine(s)->cpus, 8);
	assert_int_equal(slabstat_snapshot_machine(s)->nodes, 2);
	assert_int_equal(slabstat_snapshot_machine(s)->page_size, 4096);
	assert_false(slabstat_snapshot_machine(s)->page_size_guessed);
	assert_false(slabstat_snapshot_machine(s)->cpu_slabs_retired);
	assert_true(slabstat_snapshot_machine(s)->slub);
	assert_false(slabstat_snapshot_meminfo(s)->present);
	assert_int_equal(number(s, "dentry", SLABSTAT_OBJECTS), 900);
	assert_int_equal(number(s, "dentry", SLABSTAT_CPU_PARTIAL_OBJS), 42);
	assert_int_equal(number(s, "dentry", SLABSTAT_CPU_PARTIAL_SLABS), 4);
	assert_int_equal(number(s, "dentry", SLABSTAT_ALLOC_FASTPATH), 12);
	assert_int_equal(number(s, "dentry", SLABSTAT_FOOTPRINT), 50 * 4096);
	assert_string_equal(slabstat_cache_ctor(slabstat_snapshot_find(s, "dentry")),
			    "init_once+0x0/0x20");
	share = slabstat_cache_shares(slabstat_snapshot_find(s, "dentry"),
				      SLABSTAT_CPU_PARTIAL_SLABS, &n);
	assert_int_equal(n, 2);
	assert_int_equal(share[1].index, 7);
	assert_int_equal(share[1].value, 2);
	assert_string_equal(slabstat_snapshot_why_absent(s, SLABSTAT_SHEAF_CAPACITY),
			    "this kernel is older than the attribute");
	assert_string_equal(slabstat_snapshot_why_absent(s, SLABSTAT_FREE_FASTPATH),
			    "this kernel is built without CONFIG_SLUB_STATS");
	slabstat_snapshot_free(s);
}

#define COUNTS "objects=64;total_objects=64;slabs=1;partial=0;objects_partial=0;"

/* From 7.0 on these attributes are a constant 0, which is not a number of anything. */
static void check_retired(struct rootdir *r)
{
	struct slabstat_snapshot *s = read_all(r);

	assert_true(slabstat_snapshot_machine(s)->cpu_slabs_retired);
	assert_int_equal(quality(s, "kmalloc-64", SLABSTAT_CPU_SLABS), SLABSTAT_ABSENT);
	assert_int_equal(quality(s, "kmalloc-64", SLABSTAT_CPU_PARTIAL), SLABSTAT_ABSENT);
	assert_int_equal(quality(s, "kmalloc-64", SLABSTAT_CPU_PARTIAL_OBJS), SLABSTAT_ABSENT);
	assert_int_equal(quality(s, "kmalloc-64", SLABSTAT_CPU_PARTIAL_SLABS), SLABSTAT_ABSENT);
	assert_string_equal(slabstat_snapshot_why_absent(s, SLABSTAT_CPU_SLABS), "gone since 7.0");
	assert_int_equal(number(s, "kmalloc-64", SLABSTAT_SHEAF_CAPACITY), 60);
	slabstat_snapshot_free(s);
}

static void test_kernel_7_3_by_version_and_by_shape(void **state)
{
	struct rootdir *r = *state;

	rootdir_cache(r, "kmalloc-64", KMALLOC_64 COUNTS
		      "cpu_slabs=0;cpu_partial=0;slabs_cpu_partial=0(0);sheaf_capacity=60");
	rootdir_cache(r, "kmem_cache", KMALLOC_64 COUNTS
		      "cpu_slabs=0;cpu_partial=0;slabs_cpu_partial=0(0);sheaf_capacity=0");
	check_retired(r);
	rootdir_file(r, "proc/sys/kernel/osrelease", "7.3.4-default\n");
	check_retired(r);
}

static void test_only_what_is_wanted_tells_the_shape_too(void **state)
{
	struct rootdir *r = *state;
	struct slabstat_fieldset want = { { 0 } };
	struct slabstat_snapshot *s;

	rootdir_cache(r, "kmalloc-64", KMALLOC_64 COUNTS
		      "cpu_slabs=0;cpu_partial=0;slabs_cpu_partial=0(0);sheaf_capacity=60");
	slabstat_fieldset_add(&want, SLABSTAT_CPU_SLABS);
	s = rootdir_read(r, SLABSTAT_SOURCE_SYSFS, 0, &want);
	assert_int_equal(quality(s, "kmalloc-64", SLABSTAT_CPU_SLABS), SLABSTAT_ABSENT);
	slabstat_snapshot_free(s);
}

/* All debugging on: cpu_partial is 0 everywhere on 6.18 too, and a cache that asked has sheaves. */
static void test_debug_boot_of_6_18_is_not_7_0(void **state)
{
	struct rootdir *r = *state;
	struct slabstat_snapshot *s;

	rootdir_cache(r, "kmalloc-64", KMALLOC_64 COUNTS
		      "cpu_slabs=1;cpu_partial=0;slabs_cpu_partial=0(0);sheaf_capacity=0");
	rootdir_cache(r, "maple_node", KMALLOC_64 COUNTS
		      "cpu_slabs=1;cpu_partial=0;slabs_cpu_partial=0(0);sheaf_capacity=32");
	s = read_all(r);
	assert_false(slabstat_snapshot_machine(s)->cpu_slabs_retired);
	assert_int_equal(number(s, "kmalloc-64", SLABSTAT_CPU_SLABS), 1);
	assert_int_equal(number(s, "kmalloc-64", SLABSTAT_CPU_PARTIAL), 0);
	slabstat_snapshot_free(s);
}

static void test_kernel_5_10_old_attributes(void **state)
{
	struct rootdir *r = *state;
	struct slabstat_snapshot *s;

	rootdir_cache(r, ":A-0000192",
		      DENTRY COUNTS "cpu_slabs=1;cpu_partial=30;slabs_cpu_partial=0(0);"
				    "alloc_calls=No data;free_calls=No data");
	rootdir_alias(r, "dentry", ":A-0000192");
	rootdir_alias(r, "Acpi", ":A-0000192");
	s = read_all(r);
	assert_int_equal(slabstat_snapshot_count(s), 1);
	assert_int_equal(slabstat_snapshot_notes(s)->links, 2);
	assert_int_equal(number(s, "dentry", SLABSTAT_CPU_PARTIAL), 30);
	assert_string_equal(slabstat_cache_label(slabstat_snapshot_cache(s, 0)), "Acpi");
	slabstat_snapshot_free(s);
}

static void test_page_size_of_the_copy(void **state)
{
	struct rootdir *r = *state;
	struct slabstat_snapshot *s;

	rootdir_cache(r, "kmalloc-64",
		      LAYOUT "object_size=64;slab_size=64;objs_per_slab=1024;order=0;"
			     "objects=5;total_objects=1024;slabs=1;partial=1;objects_partial=5");
	s = read_all(r);
	assert_int_equal(slabstat_snapshot_machine(s)->page_size, 65536);
	assert_int_equal(number(s, "kmalloc-64", SLABSTAT_FOOTPRINT), 65536);
	assert_int_equal(quality(s, "kmalloc-64", SLABSTAT_FOOTPRINT), SLABSTAT_EXACT);
	slabstat_snapshot_free(s);

	/* A second cache that disagrees makes it a guess, and every size with it. */
	rootdir_cache(r, "odd", LAYOUT "object_size=64;slab_size=64;objs_per_slab=3;order=0;"
		      "objects=1;total_objects=3;slabs=1;partial=1;objects_partial=1");
	s = read_all(r);
	assert_true(slabstat_snapshot_machine(s)->page_size_guessed);
	assert_int_not_equal(quality(s, "kmalloc-64", SLABSTAT_FOOTPRINT), SLABSTAT_EXACT);
	slabstat_snapshot_free(s);
}

static void test_races_are_clamped_and_counted(void **state)
{
	struct rootdir *r = *state;
	struct slabstat_snapshot *s;

	rootdir_cache(r, "dentry",
		      DENTRY "objects=60;total_objects=42;slabs=2;partial=3;objects_partial=50");
	s = read_all(r);
	assert_int_equal(number(s, "dentry", SLABSTAT_OBJECTS), 42);
	assert_int_equal(number(s, "dentry", SLABSTAT_PARTIAL), 2);
	assert_int_not_equal(quality(s, "dentry", SLABSTAT_PARTIAL), SLABSTAT_EXACT);
	assert_true(number(s, "dentry", SLABSTAT_LOSS) <= 2 * 4096);
	assert_true(slabstat_snapshot_notes(s)->clamped >= 3);
	slabstat_snapshot_free(s);
}

static void test_text_that_is_no_number_is_counted(void **state)
{
	struct rootdir *r = *state;
	struct slabstat_snapshot *s;

	rootdir_cache(r, "dentry", DENTRY "objects=many;slabs=2 N0=1 N1;partial=-1;"
		      "total_objects=18446744073709551616;objects_partial=;slabs_cpu_partial=3 "
		      "C0=3");
	s = read_all(r);
	assert_int_equal(slabstat_snapshot_notes(s)->unreadable, 6);
	assert_non_null(strstr(slabstat_snapshot_notes(s)->first_unreadable, "dentry/"));
	assert_non_null(strstr(slabstat_snapshot_notes(s)->first_unreadable, ": not understood"));
	assert_int_equal(quality(s, "dentry", SLABSTAT_OBJECTS), SLABSTAT_ABSENT);
	assert_int_equal(quality(s, "dentry", SLABSTAT_SLABS), SLABSTAT_ABSENT);
	assert_int_equal(quality(s, "dentry", SLABSTAT_PARTIAL), SLABSTAT_ABSENT);
	assert_int_equal(number(s, "dentry", SLABSTAT_OBJECT_SIZE), 192);
	assert_string_equal(slabstat_snapshot_why_absent(s, SLABSTAT_OBJECTS),
			    "it could not be read");
	slabstat_snapshot_free(s);
}

static void test_an_attribute_that_only_late_caches_have(void **state)
{
	struct rootdir *r = *state;
	struct slabstat_snapshot *s;
	char name[32];

	/* A copy that lost files here and there: those that are there are found all the same. */
	for (unsigned i = 0; i < 20; i++) {
		snprintf(name, sizeof(name), "cache-%02u", i);
		rootdir_cache(r, name, i == 7 ? KMALLOC_64 "objects=3" : KMALLOC_64);
	}
	s = read_all(r);
	assert_int_equal(slabstat_snapshot_count(s), 20);
	assert_int_equal(number(s, "cache-07", SLABSTAT_OBJECTS), 3);
	assert_int_equal(quality(s, "cache-08", SLABSTAT_OBJECTS), SLABSTAT_ABSENT);
	slabstat_snapshot_free(s);
}

static void test_a_directory_without_attributes_is_no_cache(void **state)
{
	struct rootdir *r = *state;
	struct slabstat_snapshot *s;

	rootdir_cache(r, "dentry", DENTRY COUNTS);
	rootdir_cache(r, "gone", "");
	s = read_all(r);
	assert_int_equal(slabstat_snapshot_count(s), 1);
	assert_int_equal(slabstat_snapshot_notes(s)->vanished, 1);
	slabstat_snapshot_free(s);
}

static void test_hostile_names(void **state)
{
	static const char *const names[] = { "a b",
					     "a:b(c)[d]>e",
					     "page->ptl",
					     "\x1b[31mred",
					     "new\nline",
					     "\xff\xfe",
					     "nf_conntrack_ffff881026e52400" };
	struct rootdir *r = *state;
	struct slabstat_snapshot *s;
	char longest[201];

	memset(longest, 'n', 200);
	longest[200] = '\0';
	rootdir_cache(r, longest, DENTRY COUNTS);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		rootdir_cache(r, names[i], DENTRY COUNTS);
	s = read_all(r);
	assert_int_equal(slabstat_snapshot_count(s), 1 + sizeof(names) / sizeof(names[0]));
	assert_non_null(slabstat_snapshot_find(s, longest));
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_int_equal(number(s, names[i], SLABSTAT_OBJECT_SIZE), 192);
	slabstat_snapshot_free(s);
}

static void test_links_out_of_the_copy_are_not_opened(void **state)
{
	struct rootdir *r = *state;
	struct slabstat_snapshot *s;

	rootdir_file(r, "secret", "4711\n");
	rootdir_cache(r, "dentry", DENTRY "slabs=1");
	rootdir_link(r, "sys/kernel/slab/dentry/objects", "../../../../secret");
	rootdir_alias(r, "evil", "../../../..");
	s = read_all(r);
	assert_int_equal(quality(s, "dentry", SLABSTAT_OBJECTS), SLABSTAT_ABSENT);
	assert_int_equal(slabstat_snapshot_notes(s)->unreadable, 1);
	assert_string_equal(slabstat_snapshot_notes(s)->first_unreadable,
			    "dentry/objects: Too many levels of symbolic links");
	assert_int_equal(slabstat_snapshot_notes(s)->dangling, 1);
	slabstat_snapshot_free(s);
}

static void test_what_is_wanted_is_what_is_opened(void **state)
{
	struct rootdir *r = *state;
	struct slabstat_fieldset want = { { 0 } };
	struct slabstat_snapshot *s;

	rootdir_file(r, "proc/version", "Linux version 6.12.117 x\n");
	for (int i = 0; i < 10; i++) {
		char name[32];

		snprintf(name, sizeof(name), "cache-%d", i);
		rootdir_cache(r, name, DENTRY COUNTS);
	}
	slabstat_fieldset_add(&want, SLABSTAT_USED);
	s = rootdir_read(r, SLABSTAT_SOURCE_SYSFS, 0, &want);
	assert_int_equal(number(s, "cache-3", SLABSTAT_USED), 64 * 192);
	assert_int_equal(quality(s, "cache-3", SLABSTAT_PARTIAL), SLABSTAT_ABSENT);
	/*
	 * The directory; objects and object_size; slab_size, objs_per_slab and order for the page
	 * size.
	 */
	assert_true(slabstat_snapshot_notes(s)->syscalls < 10 * 6 + 20);
	slabstat_snapshot_free(s);
}

static void test_no_caches_is_no_error(void **state)
{
	struct rootdir *r = *state;
	struct slabstat_snapshot *s;

	rootdir_file(r, "sys/kernel/slab/README", "nothing\n");
	s = read_all(r);
	assert_int_equal(slabstat_snapshot_count(s), 0);
	slabstat_snapshot_free(s);
}

/* ---- the running kernel: a directory that says it is ----------------------------------------- */

static struct slabdir open_live(const struct rootdir *r, struct root *root, struct slabstat *h)
{
	struct slabdir d;

	*root = (struct root){ .h = h, .dir = r->path, .live = true, .slab = "sys/kernel/slab" };
	root->fd = open(r->path, O_PATH | O_DIRECTORY);
	assert_true(root->fd >= 0);
	assert_int_equal(slabdir_open(&d, root), 0);
	return d;
}

static void test_live_stops_asking_for_what_no_cache_has(void **state)
{
	struct rootdir *r = *state;
	struct slabstat *h = slabstat_new();
	struct slabstat_snapshot *s = snapshot_new(SLABSTAT_SOURCE_SYSFS);
	struct slabstat_fieldset all = slabstat_fieldset_all();
	struct slabdir d;
	struct root root;
	size_t before = 0;

	for (int i = 0; i < 8; i++) {
		char name[32];

		snprintf(name, sizeof(name), "cache-%d", i);
		rootdir_cache(r, name, DENTRY COUNTS);
	}
	d = open_live(r, &root, h);
	assert_int_equal(slabdir_list(&d, s), 0);
	for (size_t i = 0; i < s->count; i++) {
		before = root.opened;
		assert_int_equal(slabdir_read(&d, s, s->cache[i], &all), 0);
	}
	/* 22 attributes there are; the first caches were asked for all of some seventy. */
	assert_int_equal(root.opened - before, 22);
	slabdir_close(&d);
	close(root.fd);
	slabstat_snapshot_free(s);
	slabstat_free(h);
}

static void test_live_id_saves_two_files(void **state)
{
	struct rootdir *r = *state;
	struct slabstat *h = slabstat_new();
	struct slabstat_snapshot *s = snapshot_new(SLABSTAT_SOURCE_SYSFS);
	struct slabstat_fieldset want = { { 0 } };
	struct slabdir d;
	struct root root;

	rootdir_cache(r, ":aA-0000192", DENTRY COUNTS);
	rootdir_cache(r, ":x-0000192", DENTRY COUNTS);
	slabstat_fieldset_add(&want, SLABSTAT_SLAB_SIZE);
	slabstat_fieldset_add(&want, SLABSTAT_RECLAIM_ACCOUNT);
	d = open_live(r, &root, h);
	assert_int_equal(slabdir_list(&d, s), 0);
	root.opened = 0;
	for (size_t i = 0; i < s->count; i++)
		assert_int_equal(slabdir_read(&d, s, s->cache[i], &want), 0);
	assert_int_equal(root.opened, 2);	/* of the id that is none */
	assert_int_equal(snapshot_finish(s), 0);
	assert_int_equal(number(s, ":aA-0000192", SLABSTAT_SLAB_SIZE), 192);
	assert_int_equal(number(s, ":aA-0000192", SLABSTAT_RECLAIM_ACCOUNT), 1);
	assert_int_equal(number(s, ":x-0000192", SLABSTAT_RECLAIM_ACCOUNT), 0);
	slabdir_close(&d);
	close(root.fd);
	slabstat_snapshot_free(s);
	slabstat_free(h);
}

static void test_live_cache_that_vanishes_is_skipped(void **state)
{
	struct rootdir *r = *state;
	struct slabstat *h = slabstat_new();
	struct slabstat_snapshot *s = snapshot_new(SLABSTAT_SOURCE_SYSFS);
	struct slabstat_fieldset all = slabstat_fieldset_all();
	struct slabdir d;
	struct root root;
	char path[128], away[128];

	rootdir_cache(r, "a", DENTRY COUNTS);
	rootdir_cache(r, "b", DENTRY COUNTS);
	d = open_live(r, &root, h);
	assert_int_equal(slabdir_list(&d, s), 0);
	assert_int_equal(s->count, 2);
	assert_int_equal(slabdir_read(&d, s, s->cache[0], &all), 0);
	snprintf(path, sizeof(path), "%s/sys/kernel/slab/%s", r->path, s->cache[1]->name);
	snprintf(away, sizeof(away), "%s/away", r->path);
	assert_int_equal(rename(path, away), 0);
	assert_int_equal(slabdir_read(&d, s, s->cache[1], &all), -ENOENT);
	slabdir_close(&d);
	close(root.fd);
	slabstat_snapshot_free(s);
	slabstat_free(h);
}

static size_t files_of_reading(struct slabdir *d, struct slabstat_snapshot **s)
{
	struct slabstat_fieldset all = slabstat_fieldset_all();
	size_t before;

	*s = snapshot_new(SLABSTAT_SOURCE_SYSFS);
	assert_int_equal(slabdir_list(d, *s), 0);
	before = d->root->opened;
	for (size_t i = 0; i < (*s)->count; i++)
		assert_int_equal(slabdir_read(d, *s, (*s)->cache[i], &all), 0);
	assert_int_equal(snapshot_finish(*s), 0);
	return d->root->opened - before;
}

static void test_live_keeps_what_cannot_have_changed(void **state)
{
	struct rootdir *r = *state;
	struct slabstat *h = slabstat_new();
	struct slabstat_snapshot *s;
	struct slabdir d;
	struct root root;
	size_t first, second;

	for (int i = 0; i < 6; i++) {
		char name[32];

		snprintf(name, sizeof(name), "cache-%d", i);
		rootdir_cache(r, name, DENTRY COUNTS);
	}
	rootdir_alias(r, "other", "cache-0");
	d = open_live(r, &root, h);
	d.facts.on = d.facts.fixed_order = true;
	first = files_of_reading(&d, &s);
	slabstat_snapshot_free(s);

	rootdir_cache(r, "cache-3", "slabs=9;min_partial=7");
	second = files_of_reading(&d, &s);
	assert_true(second < first);
	assert_int_equal(number(s, "cache-3", SLABSTAT_SLABS), 9);
	assert_int_equal(number(s, "cache-3", SLABSTAT_MIN_PARTIAL), 7);
	assert_int_equal(number(s, "cache-3", SLABSTAT_OBJECT_SIZE), 192);
	assert_non_null(slabstat_snapshot_find(s, "other"));
	slabstat_snapshot_free(s);

	/* A new user of a cache may have made its objects larger. */
	rootdir_alias(r, "another", "cache-3");
	rootdir_cache(r, "cache-3", "object_size=200");
	assert_true(files_of_reading(&d, &s) > second);
	assert_int_equal(number(s, "another", SLABSTAT_OBJECT_SIZE), 200);
	slabstat_snapshot_free(s);
	slabdir_close(&d);
	close(root.fd);
	slabstat_free(h);
}

/*
 * As somebody who is not root: of the running kernel one clear error, of a copy what can be read.
 */
static void test_what_only_root_may_read(void **state)
{
	struct rootdir *r = *state;
	struct slabstat *h = slabstat_new();
	struct slabstat_snapshot *s = snapshot_new(SLABSTAT_SOURCE_SYSFS), *copy, *none;
	struct slabstat_source *src;
	struct slabstat_fieldset all = slabstat_fieldset_all();
	bool root_user = geteuid() == 0;
	struct slabdir d;
	struct root root;
	char path[128];

	rootdir_cache(r, "dentry", "object_size=192;objects=5");
	snprintf(path, sizeof(path), "%s/sys/kernel/slab/dentry/object_size", r->path);
	assert_int_equal(chmod(path, 0), 0);
	assert_int_equal(chmod(r->path, 0755), 0);
	if (root_user)
		assert_int_equal(seteuid(65534), 0);
	d = open_live(r, &root, h);
	assert_int_equal(slabdir_list(&d, s), 0);
	assert_int_equal(slabdir_read(&d, s, s->cache[0], &all), -EACCES);
	assert_non_null(strstr(slabstat_error(h)->path, "/dentry/object_size"));
	assert_non_null(
		strstr(slabstat_error(h)->text, "run as root or grant CAP_DAC_READ_SEARCH"));
	copy = read_all(r);
	assert_int_equal(number(copy, "dentry", SLABSTAT_OBJECTS), 5);
	assert_int_equal(quality(copy, "dentry", SLABSTAT_OBJECT_SIZE), SLABSTAT_ABSENT);
	assert_int_equal(slabstat_snapshot_notes(copy)->unreadable, 1);
	assert_string_equal(slabstat_snapshot_why_absent(copy, SLABSTAT_OBJECT_SIZE),
			    "it could not be read");
	/* A copy of which nothing can be read is an error, not a list of unknowns. */
	snprintf(path, sizeof(path), "%s/sys/kernel/slab/dentry/objects", r->path);
	if (root_user)
		assert_int_equal(seteuid(0), 0);
	assert_int_equal(chmod(path, 0), 0);
	if (root_user)
		assert_int_equal(seteuid(65534), 0);
	assert_int_equal(slabstat_source_open(h, &(struct slabstat_spec){ .root = r->path }, &src),
			 0);
	assert_int_equal(slabstat_source_read(src, NULL, &none), -EACCES);
	slabstat_source_close(src);
	if (root_user)
		assert_int_equal(seteuid(0), 0);
	slabdir_close(&d);
	close(root.fd);
	slabstat_snapshot_free(s);
	slabstat_snapshot_free(copy);
	slabstat_free(h);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_kernel_6_12),
		TEST(test_kernel_7_3_by_version_and_by_shape),
		TEST(test_only_what_is_wanted_tells_the_shape_too),
		TEST(test_debug_boot_of_6_18_is_not_7_0),
		TEST(test_kernel_5_10_old_attributes),
		TEST(test_page_size_of_the_copy),
		TEST(test_races_are_clamped_and_counted),
		TEST(test_text_that_is_no_number_is_counted),
		TEST(test_an_attribute_that_only_late_caches_have),
		TEST(test_a_directory_without_attributes_is_no_cache),
		TEST(test_hostile_names),
		TEST(test_links_out_of_the_copy_are_not_opened),
		TEST(test_what_is_wanted_is_what_is_opened),
		TEST(test_no_caches_is_no_error),
		TEST(test_live_stops_asking_for_what_no_cache_has),
		TEST(test_live_id_saves_two_files),
		TEST(test_live_cache_that_vanishes_is_skipped),
		TEST(test_live_keeps_what_cannot_have_changed),
		TEST(test_what_only_root_may_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
