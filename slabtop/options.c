// SPDX-License-Identifier: MIT
/* options.c - the command line; see options.h. */
#include "options.h"

#include <string.h>

#include "cli/complete.h"
#include "columns.h"
#include "keys.h"
#include "util/num.h"

enum {
	OPT_HUMAN = 256,
	OPT_COMPAT,
	OPT_COLOR,
	OPT_ASCII,
	OPT_JOURNAL,
	OPT_LIST_KEYS,
	OPT_LIST_COLUMNS
};

#define DELAY_DEFAULT 1.0
#define DELAY_LEAST 0.05

const struct opt slabtop_options[] = {
	{ 'd', "delay", OPT_REQUIRED, "SECONDS", "time between samples, fractions too (1)" },
	{ 's', "sort", OPT_REQUIRED, "KEY",
	  "a letter of procps slabtop (abclvnopsu), or a column" },
	{ 'm', "match", OPT_REQUIRED, "REGEX", "begin with this filter; aliases match too" },
	{ 'o', "once", OPT_NONE, NULL, "print what procps slabtop -o prints, all rows, and leave" },
	{ OPT_HUMAN, "human", OPT_NONE, NULL,
	  "with -o: sizes in Ki, Mi and Gi, in the columns of procps 4.0.6" },
	{ OPT_COMPAT, "compat", OPT_REQUIRED, "VERSION",
	  "with -o: the columns of procps 4.0.2 (usual) or 4.0.6" },
	{ 'B', "batch", OPT_NONE, NULL,
	  "print the rows of the screen as lines, without escape codes" },
	{ 'n', "iterations", OPT_REQUIRED, "N", "with -B: leave after N samples" },
	{ 'b', "bytes", OPT_NONE, NULL, "exact bytes instead of KiB and MiB" },
	SOURCE_OPTS,
	{ OPT_COLOR, "color", OPT_REQUIRED, "WHEN", "auto, always or never" },
	{ OPT_ASCII, "ascii", OPT_NONE, NULL, "graphs of ASCII characters only" },
	{ OPT_JOURNAL, "journal", OPT_REQUIRED, "DIR", "keep the undo journal of tunables there" },
	{ OPT_LIST_KEYS, "list-keys", OPT_NONE, NULL, "every key and what it does" },
	{ OPT_LIST_COLUMNS, "list-columns", OPT_NONE, NULL,
	  "every column, for -s and the column chooser" },
	{ 'h', "help", OPT_NONE, NULL, "this text" },
	{ 'V', "version", OPT_NONE, NULL, "the version" },
	OPT_END
};

static void print_help(void)
{
	printf("Usage: slabtop [options]\n\n"
	       "The kernel's slab caches as they change; of a copied /sys and /proc; of a saved\n"
	       "file or a recording. Press ? in it for the keys.\n\n");
	opts_help(slabtop_options, stdout);
	printf("\nSort letters: a objects in use, b objects per slab, c footprint, l slabs,\n"
	       "v active slabs, n name, o objects, p pages per slab, s object size, u fill.\n"
	       "See slabtop(1).\n");
}

static void print_columns(FILE *out)
{
	char buf[COLUMN_TEXT];

	for (int c = COLUMN_NAME; c < COLUMN_COUNT; c++)
		fprintf(out, "%-26s %-12s %s\n", column_id(c), column_title(c, buf),
			column_help(c));
}

static void print_column_ids(FILE *out)
{
	for (int c = COLUMN_NAME; c < COLUMN_COUNT; c++)
		fprintf(out, "%s\n", column_id(c));
}

static bool usage(const char *what, const char *arg, const char *way_out)
{
	fprintf(stderr, "%s: %s '%s'; %s\n", PROGRAM, what, arg, way_out);
	return false;
}

static bool take_sort(struct options *o, const char *arg)
{
	if (strlen(arg) == 1 && keys_sort_column(arg[0], &o->sort) == 0) {
		o->sort_letter = (char)(arg[0] | 0x20);
		return true;
	}
	o->sort = column_find(arg);
	o->sort_letter = 0;
	if (o->sort != COLUMN_NONE)
		return true;
	return usage("no sort key", arg,
		     "use one of a b c l v n o p s u, or a column of --list-columns");
}

static bool take_frames(struct options *o, const char *arg)
{
	uint64_t n;

	if (num_parse_u64(arg, &n) != 0 || !n || n > 1000000000)
		return usage("not a number of samples:", arg, "use 1 or more");
	o->frames = (unsigned long)n;
	return true;
}

static bool take_delay(struct options *o, const char *arg)
{
	if (num_parse_seconds(arg, &o->delay) != 0 || o->delay < DELAY_LEAST)
		return usage("illegal delay:", arg, "use seconds, 0.05 or more");
	o->delay_given = true;
	return true;
}

static bool take_compat(struct options *o, const char *arg)
{
	o->compat_406 = strcmp(arg, "4.0.6") == 0;
	if (!o->compat_406)
		o->human = false;
	if (o->compat_406 || strcmp(arg, "4.0.2") == 0)
		return true;
	return usage("no such version of procps:", arg, "use 4.0.2 or 4.0.6");
}

static bool take(struct options *o, int id, const char *arg)
{
	switch (id) {
	case 'd': return take_delay(o, arg);
	case 's': return take_sort(o, arg);
	case 'm': o->match = arg; return true;
	case 'o': o->once = true; return true;
	case OPT_HUMAN: o->human = o->compat_406 = true; return true;
	case OPT_COMPAT: return take_compat(o, arg);
	case 'B': o->batch = true; return true;
	case 'n': return take_frames(o, arg);
	case 'b': o->exact = true; return true;
	case OPT_ASCII: o->ascii = true; return true;
	case OPT_JOURNAL: o->journal = arg; return true;
	case OPT_COLOR:
		return out_color_parse(arg, &o->color) == 0 ||
		       usage("no such colour choice:", arg, "use auto, always or never");
	default:
		return source_opts_take(&o->source, id, arg, PROGRAM) == SOURCE_OPTS_TAKEN;
	}
}

/* What was asked for by an option that prints and leaves; false: id is none. */
static bool print_asked(int id)
{
	switch (id) {
	case 'h': print_help(); return true;
	case 'V': printf("slabtop from slabkit %s\n", SLABKIT_VERSION); return true;
	case OPT_LIST_KEYS: keys_print(stdout); return true;
	case OPT_LIST_COLUMNS: print_columns(stdout); return true;
	default: return false;
	}
}

static bool check(const struct options *o)
{
	if (!source_opts_check(&o->source, PROGRAM))
		return false;
	if (o->once && (o->batch || o->delay_given))
		return usage("cannot combine -o with", o->batch ? "-B" : "-d",
			     "-o prints once and leaves");
	if (o->once && o->sort != COLUMN_NONE && !o->sort_letter)
		return usage("with -o, no sort key", column_id(o->sort),
			     "use one of a b c l v n o p s u");
	if (o->frames && !o->batch)
		return usage("an option needs --batch:", "-n", "say -B -n N");
	if (source_opts_count(&o->source) > 1)
		return usage("more than one file:", o->source.file[1],
			     "slabtop shows one at a time");
	return true;
}

enum options_result options_parse(struct options *o, int argc, char **argv)
{
	struct opts opts = { .table = slabtop_options, .program = PROGRAM };
	enum options_result result = OPTIONS_RUN;
	int id;

	*o = (struct options){ .delay = DELAY_DEFAULT, .sort = COLUMN_NONE };
	if (complete_asked(argc, argv)) {
		struct complete c = { .table = slabtop_options, .columns = print_column_ids };

		complete_print(&c, argc - 2, argv + 2, stdout);
		return OPTIONS_DONE;
	}
	while (result == OPTIONS_RUN && (id = opts_next(&opts, argc, argv)) != OPTS_DONE) {
		if (id == OPTS_ERROR)
			result = OPTIONS_USAGE;
		else if (print_asked(id))
			result = OPTIONS_DONE;
		else if (!take(o, id, opts.arg))
			result = OPTIONS_USAGE;
	}
	if (result == OPTIONS_RUN && opts.operand < argc) {
		usage("unexpected argument", argv[opts.operand],
		      "a filter is -m REGEX; see slabtop --help");
		result = OPTIONS_USAGE;
	}
	if (result == OPTIONS_RUN && !check(o))
		result = OPTIONS_USAGE;
	/* A copy may be edited between two samples; of the running kernel files may stay open. */
	o->source.again = source_opts_is_system(&o->source) && !o->source.root && !o->once;
	opts_free(&opts);
	return result;
}

void options_free(struct options *o)
{
	source_opts_free(&o->source);
}
