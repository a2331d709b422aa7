/* SPDX-License-Identifier: MIT */
/* slabtree.h - for tests: a small slab directory of plain files in a temporary place. */
#ifndef TESTS_SLABTREE_H
#define TESTS_SLABTREE_H

#include <stdint.h>

struct slabtree {
	/* has sys/kernel/slab, which holds :0000256 (aliases pool and item) and dentry */
	char root[64];
	char slab[96];
	char journal[96];
};

void slabtree_make(struct slabtree *t);
void slabtree_remove(struct slabtree *t);

/* slabtree_cache - one more cache with every attribute; slabtree_drop removes one. */
void slabtree_cache(const struct slabtree *t, const char *cache, unsigned size);
void slabtree_drop(const struct slabtree *t, const char *cache);

/* slabtree_set, slabtree_get - the text of an attribute; get *borrows* until the next call. */
void slabtree_set(const struct slabtree *t, const char *cache, const char *attribute,
		  const char *text);
const char *slabtree_get(const struct slabtree *t, const char *cache, const char *attribute);

#endif
