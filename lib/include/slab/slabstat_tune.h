/* SPDX-License-Identifier: MIT */
/*
 * slab/slabstat_tune.h - tunables of slab caches: plans, their journal and undo (included by
 * slabstat.h; the words *returned owned*, *borrows* and *takes* are explained there).
 */
#ifndef SLAB_SLABSTAT_TUNE_H
#define SLAB_SLABSTAT_TUNE_H

#include <slab/slabstat.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A tunable is a field of kind SLABSTAT_KIND_TUNABLE with a sysfs attribute. A change is made in
 * four steps: open the slab directory, plan (every refusal comes here, before anything is
 * written), apply, undo. What is applied stands in a journal first, so that it can be undone
 * later, by another process, or after this one was killed.
 *
 * Confinement: a cache name is one path component, taken literally. No symbolic link is followed
 * but an alias to a directory that stands beside it, and only a plain file with one name, called
 * as the tunable is, is ever opened for writing.
 *
 * Live is what lies on sysfs; anything else is a copy, in which the same steps edit plain files.
 */
struct slabstat_tune;

/* Zero-initialise. Strings are copied. */
struct slabstat_tune_spec {
	const char *root;	/* as in slabstat_spec; NULL: the running kernel */
	/* a program, as in slabstat_spec: asked to do it through its page */
	const char *process;
	const char *journal;	/* directory of the journal; NULL: slabstat_journal_directory() */
	/*
	 * Of the machine that is tuned, as in struct slabstat_machine. 0: unknown; what depends on
	 * it is then left to the kernel to refuse.
	 */
	unsigned kernel;
	bool cpu_slabs_retired;
	uint64_t page_size;
};

/* slabstat_tune_open - *returns owned* in *tune. The list of names is read once, here. */
SLABSTAT_API int slabstat_tune_open(struct slabstat *h, const struct slabstat_tune_spec *spec,
				    struct slabstat_tune **tune);
/* slabstat_tune_close - lets go of the journal's lock; undoes nothing. */
SLABSTAT_API void slabstat_tune_close(struct slabstat_tune *tune);

/* slabstat_tune_directory - the slab directory that is tuned; *borrows*. */
SLABSTAT_API const char *slabstat_tune_directory(const struct slabstat_tune *tune);
SLABSTAT_API bool slabstat_tune_live(const struct slabstat_tune *tune);
/* slabstat_tune_program - a program is tuned; the directory is then its page. */
SLABSTAT_API bool slabstat_tune_program(const struct slabstat_tune *tune);

/* slabstat_tune_field - tunable i, from 0; -ENOENT past the last. */
SLABSTAT_API int slabstat_tune_field(size_t i);

/*
 * slabstat_tune_resolve - the directory that a cache or alias name stands for, exactly as written;
 * *borrows*. NULL with the error set where there is none or the name leads elsewhere.
 */
SLABSTAT_API const char *slabstat_tune_resolve(struct slabstat_tune *tune, const char *name);

/* slabstat_tune_users - aliases of a cache directory, in order of name; *borrows*. */
SLABSTAT_API const char *const *slabstat_tune_users(const struct slabstat_tune *tune,
						    const char *directory, size_t *n);

/* One tunable of one cache, as it stands. */
struct slabstat_tunable {
	bool present;		/* the attribute exists */
	bool readable;		/* value is known */
	bool default_known;	/* standard is what the kernel gave the cache when it was made */
	bool writable;		/* here and by us */
	uint64_t value, standard;
	uint64_t low, high;	/* what the kernel takes (or makes of what it is given) */
	/* one clause: why not present, readable or writable, or what to know; or NULL */
	const char *why;
};

/* slabstat_tune_look - 0, or an error where there is no such cache. Strings are constant. */
SLABSTAT_API int slabstat_tune_look(struct slabstat_tune *tune, const char *name,
				    enum slabstat_field field, struct slabstat_tunable *tunable);

/*
 * slabstat_tune_value - the total that an attribute of one cache gives at this moment, for those
 * who watch what tuning does. -ENOENT: this kernel has no such attribute.
 */
SLABSTAT_API int slabstat_tune_value(struct slabstat_tune *tune, const char *name,
				     enum slabstat_field field, uint64_t *value);

/* Actions: attributes that do something when 1 is written to them. There is nothing to undo. */
enum slabstat_tune_action {
	SLABSTAT_TUNE_SHRINK,	/* give empty slabs back, flush what CPUs hold */
	/* check every object of a debug cache; findings go to the kernel log */
	SLABSTAT_TUNE_VALIDATE
};

/* slabstat_tune_act - refuses, without a write, what this kernel would refuse. */
SLABSTAT_API int slabstat_tune_act(struct slabstat_tune *tune, const char *name,
				   enum slabstat_tune_action action);

/*
 * Of a program (slabstat_spec.process): the same at once, for a cache of a snapshot of that source,
 * with no journal and no limits but the program's own. slabstat_source_tune sets a tunable or
 * SLABSTAT_SHEAF_CAPACITY. What slab(3) refuses is refused with the same error; -ENOENT: the cache
 * is gone; -ESRCH: the program is; -EPERM: its page is not ours to write to; -ETIMEDOUT: it did not
 * answer; -EUCLEAN: a validation found faults; -ENOTSUP: the source is no program.
 */
SLABSTAT_API int slabstat_source_tune(struct slabstat_source *source,
				      const struct slabstat_cache *cache, enum slabstat_field field,
				      uint64_t value);
SLABSTAT_API int slabstat_source_act(struct slabstat_source *source,
				     const struct slabstat_cache *cache,
				     enum slabstat_tune_action action);

/* ---- plans: changes that are made together or not at all ------------------------------------- */

/* beyond our own limits of sanity; undo over what others wrote since */
#define SLABSTAT_TUNE_FORCE 1u

enum slabstat_change_state {
	SLABSTAT_CHANGE_PLANNED,	/* nothing written */
	/* written and read back: stored is what the kernel made of it */
	SLABSTAT_CHANGE_MADE,
	SLABSTAT_CHANGE_UNDONE,		/* has its old value */
	SLABSTAT_CHANGE_FOREIGN,	/* not undone: somebody else changed it since */
	/* not undone: the cache is gone, or was destroyed and made anew */
	SLABSTAT_CHANGE_GONE,
	SLABSTAT_CHANGE_FAILED		/* could not be written or read back */
};

struct slabstat_change {
	const char *cache;	/* directory */
	const char *name;	/* as it was asked for */
	const char *const *users;	/* aliases that share the cache */
	size_t user_count;
	enum slabstat_field field;
	enum slabstat_change_state state;
	uint64_t old, wanted, stored;
	const char *text;	/* what there is to say about it, or NULL */
};

struct slabstat_plan;

/* slabstat_plan_new - an empty plan, *returned owned*; borrows tune. NULL: no memory. */
SLABSTAT_API struct slabstat_plan *slabstat_plan_new(struct slabstat_tune *tune);
SLABSTAT_API void slabstat_plan_free(struct slabstat_plan *plan);

/*
 * slabstat_plan_add - one more change. Refused, with the reason, if this kernel would refuse it:
 * -ENOENT no such cache or attribute; -EINVAL, -ERANGE the value; -EACCES, -EPERM, -EROFS not
 * writable; -EDOM within what the kernel takes but beyond our limits (SLABSTAT_TUNE_FORCE);
 * -EEXIST the same tunable of the same cache, by this or another name, with another value.
 * The same with the same value is taken once.
 */
SLABSTAT_API int slabstat_plan_add(struct slabstat_plan *plan, const char *name,
				   enum slabstat_field field, uint64_t value, unsigned flags);
SLABSTAT_API size_t slabstat_plan_count(const struct slabstat_plan *plan);
SLABSTAT_API const struct slabstat_change *slabstat_plan_change(const struct slabstat_plan *plan,
								size_t i);

/* Why a change is made; stands in the journal. */
struct slabstat_occasion {
	const char *what;	/* one word: "tune", "run", "ab" */
	const char *command;	/* what runs meanwhile, for the history; or NULL */
	/* to be undone by slabstat_plan_revert: keeps others out until then */
	bool temporary;
};

/*
 * slabstat_plan_apply - journal, write, read back. On any failure what was written is put back and
 * the error says so. -EBUSY: another process is tuning. -ESTALE: a cache was made anew since it
 * was planned. A value that the kernel changed (stored != wanted) is no failure.
 */
SLABSTAT_API int slabstat_plan_apply(struct slabstat_plan *plan,
				     const struct slabstat_occasion *why);

/*
 * slabstat_plan_switch - within an applied temporary plan, give change i another value; reverting
 * still restores what stood there first.
 */
SLABSTAT_API int slabstat_plan_switch(struct slabstat_plan *plan, size_t i, uint64_t value);

/* slabstat_plan_revert - restore the old values; each change's state and text say how it went. */
SLABSTAT_API int slabstat_plan_revert(struct slabstat_plan *plan);

/* ---- journal: what was changed, and undo ----------------------------------------------------- */

/*
 * slabstat_journal_directory - where the journal stands unless told otherwise: /var/lib/slabinfo
 * for root, else $XDG_STATE_HOME/slabinfo, else ~/.local/state/slabinfo. *returns owned* (free());
 * NULL where no place can be told.
 */
SLABSTAT_API char *slabstat_journal_directory(void);

enum slabstat_entry_state {
	SLABSTAT_ENTRY_OPEN,	/* made, can be undone */
	SLABSTAT_ENTRY_RUNNING,	/* temporary, and its process is at work */
	SLABSTAT_ENTRY_LEFT,	/* its process died before it had finished or put things back */
	SLABSTAT_ENTRY_UNDONE,	/* nothing left to undo */
	SLABSTAT_ENTRY_EXPIRED	/* of an earlier boot: the kernel has forgotten it */
};

struct slabstat_entry {
	unsigned long id;	/* from 1, in order of time */
	enum slabstat_entry_state state;
	int64_t wall_s;		/* seconds since the epoch */
	long pid;
	const char *directory;	/* slab directory */
	bool here;		/* ... and it is the one that is tuned */
	const char *what, *command;	/* struct slabstat_occasion; command may be NULL */
	const struct slabstat_change *changes;
	size_t count;
};

/* slabstat_history - every entry of the journal, oldest first, *returned owned*. */
struct slabstat_history;
SLABSTAT_API int slabstat_history_read(struct slabstat_tune *tune,
				       struct slabstat_history **history);
SLABSTAT_API void slabstat_history_free(struct slabstat_history *history);
SLABSTAT_API size_t slabstat_history_count(const struct slabstat_history *history);
SLABSTAT_API const struct slabstat_entry *
slabstat_history_entry(const struct slabstat_history *history, size_t i);

/* slabstat_history_bad_lines - lines that were cut off or make no sense, and were passed over. */
SLABSTAT_API size_t slabstat_history_bad_lines(const struct slabstat_history *history);

/*
 * slabstat_tune_undo - undo entry id, or with 0 the last one that can be undone of this slab
 * directory. *plan, *returned owned*, tells change by change. -ENOENT: there is none; -EALREADY:
 * it is undone; -ESTALE: it is of an earlier boot; -EXDEV: of another directory; -EBUSY: another
 * process is tuning, or a later entry changed the same tunable; -EIO: some values were not
 * restored. A value that somebody else changed since is left alone without SLABSTAT_TUNE_FORCE
 * (-EIO too); one left by a killed process is restored whatever stands there.
 */
SLABSTAT_API int slabstat_tune_undo(struct slabstat_tune *tune, unsigned long id, unsigned flags,
				    struct slabstat_plan **plan);

#ifdef __cplusplus
}
#endif

#endif
