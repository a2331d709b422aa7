/* SPDX-License-Identifier: MIT */
/*
 * plot.h - what a graph kind is, and what it is asked.
 *
 * main.c makes one const request; the graph loads what it needs (series.h) and writes a gnuplot
 * script (script.h); gnuplot.c runs it or saves it.
 */
#ifndef SLABPLOT_PLOT_H
#define SLABPLOT_PLOT_H

#include "script.h"
#include "series.h"

struct request {
	const char *const *file;	/* recordings; groups are parted by group_start */
	size_t file_count;
	/* index of the first file behind "vs"; 0: one group a file */
	size_t second_group;
	const char *const *cache;	/* names for the graph "cache" */
	size_t cache_count;
	struct series_range range;
	enum slabstat_field by;		/* field of top, cache and histogram */
	size_t top;			/* how many caches */
	const char *title;		/* NULL: from the recording */
	unsigned width, height;		/* pixels */
};

struct graph {
	const char *name, *usage, *summary;
	bool many;			/* takes more than one recording */
	/* draw - writes the script's body; 0 or the exit status after a message. */
	int (*draw)(const struct request *req, struct script *script);
};

/* plot_style - "lines", or points where a line would have nothing to join. */
const char *plot_style(size_t points);

/* plot_x_range - the axis of time over a span; a single sample gets a unit around it. */
void plot_x_range(struct script *script, double from, double to, struct axis_unit x);

/*
 * plot_frame - title (the request's, or the recording's name, what, and what its header tells),
 * axes, key and marks of a plot over time.
 */
void plot_frame(struct script *script, const struct series *s, const struct request *req,
		const char *what, struct axis_unit x, const char *y_name);

/* plot_field - the field in words for a title: "footprint" of footprint_bytes; *returns owned*. */
char *plot_field(enum slabstat_field field);

/* axis_field - the unit for values of a field up to max, and its name for the axis. */
struct axis_unit axis_field(enum slabstat_field field, double max, const char **name);

/* plot_no_memory - says so; returns 1. */
int plot_no_memory(void);

extern const struct graph graph_totals, graph_top, graph_loss, graph_cache, graph_compare,
	graph_histogram;

#endif
