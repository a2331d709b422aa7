// SPDX-License-Identifier: MIT
/*
 * tune_advise.c - watch caches, live or in a recording, and print what advice.c makes of it.
 *
 * Slabs are read often, which is cheap; what walks lists or costs a file a cache, at the start, at
 * the end and once a second. Nothing is ever written.
 */
#include "cache_json.h"
#include "tune.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "advice.h"
#include "job.h"
#include "util/name.h"
#include "util/num.h"

#define SAMPLE_MS	100
#define FULL_EVERY	10	/* of the samples is a full one */
#define PROPOSALS_MAX	2	/* a cache */

/* What is kept of one cache from sample to sample. */
struct seen {
	const char *name, *label;
	struct advice_facts facts;
	int direction;			/* of the last change: 1, -1, 0 none yet */
	uint64_t last_objects;
	bool objects_known;
	uint64_t came_at_start, went_at_start;
	double slow_at_start, fast_at_start;
};

struct watch {
	struct tune_call *call;
	struct seen *seen;
	size_t count, room;
	/* names are borrowed from the first, machine from the last */
	struct slabstat_snapshot *last;
	struct slabstat_snapshot *first;
	size_t samples;
	double start, seconds;
	/* the command could not be started: there is nothing to tell */
	bool nothing_ran;
};

static struct slabstat_fieldset quick_fields(void)
{
	struct slabstat_fieldset set = { { 0 } };

	slabstat_fieldset_add(&set, SLABSTAT_SLABS);
	return set;
}

static struct slabstat_fieldset full_fields(void)
{
	static const enum slabstat_field fields[] = {
		SLABSTAT_SLABS,	      SLABSTAT_OBJECTS,	       SLABSTAT_TOTAL_OBJECTS,
		SLABSTAT_PARTIAL,     SLABSTAT_CPU_SLABS,      SLABSTAT_MIN_PARTIAL,
		SLABSTAT_CPU_PARTIAL, SLABSTAT_OBJS_PER_SLAB,  SLABSTAT_SLAB_SIZE,
		SLABSTAT_ORDER,	      SLABSTAT_PAGES_PER_SLAB, SLABSTAT_ALLOC_SLAB,
		SLABSTAT_FREE_SLAB,   SLABSTAT_ALLOC_FASTPATH, SLABSTAT_ALLOC_SLOWPATH,
	};
	struct slabstat_fieldset set = { { 0 } };

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		slabstat_fieldset_add(&set, fields[i]);
	return set;
}

/* ---- taking samples in ----------------------------------------------------------------------- */

/* Both are in the order of names: look on from where the last was found. */
static struct seen *find_seen(struct watch *w, const char *name, size_t *at)
{
	while (*at < w->count && name_compare(w->seen[*at].name, name) < 0)
		++*at;
	return *at < w->count && !strcmp(w->seen[*at].name, name) ? &w->seen[*at] : NULL;
}

static bool value(const struct slabstat_cache *c, enum slabstat_field f, uint64_t *v)
{
	return slabstat_cache_value(c, f, v) != SLABSTAT_ABSENT;
}

static bool add_seen(struct watch *w, const struct slabstat_cache *c)
{
	struct seen *s;
	uint64_t v;

	if (w->count == w->room) {
		size_t more = w->room ? 2 * w->room : 256;

		s = reallocarray(w->seen, more, sizeof(*s));
		if (!s)
			return false;
		w->seen = s;
		w->room = more;
	}
	if (!value(c, SLABSTAT_SLABS, &v))
		return true;
	s = &w->seen[w->count++];
	*s = (struct seen){ .name = slabstat_cache_name(c), .label = slabstat_cache_label(c) };
	s->facts.slabs_first = s->facts.slabs_last = s->facts.slabs_min = s->facts.slabs_max = v;
	s->facts.idle = true;
	s->facts.held_min = UINT64_MAX;
	s->objects_known = value(c, SLABSTAT_OBJECTS, &s->last_objects);
	if (value(c, SLABSTAT_ALLOC_SLAB, &s->came_at_start) &&
	    value(c, SLABSTAT_FREE_SLAB, &s->went_at_start))
		s->facts.counted = true;
	if (value(c, SLABSTAT_ALLOC_SLOWPATH, &v)) {
		s->slow_at_start = (double)v;
		s->facts.paths_known = value(c, SLABSTAT_ALLOC_FASTPATH, &v);
		s->fast_at_start = (double)v;
	}
	return true;
}

static void take_slabs(struct seen *s, uint64_t slabs)
{
	struct advice_facts *f = &s->facts;
	int direction = slabs > f->slabs_last ? 1 : slabs < f->slabs_last ? -1 : 0;

	if (direction) {
		f->idle = false;
		if (s->direction && s->direction != direction)
			f->turns++;
		s->direction = direction;
	}
	if (!f->counted && direction > 0)
		f->came += slabs - f->slabs_last;
	if (!f->counted && direction < 0)
		f->went += f->slabs_last - slabs;
	f->slabs_last = slabs;
	f->slabs_min = slabs < f->slabs_min ? slabs : f->slabs_min;
	f->slabs_max = slabs > f->slabs_max ? slabs : f->slabs_max;
	f->samples++;
}

static void take_counters(struct seen *s, const struct slabstat_cache *c)
{
	struct advice_facts *f = &s->facts;
	uint64_t came, went;

	if (f->counted && value(c, SLABSTAT_ALLOC_SLAB, &came) &&
	    value(c, SLABSTAT_FREE_SLAB, &went)) {
		f->came = came > s->came_at_start ? came - s->came_at_start : 0;
		f->went = went > s->went_at_start ? went - s->went_at_start : 0;
	}
	if (f->paths_known && value(c, SLABSTAT_ALLOC_SLOWPATH, &came) &&
	    value(c, SLABSTAT_ALLOC_FASTPATH, &went)) {
		f->slow = fmax(0, (double)came - s->slow_at_start);
		f->fast = fmax(0, (double)went - s->fast_at_start);
	}
}

/* Facts and levels of a full sample. */
static void take_levels(struct watch *w, struct seen *s, const struct slabstat_cache *c)
{
	struct advice_facts *f = &s->facts;
	uint64_t page_size = slabstat_snapshot_machine(w->last)->page_size, pages, held, objects,
		 total;

	if (value(c, SLABSTAT_PAGES_PER_SLAB, &pages))
		f->slab_bytes = num_mul_sat(pages, page_size);
	value(c, SLABSTAT_SLAB_SIZE, &f->slab_size);
	value(c, SLABSTAT_OBJS_PER_SLAB, &f->objs_per_slab);
	f->min_partial_known |= value(c, SLABSTAT_MIN_PARTIAL, &f->min_partial);
	f->cpu_partial_known |= value(c, SLABSTAT_CPU_PARTIAL, &f->cpu_partial);
	if (value(c, SLABSTAT_CPU_SLABS, &held)) {
		f->held_known = true;
		f->held_min = held < f->held_min ? held : f->held_min;
	}
	if (value(c, SLABSTAT_OBJECTS, &objects)) {
		if (s->objects_known && objects != s->last_objects)
			f->idle = false;
		s->last_objects = objects;
		s->objects_known = true;
		if (value(c, SLABSTAT_TOTAL_OBJECTS, &total) &&
		    value(c, SLABSTAT_PARTIAL, &f->partial)) {
			f->partial_known = true;
			f->partial_free_objs = total > objects ? total - objects : 0;
		}
	}
	take_counters(s, c);
}

/* A recording says when; a copy of a tree does not, and is watched as it changes. */
static double seconds_of(const struct watch *w, const struct slabstat_snapshot *s)
{
	int64_t ns = slabstat_snapshot_mono_ns(s);
	struct timespec now;

	if (w->call->r->source.files)
		return (double)(ns ? ns : slabstat_snapshot_wall_ns(s)) / 1e9;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* One more sample, which the watch *takes*. False: no memory. */
static bool take(struct watch *w, struct slabstat_snapshot *s)
{
	bool first = !w->first;
	size_t at = 0;

	if (w->last && w->last != w->first)
		slabstat_snapshot_free(w->last);
	w->last = s;
	if (first) {
		w->first = s;
		w->start = seconds_of(w, s);
	}
	w->seconds = seconds_of(w, s) - w->start;
	w->samples++;
	for (size_t i = 0; i < slabstat_snapshot_count(s); i++) {
		const struct slabstat_cache *c = slabstat_snapshot_cache(s, i);
		struct seen *seen;
		uint64_t slabs;

		if (first && !add_seen(w, c))
			return false;
		seen = find_seen(w, slabstat_cache_name(c), &at);
		if (!seen)
			continue;	/* born meanwhile: too young to judge */
		if (value(c, SLABSTAT_SLABS, &slabs))
			take_slabs(seen, slabs);
		take_levels(w, seen, c);
	}
	return true;
}

/* ---- where samples come from ----------------------------------------------------------------- */

static int read_one(struct watch *w, struct slabstat_source *source,
		    const struct slabstat_fieldset *want)
{
	struct slabstat_snapshot *s;

	if (slabstat_source_read(source, want, &s))
		return tune_error(w->call, 1);
	if (take(w, s))
		return 0;
	fputs(TUNE_PROGRAM ": out of memory\n", stderr);
	return 1;
}

static int watch_recording(struct watch *w, struct slabstat_source *source)
{
	size_t n = slabstat_source_samples(source);
	int status = 0;

	for (size_t i = 0; i < n && !status; i++) {
		if (n > 1 && slabstat_source_seek(source, i))
			return tune_error(w->call, 1);
		status = read_one(w, source, NULL);
	}
	return status;
}

/* Until the command ends, or the time is over. */
static int watch_live(struct watch *w, struct slabstat_source *source, struct job *job)
{
	const struct slabstat_fieldset quick = quick_fields(), full = full_fields();
	size_t rounds = (size_t)ceil(w->call->r->seconds * 1000 / SAMPLE_MS);
	int status = read_one(w, source, &full);
	bool done = false;

	if (!status && w->call->r->command) {
		status = job_start(job, w->call->r->command, TUNE_PROGRAM);
		w->nothing_ran = status != 0;
	}
	for (size_t i = 1; !status && !done; i++) {
		if (w->call->r->command)
			done = job_wait(job, SAMPLE_MS);
		else
			done = !job_rest(job, SAMPLE_MS) || i >= rounds;
		if (read_one(w, source, done || i % FULL_EVERY == 0 ? &full : &quick)) {
			job_wait(job, -1);	/* the command goes on without us */
			return TUNE_FAILED;
		}
	}
	if (!status && w->call->r->command)
		status = job_status(job);
	return status;
}

static int watch(struct watch *w)
{
	struct tune_call *call = w->call;
	struct slabstat_source *source =
		source_opts_open(call->h, &call->r->source, 0, TUNE_PROGRAM);
	struct job job;
	int status;

	if (!source)
		return call->r->command ? TUNE_FAILED : 1;
	if (call->r->source.files) {
		status = watch_recording(w, source);
	} else if (job_open(&job)) {
		fputs(TUNE_PROGRAM ": cannot hold back signals\n", stderr);
		status = 1;
	} else {
		status = watch_live(w, source, &job);
		job_close(&job);
	}
	slabstat_source_close(source);
	return status;
}

/* ---- telling --------------------------------------------------------------------------------- */

struct proposal {
	struct advice advice;
	struct seen *seen;
};

static int by_weight(const void *a, const void *b)
{
	const struct proposal *x = a, *y = b;

	return x->advice.weight < y->advice.weight ? 1 : x->advice.weight > y->advice.weight ? -1 :
	       strcmp(x->seen->name, y->seen->name);
}

static bool is_asked_for(const struct tune_call *call, const struct seen *s)
{
	for (size_t i = 0; i < call->targets; i++) {
		const char *directory = slabstat_tune_resolve(call->tune, call->target[i]);

		if (directory && !strcmp(directory, s->name))
			return true;
	}
	return !call->targets;
}

/*
 * The default of min_partial follows from rules of the kernel that is tuned; a recording has none.
 */
static void set_standard(struct watch *w, struct seen *s)
{
	struct slabstat_tunable t;

	if (w->call->tune &&
	    !slabstat_tune_look(w->call->tune, s->name, SLABSTAT_MIN_PARTIAL, &t)) {
		s->facts.min_partial_standard_known = t.default_known;
		s->facts.min_partial_standard = t.standard;
	}
}

static size_t propose(struct watch *w, struct proposal *out)
{
	const struct slabstat_machine *m = slabstat_snapshot_machine(w->last);
	size_t n = 0;

	for (size_t i = 0; i < w->count; i++) {
		struct seen *s = &w->seen[i];
		struct advice a[PROPOSALS_MAX];
		size_t found;

		if (!is_asked_for(w->call, s))
			continue;
		s->facts.seconds = w->seconds;
		s->facts.cpus = m->cpus;
		s->facts.nodes = m->nodes;
		s->facts.retired = m->cpu_slabs_retired;
		if (s->facts.samples < 2)
			s->facts.idle = false;
		set_standard(w, s);
		found = advice_make(&s->facts, a, PROPOSALS_MAX);
		for (size_t k = 0; k < found; k++)
			out[n++] = (struct proposal){ a[k], s };
	}
	qsort(out, n, sizeof(*out), by_weight);
	return n;
}

static void print_proposal(FILE *out, const struct proposal *p)
{
	const char *key = slabstat_field_info(p->advice.field)->sysfs;
	char text[256], human[NUM_HUMAN_SIZE];
	uint64_t bytes =
		(uint64_t)(p->advice.cost_bytes < 0 ? -p->advice.cost_bytes : p->advice.cost_bytes);

	tune_print_safe(out, p->seen->label);
	fprintf(out, ": %s %" PRIu64 " -> %" PRIu64 "\n    seen: %s\n", key, p->advice.now,
		p->advice.proposed,
		advice_evidence(&p->advice, &p->seen->facts, text, sizeof(text)));
	fprintf(out,
		"    memory: %s %s at most\n    try it: slabinfo tune --ab %s=%" PRIu64 ",%" PRIu64
		" ",
		num_human_bytes(bytes, human), p->advice.cost_bytes < 0 ? "less" : "more", key,
		p->advice.now, p->advice.proposed);
	tune_print_safe(out, p->seen->label);
	fputs(" -- COMMAND\n", out);
}

static void print_text(const struct watch *w, const struct proposal *p, size_t n)
{
	FILE *out = w->call->out->f;

	for (size_t i = 0; i < n; i++)
		print_proposal(out, &p[i]);
	if (!n)
		fprintf(out,
			"nothing to propose: %zu caches, %zu samples in %.1f s, none with slabs "
			"that come and go, an idle stock on CPUs or a hoard of empty slabs\n",
			w->count, w->samples, w->seconds);
}

static int print_json(const struct watch *w, const struct proposal *p, size_t n)
{
	struct json_doc doc = { .out = NULL };
	char text[256];

	document_head(&doc, w->call->out->f, "tune-advise");
	json_put(&doc, "caches", json_u64(w->count));
	json_put(&doc, "samples", json_u64(w->samples));
	json_put(&doc, "seconds", cJSON_CreateNumber(w->seconds));
	json_open_array(&doc, "proposals");
	for (size_t i = 0; i < n; i++) {
		cJSON *item = cJSON_CreateObject();

		json_add_text(item, "cache", p[i].seen->name);
		json_add_text(item, "label", p[i].seen->label);
		json_add_text(item, "tunable", slabstat_field_info(p[i].advice.field)->id);
		json_add_u64(item, "now", p[i].advice.now);
		json_add_u64(item, "proposed", p[i].advice.proposed);
		json_add_i64(item, "cost_bytes", p[i].advice.cost_bytes);
		json_add_text(item, "evidence",
			      advice_evidence(&p[i].advice, &p[i].seen->facts, text, sizeof(text)));
		json_put(&doc, NULL, item);
	}
	json_close(&doc);
	json_close(&doc);
	return doc.failed ? 1 : 0;
}

static int tell(struct watch *w)
{
	struct proposal *p = calloc(w->count * PROPOSALS_MAX + 1, sizeof(*p));
	size_t n;
	int status = 0;

	if (!p) {
		fputs(TUNE_PROGRAM ": out of memory\n", stderr);
		return 1;
	}
	n = propose(w, p);
	if (w->call->r->json)
		status = print_json(w, p, n);
	else
		print_text(w, p, n);
	free(p);
	return status;
}

int tune_advise(struct tune_call *call)
{
	struct watch w = { .call = call };
	int status = watch(&w);

	if (w.last && status != TUNE_FAILED && !w.nothing_ran && tell(&w) && !status)
		status = 1;
	if (w.last != w.first)
		slabstat_snapshot_free(w.last);
	slabstat_snapshot_free(w.first);
	free(w.seen);
	return status;
}
