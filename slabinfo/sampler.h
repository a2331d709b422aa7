/* SPDX-License-Identifier: MIT */
/*
 * sampler.h - takes samples of a source at an interval and writes them to a recording.
 *
 * Do no harm: before 6.10 a read of /proc/slabinfo walks every partial list under its lock. When
 * reads take more than SAMPLER_SLOW_MS of CPU time, the interval becomes long enough that reading
 * takes no more than one part in SAMPLER_SHARE of the time; of the last two reads the quicker one
 * counts, so that a single hiccup of the machine changes nothing. Waiting, such as for a program's
 * answer, holds up nobody and does not count. With a limit to the overhead the interval is never
 * shorter than what a sample cost allows. Samples that could not be taken in time are left out, not
 * made up for.
 */
#ifndef SLABINFO_SAMPLER_H
#define SLABINFO_SAMPLER_H

#include <slab/slabstat.h>

#define SAMPLER_SLOW_MS	20
#define SAMPLER_SHARE	50

struct sampler {
	struct slabstat *h;
	struct slabstat_source *source;
	struct slabstat_record *record;
	struct slabstat_fieldset want;
	double asked_s, interval_s;	/* as asked for, in force */
	double max_overhead;		/* of one CPU, 0.01 for 1 %; 0: no limit */
	int64_t start_ns, next_ns;	/* monotonic */
	int64_t cpu_ns;			/* of this process at the sample before */
	uint64_t read_ns;		/* CPU time of the read before */
	uint64_t cost_ns;		/* CPU time of all samples so far */
	size_t samples;
	struct slabstat_snapshot *first, *last;
};

/* What a recording is made of. */
struct sampler_spec {
	const char *path;
	const struct slabstat_record_spec *record;	/* its interval_s is the sampler's */
	double max_overhead;
};

/*
 * sampler_open - *takes* source, takes the first sample and starts the recording with it. 0 or a
 * negative errno with the error set in h.
 */
int sampler_open(struct sampler *s, struct slabstat *h, struct slabstat_source *source,
		 const struct slabstat_fieldset *want, const struct sampler_spec *spec);

/* sampler_take - a sample now, and when the next is due. 0 or a negative errno. */
int sampler_take(struct sampler *s);

/*
 * sampler_back_off - choose the interval that a sample calls for: CPU time of its read, and of all
 * that it took.
 */
void sampler_back_off(struct sampler *s, uint64_t read_ns, uint64_t cpu_ns);

/* sampler_left_ms - until the next sample is due. */
int sampler_left_ms(const struct sampler *s);

/* sampler_mark - write a mark with the present time. 0 or a negative errno. */
int sampler_mark(struct sampler *s, enum slabstat_mark_kind kind, const char *text, unsigned run,
		 int status);

/* sampler_close - end the recording; frees all. 0 or a negative errno with the error set. */
int sampler_close(struct sampler *s);

#endif
