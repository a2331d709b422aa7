/* SPDX-License-Identifier: MIT */
/*
 * script.h - a gnuplot script being written: data blocks, quoting, units, colours.
 *
 * Names, titles and marks reach gnuplot only through script_quote(): single-quoted, where gnuplot
 * expands nothing, with every control byte spelled out; and all text is set noenhanced, so that no
 * byte of a name is markup.
 */
#ifndef SLABPLOT_SCRIPT_H
#define SLABPLOT_SCRIPT_H

#include <stdbool.h>
#include <stdio.h>

struct series;

struct script {
	FILE *out;		/* memory stream */
	unsigned width, height;	/* of the picture, in pixels */
	unsigned blocks;	/* data blocks written so far */
};

/* script_quote - text as a single-quoted gnuplot string. */
void script_quote(const struct script *s, const char *text);

/* script_lines - a text of several lines, parted by \n, as one gnuplot string. */
void script_lines(const struct script *s, const char *text);

/* script_title - the title over the whole plot; lines are parted by \n. */
void script_title(const struct script *s, const char *text);

/* A unit for an axis: bytes shown as "MiB" are divided by 2^20. */
struct axis_unit {
	const char *name;
	double divisor;
};

/* axis_bytes - the unit in which max reads well. */
struct axis_unit axis_bytes(double max);

/* axis_time - "seconds", "minutes" or "hours" for a span of seconds; "sample" where not timed. */
struct axis_unit axis_time(double span, bool timed);

/*
 * script_block - begin a data block $dataN and return N; rows follow on s->out (script_value for
 * each cell, then a newline), and script_block_end closes it.
 */
unsigned script_block(struct script *s);
void script_block_end(struct script *s);

/* script_value - one cell: the number, or NaN. */
void script_value(const struct script *s, double value);

/* script_marks - the recording's marks as labelled vertical lines. */
void script_marks(const struct script *s, const struct series *series, struct axis_unit time);

/* colour - the n-th colour of a palette that colour-blind people can tell apart ("#0072B2"). */
const char *colour(unsigned n);

/*
 * colour_names - a colour for each name that depends on the set of names only, not on their order,
 * so that a cache keeps its colour from picture to picture where it can. Fills index[].
 */
void colour_names(const char *const *name, size_t n, unsigned *index);

#endif
