// SPDX-License-Identifier: MIT
/* complete.c - words for the shell's completion; see complete.h. */
#include "cli/complete.h"

#include <slab/slabstat.h>

#include <dirent.h>
#include <string.h>

bool complete_asked(int argc, char **argv)
{
	return argc > 1 && strcmp(argv[1], "--complete-words") == 0;
}

/* The option that a word is, if it still waits for its argument. */
static const struct opt *waiting(const struct opt *table, const char *word)
{
	for (; table->id; table++) {
		if (table->takes != OPT_REQUIRED)
			continue;
		if (table->name && strncmp(word, "--", 2) == 0 &&
		    strcmp(word + 2, table->name) == 0)
			return table;
		if (word[0] == '-' && word[1] != '-' && table->id < 256 && word[1] &&
		    word[strlen(word) - 1] == table->id)
			return table;
	}
	return NULL;
}

static void print_fields(FILE *out)
{
	for (int i = 0; i < SLABSTAT_NFIELDS; i++)
		fprintf(out, "%s\n", slabstat_field_info((enum slabstat_field)i)->id);
}

static void print_kinds(FILE *out)
{
	const char *name;

	for (int i = 0; (name = slabstat_source_kind_name((enum slabstat_source_kind)i)) != NULL;
	     i++)
		fprintf(out, "%s\n", name);
}

/* Everybody may list the names. Those that begin with ":" are left to people who know them. */
static void print_caches(FILE *out)
{
	DIR *dir = opendir("/sys/kernel/slab");
	const struct dirent *d;

	while (dir && (d = readdir(dir)) != NULL) {
		if (d->d_name[0] != '.' && d->d_name[0] != ':')
			fprintf(out, "%s\n", d->d_name);
	}
	if (dir)
		closedir(dir);
}

static void print_argument(const struct complete *c, const char *arg, FILE *out)
{
	if (strcmp(arg, "LIST") == 0 && c->columns) {
		fputs("all\nhelp\n", out);
		c->columns(out);
	} else if (strncmp(arg, "FIELD", 5) == 0) {
		fputs("name\n", out);
		print_fields(out);
	} else if (strcmp(arg, "KIND") == 0) {
		print_kinds(out);
	} else if (strcmp(arg, "SAMPLE") == 0) {
		fputs("first\nlast\npeak\n", out);
	} else if (strcmp(arg, "TERMINAL") == 0) {
		fputs("png\nsvg\npdf\nterm\n", out);
	} else if (strcmp(arg, "WHEN") == 0) {
		fputs("auto\nalways\nnever\n", out);
	}
}

void complete_print(const struct complete *c, int argc, char **argv, FILE *out)
{
	const struct opt *opt = argc > 0 ? waiting(c->table, argv[argc - 1]) : NULL;

	if (opt) {
		print_argument(c, opt->arg, out);
		return;
	}
	opts_words(c->table, out);
	if (c->caches)
		print_caches(out);
}
