/* SPDX-License-Identifier: MIT */
/*
 * csv.h - one cell of a CSV file (RFC 4180, but lines end with a bare newline).
 *
 * Cells are escaped by safe.h first, so that a row is always one line.
 */
#ifndef SLABKIT_UTIL_CSV_H
#define SLABKIT_UTIL_CSV_H

#include <stdbool.h>
#include <stdio.h>

/* csv_cell - text (NULL: an empty cell); a comma before it unless first. False: no memory. */
bool csv_cell(FILE *out, const char *text, bool first);

#endif
