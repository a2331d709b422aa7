// SPDX-License-Identifier: MIT
/* ask.c - asking the process behind a page; see ask.h. */
#include "slabstat/ask.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static uint64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

static void nap(unsigned turn)
{
	struct timespec ts = { .tv_nsec = turn < 20 ? 50000 : 1000000 };

	nanosleep(&ts, NULL);
}

int ask_allowed(const struct wirepage *p)
{
	const struct wire_head *h = &p->head;
	int flags = p->fd < 0 ? -1 : fcntl(p->fd, F_GETFL);
	struct stat st;

	if (flags < 0 || (flags & O_ACCMODE) != O_RDWR)
		return -EACCES;
	if (h->request_bytes < sizeof(struct wire_requests) || h->request_offset < h->head_bytes ||
	    fstat(p->fd, &st) || (uint64_t)st.st_size < sizeof(struct wire_requests) ||
	    h->request_offset > (uint64_t)st.st_size - sizeof(struct wire_requests))
		return -ENOTSUP;
	return 0;
}

static int lock_page(int fd, uint64_t until)
{
	for (unsigned turn = 0; flock(fd, LOCK_EX | LOCK_NB); turn++) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return -errno;
		if (now_ms() >= until)
			return -ETIMEDOUT;
		nap(turn);
	}
	return 0;
}

static int write_at(int fd, uint64_t offset, const void *data, size_t bytes)
{
	ssize_t n = pwrite(fd, data, bytes, (off_t)offset);

	return n < 0 ? -errno : (size_t)n == bytes ? 0 : -EIO;
}

/* The mapping is for the futex to be found by; its memory is never touched. */
static int ring(const struct wirepage *p, uint32_t bell)
{
	const uint64_t at = p->head.request_offset + offsetof(struct wire_requests, bell);
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), start = at / page * page;
	int ret = write_at(p->fd, at, &bell, sizeof(bell));
	char *map;

	if (ret)
		return ret;
	map = mmap(NULL, page, PROT_READ, MAP_SHARED, p->fd, (off_t)start);
	if (map == MAP_FAILED)
		return -errno;
	syscall(SYS_futex, map + (at - start), FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
	munmap(map, page);
	return 0;
}

static int wait_answer(const struct wirepage *p, uint64_t number, struct wire_answer *answer,
		       uint64_t until)
{
	const uint64_t at = p->head.request_offset + offsetof(struct wire_requests, answer);

	for (unsigned turn = 0;; turn++) {
		if (pread(p->fd, answer, sizeof(*answer), (off_t)at) == (ssize_t)sizeof(*answer) &&
		    answer->number == number && answer->sum == wire_answer_sum(answer))
			return 0;
		if (now_ms() >= until)
			return -ETIMEDOUT;
		nap(turn);
	}
}

static int ask_locked(const struct wirepage *p, struct wire_ask *a, struct wire_answer *answer,
		      uint64_t until)
{
	const uint64_t at = p->head.request_offset;
	struct wire_requests before;
	int ret;

	if (pread(p->fd, &before, sizeof(before), (off_t)at) != (ssize_t)sizeof(before))
		return -EIO;
	/* Another number than any that was answered, also in a page that is made anew. */
	a->number = (before.ask.number > before.answer.number ? before.ask.number :
								 before.answer.number) + 1;
	if (!a->number)
		a->number = 1;
	a->sum = wire_ask_sum(a);
	ret = write_at(p->fd, at + offsetof(struct wire_requests, ask), a, sizeof(*a));
	if (ret == 0)
		ret = ring(p, before.bell + 1);
	return ret ? ret : wait_answer(p, a->number, answer, until);
}

int ask_process(const struct wirepage *p, struct wire_ask *a, struct wire_answer *answer,
		unsigned wait_ms)
{
	const uint64_t until = now_ms() + wait_ms;
	int ret = ask_allowed(p);

	if (ret == 0)
		ret = lock_page(p->fd, until);
	if (ret)
		return ret;
	ret = ask_locked(p, a, answer, until);
	flock(p->fd, LOCK_UN);
	return ret;
}
