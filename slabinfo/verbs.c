// SPDX-License-Identifier: MIT
/* verbs.c - the table of verbs; see verbs.h. */
#include "verbs.h"

#include <string.h>

const struct verb *const verbs[] = { &verb_record, &verb_mark, &verb_report, &verb_diff,
				     &verb_import, &verb_tune, NULL };

const struct verb *verb_find(const char *name)
{
	for (const struct verb *const *v = verbs; *v; v++) {
		if (strcmp((*v)->name, name) == 0)
			return *v;
	}
	return NULL;
}

int verb_take_output(const char **file, const char *arg, const char *program)
{
	if (strcmp(arg, "-") == 0)
		return opts_usage(program,
				  "-o -: a recording goes to a file: /dev/stdout, or ./- for one "
				  "of that name",
				  NULL);
	if (!*arg)
		return opts_usage(program, "no file:", arg);
	*file = arg;
	return 0;
}
