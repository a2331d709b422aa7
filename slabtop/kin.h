/* SPDX-License-Identifier: MIT */
/* kin.h - one track a family, kept from sample to sample, so that a cursor can hold on to it. */
#ifndef SLABTOP_KIN_H
#define SLABTOP_KIN_H

#include "track.h"

struct kin {
	struct track **track;	/* in the order of their names */
	size_t count, room;
};

/* kin_track - the track called name; made, with only its name set, where there is none. NULL: no
 * memory. *borrows*. */
struct track *kin_track(struct kin *k, const char *name);
/* kin_reset - forget their histories and peaks; the tracks stay. */
void kin_reset(struct kin *k);
void kin_free(struct kin *k);

#endif
