// SPDX-License-Identifier: MIT
/*
 * publish_test.c - the page of a process, written by libslabkit and read by libslabstat: what it
 * says at a quiet point and in a storm, and what becomes of it under a fork, a cut, a full disk, a
 * kill.
 */
#include "cmocka_all.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <slab/slab.h>
#include <slab/slabstat.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char runtime[64];

/* ---- helpers --------------------------------------------------------------------------------- */

/* All there is, so that alloc and free see to it that figures are of something. */
static void take(struct kmem_cache *s, void **p, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++) {
		p[i] = kmem_cache_alloc(s, GFP_KERNEL);
		assert_non_null(p[i]);
	}
}

static void give(struct kmem_cache *s, void **p, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		kmem_cache_free(s, p[i]);
}

static struct slabstat_snapshot *read_page(struct slabstat *h, const char *path)
{
	const struct slabstat_spec spec = { .process = path };
	struct slabstat_snapshot *s = NULL;
	struct slabstat_source *source;

	if (slabstat_source_open(h, &spec, &source))
		return NULL;
	slabstat_source_read(source, NULL, &s);
	slabstat_source_close(source);
	return s;
}

static uint64_t field(const struct slabstat_snapshot *s, const char *cache, enum slabstat_field f,
		      enum slabstat_quality *q)
{
	const struct slabstat_cache *c = slabstat_snapshot_find(s, cache);
	enum slabstat_quality got;
	uint64_t value = 0;

	assert_non_null(c);
	got = slabstat_cache_value(c, f, &value);
	if (q)
		*q = got;
	return value;
}

/* Of a moment in which no other thread ran; a busy machine may need several tries to give one. */
static struct slabstat_snapshot *read_quiet(struct slabstat *h, const char *cache)
{
	for (unsigned int i = 0; i < 300; i++) {
		struct slabstat_snapshot *s = read_page(h, slab_publish_path());
		enum slabstat_quality q;

		assert_non_null(s);
		field(s, cache, SLABSTAT_IN_USE_OBJS, &q);
		if (q == SLABSTAT_EXACT)
			return s;
		slabstat_snapshot_free(s);
	}
	return NULL;
}

/* Bytes: in use + cached + free + padding + tail = footprint. */
static void check_identity(const struct slabstat_cache *c)
{
	static const enum slabstat_field part[] = { SLABSTAT_IN_USE, SLABSTAT_CACHED, SLABSTAT_FREE,
						    SLABSTAT_PADDING, SLABSTAT_TAIL };
	uint64_t sum = 0;

	for (unsigned int i = 0; i < 5; i++) {
		uint64_t v = 0;

		assert_int_not_equal(slabstat_cache_value(c, part[i], &v), SLABSTAT_ABSENT);
		sum += v;
	}
	assert_int_equal(sum, slabstat_cache_or(c, SLABSTAT_FOOTPRINT, 1));
}

static void check_all(const struct slabstat_snapshot *s)
{
	for (size_t i = 0; i < slabstat_snapshot_count(s); i++) {
		const struct slabstat_cache *c = slabstat_snapshot_cache(s, i);

		check_identity(c);
		assert_true(slabstat_cache_or(c, SLABSTAT_OBJECTS, 1) <=
			    slabstat_cache_or(c, SLABSTAT_TOTAL_OBJECTS, 0));
		assert_int_equal(slabstat_cache_or(c, SLABSTAT_TOTAL_OBJECTS, 0),
				 slabstat_cache_or(c, SLABSTAT_SLABS, 0) *
					 slabstat_cache_or(c, SLABSTAT_OBJS_PER_SLAB, 0));
	}
}

/* In a child, so that what it does to itself stays there. What it returns is the exit status. */
static int in_child(int (*fn)(void))
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		alarm(60);
		_exit(fn());
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* ---- figures --------------------------------------------------------------------------------- */

static void test_quiet(void **state)
{
	struct kmem_cache *s = kmem_cache_create("quiet", 200, NULL, SLAB_NO_MERGE);
	struct kmem_cache_stats st;
	struct slabstat *h = slabstat_new();
	struct slabstat_snapshot *snap;
	void *p[1000];

	(void)state;
	take(s, p, 1000);
	give(s, p, 300);
	assert_int_equal(slab_publish(NULL), 0);
	snap = read_quiet(h, "quiet");
	assert_non_null(snap);
	kmem_cache_stats(s, &st);
	assert_int_equal(field(snap, "quiet", SLABSTAT_IN_USE_OBJS, NULL), 700);
	assert_int_equal(st.objects_in_use, 700);
	assert_int_equal(field(snap, "quiet", SLABSTAT_SHEAF_OBJS, NULL), st.sheaf_objects);
	assert_int_equal(field(snap, "quiet", SLABSTAT_BARN_OBJS, NULL), st.barn_objects);
	assert_int_equal(field(snap, "quiet", SLABSTAT_FREE_OBJS, NULL), st.free_objects);
	assert_int_equal(field(snap, "quiet", SLABSTAT_TOTAL_OBJECTS, NULL), st.total_objects);
	assert_int_equal(field(snap, "quiet", SLABSTAT_SLABS, NULL), st.slabs);
	assert_int_equal(field(snap, "quiet", SLABSTAT_PARTIAL, NULL), st.partial_slabs);
	assert_int_equal(field(snap, "quiet", SLABSTAT_FOOTPRINT, NULL), st.footprint_bytes);
	assert_int_equal(field(snap, "quiet", SLABSTAT_BARN_GET_FAIL, NULL), st.alloc_refill);
	assert_int_equal(field(snap, "quiet", SLABSTAT_MIN_PARTIAL, NULL), st.min_partial);
	assert_int_equal(field(snap, "quiet", SLABSTAT_SHEAF_CAPACITY, NULL), st.sheaf_capacity);
	assert_int_equal(kmem_cache_validate(s), 0);
	check_all(snap);
	slabstat_snapshot_free(snap);

	/* No slow path: only the thread, asked, can have told of it. */
	give(s, p + 300, 1);
	snap = read_page(h, slab_publish_path());
	assert_non_null(snap);
	assert_int_equal(field(snap, "quiet", SLABSTAT_IN_USE_OBJS, NULL), 699);
	slabstat_snapshot_free(snap);
	give(s, p + 301, 699);
	slab_unpublish();
	assert_null(slab_publish_path());
	kmem_cache_destroy(s);
	slabstat_free(h);
}

static void test_merged(void **state)
{
	struct kmem_cache *a = kmem_cache_create("first-of-3000", 3000, NULL, 0);
	struct kmem_cache *b = kmem_cache_create("second-of-3000", 3000, NULL, 0);
	const struct slabstat_cache *c;
	struct slabstat *h = slabstat_new();
	struct slabstat_snapshot *snap;

	(void)state;
	assert_ptr_equal(a, b);
	assert_int_equal(slab_publish(""), 0);
	snap = read_page(h, slab_publish_path());
	c = slabstat_snapshot_find(snap, "second-of-3000");
	assert_non_null(c);
	assert_ptr_equal(c, slabstat_snapshot_find(snap, "first-of-3000"));
	assert_string_equal(slabstat_cache_name(c), ":0003000");
	assert_int_equal(slabstat_cache_alias_count(c), 2);
	assert_int_equal(slabstat_cache_or(c, SLABSTAT_ALIASES, 9), 1);
	slabstat_snapshot_free(snap);
	slab_unpublish();
	kmem_cache_destroy(a);
	kmem_cache_destroy(b);
	slabstat_free(h);
}

/* More caches than the page had room for: its slots move. */
/* What a program leaves behind stays in the page, and nobody uses it any more. */
static int child_of_leak(void)
{
	struct kmem_cache *s = kmem_cache_create("left", 300, NULL, SLAB_NO_MERGE);
	struct slabstat *h = slabstat_new();
	struct slabstat_snapshot *snap;
	enum slabstat_quality q;
	uint64_t aliases;

	if (slab_publish("slow") || !kmem_cache_alloc(s, GFP_KERNEL))
		return 1;
	kmem_cache_destroy(s);
	if (slab_publish_now() || !(snap = read_page(h, slab_publish_path())))
		return 2;
	aliases = field(snap, "left", SLABSTAT_ALIASES, &q);
	slabstat_snapshot_free(snap);
	slabstat_free(h);
	slab_unpublish();
	return q != SLABSTAT_EXACT || aliases ? 3 : 0;
}

static void test_leak(void **state)
{
	(void)state;
	assert_int_equal(in_child(child_of_leak), 0);
}

static void test_growth(void **state)
{
	struct kmem_cache *s[300];
	struct slabstat *h = slabstat_new();
	struct slabstat_snapshot *snap;
	char name[32];

	(void)state;
	assert_int_equal(slab_publish(NULL), 0);
	for (int i = 0; i < 300; i++) {
		snprintf(name, sizeof(name), "growth-%03d", i);
		s[i] = kmem_cache_create(name, 64, NULL, SLAB_NO_MERGE);
		assert_non_null(s[i]);
		if (i % 50 == 0)
			assert_int_equal(slab_publish_now(), 0);
	}
	snap = read_page(h, slab_publish_path());
	assert_non_null(snap);
	for (int i = 0; i < 300; i++) {
		snprintf(name, sizeof(name), "growth-%03d", i);
		assert_non_null(slabstat_snapshot_find(snap, name));
		kmem_cache_destroy(s[i]);
	}
	slabstat_snapshot_free(snap);
	slab_unpublish();
	slabstat_free(h);
}

/* ---- a storm --------------------------------------------------------------------------------- */

#define HELD  1000
#define STORM 2

struct storm {
	struct kmem_cache *s;
	bool stop;
};

static void *work(void *arg)
{
	struct storm *storm = arg;
	void *p[300];

	for (unsigned int i = 0; !__atomic_load_n(&storm->stop, __ATOMIC_RELAXED); i++) {
		unsigned int n = 1 + i * 7 % 300;

		for (unsigned int k = 0; k < n; k++)
			p[k] = kmem_cache_alloc(storm->s, GFP_KERNEL);
		for (unsigned int k = 0; k < n; k++)
			kmem_cache_free(storm->s, p[k]);
	}
	return NULL;
}

/* The truth lies between HELD and HELD + what the storm holds; the bounds must meet that. */
static void check_bounds(const struct slabstat_snapshot *snap)
{
	const struct slabstat_cache *c = slabstat_snapshot_find(snap, "storm");
	uint64_t low, high;

	assert_true(slabstat_cache_in_use(c, &low, &high));
	assert_true(low <= HELD + STORM * 300);
	assert_true(high >= HELD);
	check_all(snap);
}

static void test_storm(void **state)
{
	struct storm storm = { .s = kmem_cache_create("storm", 128, NULL, SLAB_NO_MERGE) };
	struct slabstat *h = slabstat_new();
	struct slabstat_snapshot *snap;
	pthread_t thread[STORM];
	void *p[HELD];

	(void)state;
	take(storm.s, p, HELD);
	assert_int_equal(slab_publish(NULL), 0);
	for (int i = 0; i < STORM; i++)
		pthread_create(&thread[i], NULL, work, &storm);
	for (int i = 0; i < 200; i++) {
		if (i % 4)
			assert_int_equal(slab_publish_now(), 0);
		snap = read_page(h, slab_publish_path());
		assert_non_null(snap);
		check_bounds(snap);
		slabstat_snapshot_free(snap);
	}
	__atomic_store_n(&storm.stop, true, __ATOMIC_RELAXED);
	for (int i = 0; i < STORM; i++)
		pthread_join(thread[i], NULL);
	snap = read_page(h, slab_publish_path());
	assert_int_equal(field(snap, "storm", SLABSTAT_IN_USE_OBJS, NULL), HELD);
	slabstat_snapshot_free(snap);
	slab_unpublish();
	give(storm.s, p, HELD);
	kmem_cache_destroy(storm.s);
	slabstat_free(h);
}

/* ---- processes ------------------------------------------------------------------------------- */

static unsigned int count_pages(void)
{
	struct slabstat *h = slabstat_new();
	struct slabstat_processes *list;
	unsigned int n = 0;

	assert_int_equal(slabstat_processes_read(h, &list), 0);
	for (size_t i = 0; i < slabstat_processes_count(list); i++)
		n += !strncmp(slabstat_processes_get(list, i)->path, runtime, strlen(runtime));
	slabstat_processes_free(list);
	slabstat_free(h);
	return n;
}

static int child_of_fork(void)
{
	const char *path;
	void *p[1000];

	if (slab_publish_path())
		return 1; /* the parent's */
	for (int i = 0; i < 1000; i++)
		p[i] = kmalloc(500, GFP_KERNEL);
	for (int i = 0; i < 1000; i++)
		kfree(p[i]);
	path = slab_publish_path();
	if (!path)
		return 2; /* none made */
	if (slab_publish_now())
		return 3;
	if (count_pages() != 2)
		return 4;
	slab_unpublish();
	return access(path, F_OK) ? 0 : 5;
}

static void test_fork(void **state)
{
	(void)state;
#ifdef __SANITIZE_THREAD__
	puts("# SKIP under ThreadSanitizer: it allows no new threads in a child");
	return;
#endif
	assert_int_equal(slab_publish(NULL), 0);
	assert_int_equal(in_child(child_of_fork), 0);
	assert_int_equal(count_pages(), 1);
	assert_int_equal(slab_publish_now(), 0);
	slab_unpublish();
	assert_int_equal(count_pages(), 0);
}

static size_t read_whole(const char *path, char *data, size_t size)
{
	int fd = open(path, O_RDONLY);
	ssize_t n = fd < 0 ? -1 : read(fd, data, size);

	assert_true(n > 0 && (size_t)n < size);
	close(fd);
	return (size_t)n;
}

/* By the kernel's clone alone, without what the C library does around a fork. */
static void test_clone(void **state)
{
	static char before[1 << 20], after[1 << 20];
	size_t size;
	int status;
	pid_t pid;

	(void)state;
#ifdef __SANITIZE_THREAD__
	puts("# SKIP under ThreadSanitizer: it knows nothing of such a child");
	return;
#endif
	assert_int_equal(slab_publish("slow"), 0);
	size = read_whole(slab_publish_path(), before, sizeof(before));
	pid = (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
	if (!pid) {
		int err = slab_publish_now();

		for (int i = 0; i < 1000; i++)
			(void)!kmalloc(500, GFP_KERNEL);
		slab_unpublish();
		_exit(err == -ECHILD && !slab_publish_path() ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(read_whole(slab_publish_path(), after, sizeof(after)), size);
	assert_memory_equal(before, after, size);
	slab_unpublish();
}

static unsigned int count_threads(void)
{
	struct stat st;

	assert_int_equal(stat("/proc/self/task", &st), 0);
	return (unsigned int)st.st_nlink - 2;
}

static void test_slow(void **state)
{
	unsigned int before = count_threads();
	struct slabstat *h = slabstat_new();
	struct slabstat_snapshot *snap;
	bool seen = false;

	(void)state;
	assert_int_equal(slab_publish("slow,10"), 0);
	assert_int_equal(count_threads(), before);
	for (int i = 0; i < 200 && !seen; i++) {
		void *p[300];

		take(kmem_cache_create("slow-one", 5000, NULL, 0), p, 300);
		usleep(10000);
		snap = read_page(h, slab_publish_path());
		seen = slabstat_snapshot_find(snap, "slow-one");
		slabstat_snapshot_free(snap);
	}
	assert_true(seen);
	slab_unpublish();
	slabstat_free(h);
}

/* ---- files ----------------------------------------------------------------------------------- */

static void test_cut(void **state)
{
	struct slabstat *h = slabstat_new();
	struct slabstat_snapshot *snap;
	char path[512];

	(void)state;
	assert_int_equal(slab_publish("thread,50"), 0);
	snprintf(path, sizeof(path), "%s", slab_publish_path());
	for (int i = 0; i < 4; i++) {
		static const off_t length[] = { 0, 100, 5000, 12300 };

		assert_int_equal(truncate(path, length[i]), 0);
		snap = read_page(h, path); /* not whole, and says so, or healed by now */
		assert_true(snap || slabstat_error(h)->text);
		slabstat_snapshot_free(snap);
		assert_int_equal(slab_publish_now(), 0);
		snap = read_page(h, path);
		assert_non_null(snap);
		check_all(snap);
		slabstat_snapshot_free(snap);
	}
	/* Gone: the next writing makes another one. */
	assert_int_equal(unlink(path), 0);
	assert_int_equal(slab_publish_now(), 0);
	snap = read_page(h, slab_publish_path());
	assert_non_null(snap);
	slabstat_snapshot_free(snap);
	slab_unpublish();
	slabstat_free(h);
}

static int put_link(const char *path)
{
	return symlink("/dev/null", path);
}

static int put_fifo(const char *path)
{
	return mkfifo(path, 0600);
}

static int put_socket(const char *path)
{
	return mknod(path, S_IFSOCK | 0600, 0);
}

/* Something else under its name: the next writing makes a page again. */
static void test_replaced(void **state)
{
	static int (*const put[])(const char *) = { put_link, put_fifo, put_socket };
	struct slabstat *h = slabstat_new();
	struct slabstat_snapshot *snap;
	char path[512];

	(void)state;
	assert_int_equal(slab_publish("slow"), 0);
	for (unsigned int i = 0; i < sizeof(put) / sizeof(put[0]); i++) {
		snprintf(path, sizeof(path), "%s", slab_publish_path());
		assert_int_equal(unlink(path), 0);
		assert_int_equal(put[i](path), 0);
		assert_int_equal(slab_publish_now(), 0);
		snap = read_page(h, slab_publish_path());
		assert_non_null(snap);
		slabstat_snapshot_free(snap);
	}
	/* What cannot be removed: in another place, if there is one. */
	snprintf(path, sizeof(path), "%s", slab_publish_path());
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkdir(path, 0700), 0);
	slab_publish_now();
	assert_int_equal(rmdir(path), 0);
	assert_int_equal(slab_publish_now(), 0);
	slab_unpublish();
	slabstat_free(h);
}

static void test_rights(void **state)
{
	char path[512];
	struct stat st;

	(void)state;
	assert_int_equal(slab_publish(NULL), 0);
	assert_int_equal(stat(slab_publish_path(), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	snprintf(path, sizeof(path), "%s/slab", runtime);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	slab_unpublish();
	assert_int_equal(slab_publish("nonsense"), -EINVAL);
	assert_int_equal(slab_publish("5"), -EINVAL); /* more often than may be */
	assert_int_equal(slab_publish("tree:a/b"), -EINVAL);
	assert_int_equal(slab_publish_now(), -ENOENT);
}

/* Others could read, or had put a link there: not a place to publish in. */
static int child_of_bad_place(void)
{
	char path[512], other[512];
	int err;

	snprintf(path, sizeof(path), "%s/slab", runtime);
	snprintf(other, sizeof(other), "%s/elsewhere", runtime);
	chmod(path, 0755);
	err = slab_publish("slow");
	if (!err && !strncmp(slab_publish_path(), runtime, strlen(runtime)))
		return 1;
	slab_unpublish();
	chmod(path, 0700);
	if (rmdir(path) || mkdir(other, 0700) || symlink(other, path))
		return 2;
	err = slab_publish("slow");
	if (!err && !strncmp(slab_publish_path(), runtime, strlen(runtime)))
		return 3;
	slab_unpublish();
	return unlink(path) || rmdir(other) ? 4 : 0;
}

static int child_of_limit(void)
{
	const struct rlimit limit = { 1000, 1000 };

	if (setrlimit(RLIMIT_FSIZE, &limit))
		return 1;
	return slab_publish("slow") == -EFBIG ? 0 : 2; /* and no SIGXFSZ */
}

static int write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY), ok = fd >= 0 && write(fd, text, strlen(text)) > 0;

	if (fd >= 0)
		close(fd);
	return ok;
}

#define NOT_HERE 77

/* A memory file system that fills up, seen by this child alone. */
static int child_of_full(void)
{
	unsigned int uid = getuid(), gid = getgid();
	char text[64], path[512];
	int fd, err;

	if (unshare(CLONE_NEWNS | CLONE_NEWUSER))
		return NOT_HERE;
	snprintf(text, sizeof(text), "0 %u 1", uid);
	write_file("/proc/self/setgroups", "deny");
	if (!write_file("/proc/self/uid_map", text))
		return NOT_HERE;
	snprintf(text, sizeof(text), "0 %u 1", gid);
	write_file("/proc/self/gid_map", text);
	if (mount("none", runtime, "tmpfs", 0, "size=65536,mode=0700"))
		return NOT_HERE;
	if (slab_publish("slow") || slab_publish_now())
		return 1;
	snprintf(path, sizeof(path), "%s/filler", runtime);
	fd = open(path, O_WRONLY | O_CREAT, 0600);
	while (write(fd, path, sizeof(path)) > 0)
		;
	if (slab_publish_now()) /* its room is its own */
		return 2;
	if (truncate(slab_publish_path(), 0))
		return 3;
	while (write(fd, path, sizeof(path)) > 0)
		;
	err = slab_publish_now();
	if (err != -ENOSPC)
		return 4;
	for (int i = 0; i < 1000; i++)
		(void)!kmalloc(500, GFP_KERNEL);
	unlink(path);
	close(fd);
	return slab_publish_now() ? 5 : 0; /* room again: as if nothing had been */
}

static void test_bad_places(void **state)
{
	int status;

	(void)state;
	assert_int_equal(in_child(child_of_bad_place), 0);
	assert_int_equal(in_child(child_of_limit), 0);
	status = in_child(child_of_full);
	if (status == NOT_HERE)
		printf("# SKIP a full file system: no user namespace to mount one in\n");
	else
		assert_int_equal(status, 0);
}

/* ---- killed ---------------------------------------------------------------------------------- */

static void write_for_ever(void)
{
	char name[32];

	for (int i = 0;; i++) {
		snprintf(name, sizeof(name), "killed-%d", i % 100);
		if (i < 100)
			(void)!kmem_cache_alloc(kmem_cache_create(name, 100, NULL, SLAB_NO_MERGE),
						0);
		slab_publish_now();
	}
}

/* PUBLISH_KILLS: how often. Whatever the moment, there is a page with figures, or none at all. */
static void test_kill(void **state)
{
	const char *kills = getenv("PUBLISH_KILLS");
	int n = kills ? atoi(kills) : 25, readable = 0, none = 0;
	struct slabstat *h = slabstat_new();
	struct slabstat_processes *list;

	(void)state;
	for (int i = 0; i < n; i++) {
		int begun[2];
		char c;
		pid_t pid;

		assert_int_equal(pipe(begun), 0);
		pid = fork();
		if (!pid) {
			if (slab_publish("slow") || write(begun[1], "b", 1) != 1)
				_exit(1);
			write_for_ever();
		}
		/* One in eight while the page is being made. */
		if (i % 8)
			assert_int_equal(read(begun[0], &c, 1), 1);
		usleep((unsigned int)random() % 8000);
		close(begun[0]);
		close(begun[1]);
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		assert_int_equal(slabstat_processes_read(h, &list), 0);
		for (size_t k = 0; k < slabstat_processes_count(list); k++) {
			const struct slabstat_process *p = slabstat_processes_get(list, k);

			if (p->pid != (uint64_t)pid)
				continue;
			if (p->state == SLABSTAT_PROCESS_DAMAGED) {
				assert_non_null(p->why); /* killed before the first figures */
			} else {
				struct slabstat_snapshot *snap = read_page(h, p->path);

				assert_int_equal(p->state, SLABSTAT_PROCESS_DIED);
				assert_non_null(snap);
				check_all(snap);
				slabstat_snapshot_free(snap);
				readable++;
			}
			none++;
			assert_int_equal(slabstat_processes_clean(h, list, k), 0);
		}
		slabstat_processes_free(list);
	}
	printf("# %d killed: %d pages read, %d rejected, %d had none yet\n", n, readable,
	       none - readable, n - none);
	assert_int_equal(count_pages(), 0);
	slabstat_free(h);
}

/* A page is never cleaned while its process runs. */
static void test_clean(void **state)
{
	struct slabstat *h = slabstat_new();
	struct slabstat_processes *list;

	(void)state;
	assert_int_equal(slab_publish("keep"), 0);
	assert_int_equal(slabstat_processes_read(h, &list), 0);
	for (size_t i = 0; i < slabstat_processes_count(list); i++) {
		const struct slabstat_process *p = slabstat_processes_get(list, i);

		if (p->pid != (uint64_t)getpid())
			continue;
		assert_int_equal(p->state, SLABSTAT_PROCESS_RUNS);
		assert_int_equal(slabstat_processes_clean(h, list, i), -EBUSY);
	}
	slabstat_processes_free(list);
	slab_unpublish();
	assert_int_equal(count_pages(), 1); /* kept */
	slabstat_free(h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quiet),	   cmocka_unit_test(test_merged),
		cmocka_unit_test(test_growth),	   cmocka_unit_test(test_storm),
		cmocka_unit_test(test_fork),	   cmocka_unit_test(test_clone),
		cmocka_unit_test(test_slow),	   cmocka_unit_test(test_cut),
		cmocka_unit_test(test_replaced),
		cmocka_unit_test(test_leak),
		cmocka_unit_test(test_rights),	   cmocka_unit_test(test_bad_places),
		cmocka_unit_test(test_kill),	   cmocka_unit_test(test_clean),
	};
	char command[128];
	int failed;

	snprintf(runtime, sizeof(runtime), "/tmp/slabkit-publish-XXXXXX");
	if (!mkdtemp(runtime) || setenv("XDG_RUNTIME_DIR", runtime, 1))
		return 1;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	snprintf(command, sizeof(command), "rm -rf %s", runtime);
	return system(command) || failed;
}
