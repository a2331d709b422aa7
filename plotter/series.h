/* SPDX-License-Identifier: MIT */
/*
 * series.h - a recording as lines over time: totals, and one track a cache.
 *
 * Values are doubles in bytes (or the unit of the field); NAN is absent. A track keeps only the
 * samples at which its value changed, so that forty thousand samples of two hundred caches fit.
 */
#ifndef SLABPLOT_SERIES_H
#define SLABPLOT_SERIES_H

#include <slab/slabstat.h>

struct track_point {
	size_t sample;
	double value;
};

struct track {
	char *name;			/* label of the cache */
	char **alias;			/* everybody who shares it */
	size_t alias_count;
	struct track_point *point;
	size_t count, room;
	size_t seen;			/* sample at which it was met last, plus one */
	double sum, peak;		/* over the samples at hand; NAN: never had a value */
	size_t samples;			/* that had a value */
};

struct mark {
	double seconds;			/* from the first sample */
	char *text;
};

enum total {
	TOTAL_FOOTPRINT, TOTAL_USED, TOTAL_LOSS,
	TOTAL_FREE, TOTAL_PADDING, TOTAL_TAIL,	/* the parts of loss */
	TOTAL_SHARE,				/* loss in percent of footprint */
	TOTAL_COUNT
};

struct series {
	char *path;			/* file it came from */
	char *name;			/* of the file, without folder and ending */
	/* "6.18.44, nomerge, make -j2": from the header; "" unknown */
	char *about;
	size_t count;			/* samples */
	bool timed;			/* seconds are real; otherwise they are sample numbers */
	double *seconds;		/* from the first sample of the file, rising */
	double *total[TOTAL_COUNT];
	struct mark *mark;
	size_t mark_count;
	struct track **track;		/* sorted by rank (peak, then name) once loaded */
	size_t track_count;
};

/* Which part of a recording: text of --from and --to, or NULL. */
struct series_range {
	const char *from, *to;		/* "12.5" seconds, "#100" sample, "@packaging" mark */
};

/*
 * series_load - *returns owned* in *out: the samples of path inside range, with totals, and with
 * a track a cache for field by (SLABSTAT_NFIELDS: no tracks). 0, or the exit status after a
 * message on stderr.
 */
int series_load(const char *path, const struct series_range *range, enum slabstat_field by,
		struct series **out);
void series_free(struct series *s);

/* series_name - of a path: without folder and ending (.rec, .rec.zst, .txt); *returns owned*. */
char *series_name(const char *path);

/* series_dense - the values of a track at every sample; *returns owned*, NULL: no memory. */
double *series_dense(const struct series *s, const struct track *t);

/* series_mean, series_max - over the values that are there; NAN for none. */
double series_mean(const double *v, size_t n);
double series_max(const double *v, size_t n);

/* series_has - whether any value is there. */
bool series_has(const double *v, size_t n);

#endif
