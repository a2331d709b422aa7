// SPDX-License-Identifier: MIT
/* processes.c - programs that publish their slab caches; see processes.h. */
#include "processes.h"

#include "cache_json.h"
#include "cli/source_opts.h"
#include "util/table.h"

#include <errno.h>
#include <time.h>

#define PROGRAM "slabinfo"

static const struct table_column columns[] = {
	{ .title = "PID", .key = "pid", .right = true },
	{ .title = "NAME", .key = "name", .shrink = true },
	{ .title = "STATE", .key = "state" },
	{ .title = "CACHES", .key = "caches", .right = true },
	{ .title = "USED", .key = "used_bytes", .right = true },
	{ .title = "MAPPED", .key = "mapped_bytes", .right = true, .optional = true },
	{ .title = "AGE", .key = "age_s", .right = true, .optional = true },
	{ .title = "UID", .key = "uid", .right = true, .optional = true },
	{ .title = "TREE", .key = "tree", .optional = true },
	{ .title = "PAGE", .key = "page", .optional = true },
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

/* Seconds since the figures were taken; false: they tell no time. */
static bool age_of(const struct slabstat_process *p, uint64_t *age)
{
	int64_t now = (int64_t)time(NULL), then = p->wall_ns / 1000000000;

	*age = now > then ? (uint64_t)(now - then) : 0;
	return p->wall_ns > 0;
}

static void put_row(struct table *t, const struct slabstat_process *p)
{
	const bool known = p->state != SLABSTAT_PROCESS_DAMAGED;
	uint64_t age;

	if (p->pid)
		table_number(t, p->pid, OUT_PLAIN);
	else
		table_absent(t);
	table_text(t, p->name, OUT_NAME);
	table_text(t, slabstat_process_state_name(p->state), known ? OUT_PLAIN : OUT_BAD);
	if (known) {
		table_number(t, p->caches, OUT_PLAIN);
		table_bytes(t, p->used_bytes, OUT_PLAIN);
		table_bytes(t, p->mapped_bytes, OUT_PLAIN);
	} else {
		for (int i = 0; i < 3; i++)
			table_absent(t);
	}
	if (age_of(p, &age))
		table_number(t, age, OUT_PLAIN);
	else
		table_absent(t);
	table_number(t, p->uid, OUT_PLAIN);
	table_text(t, p->tree, OUT_PLAIN);
	table_text(t, p->path, OUT_FAINT);
	table_end_row(t);
}

static int print_table(const struct request *r, struct out *out,
		       const struct slabstat_processes *list)
{
	const struct table_options options = {
		.form = r->form == FORM_CSV ? TABLE_CSV : r->form == FORM_TABS ? TABLE_TABS :
										  TABLE_ALIGNED,
		.no_heading = r->no_heading,
		.exact = r->exact_bytes,
		.fit = true,
	};
	struct table *t = table_new(out, &options, columns, COLUMNS);

	for (size_t i = 0; t && i < slabstat_processes_count(list); i++)
		put_row(t, slabstat_processes_get(list, i));
	return !table_finish(t);
}

static cJSON *process_json(const struct slabstat_process *p)
{
	cJSON *o = cJSON_CreateObject();
	uint64_t age;

	json_add_u64(o, "pid", p->pid);
	json_add_text(o, "name", p->name);
	json_add_text(o, "state", slabstat_process_state_name(p->state));
	json_add_text(o, "why", p->why);
	json_add_u64(o, "uid", p->uid);
	json_add_text(o, "page", p->path);
	json_add_text(o, "tree", p->tree);
	if (p->state == SLABSTAT_PROCESS_DAMAGED)
		return o;
	json_add_u64(o, "caches", p->caches);
	json_add_u64(o, "used_bytes", p->used_bytes);
	json_add_u64(o, "mapped_bytes", p->mapped_bytes);
	json_add_i64(o, "born_ns", p->born_ns);
	json_add_i64(o, "wall_ns", p->wall_ns);
	if (age_of(p, &age))
		json_add_u64(o, "age_s", age);
	json_add_bool(o, "answers", p->answers);
	return o;
}

static int print_json(struct out *out, const struct slabstat_processes *list)
{
	struct json_doc doc;

	document_head(&doc, out->f, "processes");
	json_open_array(&doc, "processes");
	for (size_t i = 0; i < slabstat_processes_count(list); i++)
		json_put(&doc, NULL, process_json(slabstat_processes_get(list, i)));
	json_close(&doc);
	json_close(&doc);
	return doc.failed;
}

/* What runs, or may run, stays and is no error. */
static int clean(struct slabstat *h, const struct slabstat_processes *list)
{
	int status = 0;

	for (size_t i = 0; i < slabstat_processes_count(list); i++) {
		int ret = slabstat_processes_clean(h, list, i);

		if (ret == 0)
			fprintf(stderr, PROGRAM ": %s: removed\n",
				slabstat_processes_get(list, i)->path);
		else if (ret != -EBUSY && ret != -ENOENT)
			status = cli_print_error(h, PROGRAM);
	}
	return status;
}

static void say_damage(const struct slabstat_processes *list)
{
	for (size_t i = 0; i < slabstat_processes_count(list); i++) {
		const struct slabstat_process *p = slabstat_processes_get(list, i);

		if (p->state == SLABSTAT_PROCESS_DAMAGED)
			fprintf(stderr, PROGRAM ": %s: %s\n", p->path, p->why);
	}
}

int processes_list(const struct request *r, struct out *out)
{
	struct slabstat *h = slabstat_new();
	struct slabstat_processes *list;
	int status;

	if (!h || slabstat_processes_read(h, &list)) {
		fputs(PROGRAM ": out of memory\n", stderr);
		slabstat_free(h);
		return 1;
	}
	out_choose_color(out, r->color);
	if (slabstat_processes_count(list) == 0)
		fputs(PROGRAM
		      ": no program publishes its slab caches: start one that uses libslabkit "
		      "with SLAB_OPTIONS=publish\n",
		      stderr);
	status = r->form == FORM_JSON ? print_json(out, list) : print_table(r, out, list);
	say_damage(list);
	if (r->clean)
		status |= clean(h, list);
	slabstat_processes_free(list);
	slabstat_free(h);
	return status;
}
