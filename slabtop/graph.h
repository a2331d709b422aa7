/* SPDX-License-Identifier: MIT */
/* graph.h - series of numbers as a line of characters, and bars. */
#ifndef SLABTOP_GRAPH_H
#define SLABTOP_GRAPH_H

#include <stdbool.h>
#include <stddef.h>

#include "canvas.h"

/*
 * graph_line - one character a value, oldest at the left, ending at column width; height is where
 * the value stands between the least and the most of them; what hardly moves stays low. Returns
 * buf.
 */
char *graph_line(const float *value, size_t n, size_t width, bool unicode, char *buf, size_t size);

/*
 * graph_plot - the same, several rows high, with its right edge at the right. *low and *high are
 * what its lower and upper edge stand for.
 */
void graph_plot(struct canvas *c, int y, int x, int height, int width, const float *value, size_t n,
		bool unicode, unsigned role, float *low, float *high);

/* graph_bar - part of whole as a bar of width columns. Returns the column behind it. */
int graph_bar(struct canvas *c, int y, int x, int width, double part, double whole, bool unicode,
	      unsigned role);

#endif
