/* SPDX-License-Identifier: MIT */
/*
 * config.h - what slabtop keeps from one time to the next: the columns of each list.
 *
 * $XDG_CONFIG_HOME/slabkit/slabtop (else ~/.config/slabkit/slabtop), a line a list:
 *
 *	caches = footprint_bytes rate_bytes history	sort footprint_bytes
 *
 * Lines that are not understood, lists and columns that do not exist are left alone.
 */
#ifndef SLABTOP_CONFIG_H
#define SLABTOP_CONFIG_H

struct top;

/* config_load - set up the lists; a file that is not there is fine. */
void config_load(struct top *t);

/*
 * config_save - write every list's columns. 0 or a negative errno; *path (borrowed from buf) says
 * where.
 */
int config_save(const struct top *t, char *buf, unsigned long size);

#endif
