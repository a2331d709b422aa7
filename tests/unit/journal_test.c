// SPDX-License-Identifier: MIT
/* journal_test.c - what was written can be read back, cut anywhere, locked and hostile. */
#include "cmocka_all.h"
#include "slabstat/journal.h"
#include "slabtree.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct fixture {
	struct slabtree tree;
	struct slabstat *h;
	char file[128];
};

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	slabtree_make(&f->tree);
	f->h = slabstat_new();
	snprintf(f->file, sizeof(f->file), "%s/journal", f->tree.journal);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	slabstat_free(f->h);
	slabtree_remove(&f->tree);
	free(f);
	return 0;
}

static const char *const users[] = { "a,b", "c d" };

/* Two changes with names that want coding. */
static struct journal_entry make_entry(struct slabstat_change change[2],
				       struct journal_mark mark[2])
{
	struct journal_entry e = {
		.boot = "boot-1", .temporary = true, .change = change, .mark = mark
	};

	e.entry.wall_s = 1796034121;
	e.entry.pid = 77;
	e.entry.directory = "/sys/kernel/slab";
	e.entry.what = "run";
	e.entry.command = "make -j2 A=\"100%\"\n";
	e.entry.changes = change;
	e.entry.count = 2;
	change[0] = (struct slabstat_change){ .cache = "odd = name,\n%",
					      .users = users,
					      .user_count = 2,
					      .field = SLABSTAT_CPU_PARTIAL,
					      .old = 120,
					      .wanted = 0 };
	change[1] = (struct slabstat_change){
		.cache = "dentry", .field = SLABSTAT_MIN_PARTIAL, .old = 5, .wanted = UINT64_MAX
	};
	strcpy(mark[0].identity, "1234-5.000000006");
	strcpy(mark[1].identity, "99");
	return e;
}

static void write_entry(struct fixture *f)
{
	struct slabstat_change change[2];
	struct journal_mark mark[2] = { { .got = false } };
	struct journal_entry e = make_entry(change, mark);
	struct journal j;

	assert_int_equal(journal_lock(&j, f->h, f->tree.journal), 0);
	assert_int_equal(journal_begin(&j, &e), 0);
	change[0].stored = 0;
	change[1].stored = 10;
	mark[0].got = mark[1].got = true;
	assert_int_equal(journal_got(&j, &e, true), 0);
	change[0].state = SLABSTAT_CHANGE_UNDONE;
	change[1].state = SLABSTAT_CHANGE_FOREIGN;
	mark[0].closed = true;
	assert_int_equal(journal_back(&j, &e), 0);
	mark[1].closed = true;
	change[1].state = SLABSTAT_CHANGE_GONE;
	assert_int_equal(journal_back(&j, &e), 0);
	journal_unlock(&j);
}

static void test_round_trip(void **state)
{
	struct fixture *f = *state;
	struct journal_log log = { .entry = NULL };
	const struct journal_entry *e;

	write_entry(f);
	write_entry(f);
	assert_int_equal(journal_read(f->h, f->tree.journal, &log, NULL), 0);
	assert_int_equal(log.count, 2);
	assert_int_equal(log.bad_lines, 0);
	e = &log.entry[1];
	assert_int_equal(e->entry.id, 2);
	assert_int_equal(e->entry.wall_s, 1796034121);
	assert_int_equal(e->entry.pid, 77);
	assert_string_equal(e->boot, "boot-1");
	assert_string_equal(e->entry.directory, "/sys/kernel/slab");
	assert_string_equal(e->entry.what, "run");
	assert_string_equal(e->entry.command, "make -j2 A=\"100%\"\n");
	assert_true(e->temporary && e->ended && e->closed);
	assert_int_equal(e->entry.count, 2);
	assert_string_equal(e->change[0].cache, "odd = name,\n%");
	assert_int_equal(e->change[0].user_count, 2);
	assert_string_equal(e->change[0].users[0], "a,b");
	assert_string_equal(e->change[0].users[1], "c d");
	assert_int_equal(e->change[0].old, 120);
	assert_string_equal(e->mark[0].identity, "1234-5.000000006");
	assert_int_equal(e->change[1].field, SLABSTAT_MIN_PARTIAL);
	assert_true(e->change[1].wanted == UINT64_MAX);
	assert_int_equal(e->change[1].stored, 10);
	assert_true(e->mark[1].closed);
	journal_log_free(&log);
}

static void test_a_missing_journal_is_empty(void **state)
{
	struct fixture *f = *state;
	struct journal_log log = { .entry = NULL };
	bool locked = true;

	assert_int_equal(journal_read(f->h, f->tree.journal, &log, &locked), 0);
	assert_int_equal(log.count, 0);
	assert_false(locked);
}

/* Cut at every byte: what is left reads as a prefix, and the next entry is whole. */
static void test_cut_anywhere(void **state)
{
	struct fixture *f = *state;
	struct journal_log log = { .entry = NULL };
	struct stat st;

	write_entry(f);
	assert_int_equal(stat(f->file, &st), 0);
	for (off_t cut = st.st_size - 1; cut >= 0; cut--) {
		assert_int_equal(truncate(f->file, cut), 0);
		assert_int_equal(journal_read(f->h, f->tree.journal, &log, NULL), 0);
		assert_true(log.count <= 1 && log.bad_lines <= 1);
		if (log.count && log.entry[0].entry.count)
			assert_int_equal(log.entry[0].change[0].old, 120);
		journal_log_free(&log);
		if (cut % 7)
			continue;
		write_entry(f);
		assert_int_equal(journal_read(f->h, f->tree.journal, &log, NULL), 0);
		assert_true(log.count >= 1 && log.entry[log.count - 1].closed);
		assert_int_equal(log.entry[log.count - 1].entry.count, 2);
		journal_log_free(&log);
	}
}

static void test_nonsense_is_skipped_and_counted(void **state)
{
	static const char lines[] =
		"# a comment\n\n"
		"begin 3 time=x pid=1 boot=- dir=/d what=tune .\n"
		"begin 3 time=x pid=1 boot=- dir=/d what=tune .\n"
		"begin 0 time=x pid=1 boot=- dir=/d what=tune .\n"
		"set 3 cache=a identity=1 users= key=cpu_partial old=1 new=2 .\n"
		"set 3 cache=a identity=1 users= key=order old=1 new=2 .\n"
		"set 3 cache=a identity=1 users= key=cpu_partial old=-1 new=2 .\n"
		"set 3 cache=a%2 identity=1 users= key=cpu_partial old=1 new=2 .\n"
		"set 4 cache=a identity=1 users= key=cpu_partial old=1 new=2 .\n"
		"got 3 cache=b key=cpu_partial value=2 .\n"
		"back 3 cache=a key=cpu_partial value=2 result=splendid .\n"
		"end 3\n"
		"end 3 . more\n"
		"end 18446744073709551616 .\n"
		"dance 3 .\n"
		"x\n";
	struct fixture *f = *state;
	struct journal_log log = { .entry = NULL };
	FILE *out;

	write_entry(f);
	out = fopen(f->file, "w");
	assert_true(fputs(lines, out) >= 0);
	assert_int_equal(fclose(out), 0);
	assert_int_equal(journal_read(f->h, f->tree.journal, &log, NULL), 0);
	assert_int_equal(log.count, 1);
	assert_int_equal(log.entry[0].entry.count, 1);
	assert_false(log.entry[0].ended);
	assert_int_equal(log.bad_lines, 13);
	journal_log_free(&log);
}

static void test_one_at_a_time(void **state)
{
	struct fixture *f = *state;
	struct journal first, second;
	struct journal_log log = { .entry = NULL };
	bool locked;

	assert_int_equal(journal_lock(&first, f->h, f->tree.journal), 0);
	assert_int_equal(journal_lock(&second, f->h, f->tree.journal), -EBUSY);
	assert_int_equal(journal_read(f->h, f->tree.journal, &log, &locked), 0);
	assert_true(locked);
	assert_int_equal(journal_lock(&second, f->h, f->tree.journal), -EBUSY);
	journal_unlock(&first);
	assert_int_equal(journal_lock(&second, f->h, f->tree.journal), 0);
	journal_unlock(&second);
	assert_int_equal(journal_read(f->h, f->tree.journal, &log, &locked), 0);
	assert_false(locked);
}

static void test_the_lock_of_a_killed_process_goes(void **state)
{
	struct fixture *f = *state;
	struct journal j;
	int ready[2];
	char c;
	pid_t pid;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	if (pid == 0) {
		if (journal_lock(&j, f->h, f->tree.journal) || write(ready[1], "x", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	assert_int_equal(read(ready[0], &c, 1), 1);
	assert_int_equal(journal_lock(&j, f->h, f->tree.journal), -EBUSY);
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(journal_lock(&j, f->h, f->tree.journal), 0);
	journal_unlock(&j);
	close(ready[0]);
	close(ready[1]);
}

/* No room: an error, and nothing of the batch stays behind. */
static void test_a_full_disk(void **state)
{
	struct rlimit old, small;
	struct fixture *f = *state;
	struct slabstat_change change[2];
	struct journal_mark mark[2] = { { .got = false } };
	struct journal_entry e = make_entry(change, mark);
	struct journal j;
	struct stat before, after;

	write_entry(f);
	assert_int_equal(stat(f->file, &before), 0);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	small = old;
	small.rlim_cur = (rlim_t)before.st_size + 20;
	assert_int_equal(journal_lock(&j, f->h, f->tree.journal), 0);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	assert_true(journal_begin(&j, &e) < 0);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	journal_unlock(&j);
	assert_int_equal(stat(f->file, &after), 0);
	assert_true(before.st_size == after.st_size);
}

static void test_a_place_that_others_write_to_is_refused(void **state)
{
	struct fixture *f = *state;
	struct journal j;

	write_entry(f);
	assert_int_equal(chmod(f->tree.journal, 0777), 0);
	assert_int_equal(journal_lock(&j, f->h, f->tree.journal), -EPERM);
	assert_int_equal(chmod(f->tree.journal, 0700), 0);
	assert_int_equal(unlink(f->file), 0);
	assert_int_equal(symlink("/dev/null", f->file), 0);
	assert_int_equal(journal_lock(&j, f->h, f->tree.journal), -ELOOP);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_round_trip),
		CASE(test_a_missing_journal_is_empty),
		CASE(test_cut_anywhere),
		CASE(test_nonsense_is_skipped_and_counted),
		CASE(test_one_at_a_time),
		CASE(test_the_lock_of_a_killed_process_goes),
		CASE(test_a_full_disk),
		CASE(test_a_place_that_others_write_to_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
