/* SPDX-License-Identifier: MIT */
/* source_procfs.h - one reading of a root's /proc/slabinfo, for this source and the hybrid one. */
#ifndef SLABSTAT_SOURCE_PROCFS_H
#define SLABSTAT_SOURCE_PROCFS_H

#include "slabstat/procfs.h"
#include "slabstat/root.h"

/* The text as read last, and where its pieces met; its room is used again. Zero-initialise. */
struct procfs_text {
	char *text;
	size_t len, room;
	struct procfs_seams seams;
};

/*
 * procfs_read - read and parse proc/slabinfo of a root; the rows borrow from x. 0, or a negative
 * errno with the error set.
 */
int procfs_read(struct root *r, struct procfs_text *x, struct procfs_table *t);
void procfs_text_free(struct procfs_text *x);

#endif
