// SPDX-License-Identifier: MIT
/*
 * plan.c - changes that are made together or not at all.
 *
 * Planning refuses; applying writes the journal, then the kernel, then reads back. Whatever fails
 * on the way, what was written before it is put back, and the attribute that failed as well: it
 * may have been stored all the same.
 */
#include "slabstat/plan.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <time.h>

struct slabstat_plan *slabstat_plan_new(struct slabstat_tune *tune)
{
	struct slabstat_plan *plan = calloc(1, sizeof(*plan));

	if (plan)
		plan->tune = tune;
	return plan;
}

void slabstat_plan_free(struct slabstat_plan *plan)
{
	if (!plan)
		return;
	journal_entry_free(&plan->e);
	journal_log_free(&plan->log);
	arena_free(&plan->arena);
	free(plan);
}

size_t slabstat_plan_count(const struct slabstat_plan *plan)
{
	return plan->e.entry.count;
}

const struct slabstat_change *slabstat_plan_change(const struct slabstat_plan *plan, size_t i)
{
	return i < plan->e.entry.count ? &plan->e.change[i] : NULL;
}

const char *plan_text(struct slabstat_plan *plan, const char *fmt, ...)
{
	char *text = NULL, *kept = NULL;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (n >= 0) {
		kept = arena_string(&plan->arena, text, (size_t)n);
		free(text);
	}
	return kept;
}

static int no_memory(struct slabstat_plan *plan)
{
	return error_memory(plan->tune->h);
}

/* ---- planning -------------------------------------------------------------------------------- */

/* The same tunable of the same cache is taken once. 1: it is there already. */
static int find_same(struct slabstat_plan *plan, const struct slabstat_change *c)
{
	for (size_t i = 0; i < plan->e.entry.count; i++) {
		const struct slabstat_change *other = &plan->e.change[i];

		if (other->field != c->field || strcmp(other->cache, c->cache))
			continue;
		if (other->wanted == c->wanted)
			return 1;
		return error_set(plan->tune->h, -EEXIST, NULL, 0,
				 "%s and %s are one cache (%s): it cannot have "
				 "%s %" PRIu64 " and %" PRIu64,
				 other->name, c->name, c->cache, rule_attribute(c->field),
				 other->wanted, c->wanted);
	}
	return 0;
}

static int refuse(struct slabstat_plan *plan, const struct slabstat_change *c, int err,
		  const char *why)
{
	return error_set(plan->tune->h, err, NULL, 0, "%s: %s=%" PRIu64 ": %s", c->name,
			 rule_attribute(c->field), c->wanted, why);
}

static int examine(struct slabstat_plan *plan, struct slabstat_change *c, int cache, unsigned flags)
{
	struct slabstat_tune *t = plan->tune;
	struct rule_facts facts;
	const char *why;
	int err = tunedir_writable(&t->dir, cache, rule_attribute(c->field));

	if (err == -ENOENT)
		return refuse(plan, c, err, rule_missing(c->field));
	tune_facts(t, cache, c->field, &facts);
	if (!err) {
		err = rule_check(&facts, c->field, c->wanted, &why);
		if (err && !(err == -EDOM && (flags & SLABSTAT_TUNE_FORCE)))
			return refuse(plan, c, err, why);
		err = 0;
	}
	if (err)
		return refuse(plan, c, err, tune_explain(t, cache, rule_attribute(c->field), err));
	err = tunedir_read(&t->dir, cache, rule_attribute(c->field), &c->old);
	if (err)
		return refuse(plan, c, err,
			      "its present value cannot be read, so it could not be put back");
	return 0;
}

static int append(struct slabstat_plan *plan, const struct slabstat_change *c, const char *identity)
{
	struct journal_entry *e = &plan->e;
	struct slabstat_change *kept;

	if (journal_entry_grow(e))
		return no_memory(plan);
	kept = &e->change[e->entry.count];
	*kept = *c;
	kept->name = arena_string(&plan->arena, c->name, strlen(c->name));
	if (!kept->name)
		return no_memory(plan);
	kept->users = tunedir_users(&plan->tune->dir, c->cache, &kept->user_count);
	e->mark[e->entry.count] = (struct journal_mark){ .got = false };
	memcpy(e->mark[e->entry.count].identity, identity, TUNEDIR_IDENTITY_SIZE);
	e->entry.count++;
	return 0;
}

int slabstat_plan_add(struct slabstat_plan *plan, const char *name, enum slabstat_field field,
		      uint64_t value, unsigned flags)
{
	struct slabstat_tune *t = plan->tune;
	struct slabstat_change c = { .name = name, .field = field, .wanted = value };
	char identity[TUNEDIR_IDENTITY_SIZE] = "";
	int cache, err;

	if (!rule_exists(field))
		return error_set(t->h, -EINVAL, NULL, 0, "%s: not a tunable",
				 slabstat_field_info(field)->id);
	c.cache = tunedir_resolve(&t->dir, name);
	if (!c.cache)
		return slabstat_error(t->h)->code;
	err = find_same(plan, &c);
	if (err)
		return err < 0 ? err : 0;
	cache = tune_open_cache(t, c.cache, identity);
	if (cache < 0)
		return cache;
	err = examine(plan, &c, cache, flags);
	tunedir_leave(&plan->tune->dir, cache);
	return err ? err : append(plan, &c, identity);
}

/* ---- writing --------------------------------------------------------------------------------- */

/* The cache of change i, if it is still the one that was planned for. */
static int open_same(struct slabstat_plan *plan, size_t i)
{
	const struct slabstat_change *c = &plan->e.change[i];
	char identity[TUNEDIR_IDENTITY_SIZE];
	int cache = tune_open_cache(plan->tune, c->cache, identity);

	if (cache < 0 || !strcmp(identity, plan->e.mark[i].identity))
		return cache;
	tunedir_leave(&plan->tune->dir, cache);
	return error_set(plan->tune->h, -ESTALE, NULL, 0,
			 "%s: the cache was destroyed and made anew meanwhile", c->name);
}

/* What stood there may have changed between planning and applying. */
static int look_again(struct slabstat_plan *plan)
{
	for (size_t i = 0; i < plan->e.entry.count; i++) {
		struct slabstat_change *c = &plan->e.change[i];
		int cache = open_same(plan, i), err;

		if (cache < 0)
			return cache;
		err = tunedir_read(&plan->tune->dir, cache, rule_attribute(c->field), &c->old);
		tunedir_leave(&plan->tune->dir, cache);
		if (err)
			return refuse(plan, c, err, "its present value cannot be read");
	}
	return 0;
}

static int write_and_read(struct slabstat_plan *plan, struct slabstat_change *c, int cache)
{
	const struct tunedir *dir = &plan->tune->dir;
	const char *attribute = rule_attribute(c->field);
	int err = tunedir_write(dir, cache, attribute, c->wanted);

	if (err)
		return refuse(plan, c, err, tune_explain(plan->tune, cache, attribute, err));
	err = tunedir_read(dir, cache, attribute, &c->stored);
	if (err)
		return error_set(plan->tune->h, err, NULL, 0,
				 "%s: %s=%" PRIu64 " was written, but cannot be read back: %s",
				 c->name, attribute, c->wanted, strerror(-err));
	c->text = NULL;
	if (c->stored != c->wanted)
		c->text = plan_text(plan, "the kernel stored %" PRIu64 ", not %" PRIu64, c->stored,
				    c->wanted);
	return 0;
}

static int make(struct slabstat_plan *plan, size_t i)
{
	struct slabstat_change *c = &plan->e.change[i];
	int cache = open_same(plan, i), err = 0;

	if (cache < 0)
		return cache;
	c->stored = c->old;
	c->text = NULL;
	if (c->old != c->wanted)
		err = write_and_read(plan, c, cache);
	tunedir_leave(&plan->tune->dir, cache);
	c->state = err ? SLABSTAT_CHANGE_FAILED : SLABSTAT_CHANGE_MADE;
	if (err)
		return err;
	plan->e.mark[i].got = true;
	return 0;
}

static bool same_cache(struct slabstat_plan *plan, size_t i, int cache, const char *identity)
{
	struct slabstat_change *c = &plan->e.change[i];

	if (cache >= 0 && !strcmp(identity, plan->e.mark[i].identity))
		return true;
	c->state = SLABSTAT_CHANGE_GONE;
	c->text = "the cache is gone";
	if (cache >= 0)
		c->text = "the cache was destroyed and made anew since: left as it is";
	if (cache < 0 && cache != -ENOENT) {
		c->state = SLABSTAT_CHANGE_FAILED;
		c->text = plan_text(plan, "cannot be opened: %s", strerror(-cache));
	}
	return false;
}

static void put_back(struct slabstat_plan *plan, struct slabstat_change *c, int cache)
{
	const struct tunedir *dir = &plan->tune->dir;
	const char *attribute = rule_attribute(c->field);
	uint64_t now;
	int err = tunedir_write(dir, cache, attribute, c->old);

	c->state = SLABSTAT_CHANGE_FAILED;
	if (err == -ENOENT || err == -ENODEV) {
		c->state = SLABSTAT_CHANGE_GONE;
		c->text = "the cache is gone";
	} else if (err) {
		c->text = tune_explain(plan->tune, cache, attribute, err);
	} else if ((err = tunedir_read(dir, cache, attribute, &now))) {
		c->text =
			plan_text(plan, "was written, but cannot be read back: %s", strerror(-err));
	} else if (now != c->old) {
		c->text =
			plan_text(plan, "the kernel stored %" PRIu64 ", not %" PRIu64, now, c->old);
	} else {
		c->state = SLABSTAT_CHANGE_UNDONE;
	}
}

bool plan_restore(struct slabstat_plan *plan, size_t i, bool whatever)
{
	struct slabstat_change *c = &plan->e.change[i];
	char identity[TUNEDIR_IDENTITY_SIZE] = "";
	int cache = tunedir_cache(&plan->tune->dir, c->cache, identity);
	uint64_t now;
	int err;

	c->text = NULL;
	if (same_cache(plan, i, cache, identity)) {
		err = tunedir_read(&plan->tune->dir, cache, rule_attribute(c->field), &now);
		if (!err && now == c->old) {
			c->state = SLABSTAT_CHANGE_UNDONE;
		} else if (!err && !whatever && now != c->stored) {
			c->state = SLABSTAT_CHANGE_FOREIGN;
			c->text = plan_text(plan,
					    "is %" PRIu64 ", not %" PRIu64
					    ": changed by something else "
					    "since, and left alone",
					    now, c->stored);
		} else {
			put_back(plan, c, cache);
		}
	}
	if (cache >= 0)
		tunedir_leave(&plan->tune->dir, cache);
	if (c->state == SLABSTAT_CHANGE_UNDONE)
		c->stored = c->old;
	plan->e.mark[i].closed =
		c->state == SLABSTAT_CHANGE_UNDONE || c->state == SLABSTAT_CHANGE_GONE;
	return plan->e.mark[i].closed;
}

/* ---- applying -------------------------------------------------------------------------------- */

/* Undo changes 0 to last after one of them failed; the error that made us do it gets an ending. */
static void roll_back(struct slabstat_plan *plan, size_t last)
{
	struct slabstat *h = plan->tune->h;
	int err = slabstat_error(h)->code;
	char *reason = slabstat_error(h)->text ? strdup(slabstat_error(h)->text) : NULL;
	bool all = true;

	for (size_t i = plan->e.entry.count; i-- > 0; ) {
		if (i > last)
			plan->e.mark[i].closed = true;
		else
			all = plan_restore(plan, i, true) && all;
	}
	journal_back(&plan->tune->journal, &plan->e);
	if (all)
		error_set(h, err, NULL, 0, "%s; %s", reason ? reason : "out of memory",
			  last ? "what was written before is put back" : "nothing is changed");
	else
		error_set(h, err, NULL, 0,
			  "%s; NOT everything could be put back: entry %lu of the journal tells "
			  "what is left",
			  reason ? reason : "out of memory", plan->e.entry.id);
	free(reason);
}

static int write_all(struct slabstat_plan *plan)
{
	size_t n = plan->e.entry.count;
	int err;

	for (size_t i = 0; i < n; i++) {
		err = make(plan, i);
		if (err) {
			roll_back(plan, i);
			return err;
		}
	}
	err = journal_got(&plan->tune->journal, &plan->e, true);
	if (err)
		roll_back(plan, n - 1);
	return err;
}

int slabstat_plan_apply(struct slabstat_plan *plan, const struct slabstat_occasion *why)
{
	struct slabstat_tune *t = plan->tune;
	struct journal_entry *e = &plan->e;
	int err;

	if (!e->entry.count)
		return 0;
	err = tune_lock(t);
	if (err)
		return err;
	e->entry.wall_s = (int64_t)time(NULL);
	e->entry.pid = (long)getpid();
	e->entry.directory = t->dir.path;
	e->entry.what = plan_text(plan, "%s", why->what);
	e->entry.command = why->command ? plan_text(plan, "%s", why->command) : NULL;
	e->temporary = why->temporary;
	e->boot = t->boot;
	err = e->entry.what ? look_again(plan) : no_memory(plan);
	if (!err)
		err = journal_begin(&t->journal, e);
	if (!err)
		err = write_all(plan);
	plan->applied = !err;
	if (err || !e->temporary)
		tune_unlock(t);
	return err;
}

int slabstat_plan_switch(struct slabstat_plan *plan, size_t i, uint64_t value)
{
	struct slabstat_change *c = &plan->e.change[i];
	int cache, err;

	if (!plan->applied || !plan->e.temporary)
		return error_set(plan->tune->h, -EINVAL, NULL, 0,
				 "only a temporary change that is in force can be "
				 "given another value");
	cache = open_same(plan, i);
	if (cache < 0)
		return cache;
	c->wanted = value;
	err = write_and_read(plan, c, cache);
	tunedir_leave(&plan->tune->dir, cache);
	return err;
}

int slabstat_plan_revert(struct slabstat_plan *plan)
{
	struct slabstat_tune *t = plan->tune;
	bool all = true;
	int err;

	if (!plan->applied)
		return 0;
	err = tune_lock(t);
	if (err)
		return err;
	for (size_t i = plan->e.entry.count; i-- > 0; )
		all = plan_restore(plan, i, plan->e.temporary) && all;
	err = journal_back(&t->journal, &plan->e);
	tune_unlock(t);
	plan->applied = false;
	if (!all)
		return error_set(t->h, -EIO, NULL, 0,
				 "not every old value could be restored; entry %lu of the "
				 "journal tells what is left",
				 plan->e.entry.id);
	return err;
}
