/* SPDX-License-Identifier: MIT */
/*
 * census.h - the figures of every cache at one time, as records of a page (wire/wire.h).
 *
 * No slab is walked and no lock of a cache is taken: every number is a counter that its layer
 * keeps. Only making and destroying caches waits meanwhile. Every word is read twice; what
 * changed between, and what a CPU's sheaves can have lost and got back unseen, bounds how many
 * objects were in motion. If no other thread ran (quiet.h) and no block was owned, none was.
 */
#ifndef SLABKIT_SLAB_CENSUS_H
#define SLABKIT_SLAB_CENSUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Memory that stays for the next time; zero at first. */
struct census_space {
	char *at;
	size_t room;
};

struct census {
	struct census_space records, sights;
	size_t bytes; /* of records */
	uint32_t caches;
	uint64_t lost; /* for the process's record: set by the caller */
};

/*
 * census_take - fills records. wait: for the root's lock. False: no memory, or it does not wait and
 * the lock is somebody's.
 */
bool census_take(struct census *c, bool wait);

#endif
