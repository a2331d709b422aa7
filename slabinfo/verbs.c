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
