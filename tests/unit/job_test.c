// SPDX-License-Identifier: MIT
/* job_test.c - a command's statuses, signals that are passed on, signals that wait. */
#include "cmocka_all.h"
#include "job.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int run(struct job *j, const char *script)
{
	char *argv[] = { (char *)"sh", (char *)"-c", (char *)script, NULL };

	assert_int_equal(job_start(j, argv, "job_test"), 0);
	assert_true(job_wait(j, -1));
	return job_status(j);
}

static void test_statuses(void **state)
{
	char *none[] = { (char *)"/nonexistent/command", NULL }, *bad[] = { (char *)"/", NULL };
	struct job j;

	(void)state;
	assert_int_equal(job_open(&j), 0);
	assert_int_equal(run(&j, "exit 0"), 0);
	assert_int_equal(run(&j, "exit 7"), 7);
	assert_int_equal(run(&j, "kill -KILL $$"), 137);
	assert_int_equal(job_start(&j, none, "job_test"), 127);
	assert_int_equal(job_start(&j, bad, "job_test"), 126);
	assert_int_equal(run(&j, "exit 3"), 3);
	assert_true(j.end_ns >= j.start_ns);
	job_close(&j);
}

static void test_a_signal_goes_on_to_the_command(void **state)
{
	char *argv[] = { (char *)"sh", (char *)"-c",
			 (char *)"trap 'exit 9' TERM; sleep 10 >/dev/null 2>&1 & wait", NULL };
	struct job j;

	(void)state;
	assert_int_equal(job_open(&j), 0);
	assert_int_equal(job_start(&j, argv, "job_test"), 0);
	assert_false(job_wait(&j, 300));	/* let it set its trap */
	kill(getpid(), SIGTERM);
	assert_true(job_wait(&j, 8000));
	assert_int_equal(job_status(&j), 9);
	assert_int_equal(job_signalled(&j), SIGTERM);
	job_close(&j);
}

static void test_the_command_has_our_callers_signals(void **state)
{
	struct job j;
	sigset_t mask;

	(void)state;
	assert_int_equal(job_open(&j), 0);
	assert_int_equal(run(&j, "kill -TERM $$; exit 1"), 143);	/* not blocked in there */
	assert_int_equal(run(&j, "kill -PIPE $$; exit 1"), 141);	/* nor ignored */
	job_close(&j);
	sigprocmask(SIG_BLOCK, NULL, &mask);
	assert_false(sigismember(&mask, SIGTERM));
}

static void test_a_signal_waits_until_we_look(void **state)
{
	struct job j;

	(void)state;
	assert_int_equal(job_open(&j), 0);
	assert_int_equal(job_signalled(&j), 0);
	kill(getpid(), SIGHUP);
	assert_int_equal(job_signalled(&j), SIGHUP);
	assert_false(job_rest(&j, 5000));
	job_close(&j);
}

static void test_text(void **state)
{
	char *argv[] = { (char *)"make", (char *)"-j2", (char *)"", NULL };
	char *text = job_text(argv);

	(void)state;
	assert_string_equal(text, "make -j2 ");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_statuses),
		cmocka_unit_test(test_a_signal_goes_on_to_the_command),
		cmocka_unit_test(test_the_command_has_our_callers_signals),
		cmocka_unit_test(test_a_signal_waits_until_we_look),
		cmocka_unit_test(test_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
