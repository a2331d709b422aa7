// SPDX-License-Identifier: MIT
/*
 * tune_target.c - which caches a call means.
 *
 * A name is an exact cache or alias name, taken literally. An operand that is no name as a whole
 * is a list of names parted by commas. Patterns come by -m only, and what they come to is listed.
 */
#include "tune.h"

#include <stdlib.h>
#include <string.h>

static bool add_target(struct tune_call *call, const char *name)
{
	const char **more = realloc(call->target, (call->targets + 1) * sizeof(*more));

	if (!more)
		return false;
	call->target = more;
	more[call->targets] = strdup(name);
	return more[call->targets++] != NULL;
}

static int no_memory(void)
{
	fputs(TUNE_PROGRAM ": out of memory\n", stderr);
	return 1;
}

static int add_names(struct tune_call *call, const char *list)
{
	char *names, *save, *name;
	int status = 0;

	if (slabstat_tune_resolve(call->tune, list))
		return add_target(call, list) ? 0 : no_memory();
	if (!strchr(list, ',')) {
		if (!call->r->settings && (strchr(list, '=') || !strcmp(list, "shrink")))
			fputs(TUNE_PROGRAM
			      ": the first word names the caches (or say --all, or -m REGEX)\n",
			      stderr);
		return tune_error(call, 1);
	}
	names = strdup(list);
	if (!names)
		return no_memory();
	for (name = strtok_r(names, ",", &save); name && !status;
	     name = strtok_r(NULL, ",", &save)) {
		if (!slabstat_tune_resolve(call->tune, name))
			status = tune_error(call, 1);
		else if (!add_target(call, name))
			status = no_memory();
	}
	free(names);
	if (!status && !call->targets) {
		fputs(TUNE_PROGRAM ": an empty list of caches; see " TUNE_PROGRAM " --help\n",
		      stderr);
		status = 2;
	}
	return status;
}

static int add_matches(struct tune_call *call)
{
	const struct slabstat_select how = { .match = call->r->match,
					     .match_count = call->r->matches };
	struct slabstat_rows *rows;
	const struct slabstat_cache *const *caches;

	if (slabstat_select(call->h, call->machine, &how, &rows))
		return tune_error(call, 2);
	caches = slabstat_rows_caches(rows);
	for (size_t i = 0; i < slabstat_rows_count(rows); i++) {
		if (!add_target(call, slabstat_cache_name(caches[i]))) {
			slabstat_rows_free(rows);
			return no_memory();
		}
	}
	slabstat_rows_free(rows);
	if (call->targets)
		return 0;
	fputs(TUNE_PROGRAM ": no cache matches\n", stderr);
	return 1;
}

int tune_targets(struct tune_call *call)
{
	if (call->r->all || call->r->matches)
		return add_matches(call);
	return call->r->caches ? add_names(call, call->r->caches) : 0;
}

void tune_targets_free(struct tune_call *call)
{
	for (size_t i = 0; i < call->targets; i++)
		free((char *)call->target[i]);
	free(call->target);
}

void tune_list_targets(const struct tune_call *call)
{
	if (!call->r->all && !call->r->matches)
		return;
	fprintf(call->out->f, "%zu cache%s:", call->targets, call->targets == 1 ? "" : "s");
	for (size_t i = 0; i < call->targets; i++) {
		fputs(i ? ", " : " ", call->out->f);
		tune_print_safe(call->out->f, call->target[i]);
	}
	fputs("\n", call->out->f);
	fflush(call->out->f);
}
