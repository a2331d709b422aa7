// SPDX-License-Identifier: MIT
/* quiet.c - whether other threads of the process ran. */
#include "quiet.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The clock of the CPU time of a thread, as the kernel numbers them: precise also while it runs. */
static bool ran(int32_t tid, uint64_t *ns)
{
	clockid_t clock = (clockid_t)(~(unsigned int)tid << 3 | 6);
	struct timespec ts;

	if (clock_gettime(clock, &ts))
		return false;
	*ns = (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
	return true;
}

struct entry {
	uint64_t ino;
	int64_t off;
	uint16_t bytes;
	uint8_t type;
	char name[];
};

static bool add_thread(struct quiet *q, const char *name, int32_t self)
{
	char *end;
	long tid = strtol(name, &end, 10);

	if (*end || end == name || tid <= 0 || (int32_t)tid == self)
		return true; /* ".", "..", us */
	if (q->threads == QUIET_THREADS)
		return false;
	q->tid[q->threads] = (int32_t)tid;
	if (ran((int32_t)tid, &q->ran_ns[q->threads]))
		q->threads++;
	return true;
}

/* No opendir: it would allocate. */
static bool list_threads(struct quiet *q, int fd)
{
	char buf[4096] __attribute__((aligned(8)));
	int32_t self = (int32_t)syscall(SYS_gettid);
	long n;

	while ((n = syscall(SYS_getdents64, fd, buf, sizeof(buf))) > 0) {
		for (long at = 0; at < n;) {
			const struct entry *e = (const void *)(buf + at);

			if (!add_thread(q, e->name, self))
				return false;
			at += e->bytes;
		}
	}
	return n == 0;
}

void quiet_begin(struct quiet *q)
{
	int fd = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	q->threads = 0;
	q->known = fd >= 0 && list_threads(q, fd);
	if (fd >= 0)
		close(fd);
}

uint32_t quiet_end(const struct quiet *q)
{
	uint32_t moved = 0;
	uint64_t ns;

	if (!q->known)
		return UINT32_MAX;
	for (unsigned int i = 0; i < q->threads; i++)
		moved += !ran(q->tid[i], &ns) || ns != q->ran_ns[i];
	return moved;
}
