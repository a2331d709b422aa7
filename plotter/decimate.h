/* SPDX-License-Identifier: MIT */
/*
 * decimate.h - fewer points than samples, without losing a peak.
 *
 * Samples are cut into as many buckets as the picture has columns to show; of each bucket the
 * first and last sample stay, and for every line the ones where it is lowest and highest.
 */
#ifndef SLABPLOT_DECIMATE_H
#define SLABPLOT_DECIMATE_H

#include <stddef.h>

/*
 * decimate - which of n samples to draw, in order, for lines[0..line_count). *returns owned*; the
 * number of them in *kept. NULL: no memory. With n <= 2 x buckets all of them.
 */
size_t *decimate(const double *const *lines, size_t line_count, size_t n, size_t buckets,
		 size_t *kept);

#endif
