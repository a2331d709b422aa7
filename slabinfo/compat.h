/* SPDX-License-Identifier: MIT */
/*
 * compat.h - the text layouts of the kernel's slabinfo tool, byte for byte, apart from all else.
 *
 * What differs from that tool, on purpose: an order never depends on the directory's order (names
 * ignoring case, then bytes); -N counts the rows that are shown; -i turns every order round; a
 * pattern restricts merged caches too; a difference never wraps below zero. Numbers are decimal
 * (K = 1000), an absent one prints as 0. What that tool does not print follows after a blank line.
 */
#ifndef SLABINFO_COMPAT_H
#define SLABINFO_COMPAT_H

#include "mode.h"

/* ---- which caches, by which name ------------------------------------------------------------- */

struct compat_row {
	const struct slabstat_cache *cache;
	const char *name;	/* :ID, the one user that matched, or with -f the chosen one */
	char *owned;		/* name, where it had to be escaped */
};

struct compat_rows {
	struct compat_row *row;
	size_t n;
};

/* What a cache must be to be kept, besides matching. */
enum compat_keep {
	COMPAT_ALL,
	COMPAT_LISTED		/* as -e, -z and -U say */
};

/* compat_select - in order of name as shown, reversed by -i. False after a message. */
bool compat_select(const struct view *v, enum compat_keep keep, struct compat_rows *rows);
void compat_free(struct compat_rows *rows);

/* compat_choose - as compat_select, sorted as -S, -A, -L and -P say, at most -N of them. */
bool compat_choose(const struct view *v, enum compat_keep keep, struct compat_rows *rows);

/* compat_sort - by order, largest first, then by name; reversed as a whole by -i. */
void compat_sort(struct compat_rows *rows, enum order order, bool reverse);

/* ---- numbers --------------------------------------------------------------------------------- */

#define COMPAT_NUMBER 24

/* compat_scale - "1.2M", or all digits with exact. Returns buf. */
const char *compat_scale(uint64_t value, bool exact, char buf[COMPAT_NUMBER]);

/* The kernel tool's own figures of a cache. */
uint64_t compat_size(const struct slabstat_cache *c);
uint64_t compat_loss(const struct slabstat_cache *c);
uint64_t compat_activity(const struct slabstat_cache *c);
static inline uint64_t compat_get(const struct slabstat_cache *c, enum slabstat_field f)
{
	return slabstat_cache_or(c, f, 0);
}
/* compat_padding - of one object; 0 where the source does not tell the size that was asked for. */
uint64_t compat_padding(const struct slabstat_cache *c);
static inline uint64_t compat_less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* ---- layouts: the whole of a mode, or of one cache ------------------------------------------- */

/* compat_list_want - fields that the list prints; _figures: those of them that are no flags. */
void compat_list_figures(const struct request *r, struct slabstat_fieldset *set);
void compat_list_want(const struct request *r, struct slabstat_fieldset *set);
/* compat_list - the default mode; a report where one row only is left. */
int compat_list(const struct view *v);
/* compat_rows_print - heading and rows in the order given; at most limit rows (0: all). */
void compat_rows_print(const struct view *v, const struct compat_rows *rows, bool loss,
		       size_t limit);
void compat_activity_print(const struct view *v, const struct compat_rows *rows, size_t limit);

void compat_totals_want(struct slabstat_fieldset *set);
int compat_totals(const struct view *v);
int compat_xtotals(const struct view *v);

void compat_report_want(struct slabstat_fieldset *set);
/* compat_report_rows - a report a row, then what each lacks. */
void compat_report_rows(const struct view *v, const struct compat_rows *rows);
int compat_report(const struct view *v);

int compat_aliases(const struct view *v);
int compat_numa(const struct view *v);
/* compat_numa_one - the part of a report. */
void compat_numa_one(const struct view *v, const struct compat_row *row, unsigned nodes);
/* compat_nodes - one more than the highest node number of any cache; 0: the source has no nodes. */
unsigned compat_nodes(const struct slabstat_snapshot *s);

int compat_ops(const struct view *v);
void compat_ops_one(const struct view *v, const struct compat_row *row);
int compat_tracking(const struct view *v);
void compat_tracking_one(const struct view *v, const struct compat_row *row);

#endif
