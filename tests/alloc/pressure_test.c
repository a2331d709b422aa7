// SPDX-License-Identifier: MIT
/*
 * pressure_test.c - an event of pressure gives memory back and asks shrinkers; without the kernel's
 * file a program is told so once, and runs.
 *
 * The kernel's events cannot be had at will: urgent data on a socket raises the same POLLPRI.
 */
#include "cmocka_all.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <slab/slab.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report_trap.h"
#include "rerun.h"
#include "slab/pressure.h"

/* Two ends of a connection; false: there is no network at all. */
static bool connect_ends(int end[2])
{
	struct sockaddr_in at = { .sin_family = AF_INET,
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(at);
	int listener = socket(AF_INET, SOCK_STREAM, 0);
	bool done;

	end[0] = socket(AF_INET, SOCK_STREAM, 0);
	done = !bind(listener, (struct sockaddr *)&at, len) && !listen(listener, 1) &&
	       !getsockname(listener, (struct sockaddr *)&at, &len) &&
	       !connect(end[0], (struct sockaddr *)&at, len);
	end[1] = done ? accept(listener, NULL, NULL) : -1;
	close(listener);
	return end[1] >= 0;
}

static unsigned long count_many(struct shrinker *shrinker, struct shrink_control *sc)
{
	(void)shrinker;
	assert_int_equal(sc->gfp_mask & GFP_KERNEL, GFP_KERNEL);
	return 10000;
}

static unsigned long scan_some(struct shrinker *shrinker, struct shrink_control *sc)
{
	unsigned long *asked = shrinker->private_data;

	__atomic_add_fetch(asked, sc->nr_to_scan, __ATOMIC_RELAXED);
	return 0;
}

static void *serve(void *arg)
{
	pressure_serve(*(int *)arg);
	return NULL;
}

static void test_an_event_gives_back(void **state)
{
	struct kmem_cache *s = kmem_cache_create("idle", 1000, 0, SLAB_NO_MERGE, NULL);
	struct shrinker *shrinker = shrinker_alloc(0, "pressed");
	struct linger reset = { .l_onoff = 1 };
	struct kmem_cache_stats st;
	unsigned long asked = 0;
	void *p[500];
	pthread_t thread;
	int end[2];

	(void)state;
	if (!connect_ends(end)) {
		puts("# SKIP no loopback network");
		return;
	}
	assert_int_equal(kmem_cache_alloc_bulk(s, GFP_KERNEL, 500, p), 500);
	kmem_cache_free_bulk(s, 500, p);
	kmem_cache_stats(s, &st);
	assert_true(st.slabs > 0);
	shrinker->count_objects = count_many;
	shrinker->scan_objects = scan_some;
	shrinker->private_data = &asked;
	shrinker_register(shrinker);
	alarm(60);
	assert_int_equal(pthread_create(&thread, NULL, serve, &end[1]), 0);
	assert_int_equal(send(end[0], "!", 1, MSG_OOB), 1);
	while (!__atomic_load_n(&asked, __ATOMIC_RELAXED))
		usleep(1000);
	setsockopt(end[0], SOL_SOCKET, SO_LINGER, &reset, sizeof(reset));
	close(end[0]);
	pthread_join(thread, NULL);
	alarm(0);
	close(end[1]);
	/* Half, and for each event again. */
	assert_true(asked >= 5000 - 128);
	kmem_cache_stats(s, &st);
	assert_int_equal(st.slabs, 0);
	shrinker_free(shrinker);
	assert_destroys(s);
}

/* In a process with these options, what stands on standard error after two caches were made. */
static void run(const char *options, char *text, size_t size)
{
	int ends[2], status = -1;
	ssize_t len;
	pid_t pid;

	assert_int_equal(pipe(ends), 0);
	pid = fork();
	if (!pid) {
		dup2(ends[1], STDERR_FILENO);
		rerun(options, "SLABKIT_PRESSURE_CHILD");
	}
	close(ends[1]);
	len = read(ends[0], text, size - 1);
	text[len < 0 ? 0 : len] = '\0';
	close(ends[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static int child(void)
{
	struct kmem_cache *a = kmem_cache_create("a", 100, 0, 0, NULL);
	struct kmem_cache *b = kmem_cache_create("b", 2000, 0, 0, NULL);

	kmem_cache_free(a, kmem_cache_alloc(a, GFP_KERNEL));
	kmem_cache_destroy(b);
	kmem_cache_destroy(a);
	return 0;
}

static void test_one_warning_where_it_is_not_there(void **state)
{
	char text[1000];

	(void)state;
	run("psi=100/1000,/no/such/file", text, sizeof(text));
	assert_string_equal(text, "slabkit: SLAB_OPTIONS: psi: /no/such/file: No such file or "
				  "directory; the allocator will not hear of pressure\n");
	run("psi=7", text, sizeof(text));
	assert_non_null(strstr(text, "bad value in 'psi=7'"));
}

/* With the system's own file, if it has one that may be used. */
static void test_the_systems_own(void **state)
{
	char text[1000];

	(void)state;
	run("psi", text, sizeof(text));
	if (*text)
		printf("# SKIP %s", text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_an_event_gives_back),
		cmocka_unit_test(test_one_warning_where_it_is_not_there),
		cmocka_unit_test(test_the_systems_own),
	};

	if (getenv("SLABKIT_PRESSURE_CHILD"))
		return child();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
