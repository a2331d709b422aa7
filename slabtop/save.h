/* SPDX-License-Identifier: MIT */
/* save.h - the sample on the screen to a file that every tool of the house reads again. */
#ifndef SLABTOP_SAVE_H
#define SLABTOP_SAVE_H

struct top;

/* save_ask - ask for a name, with a good one proposed. save_sample - write it. Dirty bits. */
unsigned save_ask(struct top *t);
unsigned save_sample(struct top *t, const char *path);

#endif
