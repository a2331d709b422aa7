// SPDX-License-Identifier: MIT
/*
 * undo.c - what the journal is for: the history, and undoing an entry of it.
 *
 * An entry of an earlier boot is never applied: the kernel started afresh and has forgotten its
 * values. A copy's files outlive a boot, and so do its entries. What a finished command left is
 * restored only where its own value still stands; what a killed one left, whatever stands there.
 */
#include "slabstat/plan.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

struct slabstat_history {
	struct journal_log log;
};

/* ---- what an entry is ------------------------------------------------------------------------ */

static bool is_copy(const struct journal_entry *e)
{
	return !strcmp(e->boot, "-");
}

static bool is_expired(const struct journal_entry *e)
{
	char boot[64];

	if (is_copy(e))
		return false;
	journal_boot(boot);
	return !strcmp(boot, "unknown") || strcmp(e->boot, boot);
}

/* The live directory is one, by whatever path it was reached. */
static bool is_here(const struct slabstat_tune *t, const struct journal_entry *e)
{
	return is_copy(e) ? !t->dir.live && !strcmp(e->entry.directory, t->dir.path) : t->dir.live;
}

static bool is_closed(const struct journal_entry *e)
{
	for (size_t i = 0; i < e->entry.count; i++)
		if (!e->mark[i].closed)
			return e->closed;
	return true;
}

static enum slabstat_entry_state state_of(const struct journal_entry *e, bool locked)
{
	if (is_closed(e))
		return SLABSTAT_ENTRY_UNDONE;
	if (is_expired(e))
		return SLABSTAT_ENTRY_EXPIRED;
	if (e->ended && !e->temporary)
		return SLABSTAT_ENTRY_OPEN;
	if (locked && e->entry.pid > 0 && (kill((pid_t)e->entry.pid, 0) == 0 || errno == EPERM))
		return SLABSTAT_ENTRY_RUNNING;
	return SLABSTAT_ENTRY_LEFT;
}

/* ---- history --------------------------------------------------------------------------------- */

int slabstat_history_read(struct slabstat_tune *tune, struct slabstat_history **history)
{
	struct slabstat_history *all = calloc(1, sizeof(*all));
	bool locked;
	int err;

	*history = NULL;
	if (!all)
		return error_memory(tune->h);
	err = journal_read(tune->h, tune->journal_directory, &all->log, &locked);
	if (err) {
		free(all);
		return err;
	}
	for (size_t i = 0; i < all->log.count; i++) {
		all->log.entry[i].entry.state = state_of(&all->log.entry[i], locked);
		all->log.entry[i].entry.here = is_here(tune, &all->log.entry[i]);
	}
	*history = all;
	return 0;
}

void slabstat_history_free(struct slabstat_history *history)
{
	if (history)
		journal_log_free(&history->log);
	free(history);
}

size_t slabstat_history_count(const struct slabstat_history *history)
{
	return history->log.count;
}

const struct slabstat_entry *slabstat_history_entry(const struct slabstat_history *history,
						    size_t i)
{
	return i < history->log.count ? &history->log.entry[i].entry : NULL;
}

size_t slabstat_history_bad_lines(const struct slabstat_history *history)
{
	return history->log.bad_lines;
}

/* ---- undo ------------------------------------------------------------------------------------ */

static struct journal_entry *find_last(const struct slabstat_tune *t, struct journal_log *log)
{
	for (size_t i = log->count; i-- > 0; ) {
		struct journal_entry *e = &log->entry[i];

		if (is_here(t, e) && !is_closed(e) && !is_expired(e))
			return e;
	}
	error_set(t->h, -ENOENT, NULL, 0, "there is nothing to undo for %s", t->dir.path);
	return NULL;
}

static struct journal_entry *find_entry(const struct slabstat_tune *t, struct journal_log *log,
					unsigned long id)
{
	for (size_t i = 0; i < log->count; i++)
		if (log->entry[i].entry.id == id)
			return &log->entry[i];
	error_set(t->h, -ENOENT, NULL, 0, "the journal has no entry %lu", id);
	return NULL;
}

static bool is_same(const struct slabstat_change *a, const struct slabstat_change *b)
{
	return a->field == b->field && !strcmp(a->cache, b->cache);
}

/* A later entry that is still open and changed one of the same tunables, or NULL. */
static const struct journal_entry *find_later(const struct slabstat_tune *t,
					      const struct journal_log *log,
					      const struct journal_entry *e)
{
	for (const struct journal_entry *l = e + 1; l < log->entry + log->count; l++) {
		if (is_closed(l) || is_expired(l) || !is_here(t, l))
			continue;
		for (size_t i = 0; i < l->entry.count; i++)
			for (size_t k = 0; k < e->entry.count; k++)
				if (!l->mark[i].closed && !e->mark[k].closed &&
				    is_same(&l->change[i], &e->change[k]))
					return l;
	}
	return NULL;
}

static int check_entry(const struct slabstat_tune *t, const struct journal_log *log,
		       const struct journal_entry *e)
{
	const struct journal_entry *later;

	if (is_closed(e))
		return error_set(t->h, -EALREADY, NULL, 0, "entry %lu is undone already",
				 e->entry.id);
	if (is_expired(e))
		return error_set(t->h, -ESTALE, NULL, 0,
				 "entry %lu belongs to an earlier boot: the kernel "
				 "started with its own values, there is nothing to undo",
				 e->entry.id);
	if (!is_here(t, e))
		return error_set(t->h, -EXDEV, NULL, 0, "entry %lu belongs to %s", e->entry.id,
				 e->entry.directory);
	later = find_later(t, log, e);
	if (later)
		return error_set(t->h, -EBUSY, NULL, 0,
				 "entry %lu changed the same tunable later: undo that one "
				 "first",
				 later->entry.id);
	return 0;
}

/* Take the open changes of an entry into a plan, which owns the log from then on. */
static int take_changes(struct slabstat_plan *plan, const struct journal_entry *from)
{
	struct journal_entry *e = &plan->e;

	e->entry = from->entry;
	e->entry.count = 0;
	e->entry.changes = NULL;
	e->boot = from->boot;
	e->temporary = from->temporary;
	e->ended = from->ended;
	for (size_t i = 0; i < from->entry.count; i++) {
		if (from->mark[i].closed)
			continue;
		if (journal_entry_grow(e))
			return error_memory(plan->tune->h);
		e->change[e->entry.count] = from->change[i];
		e->mark[e->entry.count++] = from->mark[i];
	}
	return 0;
}

static void tell_users(struct slabstat_plan *plan, struct slabstat_change *c)
{
	size_t n;
	const char *const *users = tunedir_users(&plan->tune->dir, c->cache, &n);
	bool same = n == c->user_count;

	for (size_t i = 0; same && i < n; i++)
		same = !strcmp(users[i], c->users[i]);
	if (!same && c->state == SLABSTAT_CHANGE_UNDONE)
		c->text = plan_text(plan, "shared by other users by now (%zu, then %zu)", n,
				    c->user_count);
}

static int undo_changes(struct slabstat_plan *plan, bool force)
{
	struct journal_entry *e = &plan->e;
	bool whatever = force || e->temporary || !e->ended, all = true;
	int err;

	for (size_t i = e->entry.count; i-- > 0; ) {
		all = plan_restore(plan, i, whatever) && all;
		tell_users(plan, &e->change[i]);
	}
	err = journal_back(&plan->tune->journal, e);
	if (!all)
		return error_set(plan->tune->h, -EIO, NULL, 0,
				 "not every value of entry %lu was restored", e->entry.id);
	return err;
}

static int undo_locked(struct slabstat_plan *plan, unsigned long id, unsigned flags)
{
	struct slabstat_tune *t = plan->tune;
	struct journal_entry *e;
	int err = journal_read(t->h, t->journal_directory, &plan->log, NULL);

	if (err)
		return err;
	e = id ? find_entry(t, &plan->log, id) : find_last(t, &plan->log);
	if (!e)
		return -ENOENT;
	err = check_entry(t, &plan->log, e);
	if (!err)
		err = take_changes(plan, e);
	return err ? err : undo_changes(plan, flags & SLABSTAT_TUNE_FORCE);
}

int slabstat_tune_undo(struct slabstat_tune *tune, unsigned long id, unsigned flags,
		       struct slabstat_plan **plan)
{
	bool held = tune->journal.fd >= 0;
	int err;

	*plan = slabstat_plan_new(tune);
	if (!*plan)
		return error_memory(tune->h);
	err = tune_lock(tune);
	if (!err)
		err = undo_locked(*plan, id, flags);
	if (!held)
		tune_unlock(tune);
	return err;
}
