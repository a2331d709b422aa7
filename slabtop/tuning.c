// SPDX-License-Identifier: MIT
/* tuning.c - setting tunables from the page of a cache; see tuning.h. */
#include "tuning.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "top.h"
#include "util/num.h"
#include "util/safe.h"

void tuning_free(struct tuning *u)
{
	slabstat_plan_free(u->plan);
	slabstat_tune_close(u->tune);
	*u = (struct tuning){ 0 };
}

static unsigned stop(struct top *t, struct tuning *u, const char *why)
{
	top_warn(t, "%s", why ? why : "that did not work");
	tuning_free(u);
	return ENGINE_REDRAW;
}

static unsigned stop_error(struct top *t, struct tuning *u)
{
	return stop(t, u, slabstat_error(t->h)->text);
}

static bool open_tune(struct top *t, struct tuning *u)
{
	const struct slabstat_machine *m = slabstat_snapshot_machine(t->feed.snapshot);
	struct slabstat_tune_spec spec = {
		.root = t->options->source.root, .process = t->options->source.process,
		.journal = t->options->journal, .kernel = m->kernel,
		.cpu_slabs_retired = m->cpu_slabs_retired, .page_size = m->page_size,
	};

	tuning_free(u);
	if (t->feed.opts->files) {
		top_say(t, "a file cannot be tuned");
		return false;
	}
	if (slabstat_tune_open(t->h, &spec, &u->tune) == 0)
		return true;
	stop_error(t, u);
	return false;
}

/* "min_partial=5 cpu_partial=52": what can be set here, with what stands there. */
static void list_tunables(struct tuning *u, const char *name, char *buf, size_t size)
{
	size_t at = 0;
	int field;

	buf[0] = '\0';
	for (size_t i = 0; (field = slabstat_tune_field(i)) >= 0 && at < size; i++) {
		struct slabstat_tunable x;

		if (slabstat_tune_look(u->tune, name, (enum slabstat_field)field, &x) == 0 &&
		    x.present && x.writable && x.readable)
			at += (size_t)snprintf(buf + at, size - at, "%s%s=%" PRIu64, at ? " " : "",
					       slabstat_field_info((enum slabstat_field)field)->id,
					       x.value);
	}
}

unsigned tuning_ask(struct top *t, struct tuning *u, const struct slabstat_cache *cache)
{
	char can[256], label[300];

	if (!open_tune(t, u))
		return ENGINE_REDRAW;
	list_tunables(u, slabstat_cache_name(cache), can, sizeof(can));
	if (!*can)
		return stop(t, u, "nothing can be set here: slabinfo tune says why");
	snprintf(label, sizeof(label), "set (%s): ", can);
	return top_ask(t, FOR_TUNABLE, label, "", false);
}

/* "key=value" or "key value". False after a message. */
static bool parse(struct top *t, const char *text, int *field, uint64_t *value)
{
	size_t key = strcspn(text, "= ");
	char name[64];

	if (key < sizeof(name) && text[key]) {
		memcpy(name, text, key);
		name[key] = '\0';
		*field = slabstat_field_find(name);
		if (*field < 0)
			top_warn(t, "no tunable is called %s", name);
		else if (num_parse_u64(text + key + 1, value) != 0)
			top_warn(t, "not a number: %s", text + key + 1);
		else
			return true;
		return false;
	}
	top_warn(t, "say what and how much: min_partial=10");
	return false;
}

static unsigned ask_change(struct top *t, const struct slabstat_change *c, const char *verb,
			   uint64_t from, uint64_t to, enum purpose purpose)
{
	char label[300], users[64] = "", *name = safe_text(c->name ? c->name : c->cache, 0);

	if (c->user_count > 1)
		snprintf(users, sizeof(users), " (%zu users)", c->user_count);
	snprintf(label, sizeof(label), "%s %s of %s%s: %" PRIu64 " -> %" PRIu64 "? (y/n) ", verb,
		 slabstat_field_info(c->field)->id, name ? name : "?", users, from, to);
	free(name);
	return top_ask(t, purpose, label, "", true);
}

static unsigned plan_change(struct top *t, struct tuning *u, const struct slabstat_cache *cache)
{
	const struct slabstat_change *c;
	uint64_t value;
	int field;

	if (!parse(t, t->prompt.text, &field, &value)) {
		tuning_free(u);
		return ENGINE_REDRAW;
	}
	u->plan = slabstat_plan_new(u->tune);
	if (!u->plan || slabstat_plan_add(u->plan, slabstat_cache_name(cache),
					  (enum slabstat_field)field, value, 0) != 0)
		return stop_error(t, u);
	c = slabstat_plan_change(u->plan, 0);
	return ask_change(t, c, "set", c->old, c->wanted, FOR_TUNING);
}

static unsigned apply_change(struct top *t, struct tuning *u)
{
	struct slabstat_occasion why = { .what = "tune" };
	const struct slabstat_change *c;

	if (slabstat_plan_apply(u->plan, &why) != 0)
		return stop_error(t, u);
	c = slabstat_plan_change(u->plan, 0);
	if (c->stored != c->wanted)
		top_warn(t, "%s: %" PRIu64 " -> %" PRIu64 "; the kernel stored %" PRIu64,
			 slabstat_field_info(c->field)->id, c->old, c->wanted, c->stored);
	else
		top_say(t, "%s: %" PRIu64 " -> %" PRIu64 "; U takes it back",
			slabstat_field_info(c->field)->id, c->old, c->stored);
	tuning_free(u);
	t->amend = true;
	return ENGINE_SAMPLE;
}

/* The last entry of the journal that changed this cache and can be undone. */
static const struct slabstat_entry *last_entry(const struct slabstat_history *h,
					       const char *directory)
{
	for (size_t i = slabstat_history_count(h); i-- > 0;) {
		const struct slabstat_entry *e = slabstat_history_entry(h, i);

		if (e->state != SLABSTAT_ENTRY_OPEN && e->state != SLABSTAT_ENTRY_LEFT)
			continue;
		for (size_t k = 0; k < e->count; k++)
			if (strcmp(e->changes[k].cache, directory) == 0)
				return e;
	}
	return NULL;
}

unsigned tuning_ask_undo(struct top *t, struct tuning *u, const struct slabstat_cache *cache)
{
	struct slabstat_history *history = NULL;
	const struct slabstat_entry *e = NULL;
	const char *directory;
	unsigned dirty;

	if (!open_tune(t, u))
		return ENGINE_REDRAW;
	directory = slabstat_tune_resolve(u->tune, slabstat_cache_name(cache));
	if (!directory || slabstat_history_read(u->tune, &history) != 0)
		return stop_error(t, u);
	e = last_entry(history, directory);
	if (!e) {
		dirty = stop(t, u,
			     "nothing to undo: no open change of this cache is in the journal");
	} else {
		u->undo = e->id;
		dirty = ask_change(t, &e->changes[0], "undo", e->changes[0].stored,
				   e->changes[0].old, FOR_UNDO);
	}
	slabstat_history_free(history);
	return dirty;
}

static unsigned undo(struct top *t, struct tuning *u)
{
	const struct slabstat_change *c;

	if (slabstat_tune_undo(u->tune, u->undo, 0, &u->plan) != 0)
		return stop_error(t, u);
	c = slabstat_plan_change(u->plan, 0);
	top_say(t, "%s is %" PRIu64 " again", slabstat_field_info(c->field)->id, c->old);
	tuning_free(u);
	t->amend = true;
	return ENGINE_SAMPLE;
}

unsigned tuning_typed(struct top *t, struct tuning *u, const struct slabstat_cache *cache,
		      bool accepted)
{
	if (!accepted || !cache || !u->tune) {
		tuning_free(u);
		top_say(t, "nothing was written");
		return ENGINE_REDRAW;
	}
	switch (t->purpose) {
	case FOR_TUNABLE: return plan_change(t, u, cache);
	case FOR_TUNING: return apply_change(t, u);
	default: return undo(t, u);
	}
}
