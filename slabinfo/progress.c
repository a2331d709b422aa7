// SPDX-License-Identifier: MIT
/* progress.c - how a recording goes, on a terminal; see progress.h. */
#include "progress.h"

#include "util/num.h"
#include "util/safe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define CLEAR_TO_END "\033[K"

void progress_start(struct progress *p, bool quiet)
{
	const char *term = getenv("TERM");

	*p = (struct progress){ 0 };
	p->on = !quiet && isatty(STDERR_FILENO) && term && *term && strcmp(term, "dumb") != 0;
}

/* The cache that grew most since the first sample, by bytes. */
static const struct slabstat_cache *grower(const struct sampler *s, int64_t *growth)
{
	const struct slabstat_cache *most = NULL;
	struct slabstat_delta *delta;

	*growth = 0;
	if (!s->last || slabstat_delta(s->h, s->first, s->last, &delta) != 0)
		return NULL;
	for (size_t i = 0; i < slabstat_delta_count(delta); i++) {
		const struct slabstat_pair *pair = &slabstat_delta_pairs(delta)[i];
		int64_t g;

		if (pair->newer &&
		    slabstat_pair_growth(pair, SLABSTAT_FOOTPRINT, &g) != SLABSTAT_ABSENT &&
		    g > *growth) {
			*growth = g;
			most = pair->newer;
		}
	}
	slabstat_delta_free(delta);
	return most;
}

static double elapsed_s(const struct sampler *s)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)((int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec - s->start_ns) / 1e9;
}

/* The text without control codes; at most as wide as the terminal. */
static void print_line(const struct sampler *s)
{
	const struct slabstat_snapshot *now = s->last ? s->last : s->first;
	char size[NUM_HUMAN_SIZE], grew[NUM_HUMAN_SIZE], *name = NULL;
	const struct slabstat_cache *most;
	struct winsize w;
	int64_t growth;
	uint64_t bytes = 0;
	int width = ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 0 ? w.ws_col - 1 : 79;
	char line[512];

	slabstat_snapshot_total(now, SLABSTAT_FOOTPRINT, &bytes);
	most = grower(s, &growth);
	if (most)
		name = safe_text(slabstat_cache_label(most), SAFE_ASCII);
	snprintf(line, sizeof(line), "%.0f s  %zu samples  %s%s%s%s%s", elapsed_s(s), s->samples,
		 num_human_bytes(bytes, size), name ? "  grew most: " : "", name ? name : "",
		 name ? " " : "", name ? num_human_delta(growth, grew) : "");
	fprintf(stderr, "%.*s", width, line);
	free(name);
}

void progress_show(struct progress *p, const struct sampler *s)
{
	if (!p->on)
		return;
	print_line(s);
	fputs(CLEAR_TO_END "\r", stderr);
	p->shown = true;
}

void progress_end(struct progress *p, const struct sampler *s)
{
	double elapsed = elapsed_s(s);

	if (!p->on)
		return;
	print_line(s);
	fputs(CLEAR_TO_END "\n", stderr);
	fprintf(stderr, "%s: cost %.2f %% of one CPU\n", slabstat_record_path(s->record),
		elapsed > 0 ? (double)s->cost_ns / 1e7 / elapsed : 0);
}
