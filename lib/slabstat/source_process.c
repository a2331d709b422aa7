// SPDX-License-Identifier: MIT
/*
 * source_process.c - the caches of a program, from the page that it publishes, or of a tree of
 * programs, summed. What figures become in a snapshot is told in pagefill.h.
 */
#include "slabstat/source_process.h"

#include "slabstat/descent.h"
#include "slabstat/pagefill.h"
#include "slabstat/process.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define TUNE_MS	 5000	/* for one to do what it is asked: threadless ones wait for a period */

struct process {
	struct wirepage page;
	char *path;
	struct slabstat_process process;
	struct descent *descent;	/* --children: in place of the page */
	bool live;
};

static void process_close(struct slabstat_source *src)
{
	struct process *x = src->state;

	if (!x)
		return;
	wirepage_close(&x->page);
	descent_close(x->descent);
	free(x->path);
	free(x);
	src->state = NULL;
}

static int process_sniff(const char *text, size_t len)
{
	return wirepage_sniff(text, len) ? 100 : 0;
}

static int process_open(struct slabstat_source *src)
{
	struct process *x = calloc(1, sizeof(*x));
	int ret;

	src->state = x;
	if (!x)
		return error_memory(src->h);
	x->page.fd = -1;
	if (src->text) {
		ret = wirepage_open_text(&x->page, src->text, src->text_len);
		return ret ? error_set(src->h, ret, source_label(src), 0, "%s", x->page.why) : 0;
	}
	if (!src->spec.process)
		return error_set(src->h, -EINVAL, NULL, 0,
				 "which process? name it by number, name or page");
	x->live = true;
	if (src->spec.flags & SLABSTAT_FLAG_CHILDREN)
		return descent_open(src->h, src->spec.process, &x->descent);
	return process_find(src->h, src->spec.process, &x->page, &x->path);
}

/* ---- reading --------------------------------------------------------------------------------- */

static void why_absent(struct slabstat_snapshot *s)
{
	for (unsigned f = 0; f < SLABSTAT_NFIELDS; f++) {
		const struct slabstat_field_info *info =
			slabstat_field_info((enum slabstat_field)f);

		if (info->kind != SLABSTAT_KIND_DERIVED)
			snapshot_why(s, (enum slabstat_field)f, "a program has no such thing");
	}
}

static unsigned most(uint64_t n)
{
	return n < UINT16_MAX ? (unsigned)n : UINT16_MAX;
}

/* The page does not tell the machine's page size: orders are of 4 KiB everywhere. */
static void set_machine(const struct wirepage *p, struct slabstat_snapshot *s)
{
	const struct wire_head *h = &p->head;

	s->wall_ns = (int64_t)p->slot.wall_ns;
	s->mono_ns = (int64_t)p->slot.mono_ns;
	s->machine.page_size = process_counter(p, "page_bytes");
	s->machine.cpus = most(h->cpus);
	s->machine.nodes = most(h->nodes);
	s->machine.boot_id = snapshot_string(s, h->who.boot_id, strlen(h->who.boot_id));
}

static const char *label(const struct slabstat_source *src, const struct process *x)
{
	return x->path ? x->path : source_label(src);
}

static int read_one(struct slabstat_source *src, struct process *x, struct slabstat_snapshot *s)
{
	int ret;

	if (x->live && process_state(&x->page) == SLABSTAT_PROCESS_RUNS)
		process_ask_fresh(&x->page);
	ret = wirepage_read(&x->page);
	if (ret)
		return error_set(src->h, ret, label(src, x), 0, "%s", x->page.why);
	process_describe(&x->page, label(src, x), &x->process);
	set_machine(&x->page, s);
	ret = pagefill(&x->page, s, 0);
	if (ret == -EBADMSG)
		return error_set(src->h, ret, label(src, x), 0,
				 "is damaged: a record does not fit");
	return ret ? error_memory(src->h) : 0;
}

/* Times are those of this reading: it is made of many. */
static int read_tree(struct slabstat_source *src, struct process *x, struct slabstat_snapshot *s)
{
	int ret = descent_read(src->h, x->descent, s);

	if (ret)
		return ret;
	x->process = *descent_process(x->descent);
	x->process.wall_ns = s->wall_ns;
	x->process.mono_ns = s->mono_ns;
	s->machine.page_size = WIRE_ORDER_BYTES;
	return 0;
}

static int process_read(struct slabstat_source *src, const struct slabstat_fieldset *want,
			struct slabstat_snapshot *s)
{
	struct process *x = src->state;
	int ret;

	(void)want;
	s->machine.slub = true;
	ret = x->descent ? read_tree(src, x, s) : read_one(src, x, s);
	if (ret == 0)
		why_absent(s);
	return ret;
}

/* ---- asking ---------------------------------------------------------------------------------- */

int source_process_may_ask(const struct slabstat_source *src)
{
	struct process *x = src->state;

	if (x->descent)
		return -ENOTSUP;
	if (process_state(&x->page) != SLABSTAT_PROCESS_RUNS)
		return -ESRCH;
	return ask_allowed(&x->page) ? -EPERM : 0;
}

int source_process_ask(const struct slabstat_source *src, struct wire_ask *a)
{
	const struct process *x = src->state;
	struct wire_answer answer;
	int ret = source_process_may_ask(src);

	if (ret == 0)
		ret = ask_process(&x->page, a, &answer, TUNE_MS);
	if (ret)
		return ret;
	return answer.result < -4095 || answer.result > INT32_MAX ? -EPROTO : (int)answer.result;
}

static int ask_for_cache(struct slabstat_source *src, const struct slabstat_cache *cache,
			 struct wire_ask *a)
{
	int ret;

	if (src->kind != SLABSTAT_SOURCE_PROCESS || src->text)
		return error_set(src->h, -ENOTSUP, source_label(src), 0,
				 "is not a program: nobody can be asked");
	a->serial = slabstat_cache_position(cache);
	ret = source_process_ask(src, a);
	if (ret > 0)
		return error_set(src->h, -EUCLEAN, cache->name, 0,
				 "%d faults were found; the program has "
				 "reported each",
				 ret);
	return ret ? error_set(src->h, ret, cache->name, 0, "%s", strerror(-ret)) : 0;
}

int slabstat_source_tune(struct slabstat_source *src, const struct slabstat_cache *cache,
			 enum slabstat_field field, uint64_t value)
{
	const struct slabstat_field_info *info = slabstat_field_info(field);
	struct wire_ask a = { .verb = WIRE_ASK_TUNE, .value = value };

	if (!info || strlen(info->id) >= sizeof(a.key))
		return error_set(src->h, -EINVAL, cache->name, 0, "there is no such tunable");
	strcpy(a.key, info->id);
	return ask_for_cache(src, cache, &a);
}

int slabstat_source_act(struct slabstat_source *src, const struct slabstat_cache *cache,
			enum slabstat_tune_action action)
{
	struct wire_ask a = { .verb = action == SLABSTAT_TUNE_SHRINK ? WIRE_ASK_SHRINK
								     : WIRE_ASK_VALIDATE };

	return ask_for_cache(src, cache, &a);
}

const struct slabstat_process *slabstat_source_process(const struct slabstat_source *src)
{
	const struct process *x = src->kind == SLABSTAT_SOURCE_PROCESS ? src->state : NULL;

	return x && x->process.path ? &x->process : NULL;
}

const struct source_ops source_process = {
	.kind = SLABSTAT_SOURCE_PROCESS,
	.sniff = process_sniff,
	.open = process_open,
	.read = process_read,
	.close = process_close,
};
