// SPDX-License-Identifier: MIT
/* verb_mark.c - `slabinfo mark FILE TEXT`: name this moment in a recording that is being made. */
#include "verbs.h"

#include "cli/source_opts.h"
#include "util/out.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PROGRAM "slabinfo mark"

static const struct opt mark_options[] = {
	{ 'h', "help", OPT_NONE, NULL, "this help" },
	OPT_END
};

static void help(FILE *out)
{
	fputs("usage: slabinfo mark FILE TEXT...\n"
	      "\n"
	      "Adds a mark with the present time to a recording that slabinfo record is making.\n"
	      "Plots draw it, and --at mark:TEXT finds it.\n"
	      "\n",
	      out);
	opts_help(mark_options, out);
	fputs("\nExample:\n"
	      "  slabinfo mark slab.rec packaging\n",
	      out);
}

static int64_t now_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

/* Words as one text, *returned owned*. */
static char *join(int n, char **words)
{
	size_t size = 1;
	char *text, *end;

	for (int i = 0; i < n; i++)
		size += strlen(words[i]) + 1;
	text = end = malloc(size);
	for (int i = 0; text && i < n; i++) {
		if (i > 0)
			*end++ = ' ';
		end = stpcpy(end, words[i]);
	}
	return text;
}

static int append(const char *path, int n, char **words)
{
	struct slabstat *h = slabstat_new();
	char *text = join(n, words);
	struct slabstat_mark mark = {
		.text = text, .wall_ns = now_ns(CLOCK_REALTIME), .mono_ns = now_ns(CLOCK_MONOTONIC),
	};
	int status = 0;

	if (!h || !text) {
		fputs(PROGRAM ": out of memory\n", stderr);
		status = 1;
	} else if (slabstat_mark_append(h, path, &mark) != 0) {
		status = cli_print_error(h, PROGRAM);
	}
	free(text);
	slabstat_free(h);
	return status;
}

static int run(int argc, char **argv)
{
	struct opts o = { .table = mark_options, .program = PROGRAM };
	struct out out;
	int id = opts_next(&o, argc, argv), operand = o.operand;

	opts_free(&o);
	out_start(&out);
	if (id == 'h') {
		help(out.f);
		return 0;
	}
	if (id != OPTS_DONE)
		return 2;
	if (argc - operand < 2) {
		fputs(PROGRAM ": a recording and a text are wanted; see " PROGRAM " --help\n",
		      stderr);
		return 2;
	}
	return append(argv[operand], argc - operand - 1, argv + operand + 1);
}

const struct verb verb_mark = {
	.name = "mark",
	.usage = "FILE TEXT...",
	.summary = "name this moment in a recording that is being made",
	.options = mark_options,
	.run = run,
};
