// SPDX-License-Identifier: MIT
/*
 * source_process.c - the caches of a program, from the page that it publishes.
 *
 * What the page calls a counter is the field of that name in fields.def; a name that is not there
 * is passed over, and a field that the page lacks is absent. A cache that others may share goes by
 * an id, as in the kernel's directory, and each of its users is a link to it.
 */
#include "slabstat/source_process.h"

#include "slabstat/process.h"
#include "util/num.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define FRESH_MS 250	/* for a process that answers to do so */
#define TUNE_MS	 5000	/* for one to do what it is asked: threadless ones wait for a period */

/* What the source makes of counter i of its scope. */
struct meaning {
	int field[WIRE_FIELDS_MAX];	/* enum slabstat_field, or -1 */
	unsigned n;
};

struct process {
	struct wirepage page;
	char *path;
	struct slabstat_process process;
	struct meaning meaning[WIRE_SCOPES];
	int mergeable, account, serial;	/* places in the cache scope, or -1 */
	bool live;
};

static void process_close(struct slabstat_source *src)
{
	struct process *x = src->state;

	if (!x)
		return;
	wirepage_close(&x->page);
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
		return error_set(src->h, -EINVAL, NULL, 0, "which process? name it by number, name or page");
	x->live = true;
	return process_find(src->h, src->spec.process, &x->page, &x->path);
}

/* ---- meaning ----------------------------------------------------------------------------------- */

/* What is computed from others is ours to compute. */
static int field_of(const char *id)
{
	int field = slabstat_field_find(id);

	if (field >= 0 && slabstat_field_info((enum slabstat_field)field)->kind == SLABSTAT_KIND_DERIVED)
		field = -1;
	return field < 0 ? -1 : field;
}

static void find_meaning(struct process *x)
{
	memset(x->meaning, 0, sizeof(x->meaning));
	x->mergeable = x->account = x->serial = -1;
	for (unsigned i = 0; i < x->page.head.counters; i++) {
		struct wire_name n = wirepage_name(&x->page, i);
		struct meaning *m;

		if (n.scope >= WIRE_SCOPES)
			continue;
		m = &x->meaning[n.scope];
		if (n.scope == WIRE_CACHE && strcmp(n.id, "mergeable") == 0)
			x->mergeable = (int)m->n;
		if (n.scope == WIRE_CACHE && strcmp(n.id, "account") == 0)
			x->account = (int)m->n;
		if (n.scope == WIRE_CACHE && strcmp(n.id, "serial") == 0)
			x->serial = (int)m->n;
		m->field[m->n++] = field_of(n.id);
	}
}

/* ---- caches ------------------------------------------------------------------------------------ */

/* The id that the kernel would give it: ":a-0000256". */
static void make_id(const struct process *x, const struct wirepage_record *r,
		    const struct slabstat_cache *facts, char id[48])
{
	char flags[8], *p = flags;

	if (facts->value[SLABSTAT_RECLAIM_ACCOUNT])
		*p++ = 'a';
	if (x->account >= 0 && wirepage_value(r, (unsigned)x->account))
		*p++ = 'A';
	if (p > flags)
		*p++ = '-';
	*p = '\0';
	snprintf(id, 48, ":%s%07" PRIu64, flags, facts->value[SLABSTAT_SLAB_SIZE]);
}

static void set_values(const struct process *x, const struct wirepage_record *r, struct slabstat_cache *c)
{
	const struct meaning *m = &x->meaning[WIRE_CACHE];

	for (unsigned i = 0; i < m->n; i++) {
		uint64_t v = wirepage_value(r, i);

		if (m->field[i] >= 0 && v != WIRE_ABSENT)
			cache_set(c, (enum slabstat_field)m->field[i], v, SLABSTAT_EXACT);
	}
}

/* What has shares by node or CPU is 0 until there are some. */
static void set_zero(const struct process *x, enum wire_scope scope, struct slabstat_cache *c)
{
	const struct meaning *m = &x->meaning[scope];

	for (unsigned i = 0; i < m->n; i++)
		if (m->field[i] >= 0)
			cache_set(c, (enum slabstat_field)m->field[i], 0, SLABSTAT_EXACT);
}

static int begin_cache(const struct process *x, struct slabstat_snapshot *s,
		       const struct wirepage_record *r, struct slabstat_cache **cache)
{
	struct slabstat_cache facts = { .name = NULL };
	const char *name = r->name;
	char id[48];

	set_values(x, r, &facts);
	if (x->mergeable >= 0 && wirepage_value(r, (unsigned)x->mergeable)) {
		make_id(x, r, &facts, id);
		name = id;
		s->notes.links++;
		if (snapshot_link(s, r->name, id))
			return -ENOMEM;
	}
	*cache = snapshot_add(s, name, strlen(name));
	if (!*cache)
		return -ENOMEM;
	if (x->serial >= 0)
		(*cache)->position = (size_t)wirepage_value(r, (unsigned)x->serial);
	set_values(x, r, *cache);
	set_zero(x, WIRE_NODE, *cache);
	set_zero(x, WIRE_CPU, *cache);
	return 0;
}

static int add_shares(const struct process *x, struct slabstat_snapshot *s,
		      const struct wirepage_record *r, enum wire_scope scope, struct slabstat_cache *c)
{
	const struct meaning *m = &x->meaning[scope];

	for (unsigned i = 0; i < m->n; i++) {
		enum slabstat_field f = (enum slabstat_field)m->field[i];
		uint64_t v = wirepage_value(r, i);

		if (m->field[i] < 0)
			continue;
		if (v == WIRE_ABSENT) {
			c->quality[f] = SLABSTAT_ABSENT;
			continue;
		}
		c->value[f] = num_add_sat(c->value[f], v);
		if (v && snapshot_share(s, c, f, r->index, v))
			return -ENOMEM;
	}
	return 0;
}

static int add_record(const struct process *x, struct slabstat_snapshot *s,
		      const struct wirepage_record *r, struct slabstat_cache **cache)
{
	switch (r->type) {
	case WIRE_RECORD_CACHE:
		return begin_cache(x, s, r, cache);
	case WIRE_RECORD_NAME:
		s->notes.links++;
		return *cache && snapshot_link(s, r->name, (*cache)->name) ? -ENOMEM : 0;
	case WIRE_RECORD_NODE:
		return *cache ? add_shares(x, s, r, WIRE_NODE, *cache) : 0;
	case WIRE_RECORD_CPU:
		return *cache ? add_shares(x, s, r, WIRE_CPU, *cache) : 0;
	default:
		return 0;
	}
}

static void why_absent(struct slabstat_snapshot *s)
{
	for (unsigned f = 0; f < SLABSTAT_NFIELDS; f++) {
		const struct slabstat_field_info *info = slabstat_field_info((enum slabstat_field)f);

		if (info->kind != SLABSTAT_KIND_DERIVED)
			snapshot_why(s, (enum slabstat_field)f, "a program has no such thing");
	}
}

static int fill(const struct process *x, struct slabstat_snapshot *s)
{
	const struct wire_head *h = &x->page.head;
	struct slabstat_cache *cache = NULL;
	struct wirepage_record r;
	size_t at = 0;
	int ret;

	s->wall_ns = (int64_t)x->page.slot.wall_ns;
	s->mono_ns = (int64_t)x->page.slot.mono_ns;
	s->machine.slub = true;
	s->machine.page_size = process_counter(&x->page, "page_bytes");
	s->machine.cpus = h->cpus < UINT16_MAX ? (unsigned)h->cpus : UINT16_MAX;
	s->machine.nodes = h->nodes < UINT16_MAX ? (unsigned)h->nodes : UINT16_MAX;
	s->machine.boot_id = snapshot_string(s, h->who.boot_id, strlen(h->who.boot_id));
	while ((ret = wirepage_next(&x->page, &at, &r)) == 1) {
		ret = add_record(x, s, &r, &cache);
		if (ret)
			return ret;
	}
	why_absent(s);
	return ret;
}

/* ---- reading ----------------------------------------------------------------------------------- */

/* Who does not answer is read as it stands: the figures tell their age. */
static void ask_fresh(const struct process *x)
{
	struct wire_ask a = { .verb = WIRE_ASK_FRESH };
	struct wire_answer answer;

	if (x->page.head.flags & WIRE_HAS_THREAD && process_state(&x->page) == SLABSTAT_PROCESS_RUNS)
		ask_process(&x->page, &a, &answer, FRESH_MS);
}

static const char *label(const struct slabstat_source *src, const struct process *x)
{
	return x->path ? x->path : source_label(src);
}

static int process_read(struct slabstat_source *src, const struct slabstat_fieldset *want,
			struct slabstat_snapshot *s)
{
	struct process *x = src->state;
	int ret;

	(void)want;
	if (x->live)
		ask_fresh(x);
	ret = wirepage_read(&x->page);
	if (ret)
		return error_set(src->h, ret, label(src, x), 0, "%s", x->page.why);
	process_describe(&x->page, label(src, x), &x->process);
	find_meaning(x);
	ret = fill(x, s);
	if (ret == -EBADMSG)
		return error_set(src->h, ret, label(src, x), 0, "is damaged: a record does not fit");
	return ret ? error_memory(src->h) : 0;
}

/* ---- asking ------------------------------------------------------------------------------------ */

int source_process_may_ask(const struct slabstat_source *src)
{
	const struct process *x = src->state;

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
