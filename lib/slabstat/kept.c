// SPDX-License-Identifier: MIT
/* kept.c - attribute files that stay open from reading to reading; see kept.h. */
#include "slabstat/kept.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define FOR_OTHERS 64	/* descriptors left to the rest of the program */

struct kept_cache {
	int fd[SLABSTAT_NFIELDS];	/* descriptor + 1; 0: none */
};

void kept_start(struct kept *k)
{
	struct rlimit limit;

	*k = (struct kept){ .on = true };
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur > FOR_OTHERS)
		k->limit = (size_t)limit.rlim_cur - FOR_OTHERS;
}

static void close_all(struct kept *k)
{
	for (size_t i = 0; k->open > 0 && i < k->caches; i++) {
		for (int f = 0; f < SLABSTAT_NFIELDS; f++) {
			if (k->cache[i].fd[f] > 0) {
				close(k->cache[i].fd[f] - 1);
				k->open--;
			}
		}
	}
	free(k->cache);
	k->cache = NULL;
	k->caches = 0;
}

void kept_reset(struct kept *k, size_t caches)
{
	if (!k->on)
		return;
	close_all(k);
	/* Without memory nothing is kept; the reading itself goes on. */
	k->cache = calloc(caches ? caches : 1, sizeof(*k->cache));
	k->caches = k->cache ? caches : 0;
}

int kept_find(const struct kept *k, size_t place, enum slabstat_field field)
{
	return place < k->caches ? k->cache[place].fd[field] - 1 : -1;
}

bool kept_add(struct kept *k, size_t place, enum slabstat_field field, int fd)
{
	if (place >= k->caches || k->open >= k->limit || k->cache[place].fd[field] > 0)
		return false;
	k->cache[place].fd[field] = fd + 1;
	k->open++;
	return true;
}

long kept_read(int fd, char *buf, size_t size)
{
	ssize_t n;

	do
		n = pread(fd, buf, size - 1, 0);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	buf[n] = '\0';
	return n;
}

void kept_stop(struct kept *k)
{
	close_all(k);
	*k = (struct kept){ 0 };
}
