// SPDX-License-Identifier: MIT
/* merge.c - finding a cache to share. */
#include "merge.h"

#include <errno.h>
#include <string.h>

#include "layout.h"
#include "peek.h"
#include "root.h"

#define NEVER_MERGE                                                                \
	(SLAB_RED_ZONE | SLAB_POISON | SLAB_STORE_USER | SLAB_CONSISTENCY_CHECKS | \
	 SLAB_TYPESAFE_BY_RCU | SLAB_NO_MERGE | SLAB_FAILSLAB)
#define SAME_MERGE (SLAB_RECLAIM_ACCOUNT | SLAB_ACCOUNT)

bool merge_allowed(const char *name, const struct kmem_cache_args *args, slab_flags_t flags)
{
	const struct opts *o = &root.opts;

	return !o->nomerge_all && !opts_match(o->nomerge, name) && !(flags & NEVER_MERGE) &&
	       !args->ctor && !args->usersize && !args->sheaf_capacity && !args->use_freeptr_offset;
}

static bool fits(const struct kmem_cache *s, uint32_t size, uint32_t align, slab_flags_t flags)
{
	return s->mergeable && size <= s->size && s->size - size < sizeof(void *) &&
	       !(s->size & (align - 1)) && !((s->flags ^ flags) & SAME_MERGE);
}

struct alias *merge_alias(const char *name)
{
	size_t len = strlen(name) + 1;
	struct alias *a = kmalloc(sizeof(*a) + len, GFP_KERNEL);

	if (a)
		memcpy(a->name, name, len);
	return a;
}

struct kmem_cache *merge_into(struct alias *a, unsigned int size,
			      const struct kmem_cache_args *args, slab_flags_t flags)
{
	uint32_t align = layout_align(size, args->align, flags);
	uint32_t whole = layout_align_up(layout_align_up(size, sizeof(void *)), align);

	for (struct kmem_cache *s = root.caches; s; s = s->next) {
		if (!fits(s, whole, align, flags))
			continue;
		a->next = s->aliases;
		__atomic_store_n(&s->aliases, a, __ATOMIC_RELEASE);
		s->refcount++;
		if (s->object_size < size)
			poke(s->object_size, size);
		return s;
	}
	return NULL;
}

int kmem_cache_pin(struct kmem_cache *s)
{
	int err = 0;

	lock_take(&root.lock, LOCK_ROOT);
	if (s->refcount > 1)
		err = -EBUSY;
	else
		s->mergeable = false;
	lock_drop(&root.lock, LOCK_ROOT);
	return err;
}

void merge_release(struct kmem_cache *s)
{
	while (s->aliases) {
		struct alias *a = s->aliases;

		s->aliases = a->next;
		kfree(a);
	}
}
