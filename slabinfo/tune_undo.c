// SPDX-License-Identifier: MIT
/* tune_undo.c - the journal from the user's side: undo, restore all, history, what was left. */
#include "cache_json.h"
#include "tune.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "job.h"

/* ---- undo ------------------------------------------------------------------------------------ */

static int undo(struct tune_call *call, unsigned long id)
{
	struct slabstat_plan *plan;
	struct job signals;
	int err, status = 0;

	if (job_open(&signals)) {
		fprintf(stderr, TUNE_PROGRAM ": cannot hold back signals\n");
		return 1;
	}
	err = slabstat_tune_undo(call->tune, id, call->r->force ? SLABSTAT_TUNE_FORCE : 0, &plan);
	job_close(&signals);
	for (size_t i = 0; i < slabstat_plan_count(plan); i++)
		tune_print_change(call->out, slabstat_plan_change(plan, i));
	slabstat_plan_free(plan);
	if (err)
		status = tune_error(call, 1);
	return status;
}

int tune_undo(struct tune_call *call)
{
	tune_say_files(call);
	return undo(call, call->r->undo);
}

static int say_running(const struct slabstat_entry *e)
{
	fprintf(stderr, TUNE_PROGRAM ": process %ld is tuning", e->pid);
	if (e->command) {
		fputs(" while it runs ", stderr);
		tune_print_safe(stderr, e->command);
	}
	fputs("; it puts its values back itself when that ends\n", stderr);
	return 1;
}

int tune_restore_all(struct tune_call *call)
{
	struct slabstat_history *history;
	size_t undone = 0;
	int status = 0;

	tune_say_files(call);
	if (slabstat_history_read(call->tune, &history))
		return tune_error(call, 1);
	for (size_t i = slabstat_history_count(history); i-- > 0; ) {
		const struct slabstat_entry *e = slabstat_history_entry(history, i);

		if (!e->here)
			continue;
		if (e->state == SLABSTAT_ENTRY_RUNNING) {
			status = say_running(e);
		} else if (e->state == SLABSTAT_ENTRY_OPEN || e->state == SLABSTAT_ENTRY_LEFT) {
			status = undo(call, e->id) ? 1 : status;
			undone++;
		}
	}
	slabstat_history_free(history);
	if (!undone && !status)
		fputs("nothing to restore\n", call->out->f);
	return status;
}

/* ---- history --------------------------------------------------------------------------------- */

static const char *const states[] = {
	[SLABSTAT_ENTRY_OPEN] = "in force",	[SLABSTAT_ENTRY_RUNNING] = "running",
	[SLABSTAT_ENTRY_LEFT] = "left behind",	[SLABSTAT_ENTRY_UNDONE] = "undone",
	[SLABSTAT_ENTRY_EXPIRED] = "earlier boot",
};

static void format_time(int64_t wall_s, char text[32])
{
	time_t when = (time_t)wall_s;
	struct tm tm;

	strftime(text, 32, "%Y-%m-%d %H:%M:%S", localtime_r(&when, &tm));
}

static void print_entry(struct out *out, const struct slabstat_entry *e)
{
	enum out_style style =
		e->state == SLABSTAT_ENTRY_LEFT						? OUT_BAD
		: e->state == SLABSTAT_ENTRY_OPEN || e->state == SLABSTAT_ENTRY_RUNNING ? OUT_WARN
											: OUT_FAINT;
	char when[32];

	format_time(e->wall_s, when);
	fprintf(out->f, "%lu  %s  %s%s%s  ", e->id, when, out_style_on(out, style),
		states[e->state], out_style_off(out, style));
	tune_print_safe(out->f, e->directory);
	if (e->command) {
		fputs("  -- ", out->f);
		tune_print_safe(out->f, e->command);
	}
	fputc('\n', out->f);
	for (size_t i = 0; i < e->count; i++) {
		const struct slabstat_change *c = &e->changes[i];

		fputs("     ", out->f);
		tune_print_safe(out->f, c->cache);
		fprintf(out->f, " %s: %" PRIu64 " -> ", slabstat_field_info(c->field)->sysfs,
			c->old);
		fprintf(out->f, "%" PRIu64 "\n",
			c->state == SLABSTAT_CHANGE_MADE ? c->stored : c->wanted);
	}
}

static cJSON *entry_json(const struct slabstat_entry *e)
{
	cJSON *item = cJSON_CreateObject(), *changes = cJSON_CreateArray();

	json_add_u64(item, "entry", e->id);
	json_add_text(item, "state", states[e->state]);
	json_add_i64(item, "time_s", e->wall_s);
	json_add_i64(item, "pid", e->pid);
	json_add_text(item, "directory", e->directory);
	json_add_text(item, "command", e->command);
	for (size_t i = 0; i < e->count; i++) {
		const struct slabstat_change *c = &e->changes[i];
		cJSON *one = cJSON_CreateObject();

		json_add_text(one, "cache", c->cache);
		json_add_text(one, "tunable", slabstat_field_info(c->field)->id);
		json_add_u64(one, "old", c->old);
		json_add_u64(one, "wanted", c->wanted);
		if (c->state == SLABSTAT_CHANGE_PLANNED)
			json_add_null(one, "stored");
		else
			json_add_u64(one, "stored", c->stored);
		cJSON_AddItemToArray(changes, one);
	}
	json_add(item, "changes", changes);
	return item;
}

static void print_json(struct tune_call *call, const struct slabstat_history *history)
{
	struct json_doc doc = { .out = NULL };

	document_head(&doc, call->out->f, "tune-history");
	json_open_array(&doc, "history");
	for (size_t i = 0; i < slabstat_history_count(history); i++)
		json_put(&doc, NULL, entry_json(slabstat_history_entry(history, i)));
	json_close(&doc);
	json_close(&doc);
}

int tune_history(struct tune_call *call)
{
	struct slabstat_history *history;
	size_t bad;

	if (slabstat_history_read(call->tune, &history))
		return tune_error(call, 1);
	if (call->r->json) {
		print_json(call, history);
	} else {
		for (size_t i = 0; i < slabstat_history_count(history); i++)
			print_entry(call->out, slabstat_history_entry(history, i));
		if (!slabstat_history_count(history))
			fputs("nothing was changed yet\n", call->out->f);
	}
	bad = slabstat_history_bad_lines(history);
	if (bad)
		fprintf(stderr,
			TUNE_PROGRAM
			": %zu line%s of the journal cut off or without sense, passed over\n",
			bad, bad == 1 ? "" : "s");
	slabstat_history_free(history);
	return 0;
}

/* An option as it was given to us, so that the line can be used as it is. */
static void say_place(const char *option, const char *path)
{
	if (!path)
		return;
	fputs(option, stderr);
	tune_print_safe(stderr, path);
}

void tune_say_left(struct tune_call *call)
{
	struct slabstat_history *history;

	if (slabstat_history_read(call->tune, &history))
		return;		/* whoever needs the journal says what is wrong with it */
	for (size_t i = 0; i < slabstat_history_count(history); i++) {
		const struct slabstat_entry *e = slabstat_history_entry(history, i);

		if (e->state != SLABSTAT_ENTRY_LEFT || !e->here)
			continue;
		fprintf(stderr, TUNE_PROGRAM ": process %ld", e->pid);
		if (e->command) {
			fputs(" (", stderr);
			tune_print_safe(stderr, e->command);
			fputs(")", stderr);
		}
		fprintf(stderr,
			" is gone and left %zu value%s changed; put back with: " TUNE_PROGRAM,
			e->count, e->count == 1 ? "" : "s");
		say_place(" --root ", call->r->source.root);
		say_place(" --journal ", call->r->journal);
		fprintf(stderr, " --undo=%lu\n", e->id);
	}
	slabstat_history_free(history);
}
