// SPDX-License-Identifier: MIT
/*
 * verb_record.c - `slabinfo record`: sample slab caches while a command runs, or until told to
 * stop.
 *
 *	first sample, file made -> settle -> [mark, command, mark, settle, mark] x runs -> index
 *
 * Whatever goes wrong with the recording, the command is left to finish; whatever happens to us,
 * what was written stays readable.
 */
#include "job.h"
#include "markfile.h"
#include "progress.h"
#include "sampler.h"
#include "verbs.h"

#include "cli/source_opts.h"
#include "util/num.h"
#include "util/out.h"
#include "util/safe.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define PROGRAM		"slabinfo record"
#define DEFAULT_FILE	"slab.rec"
#define DEFAULT_SETTLE	1.0
/* as env(1), nice(1) and others: the failure is ours, not the command's */
#define RECORDING_FAILED 125

enum {
	OPT_FIELDS = 0x500,
	OPT_RUNS,
	OPT_SETTLE,
	OPT_APPEND,
	OPT_FORCE,
	OPT_MAX_OVERHEAD,
};

static const struct opt record_options[] = {
	{ 'o', "output", OPT_REQUIRED, "FILE",
	  "where to (" DEFAULT_FILE "); .zst or .gz: compressed when it ends" },
	{ 'i', "interval", OPT_REQUIRED, "SECONDS", "between samples (1)" },
	{ 'n', "samples", OPT_REQUIRED, "N", "stop recording after N samples" },
	{ OPT_FIELDS, "fields", OPT_REQUIRED, "SET",
	  "record more: partial, tunables, counters, all, or fields" },
	{ OPT_RUNS, "runs", OPT_REQUIRED, "N",
	  "run the command N times, to see what each run leaves" },
	{ OPT_SETTLE, "settle", OPT_REQUIRED, "SECONDS",
	  "wait before and after each run (1); 0: not at all" },
	{ OPT_MAX_OVERHEAD, "max-overhead", OPT_REQUIRED, "PERCENT",
	  "of one CPU: sample less often where it costs more" },
	{ OPT_APPEND, "append", OPT_NONE, NULL, "go on in an existing recording of this boot" },
	{ OPT_FORCE, "force", OPT_NONE, NULL, "replace an existing file" },
	{ 'q', "quiet", OPT_NONE, NULL, "no progress on the terminal" },
	{ SOURCE_OPT_ROOT, "root", OPT_REQUIRED, "DIR",
	  "sample the copy of /sys and /proc under DIR" },
	{ SOURCE_OPT_PID, "pid", OPT_REQUIRED, "PROGRAM",
	  "sample a program that publishes its caches" },
	{ SOURCE_OPT_CHILDREN, "children", OPT_NONE, NULL,
	  "with --pid, or of the command: it and all that come from it, summed" },
	{ SOURCE_OPT_FROM, "from", OPT_REQUIRED, "KIND", "read that alone: procfs or sysfs" },
	{ SOURCE_OPT_EXACT, "exact", OPT_NONE, NULL,
	  "walk partial lists where the kernel estimates" },
	{ 'h', "help", OPT_NONE, NULL, "this help" },
	OPT_END
};

struct request {
	const char *file;
	double interval_s, settle_s, max_overhead;
	uint64_t samples, runs;		/* 0: no limit; no --runs */
	struct slabstat_fieldset want;
	unsigned flags;
	bool quiet;
	char **command;			/* NULL: none */
	size_t command_count;
	struct source_opts source;
	/* owned: the source's name where it is the command's tree */
	char *tree;
};

static void help(FILE *out)
{
	fputs("usage: slabinfo record [OPTION]... [-- COMMAND [ARGUMENT]...]\n"
	      "\n"
	      "Samples every slab cache until the command ends; without one, until ^C. The exit\n"
	      "status is the command's (the first that is not 0 with --runs); 125 where\n"
	      "recording failed. Lines that the command writes to the file named by\n"
	      "$" MARKFILE_VARIABLE " become marks.\n"
	      "\n",
	      out);
	opts_help(record_options, out);
	fputs("\nExamples:\n"
	      "  slabinfo record -- make -j8\n"
	      "  slabinfo record -o idle.rec.zst -i 10 -n 360\n"
	      "  slabinfo record --runs 8 -o restart.rec -- systemctl restart nginx\n"
	      "  slabinfo mark slab.rec packaging         while it records\n"
	      "  slabinfo report slab.rec\n",
	      out);
}

/* ---- argv ------------------------------------------------------------------------------------ */

static int take_count(const char *what, const char *arg, uint64_t *n)
{
	return num_parse_u64(arg, n) || *n == 0 || *n > 100000000 ? opts_usage(PROGRAM, what, arg)
								  : 0;
}

/* As an interval, but 0 is one. */
static int take_settle(struct request *r, const char *arg)
{
	if (strcmp(arg, "0") == 0) {
		r->settle_s = 0;
		return 0;
	}
	return num_parse_seconds(arg, &r->settle_s)
		       ? opts_usage(PROGRAM, "not a number of seconds:", arg)
		       : 0;
}

static int take_overhead(struct request *r, const char *arg)
{
	double percent;

	if (num_parse_seconds(arg, &percent) || percent > 100)
		return opts_usage(PROGRAM, "not a percentage above 0:", arg);
	r->max_overhead = percent / 100;
	return 0;
}

static void want_kind(struct slabstat_fieldset *want, enum slabstat_field_kind kind)
{
	for (int f = 0; f < SLABSTAT_NFIELDS; f++) {
		const struct slabstat_field_info *info =
			slabstat_field_info((enum slabstat_field)f);

		if (info->kind == kind && (kind != SLABSTAT_KIND_LEVEL || info->sysfs))
			slabstat_fieldset_add(want, (enum slabstat_field)f);
	}
}

/* What identifies a cache and one read of /proc/slabinfo tells. */
static void want_default(struct slabstat_fieldset *want)
{
	static const enum slabstat_field fields[] = { SLABSTAT_OBJECTS, SLABSTAT_TOTAL_OBJECTS,
						      SLABSTAT_SLABS, SLABSTAT_ACTIVE_SLABS };

	want_kind(want, SLABSTAT_KIND_FACT);
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		slabstat_fieldset_add(want, fields[i]);
}

static int want_word(struct slabstat_fieldset *want, const char *word)
{
	int field;

	if (strcmp(word, "default") == 0)
		return 0;
	if (strcmp(word, "all") == 0) {
		*want = slabstat_fieldset_all();
		return 0;
	}
	if (strcmp(word, "partial") == 0) {
		want_kind(want, SLABSTAT_KIND_LEVEL);
		return 0;
	}
	if (strcmp(word, "tunables") == 0) {
		want_kind(want, SLABSTAT_KIND_TUNABLE);
		return 0;
	}
	if (strcmp(word, "counters") == 0) {
		want_kind(want, SLABSTAT_KIND_COUNTER);
		return 0;
	}
	field = slabstat_field_find(word);
	if (field < 0)
		return opts_usage(
			PROGRAM,
			"no such field, and not default, partial, tunables, counters or all:",
			word);
	slabstat_fieldset_add(want, (enum slabstat_field)field);
	return 0;
}

static int take_fields(struct request *r, const char *list)
{
	char *words = strdup(list), *next = words;
	int status = words ? 0 : 2;

	while (status == 0 && next)
		status = want_word(&r->want, strsep(&next, ","));
	free(words);
	return status;
}

static int take_option(void *request, int id, char *arg)
{
	struct request *r = request;

	switch (id) {
	case 'o':
		return verb_take_output(&r->file, arg, PROGRAM);
	case 'i':
		return num_parse_seconds(arg, &r->interval_s)
			       ? opts_usage(PROGRAM, "not a number of seconds:", arg)
			       : 0;
	case 'n':
		return take_count("not a number of samples:", arg, &r->samples);
	case OPT_FIELDS:
		return take_fields(r, arg);
	case OPT_RUNS:
		return take_count("not a number of runs:", arg, &r->runs);
	case OPT_SETTLE:
		return take_settle(r, arg);
	case OPT_MAX_OVERHEAD:
		return take_overhead(r, arg);
	case OPT_APPEND:
		r->flags |= SLABSTAT_RECORD_APPEND;
		return 0;
	case OPT_FORCE:
		r->flags |= SLABSTAT_RECORD_REPLACE;
		return 0;
	case 'q':
		r->quiet = true;
		return 0;
	default:
		return source_opts_take(&r->source, id, arg, PROGRAM) == SOURCE_OPTS_TAKEN ? 0 : 2;
	}
}

static int check(const struct request *r)
{
	if (r->runs && !r->command)
		return opts_usage(PROGRAM, "--runs wants a command behind --", NULL);
	if (r->source.children && !r->source.process && !r->command)
		return opts_usage(
			PROGRAM,
			"--children: of whom? name a program with --pid, or a command behind --",
			NULL);
	if ((r->flags & SLABSTAT_RECORD_APPEND) && (r->flags & SLABSTAT_RECORD_REPLACE))
		return opts_usage(PROGRAM, "--append and --force do not go together", NULL);
	return 0;
}

/* 0: go on; OPTS_HELP: it was printed; 2: usage. */
static int parse(struct request *r, struct out *out, int argc, char **argv)
{
	struct opts o = { .table = record_options, .program = PROGRAM, .posix = true };
	int status;

	want_default(&r->want);
	status = opts_each(&o, argc, argv, take_option, r);
	if (status == OPTS_HELP) {
		help(out->f);
	} else if (status == 0 && o.operand < argc) {
		r->command = argv + o.operand;
		r->command_count = (size_t)(argc - o.operand);
	} else if (status == 0 && o.dashdash) {
		status = opts_usage(PROGRAM, "there is no command behind --", NULL);
	}
	opts_free(&o);
	return status ? status : check(r);
}

/* ---- recording ------------------------------------------------------------------------------- */

struct recording {
	const struct request *r;
	struct slabstat *h;
	struct sampler sampler;
	struct markfile marks;
	struct progress progress;
	struct job job;
	unsigned run;		/* the one under way; 0: none */
	bool failed, enough;	/* recording failed; -n samples are there */
};

static void fail(struct recording *rec)
{
	if (!rec->failed)
		cli_print_error(rec->h, PROGRAM);
	rec->failed = true;
}

static bool stopped(const struct recording *rec)
{
	return rec->failed || rec->enough;
}

static void take_sample(struct recording *rec)
{
	if (stopped(rec))
		return;
	if (sampler_take(&rec->sampler) != 0) {
		fail(rec);
		return;
	}
	rec->enough = rec->r->samples && rec->sampler.samples >= rec->r->samples;
	progress_show(&rec->progress, &rec->sampler);
}

static void put_mark(struct recording *rec, enum slabstat_mark_kind kind, const char *text,
		     int status)
{
	if (!stopped(rec) && sampler_mark(&rec->sampler, kind, text, rec->run, status) != 0)
		fail(rec);
}

static int put_command_mark(void *arg, const char *text)
{
	struct recording *rec = arg;

	put_mark(rec, SLABSTAT_MARK_USER, text, 0);
	return 0;
}

static void take_marks(struct recording *rec, bool last)
{
	markfile_take(&rec->marks, last, put_command_mark, rec);
}

/* Sample for so long (< 0: until it has ended or a signal comes). */
static void sample_for(struct recording *rec, double seconds)
{
	struct sampler *s = &rec->sampler;
	int left = (int)(seconds * 1000);

	while (!stopped(rec) && left != 0) {
		int due = sampler_left_ms(s), wait = left > 0 && left < due ? left : due;

		if (!job_rest(&rec->job, wait))
			return;
		take_marks(rec, false);
		if (sampler_left_ms(s) == 0)
			take_sample(rec);
		if (left > 0)
			left -= wait;
	}
}

/* Wait until things are quiet; then the sample that is compared with its like. */
static void settle(struct recording *rec)
{
	if (rec->r->settle_s > 0)
		sample_for(rec, rec->r->settle_s);
	put_mark(rec, SLABSTAT_MARK_SETTLED, "", 0);
	take_sample(rec);
}

/* One run of the command, from its start mark to its end mark. Its exit status. */
static int run_once(struct recording *rec)
{
	int status;

	put_mark(rec, SLABSTAT_MARK_START, "", 0);
	status = job_start(&rec->job, rec->r->command, PROGRAM);
	if (status == 0) {
		while (!job_wait(&rec->job, stopped(rec) ? -1 : sampler_left_ms(&rec->sampler))) {
			take_marks(rec, false);
			if (!stopped(rec) && sampler_left_ms(&rec->sampler) == 0)
				take_sample(rec);
		}
		status = job_status(&rec->job);
		take_marks(rec, true);
	}
	put_mark(rec, SLABSTAT_MARK_END, "", status);
	return status;
}

static bool cannot_run(int status)
{
	return status == 126 || status == 127;
}

/* All runs; the first exit status that is not 0. */
static int run_command(struct recording *rec)
{
	uint64_t runs = rec->r->runs ? rec->r->runs : 1;
	int first = 0;

	settle(rec);
	for (uint64_t i = 0; i < runs && !stopped(rec) && !job_signalled(&rec->job); i++) {
		int status;

		rec->run = (unsigned)(i + 1);
		status = run_once(rec);
		first = first ? first : status;
		settle(rec);
		if (cannot_run(status))
			break;
	}
	if (first == 0 && rec->run == 0 && rec->job.signalled)
		first = 128 + rec->job.signalled;
	return first;
}

static int record(struct recording *rec)
{
	int status = 0, ret;

	if (rec->r->command)
		status = run_command(rec);
	else
		sample_for(rec, -1);
	progress_end(&rec->progress, &rec->sampler);
	ret = sampler_close(&rec->sampler);
	if (ret != 0)
		fail(rec);
	if (rec->failed)
		return rec->r->command ? RECORDING_FAILED : 1;
	return status;
}

/* Descriptors that stay open: as many as may be. */
static void raise_descriptors(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

/*
 * The memory of one sample serves the next. Giving it back to the kernel and faulting it in again
 * costs as much as everything else that a sample does.
 */
static void keep_memory(void)
{
#ifdef __GLIBC__
	mallopt(M_TRIM_THRESHOLD, 32 << 20);
	mallopt(M_MMAP_THRESHOLD, 32 << 20);
#endif
}

/*
 * The programs of the command publish, keep their pages until they are in the sums, and bear a name
 * that is ours. What else SLAB_OPTIONS asks for stays; the last word on publishing counts.
 */
static bool name_tree(struct request *r)
{
	const char *options = getenv("SLAB_OPTIONS");
	char tree[40], text[1024];

	if (!r->source.children || r->source.process)
		return true;
	snprintf(tree, sizeof(tree), "tree:record-%ld", (long)getpid());
	if (snprintf(text, sizeof(text), "%s%spublish=keep,%s", options ? options : "",
		     options ? " " : "", tree) >= (int)sizeof(text))
		return false;
	r->source.process = r->tree = strdup(tree);
	return r->tree && setenv("SLAB_OPTIONS", text, 1) == 0;
}

static int open_recording(struct recording *rec)
{
	const struct request *r = rec->r;
	struct slabstat_record_spec file = {
		.tool = "slabinfo " SLABKIT_VERSION,
		.command = (const char *const *)r->command,
		.command_count = r->command_count,
		.interval_s = r->interval_s,
		.flags = r->flags,
	};
	struct sampler_spec spec = { .path = r->file,
				     .record = &file,
				     .max_overhead = r->max_overhead };
	struct slabstat_source *source = source_opts_open(rec->h, &r->source, 0, PROGRAM);
	int ret;

	if (!source)
		return -1;
	file.source = slabstat_source_kind(source);
	ret = sampler_open(&rec->sampler, rec->h, source, &r->want, &spec);
	if (ret != 0)
		cli_print_error(rec->h, PROGRAM);
	return ret;
}

static int open_helpers(struct recording *rec)
{
	int ret = job_open(&rec->job);

	if (ret == 0 && rec->r->command)
		ret = markfile_open(&rec->marks);
	if (ret != 0) {
		fprintf(stderr, PROGRAM ": cannot begin: %s\n", strerror(-ret));
		return ret;
	}
	rec->job.watch = rec->r->command ? rec->marks.notify : -1;
	progress_start(&rec->progress, rec->r->quiet);
	return 0;
}

static int run_request(const struct request *r)
{
	struct recording rec = { .r = r, .h = slabstat_new(), .job = { .fd = -1 } };
	int status = r->command ? RECORDING_FAILED : 1;

	if (!rec.h) {
		fputs(PROGRAM ": out of memory\n", stderr);
		return status;
	}
	raise_descriptors();
	keep_memory();
	if (open_helpers(&rec) == 0 && open_recording(&rec) == 0)
		status = record(&rec);
	markfile_close(&rec.marks);
	job_close(&rec.job);
	slabstat_free(rec.h);
	return status;
}

static int run(int argc, char **argv)
{
	struct request r = {
		.file = DEFAULT_FILE,
		.interval_s = 1,
		.settle_s = DEFAULT_SETTLE,
		.source.again = true,
	};
	struct out out;
	int status;

	out_start(&out);
	status = parse(&r, &out, argc, argv);
	if (status == 0 && !name_tree(&r)) {
		fputs(PROGRAM ": SLAB_OPTIONS is too long, or out of memory\n", stderr);
		status = r.command ? RECORDING_FAILED : 2;
	} else {
		status = status == 0 ? run_request(&r) : status == OPTS_HELP ? 0 : status;
	}
	free(r.tree);
	source_opts_free(&r.source);
	return status;
}

const struct verb verb_record = {
	.name = "record",
	.usage = "[OPTION]... [-- COMMAND [ARGUMENT]...]",
	.summary = "sample slab caches while a command runs",
	.options = record_options,
	.run = run,
};
