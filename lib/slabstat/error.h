/* SPDX-License-Identifier: MIT */
/* error.h - the handle: where the last error is kept. */
#ifndef SLABSTAT_ERROR_H
#define SLABSTAT_ERROR_H

#include <slab/slabstat.h>

#include <errno.h>

/* error_set - record an error and return code, so that callers can `return error_set(...)`. */
__attribute__((format(printf, 5, 6))) int error_set(struct slabstat *h, int code, const char *path,
						    unsigned long line, const char *fmt, ...);

/* error_memory - the same for exhausted memory: -ENOMEM. */
static inline int error_memory(struct slabstat *h)
{
	return error_set(h, -ENOMEM, NULL, 0, "out of memory");
}

#endif
