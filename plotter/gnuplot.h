/* SPDX-License-Identifier: MIT */
/*
 * gnuplot.h - runs gnuplot on a script and gives back the picture.
 *
 * The script goes in through a pipe and the picture comes out through one: no file name ever
 * reaches gnuplot, and nothing is left behind when it fails or is killed.
 */
#ifndef SLABPLOT_GNUPLOT_H
#define SLABPLOT_GNUPLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum terminal { TERMINAL_PNG, TERMINAL_SVG, TERMINAL_PDF, TERMINAL_TEXT, TERMINAL_COUNT };

/* terminal_find - by name ("png", "svg", "pdf", "term"), or -1. */
int terminal_find(const char *name);
/* terminal_suffix - "png", "svg", "pdf"; NULL for the terminal itself. */
const char *terminal_suffix(enum terminal t);

/* gnuplot_preamble - terminal and style, first in every script; width and height in pixels. */
void gnuplot_preamble(FILE *script, enum terminal t, unsigned width, unsigned height, bool colour);

/*
 * gnuplot_run - what gnuplot prints for script, *returned owned* in *picture. 0; or the exit
 * status after a message: 2 where gnuplot is not installed, 1 where it fails or is killed.
 */
int gnuplot_run(const char *script, size_t len, char **picture, size_t *size);

#endif
