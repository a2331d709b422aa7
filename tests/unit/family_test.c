// SPDX-License-Identifier: MIT
/* family_test.c - which names are kin, and which only look like it. */
#include "cmocka_all.h"

#include <slab/slabstat.h>
#include <string.h>

static void check(const char *name, const char *family)
{
	char buf[256];

	assert_int_equal(slabstat_family(name, buf, sizeof(buf)), strlen(family));
	assert_string_equal(buf, family);
}

static void test_kmalloc(void **state)
{
	static const char *const kin[] = {
		"kmalloc-8",	      "kmalloc-1k",	 "kmalloc-cg-64",   "kmalloc-rcl-2k",
		"kmalloc-rnd-03-64",  "kmalloc-rnd-15-8k", "kmalloc-dma-512", "dma-kmalloc-64",
		"kmalloc-part-03-1k", "kmalloc_dma-64",	 "kmalloc-64(2:lxc)",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(kin) / sizeof(kin[0]); i++)
		check(kin[i], "kmalloc-*");
	check("kmalloc-node", "kmalloc-node");
	check("my-kmalloc-64", "my-kmalloc-*");
}

static void test_numbers_and_addresses(void **state)
{
	(void)state;
	check("sgpool-128", "sgpool-*");
	check("biovec-max", "biovec-max");
	check("msg_msg-16k", "msg_msg-*");
	check("raid5-md0", "raid5-md*");
	check("pgtable-2^11", "pgtable-2^*");
	check("size-64", "size-*");
	check("size-64(DMA)", "size-*");
	check("nf_conntrack_ffff8801a2b3c4d5", "nf_conntrack_*");
	check("nf_conntrack_c0d5a2c0", "nf_conntrack_*");
	check("nf_conntrack_ffffffff81af8a80", "nf_conntrack_*");
	check("nf_conntrack_0xc0d5a2c0", "nf_conntrack_*");
	check("nf_conntrack_1", "nf_conntrack_*");
	check("nf_conntrack_expect", "nf_conntrack_expect");
}

static void test_the_rest_stays(void **state)
{
	static const char *const own[] = { "TCPv6",   "request_sock_TCPv6",
					   "dentry",  "ext4_inode_cache",
					   "8",	      ":A-0000128",
					   "",	      "fib6_nodes",
					   "(odd)",   "a(b",
					   "dm io",   "page->ptl",
					   "deadbeef" };

	(void)state;
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		check(own[i], own[i]);
	check("dentry(5:session-c1.scope)", "dentry");
	check("dentry(5:a(b))", "dentry");
}

static void test_small_buffers(void **state)
{
	char buf[16];

	(void)state;
	for (size_t size = 1; size < 12; size++) {
		memset(buf, '#', sizeof(buf));
		assert_int_equal(slabstat_family("kmalloc-64", buf, size), 9);
		assert_int_equal(buf[strlen(buf) + 1] == '#' || strlen(buf) == 9, 1);
		assert_true(strlen(buf) == (size <= 9 ? size - 1 : 9));
		assert_memory_equal(buf, "kmalloc-*", strlen(buf));
	}
	assert_int_equal(slabstat_family("kmalloc-64", NULL, 0), 9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kmalloc),
		cmocka_unit_test(test_numbers_and_addresses),
		cmocka_unit_test(test_the_rest_stays),
		cmocka_unit_test(test_small_buffers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
