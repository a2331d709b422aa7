/* SPDX-License-Identifier: MIT */
/*
 * pubfile.h - the file that a page is (wire/wire.h): its place, its rights, writing its parts.
 *
 * No descriptor is kept: a program may close all that it does not know, and the number would then
 * be another file's. Each visit opens the path and looks whether that is still our file. Nothing
 * of it is mapped but the requests, and that memory is never touched, only slept on: whoever
 * truncates the file raises no signal here. Its room is taken in advance, and a file system that is
 * full, or a limit on file sizes, is an error and nothing worse. What somebody cut off is written
 * anew; a file that is gone is made again by publish.c.
 *
 * Errors are negative errnos. -ESTALE: what stands at the path is not our file any more.
 */
#ifndef SLABKIT_SLAB_PUBFILE_H
#define SLABKIT_SLAB_PUBFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "wire/wire.h"

struct pubfile {
	char path[512];
	dev_t dev;
	ino_t ino;
	struct wire_head head;
	uint64_t number; /* of the slot written last */
	uint64_t served; /* the ask answered last */
	struct wire_requests *requests;
};

/* One writing of the figures. */
struct pubfile_figures {
	const void *records;
	size_t bytes;
	uint32_t caches;
	uint64_t flags; /* of struct wire_slot */
};

/*
 * pubfile_create - a page for this process, with its first figures. head: flags and tree are set.
 * where: text of PATH_MAX bytes or so that gets the place an error is about.
 */
int pubfile_create(struct pubfile *f, const struct pubfile_figures *figures, char *where,
		   size_t size);
int pubfile_write(struct pubfile *f, const struct pubfile_figures *figures);
/* pubfile_remove - the file goes, if it is ours. */
void pubfile_remove(struct pubfile *f);
/* pubfile_leave - whoever waits wakes, the mapping goes, the file stays as it is. */
void pubfile_leave(struct pubfile *f);
/* pubfile_forget - in a child, which has no such mapping. */
void pubfile_forget(struct pubfile *f);

/*
 * pubfile_ask - 1: *ask is one that has not been answered; 0: there is none. *bell: for the wait.
 */
int pubfile_ask(struct pubfile *f, struct wire_ask *ask, uint32_t *bell);
int pubfile_answer(struct pubfile *f, const struct wire_answer *answer);
/* pubfile_ring - wakes who waits. */
void pubfile_ring(struct pubfile *f);
/* pubfile_wait - until the bell at requests is not bell; ms < 0: for ever. No lock is needed. */
void pubfile_wait(struct wire_requests *requests, uint32_t bell, int ms);

#endif
