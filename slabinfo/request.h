/* SPDX-License-Identifier: MIT */
/*
 * request.h - what one call of slabinfo asks for: filled once from argv, constant from then on.
 *
 * A call has one mode (what is looked at) and one form (how it is printed). The kernel tool's own
 * options choose modes, filters and orders; its layouts are the form only where nothing asks for
 * ours: --sort, -c, --top, -m, --families, --json, --csv, -H and -b do, wherever the output goes,
 * and so does a terminal where no option of the kernel tool stands.
 */
#ifndef SLABINFO_REQUEST_H
#define SLABINFO_REQUEST_H

#include <slab/slabstat.h>

#include "cli/source_opts.h"
#include "util/opts.h"
#include "util/out.h"

enum form { FORM_KERNEL, FORM_TABLE, FORM_TABS, FORM_CSV, FORM_JSON };

/* What the kernel's tool can sort by; precedence as there: size, activity, loss, partial, name. */
enum order { ORDER_NAME, ORDER_SIZE, ORDER_ACTIVITY, ORDER_LOSS, ORDER_PARTIAL };

struct mode;

struct request {
	const struct mode *mode;
	enum form form;
	bool plain;				/* no option chose the form */
	enum out_color color;
	struct source_opts source;

	/* Which caches. */
	const char *pattern;			/* basic regex, ignoring case; NULL: all */
	const char **match;			/* -m */
	size_t matches;
	bool empty_only, show_empty, unreclaimable_only;
	bool families;

	/* In which order, how many. */
	enum order order;
	struct slabstat_sort_key *sort_key;	/* --sort */
	size_t sort_keys;
	bool inverted;
	size_t lines;				/* -N; 0: all */

	/* What of them. */
	const char *columns;			/* -c as given */
	bool loss_column, activity, first_alias, single_aliases;
	bool exact_bytes;			/* -b or -B */
	bool no_heading;
	const char *debug;			/* letters of -d, "" for all off */

	bool list_processes, clean;
};

/* The options of slabinfo without a verb; ends with OPT_END. */
extern const struct opt slabinfo_options[];

enum request_result {
	REQUEST_RUN,		/* go on */
	REQUEST_HELP,		/* --help, --version, -c help: print and exit with status 0 */
	REQUEST_VERSION,
	REQUEST_COLUMNS,
	REQUEST_PROCESSES,	/* --list-processes */
	REQUEST_USAGE		/* a message was printed: exit with status 2 */
};

/* request_parse - fill r from argv; request_free gives back what that took. */
enum request_result request_parse(struct request *r, const struct out *out, int argc, char **argv);
void request_free(struct request *r);

#endif
