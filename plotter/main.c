// SPDX-License-Identifier: MIT
/*
 * slabplot - recordings of slab caches as pictures.
 *
 * One const request from the command line; a graph writes a gnuplot script; gnuplot makes the
 * picture of it, or --script-only keeps the script.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/complete.h"
#include "gnuplot.h"
#include "plot.h"
#include "util/newfile.h"
#include "util/num.h"
#include "util/opts.h"
#include "util/out.h"

static const struct graph *const graphs[] = {
	&graph_totals, &graph_top, &graph_loss, &graph_cache, &graph_compare, &graph_histogram, NULL
};

enum { OPT_FROM = 256, OPT_TO, OPT_BY, OPT_SIZE, OPT_TITLE, OPT_SCRIPT_ONLY };

static const struct opt options[] = {
	{ 'F', "file", OPT_REQUIRED, "FILE",
	  "recording to draw (repeatable); - is standard input" },
	{ 'o', "output", OPT_REQUIRED, "FILE", "where to write; - is standard output" },
	{ 'T', "terminal", OPT_REQUIRED, "TERMINAL",
	  "png (default), svg, pdf, or term: the terminal itself" },
	{ OPT_SIZE, "size", OPT_REQUIRED, "W,H", "pixels (default 1200,700)" },
	{ 'N', "top", OPT_REQUIRED, "N", "how many caches (default 5)" },
	{ OPT_BY, "by", OPT_REQUIRED, "FIELD",
	  "field of top, cache and histogram (footprint_bytes)" },
	{ OPT_FROM, "from", OPT_REQUIRED, "SAMPLE",
	  "first sample: 90s, 2m, 100, mark:TEXT, 14:05, peak" },
	{ OPT_TO, "to", OPT_REQUIRED, "SAMPLE", "last sample, likewise" },
	{ OPT_TITLE, "title", OPT_REQUIRED, "TEXT",
	  "instead of what the recording tells of itself" },
	{ OPT_SCRIPT_ONLY, "script-only", OPT_NONE, NULL,
	  "write the gnuplot script and its data, draw nothing" },
	{ 'h', "help", OPT_NONE, NULL, "this help" },
	{ 'V', "version", OPT_NONE, NULL, "version" },
	OPT_END
};

/* What the command line says, before it is a request. */
struct command {
	struct request req;
	const struct graph *graph;
	const char **name;		/* operands and -F files; the request points into it */
	size_t file_options;
	const char *output;
	enum terminal terminal;
	bool script_only;
};

static void help(FILE *f)
{
	fputs("usage: slabplot GRAPH [options] FILE...\n\ngraphs:\n", f);
	for (size_t i = 0; graphs[i]; i++)
		fprintf(f, "  %-10s %-36s %s\n", graphs[i]->name, graphs[i]->usage,
			graphs[i]->summary);
	fputs("\noptions:\n", f);
	opts_help(options, f);
	fputs("\nexample: slabplot top -N 8 build.rec    writes build-top.png; see slabplot(1)\n",
	      f);
}

/* Behind the words argv[0..argc-1]; the first operand is a graph. */
static void complete(int argc, char **argv)
{
	const struct complete c = { .table = options };

	complete_print(&c, argc, argv, stdout);
	for (size_t i = 0; argc == 0 && graphs[i]; i++)
		puts(graphs[i]->name);
}

__attribute__((format(printf, 1, 2)))
static int usage(const char *format, ...)
{
	va_list args;

	fputs("slabplot: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputs("; see slabplot --help\n", stderr);
	return 2;
}

static int parse_size(const char *text, struct request *req)
{
	const char *end = text + strlen(text);
	uint64_t w, h;

	if (num_scan_u64(&text, end, &w) || (*text != ',' && *text != 'x'))
		return -EINVAL;
	text++;
	if (num_scan_u64(&text, end, &h) || text != end)
		return -EINVAL;
	if (w < 200 || h < 150 || w > 20000 || h > 20000)
		return -ERANGE;
	req->width = (unsigned)w;
	req->height = (unsigned)h;
	return 0;
}

static int take_option(struct command *c, int id, const char *arg)
{
	uint64_t n;
	int found;

	switch (id) {
	case 'F':
		c->name[c->file_options++] = arg;
		return 0;
	case 'o':
		c->output = arg;
		return 0;
	case 'T':
		found = terminal_find(arg);
		if (found < 0)
			return usage("unknown terminal '%s': png, svg, pdf or term", arg);
		c->terminal = (enum terminal)found;
		return 0;
	case OPT_SIZE:
		if (parse_size(arg, &c->req))
			return usage(
				"--size wants W,H in pixels, from 200,150 to 20000,20000, not '%s'",
				arg);
		return 0;
	case 'N':
		if (num_parse_u64(arg, &n) || n < 1 || n > 200)
			return usage("-N wants a number from 1 to 200, not '%s'", arg);
		c->req.top = (size_t)n;
		return 0;
	case OPT_BY:
		found = slabstat_field_find(arg);
		if (found < 0)
			return usage("unknown field '%s'; slabinfo -c help lists them", arg);
		c->req.by = (enum slabstat_field)found;
		return 0;
	case OPT_FROM:
		c->req.range.from = arg;
		return 0;
	case OPT_TO:
		c->req.range.to = arg;
		return 0;
	case OPT_TITLE:
		c->req.title = arg;
		return 0;
	default:
		c->script_only = true;
		return 0;
	}
}

/* "A B vs C": the word goes, its place stays. */
static int part_groups(struct command *c, const char **file, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		if (strcmp(file[i], "vs") != 0) {
			file[kept++] = file[i];
			continue;
		}
		if (kept == 0 || i + 1 == n || c->req.second_group)
			return usage(
				"'vs' stands between two groups of files (a file of that name is "
				"./vs)");
		c->req.second_group = kept;
	}
	c->req.file = file;
	c->req.file_count = kept;
	return 0;
}

static int take_operands(struct command *c, char **argv, int from, int argc)
{
	size_t n = c->file_options;

	for (int i = from; i < argc; i++)
		c->name[n++] = argv[i];
	if (c->graph == &graph_cache) {
		/* NAME... FILE, or NAME... with -F FILE. */
		size_t names = n - c->file_options;

		if (c->file_options > 1)
			return usage("%s draws one recording", c->graph->name);
		if (names < (c->file_options ? 1u : 2u))
			return usage("cache wants one name of a cache or more, then a recording");
		c->req.cache = c->name + c->file_options;
		c->req.cache_count = c->file_options ? names : names - 1;
		c->req.file = c->file_options ? c->name : c->name + n - 1;
		c->req.file_count = 1;
		return 0;
	}
	if (n == 0)
		return usage("%s wants a recording", c->graph->name);
	if (!c->graph->many) {
		c->req.file = c->name;
		c->req.file_count = n;
		return n == 1 ? 0
			      : usage("%s draws one recording; compare draws several",
				      c->graph->name);
	}
	return part_groups(c, c->name, n);
}

static int find_graph(struct command *c, const char *name)
{
	for (size_t i = 0; graphs[i]; i++) {
		if (strcmp(graphs[i]->name, name) == 0) {
			c->graph = graphs[i];
			return 0;
		}
	}
	return usage("unknown graph '%s'", name);
}

/* Returns -1 to go on, else the exit status. */
static int parse(struct command *c, int argc, char **argv)
{
	struct opts o = { .table = options, .program = "slabplot" };
	int id, ret = -1;

	while (ret < 0 && (id = opts_next(&o, argc, argv)) != OPTS_DONE) {
		if (id == OPTS_ERROR) {
			ret = 2;
		} else if (id == 'h' || id == 'V') {
			if (id == 'h')
				help(stdout);
			else
				puts("slabplot " SLABKIT_VERSION);
			ret = 0;
		} else {
			ret = take_option(c, id, o.arg) ? 2 : -1;
		}
	}
	if (ret < 0 && o.operand == argc)
		ret = usage("which graph?");
	else if (ret < 0 && (find_graph(c, argv[o.operand]) ||
			     take_operands(c, argv, o.operand + 1, argc)))
		ret = 2;
	opts_free(&o);
	return ret;
}

/* build-top.png where the user stands, from the recording's own name. */
static char *default_output(const struct command *c)
{
	const char *path = c->req.file[0];
	char *name = strcmp(path, "-") == 0 ? strdup("stdin") : series_name(path), *out = NULL;

	if (name && asprintf(&out, "%s-%s.%s", name, c->graph->name,
			     c->script_only ? "gp" : terminal_suffix(c->terminal)) < 0)
		out = NULL;
	free(name);
	return out;
}

static int write_error(const char *path)
{
	fprintf(stderr, "slabplot: %s: cannot write: %s\n", path, strerror(errno));
	return 1;
}

static bool write_all(int fd, const char *data, size_t size)
{
	while (size) {
		ssize_t n = write(fd, data, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		data += n;
		size -= (size_t)n;
	}
	return true;
}

static int write_output(const char *path, const char *data, size_t size)
{
	struct newfile file;
	int err;

	if (!path || strcmp(path, "-") == 0)
		return write_all(STDOUT_FILENO, data, size) ? 0 :
		       errno == EPIPE ? 1 : write_error("standard output");
	err = newfile_open(&file, path);
	if (!err) {
		fwrite(data, 1, size, file.f);
		err = newfile_close(&file, true);
	}
	if (err) {
		errno = -err;
		return write_error(path);
	}
	puts(path);
	return 0;
}

static int draw(const struct command *c, const char *path)
{
	char *text = NULL, *picture = NULL;
	size_t len = 0, size = 0;
	struct script script = { .width = c->req.width, .height = c->req.height };
	struct out out;
	int ret;

	out_start(&out);
	out_choose_color(&out, OUT_COLOR_AUTO);
	script.out = open_memstream(&text, &len);
	if (!script.out)
		return plot_no_memory();
	gnuplot_preamble(script.out, c->terminal, c->req.width, c->req.height, out.color);
	ret = c->graph->draw(&c->req, &script);
	if (fclose(script.out) && ret == 0)
		ret = plot_no_memory();
	if (ret == 0 && c->script_only) {
		ret = write_output(path, text, len);
	} else if (ret == 0) {
		ret = gnuplot_run(text, len, &picture, &size);
		if (ret == 0)
			ret = write_output(path, picture, size);
	}
	free(text);
	free(picture);
	return ret;
}

int main(int argc, char **argv)
{
	struct command c = {
		.req = { .by = SLABSTAT_FOOTPRINT, .top = 5, .width = 1200, .height = 700 },
	};
	char *made = NULL;
	struct out out = { .f = stdout };
	int ret;

	if (complete_asked(argc, argv)) {
		complete(argc - 2, argv + 2);
		return 0;
	}
	c.name = calloc((size_t)argc + 1, sizeof(*c.name));
	if (!c.name)
		return plot_no_memory();
	ret = parse(&c, argc, argv);
	if (ret < 0) {
		if (!c.output && (c.terminal != TERMINAL_TEXT || c.script_only))
			made = default_output(&c);
		ret = draw(&c, c.output ? c.output : made);
	}
	if (out_finish(&out, "slabplot") && ret == 0)
		ret = 1;
	free(made);
	free(c.name);
	return ret;
}
