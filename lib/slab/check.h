/* SPDX-License-Identifier: MIT */
/* check.h - walks over all objects of a cache. */
#ifndef SLABKIT_SLAB_CHECK_H
#define SLABKIT_SLAB_CHECK_H

#include <stddef.h>

#include "cache.h"

/*
 * check_describe_used - the objects in use of a quiet cache, and who allocated them where s knows,
 * as text of at most size bytes; what does not fit is left out. Its length.
 */
size_t check_describe_used(struct kmem_cache *s, char *text, size_t size);

#endif
