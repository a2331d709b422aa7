// SPDX-License-Identifier: MIT
/* source_opts.c - the options that say what to read; see source_opts.h. */
#include "cli/source_opts.h"

#include "util/num.h"
#include "util/safe.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static enum source_opts_result usage(const char *program, const char *what, const char *arg)
{
	opts_usage(program, what, arg);
	return SOURCE_OPTS_USAGE;
}

static bool add_file(struct source_opts *so, const char *name)
{
	const char **file = realloc(so->file, (so->files + 1) * sizeof(*file));

	if (!file)
		return false;
	so->file = file;
	so->file[so->files++] = name;
	return true;
}

/* "4096", "64K": a power of two from 512 bytes to 1 GiB. */
static int parse_page_size(const char *text, uint64_t *size)
{
	const char *end = text + strlen(text);
	uint64_t n;
	int ret = num_scan_u64(&text, end, &n);

	if (ret)
		return ret;
	if (*text == 'K' || *text == 'k') {
		n = num_mul_sat(n, 1024);
		text++;
	}
	if (*text || n < 512 || n > (1u << 30) || (n & (n - 1)))
		return -EINVAL;
	*size = n;
	return 0;
}

enum source_opts_result source_opts_take(struct source_opts *so, int id, const char *arg,
					 const char *program)
{
	int kind;

	switch (id) {
	case 'F':
		if (!add_file(so, arg)) {
			fprintf(stderr, "%s: out of memory\n", program);
			return SOURCE_OPTS_USAGE;
		}
		return SOURCE_OPTS_TAKEN;
	case SOURCE_OPT_ROOT:
		so->root = arg;
		return SOURCE_OPTS_TAKEN;
	case SOURCE_OPT_PID:
		so->process = arg;
		return SOURCE_OPTS_TAKEN;
	case SOURCE_OPT_CHILDREN:
		so->children = true;
		return SOURCE_OPTS_TAKEN;
	case SOURCE_OPT_FROM:
		kind = slabstat_source_kind_find(arg);
		if (kind < 0)
			return usage(program, "no such kind of source:", arg);
		so->from = (enum slabstat_source_kind)kind;
		return SOURCE_OPTS_TAKEN;
	case SOURCE_OPT_EXACT:
		so->exact = true;
		return SOURCE_OPTS_TAKEN;
	case SOURCE_OPT_PAGE_SIZE:
		if (parse_page_size(arg, &so->page_size))
			return usage(program, "not a page size (a power of two):", arg);
		return SOURCE_OPTS_TAKEN;
	case SOURCE_OPT_AT:
		so->at = arg;
		return SOURCE_OPTS_TAKEN;
	default:
		return SOURCE_OPTS_OTHER;
	}
}

bool source_opts_check(const struct source_opts *so, const char *program)
{
	size_t stdins = 0;

	if (!!so->files + !!so->root + !!so->process > 1) {
		fprintf(stderr, "%s: %s and %s name two things to read; see %s --help\n", program,
			so->files ? "--file" : "--root", so->process ? "--pid" : "--root", program);
		return false;
	}
	if (so->children && !so->process) {
		fprintf(stderr, "%s: --children goes with --pid: whose?\n", program);
		return false;
	}
	if (so->page_size && !so->files && !so->root) {
		fprintf(stderr,
			"%s: --page-size is for files and --root: "
			"the page size of this machine is known\n",
			program);
		return false;
	}
	for (size_t i = 0; i < so->files; i++)
		stdins += strcmp(so->file[i], "-") == 0;
	if (stdins > 1) {
		fprintf(stderr, "%s: standard input can be read once only\n", program);
		return false;
	}
	return true;
}

void source_opts_free(struct source_opts *so)
{
	free(so->file);
	so->file = NULL;
	so->files = 0;
}

size_t source_opts_count(const struct source_opts *so)
{
	return so->files ? so->files : 1;
}

const char *source_opts_label(const struct source_opts *so, size_t i)
{
	if (i < so->files)
		return strcmp(so->file[i], "-") == 0 ? "standard input" : so->file[i];
	return so->process ? so->process : so->root ? so->root : "live";
}

/* The sample that --at names, the last one without it. False after a message. */
static bool seek(struct slabstat *h, struct slabstat_source *source, const struct source_opts *so,
		 size_t i, const char *program)
{
	const size_t samples = slabstat_source_samples(source);
	size_t n = samples ? samples - 1 : 0;
	int ret = so->at ? slabstat_source_at(source, so->at, &n) : 0;

	if (ret == -ESPIPE) {
		fprintf(stderr, "%s: %s: --at is for files: there is the present only\n", program,
			source_opts_label(so, i));
		return false;
	}
	if (ret == 0 && samples > 0)
		ret = slabstat_source_seek(source, n);
	if (ret)
		cli_print_error(h, program);
	return ret == 0;
}

struct slabstat_source *source_opts_open(struct slabstat *h, const struct source_opts *so, size_t i,
					 const char *program)
{
	const struct slabstat_spec spec = {
		.kind = so->from,
		.root = so->root,
		.process = so->process,
		.file = i < so->files ? so->file[i] : NULL,
		.page_size = so->page_size,
		.flags = (so->exact ? SLABSTAT_FLAG_EXACT : 0) |
			 (so->shares ? SLABSTAT_FLAG_SHARES : 0) |
			 (so->again ? SLABSTAT_FLAG_AGAIN : 0) |
			 (so->children ? SLABSTAT_FLAG_CHILDREN : 0),
	};
	struct slabstat_source *source;

	if (slabstat_source_open(h, &spec, &source)) {
		cli_print_error(h, program);
		return NULL;
	}
	if (!seek(h, source, so, i, program)) {
		slabstat_source_close(source);
		return NULL;
	}
	return source;
}

/* Figures of a program that does not run, or does not answer, are of the past: say of when. */
static void print_age(const struct slabstat_source *source, const char *program)
{
	static const char *const what[] = {
		[SLABSTAT_PROCESS_RUNS] = "did not answer",
		[SLABSTAT_PROCESS_ENDED] = "has ended",
		[SLABSTAT_PROCESS_DIED] = "has died",
		[SLABSTAT_PROCESS_CHANGED] = "has become another program",
		[SLABSTAT_PROCESS_FOREIGN] = "is in another pid namespace",
		[SLABSTAT_PROCESS_DAMAGED] = "",
	};
	const struct slabstat_process *p = slabstat_source_process(source);
	struct timespec now;
	double age;

	if (!p)
		return;
	clock_gettime(CLOCK_REALTIME, &now);
	age = (double)now.tv_sec + (double)now.tv_nsec / 1e9 - (double)p->wall_ns / 1e9;
	if (p->state == SLABSTAT_PROCESS_RUNS && age < (p->answers ? 0.5 : 2))
		return;
	fprintf(stderr, "%s: %s: %s (%llu) %s: figures of %.1f s ago\n", program, p->path, p->name,
		(unsigned long long)p->pid, what[p->state], age);
}

struct slabstat_snapshot *source_opts_read(struct slabstat *h, const struct source_opts *so,
					   size_t i, const struct slabstat_fieldset *want,
					   const char *program)
{
	struct slabstat_source *source = source_opts_open(h, so, i, program);
	struct slabstat_snapshot *snapshot = NULL;

	if (!source)
		return NULL;
	if (!so->at && slabstat_source_samples(source) > 1)
		fprintf(stderr, "%s: %s: the last of %zu samples; --at chooses another\n", program,
			source_opts_label(so, i), slabstat_source_samples(source));
	if (slabstat_source_read(source, want, &snapshot))
		cli_print_error(h, program);
	else
		print_age(source, program);
	slabstat_source_close(source);
	return snapshot;
}

int cli_print_error(const struct slabstat *h, const char *program)
{
	const struct slabstat_error *e = slabstat_error(h);
	char *path = e->path ? safe_text(e->path, 0) : NULL;

	fprintf(stderr, "%s: ", program);
	if (path && e->line)
		fprintf(stderr, "%s:%lu: ", path, e->line);
	else if (path)
		fprintf(stderr, "%s: ", path);
	/* Every program that prints errors through here has the option. */
	fprintf(stderr, "%s%s\n", e->text ? e->text : strerror(-e->code),
		e->code == -ENOMSG ? "; --from=KIND says what it should be" : "");
	free(path);
	return 1;
}

static void print_bad_rows(const struct slabstat_notes *n, const char *label, const char *program)
{
	if (!n->first_bad_row) {
		fprintf(stderr, "%s: %s: %zu rows were not understood when it was recorded\n",
			program, label, n->bad_rows);
		return;
	}
	fprintf(stderr, "%s: %s:%lu: not understood, row left out", program, label,
		n->first_bad_row);
	if (n->bad_rows > 1)
		fprintf(stderr, " (and %zu more)", n->bad_rows - 1);
	fputc('\n', stderr);
}

static void print_unreadable(const struct slabstat_notes *n, const char *label, const char *program)
{
	char *first = n->first_unreadable ? safe_text(n->first_unreadable, 0) : NULL;

	fprintf(stderr,
		n->unreadable == 1 ? "%s: %s: %zu attribute could not be read and is absent"
				   : "%s: %s: %zu attributes could not be read and are absent",
		program, label, n->unreadable);
	if (first)
		fprintf(stderr, "%s%s", n->unreadable == 1 ? ": " : ", the first is ", first);
	fputc('\n', stderr);
	free(first);
}

int cli_print_notes(const struct slabstat_snapshot *s, const char *label, const char *program)
{
	const struct slabstat_notes *n = slabstat_snapshot_notes(s);
	char *safe = safe_text(label, 0);
	const char *name = safe ? safe : "?";

	if (n->bad_rows)
		print_bad_rows(n, name, program);
	if (n->unreadable)
		print_unreadable(n, name, program);
	if (n->vanished)
		fprintf(stderr, "%s: %s: %zu cache%s went away while being read\n", program, name,
			n->vanished, n->vanished == 1 ? "" : "s");
	/*
	 * Two caches may have one name, and in a program any number; where most rows of a text do,
	 * they are one cache at several times.
	 */
	if (slabstat_snapshot_source(s) != SLABSTAT_SOURCE_PROCESS &&
	    2 * n->repeats > slabstat_snapshot_count(s))
		fprintf(stderr,
			"%s: %s: %zu of %zu rows have a name that came before: each counts as a "
			"cache; if they are samples, part them by a line with the time\n",
			program, name, n->repeats, slabstat_snapshot_count(s));
	free(safe);
	return n->bad_rows || n->unreadable;
}
