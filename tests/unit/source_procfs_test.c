// SPDX-License-Identifier: MIT
/* source_procfs_test.c - /proc/slabinfo of every version, as the kernel and as people wrote it. */
#include "cmocka_all.h"
#include "rootdir.h"
#include "slabstat/procfs.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define V21  "slabinfo - version: 2.1\n"
#define HEAD "# name            <active_objs> <num_objs> <objsize> <objperslab> <pagesperslab> " \
	     ": tunables <limit> <batchcount> <sharedfactor> : slabdata <active_slabs> " \
	     "<num_slabs> <sharedavail>\n"
#define SLUB(name, active, total, size, per, pages, slabs)                                  \
	name " " #active " " #total " " #size " " #per " " #pages " : tunables 0 0 0 : slabdata " \
	#slabs " " #slabs " 0\n"

static struct slabstat_snapshot *parse(const char *text)
{
	return text_read(SLABSTAT_SOURCE_PROCFS, text, strlen(text));
}

static void test_version_2_1_of_slub(void **state)
{
	struct slabstat_snapshot *s = parse(V21 HEAD SLUB("dentry", 500, 525, 192, 21, 1, 25)
					    SLUB("ext4_inode_cache", 60, 62, 1040, 31, 8, 2));

	(void)state;
	assert_int_equal(slabstat_snapshot_count(s), 2);
	assert_int_equal(number(s, "dentry", SLABSTAT_OBJECTS), 500);
	assert_int_equal(number(s, "dentry", SLABSTAT_TOTAL_OBJECTS), 525);
	assert_int_equal(number(s, "dentry", SLABSTAT_SLAB_SIZE), 192);
	assert_int_equal(number(s, "dentry", SLABSTAT_OBJS_PER_SLAB), 21);
	assert_int_equal(number(s, "dentry", SLABSTAT_SLABS), 25);
	assert_int_equal(number(s, "ext4_inode_cache", SLABSTAT_ORDER), 3);
	assert_int_equal(number(s, "ext4_inode_cache", SLABSTAT_FOOTPRINT), 2 * 8 * 4096);
	assert_true(slabstat_snapshot_machine(s)->slub);
	assert_int_equal(quality(s, "dentry", SLABSTAT_OBJECT_SIZE), SLABSTAT_ABSENT);
	assert_int_equal(quality(s, "dentry", SLABSTAT_USED), SLABSTAT_ABSENT);
	assert_int_equal(quality(s, "dentry", SLABSTAT_LOSS), SLABSTAT_LOWER);
	assert_string_equal(slabstat_snapshot_why_absent(s, SLABSTAT_PARTIAL),
			    "this /proc/slabinfo does not carry it");
	assert_string_equal(slabstat_snapshot_why_absent(s, SLABSTAT_ALLOCHIT),
			    "only the SLAB allocator has it");
	slabstat_snapshot_free(s);
}

static void test_version_2_1_of_slab_with_statistics(void **state)
{
	struct slabstat_snapshot *s = parse(
		"slabinfo - version: 2.1 (statistics)\n"
		"# name            <active_objs> <num_objs> <objsize> <objperslab> <pagesperslab> "
		": tunables <limit> <batchcount> <sharedfactor> : slabdata <active_slabs> "
		"<num_slabs> <sharedavail> : globalstat <listallocs> <maxobjs> <grown> <reaped> "
		"<error> <maxfreeable> <nodeallocs> <remotefrees> <alienoverflow> : "
		"cpustat <allochit> <allocmiss> <freehit> <freemiss>\n"
		"tw_sock   3  18  208   19    1 : tunables  120   60    8 : slabdata      1      2 "
		"    11 : globalstat   71   38    4    2 \t\t\t\t    5   6    7    8    9 : "
		"cpustat   81  82  83  84\n");

	(void)state;
	assert_int_equal(slabstat_snapshot_count(s), 1);
	assert_false(slabstat_snapshot_machine(s)->slub);
	assert_int_equal(number(s, "tw_sock", SLABSTAT_LIMIT), 120);
	assert_int_equal(number(s, "tw_sock", SLABSTAT_BATCHCOUNT), 60);
	assert_int_equal(number(s, "tw_sock", SLABSTAT_SHAREDFACTOR), 8);
	assert_int_equal(number(s, "tw_sock", SLABSTAT_ACTIVE_SLABS), 1);
	assert_int_equal(number(s, "tw_sock", SLABSTAT_SHAREDAVAIL), 11);
	assert_int_equal(number(s, "tw_sock", SLABSTAT_LISTALLOCS), 71);
	assert_int_equal(number(s, "tw_sock", SLABSTAT_HIGH_OBJS), 38);
	assert_int_equal(number(s, "tw_sock", SLABSTAT_ERRORS), 5);
	assert_int_equal(number(s, "tw_sock", SLABSTAT_MAXFREEABLE), 6);
	assert_int_equal(number(s, "tw_sock", SLABSTAT_NODEALLOCS), 7);
	assert_int_equal(number(s, "tw_sock", SLABSTAT_REMOTEFREES), 8);
	assert_int_equal(number(s, "tw_sock", SLABSTAT_ALIENOVERFLOW), 9);
	assert_int_equal(number(s, "tw_sock", SLABSTAT_FREEMISS), 84);
	slabstat_snapshot_free(s);
}

/* The words tell a freelimit from nodeallocs; without them only the first six are known. */
static void test_statistics_columns_go_by_their_words(void **state)
{
	struct slabstat_snapshot *s = parse(
		"# name <active_objs> <num_objs> <objsize> <objperslab> <pagesperslab> : tunables "
		"<limit> <batchcount> <sharedfactor> : slabdata <active_slabs> <num_slabs> "
		"<sharedavail> : globalstat <listallocs> <maxobjs> <grown> <reaped> <error> "
		"<maxfreeable> <freelimit> <nodeallocs>\n"
		"a 1 2 64 59 1 : tunables 8 4 0 : slabdata 1 1 0 : globalstat 1 2 3 4 5 6 7 8\n");

	(void)state;
	assert_int_equal(number(s, "a", SLABSTAT_NODEALLOCS), 8);
	assert_int_equal(quality(s, "a", SLABSTAT_REMOTEFREES), SLABSTAT_ABSENT);
	slabstat_snapshot_free(s);
	s = parse("a 1 2 64 59 1 : tunables 8 4 0 : slabdata 1 1 0 : globalstat 1 2 3 4 5 6 7 8\n");
	assert_int_equal(number(s, "a", SLABSTAT_MAXFREEABLE), 6);
	assert_int_equal(quality(s, "a", SLABSTAT_NODEALLOCS), SLABSTAT_ABSENT);
	slabstat_snapshot_free(s);
}

/* The heading of 2.0 has limit and batchcount the wrong way round. */
static void test_version_2_0(void **state)
{
	struct slabstat_snapshot *s = parse(
		"slabinfo - version: 2.0\n"
		"# name            <active_objs> <num_objs> <objsize> <objperslab> <pagesperslab> "
		": tunables <batchcount> <limit <sharedfactor> : "
		"slabdata <active_slabs> <num_slabs> <sharedavail>\n"
		"size-64  900 944 64 59 1 : tunables 120 60 8 : slabdata 16 16 0\n");

	(void)state;
	assert_int_equal(number(s, "size-64", SLABSTAT_LIMIT), 120);
	assert_int_equal(number(s, "size-64", SLABSTAT_BATCHCOUNT), 60);
	slabstat_snapshot_free(s);
}

static void test_version_1_1_and_its_variants(void **state)
{
	struct slabstat_snapshot *s = parse("slabinfo - version: 1.1 (SMP)\n"
					    "file lock cache  5  84  92  1  2  1 :  252  126\n"
					    "dm io            0   0  16  0  0  1 :  252  126\n");

	(void)state;
	assert_int_equal(slabstat_snapshot_count(s), 2);
	assert_int_equal(number(s, "file lock cache", SLABSTAT_OBJECTS), 5);
	assert_int_equal(number(s, "file lock cache", SLABSTAT_SLAB_SIZE), 92);
	assert_int_equal(number(s, "file lock cache", SLABSTAT_ACTIVE_SLABS), 1);
	assert_int_equal(number(s, "file lock cache", SLABSTAT_SLABS), 2);
	assert_int_equal(number(s, "file lock cache", SLABSTAT_PAGES_PER_SLAB), 1);
	assert_int_equal(number(s, "file lock cache", SLABSTAT_OBJS_PER_SLAB), 42);
	assert_int_equal(number(s, "file lock cache", SLABSTAT_BATCHCOUNT), 126);
	assert_int_equal(quality(s, "dm io", SLABSTAT_OBJS_PER_SLAB), SLABSTAT_ABSENT);
	slabstat_snapshot_free(s);

	s = parse("slabinfo - version: 1.1 (statistics) (SMP)\n"
		  "inode_cache 5 70 512 9 10 1 : 81 900 12 2 0 : 124 62 : 811 12 803 4\n");
	assert_int_equal(number(s, "inode_cache", SLABSTAT_HIGH_OBJS), 81);
	assert_int_equal(number(s, "inode_cache", SLABSTAT_LISTALLOCS), 900);
	assert_int_equal(number(s, "inode_cache", SLABSTAT_REAPED), 2);
	assert_int_equal(number(s, "inode_cache", SLABSTAT_LIMIT), 124);
	assert_int_equal(number(s, "inode_cache", SLABSTAT_ALLOCHIT), 811);
	assert_int_equal(number(s, "inode_cache", SLABSTAT_FREEMISS), 4);
	slabstat_snapshot_free(s);

	s = parse("slabinfo - version: 1.2\nkmem_cache 64 64 244 4 4 1\n");
	assert_int_equal(number(s, "kmem_cache", SLABSTAT_SLABS), 4);
	slabstat_snapshot_free(s);
}

static void test_version_1_0(void **state)
{
	struct slabstat_snapshot *s =
		parse("slabinfo - version: 1.0\nkmem_cache 29 42\ndentry cache 7 9\n");

	(void)state;
	assert_int_equal(slabstat_snapshot_count(s), 2);
	assert_int_equal(number(s, "dentry cache", SLABSTAT_OBJECTS), 7);
	assert_int_equal(number(s, "dentry cache", SLABSTAT_TOTAL_OBJECTS), 9);
	assert_int_equal(quality(s, "dentry cache", SLABSTAT_FOOTPRINT), SLABSTAT_ABSENT);
	slabstat_snapshot_free(s);
	s = parse("slabinfo - version: 1.0\nkmem_cache 29 42 96 1 2 1\n");
	assert_int_equal(number(s, "kmem_cache", SLABSTAT_SLABS), 2);
	slabstat_snapshot_free(s);
}

/* Another system's 2.0: other words, no blank behind '#', and more columns. */
static void test_a_heading_of_strange_columns(void **state)
{
	struct slabstat_snapshot *s = parse(
		"slabinfo - version: 2.0\n"
		"#name <active_objs> <num_objs> <objsize> <objperslab> <pagesperslab> : tunables "
		"<limit> <batchcount> <sharedfactor> : slabdata <active_slabs> <num_slabs> "
		"<num_pool> <reclaimable>\n"
		"[3] pool 10 20 64 64 1 : tunables 1 1 0 : slabdata 5 6 7 8\n");

	(void)state;
	assert_int_equal(number(s, "[3] pool", SLABSTAT_SLABS), 6);
	assert_int_equal(quality(s, "[3] pool", SLABSTAT_SHAREDAVAIL), SLABSTAT_ABSENT);
	slabstat_snapshot_free(s);
}

static void test_heads_may_be_missing(void **state)
{
	static const char *const texts[] = {
		V21 HEAD SLUB("dentry", 500, 525, 192, 21, 1, 25),
		V21 SLUB("dentry", 500, 525, 192, 21, 1, 25),
		HEAD SLUB("dentry", 500, 525, 192, 21, 1, 25),
		SLUB("dentry", 500, 525, 192, 21, 1, 25),
		"\n\n" SLUB("dentry", 500, 525, 192, 21, 1, 25),
		"\r\nslabinfo - version: 2.1\r\ndentry 500 525 192 21 1 : tunables 0 0 0 : slabdata 25 25 0\r\n",
		"Dear list,\nplease help: 1 2 3\n\n> " V21 "> " HEAD "> "
		SLUB("dentry", 500, 525, 192, 21, 1, 25),
		"Jan  2 10:22:33 box kernel: [  178.502533] "
		SLUB("dentry", 500, 525, 192, 21, 1, 25),
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct slabstat_snapshot *s =
			text_read(SLABSTAT_SOURCE_AUTO, texts[i], strlen(texts[i]));

		assert_int_equal(slabstat_snapshot_source(s), SLABSTAT_SOURCE_PROCFS);
		assert_int_equal(slabstat_snapshot_count(s), 1);
		assert_int_equal(number(s, "dentry", SLABSTAT_SLABS), 25);
		assert_int_equal(slabstat_snapshot_notes(s)->bad_rows, 0);
		slabstat_snapshot_free(s);
	}
}

static void test_names_of_any_kind(void **state)
{
	static const char *const names[] = {
		"file lock cache", "size-32(DMA)", "kmalloc-64(812:user.slice)", "page->ptl",
		"nf_conntrack_ffff881026e52400", "a : b", "x: 1 2 3", "[heap]", "io 4 5",
		"#hash", "\xff\xfe\x1b[31m", "bridge@eth0.1",
	};
	char text[1024], longest[201];

	(void)state;
	memset(longest, 'n', 200);
	longest[200] = '\0';
	for (size_t i = 0; i <= sizeof(names) / sizeof(names[0]); i++) {
		const char *name = i < sizeof(names) / sizeof(names[0]) ? names[i] : longest;
		struct slabstat_snapshot *s;

		snprintf(text, sizeof(text),
			 V21 "%s 500 525 192 21 1 : tunables 0 0 0 : slabdata 25 25 0\n", name);
		s = parse(text);
		assert_int_equal(slabstat_snapshot_count(s), 1);
		assert_int_equal(number(s, name, SLABSTAT_TOTAL_OBJECTS), 525);
		slabstat_snapshot_free(s);
	}
}

static void test_bad_rows_are_counted_with_their_line(void **state)
{
	struct slabstat_snapshot *s = parse(V21 HEAD SLUB("a", 500, 525, 192, 21, 1, 25)
		"b 500 x 192 21 1 : tunables 0 0 0 : slabdata 25 25 0\n"
		SLUB("c", 500, 525, 192, 21, 1, 25)
		"d 500 525 192 21 18446744073709551616 : tunables 0 0 0 : slabdata 25 25 0\n"
		"e 500 -1 192 21 1 : tunables 0 0 0 : slabdata 25 25 0\n"
		"f 500 525 192 21 1 : tunables 0 0 0 : slabda");

	(void)state;
	assert_int_equal(slabstat_snapshot_count(s), 2);
	assert_int_equal(slabstat_snapshot_notes(s)->bad_rows, 4);
	assert_int_equal(slabstat_snapshot_notes(s)->first_bad_row, 4);
	slabstat_snapshot_free(s);
}

static void test_every_cut_of_a_row(void **state)
{
	static const char first[] = V21 SLUB("a", 500, 525, 192, 21, 1, 25);
	static const char row[] = "b 500 525 192 21 1 : tunables 0 0 0 : slabdata 25 25 0";
	char text[256];

	(void)state;
	/* No row is made up from less than all its columns, wherever a file was cut. */
	for (size_t len = 1; len < sizeof(row); len++) {
		struct slabstat_snapshot *s;

		snprintf(text, sizeof(text), "%s%.*s", first, (int)len, row);
		s = parse(text);
		assert_int_equal(slabstat_snapshot_count(s), len == sizeof(row) - 1 ? 2 : 1);
		assert_int_equal(slabstat_snapshot_notes(s)->bad_rows,
				 len == sizeof(row) - 1 ? 0 : 1);
		slabstat_snapshot_free(s);
	}
}

static void test_wrapped_rows_are_put_together(void **state)
{
	struct slabstat_snapshot *s = parse(
		V21 "fs cache 500 525 192 21 1 : tunables 0 0 0 : slabdata\n  25 25 0\n"
		"b 500 525 192 21 1\n: tunables 0 0\n0 : slabdata 25 25 0\n"
		SLUB("c", 500, 525, 192, 21, 1, 25));

	(void)state;
	assert_int_equal(slabstat_snapshot_count(s), 3);
	assert_int_equal(slabstat_snapshot_notes(s)->bad_rows, 0);
	assert_int_equal(number(s, "fs cache", SLABSTAT_SLABS), 25);
	assert_int_equal(number(s, "b", SLABSTAT_SLABS), 25);
	slabstat_snapshot_free(s);

	s = parse(
		"slabinfo - version: 1.1 (SMP)\nfile lock cache 5 84 92 1 2 1\n: 252 126\nb 1 2 3 4 5 6 : 7 8\n");
	assert_int_equal(slabstat_snapshot_count(s), 2);
	assert_int_equal(number(s, "file lock cache", SLABSTAT_LIMIT), 252);
	slabstat_snapshot_free(s);
}

static void test_nothing_to_understand_is_an_error(void **state)
{
	static const char text[] = V21 "b 500 x\n";
	struct slabstat_spec spec = { .buffer = text,
				      .buffer_size = sizeof(text) - 1,
				      .label = "saved.txt" };
	struct slabstat *h = slabstat_new();
	struct slabstat_source *src;
	struct slabstat_snapshot *s;

	(void)state;
	assert_int_equal(slabstat_source_open(h, &spec, &src), 0);
	assert_int_equal(slabstat_source_read(src, NULL, &s), -EINVAL);
	assert_string_equal(slabstat_error(h)->path, "saved.txt");
	assert_int_equal(slabstat_error(h)->line, 2);
	slabstat_source_close(src);
	slabstat_free(h);
}

static void test_equal_names_are_all_kept_and_counted(void **state)
{
	struct slabstat_snapshot *s = parse(V21 SLUB("mlx5_fs_fgs", 1, 21, 192, 21, 1, 1)
					    SLUB("mlx5_fs_ftes", 2, 21, 192, 21, 1, 1)
					    SLUB("mlx5_fs_fgs", 3, 21, 192, 21, 1, 1)
					    SLUB("mlx5_fs_fgs", 4, 21, 192, 21, 1, 1));

	(void)state;
	assert_int_equal(slabstat_snapshot_count(s), 4);
	assert_int_equal(slabstat_snapshot_notes(s)->repeats, 2);
	slabstat_snapshot_free(s);
}

static void test_samples_begin_at_version_lines(void **state)
{
	static const char text[] = V21 SLUB("a", 1, 21, 192, 21, 1, 1) V21 HEAD SLUB(
		"a", 2, 21, 192, 21, 1, 1) "broken\n" V21 SLUB("a", 3, 21, 192, 21, 1, 1);
	struct slabstat_spec spec = { .buffer = text, .buffer_size = sizeof(text) - 1 };
	struct slabstat *h = slabstat_new();
	struct slabstat_source *src;
	struct slabstat_snapshot *s;

	(void)state;
	assert_int_equal(slabstat_source_open(h, &spec, &src), 0);
	assert_int_equal(slabstat_source_samples(src), 3);
	for (size_t i = 3; i-- > 0;) {
		assert_int_equal(slabstat_source_seek(src, i), 0);
		assert_int_equal(slabstat_source_read(src, NULL, &s), 0);
		assert_int_equal(number(s, "a", SLABSTAT_OBJECTS), i + 1);
		assert_int_equal(slabstat_snapshot_notes(s)->first_bad_row, i == 1 ? 6 : 0);
		slabstat_snapshot_free(s);
	}
	assert_int_equal(slabstat_source_seek(src, 3), -ERANGE);
	slabstat_source_close(src);
	slabstat_free(h);
}

static void test_page_size_from_rows(void **state)
{
	struct slabstat_snapshot *s = parse(V21 SLUB("a", 1, 341, 192, 341, 1, 1));

	(void)state;
	assert_int_equal(slabstat_snapshot_machine(s)->page_size, 65536);
	assert_false(slabstat_snapshot_machine(s)->page_size_guessed);
	slabstat_snapshot_free(s);

	/* SLAB keeps its books in the slab: fewer objects than bytes would hold. */
	s = parse(V21 "size-32 1 113 32 113 1 : tunables 120 60 8 : slabdata 1 1 0\n"
		  "size-8192 1 1 8192 1 2 : tunables 8 4 0 : slabdata 1 1 0\n");
	assert_int_equal(slabstat_snapshot_machine(s)->page_size, 4096);
	assert_false(slabstat_snapshot_machine(s)->page_size_guessed);
	slabstat_snapshot_free(s);

	s = parse(V21);
	assert_int_equal(slabstat_snapshot_count(s), 0);
	assert_true(slabstat_snapshot_machine(s)->page_size_guessed);
	slabstat_snapshot_free(s);
}

/* From 6.10 on more than 10,000 partial slabs are sampled; how many there were no row tells. */
static void test_large_counts_may_be_estimates(void **state)
{
	struct slabstat_snapshot *s = parse(V21 SLUB("full", 1050000, 1050000, 192, 21, 1, 50000)
					    SLUB("nearly", 1041000, 1050000, 192, 21, 1, 50000)
					    SLUB("holes", 900000, 1050000, 192, 21, 1, 50000));
	struct rootdir r;

	(void)state;
	assert_int_equal(quality(s, "full", SLABSTAT_OBJECTS), SLABSTAT_EXACT);
	assert_int_equal(quality(s, "nearly", SLABSTAT_OBJECTS), SLABSTAT_EXACT);
	assert_int_equal(quality(s, "holes", SLABSTAT_OBJECTS), SLABSTAT_ESTIMATE);
	slabstat_snapshot_free(s);

	rootdir_make(&r);
	rootdir_file(&r, "proc/slabinfo", V21 SLUB("holes", 900000, 1050000, 192, 21, 1, 50000));
	rootdir_file(&r, "proc/version", "Linux version 6.1.0-9-amd64 (x) #1\n");
	s = rootdir_read(&r, SLABSTAT_SOURCE_AUTO, 0, NULL);
	assert_int_equal(slabstat_snapshot_source(s), SLABSTAT_SOURCE_PROCFS);
	assert_int_equal(quality(s, "holes", SLABSTAT_OBJECTS), SLABSTAT_EXACT);
	slabstat_snapshot_free(s);
	rootdir_remove(&r);
}

static void test_no_row_lost_from_none_to_forty_thousand(void **state)
{
	static const size_t sizes[] = { 0, 1, 2, 255, 256, 257, 40000 };
	char *text = malloc(40000 * 100 + 1000);

	(void)state;
	assert_non_null(text);
	for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
		size_t len = (size_t)sprintf(text, V21 HEAD);
		struct slabstat_snapshot *s;

		for (size_t i = 0; i < sizes[k]; i++)
			len += (size_t)sprintf(text + len,
					       "cache %zu %zu %zu 192 21 1 : tunables 0 0 0 : "
					       "slabdata %zu %zu 0\n",
					       i % 100, i, i * 21, i, i);
		s = text_read(SLABSTAT_SOURCE_AUTO, text, len);
		assert_int_equal(slabstat_snapshot_count(s), sizes[k]);
		assert_int_equal(slabstat_snapshot_notes(s)->bad_rows, 0);
		slabstat_snapshot_free(s);
	}
	free(text);
}

/* ---- seams: where the kernel let go of its lock between two pieces --------------------------- */

static size_t count_with_seam(const char *before, const char *after, size_t *repeats)
{
	size_t at[2] = { strlen(before), strlen(before) + strlen(after) };
	struct procfs_seams seams = { at, 2, 2 };
	struct procfs_table t;
	char text[2048];
	size_t count;

	snprintf(text, sizeof(text), "%s%s", before, after);
	assert_int_equal(procfs_parse(&t, text, strlen(text), &seams), 0);
	count = t.count;
	*repeats = t.repeats;
	procfs_free(&t);
	return count;
}

#define A SLUB("a", 1, 21, 192, 21, 1, 1)
#define B SLUB("b", 2, 21, 192, 21, 1, 1)
#define C SLUB("c", 3, 21, 192, 21, 1, 1)

static void test_repeats_at_seams(void **state)
{
	size_t repeats;

	(void)state;
	assert_int_equal(count_with_seam(V21 A B, C, &repeats), 3);
	assert_int_equal(repeats, 0);
	/* One cache was born: the last row comes again, with another count perhaps. */
	assert_int_equal(count_with_seam(V21 A B, SLUB("b", 9, 42, 192, 21, 1, 2) C, &repeats), 3);
	assert_int_equal(repeats, 1);
	/* Two were born. */
	assert_int_equal(count_with_seam(V21 A B, A B C, &repeats), 3);
	assert_int_equal(repeats, 2);
	/*
	 * The same name with another layout, and the same row away from the seam, are other caches.
	 */
	assert_int_equal(count_with_seam(V21 A B, SLUB("b", 2, 32, 128, 32, 1, 1) C, &repeats), 4);
	assert_int_equal(count_with_seam(V21 A B, C B, &repeats), 4);
	assert_int_equal(count_with_seam(V21 A A, B, &repeats), 3);
	assert_int_equal(repeats, 0);
	/* Seams behind the last row and before the first do no harm. */
	assert_int_equal(count_with_seam(V21 A B, "", &repeats), 2);
	assert_int_equal(count_with_seam(V21, A B, &repeats), 2);
}

/* Times of the samples of a text, and how often cache "a" was in use in each. */
static void check_samples(const char *text, size_t n, const int64_t *wall_s)
{
	struct slabstat_spec spec = { .buffer = text, .buffer_size = strlen(text) };
	struct slabstat *h = slabstat_new();
	struct slabstat_source *src;
	struct slabstat_snapshot *s;

	assert_int_equal(slabstat_source_open(h, &spec, &src), 0);
	assert_int_equal(slabstat_source_kind(src), SLABSTAT_SOURCE_PROCFS);
	assert_int_equal(slabstat_source_samples(src), n);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(slabstat_source_seek(src, i), 0);
		assert_int_equal(slabstat_source_read(src, NULL, &s), 0);
		assert_int_equal(slabstat_snapshot_count(s), 2);
		assert_int_equal(number(s, "a", SLABSTAT_OBJECTS), i + 1);
		assert_true(slabstat_snapshot_wall_ns(s) == wall_s[i] * 1000000000);
		assert_int_equal(slabstat_snapshot_notes(s)->bad_rows, 0);
		slabstat_snapshot_free(s);
	}
	slabstat_source_close(src);
	slabstat_free(h);
}

static void test_samples_with_other_marks(void **state)
{
#define ROWS(n) SLUB("a", n, 21, 192, 21, 1, 1) SLUB("b", 7, 21, 192, 21, 1, 1)
	static const int64_t none[3] = { 0 }, times[] = { 1796034691, 1796034692, 0 };

	(void)state;
	check_samples(HEAD ROWS(1) "\n" HEAD ROWS(2) HEAD ROWS(3), 3, none);
	check_samples("Mon Nov 30 10:31:31 UTC 2026\n" V21 HEAD ROWS(
			      1) "1796034692\n" V21 HEAD ROWS(2) V21 ROWS(3),
		      3, times);
	check_samples("1796034691\n" ROWS(1) "1796034692\n" ROWS(2) "Sample #3\n" ROWS(3), 3,
		      times);
	check_samples("Sample #1\n" V21 HEAD ROWS(1) "Sample #2\n" V21 HEAD ROWS(2), 2, none);
#undef ROWS
}

/* Numbers behind a word are no row of an old kernel yet. */
static void test_other_tools_are_refused(void **state)
{
	static const char *const others[] = {
		" r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st\n"
		" 1  0      0 123456   1000  20000    0    0    10    20  100  200  1  1 98  0  0\n",
		"               total        used        free      shared  buff/cache   available\n"
		"Mem:           24014        1404       19340          12        3620       22609\n"
		"Swap:              0           0           0\n",
		"Node 0, zone      DMA      0      0      0      0      0      0      0      0      1      1      2\n",
		" 254       0 vda 6612 1571 532822 4208 12133 9531 420738 8441 0 7172 12649 0 0 0 0 0 0\n",
		"cpu  1 0 2 3 4 0 5 0 0 0\nintr 1 2 3 4 5 6 7 8\n",
		"1234 567 890 12 0 345 0\n4321 765 98 21 0 543 0\n",
		"  eth0: 1000 10 0 0 0 0 0 0 1000 10 0 0 0 0 0 0\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		struct slabstat_spec spec = { .buffer = others[i],
					      .buffer_size = strlen(others[i]) };
		struct slabstat *h = slabstat_new();
		struct slabstat_source *src;

		assert_int_equal(slabstat_source_open(h, &spec, &src), -ENOMSG);
		slabstat_free(h);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_version_2_1_of_slub),
		cmocka_unit_test(test_version_2_1_of_slab_with_statistics),
		cmocka_unit_test(test_statistics_columns_go_by_their_words),
		cmocka_unit_test(test_version_2_0),
		cmocka_unit_test(test_version_1_1_and_its_variants),
		cmocka_unit_test(test_version_1_0),
		cmocka_unit_test(test_a_heading_of_strange_columns),
		cmocka_unit_test(test_heads_may_be_missing),
		cmocka_unit_test(test_names_of_any_kind),
		cmocka_unit_test(test_samples_with_other_marks),
		cmocka_unit_test(test_other_tools_are_refused),
		cmocka_unit_test(test_bad_rows_are_counted_with_their_line),
		cmocka_unit_test(test_every_cut_of_a_row),
		cmocka_unit_test(test_wrapped_rows_are_put_together),
		cmocka_unit_test(test_nothing_to_understand_is_an_error),
		cmocka_unit_test(test_equal_names_are_all_kept_and_counted),
		cmocka_unit_test(test_samples_begin_at_version_lines),
		cmocka_unit_test(test_page_size_from_rows),
		cmocka_unit_test(test_large_counts_may_be_estimates),
		cmocka_unit_test(test_no_row_lost_from_none_to_forty_thousand),
		cmocka_unit_test(test_repeats_at_seams),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
