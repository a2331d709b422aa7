// SPDX-License-Identifier: MIT
/* debug_flags.c - the letters of -d; see debug_flags.h. */
#include "debug_flags.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static const struct {
	char letter;
	const char *attribute, *word;
} table[DEBUG_FLAGS] = {
	[DEBUG_SANITY] = { 'F', "sanity_checks", "sanity checks" },
	[DEBUG_RED_ZONE] = { 'Z', "red_zone", "red zoning" },
	[DEBUG_POISON] = { 'P', "poison", "poisoning" },
	[DEBUG_USER] = { 'U', "store_user", "user tracking" },
	[DEBUG_TRACE] = { 'T', "trace", "tracing" },
};

bool debug_flags_parse(const char *letters, struct debug_flags *flags)
{
	*flags = (struct debug_flags){ { false } };
	if (strcmp(letters, "-") == 0)
		return true;
	if (strcasecmp(letters, "a") == 0)
		letters = "FZPU";
	for (; *letters; letters++) {
		int i = 0;

		while (i < DEBUG_FLAGS && toupper((unsigned char)*letters) != table[i].letter)
			i++;
		if (i == DEBUG_FLAGS || flags->on[i])
			return false;
		flags->on[i] = true;
	}
	return true;
}

const char *debug_flags_attribute(enum debug_flag flag)
{
	return table[flag].attribute;
}

const char *debug_flags_word(enum debug_flag flag)
{
	return table[flag].word;
}
