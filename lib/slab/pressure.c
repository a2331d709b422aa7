// SPDX-License-Identifier: MIT
/* pressure.c - the thread that waits for pressure on memory. */
#include "pressure.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "peek.h"
#include "reclaim.h"
#include "report.h"
#include "root.h"
#include "thread.h"

#define SYSTEM_FILE "/proc/pressure/memory"

void pressure_serve(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLPRI };

	for (;;) {
		int n = poll(&p, 1, -1);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 || p.revents & (POLLERR | POLLHUP | POLLNVAL))
			return;
		if (p.revents & POLLPRI)
			reclaim_for_pressure();
	}
}

static void *work(void *arg)
{
	int fd = (int)(intptr_t)arg;

	pressure_serve(fd);
	close(fd);
	return NULL;
}

/* An open file with the trigger set, or -1 with errno. */
static int open_trigger(const char *path)
{
	const struct opts_psi *psi = &root.opts.psi;
	int fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK), len;
	char text[64];

	if (fd < 0)
		return -1;
	len = snprintf(text, sizeof(text), "some %llu %llu", psi->stall_ms * 1000ULL,
		       psi->window_ms * 1000ULL);
	if (write(fd, text, (size_t)len + 1) < 0) {
		int err = errno;

		close(fd);
		errno = err;
		return -1;
	}
	return fd;
}

/* The group's own file, where the unified hierarchy is mounted. */
static bool group_file(char *path, size_t size)
{
	char line[PATH_MAX];
	FILE *f = fopen("/proc/self/cgroup", "re");
	bool found = false;

	while (f && !found && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		found = !strncmp(line, "0::/", 4) && line[4] &&
			(size_t)snprintf(path, size, "/sys/fs/cgroup%s/memory.pressure",
					 line + 3) < size;
	}
	if (f)
		fclose(f);
	return found;
}

/* The file that was asked for, or the nearest that there is. */
static int open_any(const char **path)
{
	static char group[PATH_MAX];
	int fd = -1;

	*path = root.opts.psi.file;
	if (*path)
		return open_trigger(*path);
	if (group_file(group, sizeof(group)))
		fd = open_trigger(group);
	*path = SYSTEM_FILE;
	return fd < 0 ? open_trigger(*path) : fd;
}

void pressure_start(void)
{
	const char *path;
	int fd;

	if (!root.opts.psi.given || __atomic_exchange_n(&root.pressure, true, __ATOMIC_ACQ_REL))
		return;
	fd = open_any(&path);
	if (fd < 0 && errno == EINVAL) {
		report_warn("SLAB_OPTIONS: psi: %s takes no such trigger; without CAP_SYS_RESOURCE "
			    "the window is a multiple of 2000\n",
			    path);
	} else if (fd < 0) {
		report_warn("SLAB_OPTIONS: psi: %s: %s; the allocator will not hear of pressure\n",
			    path, strerror(errno));
	} else if (!thread_start(work, (void *)(intptr_t)fd, 0)) {
		report_warn("SLAB_OPTIONS: psi: no thread can be had\n");
		close(fd);
	}
}

void pressure_after_fork(void)
{
	root.pressure = false;
}
