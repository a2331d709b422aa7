// SPDX-License-Identifier: MIT
/* feed.c - reading the source; see feed.h. */
#include "feed.h"

#include <errno.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "options.h"

/* So many are read whole before anybody could miss a picture. */
#define FEW_CACHES 1000

uint64_t clock_ns(int clock)
{
	struct timespec t;

	if (clock_gettime(clock, &t) != 0)
		return 0;
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Where a slab directory may stand under a root. */
static const char *const places[] = { "sys/kernel/slab", "kernel/slab", "." };

/*
 * A root may be a copy, which stands still, or /sys and /proc of a host as a container sees them.
 */
static bool is_live(const struct source_opts *opts)
{
	bool live = !opts->files && !opts->root;

	for (size_t i = 0; opts->root && i < sizeof(places) / sizeof(places[0]); i++) {
		char path[PATH_MAX];
		struct statfs fs;

		if (snprintf(path, sizeof(path), "%s/%s", opts->root, places[i]) <
			    (int)sizeof(path) &&
		    statfs(path, &fs) == 0)
			live |= fs.f_type == SYSFS_MAGIC;
	}
	return live;
}

bool feed_open(struct feed *f, struct slabstat *h, const struct source_opts *opts)
{
	f->h = h;
	f->opts = opts;
	f->source = source_opts_open(h, opts, 0, PROGRAM);
	if (!f->source)
		return false;
	f->live = is_live(opts);
	f->samples = slabstat_source_samples(f->source);
	f->at = f->samples ? f->samples - 1 : 0;
	return !opts->at || slabstat_source_at(f->source, opts->at, &f->at) == 0;
}

void feed_close(struct feed *f)
{
	slabstat_snapshot_free(f->snapshot);
	slabstat_source_close(f->source);
	slabstat_source_close(f->by_node);
	free(f->whole);
	*f = (struct feed){ 0 };
}

/* Files have what they have; of what is live, another source counts by node. */
static int choose(struct feed *f, bool shares, struct slabstat_source **source)
{
	struct slabstat_spec spec = {
		.kind = f->opts->from, .root = f->opts->root, .page_size = f->opts->page_size,
		.flags = SLABSTAT_FLAG_SHARES | (f->opts->exact ? SLABSTAT_FLAG_EXACT : 0) |
			 (f->opts->again ? SLABSTAT_FLAG_AGAIN : 0),
	};
	int err;

	*source = f->source;
	if (!shares || !source_opts_is_system(f->opts))
		return 0;
	err = f->by_node ? 0 : slabstat_source_open(f->h, &spec, &f->by_node);
	if (!err)
		*source = f->by_node;
	return err;
}

int feed_read(struct feed *f, const struct feed_want *want)
{
	uint64_t begun = clock_ns(CLOCK_MONOTONIC);
	struct slabstat_source *source;
	struct slabstat_snapshot *snapshot;
	int err = choose(f, want->shares, &source);

	if (!err && f->samples > 1)
		err = slabstat_source_seek(source, f->at);
	if (!err)
		err = slabstat_source_focus(source, want->whole);
	if (!err)
		err = slabstat_source_read(source, &want->fields, &snapshot);
	if (err)
		return err;
	slabstat_snapshot_free(f->snapshot);
	f->snapshot = snapshot;
	f->asked = want->fields;
	f->shares = want->shares;
	free(f->whole);
	f->whole = want->whole ? strdup(want->whole) : NULL;
	f->read_ns = clock_ns(CLOCK_MONOTONIC) - begun;
	f->read_at_ns = (int64_t)begun;
	return 0;
}

/*
 * The links of a directory are its subdirectories and two; a file system that does not count has
 * one.
 */
static bool few_caches(const struct source_opts *opts)
{
	char path[PATH_MAX];
	struct stat st;

	return snprintf(path, sizeof(path), "%s/%s", opts->root ? opts->root : "", places[0]) <
		       (int)sizeof(path) &&
	       stat(path, &st) == 0 && st.st_nlink > 2 && st.st_nlink < FEW_CACHES + 2;
}

bool feed_glance(struct feed *f)
{
	const struct slabstat_spec spec = {
		.kind = SLABSTAT_SOURCE_PROCFS,
		.root = f->opts->root,
		.page_size = f->opts->page_size,
	};
	enum slabstat_source_kind from = f->opts->from;
	struct slabstat_source *source;
	struct slabstat_snapshot *snapshot;
	int err;

	if (!source_opts_is_system(f->opts) ||
	    (from != SLABSTAT_SOURCE_AUTO && from != SLABSTAT_SOURCE_HYBRID) ||
	    few_caches(f->opts) ||
	    slabstat_source_open(f->h, &spec, &source) != 0)
		return false;
	err = slabstat_source_read(source, NULL, &snapshot);
	slabstat_source_close(source);
	if (err)
		return false;
	slabstat_snapshot_free(f->snapshot);
	f->snapshot = snapshot;
	return true;
}

bool feed_lacks(const struct feed *f, const struct feed_want *want)
{
	if ((want->shares && !f->shares) ||
	    (want->whole && !(f->whole && strcmp(f->whole, want->whole) == 0)))
		return true;
	for (int i = 0; i < SLABSTAT_NFIELDS; i++)
		if (slabstat_fieldset_has(&want->fields, (enum slabstat_field)i) &&
		    !slabstat_fieldset_has(&f->asked, (enum slabstat_field)i))
			return true;
	return false;
}

const char *feed_over(const struct feed *f)
{
	static const char *const over[] = {
		[SLABSTAT_PROCESS_ENDED] = "ENDED",
		[SLABSTAT_PROCESS_DIED] = "DIED",
		[SLABSTAT_PROCESS_CHANGED] = "ANOTHER PROGRAM NOW",
		[SLABSTAT_PROCESS_DAMAGED] = "DAMAGED",
	};
	const struct slabstat_process *p = slabstat_source_process(f->source);

	/* The sum with what came from it goes on without it. */
	if (!p || f->opts->children || (size_t)p->state >= sizeof(over) / sizeof(over[0]))
		return NULL;
	/* A page that was not to be kept is removed by a program that ends in good order. */
	if (p->state == SLABSTAT_PROCESS_DIED && access(p->path, F_OK) != 0)
		return over[SLABSTAT_PROCESS_ENDED];
	return over[p->state];
}

int64_t feed_clock(const struct feed *f)
{
	int64_t mono = slabstat_snapshot_mono_ns(f->snapshot);

	if (!mono)
		mono = slabstat_snapshot_wall_ns(f->snapshot);
	return mono ? mono : f->read_at_ns;
}
