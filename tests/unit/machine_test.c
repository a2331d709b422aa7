// SPDX-License-Identifier: MIT
/* machine_test.c - facts of the machine that was read, and of no other. */
#include "cmocka_all.h"
#include "rootdir.h"
#include "slabstat/machine.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

struct fixture {
	struct rootdir dir;
	struct root root;
	struct arena arena;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	rootdir_make(&f->dir);
	f->root = (struct root){ .dir = f->dir.path };
	f->root.fd = open(f->dir.path, O_PATH | O_DIRECTORY);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	close(f->root.fd);
	rootdir_remove(&f->dir);
	arena_free(&f->arena);
	free(f);
	return 0;
}

static void test_kernel_of_a_release(void **state)
{
	(void)state;
	assert_int_equal(machine_kernel("6.18.44-amd64"), SLABSTAT_KERNEL(6, 18));
	assert_int_equal(machine_kernel("7.0-rc3"), SLABSTAT_KERNEL(7, 0));
	assert_int_equal(machine_kernel("2.6.32"), SLABSTAT_KERNEL(2, 6));
	assert_int_equal(machine_kernel("6"), 0);
	assert_int_equal(machine_kernel("v6.18"), 0);
	assert_int_equal(machine_kernel("99999.1"), 0);
	assert_int_equal(machine_kernel(""), 0);
}

static void test_a_whole_machine(void **state)
{
	struct fixture *f = *state;
	struct slabstat_machine m;

	rootdir_file(&f->dir, "proc/version", "Linux version 5.10.262-x (b@c) (gcc) #1 SMP\n");
	rootdir_file(&f->dir, "proc/cmdline", "root=/dev/vda slab_nomerge quiet\n");
	rootdir_file(&f->dir, "proc/sys/kernel/random/boot_id", "b41d\n");
	rootdir_file(&f->dir, "sys/devices/system/cpu/possible", "0-3,8,10-11\n");
	rootdir_file(&f->dir, "sys/devices/system/node/has_memory", "0\n");
	assert_int_equal(machine_read(&f->root, &f->arena, &m), 0);
	assert_string_equal(m.release, "5.10.262-x");
	assert_int_equal(m.kernel, SLABSTAT_KERNEL(5, 10));
	assert_string_equal(m.cmdline, "root=/dev/vda slab_nomerge quiet");
	assert_string_equal(m.boot_id, "b41d");
	assert_int_equal(m.cpus, 7);
	assert_int_equal(m.nodes, 1);
	assert_int_equal(m.page_size, 0);
}

/* Whatever runs this test has a release, a page size and CPUs; a bare copy has none. */
static void test_nothing_comes_from_the_viewer(void **state)
{
	struct fixture *f = *state;
	struct slabstat_machine m;

	assert_int_equal(machine_read(&f->root, &f->arena, &m), 0);
	assert_null(m.release);
	assert_null(m.cmdline);
	assert_null(m.boot_id);
	assert_int_equal(m.kernel, 0);
	assert_int_equal(m.cpus, 0);
	assert_int_equal(m.nodes, 0);
	assert_int_equal(m.page_size, 0);
}

static void test_odd_lists_are_unknown(void **state)
{
	static const char *const odd[] = {
		"", "0-", "3-1", "0,x", "0-99999999999999999999", "all"
	};
	struct fixture *f = *state;
	struct slabstat_machine m;

	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		rootdir_file(&f->dir, "sys/devices/system/cpu/possible", odd[i]);
		assert_int_equal(machine_read(&f->root, &f->arena, &m), 0);
		assert_int_equal(m.cpus, 0);
	}
}

static void test_meminfo(void **state)
{
	struct fixture *f = *state;
	struct slabstat_meminfo m;

	machine_meminfo(&f->root, &m);
	assert_false(m.present);
	rootdir_file(&f->dir, "proc/meminfo",
		     "MemTotal:       16 kB\nKReclaimable:   9 kB\nSlab:      300 kB\n"
		     "SReclaimable:     100 kB\nSUnreclaim:       200 kB\n");
	machine_meminfo(&f->root, &m);
	assert_true(m.present);
	assert_int_equal(m.slab_bytes, 300 * 1024);
	assert_int_equal(m.reclaimable_bytes, 100 * 1024);
	assert_int_equal(m.unreclaimable_bytes, 200 * 1024);
	rootdir_file(&f->dir, "proc/meminfo", "Slab:      300 kB\nSReclaimable:     100 kB\n");
	machine_meminfo(&f->root, &m);
	assert_false(m.present);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_kernel_of_a_release), TEST(test_a_whole_machine),
		TEST(test_nothing_comes_from_the_viewer), TEST(test_odd_lists_are_unknown),
		TEST(test_meminfo),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
