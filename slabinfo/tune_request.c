// SPDX-License-Identifier: MIT
/*
 * tune_request.c - argv of `slabinfo tune`, and what of it goes together.
 *
 *	slabinfo tune [CACHE[,CACHE...]] [KEY=VALUE | shrink | validate]... [-- COMMAND...]
 */
#include "tune.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/num.h"
#include "util/safe.h"

#define DEFAULT_RUNS 5
#define DEFAULT_SECONDS 10

enum {
	OPT_ALL = 0x500,
	OPT_FORCE,
	OPT_UNDO,
	OPT_RESTORE_ALL,
	OPT_HISTORY,
	OPT_AB,
	OPT_RUNS,
	OPT_ADVISE,
	OPT_SECONDS,
	OPT_SAVE,
	OPT_LOAD,
	OPT_JOURNAL,
	OPT_JSON,
	OPT_COLOR,
};

const struct opt tune_options[] = {
	{ OPT_ALL, "all", OPT_NONE, NULL, "every cache" },
	{ 'm', "match", OPT_REQUIRED, "REGEX",
	  "caches with a name that matches (extended; repeatable)" },
	{ 'n', "dry-run", OPT_NONE, NULL, "say what would be written, and write nothing" },
	{ OPT_FORCE, "force", OPT_NONE, NULL,
	  "lift our own limits; undo over what others changed since" },
	{ OPT_UNDO, "undo", OPT_OPTIONAL, "N", "undo entry N of the journal (the last)" },
	{ OPT_RESTORE_ALL, "restore-all", OPT_NONE, NULL, "undo everything that is in force" },
	{ OPT_HISTORY, "history", OPT_NONE, NULL, "what was changed, and what became of it" },
	{ OPT_AB, "ab", OPT_REQUIRED, "KEY=A,B",
	  "run the command with A and with B in turn, and compare" },
	{ OPT_RUNS, "runs", OPT_REQUIRED, "N", "with --ab: runs of each (5)" },
	{ OPT_ADVISE, "advise", OPT_NONE, NULL, "watch, and propose values where it could matter" },
	{ OPT_SECONDS, "seconds", OPT_REQUIRED, "S", "with --advise: how long to watch (10)" },
	{ OPT_SAVE, "save", OPT_REQUIRED, "FILE", "write values as a profile" },
	{ OPT_LOAD, "load", OPT_REQUIRED, "FILE", "show how a profile differs, and apply it" },
	{ OPT_JOURNAL, "journal", OPT_REQUIRED, "DIR", "keep the undo journal there" },
	{ OPT_JSON, "json", OPT_NONE, NULL, "JSON (the table, --history, --ab, --advise)" },
	{ OPT_COLOR, "color", OPT_REQUIRED, "WHEN", "auto, always or never" },
	{ SOURCE_OPT_ROOT, "root", OPT_REQUIRED, "DIR",
	  "tune the copy of /sys and /proc under DIR" },
	{ SOURCE_OPT_PAGE_SIZE, "page-size", OPT_REQUIRED, "BYTES",
	  "page size of the machine of that copy" },
	{ SOURCE_OPT_PID, "pid", OPT_REQUIRED, "PROGRAM",
	  "tune a program that publishes its caches" },
	{ 'F', "file", OPT_REQUIRED, "FILE", "with --advise: judge a recording" },
	{ 'h', "help", OPT_NONE, NULL, "this help" },
	OPT_END
};


static void help(FILE *out)
{
	fputs("usage: slabinfo tune [OPTION]... [CACHE[,CACHE...]]\n"
	      "                     [KEY=VALUE | shrink | validate]... [-- COMMAND [ARGUMENT]...]\n"
	      "\n"
	      "Without values: what can be tuned, and what stands in the way. With values:\n"
	      "write them, read them back, and keep a journal to undo them from. With a\n"
	      "command: only while it runs. CACHE is an exact cache or alias name.\n"
	      "\n"
	      "Keys:",
	      out);
	for (size_t i = 0; slabstat_tune_field(i) >= 0; i++)
		fprintf(out, "%s%s", i ? ", " : " ",
			slabstat_field_info((enum slabstat_field)slabstat_tune_field(i))->sysfs);
	fputs("\n\n", out);
	opts_help(tune_options, out);
	fputs("\nExamples:\n"
	      "  slabinfo tune dentry                         what can be tuned\n"
	      "  slabinfo tune dentry cpu_partial=0           set it; --undo takes it back\n"
	      "  slabinfo tune dentry,filp shrink             give empty slabs back, and tell\n"
	      "  slabinfo tune filp cpu_partial=0 -- make     only while make runs\n"
	      "  slabinfo tune --ab cpu_partial=0,120 filp -- ./bench\n"
	      "  slabinfo tune --pid nginx conns sheaf_capacity=60   in a program\n"
	      "  slabinfo tune --advise -- make               is there anything to gain?\n",
	      out);
}

/* ---- argv ------------------------------------------------------------------------------------ */

/* A known field that is no tunable: say how it is set. */
static int not_tunable(const char *key)
{
	static const struct {
		const char *key, *why;
	} reasons[] = {
		{ "order",
		  "fixed when the cache is made: boot with slab_min_order= or slab_max_order=" },
		{ "sheaf_capacity",
		  "the kernel fixes it when the cache is made "
		  "(a program, by --pid, can change it)" },
		{ "sanity_checks", "set at boot only: slab_debug=F,CACHE" },
		{ "red_zone", "set at boot only: slab_debug=Z,CACHE" },
		{ "poison", "set at boot only: slab_debug=P,CACHE" },
		{ "store_user", "set at boot only: slab_debug=U,CACHE" },
		{ "trace", "set at boot only: slab_debug=T,CACHE" },
	};
	int field = slabstat_field_find(key);

	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		if (strcmp(key, reasons[i].key) == 0) {
			fprintf(stderr, TUNE_PROGRAM ": %s: %s\n", key, reasons[i].why);
			return 2;
		}
	}
	return opts_usage(TUNE_PROGRAM, field >= 0 ? "not a tunable:" : "no such tunable:", key);
}

static int find_key(const struct tune_request *r, const char *key, enum slabstat_field *field)
{
	for (size_t i = 0; slabstat_tune_field(i) >= 0; i++) {
		*field = (enum slabstat_field)slabstat_tune_field(i);
		if (*field == SLABSTAT_SHEAF_CAPACITY && !r->source.process)
			continue;
		if (!strcmp(slabstat_field_info(*field)->sysfs, key))
			return 0;
	}
	return not_tunable(key);
}

static int parse_value(const char *key, const char *text, uint64_t *value)
{
	int err = num_parse_u64(text, value);

	if (!err)
		return 0;
	fprintf(stderr, TUNE_PROGRAM ": %s: ", key);
	tune_print_safe(stderr, text);
	fputs(err == -ERANGE ? " is more than 2^64-1, the most that the kernel takes\n" :
	      " is no whole number: the kernel takes digits only, without sign, blanks or base\n",
	      stderr);
	return 2;
}

/* "key=value": split in place at the sign. */
static int take_setting(struct tune_request *r, char *text)
{
	char *equal = strchr(text, '=');
	struct tune_setting *more, s;
	int status;

	*equal = '\0';
	status = find_key(r, text, &s.field);
	if (!status)
		status = parse_value(text, equal + 1, &s.value);
	if (status)
		return status;
	for (size_t i = 0; i < r->settings; i++)
		if (r->setting[i].field == s.field)
			return opts_usage(TUNE_PROGRAM, "given twice:", text);
	more = realloc(r->setting, (r->settings + 1) * sizeof(*more));
	if (!more) {
		fputs(TUNE_PROGRAM ": out of memory\n", stderr);
		return 1;
	}
	r->setting = more;
	more[r->settings++] = s;
	return 0;
}

/* "key=A,B" */
static int take_ab(struct tune_request *r, char *text)
{
	char *equal = strchr(text, '='), *comma = equal ? strchr(equal, ',') : NULL;
	int status;

	if (!comma)
		return opts_usage(TUNE_PROGRAM, "not KEY=A,B:", text);
	*equal = *comma = '\0';
	status = find_key(r, text, &r->ab);
	if (!status)
		status = parse_value(text, equal + 1, &r->ab_value[0]);
	if (!status)
		status = parse_value(text, comma + 1, &r->ab_value[1]);
	if (!status && r->ab_value[0] == r->ab_value[1])
		return opts_usage(TUNE_PROGRAM, "A and B are the same:", comma + 1);
	r->task = tune_ab;
	return status;
}

static int take_task(struct tune_request *r, int (*task)(struct tune_call *))
{
	if (r->task && r->task != task)
		return opts_usage(TUNE_PROGRAM, "one thing at a time", NULL);
	r->task = task;
	return 0;
}

static int take_undo(struct tune_request *r, const char *arg)
{
	uint64_t n = 0;

	if (arg && (num_parse_u64(arg, &n) || !n || n > UINT32_MAX))
		return opts_usage(TUNE_PROGRAM, "not the number of an entry:", arg);
	r->undo = (unsigned long)n;
	return take_task(r, tune_undo);
}

static int take_match(struct tune_request *r, const char *arg)
{
	const char **more = realloc(r->match, (r->matches + 1) * sizeof(*more));

	if (!more) {
		fputs(TUNE_PROGRAM ": out of memory\n", stderr);
		return 1;
	}
	r->match = more;
	more[r->matches++] = arg;
	return 0;
}

static int take_runs(struct tune_request *r, const char *arg)
{
	uint64_t n;

	if (num_parse_u64(arg, &n) || n < 2 || n > 10000)
		return opts_usage(TUNE_PROGRAM, "not a number of runs (2 to 10000):", arg);
	r->runs = (unsigned)n;
	return 0;
}

static int take_option(void *request, int id, char *arg)
{
	struct tune_request *r = request;

	switch (id) {
	case OPT_ALL:
		r->all = true;
		return 0;
	case 'm':
		return take_match(r, arg);
	case 'n':
		r->dry_run = true;
		return 0;
	case OPT_FORCE:
		r->force = true;
		return 0;
	case OPT_UNDO:
		return take_undo(r, arg);
	case OPT_RESTORE_ALL:
		return take_task(r, tune_restore_all);
	case OPT_HISTORY:
		return take_task(r, tune_history);
	case OPT_AB:
		return take_task(r, tune_ab) ? 2 : take_ab(r, arg);
	case OPT_RUNS:
		return take_runs(r, arg);
	case OPT_ADVISE:
		return take_task(r, tune_advise);
	case OPT_SECONDS:
		return num_parse_seconds(arg, &r->seconds)
			       ? opts_usage(TUNE_PROGRAM, "not a number of seconds:", arg)
			       : 0;
	case OPT_SAVE:
		r->profile = arg;
		return take_task(r, tune_save);
	case OPT_LOAD:
		r->profile = arg;
		return take_task(r, tune_load);
	case OPT_JOURNAL:
		r->journal = arg;
		return 0;
	case OPT_JSON:
		r->json = true;
		return 0;
	case OPT_COLOR:
		return out_color_parse(arg, &r->color)
			       ? opts_usage(TUNE_PROGRAM, "not auto, always or never:", arg)
			       : 0;
	default:
		return source_opts_take(&r->source, id, arg, TUNE_PROGRAM) == SOURCE_OPTS_TAKEN ? 0
												: 2;
	}
}

/* The first operand names caches unless -m or --all did; the rest are settings and actions. */
static int take_operands(struct tune_request *r, int argc, char **argv)
{
	int i = 0, status = 0;

	if (argc && !r->all && !r->matches)
		r->caches = argv[i++];
	for (; i < argc && !status; i++) {
		if (!strcmp(argv[i], "shrink"))
			r->shrink = true;
		else if (!strcmp(argv[i], "validate"))
			r->validate = true;
		else if (strchr(argv[i], '='))
			status = take_setting(r, argv[i]);
		else
			status = opts_usage(TUNE_PROGRAM,
					    "neither KEY=VALUE nor shrink nor validate:", argv[i]);
	}
	return status;
}

static bool has_changes(const struct tune_request *r)
{
	return r->settings || r->shrink || r->validate;
}

/* Options that would do nothing. */
static const char *find_idle(const struct tune_request *r)
{
	bool compares = r->task == tune_ab, advises = r->task == tune_advise;
	bool shows = r->task == tune_show || r->task == tune_history || compares || advises;
	bool writes =
		r->task == tune_apply || r->task == tune_run || r->task == tune_load || compares;

	if (r->json && !shows)
		return "--json goes with the table, --history, --ab and --advise";
	if (r->runs && !compares)
		return "--runs goes with --ab";
	if (r->seconds > 0 && (!advises || r->command || r->source.files))
		return "--seconds goes with --advise that has neither a command nor a recording";
	if (r->dry_run && !writes)
		return "--dry-run goes with what writes values "
		       "(--history shows what an undo would restore)";
	if (r->force && !writes && r->task != tune_undo && r->task != tune_restore_all)
		return "--force goes with what writes values";
	if ((r->caches || r->matches || r->all) &&
	    (r->task == tune_undo || r->task == tune_restore_all || r->task == tune_history ||
	     r->task == tune_load))
		return "no cache is named with --undo, --restore-all, --history and --load "
		       "(entry 3: --undo=3)";
	return NULL;
}

/* What does not go together; and which task it is where no option said so. */
static int settle_task(struct tune_request *r)
{
	if (r->task && r->task != tune_ab && r->task != tune_advise && r->command)
		return opts_usage(TUNE_PROGRAM,
				  "a command goes with settings, --ab or --advise only", NULL);
	if (r->task && has_changes(r))
		return opts_usage(TUNE_PROGRAM, "settings and actions do not go with this option",
				  NULL);
	if (r->source.files && r->task != tune_advise)
		return opts_usage(TUNE_PROGRAM,
				  "-F goes with --advise only: a file cannot be tuned (--root can)",
				  NULL);
	if (r->source.files && (r->caches || r->matches || r->all || r->command))
		return opts_usage(
			TUNE_PROGRAM,
			"-F judges every cache of a recording: "
			"neither caches nor a command go with it",
			NULL);
	if (r->task == tune_ab && !r->command)
		return opts_usage(TUNE_PROGRAM, "--ab wants a command behind --", NULL);
	if (r->task == tune_ab && !r->caches && !r->matches && !r->all)
		return opts_usage(TUNE_PROGRAM, "--ab wants a cache", NULL);
	if (r->source.files > 1)
		return opts_usage(TUNE_PROGRAM, "one recording at a time", NULL);
	if (r->task)
		return 0;
	if (has_changes(r) && !r->caches && !r->all && !r->matches)
		return opts_usage(TUNE_PROGRAM, "no cache is named (--all means every one)", NULL);
	if (r->command && (!r->settings || r->shrink || r->validate))
		return opts_usage(
			TUNE_PROGRAM,
			"what should be set while the command runs? KEY=VALUE goes before --",
			NULL);
	r->task = r->command ? tune_run : has_changes(r) ? tune_apply : tune_show;
	return 0;
}

/* Everything behind the first "--" is the command, whatever it looks like. */
static int split_command(struct tune_request *r, int argc, char **argv, int *mine)
{
	*mine = argc;
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--") != 0)
			continue;
		if (i + 1 == argc)
			return opts_usage(TUNE_PROGRAM, "there is no command behind --", NULL);
		*mine = i;
		r->command = argv + i + 1;
		break;
	}
	return 0;
}

int tune_parse(struct tune_request *r, struct out *out, int argc, char **argv)
{
	struct opts o = { .table = tune_options, .program = TUNE_PROGRAM };
	int mine, status = split_command(r, argc, argv, &mine);
	const char *idle;

	if (!status)
		status = opts_each(&o, mine, argv, take_option, r);
	if (status == OPTS_HELP)
		help(out->f);
	if (!status && take_operands(r, mine - o.operand, argv + o.operand))
		status = 2;
	opts_free(&o);
	if (!status && !source_opts_check(&r->source, TUNE_PROGRAM))
		status = 2;
	if (!status)
		status = settle_task(r);
	idle = status ? NULL : find_idle(r);
	if (idle)
		status = opts_usage(TUNE_PROGRAM, idle, NULL);
	r->runs = r->runs ? r->runs : DEFAULT_RUNS;
	r->seconds = r->seconds > 0 ? r->seconds : DEFAULT_SECONDS;
	return status;
}

void tune_request_free(struct tune_request *r)
{
	source_opts_free(&r->source);
	free(r->match);
	free(r->setting);
}
