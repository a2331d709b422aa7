/* SPDX-License-Identifier: MIT */
/*
 * class.h - size classes: multiples of 16 up to 128, then eight to each power of two up to 8 KiB.
 *
 * A request of more than 112 bytes wastes less than an eighth of its object; a smaller one at most
 * 15 bytes, which is what an alignment of 16 costs. A class that is rounded up to from a multiple
 * of some power of two is a multiple of it too, so that aligned requests need no classes of their
 * own.
 */
#ifndef SLABKIT_MALLOC_CLASS_H
#define SLABKIT_MALLOC_CLASS_H

#include <stddef.h>
#include <stdint.h>

#define CLASS_STEP 16
#define CLASS_MAX  8192 /* larger ones are runs */
#define CLASSES	   56

/* class_of - for 0 to CLASS_MAX bytes. */
static inline unsigned int class_of(size_t size)
{
	unsigned int log;

	if (size <= 128)
		return (unsigned int)(size + !size - 1) / CLASS_STEP;
	log = 63U - (unsigned int)__builtin_clzll(size - 1);
	return 8 * (log - 6) + ((unsigned int)((size - 1) >> (log - 3)) & 7);
}

/* class_size - the bytes of its objects. */
static inline uint32_t class_size(unsigned int class)
{
	if (class < 8)
		return (class + 1) * CLASS_STEP;
	return (class % 8 + 9) << (class / 8 + 3);
}

#endif
