// SPDX-License-Identifier: MIT
/* descent.c - a program and those that come from it, summed; see descent.h. */
#include "slabstat/descent.h"

#include "slabstat/pagefill.h"
#include "util/num.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TREE   "tree:"
#define HIGHEST 64	/* parents that are looked up */

struct member {
	uint64_t pid, start_ticks;
	bool over;		/* and in the past */
};

struct descent {
	const char *tree;	/* its name; NULL: the tree of root */
	char *what;
	struct member root;
	char *root_name;
	struct member *member;	/* all that ever belonged to it */
	size_t count, room;
	struct slabstat_processes *list;	/* of the reading before: pages that are open */
	struct slabstat_snapshot *past;	/* sums of what ended ones counted; never sealed */
	struct slabstat_process process;
};

/* ---- opening --------------------------------------------------------------------------------- */

/* A process that publishes nothing may have children that do. */
static int find_root(struct slabstat *h, struct descent *d)
{
	struct wire_identity who;
	struct wirepage page;
	uint64_t pid;
	char *path;
	int ret = process_find(h, d->what, &page, &path);

	if (ret == 0) {
		who = page.head.who;
		wirepage_close(&page);
		free(path);
	} else if (ret != -ENOENT || num_parse_u64(d->what, &pid) || wire_identify(pid, &who)) {
		return ret;
	}
	d->root = (struct member){ .pid = who.pid, .start_ticks = who.start_ticks };
	d->root_name = strdup(who.comm);
	return d->root_name ? 0 : error_memory(h);
}

int descent_open(struct slabstat *h, const char *what, struct descent **descent)
{
	struct descent *d = calloc(1, sizeof(*d));
	int ret = 0;

	*descent = d;
	if (!d)
		return error_memory(h);
	d->what = strdup(what);
	d->past = snapshot_new(SLABSTAT_SOURCE_PROCESS);
	if (!d->what || !d->past)
		return error_memory(h);
	if (strncmp(what, TREE, strlen(TREE)) == 0)
		d->tree = d->what + strlen(TREE);
	else
		ret = find_root(h, d);
	return ret;
}

void descent_close(struct descent *d)
{
	if (!d)
		return;
	slabstat_snapshot_free(d->past);
	slabstat_processes_free(d->list);
	free(d->member);
	free(d->root_name);
	free(d->what);
	free(d);
}

const struct slabstat_process *descent_process(const struct descent *d)
{
	return &d->process;
}

/* ---- who belongs to it ----------------------------------------------------------------------- */

static struct member *find_member(const struct descent *d, uint64_t pid, uint64_t start_ticks)
{
	for (size_t i = 0; i < d->count; i++)
		if (d->member[i].pid == pid && d->member[i].start_ticks == start_ticks)
			return &d->member[i];
	return NULL;
}

static bool is_inside(const struct descent *d, uint64_t pid, uint64_t start_ticks)
{
	return (pid == d->root.pid && start_ticks == d->root.start_ticks) ||
	       find_member(d, pid, start_ticks);
}

/* The parents of a process that runs, as the kernel has them now. */
static bool has_parent_inside(const struct descent *d, uint64_t pid)
{
	uint64_t ticks, parent;

	for (unsigned i = 0; i < HIGHEST && pid > 1; i++, pid = parent) {
		if (wire_start_ticks(pid, &ticks, &parent))
			return false;
		if (is_inside(d, pid, ticks))
			return true;
	}
	return false;
}

static bool belongs(const struct descent *d, struct wirepage *p,
		    const struct slabstat_process *process)
{
	const struct wire_identity *who = &p->head.who;

	if (d->tree)
		return strcmp(p->head.tree, d->tree) == 0;
	return is_inside(d, who->pid, who->start_ticks) ||
	       is_inside(d, who->parent_pid, who->parent_start_ticks) ||
	       (process->state == SLABSTAT_PROCESS_RUNS && has_parent_inside(d, who->pid));
}

static int add_member(struct descent *d, const struct wire_identity *who)
{
	if (find_member(d, who->pid, who->start_ticks))
		return 0;
	if (d->count == d->room) {
		size_t room = d->room ? d->room * 2 : 32;
		struct member *more = reallocarray(d->member, room, sizeof(*more));

		if (!more)
			return -ENOMEM;
		d->member = more;
		d->room = room;
	}
	d->member[d->count++] = (struct member){ .pid = who->pid, .start_ticks = who->start_ticks };
	return 0;
}

/* Children may stand before their parents in the list: again, until nobody comes in. */
static int find_members(struct descent *d, const struct slabstat_processes *list)
{
	size_t before;

	do {
		before = d->count;
		for (size_t i = 0; i < slabstat_processes_count(list); i++) {
			struct wirepage *p = processes_page(list, i);

			if (p && belongs(d, p, slabstat_processes_get(list, i)) &&
			    add_member(d, &p->head.who))
				return -ENOMEM;
		}
	} while (d->count > before);
	return 0;
}

/* ---- sums ------------------------------------------------------------------------------------ */

static void sum_process(struct descent *d, const struct slabstat_process *p)
{
	d->process.used_bytes = num_add_sat(d->process.used_bytes, p->used_bytes);
	d->process.mapped_bytes = num_add_sat(d->process.mapped_bytes, p->mapped_bytes);
	d->process.caches += p->caches;
	if (p->wall_ns > d->process.wall_ns) {
		d->process.wall_ns = p->wall_ns;
		d->process.mono_ns = p->mono_ns;
	}
}

/* One that is over: now as it ended, and its counts for good. */
static int take_ended(struct slabstat *h, struct descent *d, const struct slabstat_processes *list,
		      size_t i, struct slabstat_snapshot *s)
{
	const struct wirepage *p = processes_page(list, i);
	struct member *m = find_member(d, p->head.who.pid, p->head.who.start_ticks);
	int ret = 0;

	if (!m->over) {
		ret = pagefill(p, s, PAGEFILL_SUM);
		if (ret == 0)
			ret = pagefill(p, d->past, PAGEFILL_SUM | PAGEFILL_PAST);
		m->over = true;
	}
	if (ret == 0 && d->tree)
		slabstat_processes_clean(h, list, i);
	return ret;
}

static int take_one(struct slabstat *h, struct descent *d, const struct slabstat_processes *list,
		    size_t i, struct slabstat_snapshot *s)
{
	struct slabstat_process process = *slabstat_processes_get(list, i);
	struct wirepage *p = processes_page(list, i);

	if (!p || !find_member(d, p->head.who.pid, p->head.who.start_ticks))
		return 0;
	switch (process.state) {
	case SLABSTAT_PROCESS_ENDED:
	case SLABSTAT_PROCESS_DIED:
		return take_ended(h, d, list, i, s);
	case SLABSTAT_PROCESS_RUNS:
		process_ask_fresh(p);
		if (wirepage_read(p))
			return 0; /* gone meanwhile: the next reading has it, if it was kept */
		process_describe_figures(p, &process);
		sum_process(d, &process);
		return pagefill(p, s, PAGEFILL_SUM);
	default:
		return 0;
	}
}

static int sum_all(struct slabstat *h, struct descent *d, const struct slabstat_processes *list,
		   struct slabstat_snapshot *s)
{
	int ret = find_members(d, list);

	if (ret == 0)
		ret = pagefill_copy(d->past, s);
	for (size_t i = 0; ret == 0 && i < slabstat_processes_count(list); i++) {
		ret = take_one(h, d, list, i, s);
		if (ret == -EBADMSG)
			ret = 0; /* damaged: listed as such, and in no sum */
	}
	return ret;
}

int descent_read(struct slabstat *h, struct descent *d, struct slabstat_snapshot *s)
{
	int ret = processes_reread(h, &d->list);

	if (ret)
		return ret;
	d->process = (struct slabstat_process){
		.state = SLABSTAT_PROCESS_RUNS,
		.pid = d->root.pid,
		.name = d->root_name ? d->root_name : d->tree,
		.path = d->what,
		.tree = d->tree,
		.answers = true,
	};
	ret = sum_all(h, d, d->list, s);
	return ret ? error_memory(h) : 0;
}
