/* SPDX-License-Identifier: MIT */
/*
 * derive.h - the fields that follow from others: one place for every formula.
 *
 * Total for every input: what cannot be computed stays absent, sums and products stop at 2^64-1,
 * differences stop at 0. Whatever goes in, free + padding + tail = loss and used + loss =
 * footprint, where all of these are there.
 */
#ifndef SLABSTAT_DERIVE_H
#define SLABSTAT_DERIVE_H

#include "slabstat/snapshot.h"

/*
 * derive_cache - set pages_per_slab or order from the other where one is missing, and every field
 * of kind DERIVED that has its inputs. What the source stated itself (slabtop prints sizes) stays
 * unless the result is exact. The machine gives page size, CPUs and nodes. Values that a race
 * between two readings made impossible (more objects than fit, more partial slabs than slabs, more
 * used than there is) are brought down to their limit and marked as estimates; returns how many.
 */
size_t derive_cache(struct slabstat_cache *c, const struct slabstat_machine *m);

/*
 * derive_percents - the percentages alone, from the sums in c; for a record that stands for
 * several.
 */
void derive_percents(struct slabstat_cache *c);

#endif
