/* SPDX-License-Identifier: MIT */
/* tune.h - the inside of a tuning handle: a slab directory, a journal, and what is tuned. */
#ifndef SLABSTAT_TUNE_H
#define SLABSTAT_TUNE_H

#include "slabstat/journal.h"
#include "slabstat/rule.h"
#include "slabstat/tunedir.h"

struct slabstat_tune {
	struct slabstat *h;
	struct tunedir dir;
	char *journal_directory;
	struct journal journal;	/* open and locked while journal.fd >= 0 */
	char boot[64];		/* id of this boot; "-" for a copy */
	unsigned kernel;
	bool retired;
	uint64_t page_size;
};

/* tune_facts - what the rules for a field ask about a cache; unreadable ones stay zero. */
void tune_facts(const struct slabstat_tune *t, int cache, enum slabstat_field field,
		struct rule_facts *facts);

/* tune_open_cache - tunedir_cache with the error set. */
int tune_open_cache(const struct slabstat_tune *t, const char *directory,
		    char identity[TUNEDIR_IDENTITY_SIZE]);

/* tune_explain - why an attribute of a cache was not written, and the way out. A constant. */
const char *tune_explain(const struct slabstat_tune *t, int cache, const char *attribute, int err);

/* tune_lock - hold the journal; tune_unlock lets go. Locking what is locked by us is no error. */
int tune_lock(struct slabstat_tune *t);
void tune_unlock(struct slabstat_tune *t);

#endif
