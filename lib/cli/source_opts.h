/* SPDX-License-Identifier: MIT */
/*
 * source_opts.h - the options that say what to read, the same in every program and verb:
 * --root, -F/--file, --pid, --from, --exact, --page-size, --at; and opening what they name.
 *
 * Put SOURCE_OPTS into an option table, hand each id to source_opts_take() and open with
 * source_opts_open(). lib/cli is what the programs share above libslabstat; it prints messages in
 * the house's style, "PROGRAM: PATH:LINE: reason; way out", and returns exit statuses.
 */
#ifndef SLABKIT_CLI_SOURCE_OPTS_H
#define SLABKIT_CLI_SOURCE_OPTS_H

#include <slab/slabstat.h>

#include "util/opts.h"

enum {
	SOURCE_OPT_ROOT = 0x400,
	SOURCE_OPT_FROM,
	SOURCE_OPT_EXACT,
	SOURCE_OPT_PAGE_SIZE,
	SOURCE_OPT_AT,
	SOURCE_OPT_PID,
	SOURCE_OPT_CHILDREN,
};

/* clang-format off */
#define SOURCE_OPTS \
	{ 'F', "file", OPT_REQUIRED, "FILE", \
	  "read FILE instead of this machine (- is stdin; repeatable)" }, \
	{ SOURCE_OPT_ROOT, "root", OPT_REQUIRED, "DIR", \
	  "read the copy of /sys and /proc under DIR" }, \
	{ SOURCE_OPT_PID, "pid", OPT_REQUIRED, "PROGRAM", \
	  "read a program that publishes its caches: a number, name or page" }, \
	{ SOURCE_OPT_CHILDREN, "children", OPT_NONE, NULL, \
	  "with --pid: the program and all that come from it, summed" }, \
	{ SOURCE_OPT_FROM, "from", OPT_REQUIRED, "KIND", \
	  "take FILE as KIND: procfs, text, tree, record, ..." }, \
	{ SOURCE_OPT_AT, "at", OPT_REQUIRED, "SAMPLE", \
	  "which sample of FILE: last (as without it), first, peak, N, TIME" }, \
	{ SOURCE_OPT_PAGE_SIZE, "page-size", OPT_REQUIRED, "BYTES", \
	  "page size of the machine in FILE" }, \
	{ SOURCE_OPT_EXACT, "exact", OPT_NONE, NULL, \
	  "walk partial lists where the kernel estimates" }
/* clang-format on */

/* Zero-initialise. Strings are borrowed from argv. */
struct source_opts {
	const char **file;	/* in the order given */
	size_t files;
	const char *root;
	const char *process;	/* --pid */
	bool children;
	enum slabstat_source_kind from;
	uint64_t page_size;
	bool exact;
	bool shares;		/* by node as well: set by the program, not by an option */
	bool again;		/* read again and again: likewise */
	const char *at;		/* as given; NULL: last */
};

enum source_opts_result {
	SOURCE_OPTS_OTHER,	/* not one of these options */
	SOURCE_OPTS_TAKEN,
	SOURCE_OPTS_USAGE	/* a message was printed: exit with status 2 */
};

/* source_opts_take - act on one option id from opts_next. */
enum source_opts_result source_opts_take(struct source_opts *so, int id, const char *arg,
					 const char *program);

/* source_opts_check - what does not go together; false after a message (exit with status 2). */
bool source_opts_check(const struct source_opts *so, const char *program);

void source_opts_free(struct source_opts *so);

/* source_opts_is_system - whether it is a slab directory that is read, live or under --root. */
static inline bool source_opts_is_system(const struct source_opts *so)
{
	return !so->files && !so->process;
}

/* source_opts_count - sources named: the files, or 1 for the live system or root. */
size_t source_opts_count(const struct source_opts *so);

/* source_opts_label - what source i is called in headings: its file, program, root or "live". */
const char *source_opts_label(const struct source_opts *so, size_t i);

/*
 * source_opts_open - open source i, at the sample that --at names. *returns owned*; NULL after a
 * message.
 */
struct slabstat_source *source_opts_open(struct slabstat *h, const struct source_opts *so, size_t i,
					 const char *program);

/* source_opts_read - open, read the fields of want (NULL: all), close; likewise. */
struct slabstat_snapshot *source_opts_read(struct slabstat *h, const struct source_opts *so,
					   size_t i, const struct slabstat_fieldset *want,
					   const char *program);

/* cli_print_error - the last error of h as one line on stderr. Returns 1, the exit status. */
int cli_print_error(const struct slabstat *h, const char *program);

/*
 * cli_print_notes - what went wrong while s was read and what it may hide, a line each on stderr;
 * label names the source. Returns 1 where data is missing, else 0.
 */
int cli_print_notes(const struct slabstat_snapshot *s, const char *label, const char *program);

#endif
