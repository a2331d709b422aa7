/* SPDX-License-Identifier: MIT */
/*
 * mode.h - a mode of slabinfo: what it reads and how it prints one snapshot in each form.
 *
 * main.c reads one snapshot a source and hands it to the mode as a view. Each mode is one const
 * entry in a file of its own (mode_NAME.c); the kernel tool's layouts stand in compat_NAME.c.
 */
#ifndef SLABINFO_MODE_H
#define SLABINFO_MODE_H

#include "request.h"
#include "util/json.h"
#include "util/table.h"

struct view {
	const struct request *r;
	struct out *out;
	struct slabstat *h;			/* for select's errors */
	const struct slabstat_snapshot *s;
	const char *label;			/* what the source is called */
	size_t index;				/* which of the sources, from 0 */
	struct json_doc *json;			/* FORM_JSON only */
};

struct mode {
	const char *name;			/* "list": in JSON */
	/* Fields that print will ask for, beyond those of -c and --sort. */
	void (*want)(const struct request *r, struct slabstat_fieldset *set);
	/* Those of them that a reader would miss; NULL: all of want. */
	void (*shown)(const struct request *r, struct slabstat_fieldset *set);
	/* Print the view in one form; 0 or the exit status, after a message. */
	int (*kernel)(const struct view *v);
	int (*table)(const struct view *v);	/* FORM_TABLE, FORM_TABS, FORM_CSV */
	int (*json)(const struct view *v);	/* members of the sample's object */
};

extern const struct mode mode_list, mode_report, mode_totals, mode_xtotals, mode_aliases, mode_numa,
	mode_tracking, mode_ops, mode_shrink, mode_validate, mode_debug;

/* mode_want - add fields to a set; the list ends with -1. */
void mode_want(struct slabstat_fieldset *set, ...);

/*
 * mode_select - the caches that the request asks for, in its order, as our own forms show them.
 * *returns owned*; NULL after a message.
 */
struct slabstat_rows *mode_select(const struct view *v);

/* mode_table_options - the form and what -H and -b say of it; one heading for all sources. */
struct table_options mode_table_options(const struct view *v);

/* mode_members - caches folded into row i. */
size_t mode_members(const struct slabstat_rows *rows, size_t i);

/* mode_select_all - empty caches too, in order of name, none folded or cut off. */
struct slabstat_rows *mode_select_all(const struct view *v);

/* Which of the two a mode shows, and what it has to say of a cache. */
typedef struct slabstat_rows *mode_selection(const struct view *v);
typedef void mode_row(const struct view *v, struct table *t, const struct slabstat_cache *cache);
typedef void mode_element(const struct view *v, const struct slabstat_cache *cache);

/* mode_print_each - a table fitted to the terminal. */
int mode_print_each(const struct view *v, mode_selection *select,
		    const struct table_column *columns, size_t n, mode_row *row);

/* mode_json_each - an array under key. */
int mode_json_each(const struct view *v, mode_selection *select, const char *key,
		   mode_element *element);

#endif
