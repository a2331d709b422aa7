// SPDX-License-Identifier: MIT
/* request.c - from argv to a request; see request.h. */
#include "request.h"

#include "cli/sort_keys.h"
#include "columns.h"
#include "debug_flags.h"
#include "mode.h"
#include "util/num.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROGRAM "slabinfo"

enum {
	OPT_SORT = 0x100,
	OPT_TOP,
	OPT_FAMILIES,
	OPT_JSON,
	OPT_CSV,
	OPT_COLOR,
	OPT_LIST_PROCESSES,
	OPT_CLEAN,
};

const struct opt slabinfo_options[] = {
	{ 'a', "aliases", OPT_NONE, NULL, "merged caches and the users that share them" },
	{ 'A', "activity", OPT_NONE, NULL, "sort by allocations and frees" },
	{ 'B', "Bytes", OPT_NONE, NULL, "no K, M or G: exact numbers" },
	{ 'd', "debug", OPT_OPTIONAL, "FLAGS",
	  "set debug flags FZPUT (a: FZPU; none: all off); attach FLAGS" },
	{ 'D', "display-activity", OPT_NONE, NULL, "allocations and frees instead of sizes" },
	{ 'D', "display-active", OPT_NONE, NULL, NULL }, /* as the kernel tool's help called it */
	{ 'e', "empty", OPT_NONE, NULL, "only caches without slabs" },
	{ 'f', "first-alias", OPT_NONE, NULL, "show a user's name instead of :ID" },
	{ 'h', "help", OPT_NONE, NULL, "this text" },
	{ 'i', "inverted", OPT_NONE, NULL, "the other order; with -a one line a user" },
	{ 'l', "slabs", OPT_NONE, NULL, "list (what happens without options)" },
	{ 'L', "Loss", OPT_NONE, NULL, "sort by loss and show it" },
	{ 'n', "numa", OPT_NONE, NULL, "slabs on each node" },
	{ 'N', "lines", OPT_REQUIRED, "K", "the first K rows" },
	{ 'o', "ops", OPT_NONE, NULL, "constructors" },
	{ 'P', "partial", OPT_NONE, NULL, "sort by partial slabs" },
	{ 'r', "report", OPT_NONE, NULL, "everything about each cache" },
	{ 's', "shrink", OPT_NONE, NULL, "give empty slabs back (writes)" },
	{ 'S', "Size", OPT_NONE, NULL, "sort by size" },
	{ 't', "tracking", OPT_NONE, NULL, "who allocates and frees (boot with slab_debug=U)" },
	{ 'T', "Totals", OPT_NONE, NULL, "totals, and how they add up" },
	{ 'U', "Unreclaim", OPT_NONE, NULL, "only caches that reclaim cannot shrink" },
	{ 'v', "validate", OPT_NONE, NULL, "have the kernel check each slab (writes)" },
	{ 'X', "Xtotals", OPT_NONE, NULL, "totals and the first by size, loss and partial slabs" },
	{ 'z', "zero", OPT_NONE, NULL, "caches without slabs too" },
	{ '1', "1ref", OPT_NONE, NULL, "with -a: also caches with one user" },
	{ OPT_SORT, "sort", OPT_REQUIRED, "FIELD[,FIELD]",
	  "sort by fields, largest first (+FIELD: smallest)" },
	{ 'c', "columns", OPT_REQUIRED, "LIST",
	  "columns to show; +LIST adds; all; help lists them" },
	{ OPT_TOP, "top", OPT_REQUIRED, "K", "the first K rows of our own table" },
	{ 'm', "match", OPT_REQUIRED, "REGEX",
	  "only names that match an extended regex (repeatable)" },
	{ OPT_FAMILIES, "families", OPT_NONE, NULL,
	  "fold kin (kmalloc-*, NAME-<number>) into one row" },
	{ OPT_JSON, "json", OPT_NONE, NULL, "JSON, see slabinfo-json(5)" },
	{ OPT_CSV, "csv", OPT_NONE, NULL, "CSV" },
	{ 'H', "no-heading", OPT_NONE, NULL, "no heading, tabs between columns" },
	{ 'b', "bytes", OPT_NONE, NULL, "sizes in bytes" },
	SOURCE_OPTS,
	{ OPT_LIST_PROCESSES, "list-processes", OPT_NONE, NULL,
	  "programs that publish their caches (for --pid)" },
	{ OPT_CLEAN, "clean", OPT_NONE, NULL,
	  "with --list-processes: remove what ended or died left" },
	{ OPT_COLOR, "color", OPT_REQUIRED, "WHEN", "auto, always or never" },
	{ 'V', "version", OPT_NONE, NULL, "version" },
	OPT_END
};

/* What the options said before they are weighed against each other. */
struct seen {
	bool kernel;		/* an option of the kernel's tool */
	bool own;		/* an option that asks for our forms */
	bool json, csv, tabs;
	bool lines;
	bool letter[128];
};

static bool usage(const char *what, const char *arg)
{
	fprintf(stderr, PROGRAM ": %s '%s'; see " PROGRAM " --help\n", what, arg);
	return false;
}

static bool add_match(struct request *r, const char *regex)
{
	const char **match = realloc(r->match, (r->matches + 1) * sizeof(*match));

	if (!match)
		return usage("out of memory at", regex);
	r->match = match;
	r->match[r->matches++] = regex;
	return true;
}

static bool take_lines(struct request *r, struct seen *seen, const char *arg)
{
	uint64_t n;

	if (num_parse_u64(arg, &n) || n == 0 || n > SIZE_MAX)
		return usage("not a number of rows:", arg);
	r->lines = (size_t)n;
	seen->lines = true;
	return true;
}

/* Options that stand for one of our own forms. False after a message. */
static bool take_own(struct request *r, struct seen *seen, int id, const char *arg)
{
	seen->own |= id != OPT_COLOR;
	switch (id) {
	case OPT_SORT:
		free(r->sort_key);
		return sort_keys_parse(arg, &r->sort_key, &r->sort_keys, PROGRAM);
	case 'c':
		r->columns = arg;
		return true;
	case OPT_TOP:
		return take_lines(r, seen, arg);
	case 'm':
		return add_match(r, arg);
	case OPT_FAMILIES:
		r->families = true;
		return true;
	case OPT_JSON:
		return seen->json = true;
	case OPT_CSV:
		return seen->csv = true;
	case OPT_LIST_PROCESSES:
		return r->list_processes = true;
	case OPT_CLEAN:
		return r->clean = true;
	case 'H':
		return r->no_heading = seen->tabs = true;
	case 'b':
		return r->exact_bytes = true;
	default:
		return out_color_parse(arg, &r->color) == 0 || usage("not a time for colour:", arg);
	}
}

/* Options of the kernel's tool. */
static bool take_kernel(struct request *r, struct seen *seen, int id, const char *arg)
{
	seen->kernel = true;
	seen->letter[id] = true;
	switch (id) {
	case 'B':
		r->exact_bytes = true;
		break;
	case 'd':
		r->debug = arg ? arg : "";
		if (!debug_flags_parse(r->debug, &(struct debug_flags){ { false } }))
			return usage("not a set of debug flags (FZPUT, a or -):", r->debug);
		break;
	case 'D':
		r->activity = true;
		break;
	case 'e':
		r->empty_only = true;
		break;
	case 'f':
		r->first_alias = true;
		break;
	case 'i':
		r->inverted = true;
		break;
	case 'L':
		r->loss_column = true;
		break;
	case 'N':
		return take_lines(r, seen, arg);
	case 'U':
		r->unreclaimable_only = true;
		break;
	case 'z':
		r->show_empty = true;
		break;
	case '1':
		r->single_aliases = true;
		break;
	default:
		break;
	}
	return true;
}

/* -a, -X and -T first; -l hides -r, as in the kernel's tool. */
static const struct mode *choose_mode(const bool letter[128])
{
	static const struct {
		char letter;
		const struct mode *mode;
	} precedence[] = {
		{ 'a', &mode_aliases }, { 'X', &mode_xtotals },	 { 'T', &mode_totals },
		{ 'n', &mode_numa },	{ 't', &mode_tracking }, { 'v', &mode_validate },
		{ 's', &mode_shrink },	{ 'd', &mode_debug },	 { 'o', &mode_ops },
		{ 'l', &mode_list },	{ 'r', &mode_report },
	};

	for (size_t i = 0; i < sizeof(precedence) / sizeof(precedence[0]); i++) {
		if (letter[(int)precedence[i].letter])
			return precedence[i].mode;
	}
	return &mode_list;
}

static enum order choose_order(const bool letter[128])
{
	if (letter['S'])
		return ORDER_SIZE;
	if (letter['A'])
		return ORDER_ACTIVITY;
	if (letter['L'])
		return ORDER_LOSS;
	return letter['P'] ? ORDER_PARTIAL : ORDER_NAME;
}

static enum form choose_form(const struct seen *seen, const struct out *out)
{
	if (seen->json)
		return FORM_JSON;
	if (seen->csv)
		return FORM_CSV;
	if (seen->tabs)
		return FORM_TABS;
	return seen->own || (out->tty && !seen->kernel) ? FORM_TABLE : FORM_KERNEL;
}

/* A column that does not exist is found before anything is read. */
static bool good_columns(const char *list)
{
	static const int none[] = { -1 };
	struct columns c;
	bool ok;

	if (!list || strcmp(list, "help") == 0)
		return true;
	ok = columns_parse(&c, list, none, PROGRAM);
	columns_free(&c);
	return ok;
}

static bool weigh(struct request *r, const struct seen *seen, const struct out *out)
{
	if (seen->json + seen->csv + seen->tabs > 1 && !(seen->csv && seen->tabs))
		return usage("two forms of output at once:",
			     seen->csv ? "--csv --json" : "-H --json");
	r->mode = choose_mode(seen->letter);
	r->order = choose_order(seen->letter);
	if (r->mode == &mode_xtotals) {
		r->exact_bytes = true;
		if (!seen->lines)
			r->lines = 1;
	}
	r->plain = !seen->own && !seen->kernel;
	r->form = choose_form(seen, out);
	if (r->clean && !r->list_processes)
		return usage("goes with --list-processes only:", "--clean");
	if ((r->source.files && (r->mode == &mode_shrink || r->mode == &mode_validate)) ||
	    (!source_opts_is_system(&r->source) && r->mode == &mode_debug))
		return usage("only the running kernel or --root can be written to, not",
			     source_opts_label(&r->source, 0));
	r->source.shares = r->mode == &mode_numa || r->mode == &mode_report || r->form == FORM_JSON;
	return good_columns(r->columns) && source_opts_check(&r->source, PROGRAM);
}

static bool take_operands(struct request *r, int argc, char **argv, int first)
{
	if (first < argc)
		r->pattern = argv[first];
	if (first + 1 < argc)
		return usage("one pattern only (-m takes several):", argv[first + 1]);
	return true;
}

enum request_result request_parse(struct request *r, const struct out *out, int argc, char **argv)
{
	struct opts o = { .table = slabinfo_options, .program = PROGRAM };
	struct seen seen = { 0 };
	enum request_result result = REQUEST_USAGE;
	bool ok = true;
	int id;

	*r = (struct request){ 0 };
	while (ok && (id = opts_next(&o, argc, argv)) != OPTS_DONE) {
		if (id == OPTS_ERROR)
			goto done;
		if (id == 'h' || id == 'V') {
			result = id == 'h' ? REQUEST_HELP : REQUEST_VERSION;
			goto done;
		}
		switch (source_opts_take(&r->source, id, o.arg, PROGRAM)) {
		case SOURCE_OPTS_TAKEN:
			continue;
		case SOURCE_OPTS_USAGE:
			goto done;
		case SOURCE_OPTS_OTHER:
			break;
		}
		if (id >= 0x100 || strchr("cmHb", id))
			ok = take_own(r, &seen, id, o.arg);
		else
			ok = take_kernel(r, &seen, id, o.arg);
	}
	if (ok && take_operands(r, argc, argv, o.operand) && weigh(r, &seen, out))
		result = r->list_processes			       ? REQUEST_PROCESSES :
			 r->columns && !strcmp(r->columns, "help") ? REQUEST_COLUMNS :
								     REQUEST_RUN;
done:
	opts_free(&o);
	return result;
}

void request_free(struct request *r)
{
	free(r->match);
	free(r->sort_key);
	source_opts_free(&r->source);
}
