/* SPDX-License-Identifier: MIT */
/* batch.h - slabtop --batch: the picture as lines, every row, without escape codes. */
#ifndef SLABTOP_BATCH_H
#define SLABTOP_BATCH_H

struct top;

/* batch_run - prints the samples asked for; t is open. An exit status. */
int batch_run(struct top *t);

#endif
