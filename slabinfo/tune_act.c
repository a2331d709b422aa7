// SPDX-License-Identifier: MIT
/*
 * tune_act.c - shrink, with a receipt, and validate.
 *
 * The receipt: slabs and bytes before and after, the time it took, and what stayed. Shrinking
 * gives back slabs without a single object in use; one object keeps a whole slab, so that what
 * stays is told by how full the partial slabs are.
 */
#include "tune.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "util/num.h"

/* What one cache takes at one moment; a value below known is there. */
struct level {
	uint64_t slabs, partial, total, partial_objs, per_slab, slab_bytes;
	bool known, fill_known;
};

static bool get(struct tune_call *call, const char *name, enum slabstat_field field,
		uint64_t *value)
{
	return !slabstat_tune_value(call->tune, name, field, value);
}

static struct level look(struct tune_call *call, const char *name)
{
	uint64_t page_size = slabstat_snapshot_machine(call->machine)->page_size, order;
	struct level l = { .slabs = 0 };

	l.known = get(call, name, SLABSTAT_SLABS, &l.slabs) &&
		  get(call, name, SLABSTAT_ORDER, &order) && page_size && order < 32;
	if (l.known)
		l.slab_bytes = page_size << order;
	l.fill_known = l.known && get(call, name, SLABSTAT_PARTIAL, &l.partial) &&
		       get(call, name, SLABSTAT_OBJECTS_PARTIAL, &l.partial_objs) &&
		       get(call, name, SLABSTAT_OBJS_PER_SLAB, &l.per_slab);
	return l;
}

static double now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6;
}

/* Returns the bytes given back. */
static int64_t print_receipt(struct tune_call *call, const char *name, const struct level *before,
			     const struct level *after, double ms)
{
	FILE *out = call->out->f;
	char text[NUM_HUMAN_SIZE];
	int64_t given;

	tune_print_safe(out, name);
	if (!before->known || !after->known) {
		fprintf(out, ": shrunk in %.1f ms; how many slabs it has cannot be read here\n",
			ms);
		return 0;
	}
	given = ((int64_t)before->slabs - (int64_t)after->slabs) * (int64_t)after->slab_bytes;
	fprintf(out, ": %" PRIu64 " -> %" PRIu64 " slabs, ", before->slabs, after->slabs);
	if (given > 0)
		fprintf(out, "%s given back", num_human_bytes((uint64_t)given, text));
	else if (given == 0)
		fputs("nothing given back", out);
	else
		fprintf(out, "it grew by %s meanwhile", num_human_bytes((uint64_t)-given, text));
	fprintf(out, ", in %.1f ms", ms);
	if (after->fill_known && after->partial && after->per_slab)
		fprintf(out,
			"; %" PRIu64 " partial slabs stay, on average %" PRIu64 " of %" PRIu64
			" objects in "
			"use in each",
			after->partial, (after->partial_objs + after->partial / 2) / after->partial,
			after->per_slab);
	else if (after->fill_known && after->slabs)
		fputs("; what stays is full, or held by a CPU", out);
	fputc('\n', out);
	return given;
}

static int shrink(struct tune_call *call)
{
	char text[NUM_HUMAN_SIZE];
	int64_t sum = 0;
	int status = 0;

	for (size_t i = 0; i < call->targets; i++) {
		const char *name = call->target[i];
		struct level before = look(call, name), after;
		double start = now_ms();

		if (slabstat_tune_act(call->tune, name, SLABSTAT_TUNE_SHRINK)) {
			status = tune_error(call, 1);
			continue;
		}
		start = now_ms() - start;
		after = look(call, name);
		sum += print_receipt(call, name, &before, &after, start);
	}
	if (call->targets > 1)
		fprintf(call->out->f, "together: %s %s\n",
			num_human_bytes((uint64_t)(sum < 0 ? -sum : sum), text),
			sum < 0 ? "more" : "given back");
	return status;
}

static int validate(struct tune_call *call)
{
	bool any = false;
	int status = 0;

	for (size_t i = 0; i < call->targets; i++) {
		if (slabstat_tune_act(call->tune, call->target[i], SLABSTAT_TUNE_VALIDATE)) {
			status = tune_error(call, 1);
			continue;
		}
		tune_print_safe(call->out->f, call->target[i]);
		fputs(": validated\n", call->out->f);
		any = true;
	}
	if (any)
		fputs("What it found, if anything, stands in the kernel log: "
		      "dmesg | grep -A 20 'BUG '\n",
		      call->out->f);
	return status;
}

int tune_act(struct tune_call *call)
{
	int status = 0;

	if (call->r->dry_run) {
		for (size_t i = 0; i < call->targets; i++) {
			tune_print_safe(call->out->f, call->target[i]);
			fprintf(call->out->f, ": would %s%s%s\n", call->r->shrink ? "shrink" : "",
				call->r->shrink && call->r->validate ? " and " : "",
				call->r->validate ? "validate" : "");
		}
		return 0;
	}
	tune_say_files(call);
	if (call->r->shrink)
		status = shrink(call);
	return call->r->validate && validate(call) ? 1 : status;
}
