// SPDX-License-Identifier: MIT
/* opts.c - option tables over getopt_long; see opts.h. */
#include "util/opts.h"

#include "util/safe.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define SHORT_MAX 256

struct parser {
	struct option *longs;
	char *shorts;
};

static size_t table_length(const struct opt *table)
{
	size_t n = 0;

	while (table[n].id)
		n++;
	return n;
}

static int getopt_arg(enum opt_arg takes)
{
	return takes == OPT_NONE ? no_argument :
	       takes == OPT_REQUIRED ? required_argument : optional_argument;
}

/* getopt's two views of the table: a string of letters and an array of long names. */
static struct parser *make_parser(const struct opts *o)
{
	size_t n = table_length(o->table);
	struct parser *p = calloc(1, sizeof(*p));
	char *s;

	if (!p)
		return NULL;
	p->longs = calloc(n + 1, sizeof(*p->longs));
	p->shorts = malloc(3 * n + 3);
	if (!p->longs || !p->shorts) {
		free(p->longs);
		free(p->shorts);
		free(p);
		return NULL;
	}
	s = p->shorts;
	if (o->posix)
		*s++ = '+';	/* stop at the first operand */
	*s++ = ':';		/* tell a missing argument from an unknown option */
	for (size_t i = 0, l = 0; i < n; i++) {
		const struct opt *opt = &o->table[i];

		if (opt->id < SHORT_MAX) {
			*s++ = (char)opt->id;
			for (int colons = opt->takes; colons > 0; colons--)
				*s++ = ':';
		}
		if (opt->name)
			p->longs[l++] = (struct option){ opt->name, getopt_arg(opt->takes), NULL,
							 opt->id };
	}
	*s = '\0';
	return p;
}

static const char *option_text(char **argv, char buf[3])
{
	if (optopt > 0 && optopt < SHORT_MAX && strncmp(argv[optind - 1], "--", 2) != 0) {
		buf[0] = '-';
		buf[1] = (char)optopt;
		buf[2] = '\0';
		return buf;
	}
	return argv[optind - 1];
}

int opts_next(struct opts *o, int argc, char **argv)
{
	struct parser *p = o->state;
	char buf[3];
	int id;

	if (!p) {
		p = o->state = make_parser(o);
		if (!p) {
			fprintf(stderr, "%s: out of memory\n", o->program);
			return OPTS_ERROR;
		}
		optind = 0;	/* a fresh scan, also after an earlier one of this process */
		opterr = 0;
	}
	id = getopt_long(argc, argv, p->shorts, p->longs, NULL);
	if (id == -1) {
		o->operand = optind;
		o->dashdash = optind > 1 && strcmp(argv[optind - 1], "--") == 0;
		return OPTS_DONE;
	}
	if (id == '?' || id == ':') {
		const char *text = option_text(argv, buf);

		opts_usage(o->program, id == ':' ? "an argument is missing behind" :
						   "unknown or ambiguous option", text);
		return OPTS_ERROR;
	}
	o->arg = optarg;
	return id;
}

int opts_each(struct opts *o, int argc, char **argv,
	      int (*take)(void *request, int id, char *arg), void *request)
{
	int id, status = 0;

	while (status == 0 && (id = opts_next(o, argc, argv)) != OPTS_DONE) {
		if (id == 'h')
			return OPTS_HELP;
		status = id == OPTS_ERROR ? 2 : take(request, id, (char *)o->arg);
	}
	return status;
}

int opts_usage(const char *program, const char *what, const char *arg)
{
	char *safe = arg ? safe_text(arg, 0) : NULL;

	if (arg)
		fprintf(stderr, "%s: %s '%s'; see %s --help\n", program, what, safe ? safe : "?",
			program);
	else
		fprintf(stderr, "%s: %s; see %s --help\n", program, what, program);
	free(safe);
	return 2;
}

void opts_free(struct opts *o)
{
	struct parser *p = o->state;

	if (p) {
		free(p->longs);
		free(p->shorts);
		free(p);
	}
	o->state = NULL;
}

static int left_column(const struct opt *opt, char *buf, size_t size)
{
	const char *open = opt->takes == OPT_OPTIONAL ? "[" : "";
	const char *close = opt->takes == OPT_OPTIONAL ? "]" : "";
	const char *arg = opt->arg ? opt->arg : "";
	char letter[5] = "    ";

	if (opt->id < SHORT_MAX) {
		letter[0] = '-';
		letter[1] = (char)opt->id;
		letter[2] = opt->name ? ',' : '\0';
	}
	if (!opt->name)
		return snprintf(buf, size, "%s%s%s%s%s", letter, *open ? "" : *arg ? " " : "", open,
				arg, close);
	return snprintf(buf, size, "%s--%s%s%s%s%s", letter, opt->name, open,
			opt->takes == OPT_NONE ? "" : "=", arg, close);
}

void opts_help(const struct opt *table, FILE *out)
{
	char left[80];

	for (; table->id; table++) {
		if (!table->help)
			continue;
		if (left_column(table, left, sizeof(left)) > 26)
			fprintf(out, "  %s\n  %-26s  %s\n", left, "", table->help);
		else
			fprintf(out, "  %-26s  %s\n", left, table->help);
	}
}

void opts_words(const struct opt *table, FILE *out)
{
	for (; table->id; table++) {
		if (!table->help)
			continue;
		if (table->id < SHORT_MAX)
			fprintf(out, "-%c\n", table->id);
		if (table->name)
			fprintf(out, "--%s\n", table->name);
	}
}
