// SPDX-License-Identifier: MIT
/*
 * mode_write.c - the modes that write: shrink (-s), validate (-v) and debug flags (-d).
 *
 * The kernel's tool ignored what became of its writes; here each refusal is reported with its cause
 * and the exit status is 1. slabinfo tune does more, and can undo it.
 */
#include "compat.h"
#include "debug_flags.h"
#include "mode.h"
#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void want(const struct request *r, struct slabstat_fieldset *set)
{
	if (r->mode == &mode_debug)
		mode_want(set, SLABSTAT_OBJECTS, SLABSTAT_SLABS, SLABSTAT_SANITY_CHECKS,
			  SLABSTAT_RED_ZONE, SLABSTAT_POISON, SLABSTAT_STORE_USER, SLABSTAT_TRACE,
			  -1);
}

/* How the writes to one cache went. */
struct outcome {
	const char *attribute;
	const char *error; /* NULL: done */
};

/* Where outcomes go: messages on stderr, rows of a table, or elements of JSON. */
#define MESSAGES 5 /* on stderr, before they are only counted */

struct results {
	const struct view *v;
	struct table *t;
	size_t failed;
};

static const struct table_column columns[] = {
	{ .title = "NAME", .key = "name" },
	{ .title = "ATTRIBUTE", .key = "attribute" },
	{ .title = "RESULT", .key = "result" },
};

static void put_result(struct results *r, const struct slabstat_cache *c, struct outcome o)
{
	r->failed += o.error != NULL;
	if (r->v->r->form == FORM_JSON) {
		cJSON *item = cJSON_CreateObject();

		json_add_text(item, "name", slabstat_cache_label(c));
		json_add_text(item, "id", slabstat_cache_name(c));
		json_add_text(item, "attribute", o.attribute);
		json_add_text(item, "error", o.error);
		json_put(r->v->json, NULL, item);
	} else if (r->t) {
		table_text(r->t, slabstat_cache_label(c), OUT_PLAIN);
		table_text(r->t, o.attribute, OUT_PLAIN);
		table_text(r->t, o.error ? o.error : "done", o.error ? OUT_BAD : OUT_PLAIN);
		table_end_row(r->t);
	}
	if (o.error && !r->t && r->failed <= MESSAGES)
		fprintf(stderr, "slabinfo: %s\n", o.error);
}

static void put_rest(const struct results *r)
{
	if (!r->t && r->failed > MESSAGES)
		fprintf(stderr, "slabinfo: and %zu more; --csv lists all\n", r->failed - MESSAGES);
}

/* ---- shrink and validate --------------------------------------------------------------------- */

static int act_on_all(struct results *r, const struct slabstat_rows *rows,
		      struct slabstat_tune *tune, enum slabstat_tune_action action)
{
	const char *const attribute = action == SLABSTAT_TUNE_SHRINK ? "shrink" : "validate";

	for (size_t i = 0; i < slabstat_rows_count(rows); i++) {
		const struct slabstat_cache *c = slabstat_rows_caches(rows)[i];
		struct outcome o = { .attribute = attribute };

		if (slabstat_tune_act(tune, slabstat_cache_name(c), action))
			o.error = slabstat_error(r->v->h)->text;
		put_result(r, c, o);
	}
	return r->failed ? 1 : 0;
}

static int act(struct results *r, const struct slabstat_rows *rows)
{
	struct slabstat_tune *tune = report_tune(r->v);
	int status;

	if (!tune) {
		cli_print_error(r->v->h, "slabinfo");
		return 1;
	}
	status = act_on_all(r, rows, tune,
			    r->v->r->mode == &mode_shrink ? SLABSTAT_TUNE_SHRINK
							  : SLABSTAT_TUNE_VALIDATE);
	slabstat_tune_close(tune);
	return status;
}

/* ---- debug flags ----------------------------------------------------------------------------- */

/* The directory of a cache, one step from the slab directory and through no symbolic link. */
static int open_cache(struct slabstat_tune *tune, const struct slabstat_cache *c)
{
	int dir = open(slabstat_tune_directory(tune), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	const char *name = slabstat_cache_name(c);
	int fd = -1;

	if (dir < 0)
		return -1;
	if (!strchr(name, '/') && strcmp(name, "..") != 0)
		fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	close(dir);
	return fd;
}

static const char *write_flag(int cache, const char *attribute, bool on)
{
	int fd = openat(cache, attribute, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
	const char *error = NULL;

	if (fd < 0)
		return strerror(errno);
	if (write(fd, on ? "1\n" : "0\n", 2) != 2)
		error = strerror(errno);
	if (close(fd) != 0 && !error)
		error = strerror(errno);
	return error;
}

static bool writable(int cache, const char *attribute)
{
	struct stat st;

	return fstatat(cache, attribute, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode) &&
	       (st.st_mode & S_IWUSR);
}

/* Why a flag must stay as it is, or NULL. */
static const char *refuse_flag(const struct slabstat_cache *c, int cache, enum debug_flag flag,
			       bool on, size_t caches)
{
	if (!writable(cache, debug_flags_attribute(flag)))
		return "read-only";
	if (flag == DEBUG_TRACE && on && caches != 1)
		return "one cache at a time can be traced: narrow the pattern";
	if (flag != DEBUG_SANITY && flag != DEBUG_TRACE &&
	    slabstat_cache_or(c, SLABSTAT_OBJECTS, 1))
		return "the cache has objects: only sanity checks and trace can change then";
	return NULL;
}

static void set_flag(struct results *r, const struct slabstat_cache *c, int cache,
		     enum debug_flag flag, bool on, size_t caches)
{
	static const enum slabstat_field field[] = {
		[DEBUG_SANITY] = SLABSTAT_SANITY_CHECKS, [DEBUG_RED_ZONE] = SLABSTAT_RED_ZONE,
		[DEBUG_POISON] = SLABSTAT_POISON,	 [DEBUG_USER] = SLABSTAT_STORE_USER,
		[DEBUG_TRACE] = SLABSTAT_TRACE,
	};
	struct outcome o = { .attribute = debug_flags_attribute(flag) };
	char text[512];

	if (slabstat_cache_or(c, field[flag], 0) == on)
		return;
	o.error = refuse_flag(c, cache, flag, on, caches);
	if (!o.error && flag != DEBUG_SANITY && flag != DEBUG_TRACE &&
	    slabstat_cache_or(c, SLABSTAT_SLABS, 0))
		o.error = write_flag(cache, "shrink", true); /* empty slabs first */
	if (!o.error)
		o.error = write_flag(cache, o.attribute, on);
	if (o.error) {
		snprintf(text, sizeof(text), "%s: %s: %s", slabstat_cache_label(c), o.attribute,
			 o.error);
		o.error = text;
	}
	put_result(r, c, o);
}

/* From 5.9 on no cache has a flag that can be written to; that is told once, not once a cache. */
static bool any_writable(struct slabstat_tune *tune, const struct slabstat_rows *rows)
{
	bool any = false;

	for (size_t i = 0; !any && i < slabstat_rows_count(rows); i++) {
		int cache = open_cache(tune, slabstat_rows_caches(rows)[i]);

		for (int flag = 0; cache >= 0 && flag < DEBUG_FLAGS; flag++)
			any |= writable(cache, debug_flags_attribute((enum debug_flag)flag));
		if (cache >= 0)
			close(cache);
	}
	return any;
}

static int set_flags(struct results *r, const struct slabstat_rows *rows)
{
	struct slabstat_tune *tune = report_tune(r->v);
	const size_t n = slabstat_rows_count(rows);
	struct debug_flags flags;

	debug_flags_parse(r->v->r->debug, &flags); /* request_parse() has looked at it */
	if (!tune) {
		cli_print_error(r->v->h, "slabinfo");
		return 1;
	}
	if (n && !any_writable(tune, rows)) {
		fputs("slabinfo: debug flags cannot be changed while Linux 5.9 or later runs: boot "
		      "with "
		      "slab_debug=FZPU,CACHE (slub_debug before 6.8)\n",
		      stderr);
		slabstat_tune_close(tune);
		return 1;
	}
	for (size_t i = 0; i < n; i++) {
		const struct slabstat_cache *c = slabstat_rows_caches(rows)[i];
		int cache = open_cache(tune, c);

		for (int flag = 0; cache >= 0 && flag < DEBUG_FLAGS; flag++)
			set_flag(r, c, cache, (enum debug_flag)flag, flags.on[flag], n);
		if (cache >= 0)
			close(cache);
	}
	slabstat_tune_close(tune);
	return r->failed ? 1 : 0;
}

/* ---- forms ----------------------------------------------------------------------------------- */

static int write_all(struct results *r)
{
	struct slabstat_rows *rows;
	int status;

	rows = mode_select_all(r->v);
	if (!rows)
		return 2;
	status = r->v->r->mode == &mode_debug ? set_flags(r, rows) : act(r, rows);
	put_rest(r);
	slabstat_rows_free(rows);
	return status;
}

static int print_kernel(const struct view *v)
{
	struct results r = { .v = v };

	return write_all(&r);
}

static int print_table(const struct view *v)
{
	const struct table_options options = mode_table_options(v);
	struct results r = { .v = v, .t = table_new(v->out, &options, columns, 3) };
	int status;

	if (!r.t)
		return 1;
	status = write_all(&r);
	return table_finish(r.t) ? status : 1;
}

static int print_json(const struct view *v)
{
	struct results r = { .v = v };
	int status;

	json_open_array(v->json, "results");
	status = write_all(&r);
	json_close(v->json);
	return status;
}

const struct mode mode_shrink = { "shrink", want, NULL, print_kernel, print_table, print_json };
const struct mode mode_validate = { "validate", want, NULL, print_kernel, print_table, print_json };
const struct mode mode_debug = { "debug", want, NULL, print_kernel, print_table, print_json };
