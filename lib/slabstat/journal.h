/* SPDX-License-Identifier: MIT */
/*
 * journal.h - what was changed, written down before it is changed.
 *
 * A file of lines that a person can read, only ever appended to. An entry is a number; each line
 * is a verb, that number, words of the form key=value, and a full stop, without which the line
 * was cut off and does not count:
 *
 *	begin 7 time=2026-11-30T10:22:01Z pid=812 boot=4be... dir=/sys/kernel/slab what=run
 *	      temporary=1 command=make%20-j2 .
 *	set 7 cache=:0000256 identity=15244 users=pool_workqueue key=cpu_partial old=52 new=0 .
 *	got 7 cache=:0000256 key=cpu_partial value=0 .	read back after writing
 *	end 7 .			everything written
 *	back 7 cache=:0000256 key=cpu_partial value=52 result=undone .
 *	close 7 .		nothing left to undo
 *
 * begin and its set lines reach the disk (fsync) before the first write to the kernel; an entry
 * without end belongs to a process that was killed on the way. Bytes outside the visible ASCII
 * ones, and % , = are written as %XX. boot is "-" for a copy, whose files outlive a boot.
 *
 * Whoever writes holds the file locked, a temporary change as long as it lasts: two runs exclude
 * each other, and the kernel lets go of the lock of a killed one. Readers need no lock.
 *
 * journal.c locks and writes, journal_log.c reads.
 */
#ifndef SLABSTAT_JOURNAL_H
#define SLABSTAT_JOURNAL_H

#include "slabstat/tunedir.h"
#include "util/arena.h"

#define JOURNAL_LAST UINT32_MAX	/* highest number of an entry */

struct journal {
	struct slabstat *h;
	char *path;
	int fd;			/* -1: closed */
	unsigned long last;	/* highest entry so far; known while locked */
};

/* What a change needs besides what struct slabstat_change shows. */
struct journal_mark {
	char identity[TUNEDIR_IDENTITY_SIZE];	/* of the cache directory */
	bool got;		/* stored is known */
	bool closed;		/* nothing left to undo */
};

struct journal_entry {
	struct slabstat_entry entry;
	const char *boot;
	bool temporary, ended, closed;
	struct slabstat_change *change;	/* entry.changes, writable */
	struct journal_mark *mark;
	size_t room;
};

/* journal_entry_grow - room for one more change. 0 or -ENOMEM. */
int journal_entry_grow(struct journal_entry *e);
void journal_entry_free(struct journal_entry *e);

struct journal_log {
	struct arena arena;
	struct journal_entry *entry;
	size_t count, room;
	size_t bad_lines;	/* cut off or not understood */
};

/* The word for each enum slabstat_change_state. */
extern const char *const journal_results[];

/* journal_boot - this boot's id, "unknown" where the kernel does not tell. */
void journal_boot(char boot[64]);

/*
 * journal_lock - open the journal in a directory, which is made where it is missing, and lock it.
 * -EBUSY: another process is at work, which the error names. journal_unlock closes it.
 */
int journal_lock(struct journal *j, struct slabstat *h, const char *directory);
void journal_unlock(struct journal *j);

/* journal_begin - a new entry, on the disk when this returns; its number in e->entry.id. */
int journal_begin(struct journal *j, struct journal_entry *e);

/* journal_got - what each change of an entry came to; and, with end, that all were made. */
int journal_got(struct journal *j, const struct journal_entry *e, bool end);

/* journal_back - how undoing went; closes the entry if every change of it is closed. */
int journal_back(struct journal *j, const struct journal_entry *e);

/* journal_open - with the error set; journal_locked - is a descriptor's file locked by another? */
int journal_open(struct slabstat *h, const char *directory, int flags, int *fd);
bool journal_locked(int fd);

/*
 * journal_read - every entry, oldest first, in a zero-initialised log. A journal that is not there
 * is an empty one. *locked (may be NULL): somebody else holds it.
 */
int journal_read(struct slabstat *h, const char *directory, struct journal_log *log, bool *locked);
void journal_log_free(struct journal_log *log);

#endif
