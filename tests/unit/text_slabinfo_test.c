// SPDX-License-Identifier: MIT
/* text_slabinfo_test.c - the kernel slabinfo's lists, totals, reports and aliases. */
#include "texts.h"

#define HEADING "Name                   Objects Objsize           Space Slabs/Part/Cpu  O/S O %Fr %Ef Flg\n"
#define LOSSES	"Name                   Objects Objsize            Loss Slabs/Part/Cpu  O/S O %Fr %Ef Flg\n"

static void test_list(void **state)
{
	struct slabstat_snapshot *s = read_text(
		HEADING
		":0000048                   632      48           36.8K          5/3/4   85 0  33  82 *\n"
		"dentry                    7312     192            2.1M      532/219/4   21 0  40  63 a\n"
		"file lock cache             51     200           16.3K          0/0/1   20 2   0  62 dAPaZFUT\n"
		"nf_conntrack_ffffffff8199e380       60     264           16.3K          0/0/2   30 1   0  96 \n"
		/* A race made slabs - cpu_slabs negative: 59 slabs, 92 of them held by CPUs. */
		"racy                      4533      48          241.6K 18446744073709551583/9/92   85 0  15  90 \n");

	(void)state;
	assert_int_equal(slabstat_snapshot_count(s), 5);
	assert_int_equal(slabstat_snapshot_notes(s)->bad_rows, 0);
	assert_int_equal(slabstat_snapshot_machine(s)->page_size, 4096);
	assert_false(slabstat_snapshot_machine(s)->page_size_guessed);
	assert_true(slabstat_snapshot_machine(s)->slub);
	assert_int_equal(field_of(s, "dentry", SLABSTAT_OBJECTS), 7312);
	assert_int_equal(field_of(s, "dentry", SLABSTAT_OBJECT_SIZE), 192);
	assert_int_equal(field_of(s, "dentry", SLABSTAT_SLABS), 536);
	assert_int_equal(field_of(s, "dentry", SLABSTAT_PARTIAL), 219);
	assert_int_equal(field_of(s, "dentry", SLABSTAT_CPU_SLABS), 4);
	assert_int_equal(field_of(s, "dentry", SLABSTAT_OBJS_PER_SLAB), 21);
	assert_int_equal(field_of(s, "dentry", SLABSTAT_RECLAIM_ACCOUNT), 1);
	assert_int_equal(field_of(s, "dentry", SLABSTAT_ALIASES), 0);
	/* Exact, although the text says 2.1M. */
	assert_int_equal(field_of(s, "dentry", SLABSTAT_FOOTPRINT), 536 * 4096);
	assert_int_equal(quality_of(s, "dentry", SLABSTAT_FOOTPRINT), SLABSTAT_EXACT);
	assert_int_equal(field_of(s, "dentry", SLABSTAT_LOSS), 536 * 4096 - 7312 * 192);
	assert_int_equal(quality_of(s, ":0000048", SLABSTAT_ALIASES), SLABSTAT_LOWER);
	assert_int_equal(field_of(s, "file lock cache", SLABSTAT_TRACE), 1);
	assert_int_equal(field_of(s, "file lock cache", SLABSTAT_CACHE_DMA), 1);
	assert_int_equal(field_of(s, "nf_conntrack_ffffffff8199e380", SLABSTAT_SLABS), 2);
	assert_int_equal(field_of(s, "racy", SLABSTAT_SLABS), 59);
	assert_int_equal(field_of(s, "racy", SLABSTAT_CPU_SLABS), 59);
	assert_int_equal(slabstat_snapshot_notes(s)->clamped, 1);
	slabstat_snapshot_free(s);
}

static void test_flags_on_a_line_of_their_own(void **state)
{
	struct slabstat_snapshot *s = read_text(
		HEADING
		"> dentry                    7312     192            2.1M      532/219/4   21 0  40  63\n"
		"> a\n"
		"> inode                      100     600           71.0K          0/1/2  109 0  50  45 \n"
		"> What is to be seen here?\n");

	(void)state;
	assert_int_equal(field_of(s, "dentry", SLABSTAT_RECLAIM_ACCOUNT), 1);
	assert_int_equal(field_of(s, "inode", SLABSTAT_RECLAIM_ACCOUNT), 0);
	slabstat_snapshot_free(s);
}

static void test_losses_and_page_sizes(void **state)
{
	/* 64 KiB pages, and loss in the place of space; once without a heading. */
	static const char rows[] =
		"dentry                    7312     192           31.9M      500/219/9  341 0  43   4 a\n"
		"inode                      100     600           71.0K          0/1/2  109 0  50  45 \n";
	struct slabstat_snapshot *s;
	char text[1000];

	(void)state;
	for (int heading = 0; heading < 2; heading++) {
		snprintf(text, sizeof(text), "%s%s", heading ? LOSSES : "", rows);
		s = read_text(text);
		assert_int_equal(slabstat_snapshot_count(s), 2);
		assert_int_equal(slabstat_snapshot_machine(s)->page_size, 65536);
		assert_int_equal(field_of(s, "dentry", SLABSTAT_FOOTPRINT), 509 * 65536);
		assert_int_equal(field_of(s, "dentry", SLABSTAT_LOSS), 509 * 65536 - 7312 * 192);
		slabstat_snapshot_free(s);
	}
}

static const char totals[] =
	"Slabcache Totals\n"
	"----------------\n"
	"Slabcaches :             187   Aliases  :         124->63   Active:     85\n"
	"Memory used:           20.2M   # Loss   :            5.7M   MRatio:    39%\n"
	"# Objects  :           64.1K   # PartObj:            3.4K   ORatio:     5%\n"
	"\n"
	"Per Cache         Average              Min              Max            Total\n"
	"----------------------------------------------------------------------------\n"
	"#Objects              754               12            11.1K            64.1K\n"
	"#Slabs                 29                1              536             2.4K\n"
	"#PartSlab               7                0              219              676\n"
	"%PartSlab              8%               0%              88%              27%\n"
	"PartObjs                5                0              679             3.4K\n"
	"% PartObj              4%               0%              49%               5%\n"
	"Memory             237.6K             4.0K             4.0M            20.2M\n"
	"Used               170.2K             3.0K             3.8M            14.4M\n"
	"Loss                67.3K                0             3.0M             5.7M\n"
	"\n"
	"Per Object        Average              Min              Max\n"
	"-----------------------------------------------------------\n"
	"Memory                227                8             8.4K\n"
	"User                  225                8             8.3K\n"
	"Loss                    1                0               64\n";

static void test_totals(void **state)
{
	struct slabstat_snapshot *s = read_text(totals);

	(void)state;
	assert_int_equal(slabstat_snapshot_count(s), 0);
	assert_int_equal(slabstat_snapshot_notes(s)->links, 124);
	assert_int_equal(field_of(s, NULL, SLABSTAT_FOOTPRINT), 20200000);
	assert_int_equal(quality_of(s, NULL, SLABSTAT_FOOTPRINT), SLABSTAT_ESTIMATE);
	assert_int_equal(field_of(s, NULL, SLABSTAT_USED), 14400000);
	assert_int_equal(field_of(s, NULL, SLABSTAT_LOSS), 5700000);
	assert_int_equal(field_of(s, NULL, SLABSTAT_OBJECTS), 64100);
	assert_int_equal(field_of(s, NULL, SLABSTAT_OBJECTS_PARTIAL), 3400);
	assert_int_equal(field_of(s, NULL, SLABSTAT_SLABS), 2400);
	/* Printed whole, so exact. */
	assert_int_equal(field_of(s, NULL, SLABSTAT_PARTIAL), 676);
	assert_int_equal(quality_of(s, NULL, SLABSTAT_PARTIAL), SLABSTAT_EXACT);
	slabstat_snapshot_free(s);
}

/* A sample of -X: three blocks; old kernels put a count behind a title and one heading for all. */
static void add_xtotals(FILE *out, int n, bool old)
{
	fprintf(out, "Slabcache Totals\n----------------\n"
		"Slabcaches : 140      Aliases  :   0->0   Active: 105\n"
		"Memory used: %d   # Loss   : 3872736   MRatio:     4%%\n"
		"# Objects  : 329484   # PartObj:    484   ORatio:     0%%\n\n", 98828288 + n);
	fprintf(out, "Slabs sorted by size%s\n---------\n%s", old ? " (2)" : "", HEADING);
	fprintf(out,
		"ext4_inode_cache         %d    1736        35258368       1072/0/4   18 3   0  95 a\n",
		19368 + n);
	fputs("names_cache                46    4096          458752         12/7/2    8 3  50  41 A\n",
	      out);
	fprintf(out, "\nSlabs sorted by loss%s\n---------\n%s", old ? " (2)" : "",
		old ? "" : LOSSES);
	fprintf(out,
		"ext4_inode_cache         %d    1736         %d       1072/0/4   18 3   0  95 a\n",
		19368 + n, 35258368 - (19368 + n) * 1736);
	fputs("task_struct               174    4928          125568        19/3/11    6 3  10  87 \n\n",
	      out);
	if (old)
		return;
	fprintf(out, "Slabs sorted by number of partial slabs\n---------\n%s", HEADING);
	fputs("names_cache                46    4096          458752         12/7/2    8 3  50  41 A\n",
	      out);
	fputs("vm_area_struct            686     176          245760       49/45/11   23 0  75  49 \n\n\n",
	      out);
}

static void test_loops_of_extended_totals(void **state)
{
	(void)state;
	for (int old = 0; old < 2; old++) {
		for (int marked = 0; marked < 2; marked++) {
			struct buffer b;
			struct opened o;

			buffer_open(&b);
			for (int n = 0; n < 4; n++) {
				if (marked)
					fprintf(b.out, "Sample #%d\n", n + 408);
				add_xtotals(b.out, n, old);
			}
			buffer_done(&b);
			o = open_text(b.text, b.len);
			assert_int_equal(slabstat_source_samples(o.source), 4);
			for (size_t n = 0; n < 4; n++) {
				struct slabstat_snapshot *s = read_sample(&o, n);

				assert_int_equal(slabstat_snapshot_count(s), old ? 3 : 4);
				assert_int_equal(field_of(s, NULL, SLABSTAT_FOOTPRINT),
						 98828288 + n);
				assert_int_equal(field_of(s, "ext4_inode_cache", SLABSTAT_OBJECTS),
						 19368 + n);
				assert_int_equal(field_of(s, "task_struct", SLABSTAT_LOSS),
						 30 * 32768 - 174 * 4928);
				assert_int_equal(slabstat_snapshot_notes(s)->bad_rows, 0);
				slabstat_snapshot_free(s);
			}
			close_text(&o);
			free(b.text);
		}
	}
}

static const char report[] =
	"\n"
	"Slabcache: odd Aliases: x   Aliases:  2 Order :  1 Objects: 7312\n"
	"** Hardware cacheline aligned\n"
	"** Reclaim accounting active\n"
	"\n"
	"Sizes (bytes)     Slabs              Debug                Memory\n"
	"------------------------------------------------------------------------\n"
	"Object :     184  Total  :     180   Sanity Checks : On   Total: 1474560\n"
	"SlabObj:     192  Full   :     100   Redzoning     : Off  Used : 1345408\n"
	"SlabSiz:    8192  Partial:      76   Poisoning     : On   Loss :  129152\n"
	"Loss   :       8  CpuSlab:       4   Tracking      : Off  Lalig:   58496\n"
	"Align  :       8  Objects:      42   Tracing       : Off  Lpadd:   23040\n"
	"\n"
	"odd has no kmem_cache operations\n"
	"\n"
	"odd: Kernel object allocation\n"
	"-----------------------------------------------------------------------\n"
	"No Data\n";

static void test_report(void **state)
{
	static const char name[] = "odd Aliases: x";
	struct slabstat_snapshot *s = read_text(report);

	(void)state;
	assert_int_equal(slabstat_snapshot_count(s), 1);
	assert_int_equal(slabstat_snapshot_machine(s)->page_size, 4096);
	assert_int_equal(field_of(s, name, SLABSTAT_ALIASES), 2);
	assert_int_equal(field_of(s, name, SLABSTAT_ORDER), 1);
	assert_int_equal(field_of(s, name, SLABSTAT_OBJECTS), 7312);
	assert_int_equal(field_of(s, name, SLABSTAT_OBJECT_SIZE), 184);
	assert_int_equal(field_of(s, name, SLABSTAT_SLAB_SIZE), 192);
	assert_int_equal(field_of(s, name, SLABSTAT_OBJS_PER_SLAB), 42);
	assert_int_equal(field_of(s, name, SLABSTAT_SLABS), 180);
	assert_int_equal(field_of(s, name, SLABSTAT_PARTIAL), 76);
	assert_int_equal(field_of(s, name, SLABSTAT_CPU_SLABS), 4);
	assert_int_equal(field_of(s, name, SLABSTAT_FOOTPRINT), 180 * 8192);
	assert_int_equal(field_of(s, name, SLABSTAT_LOSS), 129152);
	assert_int_equal(field_of(s, name, SLABSTAT_PADDING), 58496);
	assert_int_equal(field_of(s, name, SLABSTAT_SANITY_CHECKS), 1);
	assert_int_equal(field_of(s, name, SLABSTAT_RED_ZONE), 0);
	assert_int_equal(field_of(s, name, SLABSTAT_POISON), 1);
	assert_int_equal(field_of(s, name, SLABSTAT_HWCACHE_ALIGN), 1);
	assert_int_equal(field_of(s, name, SLABSTAT_DESTROY_BY_RCU), 0);
	slabstat_snapshot_free(s);
}

static void test_list_then_report_of_the_same_cache(void **state)
{
	struct buffer b;
	struct opened o;
	struct slabstat_snapshot *s;

	(void)state;
	buffer_open(&b);
	fputs(HEADING "odd Aliases: x    100 184 8192 0/0/1 42 1 0 100 a\n(snip)\n", b.out);
	fputs(report, b.out);
	buffer_done(&b);
	o = open_text(b.text, b.len);
	assert_int_equal(slabstat_source_samples(o.source), 2);
	s = read_sample(&o, 0);
	assert_int_equal(slabstat_snapshot_count(s), 1);
	assert_int_equal(field_of(s, "odd Aliases: x", SLABSTAT_OBJECTS), 100);
	slabstat_snapshot_free(s);
	s = read_sample(&o, 1);
	assert_int_equal(slabstat_snapshot_count(s), 1);
	assert_int_equal(field_of(s, "odd Aliases: x", SLABSTAT_OBJECTS), 7312);
	slabstat_snapshot_free(s);
	close_text(&o);
	free(b.text);
}

static void test_activity(void **state)
{
	struct slabstat_snapshot *s = read_text(
		"Name                   Objects      Alloc       Free   %Fast Fallb O CmpX   UL\n"
		"dentry                    7312     100000      92688  96  41     5 0    2    1\n");

	(void)state;
	assert_int_equal(field_of(s, "dentry", SLABSTAT_ALLOCS), 100000);
	assert_int_equal(field_of(s, "dentry", SLABSTAT_FREES), 92688);
	assert_int_equal(field_of(s, "dentry", SLABSTAT_ORDER_FALLBACK), 5);
	assert_int_equal(field_of(s, "dentry", SLABSTAT_CMPXCHG_DOUBLE_CPU_FAIL), 1);
	slabstat_snapshot_free(s);
}

static void test_aliases(void **state)
{
	struct slabstat_snapshot *s = read_text("\n:0000024     <- audit_buffer fsnotify\n"
						":a-0000104   <- buffer_head\n");

	(void)state;
	assert_int_equal(slabstat_snapshot_count(s), 2);
	assert_string_equal(slabstat_cache_name(slabstat_snapshot_find(s, "fsnotify")), ":0000024");
	assert_string_equal(slabstat_cache_label(slabstat_snapshot_find(s, ":0000024")),
			    "audit_buffer");
	slabstat_snapshot_free(s);

	s = read_text("audit_buffer    -> :0000024\nfsnotify -> :0000024\n" HEADING
		      ":0000024                   170      24            4096          0/0/1  170 0   0  99 *\n");
	assert_int_equal(slabstat_snapshot_count(s), 1);
	assert_int_equal(field_of(s, "audit_buffer", SLABSTAT_OBJECTS), 170);
	slabstat_snapshot_free(s);
}

static void test_cut_and_garbled_rows(void **state)
{
	struct slabstat_snapshot *s = read_text(
		HEADING
		"Here is the list 1/2:\n"
		"dentry                    7312     192            2.1M      532/219/4   21 0  40  63 a\n"
		"garbled                   73x2     192            2.1M      532/219/4   21 0  40  63 a\n"
		"cut                       7312     192            2.1M      532/219/4   21 0\n"
		"last                      7312     192 ");

	(void)state;
	assert_int_equal(slabstat_snapshot_count(s), 1);
	assert_int_equal(slabstat_snapshot_notes(s)->bad_rows, 3);
	assert_int_equal(slabstat_snapshot_notes(s)->first_bad_row, 4);
	slabstat_snapshot_free(s);
}

static void test_any_number_of_rows(void **state)
{
	static const size_t counts[] = { 0, 1, 2, 1000, 40000 };

	(void)state;
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		struct buffer b;
		uint64_t expect = 0;

		buffer_open(&b);
		fputs(HEADING, b.out);
		/* A third of the names come twice. */
		for (size_t n = 0; n < counts[i]; n++) {
			fprintf(b.out, "%-21s%zu %8zu %7u %15zu %14zu/0/0 %4u 0   0  99 \n",
				"cache", n % (counts[i] - counts[i] / 3), n, 40, n * 4096, n, 102);
			expect += n;
		}
		check_rows(&b, counts[i], SLABSTAT_SLABS, expect);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_flags_on_a_line_of_their_own),
		cmocka_unit_test(test_losses_and_page_sizes),
		cmocka_unit_test(test_totals),
		cmocka_unit_test(test_loops_of_extended_totals),
		cmocka_unit_test(test_report),
		cmocka_unit_test(test_list_then_report_of_the_same_cache),
		cmocka_unit_test(test_activity),
		cmocka_unit_test(test_aliases),
		cmocka_unit_test(test_cut_and_garbled_rows),
		cmocka_unit_test(test_any_number_of_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
