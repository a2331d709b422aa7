// SPDX-License-Identifier: MIT
/*
 * main.c - slabinfo: read, total, rank and explain slab caches.
 *
 *	argv -> request -> for each source: snapshot -> the mode's view of it -> standard output
 *
 * The first argument may be a verb (verbs.c) with options of its own; everything else is a call in
 * the manner of the kernel's tool.
 */
#include "cache_json.h"
#include "columns.h"
#include "mode.h"
#include "processes.h"
#include "request.h"
#include "verbs.h"

#include "cli/complete.h"

#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#define PROGRAM "slabinfo"

static void help(FILE *out)
{
	fputs("usage: slabinfo [OPTION]... [PATTERN]\n"
	      "       slabinfo VERB [OPTION]... [OPERAND]...\n"
	      "\n"
	      "Slab caches of this machine, or of a copied /sys and /proc, a saved file, a "
	      "recording.\n"
	      "PATTERN is a basic regex, ignoring case. A plain call in a pipe and the options of "
	      "the\n"
	      "kernel's slabinfo print its layouts; -c, --sort, --top, -m, --families, -H, -b, "
	      "--json and\n"
	      "--csv print our own table.\n"
	      "\n",
	      out);
	opts_help(slabinfo_options, out);
	if (verbs[0])
		fputs("\nVerbs, as the first argument only; slabinfo VERB --help tells more:\n",
		      out);
	for (const struct verb *const *v = verbs; *v; v++)
		fprintf(out, "  %-10s %s\n", (*v)->name, (*v)->summary);
	fputs("\nExamples:\n"
	      "  slabinfo -T                          totals, and how they add up to meminfo\n"
	      "  slabinfo --top 10                    the ten largest caches\n"
	      "  slabinfo --sort loss_bytes -c +padding_bytes,free_bytes\n"
	      "  slabinfo -r dentry                   everything about one cache\n"
	      "  slabinfo --root ./sosreport -T       the same from a support bundle\n"
	      "  slabinfo --pid nginx -T              of a program that publishes its caches\n",
	      out);
}

static void complete(int argc, char **argv, FILE *out)
{
	const struct verb *verb = argc > 0 ? verb_find(argv[0]) : NULL;
	const struct complete own = { slabinfo_options, columns_words, true };

	if (verb) {
		const struct complete c = { verb->options, columns_words, true };

		complete_print(&c, argc - 1, argv + 1, out);
		return;
	}
	complete_print(&own, argc, argv, out);
	for (const struct verb *const *v = verbs; argc == 0 && *v; v++)
		fprintf(out, "%s\n", (*v)->name);
}

/* What the reader should know besides the figures. Returns 1 where data is missing. */
static int print_notes(const struct slabstat_snapshot *s, const char *label)
{
	int status = cli_print_notes(s, label, PROGRAM);

	if (slabstat_snapshot_count(s))
		return status;
	if (slabstat_snapshot_reported(s)) {
		fprintf(stderr, PROGRAM ": %s: totals only, no caches: -T shows them\n", label);
		return status;
	}
	fprintf(stderr, PROGRAM ": %s: there are no caches in it\n", label);
	return 1;
}

/*
 * What the reader misses: fields that are shown and that no cache has. What a kernel gave up is no
 * news unless it was asked for by name.
 */
static bool misses(const struct request *r, const struct slabstat_snapshot *s,
		   const struct slabstat_fieldset *shown, int field)
{
	const struct slabstat_field_info *info = slabstat_field_info((enum slabstat_field)field);
	const bool retired = slabstat_snapshot_machine(s)->cpu_slabs_retired && info->until;

	return slabstat_fieldset_has(shown, (enum slabstat_field)field) &&
	       (r->columns || !retired) &&
	       slabstat_snapshot_has(s, (enum slabstat_field)field) == SLABSTAT_ABSENT;
}

static const char *why(const struct slabstat_snapshot *s, int field)
{
	const char *reason = slabstat_snapshot_why_absent(s, (enum slabstat_field)field);

	return reason ? reason : "the source does not tell";
}

/* One line on stderr a reason. */
static void print_absent(const struct request *r, const struct slabstat_snapshot *s,
			 const struct slabstat_fieldset *want, const char *label)
{
	struct slabstat_fieldset shown = { { 0 } };
	bool told[SLABSTAT_NFIELDS] = { false };

	if (r->mode->shown)
		r->mode->shown(r, &shown);
	else
		shown = *want;
	for (int i = 0; i < SLABSTAT_NFIELDS && slabstat_snapshot_count(s); i++) {
		if (told[i] || !misses(r, s, &shown, i))
			continue;
		fprintf(stderr, PROGRAM ": %s: absent, because %s:", label, why(s, i));
		for (int k = i; k < SLABSTAT_NFIELDS; k++) {
			if (!misses(r, s, &shown, k) || strcmp(why(s, i), why(s, k)) != 0)
				continue;
			told[k] = true;
			fprintf(stderr, " %s", slabstat_field_info((enum slabstat_field)k)->id);
		}
		fputc('\n', stderr);
	}
}

/*
 * A name that no cache has is said, though it is no error: the kernel tool ends with 0 then. That
 * options such as -e leave none needs no word.
 */
static void print_unmatched(const struct view *v)
{
	struct slabstat_rows *rows;

	if ((!v->r->pattern && !v->r->matches) || !slabstat_snapshot_count(v->s))
		return;
	rows = mode_select_all(v);
	if (rows && !slabstat_rows_count(rows))
		fprintf(stderr, PROGRAM ": %s: no cache matches\n", v->label);
	slabstat_rows_free(rows);
}

static int print_view(const struct view *v)
{
	int status;

	if (v->r->form == FORM_JSON) {
		sample_open(v->json, v->label, v->s);
		status = v->r->mode->json(v);
		json_close(v->json);
		return status;
	}
	return v->r->form == FORM_KERNEL ? v->r->mode->kernel(v) : v->r->mode->table(v);
}

/* Text of several sources gets a heading each, as head(1) does it. */
static void print_heading(const struct request *r, struct out *out, size_t i)
{
	if (source_opts_count(&r->source) < 2 || r->form == FORM_JSON || r->form == FORM_CSV ||
	    r->form == FORM_TABS)
		return;
	fprintf(out->f, "%s==> %s <==\n", i ? "\n" : "", source_opts_label(&r->source, i));
}

/* Everything, for the library, is no set: constructors come with it. */
static const struct slabstat_fieldset *or_everything(const struct slabstat_fieldset *want)
{
	const struct slabstat_fieldset all = slabstat_fieldset_all();

	return memcmp(want, &all, sizeof(all)) == 0 ? NULL : want;
}

static int run_source(const struct request *r, struct slabstat *h, struct out *out,
		      struct json_doc *json, size_t i)
{
	struct slabstat_fieldset want = { { 0 } };
	const char *label = source_opts_label(&r->source, i);
	struct slabstat_snapshot *s;
	struct view v = { .r = r, .out = out, .h = h, .json = json, .label = label, .index = i };
	int status, notes;

	r->mode->want(r, &want);
	for (size_t k = 0; k < r->sort_keys; k++) {
		if (r->sort_key[k].field >= 0)
			slabstat_fieldset_add(&want, (enum slabstat_field)r->sort_key[k].field);
	}
	s = source_opts_read(h, &r->source, i, or_everything(&want), PROGRAM);
	if (!s)
		return 1;
	v.s = s;
	print_heading(r, out, i);
	status = print_view(&v);
	out_flush(out);
	if (r->form != FORM_JSON)
		print_absent(r, s, &want, label);
	notes = print_notes(s, label);
	if (!status)
		print_unmatched(&v);
	slabstat_snapshot_free(s);
	return status ? status : notes;
}

static int run(const struct request *r, struct out *out)
{
	struct slabstat *h = slabstat_new();
	struct json_doc json;
	int status = 0;

	if (!h) {
		fputs(PROGRAM ": out of memory\n", stderr);
		return 1;
	}
	out_choose_color(out, r->color);
	if (r->form == FORM_JSON)
		document_open(&json, out->f, r->mode->name);
	for (size_t i = 0; i < source_opts_count(&r->source); i++) {
		int ret = run_source(r, h, out, &json, i);

		if (ret > status)
			status = ret;
	}
	if (r->form == FORM_JSON) {
		document_close(&json);
		if (json.failed) {
			fputs(PROGRAM ": out of memory: the output is not complete\n", stderr);
			status = 1;
		}
	}
	slabstat_free(h);
	return status;
}

static int run_kernel_manner(struct out *out, int argc, char **argv)
{
	struct request r;
	int status = 0;

	switch (request_parse(&r, out, argc, argv)) {
	case REQUEST_HELP:
		help(out->f);
		break;
	case REQUEST_VERSION:
		fprintf(out->f, PROGRAM " %s\n", slabstat_version());
		break;
	case REQUEST_COLUMNS:
		columns_help(out->f);
		break;
	case REQUEST_PROCESSES:
		status = processes_list(&r, out);
		break;
	case REQUEST_USAGE:
		status = 2;
		break;
	case REQUEST_RUN:
		status = run(&r, out);
		break;
	}
	request_free(&r);
	return status;
}

int main(int argc, char **argv)
{
	struct out out;
	const struct verb *verb;
	int status;

	setlocale(LC_CTYPE, ""); /* and nothing else: figures stay in C */
	out_start(&out);
	if (complete_asked(argc, argv)) {
		complete(argc - 2, argv + 2, out.f);
		return 0;
	}
	verb = argc > 1 ? verb_find(argv[1]) : NULL;
	status = verb ? verb->run(argc - 1, argv + 1) : run_kernel_manner(&out, argc, argv);
	if (out_finish(&out, PROGRAM) && status == 0)
		status = 1;
	return status;
}
