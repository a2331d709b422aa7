// SPDX-License-Identifier: MIT
/* sort_keys.c - a list of fields to sort by; see sort_keys.h. */
#include "cli/sort_keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool parse_key(const char *word, struct slabstat_sort_key *key)
{
	const char *name = word + (*word == '+' || *word == '-');

	if (strcasecmp(name, "name") == 0) {
		*key = (struct slabstat_sort_key){ SLABSTAT_SORT_LABEL, *word != '-' };
		return true;
	}
	*key = (struct slabstat_sort_key){ slabstat_field_find(name), *word == '+' };
	return key->field >= 0;
}

bool sort_keys_parse(const char *list, struct slabstat_sort_key **keys, size_t *n,
		     const char *program)
{
	char *words = strdup(list);
	char *next = words;
	size_t room = 1;
	bool ok = words != NULL;

	for (const char *c = list; *c; c++)
		room += *c == ',';
	*n = 0;
	*keys = calloc(room, sizeof(**keys));
	ok = ok && *keys;
	while (ok && next) {
		char *word = strsep(&next, ",");

		ok = parse_key(word, &(*keys)[*n]);
		*n += ok;
		if (!ok)
			fprintf(stderr, "%s: no field '%s' to sort by; -c help lists them\n",
				program, word);
	}
	free(words);
	if (!ok) {
		free(*keys);
		*keys = NULL;
	}
	return ok;
}
