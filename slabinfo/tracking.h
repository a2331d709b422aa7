/* SPDX-License-Identifier: MIT */
/*
 * tracking.h - who allocated and who freed the objects of a cache, where the kernel recorded it.
 *
 * Caches with user tracking (boot with slab_debug=U) have files of call sites: since 5.14
 * alloc_traces and free_traces in debugfs, with stacks and megabytes long; before that alloc_calls
 * and free_calls in the cache's directory, one page. Each is read as a stream, one record at a
 * time; memory does not grow with it.
 */
#ifndef SLABINFO_TRACKING_H
#define SLABINFO_TRACKING_H

#include <slab/slabstat.h>

#include <stdio.h>

enum tracking_kind { TRACKING_ALLOC, TRACKING_FREE };

/*
 * tracking_open - the file of a cache under root (NULL: live); *returns owned*. NULL where there is
 * none, as for every cache without user tracking.
 */
FILE *tracking_open(const char *root, const struct slabstat_cache *cache, enum tracking_kind kind);

/*
 * tracking_copy - the file's text to out; harmless: without control characters but newlines and
 * tabs. False where nothing was in it.
 */
bool tracking_copy(FILE *in, FILE *out, bool harmless);

/* One call site. Strings live until the next call. What the line lacks has its has_ false. */
struct tracking_site {
	uint64_t count;
	const char *symbol;
	bool has_waste, has_age, has_pid;
	uint64_t waste_bytes, waste_each_bytes;	/* kmalloc: beyond what was asked for */
	uint64_t age_min, age_avg, age_max;	/* jiffies */
	uint64_t pid_min, pid_max;
	const char *cpus, *nodes;		/* lists as the kernel prints them, or NULL */
	const char *const *stack;		/* callers, innermost first */
	size_t depth;
};

struct tracking_reader;

/* tracking_reader_new - *takes* in, which is closed in any case. NULL: no memory. */
struct tracking_reader *tracking_reader_new(FILE *in);
void tracking_reader_free(struct tracking_reader *r);

/* tracking_next - the next site, *borrows*; NULL at the end. Other lines are skipped. */
const struct tracking_site *tracking_next(struct tracking_reader *r);

#endif
