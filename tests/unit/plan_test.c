// SPDX-License-Identifier: MIT
/*
 * plan_test.c - changes are refused before a write, made together or not at all, read back, undone.
 */
#include "cmocka_all.h"
#include "slabstat/plan.h"
#include "slabtree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct fixture {
	struct slabtree tree;
	struct slabstat *h;
	struct slabstat_tune *tune;
	struct slabstat_plan *plan;
};

static const struct slabstat_occasion permanent = { .what = "tune" };
static const struct slabstat_occasion temporary = { .what = "run",
						    .command = "make",
						    .temporary = true };

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	struct slabstat_tune_spec spec = { .kernel = SLABSTAT_KERNEL(6, 18), .page_size = 4096 };

	slabtree_make(&f->tree);
	f->h = slabstat_new();
	spec.root = f->tree.root;
	spec.journal = f->tree.journal;
	assert_int_equal(slabstat_tune_open(f->h, &spec, &f->tune), 0);
	f->plan = slabstat_plan_new(f->tune);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	slabstat_plan_free(f->plan);
	slabstat_tune_close(f->tune);
	slabstat_free(f->h);
	slabtree_remove(&f->tree);
	free(f);
	return 0;
}

static int add(struct fixture *f, const char *name, enum slabstat_field field, uint64_t value)
{
	return slabstat_plan_add(f->plan, name, field, value, 0);
}

static void has(struct fixture *f, const char *cache, const char *attribute, const char *text)
{
	assert_string_equal(slabtree_get(&f->tree, cache, attribute), text);
}

static bool says(struct fixture *f, const char *part)
{
	return strstr(slabstat_error(f->h)->text, part) != NULL;
}

static size_t open_entries(struct fixture *f)
{
	struct slabstat_history *history;
	size_t n = 0;

	assert_int_equal(slabstat_history_read(f->tune, &history), 0);
	for (size_t i = 0; i < slabstat_history_count(history); i++)
		n += slabstat_history_entry(history, i)->state != SLABSTAT_ENTRY_UNDONE;
	slabstat_history_free(history);
	return n;
}

static void test_look(void **state)
{
	struct fixture *f = *state;
	struct slabstat_tunable t;

	assert_int_equal(slabstat_tune_look(f->tune, "pool", SLABSTAT_CPU_PARTIAL, &t), 0);
	assert_true(t.present && t.readable && t.default_known);
	assert_int_equal(t.value, 52);
	assert_int_equal(t.standard, 52);
	assert_true(t.high == UINT32_MAX);
	slabtree_set(&f->tree, "dentry", "red_zone", "1\n");
	assert_int_equal(slabstat_tune_look(f->tune, "dentry", SLABSTAT_CPU_PARTIAL, &t), 0);
	assert_int_equal(t.high, 0);
	assert_non_null(strstr(t.why, "debug"));
	assert_int_equal(slabstat_tune_look(f->tune, "nobody", SLABSTAT_CPU_PARTIAL, &t), -ENOENT);
}

static void test_refusals_come_before_any_write(void **state)
{
	struct fixture *f = *state;

	slabtree_set(&f->tree, "dentry", "poison", "1\n");
	assert_int_equal(add(f, "pool", SLABSTAT_CPU_PARTIAL, 0), 0);
	assert_int_equal(add(f, "dentry", SLABSTAT_CPU_PARTIAL, 30), -EINVAL);
	assert_true(says(f, "debug"));
	assert_int_equal(add(f, "pool", SLABSTAT_CPU_PARTIAL, (uint64_t)1 << 32), -EEXIST);
	assert_int_equal(add(f, "dentry", SLABSTAT_CPU_PARTIAL, (uint64_t)1 << 32), -EINVAL);
	assert_int_equal(add(f, "dentry", SLABSTAT_MIN_PARTIAL, 1000000), -EDOM);
	assert_true(says(f, "--force"));
	assert_int_equal(slabstat_plan_add(f->plan, "dentry", SLABSTAT_MIN_PARTIAL, 1000000,
					   SLABSTAT_TUNE_FORCE), 0);
	assert_int_equal(add(f, "dentry", SLABSTAT_REMOTE_NODE_DEFRAG_RATIO, 101), -ERANGE);
	assert_int_equal(add(f, "pool", SLABSTAT_FAILSLAB, 1), -EINVAL);
	assert_int_equal(add(f, "dentry", SLABSTAT_FAILSLAB, 1), 0);
	assert_int_equal(add(f, "dentry", SLABSTAT_ORDER, 1), -EINVAL);
	assert_int_equal(add(f, "../slab/dentry", SLABSTAT_FAILSLAB, 1), -ENOENT);
	assert_int_equal(slabstat_plan_count(f->plan), 3);
	has(f, ":0000256", "cpu_partial", "52\n");
	has(f, "dentry", "min_partial", "5\n");
	assert_true(access(f->tree.journal, F_OK) < 0);
}

static void test_two_names_of_one_cache(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(add(f, "pool", SLABSTAT_CPU_PARTIAL, 7), 0);
	assert_int_equal(add(f, "item", SLABSTAT_CPU_PARTIAL, 7), 0);
	assert_int_equal(add(f, ":0000256", SLABSTAT_CPU_PARTIAL, 8), -EEXIST);
	assert_int_equal(slabstat_plan_count(f->plan), 1);
	assert_int_equal(slabstat_plan_change(f->plan, 0)->user_count, 2);
}

static void test_apply_and_undo(void **state)
{
	struct fixture *f = *state;
	const struct slabstat_change *c;
	struct slabstat_plan *undone;

	assert_int_equal(add(f, "pool", SLABSTAT_CPU_PARTIAL, 0), 0);
	assert_int_equal(add(f, "dentry", SLABSTAT_MIN_PARTIAL, 9), 0);
	assert_int_equal(slabstat_plan_apply(f->plan, &permanent), 0);
	has(f, ":0000256", "cpu_partial", "0\n");
	has(f, "dentry", "min_partial", "9\n");
	c = slabstat_plan_change(f->plan, 0);
	assert_int_equal(c->state, SLABSTAT_CHANGE_MADE);
	assert_int_equal(c->old, 52);
	assert_int_equal(c->stored, 0);
	assert_int_equal(open_entries(f), 1);
	assert_int_equal(slabstat_tune_undo(f->tune, 0, 0, &undone), 0);
	assert_int_equal(slabstat_plan_count(undone), 2);
	assert_int_equal(slabstat_plan_change(undone, 0)->state, SLABSTAT_CHANGE_UNDONE);
	slabstat_plan_free(undone);
	has(f, ":0000256", "cpu_partial", "52\n");
	has(f, "dentry", "min_partial", "5\n");
	assert_int_equal(open_entries(f), 0);
	assert_int_equal(slabstat_tune_undo(f->tune, 0, 0, &undone), -ENOENT);
	slabstat_plan_free(undone);
	assert_int_equal(slabstat_tune_undo(f->tune, 1, 0, &undone), -EALREADY);
	slabstat_plan_free(undone);
}

static void test_temporary(void **state)
{
	struct slabstat_tune_spec spec = { .kernel = SLABSTAT_KERNEL(6, 18) };
	struct fixture *f = *state;
	struct slabstat_tune *other;
	struct slabstat_plan *plan;

	assert_int_equal(add(f, "pool", SLABSTAT_CPU_PARTIAL, 0), 0);
	assert_int_equal(slabstat_plan_apply(f->plan, &temporary), 0);
	spec.root = f->tree.root;
	spec.journal = f->tree.journal;
	assert_int_equal(slabstat_tune_open(f->h, &spec, &other), 0);
	plan = slabstat_plan_new(other);
	assert_int_equal(slabstat_plan_add(plan, "dentry", SLABSTAT_MIN_PARTIAL, 9, 0), 0);
	assert_int_equal(slabstat_plan_apply(plan, &permanent), -EBUSY);
	assert_true(says(f, "make"));
	has(f, "dentry", "min_partial", "5\n");
	slabstat_plan_free(plan);
	slabstat_tune_close(other);

	assert_int_equal(slabstat_plan_switch(f->plan, 0, 120), 0);
	has(f, ":0000256", "cpu_partial", "120\n");
	/* restored whatever stands there */
	slabtree_set(&f->tree, ":0000256", "cpu_partial", "77\n");
	assert_int_equal(slabstat_plan_revert(f->plan), 0);
	has(f, ":0000256", "cpu_partial", "52\n");
	assert_int_equal(open_entries(f), 0);
}

/* ---- a kernel that does as it likes ---------------------------------------------------------- */

static int fail_reads_after = -1, fail_writes_after = -1;
static ssize_t odd_read(int fd, void *buf, size_t size)
{
	if (fail_reads_after >= 0 && fail_reads_after-- == 0) {
		errno = EIO;
		return -1;
	}
	return read(fd, buf, size);
}

static ssize_t odd_write(int fd, const void *buf, size_t size)
{
	if (fail_writes_after >= 0 && fail_writes_after-- == 0) {
		errno = EINVAL;
		return -1;
	}
	return write(fd, buf, size);
}

static ssize_t clamping_write(int fd, const void *buf, size_t size)
{
	return size == 3 && !memcmp(buf, "30\n", 3) ? write(fd, "10\n", 3) : write(fd, buf, size);
}

static const struct tunedir_io odd = { odd_read, odd_write };
static const struct tunedir_io clamping = { read, clamping_write };

static void test_a_failed_write_puts_back_the_others(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(add(f, "pool", SLABSTAT_CPU_PARTIAL, 0), 0);
	assert_int_equal(add(f, "dentry", SLABSTAT_CPU_PARTIAL, 1), 0);
	f->tune->dir.io = &odd;
	fail_writes_after = 1;
	assert_int_equal(slabstat_plan_apply(f->plan, &permanent), -EINVAL);
	assert_true(says(f, "put back"));
	has(f, ":0000256", "cpu_partial", "52\n");
	has(f, "dentry", "cpu_partial", "120\n");
	assert_int_equal(open_entries(f), 0);
}

static void test_an_error_while_reading_back(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(add(f, "dentry", SLABSTAT_CPU_PARTIAL, 1), 0);
	f->tune->dir.io = &odd;
	fail_reads_after = 1;	/* the first read is the look before writing */
	assert_int_equal(slabstat_plan_apply(f->plan, &permanent), -EIO);
	assert_true(says(f, "read back"));
	has(f, "dentry", "cpu_partial", "120\n");
	assert_int_equal(open_entries(f), 0);
}

static void test_what_cannot_be_put_back_stays_in_the_journal(void **state)
{
	struct fixture *f = *state;
	struct slabstat_plan *undone;

	assert_int_equal(add(f, "pool", SLABSTAT_CPU_PARTIAL, 0), 0);
	assert_int_equal(add(f, "dentry", SLABSTAT_CPU_PARTIAL, 1), 0);
	f->tune->dir.io = &odd;
	/* two looks, one back; the second fails, and so does its restoring */
	fail_reads_after = 3;
	fail_writes_after = 2;
	assert_int_equal(slabstat_plan_apply(f->plan, &permanent), -EIO);
	assert_true(says(f, "NOT everything"));
	assert_int_equal(open_entries(f), 1);
	assert_int_equal(slabstat_tune_undo(f->tune, 0, 0, &undone), 0);
	slabstat_plan_free(undone);
	has(f, ":0000256", "cpu_partial", "52\n");
	has(f, "dentry", "cpu_partial", "120\n");
	assert_int_equal(open_entries(f), 0);
}

static void test_what_the_kernel_made_of_it(void **state)
{
	struct fixture *f = *state;
	struct slabstat_plan *undone;

	assert_int_equal(add(f, "dentry", SLABSTAT_MIN_PARTIAL, 30), 0);
	f->tune->dir.io = &clamping;
	assert_int_equal(slabstat_plan_apply(f->plan, &permanent), 0);
	assert_int_equal(slabstat_plan_change(f->plan, 0)->stored, 10);
	assert_non_null(strstr(slabstat_plan_change(f->plan, 0)->text, "stored 10"));
	assert_int_equal(slabstat_tune_undo(f->tune, 0, 0, &undone), 0);
	slabstat_plan_free(undone);
	has(f, "dentry", "min_partial", "5\n");
}

static void test_a_cache_that_vanishes(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(add(f, "pool", SLABSTAT_CPU_PARTIAL, 0), 0);
	assert_int_equal(add(f, "dentry", SLABSTAT_CPU_PARTIAL, 1), 0);
	slabtree_drop(&f->tree, "dentry");
	assert_int_equal(slabstat_plan_apply(f->plan, &permanent), -ENOENT);
	has(f, ":0000256", "cpu_partial", "52\n");
	slabtree_cache(&f->tree, "dentry", 192);
	assert_int_equal(slabstat_plan_apply(f->plan, &permanent), -ESTALE);
	has(f, ":0000256", "cpu_partial", "52\n");
	has(f, "dentry", "cpu_partial", "52\n");
}

static void test_without_a_journal_nothing_is_changed(void **state)
{
	struct fixture *f = *state;
	int fd = open(f->tree.root, O_RDONLY | O_DIRECTORY);

	assert_int_equal(close(openat(fd, "state", O_CREAT | O_WRONLY, 0600)), 0);
	close(fd);
	assert_int_equal(add(f, "dentry", SLABSTAT_CPU_PARTIAL, 1), 0);
	assert_int_equal(slabstat_plan_apply(f->plan, &permanent), -ENOTDIR);
	assert_true(says(f, "nothing is changed"));
	has(f, "dentry", "cpu_partial", "120\n");
}

static void test_actions(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(slabstat_tune_act(f->tune, "item", SLABSTAT_TUNE_SHRINK), 0);
	has(f, ":0000256", "shrink", "1\n");
	assert_int_equal(slabstat_tune_act(f->tune, "item", SLABSTAT_TUNE_VALIDATE), -EINVAL);
	assert_true(says(f, "slab_debug"));
	has(f, ":0000256", "validate", "");
	slabtree_set(&f->tree, ":0000256", "sanity_checks", "1\n");
	assert_int_equal(slabstat_tune_act(f->tune, "item", SLABSTAT_TUNE_VALIDATE), 0);
	has(f, ":0000256", "validate", "1\n");
	assert_int_equal(slabstat_tune_act(f->tune, "nobody", SLABSTAT_TUNE_SHRINK), -ENOENT);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_look),
		CASE(test_refusals_come_before_any_write),
		CASE(test_two_names_of_one_cache),
		CASE(test_apply_and_undo),
		CASE(test_temporary),
		CASE(test_a_failed_write_puts_back_the_others),
		CASE(test_an_error_while_reading_back),
		CASE(test_what_cannot_be_put_back_stays_in_the_journal),
		CASE(test_what_the_kernel_made_of_it),
		CASE(test_a_cache_that_vanishes),
		CASE(test_without_a_journal_nothing_is_changed),
		CASE(test_actions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
