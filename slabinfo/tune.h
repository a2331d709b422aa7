/* SPDX-License-Identifier: MIT */
/*
 * tune.h - what one call of `slabinfo tune` asks for, and what its parts share.
 *
 *	argv -> request -> call (handle, names, targets) -> one task: show, apply, run, ab, ...
 *
 * tune_request.c reads argv, verb_tune.c opens what is tuned; each task has a file, tune_TASK.c. A
 * task returns an exit status: 0; 1 where something was refused, failed or is incomplete; 2 usage;
 * around a command the command's own, or 125 where tuning itself failed.
 */
#ifndef SLABINFO_TUNE_H
#define SLABINFO_TUNE_H

#include <slab/slabstat.h>

#include "cli/source_opts.h"
#include "util/out.h"

#define TUNE_PROGRAM "slabinfo tune"
#define TUNE_FAILED 125		/* around a command: we failed, not the command */

struct tune_setting {
	enum slabstat_field field;
	uint64_t value;
};

struct tune_call;

struct tune_request {
	int (*task)(struct tune_call *call);
	struct source_opts source;
	const char *journal;
	enum out_color color;
	bool all, dry_run, force, json;
	const char **match;		/* -m */
	size_t matches;
	const char *caches;		/* first operand as given, or NULL */
	struct tune_setting *setting;
	size_t settings;
	bool shrink, validate;
	unsigned long undo;		/* entry to undo; 0: the last */
	const char *profile;		/* FILE of --save or --load */
	enum slabstat_field ab;
	uint64_t ab_value[2];
	unsigned runs;
	double seconds;			/* --advise: how long to watch */
	char **command;			/* NULL: none */
};

struct tune_call {
	const struct tune_request *r;
	struct out *out;
	struct slabstat *h;
	struct slabstat_tune *tune;
	struct slabstat_snapshot *machine;	/* facts of the machine that is tuned; no values */
	bool said_files;
	const char **target;		/* names of caches as asked for */
	size_t targets;
};

/* ---- tune_request.c: argv -------------------------------------------------------------------- */

extern const struct opt tune_options[];

/*
 * tune_parse - 0: go on; OPTS_HELP: it was printed; 2: usage, after a message. tune_request_free:
 * in each case.
 */
int tune_parse(struct tune_request *r, struct out *out, int argc, char **argv);
void tune_request_free(struct tune_request *r);

/* ---- tune_target.c: which caches ------------------------------------------------------------- */

/*
 * tune_targets - from the request: exact names parted by commas, -m or --all. 0; else an exit
 * status after a message. None asked for: targets stays 0.
 */
int tune_targets(struct tune_call *call);
void tune_targets_free(struct tune_call *call);

/* tune_list_targets - say what -m or --all came to; nothing for names that were given. */
void tune_list_targets(const struct tune_call *call);

/* ---- tasks ----------------------------------------------------------------------------------- */

int tune_show(struct tune_call *call);
int tune_apply(struct tune_call *call);
int tune_run(struct tune_call *call);		/* ... -- COMMAND */
int tune_ab(struct tune_call *call);
int tune_advise(struct tune_call *call);
int tune_undo(struct tune_call *call);
int tune_restore_all(struct tune_call *call);
int tune_history(struct tune_call *call);
int tune_save(struct tune_call *call);
int tune_load(struct tune_call *call);

/* ---- what tasks share ------------------------------------------------------------------------ */

/* tune_error - the handle's last error as one line on stderr. Returns status. */
int tune_error(const struct tune_call *call, int status);

/* tune_plan - a plan of every setting for every target, *returned owned*; NULL after a message. */
struct slabstat_plan *tune_plan(struct tune_call *call);

/* tune_write_plan - dry run, or write for good and tell. Returns an exit status. */
int tune_write_plan(struct tune_call *call, struct slabstat_plan *plan);

/* tune_print_change - "dentry: cpu_partial 120 -> 0 (the kernel stored ...)" on out. */
void tune_print_change(struct out *out, const struct slabstat_change *c);

/*
 * tune_temporarily - apply a plan, let body do its work, put everything back, whatever came
 * between. Takes the plan. Returns body's status, or TUNE_FAILED where tuning itself failed.
 */
struct job;
struct tune_body {
	const char *what;	/* for the journal */
	int (*run)(struct tune_call *call, struct slabstat_plan *plan, struct job *job, void *arg);
	void *arg;
};
int tune_temporarily(struct tune_call *call, struct slabstat_plan *plan,
		     const struct tune_body *body);

/*
 * tune_tell - what a reader should know of changes that went by, on stderr, where the command's
 * output is not: those that came out differently; undone: those that were not put back.
 */
void tune_tell(const struct slabstat_plan *plan, bool undone);

/* tune_say_files - once, on stderr, where it is files that will be edited and not a kernel. */
void tune_say_files(struct tune_call *call);

/* tune_say_left - on stderr, what ended runs left behind, and how to put it back. */
void tune_say_left(struct tune_call *call);

/* tune_act - shrink and validate every target, with a receipt. */
int tune_act(struct tune_call *call);

/* tune_print_safe - text with everything that a terminal could take for more than text escaped. */
void tune_print_safe(FILE *out, const char *text);

#endif
