// SPDX-License-Identifier: MIT
/*
 * verb_tune.c - `slabinfo tune`: show, set, try and undo what can be tuned of a slab cache.
 *
 * Opens what every task needs, and tells what killed runs left; the task does the rest.
 */
#include "tune.h"
#include "verbs.h"

#include <stdlib.h>

#include "util/safe.h"

void tune_print_safe(FILE *out, const char *text)
{
	char *safe = safe_text(text, 0);

	fputs(safe ? safe : "?", out);
	free(safe);
}

int tune_error(const struct tune_call *call, int status)
{
	const struct slabstat_error *e = slabstat_error(call->h);

	fputs(TUNE_PROGRAM ": ", stderr);
	if (e->path) {
		tune_print_safe(stderr, e->path);
		fputs(": ", stderr);
	}
	tune_print_safe(stderr, e->text);
	fputc('\n', stderr);
	return status;
}

void tune_say_files(struct tune_call *call)
{
	if (call->said_files || slabstat_tune_live(call->tune) || slabstat_tune_program(call->tune))
		return;
	call->said_files = true;
	fputs(TUNE_PROGRAM ": editing files under ", stderr);
	tune_print_safe(stderr, slabstat_tune_directory(call->tune));
	fputs(", not a kernel\n", stderr);
}

/* Only facts of the machine and names: no attribute is read, which a plain user may not. */
static struct slabstat_snapshot *read_machine(struct tune_call *call)
{
	static const struct slabstat_fieldset none = { { 0 } };
	struct source_opts source = call->r->source;

	source.from = SLABSTAT_SOURCE_SYSFS;
	source.files = 0;
	return source_opts_read(call->h, &source, 0, &none, TUNE_PROGRAM);
}

static int open_tune(struct tune_call *call)
{
	struct slabstat_tune_spec spec = {
		.root = call->r->source.root,
		.process = call->r->source.process,
		.journal = call->r->journal,
	};
	const struct slabstat_machine *m;

	call->machine = read_machine(call);
	if (!call->machine)
		return 1;
	m = slabstat_snapshot_machine(call->machine);
	spec.kernel = m->kernel;
	spec.cpu_slabs_retired = m->cpu_slabs_retired;
	spec.page_size = m->page_size;
	return slabstat_tune_open(call->h, &spec, &call->tune) ? tune_error(call, 1) : 0;
}

static bool speaks_of_left(const struct tune_request *r)
{
	return r->task != tune_undo && r->task != tune_restore_all && r->task != tune_history;
}

/* A recording has nothing to tune: advice from it needs no handle. */
static int run_call(struct tune_call *call)
{
	int status;

	if (call->r->source.files)
		return call->r->task(call);
	status = open_tune(call);
	if (!status && speaks_of_left(call->r))
		tune_say_left(call);
	if (!status)
		status = tune_targets(call);
	if (status)
		return call->r->command && status == 1 ? TUNE_FAILED : status;
	return call->r->task(call);
}

static int run(int argc, char **argv)
{
	struct tune_request r = { .task = NULL };
	struct tune_call call = { .r = &r };
	struct out out;
	int status;

	out_start(&out);
	status = tune_parse(&r, &out, argc, argv);
	if (!status) {
		out_choose_color(&out, r.color);
		call.out = &out;
		call.h = slabstat_new();
		status = call.h ? run_call(&call) : 1;
		tune_targets_free(&call);
		slabstat_tune_close(call.tune);
		slabstat_snapshot_free(call.machine);
		slabstat_free(call.h);
	} else {
		status = status == OPTS_HELP ? 0 : status;
	}
	tune_request_free(&r);
	return status;
}

const struct verb verb_tune = {
	.name = "tune",
	.usage = "[CACHE[,CACHE...]] [KEY=VALUE | shrink | validate]... [-- COMMAND...]",
	.summary = "show, set, try and undo what can be tuned of a cache",
	.options = tune_options,
	.run = run,
};
