// SPDX-License-Identifier: MIT
/* sampler.c - takes samples at an interval and writes them to a recording; see sampler.h. */
#include "sampler.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <time.h>

#define NS_PER_S  1000000000LL
#define NS_PER_MS 1000000LL

static int64_t clock_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (int64_t)ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

/* A copy of another machine's files has no times of its own. */
static struct slabstat_taken taken_now(void)
{
	struct slabstat_taken taken = {
		.wall_ns = clock_ns(CLOCK_REALTIME),
		.mono_ns = clock_ns(CLOCK_MONOTONIC),
	};

	return taken;
}

/* CPU time since the sample before. */
static uint64_t cpu_since(struct sampler *s)
{
	int64_t now = clock_ns(CLOCK_PROCESS_CPUTIME_ID), spent = now - s->cpu_ns;

	s->cpu_ns = now;
	return spent > 0 ? (uint64_t)spent : 0;
}

void sampler_back_off(struct sampler *s, uint64_t read_ns, uint64_t cpu_ns)
{
	uint64_t usual_ns = read_ns < s->read_ns ? read_ns : s->read_ns;

	s->read_ns = read_ns;
	s->interval_s = s->asked_s;
	if (usual_ns > SAMPLER_SLOW_MS * NS_PER_MS)
		s->interval_s = fmax(s->interval_s, (double)usual_ns / NS_PER_S * SAMPLER_SHARE);
	if (s->max_overhead > 0)
		s->interval_s = fmax(s->interval_s, (double)cpu_ns / NS_PER_S / s->max_overhead);
}

/* On the beat of the interval; beats that passed meanwhile are gone. */
static void plan_next(struct sampler *s)
{
	int64_t step = (int64_t)(s->interval_s * NS_PER_S), now = clock_ns(CLOCK_MONOTONIC);

	s->next_ns += step;
	if (s->next_ns <= now)
		s->next_ns = now + step - (now - s->next_ns) % step;
}

int sampler_open(struct sampler *s, struct slabstat *h, struct slabstat_source *source,
		 const struct slabstat_fieldset *want, const struct sampler_spec *spec)
{
	struct slabstat_taken taken;
	int ret;

	*s = (struct sampler){ .h = h, .source = source, .want = *want };
	s->asked_s = s->interval_s = spec->record->interval_s;
	s->max_overhead = spec->max_overhead;
	taken = taken_now();
	ret = slabstat_source_read(source, want, &s->first);
	if (ret == 0)
		ret = slabstat_record_open(h, spec->path, spec->record, s->first, &taken,
					   &s->record);
	if (ret != 0) {
		sampler_close(s);
		return ret;
	}
	s->samples = 1;
	s->start_ns = s->next_ns = clock_ns(CLOCK_MONOTONIC);
	s->cost_ns = cpu_since(s);
	plan_next(s);
	return 0;
}

int sampler_take(struct sampler *s)
{
	struct slabstat_snapshot *now = NULL;
	struct slabstat_taken taken = taken_now();
	int64_t start_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	int ret = slabstat_source_read(s->source, &s->want, &now);
	uint64_t read_ns = (uint64_t)(clock_ns(CLOCK_THREAD_CPUTIME_ID) - start_ns);

	if (ret != 0)
		return ret;
	taken.cpu_ns = cpu_since(s);
	s->cost_ns += taken.cpu_ns;
	sampler_back_off(s, read_ns, taken.cpu_ns);
	if (s->interval_s > s->asked_s)
		taken.interval_s = s->interval_s;
	ret = slabstat_record_sample(s->record, now, &taken);
	slabstat_snapshot_free(s->last);
	s->last = now;
	if (ret != 0)
		return ret;
	s->samples++;
	plan_next(s);
	return 0;
}

int sampler_left_ms(const struct sampler *s)
{
	int64_t left = s->next_ns - clock_ns(CLOCK_MONOTONIC);

	return left <= 0		      ? 0
	       : left > INT32_MAX * NS_PER_MS ? INT32_MAX
					      : (int)((left + NS_PER_MS - 1) / NS_PER_MS);
}

int sampler_mark(struct sampler *s, enum slabstat_mark_kind kind, const char *text, unsigned run,
		 int status)
{
	struct slabstat_mark mark = {
		.kind = kind,
		.text = text,
		.run = run,
		.status = status,
		.wall_ns = clock_ns(CLOCK_REALTIME),
		.mono_ns = clock_ns(CLOCK_MONOTONIC),
	};

	return slabstat_record_mark(s->record, &mark);
}

int sampler_close(struct sampler *s)
{
	int ret = slabstat_record_close(s->record);

	slabstat_snapshot_free(s->first);
	slabstat_snapshot_free(s->last);
	slabstat_source_close(s->source);
	memset(s, 0, sizeof(*s));
	return ret;
}
