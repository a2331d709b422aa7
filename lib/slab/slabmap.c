// SPDX-License-Identifier: MIT
/* slabmap.c - the map from addresses to chunks. */
#include "slabmap.h"

#include <errno.h>

#include "pages.h"

int slabmap_set(struct slabmap *map, void *base, struct chunk *chunk)
{
	uintptr_t i = (uintptr_t)base >> CHUNK_SHIFT;
	struct slabmap_leaf **at;

	if (i >> (SLABMAP_LEAF_BITS + SLABMAP_ROOT_BITS))
		return -ENOMEM;
	at = &map->leaf[i >> SLABMAP_LEAF_BITS];
	if (!*at) {
		struct slabmap_leaf *leaf = pages_map(sizeof(*leaf));

		if (!leaf)
			return -ENOMEM;
		__atomic_store_n(at, leaf, __ATOMIC_RELEASE);
	}
	__atomic_store_n(&(*at)->chunk[i & ((1 << SLABMAP_LEAF_BITS) - 1)], chunk,
			 __ATOMIC_RELEASE);
	return 0;
}
