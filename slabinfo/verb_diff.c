// SPDX-License-Identifier: MIT
/*
 * verb_diff.c - `slabinfo diff`: what grew from one snapshot to another, or between kinds of runs.
 *
 *	slabinfo diff A [B]		two snapshots; without B against the live system
 *	slabinfo diff A... vs B...	two groups of recordings
 *
 * This file reads argv and opens operands; the work is in diff_pair.c and diff_group.c.
 */
#include "diff.h"
#include "verbs.h"

#include "util/safe.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>


enum { OPT_FAMILIES = 0x500 };

static const struct opt diff_options[] = {
	{ OPT_FAMILIES, "families", OPT_NONE, NULL, "one row for kin: kmalloc-*, ..." },
	{ SOURCE_OPT_AT, "at", OPT_REQUIRED, "SAMPLE",
	  "of recordings: last (as without it), first, peak, N, TIME; A,B for each" },
	FORM_OPTS,
	{ SOURCE_OPT_ROOT, "root", OPT_REQUIRED, "DIR",
	  "with one operand: against the copy of /sys and /proc under DIR" },
	{ SOURCE_OPT_PID, "pid", OPT_REQUIRED, "PROGRAM",
	  "with one operand: against a program that publishes its caches" },
	{ SOURCE_OPT_FROM, "from", OPT_REQUIRED, "KIND",
	  "take files as KIND: procfs, text, tree, record, ..." },
	{ SOURCE_OPT_PAGE_SIZE, "page-size", OPT_REQUIRED, "BYTES",
	  "page size of the machine in the files" },
	{ SOURCE_OPT_EXACT, "exact", OPT_NONE, NULL,
	  "walk partial lists where the kernel estimates" },
	{ 'h', "help", OPT_NONE, NULL, "this help" },
	OPT_END
};

static void help(FILE *out)
{
	fputs("usage: slabinfo diff [OPTION]... A [B]\n"
	      "       slabinfo diff [OPTION]... A... vs B...\n"
	      "\n"
	      "What grew from A to B, ranked by bytes; A and B are files, recordings, or\n"
	      "folders with a copy of /sys and /proc. Without B: from A to now. Caches are\n"
	      "matched by name, size and flags, and by who shares them where names differ.\n"
	      "With `vs` (a file of that name is ./vs): the means of two groups of recordings,\n"
	      "and whether they differ by more than runs do.\n"
	      "Exit status: 0 no cache takes more memory in B, 1 some do, 2 trouble.\n"
	      "\n",
	      out);
	opts_help(diff_options, out);
	fputs("\nExamples:\n"
	      "  slabinfo diff before.txt after.txt\n"
	      "  slabinfo diff /proc/slabinfo.saved          against this machine, now\n"
	      "  slabinfo diff --at first,last slab.rec slab.rec\n"
	      "  slabinfo diff merge*.rec vs nomerge*.rec\n",
	      out);
}

void diff_print_safe(FILE *out, const char *text)
{
	char *safe = safe_text(text, 0);

	fputs(safe ? safe : "?", out);
	free(safe);
}

/* ---- operands -------------------------------------------------------------------------------- */

struct slabstat_source *diff_open(const struct diff_call *call, const char *operand, const char *at)
{
	struct source_opts so = call->r->source;
	struct stat st;

	so.at = at;
	so.file = NULL;
	so.files = 0;
	if (operand)
		so.process = NULL;
	if (operand && stat(operand, &st) == 0 && S_ISDIR(st.st_mode)) {
		so.root = operand;
	} else if (operand) {
		so.root = NULL;
		so.file = &operand;
		so.files = 1;
	}
	/* The kind of the files is not that of the live system. */
	if (!operand)
		so.from = SLABSTAT_SOURCE_AUTO;
	return source_opts_open(call->h, &so, 0, DIFF_PROGRAM);
}

/* ---- argv ------------------------------------------------------------------------------------ */

static int take_operands(struct diff_request *r, size_t n, char **words)
{
	size_t part = 0;

	while (part < n && strcmp(words[part], "vs") != 0)
		part++;
	r->a = words;
	r->na = part;
	if (part == n) {
		if (n == 0)
			return opts_usage(DIFF_PROGRAM, "what should be compared?", NULL);
		if (n > 2)
			return opts_usage(DIFF_PROGRAM,
					  "three operands or more: part two groups by the word vs",
					  NULL);
		r->na = 1;
		r->b = n == 2 ? words + 1 : NULL;
		r->nb = n - 1;
		return r->nb && (r->source.root || r->source.process) ?
			opts_usage(DIFF_PROGRAM, "--root and --pid are for a call with one operand",
				   NULL) : 0;
	}
	r->groups = true;
	r->b = words + part + 1;
	r->nb = n - part - 1;
	for (size_t i = 0; i < r->nb; i++) {
		if (strcmp(r->b[i], "vs") == 0)
			return opts_usage(DIFF_PROGRAM,
					  "vs stands there twice (a file of that name is ./vs)",
					  NULL);
	}
	if (r->na == 0 || r->nb == 0)
		return opts_usage(DIFF_PROGRAM, "vs wants recordings on either side", NULL);
	return 0;
}

/* "first,last": one for each side, parted in place; a comma in a mark's text is none of ours. */
static int take_at(struct diff_request *r, char *arg)
{
	char *comma;

	r->at = r->at_b = arg;
	comma = strncmp(arg, "mark:", 5) == 0 ? NULL : strchr(arg, ',');
	if (comma) {
		*comma = '\0';
		r->at_b = comma + 1;
	}
	return 0;
}

static int take_option(void *request, int id, char *arg)
{
	struct diff_request *r = request;
	int status = form_opts_take(&r->form, id, arg, DIFF_PROGRAM);

	if (status >= 0)
		return status;
	switch (id) {
	case OPT_FAMILIES:
		r->families = true;
		return 0;
	case SOURCE_OPT_AT:
		return take_at(r, arg);
	default:
		return source_opts_take(&r->source, id, arg, DIFF_PROGRAM) == SOURCE_OPTS_TAKEN ? 0
												: 2;
	}
}

/* 0: go on; OPTS_HELP: it was printed; 2: usage. */
static int parse(struct diff_request *r, struct out *out, int argc, char **argv)
{
	struct opts o = { .table = diff_options, .program = DIFF_PROGRAM };
	int status = opts_each(&o, argc, argv, take_option, r);

	if (status == OPTS_HELP)
		help(out->f);
	else if (status == 0)
		status = take_operands(r, (size_t)(argc - o.operand), argv + o.operand);
	opts_free(&o);
	return status;
}

static int run_request(const struct diff_request *r, struct out *out)
{
	struct diff_call call = { .r = r, .out = out, .h = slabstat_new() };
	int status = DIFF_TROUBLE;

	if (call.h) {
		out_choose_color(out, r->form.color);
		status = r->groups ? diff_groups(&call) : diff_pair(&call);
	} else {
		fputs(DIFF_PROGRAM ": out of memory\n", stderr);
	}
	slabstat_free(call.h);
	/* A difference that was not written is trouble, not a difference. */
	return out_finish(out, DIFF_PROGRAM) ? DIFF_TROUBLE : status;
}

static int run(int argc, char **argv)
{
	struct diff_request r = { .form = FORM_OPTS_DEFAULT };
	struct out out;
	int status;

	out_start(&out);
	status = parse(&r, &out, argc, argv);
	status = status == 0 ? run_request(&r, &out) : status == OPTS_HELP ? 0 : status;
	source_opts_free(&r.source);
	return status;
}

const struct verb verb_diff = {
	.name = "diff",
	.usage = "[OPTION]... A [B] | A... vs B...",
	.summary = "what grew from one snapshot to another, or between kinds of runs",
	.options = diff_options,
	.run = run,
};
