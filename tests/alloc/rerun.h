/* SPDX-License-Identifier: MIT */
/* rerun.h - the test program once more, as one that begins with other SLAB_OPTIONS. */
#ifndef SLABKIT_TESTS_RERUN_H
#define SLABKIT_TESTS_RERUN_H

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

/* In a child: does not return. flag: a variable that tells main to do a child's work. */
static inline void rerun(const char *options, const char *flag)
{
	char path[PATH_MAX];
	/* Not by that name itself: under valgrind it would be valgrind. */
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (len > 0) {
		path[len] = '\0';
		setenv("SLAB_OPTIONS", options, 1);
		setenv(flag, "1", 1);
		execl(path, path, (char *)NULL);
	}
	_exit(99);
}

#endif
