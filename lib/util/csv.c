// SPDX-License-Identifier: MIT
/* csv.c - one cell of a CSV file; see csv.h. */
#include "util/csv.h"

#include "util/safe.h"

#include <stdlib.h>
#include <string.h>

static void put_quoted(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

bool csv_cell(FILE *out, const char *text, bool first)
{
	char *safe;

	if (!first)
		fputc(',', out);
	if (!text)
		return true;
	safe = safe_text(text, 0);
	if (!safe)
		return false;
	if (*safe == '\0' || *safe == ' ' || strpbrk(safe, ",\""))
		put_quoted(out, safe);
	else
		fputs(safe, out);
	free(safe);
	return true;
}
