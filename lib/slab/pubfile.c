// SPDX-License-Identifier: MIT
/* pubfile.c - the file of a page, as its process sees it. */
#include "pubfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/falloc.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "root.h"

static uint64_t now_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

static uint64_t align(uint64_t bytes)
{
	return (bytes + root.page_bytes - 1) / root.page_bytes * root.page_bytes;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Beyond the limit of file sizes a write would not only fail, it would raise a signal. */
static bool within_limit(uint64_t end)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur == RLIM_INFINITY ||
	       end <= limit.rlim_cur;
}

static int take_room(int fd, uint64_t offset, uint64_t bytes)
{
	if (!within_limit(offset + bytes))
		return -EFBIG;
	return -posix_fallocate(fd, (off_t)offset, (off_t)bytes);
}

static int write_at(int fd, uint64_t offset, const struct iovec *part, int parts)
{
	size_t bytes = 0;
	ssize_t n;

	for (int i = 0; i < parts; i++)
		bytes += part[i].iov_len;
	if (!within_limit(offset + bytes))
		return -EFBIG;
	n = pwritev(fd, part, parts, (off_t)offset);
	return n < 0 ? -errno : (size_t)n == bytes ? 0 : -ENOSPC;
}

static int write_head(struct pubfile *f, int fd)
{
	const struct iovec part[] = {
		{ &f->head, sizeof(f->head) },
		{ (void *)wire_names, sizeof(wire_names) },
	};

	f->head.sum = wire_head_sum(&f->head, wire_names, sizeof(wire_names));
	return write_at(fd, 0, part, 2);
}

static int write_slot(struct pubfile *f, int fd, const struct pubfile_figures *figures)
{
	struct wire_slot slot = {
		.number = f->number + 1,
		.bytes = figures->bytes,
		.wall_ns = now_ns(CLOCK_REALTIME),
		.mono_ns = now_ns(CLOCK_MONOTONIC),
		.flags = figures->flags,
		.caches = figures->caches,
	};
	const struct iovec part[] = {
		{ &slot, sizeof(slot) },
		{ (void *)figures->records, figures->bytes },
	};
	int err;

	slot.sum = wire_slot_sum(&slot, figures->records);
	err = write_at(fd, f->head.slot_offset[slot.number % WIRE_SLOTS], part, 2);
	if (!err)
		f->number = slot.number;
	return err;
}

/*
 * Twice what is needed now, so that a program that makes caches does not grow its page each time.
 */
static void lay_out(struct pubfile *f, uint64_t from, size_t figure_bytes)
{
	f->head.slot_bytes = align(2 * (sizeof(struct wire_slot) + figure_bytes));
	for (unsigned int i = 0; i < WIRE_SLOTS; i++)
		f->head.slot_offset[i] = from + i * f->head.slot_bytes;
}

static uint64_t end_of(const struct pubfile *f)
{
	return f->head.slot_offset[0] + WIRE_SLOTS * f->head.slot_bytes;
}

/*
 * Larger slots behind the old ones: the figures first, then the head that tells of them, so that
 * whoever reads in between, or after we were killed in between, finds the old ones whole.
 */
static int grow(struct pubfile *f, int fd, const struct pubfile_figures *figures)
{
	struct wire_head old = f->head;
	int err;

	lay_out(f, align(end_of(f)), figures->bytes);
	err = take_room(fd, f->head.slot_offset[0], WIRE_SLOTS * f->head.slot_bytes);
	if (!err)
		err = write_slot(f, fd, figures);
	if (!err)
		err = write_head(f, fd);
	if (err) {
		f->head = old;
		return err;
	}
	fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)old.slot_offset[0],
		  (off_t)(WIRE_SLOTS * old.slot_bytes));
	return 0;
}

/* ---- the file -------------------------------------------------------------------------------- */

/* Why a path did not open: it is gone, not for us, or a link, a directory, a socket now. */
static bool is_lost(int err)
{
	return err == ENOENT || err == EACCES || err == ELOOP || err == EISDIR || err == ENXIO ||
	       err == ENOTDIR;
}

/* Our file, and nothing that was put in its place. */
static int open_own(const struct pubfile *f, struct stat *st)
{
	int fd = open(f->path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return is_lost(errno) ? -ESTALE : -errno;
	if (fstat(fd, st) || st->st_dev != f->dev || st->st_ino != f->ino) {
		close(fd);
		return -ESTALE;
	}
	return fd;
}

/* A directory that is ours alone, made if need be. */
static int open_directory(const char *path)
{
	struct stat st;
	int fd, err = 0, made = mkdir(path, 0700) ? errno : 0;

	if (made == ENOENT && !geteuid() && !strncmp(path, "/run/slab/", 10) &&
	    !mkdir("/run/slab", 0755))
		made = mkdir(path, 0700) ? errno : 0;
	fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	/* That it is not there, where it cannot be made, is not why. */
	if (fd < 0)
		return errno == ENOENT && made ? -made : -errno;
	if (fstat(fd, &st))
		err = -errno;
	else if (st.st_uid != geteuid() || st.st_mode & 077)
		err = -EPERM;
	if (err)
		close(fd);
	return err ? err : fd;
}

/* What this process left there before it became another program by exec is replaced. */
static int open_new(int dir, const char *name)
{
	const int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
	int fd = openat(dir, name, flags, 0600);

	if (fd < 0 && errno == EEXIST && !unlinkat(dir, name, 0))
		fd = openat(dir, name, flags, 0600);
	return fd < 0 ? -errno : fd;
}

static int fill(struct pubfile *f, int fd, const struct pubfile_figures *figures)
{
	struct stat st;
	int err = take_room(fd, 0, end_of(f));

	if (!err)
		err = write_slot(f, fd, figures);
	if (!err)
		err = write_head(f, fd);
	if (err || fstat(fd, &st))
		return err ? err : -errno;
	f->dev = st.st_dev;
	f->ino = st.st_ino;
	f->requests = mmap(NULL, root.page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			   (off_t)f->head.request_offset);
	if (f->requests == MAP_FAILED) {
		f->requests = NULL;
		return -errno;
	}
	madvise(f->requests, root.page_bytes, MADV_DONTFORK);
	return 0;
}

static int create_in(struct pubfile *f, const char *directory,
		     const struct pubfile_figures *figures)
{
	int dir = open_directory(directory), fd, err;
	char name[64];

	if (dir < 0)
		return dir;
	snprintf(name, sizeof(name), "%llu-%llu", (unsigned long long)f->head.who.pid,
		 (unsigned long long)f->head.who.start_ticks);
	snprintf(f->path, sizeof(f->path), "%s/%s", directory, name);
	fd = open_new(dir, name);
	err = fd < 0 ? fd : fill(f, fd, figures);
	if (fd >= 0 && err)
		unlinkat(dir, name, 0);
	if (fd >= 0)
		close(fd);
	close(dir);
	return err;
}

static int set_head(struct pubfile *f, size_t figure_bytes)
{
	struct wire_head *h = &f->head;

	memcpy(h->magic, WIRE_MAGIC, sizeof(h->magic));
	h->byte_order = WIRE_BYTE_ORDER;
	h->version = WIRE_VERSION;
	h->head_bytes = sizeof(*h);
	h->counter_bytes = sizeof(struct wire_name);
	h->counters = WIRE_COUNTERS;
	h->request_bytes = sizeof(struct wire_requests);
	h->request_offset = align(sizeof(*h) + sizeof(wire_names));
	h->uid = geteuid();
	h->cpus = root.nr_cpus;
	h->nodes = root.numa.nr;
	h->born_ns = now_ns(CLOCK_REALTIME);
	lay_out(f, h->request_offset + align(sizeof(struct wire_requests)), figure_bytes);
	return wire_identify((uint64_t)getpid(), &h->who);
}

int pubfile_create(struct pubfile *f, const struct pubfile_figures *figures, char *where,
		   size_t size)
{
	int err = set_head(f, figures->bytes), first = 0;
	char directory[400];

	snprintf(where, size, "/proc/self");
	f->number = f->served = 0;
	for (unsigned int i = 0;
	     !err && wire_directory(i, secure_getenv("XDG_RUNTIME_DIR"), geteuid(), directory,
				    sizeof(directory));
	     i++) {
		int ret = create_in(f, directory, figures);

		if (!ret)
			return 0;
		/* That a place does not exist is the least of reasons. */
		if (!first || first == -ENOENT) {
			first = ret;
			snprintf(where, size, "%s", directory);
		}
	}
	f->path[0] = '\0';
	return err ? err : first ? first : -ENOENT;
}

int pubfile_write(struct pubfile *f, const struct pubfile_figures *figures)
{
	struct stat st;
	int fd = open_own(f, &st), err = 0;

	if (fd < 0)
		return fd;
	if ((uint64_t)st.st_size < end_of(f)) {
		/* Somebody cut it off. */
		err = take_room(fd, 0, end_of(f));
		if (!err)
			err = write_head(f, fd);
	}
	if (!err && figures->bytes + sizeof(struct wire_slot) > f->head.slot_bytes)
		err = grow(f, fd, figures);
	else if (!err)
		err = write_slot(f, fd, figures);
	close(fd);
	return err;
}

void pubfile_remove(struct pubfile *f)
{
	struct stat st;
	int fd = open_own(f, &st);

	if (fd < 0)
		return;
	unlink(f->path);
	close(fd);
}

static void wake(struct wire_requests *requests)
{
	syscall(SYS_futex, &requests->bell, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

void pubfile_leave(struct pubfile *f)
{
	if (f->requests) {
		wake(f->requests);
		munmap(f->requests, root.page_bytes);
	}
	pubfile_forget(f);
}

void pubfile_forget(struct pubfile *f)
{
	f->requests = NULL;
	f->path[0] = '\0';
}

/* ---- requests -------------------------------------------------------------------------------- */

int pubfile_ask(struct pubfile *f, struct wire_ask *ask, uint32_t *bell)
{
	struct wire_requests r;
	struct stat st;
	int fd = open_own(f, &st);
	ssize_t n;

	if (fd < 0)
		return fd;
	n = pread(fd, &r, sizeof(r), (off_t)f->head.request_offset);
	close(fd);
	if (n != (ssize_t)sizeof(r))
		return n < 0 ? -errno : -ENODATA;
	*bell = r.bell;
	*ask = r.ask;
	return ask->number && ask->number != f->served && ask->sum == wire_ask_sum(ask);
}

int pubfile_answer(struct pubfile *f, const struct wire_answer *answer)
{
	struct wire_answer signed_answer = *answer;
	const struct iovec part = { &signed_answer, sizeof(signed_answer) };
	struct stat st;
	int fd = open_own(f, &st), err;

	f->served = answer->number;
	if (fd < 0)
		return fd;
	signed_answer.sum = wire_answer_sum(answer);
	err = write_at(fd, f->head.request_offset + offsetof(struct wire_requests, answer), &part,
		       1);
	close(fd);
	return err;
}

/* Another value each time, so that who is just about to sleep does not. */
void pubfile_ring(struct pubfile *f)
{
	uint32_t bell = (uint32_t)(now_ns(CLOCK_MONOTONIC) >> 4);
	const struct iovec part = { &bell, sizeof(bell) };
	struct stat st;
	int fd = open_own(f, &st);

	if (fd < 0)
		return;
	write_at(fd, f->head.request_offset + offsetof(struct wire_requests, bell), &part, 1);
	close(fd);
	wake(f->requests);
}

void pubfile_wait(struct wire_requests *requests, uint32_t bell, int ms)
{
	struct timespec span = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L };

	long ret = -1;

	errno = EFAULT;
	if (requests)
		ret = syscall(SYS_futex, &requests->bell, FUTEX_WAIT, bell, ms < 0 ? NULL : &span,
			      NULL, 0);
	if (!ret || errno == EAGAIN || errno == EINTR || errno == ETIMEDOUT)
		return;
	/* The file was cut off, or left for another: sleep by the clock until all is well again. */
	span = (struct timespec){ .tv_nsec = 100000000 };
	nanosleep(&span, NULL);
}
