// SPDX-License-Identifier: MIT
/* petition.c - doing what others ask of this process. */
#include "petition.h"

#include <errno.h>
#include <string.h>

#include "cache.h"
#include "root.h"

static struct kmem_cache *find(uint64_t serial)
{
	struct kmem_cache *s = root.caches;

	while (s && s->serial != serial)
		s = s->next;
	return s;
}

static int64_t tune(struct kmem_cache *s, const struct wire_ask *ask, uint64_t *now)
{
	unsigned long value = 0;
	int err;

	if (!memchr(ask->key, '\0', sizeof(ask->key)))
		return -ENOENT;
	err = ask->value > (unsigned long)-1
		      ? -EINVAL
		      : kmem_cache_tune(s, ask->key, (unsigned long)ask->value);
	if (!kmem_cache_tunable(s, ask->key, &value))
		*now = value;
	return err;
}

static int64_t serve(struct kmem_cache *s, const struct wire_ask *ask, uint64_t *now)
{
	if (!s)
		return -ENOENT;
	switch (ask->verb) {
	case WIRE_ASK_TUNE:
		return tune(s, ask, now);
	case WIRE_ASK_SHRINK:
		return kmem_cache_shrink(s);
	case WIRE_ASK_VALIDATE:
		return kmem_cache_validate(s);
	default:
		return -EOPNOTSUPP;
	}
}

/* The root's lock keeps the cache in being; what is done to it takes locks below that. */
void petition_serve(const struct wire_ask *ask, struct wire_answer *answer)
{
	*answer = (struct wire_answer){ .number = ask->number };
	if (ask->verb == WIRE_ASK_FRESH)
		return;
	lock_take(&root.lock, LOCK_ROOT);
	answer->result = serve(find(ask->serial), ask, &answer->value);
	lock_drop(&root.lock, LOCK_ROOT);
}
