// SPDX-License-Identifier: MIT
/*
 * tune.c - the handle of tuning: names, what can be tuned and why not, actions.
 *
 *	tunedir (where) + rule (what is taken)  ->  tune  ->  plan (journal, write, undo)
 */
#include "slabstat/tune.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *const debug_flags[] = { "sanity_checks", "red_zone", "poison", "store_user",
					   "trace" };

/* ---- the handle ------------------------------------------------------------------------------ */

static int set_up(struct slabstat_tune *t, const struct slabstat_tune_spec *spec)
{
	int err = spec->process ? tunedir_open_page(&t->dir, t->h, spec->process) :
				  tunedir_open(&t->dir, t->h, spec->root);

	if (err)
		return err;
	t->journal_directory = spec->journal ? strdup(spec->journal) : slabstat_journal_directory();
	if (!t->journal_directory)
		return error_set(t->h, -ENOENT, NULL, 0,
				 "no place for the journal: neither XDG_STATE_HOME nor "
				 "HOME is set; name one with --journal");
	if (t->dir.live)
		journal_boot(t->boot);
	else
		strcpy(t->boot, "-");
	t->kernel = spec->kernel;
	t->retired = spec->cpu_slabs_retired;
	t->page_size = spec->page_size;
	return 0;
}

int slabstat_tune_open(struct slabstat *h, const struct slabstat_tune_spec *spec,
		       struct slabstat_tune **tune)
{
	struct slabstat_tune *t = calloc(1, sizeof(*t));
	int err;

	*tune = NULL;
	if (!t)
		return error_memory(h);
	t->h = h;
	t->journal.fd = -1;
	err = set_up(t, spec);
	if (err)
		slabstat_tune_close(t);
	else
		*tune = t;
	return err;
}

void slabstat_tune_close(struct slabstat_tune *tune)
{
	if (!tune)
		return;
	tune_unlock(tune);
	tunedir_close(&tune->dir);
	free(tune->journal_directory);
	free(tune);
}

bool slabstat_tune_program(const struct slabstat_tune *tune)
{
	return tune->dir.page;
}

const char *slabstat_tune_directory(const struct slabstat_tune *tune)
{
	return tune->dir.path;
}

bool slabstat_tune_live(const struct slabstat_tune *tune)
{
	return tune->dir.live;
}

int slabstat_tune_field(size_t i)
{
	return rule_field(i);
}

const char *slabstat_tune_resolve(struct slabstat_tune *tune, const char *name)
{
	return tunedir_resolve(&tune->dir, name);
}

const char *const *slabstat_tune_users(const struct slabstat_tune *tune, const char *directory,
				       size_t *n)
{
	return tunedir_users(&tune->dir, directory, n);
}

int tune_lock(struct slabstat_tune *t)
{
	return t->journal.fd >= 0 ? 0 : journal_lock(&t->journal, t->h, t->journal_directory);
}

void tune_unlock(struct slabstat_tune *t)
{
	if (t->journal.fd >= 0)
		journal_unlock(&t->journal);
}

/* ---- one cache ------------------------------------------------------------------------------- */

int tune_open_cache(const struct slabstat_tune *t, const char *directory,
		    char identity[TUNEDIR_IDENTITY_SIZE])
{
	int cache = tunedir_cache(&t->dir, directory, identity);

	if (cache == -ENOENT)
		error_set(t->h, cache, t->dir.path, 0, "cache \"%s\" is gone", directory);
	else if (cache < 0)
		error_set(t->h, cache, t->dir.path, 0, "cannot open cache \"%s\": %s", directory,
			  strerror(-cache));
	return cache;
}

static bool is_debug(const struct slabstat_tune *t, int cache)
{
	uint64_t value;

	for (size_t i = 0; i < sizeof(debug_flags) / sizeof(debug_flags[0]); i++)
		if (!tunedir_read(&t->dir, cache, debug_flags[i], &value) && value)
			return true;
	return false;
}

void tune_facts(const struct slabstat_tune *t, int cache, enum slabstat_field field,
		struct rule_facts *facts)
{
	uint64_t value;

	*facts = (struct rule_facts){ .kernel = t->kernel, .retired = t->retired,
				      .page_size = t->page_size, .program = t->dir.page };
	if (facts->program)
		facts->sheafless =
			!tunedir_read(&t->dir, cache, "sheaf_capacity", &value) && !value;
	if (field == SLABSTAT_CPU_PARTIAL || field == SLABSTAT_MIN_PARTIAL)
		if (!tunedir_read(&t->dir, cache, "slab_size", &value))
			facts->slab_size = value;
	if (field == SLABSTAT_CPU_PARTIAL)
		facts->debug = is_debug(t, cache);
	if (field == SLABSTAT_FAILSLAB)
		if (!tunedir_read(&t->dir, cache, "aliases", &value))
			facts->aliases = value;
}

const char *tune_explain(const struct slabstat_tune *t, int cache, const char *attribute, int err)
{
	bool denied = err == -EACCES || err == -EPERM;

	if (denied && t->dir.page)
		return "only its user and root may ask it";
	if (denied && !t->dir.live)
		return tunedir_denied(cache, attribute);
	return rule_explain(attribute, err);
}

int slabstat_tune_look(struct slabstat_tune *tune, const char *name, enum slabstat_field field,
		       struct slabstat_tunable *tunable)
{
	const char *directory = tunedir_resolve(&tune->dir, name);
	int cache = directory ? tune_open_cache(tune, directory, NULL) : -ENOENT;
	const char *attribute = rule_attribute(field);
	struct rule_facts facts;
	int err;

	*tunable = (struct slabstat_tunable){ .present = false };
	if (cache < 0)
		return cache;
	if (rule_of_program(field) && !tune->dir.page) {
		tunedir_leave(&tune->dir, cache);
		return 0;
	}
	err = tunedir_writable(&tune->dir, cache, attribute);
	tunable->present = err != -ENOENT;
	tunable->writable = !err;
	tunable->readable = !tunedir_read(&tune->dir, cache, attribute, &tunable->value);
	tune_facts(tune, cache, field, &facts);
	rule_range(&facts, field, &tunable->low, &tunable->high);
	tunable->default_known = rule_standard(&facts, field, &tunable->standard);
	tunable->why = !tunable->present ? (tune->dir.page ? NULL : rule_missing(field)) :
		       err		 ? tune_explain(tune, cache, attribute, err) :
					   rule_note(&facts, field);
	tunedir_leave(&tune->dir, cache);
	return 0;
}

int slabstat_tune_value(struct slabstat_tune *tune, const char *name, enum slabstat_field field,
			uint64_t *value)
{
	const char *directory = tunedir_resolve(&tune->dir, name);
	const char *attribute = slabstat_field_info(field)->sysfs;
	int cache = directory ? tune_open_cache(tune, directory, NULL) : -ENOENT;
	int err;

	if (cache < 0)
		return cache;
	err = attribute ? tunedir_total(&tune->dir, cache, attribute, value) : -ENOENT;
	tunedir_leave(&tune->dir, cache);
	return err ? error_set(tune->h, err, NULL, 0, "%s: %s: %s", name,
			       slabstat_field_info(field)->id, strerror(-err))
		   : 0;
}

/* ---- actions --------------------------------------------------------------------------------- */

static const char *const actions[] = {
	[SLABSTAT_TUNE_SHRINK] = "shrink",
	[SLABSTAT_TUNE_VALIDATE] = "validate",
};

static int act_in_program(struct slabstat_tune *tune, int cache, const char *name,
			  enum slabstat_tune_action action)
{
	int ret = tunedir_writable(&tune->dir, cache, actions[action]);

	if (ret == 0)
		ret = tunedir_write(&tune->dir, cache, actions[action], 1);
	if (ret > 0)
		return error_set(tune->h, -EUCLEAN, NULL, 0,
				 "%s: validate: %d faults; the program has reported each",
				 name, ret);
	return ret ? error_set(tune->h, ret, NULL, 0, "%s: %s: %s", name, actions[action],
			       tune_explain(tune, cache, actions[action], ret)) : 0;
}

static int act(struct slabstat_tune *tune, int cache, const char *name,
	       enum slabstat_tune_action action)
{
	struct rule_facts facts = { .kernel = tune->kernel };
	const char *why;
	int err;

	if (tune->dir.page)
		return act_in_program(tune, cache, name, action);
	if (action == SLABSTAT_TUNE_VALIDATE)
		facts.debug = is_debug(tune, cache);
	err = rule_action(&facts, action, &why);
	if (err)
		return error_set(tune->h, err, NULL, 0,
				 "%s: %s: %s; boot with slab_debug=FZPU,%s for that", name,
				 actions[action], why, name);
	err = tunedir_writable(&tune->dir, cache, actions[action]);
	if (err)
		return error_set(tune->h, err, NULL, 0, "%s: %s: %s", name, actions[action],
				 err == -ENOENT ? "this kernel has no such attribute"
						: tune_explain(tune, cache, actions[action], err));
	err = tunedir_write(&tune->dir, cache, actions[action], 1);
	if (err == -EINVAL && action == SLABSTAT_TUNE_VALIDATE)
		return error_set(
			tune->h, err, NULL, 0,
			"%s: validate: the kernel refused it, which most likely "
			"means that it validates debug caches only; "
			"boot with slab_debug=FZPU,%s for that",
			name, name);
	return err ? error_set(tune->h, err, NULL, 0, "%s: %s: %s", name, actions[action],
			       strerror(-err))
		   : 0;
}

int slabstat_tune_act(struct slabstat_tune *tune, const char *name,
		      enum slabstat_tune_action action)
{
	const char *directory = tunedir_resolve(&tune->dir, name);
	int cache, err;

	if (!directory)
		return slabstat_error(tune->h)->code;
	cache = tune_open_cache(tune, directory, NULL);
	if (cache < 0)
		return cache;
	err = act(tune, cache, name, action);
	tunedir_leave(&tune->dir, cache);
	return err;
}
