// SPDX-License-Identifier: MIT
/* shrinker.c - registering shrinkers, and asking them. */
#include "shrinker.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "futex.h"
#include "peek.h"
#include "report.h"
#include "root.h"

#define BATCH 128 /* objects asked for in one call, where the shrinker does not say */

/* The shrinker whose callback this thread is in. */
static __thread struct shrinker_entry *current __attribute__((tls_model("initial-exec")));

static struct shrinker_entry *entry_of(struct shrinker *shrinker)
{
	return (struct shrinker_entry *)shrinker;
}

/* ---- asking ---------------------------------------------------------------------------------- */

/* Of count objects that there are: see the head of shrinker.h. */
static uint64_t wanted(const struct shrinker *shrinker, uint64_t count, int priority)
{
	if (!shrinker->seeks)
		return count / 2; /* cheap to make again */
	return (count >> priority) * 4 / (unsigned int)shrinker->seeks;
}

/* Batch by batch; *scanned: how many the callback has looked at. */
static unsigned long scan(struct shrinker *shrinker, struct shrink_control *sc, uint64_t total,
			  uint64_t count, uint64_t *scanned)
{
	uint64_t batch = shrinker->batch > 0 ? (uint64_t)shrinker->batch : BATCH;
	unsigned long freed = 0;

	*scanned = 0;
	while (total >= batch || total >= count) {
		uint64_t n = total < batch ? total : batch;
		unsigned long got;

		sc->nr_to_scan = n;
		sc->nr_scanned = n;
		got = shrinker->scan_objects(shrinker, sc);
		if (got == SHRINK_STOP)
			break;
		freed += got;
		*scanned += sc->nr_scanned;
		/* One that has looked at none will not for the asking. */
		if (!sc->nr_scanned)
			break;
		total -= sc->nr_scanned < total ? sc->nr_scanned : total;
		if (!total)
			break;
	}
	return freed;
}

static unsigned long ask_node(struct shrinker_entry *e, gfp_t gfp, int priority, unsigned int node)
{
	struct shrinker *shrinker = &e->shrinker;
	struct shrink_control sc = { .gfp_mask = gfp, .nid = (int)node };
	uint64_t count = shrinker->count_objects(shrinker, &sc), owed, total, scanned, left;
	unsigned long freed;

	if (!count || count == SHRINK_EMPTY)
		return 0;
	owed = __atomic_exchange_n(&e->owed[node], 0, __ATOMIC_RELAXED);
	total = wanted(shrinker, count, priority);
	left = owed + total;
	total += owed >> priority;
	if (total > 2 * count)
		total = 2 * count;
	freed = scan(shrinker, &sc, total, count, &scanned);
	left = left > scanned ? left - scanned : 0;
	bump(e->owed[node], left < 2 * count ? left : 2 * count);
	return freed;
}

/* How many nodes a shrinker with these flags is called for. */
static unsigned int nodes_of(unsigned int flags)
{
	return flags & SHRINKER_NUMA_AWARE ? root.numa.nr : 1;
}

static unsigned long ask(struct shrinker_entry *e, gfp_t gfp, int priority)
{
	unsigned int nr = nodes_of(e->flags);
	unsigned long freed = 0;

	for (unsigned int node = 0; node < nr; node++)
		if (nr == 1 || root.numa.usable >> node & 1)
			freed += ask_node(e, gfp, priority, node);
	return freed;
}

unsigned long shrinker_run(gfp_t gfp, int priority)
{
	struct shrinkers *all = &root.shrinkers;
	struct shrinker_entry *e;
	unsigned long freed = 0;

	lock_take(&all->lock, LOCK_SHRINKER);
	for (e = all->first; e; e = e->next) {
		if (e->leaving)
			continue;
		e->calls++;
		lock_drop(&all->lock, LOCK_SHRINKER);
		current = e;
		freed += ask(e, gfp, priority);
		current = NULL;
		lock_take(&all->lock, LOCK_SHRINKER);
		if (!--e->calls && e->leaving)
			futex_wake(&e->calls, INT_MAX);
	}
	lock_drop(&all->lock, LOCK_SHRINKER);
	return freed;
}

/* ---- coming and going ------------------------------------------------------------------------ */

struct shrinker *shrinker_alloc(unsigned int flags, const char *format, ...)
{
	struct shrinker_entry *e;
	va_list ap;
	size_t owed;
	int len;

	va_start(ap, format);
	len = vsnprintf(NULL, 0, format, ap);
	va_end(ap);
	if (len < 0 || flags & ~(SHRINKER_NUMA_AWARE | SHRINKER_MEMCG_AWARE | SHRINKER_NONSLAB)) {
		errno = EINVAL;
		return NULL;
	}
	root_init();
	owed = nodes_of(flags) * sizeof(e->owed[0]);
	e = kzalloc(sizeof(*e) + owed + (size_t)len + 1, GFP_KERNEL);
	if (!e)
		return NULL;
	e->name = (char *)e->owed + owed;
	e->flags = flags;
	e->shrinker.flags = flags;
	e->shrinker.seeks = DEFAULT_SEEKS;
	va_start(ap, format);
	vsnprintf(e->name, (size_t)len + 1, format, ap);
	va_end(ap);
	return &e->shrinker;
}

static void misuse(const struct shrinker_entry *e, const char *what)
{
	char text[200];

	snprintf(text, sizeof(text), "shrinker %.100s %s", e->name, what);
	report_misuse(NULL, e, text);
}

void shrinker_register(struct shrinker *shrinker)
{
	struct shrinkers *all = &root.shrinkers;
	struct shrinker_entry *e = entry_of(shrinker);

	if (!shrinker->count_objects || !shrinker->scan_objects) {
		misuse(e, "has no count_objects or no scan_objects");
		return;
	}
	lock_take(&all->lock, LOCK_SHRINKER);
	if (!e->listed) {
		e->prev = NULL;
		e->next = all->first;
		if (e->next)
			e->next->prev = e;
		all->first = e;
		e->listed = true;
	}
	lock_drop(&all->lock, LOCK_SHRINKER);
}

/* No callback begins any more; those under way end. */
static void leave(struct shrinkers *all, struct shrinker_entry *e)
{
	lock_take(&all->lock, LOCK_SHRINKER);
	e->leaving = true;
	while (e->calls) {
		uint32_t calls = e->calls;

		lock_drop(&all->lock, LOCK_SHRINKER);
		futex_wait(&e->calls, calls, NULL);
		lock_take(&all->lock, LOCK_SHRINKER);
	}
	if (e->prev)
		e->prev->next = e->next;
	else
		all->first = e->next;
	if (e->next)
		e->next->prev = e->prev;
	lock_drop(&all->lock, LOCK_SHRINKER);
}

void shrinker_free(struct shrinker *shrinker)
{
	struct shrinker_entry *e = entry_of(shrinker);

	if (!shrinker)
		return;
	if (current == e) {
		misuse(e, "freed by its own callback");
		return;
	}
	if (e->listed)
		leave(&root.shrinkers, e);
	kfree(e);
}

/* ---- fork ------------------------------------------------------------------------------------ */

void shrinker_before_fork(void)
{
	lock_take_fork(&root.shrinkers.lock);
}

void shrinker_after_fork(bool child)
{
	for (struct shrinker_entry *e = root.shrinkers.first; child && e; e = e->next)
		e->calls = e == current;
	lock_drop_fork(&root.shrinkers.lock);
}
