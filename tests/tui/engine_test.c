// SPDX-License-Identifier: MIT
/* engine_test.c - what is due is done in its order, once, and signals end it. */
#include "cmocka_all.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "engine.h"

/* Each call leaves a letter; what it returns is set beforehand. */
struct script {
	char log[64];
	unsigned on_input, on_sample, on_rebuild, on_redraw, on_idle;
	int samples_left;	/* after that many samples: quit */
	int fd;
};

static unsigned note(struct script *s, char letter, unsigned result)
{
	size_t n = strlen(s->log);

	if (n + 1 < sizeof(s->log))
		s->log[n] = letter;
	return result;
}

static unsigned input(void *arg)
{
	struct script *s = arg;
	char key;

	if (read(s->fd, &key, 1) != 1)
		return ENGINE_QUIT;
	if (key == 'q')
		return note(s, 'q', ENGINE_QUIT);
	return note(s, key, s->on_input);
}

static unsigned sample(void *arg)
{
	struct script *s = arg;

	if (s->samples_left > 0 && --s->samples_left == 0)
		return note(s, 'S', ENGINE_QUIT);
	return note(s, 'S', s->on_sample);
}

static unsigned rebuild(void *arg)
{
	struct script *s = arg;

	return note(s, 'B', s->on_rebuild);
}

static unsigned redraw(void *arg)
{
	struct script *s = arg;

	return note(s, 'D', s->on_redraw);
}

static unsigned idle(void *arg)
{
	struct script *s = arg;

	return note(s, 'I', s->on_idle);
}

static unsigned other(void *arg)
{
	return note(arg, 'O', 0);
}

static const struct engine_ops ops = {
	.input = input, .sample = sample, .rebuild = rebuild, .redraw = redraw, .idle = idle,
	.resize = other, .suspend = other, .resume = other,
};

static int run(struct script *s, const char *typed, unsigned dirty, int64_t period)
{
	struct engine *e;
	int fd[2], result;

	assert_int_equal(pipe(fd), 0);
	assert_int_equal(write(fd[1], typed, strlen(typed)), (ssize_t)strlen(typed));
	s->fd = fd[0];
	e = engine_new(&ops, s, fd[0]);
	assert_non_null(e);
	assert_int_equal(engine_period(e, period), 0);
	result = engine_run(e, dirty);
	engine_free(e);
	close(fd[0]);
	close(fd[1]);
	return result;
}

static void test_order(void **state)
{
	struct script s = { .on_redraw = ENGINE_QUIT };

	(void)state;
	assert_int_equal(run(&s, "", ENGINE_SAMPLE, 0), 0);
	assert_string_equal(s.log, "SBD");
}

/* Many keys that only change the picture cost one picture. */
static void test_keys_coalesce(void **state)
{
	struct script s = { .on_input = ENGINE_REDRAW, .on_redraw = ENGINE_QUIT };

	(void)state;
	assert_int_equal(run(&s, "abcd", 0, 0), 0);
	assert_string_equal(s.log, "abcdD");
}

/* A key behind one that makes the rows stale waits for the new rows. */
static void test_typed_ahead(void **state)
{
	struct script s = { .on_input = ENGINE_REBUILD };

	(void)state;
	assert_int_equal(run(&s, "abq", 0, 0), 0);
	assert_string_equal(s.log, "aBDbBDq");
}

/* Rows that want another sample are not drawn before it was taken. */
static unsigned rebuild_twice(void *arg)
{
	struct script *s = arg;

	return note(s, 'B', strchr(s->log, 'S') ? 0 : ENGINE_SAMPLE);
}

static void test_sample_before_picture(void **state)
{
	struct script s = { .on_redraw = ENGINE_QUIT };
	struct engine_ops want = ops;
	struct engine *e;
	int fd[2];

	(void)state;
	want.rebuild = rebuild_twice;
	assert_int_equal(pipe(fd), 0);
	e = engine_new(&want, &s, fd[0]);
	assert_int_equal(engine_run(e, ENGINE_REBUILD), 0);
	assert_string_equal(s.log, "BSBD");
	engine_free(e);
	close(fd[0]);
	close(fd[1]);
}

static void test_timer(void **state)
{
	struct script s = { .samples_left = 3 };

	(void)state;
	assert_int_equal(run(&s, "", 0, 1000000), 0);
	assert_string_equal(s.log, "SBDSBDSBD");
}

static void test_idle(void **state)
{
	struct script s = { .on_idle = ENGINE_QUIT };

	(void)state;
	assert_int_equal(run(&s, "", ENGINE_IDLE | ENGINE_REDRAW, 0), 0);
	assert_string_equal(s.log, "DI");
}

static void test_end_of_input(void **state)
{
	struct script s = { .samples_left = 0 };
	struct engine *e;
	int fd[2];

	(void)state;
	assert_int_equal(pipe(fd), 0);
	s.fd = fd[0];
	e = engine_new(&ops, &s, fd[0]);
	close(fd[1]);
	assert_int_equal(engine_run(e, 0), 0);
	engine_free(e);
	close(fd[0]);
}

static void test_signal(void **state)
{
	struct script s = { .samples_left = 0 };
	struct engine *e;
	sigset_t before, after;
	int fd[2];

	(void)state;
	sigprocmask(SIG_BLOCK, NULL, &before);
	assert_int_equal(pipe(fd), 0);
	s.fd = fd[0];
	e = engine_new(&ops, &s, fd[0]);
	raise(SIGTERM);
	assert_int_equal(engine_run(e, 0), SIGTERM);
	raise(SIGWINCH);
	raise(SIGINT);
	assert_int_equal(engine_run(e, 0), SIGINT);
	engine_free(e);
	sigprocmask(SIG_BLOCK, NULL, &after);
	assert_int_equal(sigismember(&after, SIGTERM), sigismember(&before, SIGTERM));
	close(fd[0]);
	close(fd[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_keys_coalesce),
		cmocka_unit_test(test_typed_ahead),
		cmocka_unit_test(test_sample_before_picture),
		cmocka_unit_test(test_timer),
		cmocka_unit_test(test_idle),
		cmocka_unit_test(test_end_of_input),
		cmocka_unit_test(test_signal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
