// SPDX-License-Identifier: MIT
/* opts_test.c - SLAB_OPTIONS: what is understood, and what is passed over with one warning. */
#include "cmocka_all.h"

#include <slab/slab.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "slab/opts.h"

static struct opts parse(const char *text)
{
	static char copy[256]; /* the options point into it */
	struct opts o = { .cpus = 0 };

	strcpy(copy, text);
	opts_parse(&o, copy);
	return o;
}

static void test_numbers_and_words(void **state)
{
	struct opts o = parse("percpu=lock cpus=16\tmin_order=1  sheaf_capacity=64 min_partial=9");

	(void)state;
	assert_int_equal(o.percpu, OPTS_PERCPU_LOCK);
	assert_int_equal(o.cpus, 16);
	assert_int_equal(o.min_order, 1);
	assert_true(o.sheaf_capacity.given);
	assert_int_equal(o.sheaf_capacity.value, 64);
	assert_int_equal(o.min_partial.value, 9);
	assert_false(o.cpu_partial.given);
}

static void test_nomerge(void **state)
{
	struct opts o = parse("nomerge=dm_*,xfs*");

	(void)state;
	assert_false(o.nomerge_all);
	assert_true(opts_match(o.nomerge, "dm_io"));
	assert_true(opts_match(o.nomerge, "xfs"));
	assert_false(opts_match(o.nomerge, "a_dm_"));
	assert_true(parse("nomerge").nomerge_all);
}

static void test_debug(void **state)
{
	struct opts o = parse("debug=ZU,dentry*,inode");

	(void)state;
	assert_int_equal(opts_debug_flags(&o, "dentry_cache"), SLAB_RED_ZONE | SLAB_STORE_USER);
	assert_int_equal(opts_debug_flags(&o, "inode"), SLAB_RED_ZONE | SLAB_STORE_USER);
	assert_int_equal(opts_debug_flags(&o, "inode2"), 0);
	o = parse("debug");
	assert_int_equal(opts_debug_flags(&o, "any"),
			 SLAB_RED_ZONE | SLAB_POISON | SLAB_STORE_USER | SLAB_CONSISTENCY_CHECKS);
}

static void test_preset(void **state)
{
	struct opts o = parse("preset=2015 min_partial=9");

	(void)state;
	assert_int_equal(o.min_order, 1);
	assert_int_equal(o.sheaf_capacity.value, 0);
	assert_int_equal(o.cpu_partial.value, 13);
	assert_int_equal(o.min_partial.value, 9);
}

static void test_limit(void **state)
{
	(void)state;
	assert_int_equal(parse("limit=12345").limit_bytes, 12345);
	assert_int_equal(parse("limit=64k").limit_bytes, 64 << 10);
	assert_int_equal(parse("limit=3M").limit_bytes, 3 << 20);
	assert_int_equal(parse("limit=5g").limit_bytes, 5ULL << 30);
	assert_int_equal(parse("limit=17179869183G").limit_bytes, 17179869183ULL << 30);
	assert_int_equal(
		parse("limit=17179869184G limit=0 limit=-1 limit= limit limit=1kb limit=4t")
			.limit_bytes,
		0);
}

static void test_failslab(void **state)
{
	static const char *const bad[] = { "failslab", "failslab=1,50,0", "failslab=1,101,0,1",
					   "failslab=1,50,0,-2", "failslab=1,50,0,-1x",
					   "failslab=1,50,0,1,2,3,4", "failslab=1,50,0,1,x" };
	struct opts o = parse("failslab=10,50,4096,-1,7,99");

	(void)state;
	assert_true(o.failslab.given);
	assert_int_equal(o.failslab.rule.interval, 10);
	assert_int_equal(o.failslab.rule.probability, 50);
	assert_int_equal(o.failslab.rule.space, 4096);
	assert_int_equal(o.failslab.rule.times, -1);
	assert_int_equal(o.failslab.rule.after, 7);
	assert_int_equal(o.failslab.rule.seed, 99);
	assert_int_equal(opts_debug_flags(&o, "any"), SLAB_FAILSLAB);
	o = parse("failslab=1,100,0,3 debug=AZ,in*");
	assert_int_equal(o.failslab.rule.times, 3);
	assert_int_equal(opts_debug_flags(&o, "inode"), SLAB_FAILSLAB | SLAB_RED_ZONE);
	assert_int_equal(opts_debug_flags(&o, "any"), 0);
	for (unsigned int i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(parse(bad[i]).failslab.given);
}

static void test_psi(void **state)
{
	static const char *const bad[] = { "psi=", "psi=100", "psi=100/499", "psi=100/20000",
					   "psi=0/1000", "psi=1001/1000", "psi=100/1000," };
	struct opts o = parse("psi");

	(void)state;
	assert_true(o.psi.given);
	assert_int_equal(o.psi.stall_ms, 150);
	assert_int_equal(o.psi.window_ms, 2000);
	assert_null(o.psi.file);
	o = parse("psi=70/1000,/a/file limit=1M");
	assert_int_equal(o.psi.stall_ms, 70);
	assert_int_equal(o.psi.window_ms, 1000);
	assert_string_equal(o.psi.file, "/a/file");
	assert_int_equal(o.limit_bytes, 1 << 20);
	for (unsigned int i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(parse(bad[i]).psi.given);
}

static void test_numa(void **state)
{
	(void)state;
	assert_false(parse("").numa.given);
	assert_false(parse("numa=auto").numa.given);
	assert_int_equal(parse("numa=off").numa.value, 1);
	assert_int_equal(parse("numa=fake:4").numa.value, 4);
	assert_int_equal(parse("numa=off numa=fake:64").numa.value, 64);
	assert_false(parse("numa=fake:65 numa=fake:0 numa=fake: numa=on numa").numa.given);
}

static void test_the_rest_is_passed_over(void **state)
{
	struct opts o = parse("cpus=x sheaf_capacity=2000 percpu=magic min_order=9 debug=Q "
			      "no_such=1 preset=1999 cpu_partial= min_partial=7");

	(void)state;
	assert_int_equal(o.cpus, 0);
	assert_false(o.sheaf_capacity.given);
	assert_int_equal(o.percpu, OPTS_PERCPU_AUTO);
	assert_int_equal(o.min_order, 0);
	assert_int_equal(o.debug, 0);
	assert_false(o.cpu_partial.given);
	assert_int_equal(o.min_partial.value, 7);
}

/* Each bad word has its warning, also where an earlier one has set the value. */
static void test_a_bad_word_is_told(void **state)
{
	int saved = dup(STDERR_FILENO), ends[2];
	char said[512] = "";
	struct opts o;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	dup2(ends[1], STDERR_FILENO);
	o = parse("min_partial=5 min_partial=many percpu=thread");
	dup2(saved, STDERR_FILENO);
	close(ends[1]);
	assert_true(read(ends[0], said, sizeof(said) - 1) >= 0);
	close(ends[0]);
	close(saved);
	assert_int_equal(o.min_partial.value, 5);
	assert_non_null(strstr(said, "bad value in 'min_partial=many'"));
	assert_int_equal(o.percpu, OPTS_PERCPU_AUTO);
	assert_non_null(strstr(said, "percpu takes auto, rseq or lock"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers_and_words),
		cmocka_unit_test(test_nomerge),
		cmocka_unit_test(test_debug),
		cmocka_unit_test(test_preset),
		cmocka_unit_test(test_limit),
		cmocka_unit_test(test_failslab),
		cmocka_unit_test(test_psi),
		cmocka_unit_test(test_numa),
		cmocka_unit_test(test_the_rest_is_passed_over),
		cmocka_unit_test(test_a_bad_word_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
