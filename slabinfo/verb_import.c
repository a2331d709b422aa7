// SPDX-License-Identifier: MIT
/*
 * verb_import.c - `slabinfo import -o OUT FILE...`: what other tools wrote, as a recording.
 *
 * Every file is opened and looked at before anything is written; each of its samples becomes one
 * of the recording, in the order of the files.
 */
#include "verbs.h"

#include "cli/source_opts.h"
#include "util/num.h"
#include "util/out.h"
#include "util/safe.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PROGRAM	   "slabinfo import"
#define NS_PER_S   1000000000LL

enum { OPT_MTIME = 0x500, OPT_FORCE };

static const struct opt import_options[] = {
	{ 'o', "output", OPT_REQUIRED, "FILE", "the recording to make; .zst or .gz: compressed" },
	{ 'i', "interval", OPT_REQUIRED, "SECONDS",
	  "time from sample to sample, where the files do not tell" },
	{ OPT_MTIME, "mtime", OPT_NONE, NULL,
	  "a file without times was written when it was last modified" },
	{ OPT_FORCE, "force", OPT_NONE, NULL, "replace an existing file" },
	{ SOURCE_OPT_FROM, "from", OPT_REQUIRED, "KIND",
	  "take files as KIND: procfs, text, tree, record, ..." },
	{ SOURCE_OPT_PAGE_SIZE, "page-size", OPT_REQUIRED, "BYTES",
	  "page size of the machine in the files" },
	{ 'h', "help", OPT_NONE, NULL, "this help" },
	OPT_END
};

struct request {
	const char *output;
	double interval_s;		/* 0: not told */
	bool mtime;
	unsigned flags;
	struct source_opts source;
	char **file;
	size_t files;
};

struct import {
	const struct request *r;
	struct slabstat *h;
	struct slabstat_source **source;
	struct slabstat_record *record;
	size_t samples, bad_rows;
	const char *noted;		/* the file whose notes were printed last */
};

static void help(FILE *out)
{
	fputs("usage: slabinfo import [OPTION]... -o OUT FILE...\n"
	      "\n"
	      "Makes a recording of what other tools wrote: loops of `slabinfo -X`, of\n"
	      "/proc/slabinfo or of `slabtop -o`, with or without time stamps between; a column\n"
	      "of numbers; single captures and copies of /sys and /proc. Several files follow\n"
	      "one another.\n"
	      "\n",
	      out);
	opts_help(import_options, out);
	fputs("\nExamples:\n"
	      "  slabinfo import -o build.rec -i 1 xtotals.txt\n"
	      "  slabinfo import -o week.rec.zst --mtime slabinfo.*.txt\n",
	      out);
}

/* ---- argv ------------------------------------------------------------------------------------ */

static int take_option(void *request, int id, char *arg)
{
	struct request *r = request;

	switch (id) {
	case 'o':
		return verb_take_output(&r->output, arg, PROGRAM);
	case 'i':
		return num_parse_seconds(arg, &r->interval_s)
			       ? opts_usage(PROGRAM, "not a number of seconds:", arg)
			       : 0;
	case OPT_MTIME:
		r->mtime = true;
		return 0;
	case OPT_FORCE:
		r->flags |= SLABSTAT_RECORD_REPLACE;
		return 0;
	default:
		return source_opts_take(&r->source, id, arg, PROGRAM) == SOURCE_OPTS_TAKEN ? 0 : 2;
	}
}

/* 0: go on; OPTS_HELP: it was printed; 2: usage. */
static int parse(struct request *r, struct out *out, int argc, char **argv)
{
	struct opts o = { .table = import_options, .program = PROGRAM };
	int status = opts_each(&o, argc, argv, take_option, r);

	r->file = argv + o.operand;
	r->files = (size_t)(argc - o.operand);
	opts_free(&o);
	if (status == OPTS_HELP)
		help(out->f);
	else if (status == 0 && !r->output)
		status = opts_usage(PROGRAM, "-o is wanted: where should the recording go?", NULL);
	else if (status == 0 && r->files == 0)
		status = opts_usage(PROGRAM, "what should be imported?", NULL);
	return status;
}

/* ---- samples --------------------------------------------------------------------------------- */

static int64_t modified_ns(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? (int64_t)st.st_mtim.tv_sec * NS_PER_S + st.st_mtim.tv_nsec
				    : 0;
}

/* When a sample was taken, as far as the snapshot itself does not tell. */
static struct slabstat_taken taken_of(const struct import *m, const char *file)
{
	struct slabstat_taken taken = { 0 };

	if (m->r->interval_s > 0)
		taken.mono_ns =
			(int64_t)((double)(m->samples + 1) * m->r->interval_s * (double)NS_PER_S);
	if (m->r->mtime)
		taken.wall_ns = modified_ns(file);
	return taken;
}

/* The first sample that something is wrong with speaks for all; bad rows are counted. */
static void say_notes(struct import *m, const struct slabstat_snapshot *s, const char *file)
{
	const struct slabstat_notes *n = slabstat_snapshot_notes(s);

	if (m->noted != file && (n->bad_rows || n->unreadable || n->repeats)) {
		cli_print_notes(s, file, PROGRAM);
		m->noted = file;
	}
	m->bad_rows += n->bad_rows;
}

static int write_sample(struct import *m, const struct slabstat_snapshot *s, const char *file)
{
	struct slabstat_record_spec spec = {
		.tool = "slabinfo " SLABKIT_VERSION,
		.source = slabstat_snapshot_source(s),
		.interval_s = m->r->interval_s,
		.flags = m->r->flags,
	};
	struct slabstat_taken taken = taken_of(m, file);
	int ret;

	if (m->record)
		ret = slabstat_record_sample(m->record, s, &taken);
	else
		ret = slabstat_record_open(m->h, m->r->output, &spec, s, &taken, &m->record);
	m->samples += ret == 0;
	return ret;
}

static int import_file(struct import *m, struct slabstat_source *source, const char *file)
{
	size_t samples = slabstat_source_samples(source);
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < samples; i++) {
		struct slabstat_snapshot *s;

		ret = slabstat_source_seek(source, i);
		if (ret == 0)
			ret = slabstat_source_read(source, NULL, &s);
		if (ret != 0)
			return ret;
		say_notes(m, s, file);
		ret = write_sample(m, s, file);
		slabstat_snapshot_free(s);
	}
	return ret;
}

/* ---- running --------------------------------------------------------------------------------- */

static struct slabstat_source *open_file(const struct import *m, const char *file)
{
	struct slabstat_spec spec = { .kind = m->r->source.from,
				      .page_size = m->r->source.page_size };
	struct slabstat_source *source;
	struct stat st;

	if (stat(file, &st) == 0 && S_ISDIR(st.st_mode))
		spec.root = file;
	else
		spec.file = file;
	if (slabstat_source_open(m->h, &spec, &source) != 0)
		return NULL;
	return source;
}

static int open_files(struct import *m)
{
	m->source = calloc(m->r->files, sizeof(*m->source));
	if (!m->source) {
		fputs(PROGRAM ": out of memory\n", stderr);
		return 1;
	}
	for (size_t i = 0; i < m->r->files; i++) {
		m->source[i] = open_file(m, m->r->file[i]);
		if (!m->source[i])
			return cli_print_error(m->h, PROGRAM);
	}
	return 0;
}

static int import_files(struct import *m)
{
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < m->r->files; i++)
		ret = import_file(m, m->source[i], m->r->file[i]);
	if (ret == -EEXIST)
		fprintf(stderr, PROGRAM ": %s: exists already: --force replaces it\n",
			m->r->output);
	else if (ret != 0)
		cli_print_error(m->h, PROGRAM);
	if (slabstat_record_close(m->record) != 0 && ret == 0)
		ret = cli_print_error(m->h, PROGRAM);
	if (ret == 0 && m->samples == 0) {
		fputs(PROGRAM ": there is no sample in what was given\n", stderr);
		return 1;
	}
	if (m->bad_rows > 1)
		fprintf(stderr, PROGRAM ": %zu rows were not understood in all\n", m->bad_rows);
	return ret != 0 || m->bad_rows > 0;
}

static int run_request(const struct request *r)
{
	struct import m = { .r = r, .h = slabstat_new() };
	int status = 1;

	if (!m.h)
		fputs(PROGRAM ": out of memory\n", stderr);
	else
		status = open_files(&m);
	if (status == 0)
		status = import_files(&m);
	for (size_t i = 0; m.source && i < r->files; i++)
		slabstat_source_close(m.source[i]);
	free(m.source);
	slabstat_free(m.h);
	return status;
}

static int run(int argc, char **argv)
{
	struct request r = { 0 };
	struct out out;
	int status;

	out_start(&out);
	status = parse(&r, &out, argc, argv);
	status = status == 0 ? run_request(&r) : status == OPTS_HELP ? 0 : status;
	source_opts_free(&r.source);
	return status;
}

const struct verb verb_import = {
	.name = "import",
	.usage = "[OPTION]... -o OUT FILE...",
	.summary = "make a recording of what other tools wrote",
	.options = import_options,
	.run = run,
};
