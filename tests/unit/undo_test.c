// SPDX-License-Identifier: MIT
/* undo_test.c - what is undone, and what is left alone: other boots, other hands, other caches. */
#include "cmocka_all.h"
#include "slabstat/plan.h"
#include "slabtree.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct fixture {
	struct slabtree tree;
	struct slabstat *h;
	struct slabstat_tune *tune;
};

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	struct slabstat_tune_spec spec = { .kernel = SLABSTAT_KERNEL(6, 18) };

	slabtree_make(&f->tree);
	f->h = slabstat_new();
	spec.root = f->tree.root;
	spec.journal = f->tree.journal;
	assert_int_equal(slabstat_tune_open(f->h, &spec, &f->tune), 0);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	slabstat_tune_close(f->tune);
	slabstat_free(f->h);
	slabtree_remove(&f->tree);
	free(f);
	return 0;
}

static void change(struct fixture *f, const char *name, uint64_t value, bool temporary)
{
	struct slabstat_occasion why = { .what = "tune", .temporary = temporary };
	struct slabstat_plan *plan = slabstat_plan_new(f->tune);

	assert_int_equal(slabstat_plan_add(plan, name, SLABSTAT_CPU_PARTIAL, value, 0), 0);
	assert_int_equal(slabstat_plan_apply(plan, &why), 0);
	slabstat_plan_free(plan);
}

static int undo(struct fixture *f, unsigned long id, unsigned flags, struct slabstat_change *c)
{
	struct slabstat_plan *plan;
	int err = slabstat_tune_undo(f->tune, id, flags, &plan);

	if (c && slabstat_plan_count(plan)) {
		*c = *slabstat_plan_change(plan, 0);
		c->text = NULL;
	}
	slabstat_plan_free(plan);
	return err;
}

static void has(struct fixture *f, const char *cache, const char *text)
{
	assert_string_equal(slabtree_get(&f->tree, cache, "cpu_partial"), text);
}

static enum slabstat_entry_state state_of(struct fixture *f, size_t i)
{
	struct slabstat_history *history;
	enum slabstat_entry_state s;

	assert_int_equal(slabstat_history_read(f->tune, &history), 0);
	assert_true(i < slabstat_history_count(history));
	s = slabstat_history_entry(history, i)->state;
	slabstat_history_free(history);
	return s;
}

static void test_in_order(void **state)
{
	struct fixture *f = *state;

	change(f, "pool", 1, false);
	change(f, "dentry", 2, false);
	change(f, "item", 3, false);
	assert_int_equal(undo(f, 1, 0, NULL), -EBUSY);	/* entry 3 changed it later */
	assert_int_equal(undo(f, 2, 0, NULL), 0);
	has(f, "dentry", "120\n");
	assert_int_equal(undo(f, 0, 0, NULL), 0);
	has(f, ":0000256", "1\n");
	assert_int_equal(undo(f, 0, 0, NULL), 0);
	has(f, ":0000256", "52\n");
	assert_int_equal(undo(f, 0, 0, NULL), -ENOENT);
	assert_int_equal(undo(f, 9, 0, NULL), -ENOENT);
}

static void test_what_others_changed_is_left_alone(void **state)
{
	struct fixture *f = *state;
	struct slabstat_change c;

	change(f, "dentry", 2, false);
	slabtree_set(&f->tree, "dentry", "cpu_partial", "77\n");
	assert_int_equal(undo(f, 0, 0, &c), -EIO);
	assert_int_equal(c.state, SLABSTAT_CHANGE_FOREIGN);
	assert_int_equal(state_of(f, 0), SLABSTAT_ENTRY_OPEN);
	assert_int_equal(undo(f, 0, 0, &c), -EIO);	/* and it stays so */
	has(f, "dentry", "77\n");
	assert_int_equal(undo(f, 0, SLABSTAT_TUNE_FORCE, &c), 0);
	has(f, "dentry", "120\n");
	assert_int_equal(state_of(f, 0), SLABSTAT_ENTRY_UNDONE);
}

static void test_gone_and_made_anew(void **state)
{
	struct fixture *f = *state;
	struct slabstat_change c;

	change(f, "dentry", 2, false);
	slabtree_drop(&f->tree, "dentry");
	slabtree_cache(&f->tree, "dentry", 192);
	slabtree_set(&f->tree, "dentry", "cpu_partial", "2\n");
	assert_int_equal(undo(f, 0, 0, &c), 0);
	assert_int_equal(c.state, SLABSTAT_CHANGE_GONE);
	has(f, "dentry", "2\n");
	assert_int_equal(state_of(f, 0), SLABSTAT_ENTRY_UNDONE);
	change(f, "pool", 2, false);
	slabtree_drop(&f->tree, ":0000256");
	assert_int_equal(undo(f, 0, 0, &c), 0);
	assert_int_equal(c.state, SLABSTAT_CHANGE_GONE);
}

/* Rewrite the journal with another boot in it. */
static void pretend_boot(struct fixture *f, const char *boot)
{
	char command[512];

	snprintf(command, sizeof(command),
		 "sed -i 's/ boot=[^ ]*/ boot=%s/; s| dir=[^ ]*| dir=/sys/kernel/slab|' "
		 "%s/journal",
		 boot, f->tree.journal);
	assert_int_equal(system(command), 0);
}

static void test_another_boot_is_never_applied(void **state)
{
	struct fixture *f = *state;

	change(f, "dentry", 2, false);
	pretend_boot(f, "00000000-1111-2222-3333-444444444444");
	assert_int_equal(state_of(f, 0), SLABSTAT_ENTRY_EXPIRED);
	assert_int_equal(undo(f, 0, 0, NULL), -ENOENT);
	assert_int_equal(undo(f, 1, 0, NULL), -ESTALE);
	assert_int_equal(undo(f, 1, SLABSTAT_TUNE_FORCE, NULL), -ESTALE);
	has(f, "dentry", "2\n");
}

static void test_another_directory_is_not_ours(void **state)
{
	struct fixture *f = *state;
	char boot[64];

	change(f, "dentry", 2, false);
	journal_boot(boot);
	pretend_boot(f, boot);
	assert_int_equal(undo(f, 0, 0, NULL), -ENOENT);
	assert_int_equal(undo(f, 1, 0, NULL), -EXDEV);
	has(f, "dentry", "2\n");
}

/* Killed while its change was in force: left, and restored whatever stands there. */
static void test_a_killed_process(void **state)
{
	struct fixture *f = *state;
	struct slabstat_change c;
	int ready[2];
	char byte;
	pid_t pid;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	if (pid == 0) {
		change(f, "dentry", 2, true);
		if (write(ready[1], "x", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	assert_int_equal(state_of(f, 0), SLABSTAT_ENTRY_RUNNING);
	assert_int_equal(undo(f, 0, 0, NULL), -EBUSY);
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	close(ready[0]);
	close(ready[1]);
	assert_int_equal(state_of(f, 0), SLABSTAT_ENTRY_LEFT);
	slabtree_set(&f->tree, "dentry", "cpu_partial", "9\n");
	assert_int_equal(undo(f, 0, 0, &c), 0);
	assert_int_equal(c.state, SLABSTAT_CHANGE_UNDONE);
	has(f, "dentry", "120\n");
}

/* Killed between the journal and the write, or between two writes: the journal has no end. */
static void test_killed_half_way(void **state)
{
	struct fixture *f = *state;
	char command[256];

	change(f, "dentry", 2, false);
	snprintf(command, sizeof(command), "sed -i '/^got/d; /^end/d' %s/journal", f->tree.journal);
	assert_int_equal(system(command), 0);
	/* as if the kernel had clamped it */
	slabtree_set(&f->tree, "dentry", "cpu_partial", "3\n");
	assert_int_equal(state_of(f, 0), SLABSTAT_ENTRY_LEFT);
	assert_int_equal(undo(f, 0, 0, NULL), 0);
	has(f, "dentry", "120\n");
}

/* A journal that names other files cannot make undo write to them. */
static void test_a_hostile_journal(void **state)
{
	struct fixture *f = *state;
	struct slabstat_change c;
	char command[512];

	change(f, "dentry", 2, false);
	slabtree_cache(&f->tree, "other", 192);
	snprintf(command, sizeof(command),
		 "sed -i 's|cache=dentry|cache=../slab/other|' %s/journal", f->tree.journal);
	assert_int_equal(system(command), 0);
	assert_int_equal(undo(f, 0, SLABSTAT_TUNE_FORCE, &c), 0);
	assert_int_equal(c.state, SLABSTAT_CHANGE_GONE);
	has(f, "other", "52\n");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_in_order),
		CASE(test_what_others_changed_is_left_alone),
		CASE(test_gone_and_made_anew),
		CASE(test_another_boot_is_never_applied),
		CASE(test_another_directory_is_not_ours),
		CASE(test_a_killed_process),
		CASE(test_killed_half_way),
		CASE(test_a_hostile_journal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
