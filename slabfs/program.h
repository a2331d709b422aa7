/* SPDX-License-Identifier: MIT */
/*
 * program.h - the programs that are shown, and their figures at a moment.
 *
 * A moment never changes once it is taken; who holds one reads from it as long as he likes. Figures
 * are asked for anew by whoever opens a file. Two cases share a moment: who came before it was
 * asked for and had to wait meanwhile; and one reader that opens file after file, within 20 ms, as
 * a program answers but once in 10. So a tool that walks the tree sees one moment of a small tree,
 * and cat always the present one. Only which files there are is looked up in a moment that is a
 * little older.
 */
#ifndef SLABFS_PROGRAM_H
#define SLABFS_PROGRAM_H

#include "caches.h"

#include <sys/types.h>

struct moment {
	unsigned refs;
	struct slabstat *h;
	struct slabstat_source *source;
	struct slabstat_snapshot *snapshot;
	struct caches caches;
	enum slabstat_process_state state;
	uint64_t pid;
	uid_t uid;
	int64_t born_ns, wall_ns;	/* wall clock: of the page; of the figures */
	/* monotonic: when they were asked for; when they had come */
	int64_t asked_ns, taken_ns;
	pid_t reader;			/* who did */
	dev_t dev;			/* the page */
	ino_t ino;
};

struct programs;

/* programs_new - *returns owned*; NULL: no memory. */
struct programs *programs_new(void);
void programs_free(struct programs *all);

/* programs_list - the number of each program that is shown, rising. 0 or a negative errno. */
int programs_list(void (*each)(uint64_t pid, void *arg), void *arg);

enum program_need {
	PROGRAM_GLANCE,		/* which files there are */
	PROGRAM_FRESH		/* figures of now */
};

/*
 * program_look - the program of this number: a moment, to be given back by moment_put. reader: the
 * process that wants it; 0 unknown. 0; -ENOENT: there is none; -EIO: its page is damaged; -ENOMEM.
 */
int program_look(struct programs *all, uint64_t pid, pid_t reader, enum program_need need,
		 struct moment **moment);
void moment_put(struct moment *m);

/*
 * program_write - ask the program of a moment: attribute a of a cache of it (attribute.h) gets
 * value. 0 or the program's refusal; -ENODEV: the cache, or the program, is gone.
 */
int program_write(struct programs *all, const struct moment *m, const struct slabstat_cache *cache,
		  int a, uint64_t value);

#endif
