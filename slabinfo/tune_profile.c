// SPDX-License-Identifier: MIT
/*
 * tune_profile.c - values in a small file, to keep and to apply again.
 *
 *	# comment
 *	dentry cpu_partial=60 min_partial=5
 *	cred,pid cpu_partial=0
 *
 * A line is a cache and its settings. Merged caches have other directories on every boot, so a
 * cache is written by the names of its users, and each user that exists is tuned. A byte that
 * would end a name stands as \xNN.
 */
#include "tune.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "util/newfile.h"
#include "util/num.h"
#include "util/safe.h"

#define LINE_SIZE 65536	/* of a profile: room for hundreds of users */

/* ---- save ------------------------------------------------------------------------------------ */

static void put_name(FILE *out, const char *name)
{
	char *safe = safe_text(name, 0);

	for (const char *p = safe ? safe : "?"; *p; p++) {
		if (strchr(" ,#\t", *p))
			fprintf(out, "\\x%02x", (unsigned char)*p);
		else
			fputc(*p, out);
	}
	free(safe);
}

static void put_names(struct tune_call *call, FILE *out, const char *name)
{
	const char *directory = slabstat_tune_resolve(call->tune, name);
	size_t n = 0;
	const char *const *users = slabstat_tune_users(call->tune, directory, &n);

	if (!n)
		put_name(out, directory);
	for (size_t i = 0; i < n; i++) {
		fputs(i ? "," : "", out);
		put_name(out, users[i]);
	}
}

/* changed: only what is not as the kernel set it. Returns an exit status. */
static int put_cache(struct tune_call *call, FILE *out, const char *name, bool changed)
{
	bool any = false;

	for (size_t i = 0; slabstat_tune_field(i) >= 0; i++) {
		enum slabstat_field field = (enum slabstat_field)slabstat_tune_field(i);
		struct slabstat_tunable t;

		if (slabstat_tune_look(call->tune, name, field, &t))
			return tune_error(call, 1);
		if (!t.present || (changed && (!t.default_known || t.value == t.standard)))
			continue;
		if (!t.readable) {
			fputs(TUNE_PROGRAM ": ", stderr);
			tune_print_safe(stderr, name);
			fprintf(stderr, ": %s cannot be read\n", slabstat_field_info(field)->sysfs);
			return 1;
		}
		if (t.high == 0)
			continue;	/* there is no choice */
		if (!any)
			put_names(call, out, name);
		any = true;
		fprintf(out, " %s=%" PRIu64, slabstat_field_info(field)->sysfs, t.value);
	}
	if (any)
		fputc('\n', out);
	return 0;
}

static int put_all(struct tune_call *call, FILE *out)
{
	const struct slabstat_machine *m = slabstat_snapshot_machine(call->machine);
	size_t n = call->targets ? call->targets : slabstat_snapshot_count(call->machine);
	time_t now = time(NULL);
	struct tm tm;
	char when[32];
	int status = 0;

	strftime(when, sizeof(when), "%Y-%m-%d", localtime_r(&now, &tm));
	fprintf(out, "# slab cache tunables of %s, %s; apply with: slabinfo tune --load FILE\n",
		m->release ? m->release : "an unknown kernel", when);
	for (size_t i = 0; i < n && !status; i++)
		status = put_cache(call, out, call->targets ? call->target[i] :
				   slabstat_cache_name(slabstat_snapshot_cache(call->machine, i)),
				   !call->targets);
	return status;
}

static int cannot_write(const char *path, int err)
{
	fputs(TUNE_PROGRAM ": ", stderr);
	tune_print_safe(stderr, path);
	fprintf(stderr, ": %s\n", strerror(-err));
	return 1;
}

/* A profile is whole, or the old one stays. */
int tune_save(struct tune_call *call)
{
	const char *path = call->r->profile;
	struct newfile file;
	int status, err;

	if (!strcmp(path, "-"))
		return put_all(call, call->out->f);
	err = newfile_open(&file, path);
	if (err)
		return cannot_write(path, err);
	status = put_all(call, file.f);
	err = newfile_close(&file, !status);
	return err && !status ? cannot_write(path, err) : status;
}

/* ---- load ------------------------------------------------------------------------------------ */

struct profile {
	struct tune_call *call;
	struct slabstat_plan *plan;
	unsigned long line;
	size_t missing;
};

static int complain(const struct profile *p, const char *what, const char *arg)
{
	fputs(TUNE_PROGRAM ": ", stderr);
	tune_print_safe(stderr, p->call->r->profile);
	fprintf(stderr, ":%lu: %s", p->line, what);
	if (arg) {
		fputs(" '", stderr);
		tune_print_safe(stderr, arg);
		fputc('\'', stderr);
	}
	fputc('\n', stderr);
	return 1;
}

/* A word "key=value"; 0, or 1 after a message. */
static int parse_setting(const struct profile *p, char *word, struct tune_setting *s)
{
	char *equal = strchr(word, '=');

	if (!equal)
		return complain(p, "not KEY=VALUE:", word);
	*equal = '\0';
	for (size_t i = 0; slabstat_tune_field(i) >= 0; i++) {
		s->field = (enum slabstat_field)slabstat_tune_field(i);
		if (!strcmp(slabstat_field_info(s->field)->sysfs, word))
			return num_parse_u64(equal + 1, &s->value) ?
			       complain(p, "not a number that the kernel takes:", equal + 1) : 0;
	}
	return complain(p, "no such tunable:", word);
}

/* The settings of a line for one name, where there is such a cache. */
static int add_name(struct profile *p, const char *coded, const struct tune_setting *s, size_t n,
		    bool *found)
{
	char *name = safe_undo(coded);
	unsigned flags = p->call->r->force ? SLABSTAT_TUNE_FORCE : 0;
	int status = name ? 0 : 1;

	if (name && slabstat_tune_resolve(p->call->tune, name)) {
		*found = true;
		for (size_t i = 0; i < n && !status; i++)
			if (slabstat_plan_add(p->plan, name, s[i].field, s[i].value, flags))
				status = tune_error(p->call, 1);
	}
	free(name);
	return status;
}

static int add_line(struct profile *p, char *text)
{
	char *save, *names = strtok_r(text, " \t", &save), *save_name, *word;
	struct tune_setting s[SLABSTAT_NFIELDS];
	bool found = false;
	size_t n = 0;
	int status = 0;

	if (!names)
		return 0;
	while (!status && n < SLABSTAT_NFIELDS && (word = strtok_r(NULL, " \t", &save)))
		status = parse_setting(p, word, &s[n++]);
	if (!status && !n)
		return complain(p, "a cache without a setting", NULL);
	for (word = strtok_r(names, ",", &save_name); word && !status;
	     word = strtok_r(NULL, ",", &save_name))
		status = add_name(p, word, s, n, &found);
	if (!status && !found) {
		complain(p, "no such cache here, passed over", NULL);
		p->missing++;
	}
	return status;
}

/*
 * Zero bytes and lines without an end (/dev/zero) are both: no newline, and not the end of the
 * file.
 */
static int take_text(struct profile *p, char *text, bool last)
{
	size_t len = strcspn(text, "\n");

	p->line++;
	if (text[len] != '\n' && !last)
		return complain(p, "not text, or a line without an end", NULL);
	text[strcspn(text, "\r\n#")] = '\0';
	return add_line(p, text);
}

static int cannot_read(const char *path, int err)
{
	fputs(TUNE_PROGRAM ": ", stderr);
	tune_print_safe(stderr, path);
	fprintf(stderr, ": %s\n", err == EISDIR ?
		"Is a directory, not a profile; name a file that --save wrote" : strerror(err));
	return 1;
}

static int read_profile(struct profile *p, FILE *in)
{
	char *text = malloc(LINE_SIZE);
	int status = text ? 0 : 1;

	while (!status && fgets(text, LINE_SIZE, in))
		status = take_text(p, text, feof(in));
	free(text);
	return ferror(in) ? cannot_read(p->call->r->profile, errno) : status;
}

/* What differs, before anything is written. */
static size_t print_differences(struct tune_call *call, const struct slabstat_plan *plan)
{
	size_t n = 0;

	for (size_t i = 0; i < slabstat_plan_count(plan); i++) {
		const struct slabstat_change *c = slabstat_plan_change(plan, i);

		if (c->old == c->wanted)
			continue;
		tune_print_change(call->out, c);
		n++;
	}
	if (!n)
		fputs("everything is as the profile says\n", call->out->f);
	fflush(call->out->f);
	return n;
}

static int apply_profile(struct profile *p, FILE *in)
{
	int status = read_profile(p, in);

	if (!status && print_differences(p->call, p->plan) && !p->call->r->dry_run)
		status = tune_write_plan(p->call, p->plan);
	return status ? status : p->missing ? 1 : 0;
}

int tune_load(struct tune_call *call)
{
	struct profile p = { .call = call, .plan = slabstat_plan_new(call->tune) };
	bool standard = !strcmp(call->r->profile, "-");
	FILE *in = standard ? stdin : fopen(call->r->profile, "re");
	int status = 1;

	if (!in)
		cannot_read(call->r->profile, errno);
	else if (!p.plan)
		fputs(TUNE_PROGRAM ": out of memory\n", stderr);
	else
		status = apply_profile(&p, in);
	if (in && !standard)
		fclose(in);
	slabstat_plan_free(p.plan);
	return status;
}
