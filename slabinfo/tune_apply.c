// SPDX-License-Identifier: MIT
/* tune_apply.c - settings that stay: plan, list, write, tell what the kernel made of them. */
#include "tune.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "job.h"

struct slabstat_plan *tune_plan(struct tune_call *call)
{
	struct slabstat_plan *plan = slabstat_plan_new(call->tune);
	unsigned flags = call->r->force ? SLABSTAT_TUNE_FORCE : 0;

	if (!plan) {
		fputs(TUNE_PROGRAM ": out of memory\n", stderr);
		return NULL;
	}
	for (size_t i = 0; i < call->targets; i++) {
		for (size_t k = 0; k < call->r->settings; k++) {
			const struct tune_setting *s = &call->r->setting[k];

			if (slabstat_plan_add(plan, call->target[i], s->field, s->value, flags)) {
				tune_error(call, 1);
				slabstat_plan_free(plan);
				return NULL;
			}
		}
	}
	return plan;
}

static void print_name(struct out *out, const struct slabstat_change *c)
{
	fputs(out_style_on(out, OUT_NAME), out->f);
	tune_print_safe(out->f, c->name);
	fputs(out_style_off(out, OUT_NAME), out->f);
	if (c->user_count < 2)
		return;
	fputs(" (shared by ", out->f);
	for (size_t i = 0; i < c->user_count && i < 4; i++) {
		fputs(i ? ", " : "", out->f);
		tune_print_safe(out->f, c->users[i]);
	}
	if (c->user_count > 4)
		fprintf(out->f, " and %zu more", c->user_count - 4);
	fputc(')', out->f);
}

void tune_print_change(struct out *out, const struct slabstat_change *c)
{
	const char *key = slabstat_field_info(c->field)->sysfs;

	print_name(out, c);
	switch (c->state) {
	case SLABSTAT_CHANGE_PLANNED:
		if (c->old == c->wanted)
			fprintf(out->f, ": %s is %" PRIu64 " already\n", key, c->old);
		else
			fprintf(out->f, ": %s %" PRIu64 ", would become %" PRIu64 "\n", key, c->old,
				c->wanted);
		return;
	case SLABSTAT_CHANGE_MADE:
		if (c->old == c->wanted && c->old == c->stored)
			fprintf(out->f, ": %s is %" PRIu64 " already", key, c->old);
		else
			fprintf(out->f, ": %s %" PRIu64 " -> %" PRIu64, key, c->old, c->stored);
		break;
	case SLABSTAT_CHANGE_UNDONE:
		fprintf(out->f, ": %s is %" PRIu64 " again", key, c->old);
		break;
	default:
		fprintf(out->f, ": %s not restored to %" PRIu64, key, c->old);
		break;
	}
	if (c->text) {
		fputs(": ", out->f);
		tune_print_safe(out->f, c->text);
	}
	fputc('\n', out->f);
}

static void print_plan(struct tune_call *call, const struct slabstat_plan *plan)
{
	for (size_t i = 0; i < slabstat_plan_count(plan); i++) {
		const struct slabstat_change *c = slabstat_plan_change(plan, i);

		/* A profile may name hundreds of values that stand already. */
		if (!call->r->profile || c->old != c->stored)
			tune_print_change(call->out, c);
	}
}

/* Signals wait while we write, so that ^C cannot stop us half way. */
static int apply(struct tune_call *call, struct slabstat_plan *plan)
{
	const struct slabstat_occasion why = { .what = call->r->profile ? "load" : "tune" };
	struct job signals;
	int err = job_open(&signals);

	if (err) {
		fprintf(stderr, TUNE_PROGRAM ": cannot hold back signals\n");
		return 1;
	}
	err = slabstat_plan_apply(plan, &why);
	job_close(&signals);
	return err ? tune_error(call, 1) : 0;
}

int tune_write_plan(struct tune_call *call, struct slabstat_plan *plan)
{
	int status;

	if (call->r->dry_run) {
		print_plan(call, plan);
		return 0;
	}
	tune_say_files(call);
	status = apply(call, plan);
	if (status)
		return status;
	print_plan(call, plan);
	return 0;
}

int tune_apply(struct tune_call *call)
{
	struct slabstat_plan *plan;
	int status;

	tune_list_targets(call);
	plan = tune_plan(call);
	if (!plan)
		return 1;
	status = slabstat_plan_count(plan) ? tune_write_plan(call, plan) : 0;
	slabstat_plan_free(plan);
	if (!status && (call->r->shrink || call->r->validate))
		status = tune_act(call);
	return status;
}
