/* SPDX-License-Identifier: MIT */
/*
 * form_opts.h - the options that say how a verb prints its table: --json, --csv, -H, -b, --top,
 * --color; and the cells that several verbs share.
 */
#ifndef SLABINFO_FORM_OPTS_H
#define SLABINFO_FORM_OPTS_H

#include "util/json.h"
#include "util/opts.h"
#include "util/table.h"

enum {
	FORM_OPT_TOP = 0x600,
	FORM_OPT_JSON,
	FORM_OPT_CSV,
	FORM_OPT_COLOR,
};

#define FORM_OPTS                                                                                 \
	{ FORM_OPT_TOP, "top", OPT_REQUIRED, "N", "the first N rows only (20; 0: all)" },          \
	{ FORM_OPT_JSON, "json", OPT_NONE, NULL, "JSON" },                                         \
	{ FORM_OPT_CSV, "csv", OPT_NONE, NULL, "comma-separated values" },                         \
	{ 'H', "no-heading", OPT_NONE, NULL, "no heading, tabs between columns" },                 \
	{ 'b', "bytes", OPT_NONE, NULL, "exact bytes" },                                           \
	{ FORM_OPT_COLOR, "color", OPT_REQUIRED, "WHEN", "auto, always or never" }

struct form_opts {
	bool json, csv, tabs, bytes;
	size_t top;			/* 0: all */
	enum out_color color;
};

#define FORM_OPTS_DEFAULT { .top = 20 }

/* form_opts_take - act on one id. 0: taken; 2: taken, after a message; -1: not one of these. */
int form_opts_take(struct form_opts *f, int id, const char *arg, const char *program);

/* form_opts_prose - a person reads it: headings and sentences beside the table. */
bool form_opts_prose(const struct form_opts *f);

struct table_options form_opts_table(const struct form_opts *f, const struct out *out);

/* form_delta - a difference of bytes: signed, in KiB and MiB, or digits. Absent for NaN. */
void form_delta(struct table *t, const struct form_opts *f, double bytes, enum out_style style);
/* form_signed - a signed number of digits decimals at most. Absent where it is not finite. */
void form_signed(struct table *t, double value, int digits, enum out_style style);

#endif
