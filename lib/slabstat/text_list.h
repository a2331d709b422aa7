/* SPDX-License-Identifier: MIT */
/*
 * text_list.h - the lists of the kernel's slabinfo: -l, -S, -L, -P, the blocks of -X, and -D.
 *
 *	Name                   Objects Objsize           Space Slabs/Part/Cpu  O/S O %Fr %Ef Flg
 *	dentry                    7312     192            2.1M      532/219/4   21 0  40  63 a
 *
 * "Slabs" is slabs - cpu_slabs, printed without a sign: a race can make it wrap at 2^64, and adding
 * cpu_slabs unwraps it. Space is slabs x (page size << order), so it tells the page size; so does
 * Loss, space - objects x object_size, which -L prints in its place.
 */
#ifndef SLABSTAT_TEXT_LIST_H
#define SLABSTAT_TEXT_LIST_H

#include "slabstat/text.h"

enum list_column { LIST_UNKNOWN, LIST_SPACE, LIST_LOSS };

enum list_value {
	LIST_OBJECTS, LIST_OBJECT_SIZE, LIST_SIZE, LIST_SLABS, LIST_PARTIAL, LIST_CPU_SLABS,
	LIST_OBJS_PER_SLAB, LIST_ORDER, LIST_ALLOCS, LIST_FREES, LIST_FALLBACK, LIST_CMPXCHG,
	LIST_CMPXCHG_CPU, LIST_VALUES
};

struct list_row {
	struct word name;
	uint64_t value[LIST_VALUES];
	uint32_t has;			/* bit v: value v */
	uint64_t size_step;		/* of LIST_SIZE; see word_decimal */
	enum list_column column;	/* what LIST_SIZE is */
	struct word flags;
	unsigned block;			/* -X lists a cache in several blocks */
	size_t place, nth;		/* among all rows; among those of this name in its block */
};

struct list {
	struct list_row *row;
	size_t count, room;
};

/* list_scan - is this line a row? Sets all but column, block, place and nth. */
bool list_scan(const struct line *l, struct list_row *r);

/* list_scan_activity - the same for -D, with 7 numbers, or 9 from 3.1 on. */
bool list_scan_activity(const struct line *l, size_t numbers, struct list_row *r);

/* list_scan_flags - the line is nothing but flags, which a mailer cut off the row before it. */
bool list_scan_flags(const struct line *l, struct word *flags);

/* list_was_row - the line has a row's "Slabs/Part/Cpu", so it is one that was cut or garbled. */
bool list_was_row(const struct line *l);

/* list_add - keep a row. 0 or -ENOMEM. list_free - give all back. */
int list_add(struct list *list, const struct list_row *r);
void list_free(struct list *list);

/*
 * list_finish - rows become caches, those of several blocks one; the page size too. 0 or -ENOMEM.
 */
int list_finish(struct list *list, struct text *t);

#endif
