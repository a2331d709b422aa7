// SPDX-License-Identifier: MIT
/*
 * captures_test.c - every file that people posted gives its rows, each value in its place.
 *
 * The files are not part of the project: they are looked for under $SLABKIT_SHARED (../shared) and
 * the test is skipped where they are not. Rows were counted and values read off by eye.
 */
#include "texts.h"

#include <unistd.h>

#define PROCFS SLABSTAT_SOURCE_PROCFS
#define TEXT   SLABSTAT_SOURCE_TEXT

static const char *shared(void)
{
	const char *dir = getenv("SLABKIT_SHARED");

	return dir ? dir : "../shared";
}

static struct opened open_file(const char *name)
{
	struct opened o = { slabstat_new(), NULL };
	char *path;

	assert_true(asprintf(&path, "%s/%s", shared(), name) > 0);
	if (slabstat_source_open(o.h, &(struct slabstat_spec){ .file = path }, &o.source))
		fail_msg("%s: %s", path, slabstat_error(o.h)->text);
	free(path);
	return o;
}

static const struct {
	const char *file;
	enum slabstat_source_kind kind;
	size_t samples, rows;		/* of the first sample */
	bool slub;
	bool totals;
} files[] = {
	{ "captures/01-node-exporter-fixture.txt", PROCFS, 1, 4, true, false },
	{ "captures/03-telegraf-slab-testdata.txt", PROCFS, 1, 21, true, false },
	{ "captures/08-xilinx-arm-slab-tunables.txt", PROCFS, 1, 84, false, false },
	{ "captures/11-hotsos-k8s-slabtop-o.txt", TEXT, 1, 211, false, true },
	{ "captures/19-linux24-v1.1-smp-spaces-in-names.txt", PROCFS, 1, 60, false, false },
	{ "captures/21-pcp-meminfo002-nfconntrack-ptr.txt", PROCFS, 1, 129, true, false },
	{ "captures/26-linux2612-v2.1-statistics-tabs.txt", PROCFS, 1, 21, false, false },
	{ "captures/31-slabinfo-T-5.11-slub-debug.txt", TEXT, 1, 0, true, true },
	{ "captures/37-ubuntu2404-slabinfo-same-host.txt", PROCFS, 1, 386, true, false },
	{ "captures/45-slabinfo-l-unsigned-overflow-3.2rc.txt", TEXT, 1, 59, true, false },
	{ "captures/46-slabinfo-S-and-single-report-2.6.27.txt", TEXT, 2, 7, true, false },
	{ "captures/53-synology-slab-tunables-r8152.txt", PROCFS, 1, 20, false, false },
	{ "captures/57-openwrt-ath9k-repeated-samples-grep.txt", PROCFS, 1, 11, true, false },
	{ "captures/58-fritzbox-dmesg-prefixed-slabinfo.txt", PROCFS, 1, 11, true, false },
	{ "data/seed/proc-slabinfo-nomerge-4.2.txt", PROCFS, 1, 140, true, false },
	{ "data/seed/slabinfo-T.txt", TEXT, 1, 0, true, true },
	{ "data/seed/xtotals-408-410.txt", TEXT, 3, 7, true, true },
	{ "data/seed/unused-merge.txt", TEXT, 2236, 0, false, true },
	{ "data/seed/unused-nomerge.txt", TEXT, 2152, 0, false, true },
};

static void test_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct opened o = open_file(files[i].file);
		struct slabstat_snapshot *s = read_sample(&o, 0);
		const struct slabstat_machine *m = slabstat_snapshot_machine(s);

		if (slabstat_source_kind(o.source) != files[i].kind ||
		    slabstat_source_samples(o.source) != files[i].samples ||
		    slabstat_snapshot_count(s) != files[i].rows || m->slub != files[i].slub ||
		    (slabstat_snapshot_reported(s) != NULL) != files[i].totals)
			fail_msg("%s: %s, %zu samples, %zu rows, slub %d", files[i].file,
				 slabstat_source_kind_name(slabstat_source_kind(o.source)),
				 slabstat_source_samples(o.source), slabstat_snapshot_count(s),
				 m->slub);
		assert_int_equal(m->page_size, 4096);
		slabstat_snapshot_free(s);
		close_text(&o);
	}
}

static const struct {
	const char *file;
	size_t sample;
	const char *cache;		/* NULL: the totals stated */
	enum slabstat_field field;
	uint64_t value;
} spots[] = {
	{ "captures/01-node-exporter-fixture.txt", 0, "tw_sock_TCP", SLABSTAT_OBJECTS, 704 },
	{ "captures/01-node-exporter-fixture.txt", 0, "dmaengine-unmap-128", SLABSTAT_SLAB_SIZE,
	  1088 },
	{ "captures/01-node-exporter-fixture.txt", 0, "kmalloc-8192", SLABSTAT_FOOTPRINT,
	  37 * 8 * 4096 },
	{ "captures/03-telegraf-slab-testdata.txt", 0, "kmalloc-1024", SLABSTAT_OBJECTS, 155845 },
	{ "captures/03-telegraf-slab-testdata.txt", 0, "kmem_cache", SLABSTAT_SLABS, 10 },
	{ "captures/08-xilinx-arm-slab-tunables.txt", 0, "eventpoll_pwq", SLABSTAT_SHAREDAVAIL,
	  18 },
	{ "captures/08-xilinx-arm-slab-tunables.txt", 0, "TCPv6", SLABSTAT_LIMIT, 24 },
	{ "captures/08-xilinx-arm-slab-tunables.txt", 0, "TCPv6", SLABSTAT_BATCHCOUNT, 12 },
	{ "captures/08-xilinx-arm-slab-tunables.txt", 0, "skbuff_fclone_cache",
	  SLABSTAT_ACTIVE_SLABS, 6 },
	{ "captures/08-xilinx-arm-slab-tunables.txt", 0, "skbuff_fclone_cache", SLABSTAT_SLABS, 7 },
	{ "captures/11-hotsos-k8s-slabtop-o.txt", 0, "buffer_head", SLABSTAT_TOTAL_OBJECTS,
	  592605 },
	{ "captures/11-hotsos-k8s-slabtop-o.txt", 0, "buffer_head", SLABSTAT_OBJECTS, 542130 },
	{ "captures/11-hotsos-k8s-slabtop-o.txt", 0, "buffer_head", SLABSTAT_FOOTPRINT,
	  60780 * 1024 },
	{ "captures/11-hotsos-k8s-slabtop-o.txt", 0, "buffer_head", SLABSTAT_SLAB_SIZE, 104 },
	{ "captures/11-hotsos-k8s-slabtop-o.txt", 0, "au_finfo", SLABSTAT_OBJS_PER_SLAB, 21 },
	{ "captures/11-hotsos-k8s-slabtop-o.txt", 0, NULL, SLABSTAT_TOTAL_OBJECTS, 1241627 },
	{ "captures/11-hotsos-k8s-slabtop-o.txt", 0, NULL, SLABSTAT_SLABS, 36832 },
	{ "captures/19-linux24-v1.1-smp-spaces-in-names.txt", 0, "file lock cache",
	  SLABSTAT_TOTAL_OBJECTS, 504 },
	{ "captures/19-linux24-v1.1-smp-spaces-in-names.txt", 0, "dnotify cache",
	  SLABSTAT_SLAB_SIZE, 20 },
	{ "captures/19-linux24-v1.1-smp-spaces-in-names.txt", 0, "buffer_head", SLABSTAT_FOOTPRINT,
	  17994 * 4096 },
	{ "captures/19-linux24-v1.1-smp-spaces-in-names.txt", 0, "size-131072(DMA)",
	  SLABSTAT_PAGES_PER_SLAB, 32 },
	{ "captures/19-linux24-v1.1-smp-spaces-in-names.txt", 0, "sock", SLABSTAT_LIMIT, 124 },
	{ "captures/21-pcp-meminfo002-nfconntrack-ptr.txt", 0, "nf_conntrack_ffffffff81a25e00",
	  SLABSTAT_OBJECTS, 1632 },
	{ "captures/21-pcp-meminfo002-nfconntrack-ptr.txt", 0, "kmalloc-4096", SLABSTAT_SLABS,
	  265 },
	{ "captures/26-linux2612-v2.1-statistics-tabs.txt", 0, "as_arq", SLABSTAT_REMOTEFREES,
	  7028907 },
	{ "captures/26-linux2612-v2.1-statistics-tabs.txt", 0, "as_arq", SLABSTAT_HIGH_OBJS,
	  20552 },
	{ "captures/26-linux2612-v2.1-statistics-tabs.txt", 0, "UNIX", SLABSTAT_MAXFREEABLE, 1 },
	{ "captures/26-linux2612-v2.1-statistics-tabs.txt", 0, "jfs_ip", SLABSTAT_FREEHIT, 105 },
	{ "captures/26-linux2612-v2.1-statistics-tabs.txt", 0, "scsi_cmd_cache", SLABSTAT_GROWN,
	  19045 },
	{ "captures/31-slabinfo-T-5.11-slub-debug.txt", 0, NULL, SLABSTAT_FOOTPRINT, 211200000 },
	{ "captures/31-slabinfo-T-5.11-slub-debug.txt", 0, NULL, SLABSTAT_LOSS, 112700000 },
	{ "captures/31-slabinfo-T-5.11-slub-debug.txt", 0, NULL, SLABSTAT_SLABS, 21700 },
	{ "captures/37-ubuntu2404-slabinfo-same-host.txt", 0, "dentry", SLABSTAT_OBJECTS, 170015 },
	{ "captures/37-ubuntu2404-slabinfo-same-host.txt", 0, "kmalloc-rnd-15-512", SLABSTAT_SLABS,
	  160 },
	{ "captures/37-ubuntu2404-slabinfo-same-host.txt", 0, "names_cache", SLABSTAT_TOTAL_OBJECTS,
	  160 },
	{ "captures/45-slabinfo-l-unsigned-overflow-3.2rc.txt", 0, ":t-0000048", SLABSTAT_SLABS,
	  59 },
	{ "captures/45-slabinfo-l-unsigned-overflow-3.2rc.txt", 0, "signal_cache",
	  SLABSTAT_FOOTPRINT, 22 * 16384 },
	{ "captures/45-slabinfo-l-unsigned-overflow-3.2rc.txt", 0, "nf_conntrack_ffffffff8199e380",
	  SLABSTAT_OBJECTS, 60 },
	{ "captures/45-slabinfo-l-unsigned-overflow-3.2rc.txt", 0, "dentry",
	  SLABSTAT_RECLAIM_ACCOUNT, 1 },
	{ "captures/46-slabinfo-S-and-single-report-2.6.27.txt", 0, "dentry", SLABSTAT_OBJECTS,
	  13849670 },
	{ "captures/46-slabinfo-S-and-single-report-2.6.27.txt", 0, ":0000040", SLABSTAT_PARTIAL,
	  4284 },
	{ "captures/46-slabinfo-S-and-single-report-2.6.27.txt", 1, "dentry", SLABSTAT_OBJECTS,
	  13758527 },
	{ "captures/46-slabinfo-S-and-single-report-2.6.27.txt", 1, "dentry", SLABSTAT_FOOTPRINT,
	  2966052864 },
	{ "captures/53-synology-slab-tunables-r8152.txt", 0, "anon_vma", SLABSTAT_SHAREDAVAIL,
	  420 },
	{ "captures/53-synology-slab-tunables-r8152.txt", 0, "dma-kmalloc-4194304",
	  SLABSTAT_PAGES_PER_SLAB, 1024 },
	{ "captures/57-openwrt-ath9k-repeated-samples-grep.txt", 0, "kmalloc-4096",
	  SLABSTAT_OBJECTS, 110 },
	{ "captures/57-openwrt-ath9k-repeated-samples-grep.txt", 0, "kmalloc-512",
	  SLABSTAT_SLAB_SIZE, 768 },
	{ "captures/58-fritzbox-dmesg-prefixed-slabinfo.txt", 0, "fib6_nodes", SLABSTAT_OBJECTS,
	  84 },
	{ "captures/58-fritzbox-dmesg-prefixed-slabinfo.txt", 0, "sgpool-128", SLABSTAT_SLAB_SIZE,
	  2592 },
	{ "data/seed/proc-slabinfo-nomerge-4.2.txt", 0, "sda2", SLABSTAT_OBJECTS, 117 },
	{ "data/seed/proc-slabinfo-nomerge-4.2.txt", 0, "kmem_cache", SLABSTAT_SLABS, 9 },
	{ "data/seed/slabinfo-T.txt", 0, NULL, SLABSTAT_FOOTPRINT, 60000000 },
	{ "data/seed/slabinfo-T.txt", 0, NULL, SLABSTAT_USED, 46800000 },
	{ "data/seed/xtotals-408-410.txt", 0, NULL, SLABSTAT_FOOTPRINT, 98828288 },
	{ "data/seed/xtotals-408-410.txt", 0, NULL, SLABSTAT_LOSS, 3872736 },
	{ "data/seed/xtotals-408-410.txt", 0, "biovec-256", SLABSTAT_LOSS, 204800 },
	{ "data/seed/xtotals-408-410.txt", 1, NULL, SLABSTAT_FOOTPRINT, 107409408 },
	{ "data/seed/xtotals-408-410.txt", 1, NULL, SLABSTAT_LOSS, 3782600 },
	{ "data/seed/xtotals-408-410.txt", 1, "biovec-256", SLABSTAT_FOOTPRINT, 8749056 },
	{ "data/seed/xtotals-408-410.txt", 2, NULL, SLABSTAT_FOOTPRINT, 100171776 },
	{ "data/seed/xtotals-408-410.txt", 2, NULL, SLABSTAT_LOSS, 3975712 },
	{ "data/seed/xtotals-408-410.txt", 2, "radix_tree_node", SLABSTAT_OBJECTS, 6888 },
	{ "data/seed/unused-merge.txt", 0, NULL, SLABSTAT_LOSS, 321152 },
	{ "data/seed/unused-nomerge.txt", 1, NULL, SLABSTAT_LOSS, 135360 },
};

static void test_spots(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(spots) / sizeof(spots[0]); i++) {
		struct opened o = open_file(spots[i].file);
		struct slabstat_snapshot *s = read_sample(&o, spots[i].sample);
		uint64_t value = field_of(s, spots[i].cache, spots[i].field);

		if (value != spots[i].value)
			fail_msg("%s: %s %s is %ju", spots[i].file,
				 spots[i].cache ? spots[i].cache : "total",
				 slabstat_field_info(spots[i].field)->id, (uintmax_t)value);
		slabstat_snapshot_free(s);
		close_text(&o);
	}
}

/* The mean of a column of numbers, for the two that were measured. */
static void test_columns(void **state)
{
	static const struct {
		const char *file;
		uint64_t sum, max;
	} columns[] = {
		{ "data/seed/unused-merge.txt", UINT64_C(833413056), 2141120 },
		{ "data/seed/unused-nomerge.txt", UINT64_C(409841576), 435904 },
	};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct opened o = open_file(columns[i].file);
		uint64_t sum = 0, max = 0;

		for (size_t n = 0; n < slabstat_source_samples(o.source); n++) {
			struct slabstat_snapshot *s = read_sample(&o, n);
			uint64_t value = field_of(s, NULL, SLABSTAT_LOSS);

			sum += value;
			max = value > max ? value : max;
			slabstat_snapshot_free(s);
		}
		if (sum != columns[i].sum || max != columns[i].max)
			fail_msg("%s: sum %ju, max %ju", columns[i].file, (uintmax_t)sum,
				 (uintmax_t)max);
		close_text(&o);
	}
}

/* What the kernel's tool printed of a tree says the same as the tree. */
static void test_lists_agree_with_their_trees(void **state)
{
	static const char *const kernels[] = { "5.10.262-default", "6.12.117-default",
					       "6.12.117-slab_nomerge", "7.3.4-default" };
	static const size_t rows[] = { 127, 187, 248, 203 };
	static const enum slabstat_field fields[] = { SLABSTAT_OBJECTS,	      SLABSTAT_OBJECT_SIZE,
						      SLABSTAT_SLABS,	      SLABSTAT_PARTIAL,
						      SLABSTAT_OBJS_PER_SLAB, SLABSTAT_ORDER,
						      SLABSTAT_RECLAIM_ACCOUNT, SLABSTAT_USED };
	char name[100];

	(void)state;
	for (size_t k = 0; k < sizeof(kernels) / sizeof(kernels[0]); k++) {
		struct opened list, tree;
		struct slabstat_snapshot *l, *t;

		snprintf(name, sizeof(name), "data/trees/%s/slab-after.txt", kernels[k]);
		tree = open_file(name);
		snprintf(name, sizeof(name), "data/trees/%s/kernel-tool-after/list-z.txt",
			 kernels[k]);
		list = open_file(name);
		l = read_sample(&list, 0);
		t = read_sample(&tree, 0);
		assert_int_equal(slabstat_snapshot_count(l), rows[k]);
		assert_int_equal(slabstat_snapshot_count(t), rows[k]);
		for (size_t i = 0; i < rows[k]; i++) {
			const char *cache = slabstat_cache_name(slabstat_snapshot_cache(l, i));

			for (size_t f = 0; f < sizeof(fields) / sizeof(fields[0]); f++)
				assert_int_equal(field_of(l, cache, fields[f]),
						 field_of(t, cache, fields[f]));
		}
		slabstat_snapshot_free(l);
		slabstat_snapshot_free(t);
		close_text(&list);
		close_text(&tree);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_spots),
		cmocka_unit_test(test_columns),
		cmocka_unit_test(test_lists_agree_with_their_trees),
	};

	/* Not by skip(): what cmocka prints for it counts as a failure. */
	if (access(shared(), R_OK | X_OK) != 0) {
		printf("1..0 # SKIP no captures in %s\n", shared());
		return 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
