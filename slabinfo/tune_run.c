// SPDX-License-Identifier: MIT
/*
 * tune_run.c - settings for as long as a command runs.
 *
 * Signals wait from before the first write until everything is put back (job.h); what even they
 * cannot hold up, a SIGKILL, the journal makes good: the entry is left open and the next call of
 * `slabinfo tune` tells of it.
 */
#include "tune.h"

#include <stdlib.h>

#include "job.h"

void tune_tell(const struct slabstat_plan *plan, bool undone)
{
	for (size_t i = 0; i < slabstat_plan_count(plan); i++) {
		const struct slabstat_change *c = slabstat_plan_change(plan, i);

		if (c->text || (undone && c->state != SLABSTAT_CHANGE_UNDONE)) {
			fputs(TUNE_PROGRAM ": ", stderr);
			tune_print_change(&(struct out){ .f = stderr }, c);
		}
	}
}

/* Whatever the body did, the old values come back before anything else. */
static int apply_and_revert(struct tune_call *call, struct slabstat_plan *plan, struct job *job,
			    const struct tune_body *body)
{
	char *text = job_text(call->r->command);
	struct slabstat_occasion why = { .what = body->what, .command = text, .temporary = true };
	int status, err = slabstat_plan_apply(plan, &why);

	free(text);
	if (err)
		return tune_error(call, TUNE_FAILED);
	tune_tell(plan, false);
	status = job_signalled(job) ? 128 + job->signalled : body->run(call, plan, job, body->arg);
	if (slabstat_plan_revert(plan))
		status = tune_error(call, TUNE_FAILED);
	tune_tell(plan, true);
	return status;
}

int tune_temporarily(struct tune_call *call, struct slabstat_plan *plan,
		     const struct tune_body *body)
{
	struct job job;
	int status = TUNE_FAILED;

	tune_say_files(call);
	fflush(call->out->f);
	if (job_open(&job)) {
		fputs(TUNE_PROGRAM ": cannot hold back signals\n", stderr);
	} else {
		status = apply_and_revert(call, plan, &job, body);
		job_close(&job);
	}
	slabstat_plan_free(plan);
	return status;
}

static int run_command(struct tune_call *call, struct slabstat_plan *plan, struct job *job,
		       void *arg)
{
	int status = job_start(job, call->r->command, TUNE_PROGRAM);

	(void)plan;
	(void)arg;
	if (status)
		return status;
	job_wait(job, -1);
	return job_status(job);
}

int tune_run(struct tune_call *call)
{
	static const struct tune_body body = { .what = "run", .run = run_command };
	struct slabstat_plan *plan;

	if (call->r->dry_run)
		return tune_apply(call);
	tune_list_targets(call);
	plan = tune_plan(call);
	return plan ? tune_temporarily(call, plan, &body) : TUNE_FAILED;
}
