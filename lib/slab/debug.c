// SPDX-License-Identifier: MIT
/* debug.c - watching objects. */
#include "debug.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "cpu.h"
#include "link.h"
#include "node.h"
#include "report.h"
#include "slab.h"

#define ZONE_FREE   0xbb /* guard bytes around a free object */
#define ZONE_USED   0xcc /* and around one in use */
#define POISON_FREE 0x6b /* a free object */
#define POISON_END  0xa5 /* its last byte */

enum track_item { TRACK_ALLOC, TRACK_FREE };

static struct track *track_of(const struct kmem_cache *s, const void *object, enum track_item item)
{
	return (struct track *)((char *)object + s->offset + sizeof(void *)) + item;
}

static void set_track(const struct kmem_cache *s, void *object, enum track_item item,
		      const void *caller)
{
	struct timespec ts;

	if (!(s->flags & SLAB_STORE_USER) || !caller)
		return;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	*track_of(s, object, item) = (struct track){
		.caller = caller,
		.when_ns = (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec,
		.thread = (uint64_t)syscall(SYS_gettid),
	};
}

void debug_own(const struct kmem_cache *s, void *object, const void *caller)
{
	set_track(s, object, TRACK_ALLOC, caller);
}

static size_t describe_track(const struct track *t, const char *did, char *text, size_t size)
{
	const char *symbol = "?";
	ptrdiff_t off = 0;
	Dl_info info;
	int len;

	if (!t->caller || !size)
		return 0;
	if (dladdr(t->caller, &info)) {
		/* Only what is exported has a name here; addr2line finds the others by the file. */
		symbol = info.dli_sname ? info.dli_sname : info.dli_fname;
		off = (const char *)t->caller -
		      (const char *)(info.dli_sname ? info.dli_saddr : info.dli_fbase);
	}
	len = snprintf(text, size,
		       "slabkit:   %s at %p (%s+%#tx) by thread %llu, at %llu.%06llu s\n", did,
		       t->caller, symbol, off, (unsigned long long)t->thread,
		       (unsigned long long)(t->when_ns / 1000000000),
		       (unsigned long long)(t->when_ns % 1000000000 / 1000));
	return len < 0 ? 0 : (size_t)len < size ? (size_t)len : size - 1;
}

size_t debug_describe(const struct kmem_cache *s, const void *object, char *text, size_t size)
{
	size_t len;

	if (!(s->flags & SLAB_STORE_USER))
		return 0;
	len = describe_track(track_of(s, object, TRACK_ALLOC), "allocated", text, size);
	return len +
	       describe_track(track_of(s, object, TRACK_FREE), "freed", text + len, size - len);
}

/* ---- zones and poison ------------------------------------------------------------------------ */

static const unsigned char *first_other(const unsigned char *p, int value, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i] != value)
			return p + i;
	return NULL;
}

/* The right zone begins where the object ends, also within a word. */
static size_t right_bytes(const struct kmem_cache *s)
{
	return s->offset - s->object_size;
}

static void set_zones(const struct kmem_cache *s, void *object, int value)
{
	if (!(s->flags & SLAB_RED_ZONE))
		return;
	memset((char *)object - s->left, value, s->left);
	memset((char *)object + s->object_size, value, right_bytes(s));
}

static void set_poison(const struct kmem_cache *s, void *object)
{
	if (!(s->flags & SLAB_POISON) || s->ctor || s->flags & SLAB_TYPESAFE_BY_RCU)
		return;
	memset(object, POISON_FREE, s->object_size - 1);
	((unsigned char *)object)[s->object_size - 1] = POISON_END;
}

static bool hurt(const struct kmem_cache *s, const void *object, const unsigned char *at,
		 const char *what)
{
	char text[160];

	snprintf(text, sizeof(text), "%s: byte %td is %#x", what,
		 at - (const unsigned char *)object, *at);
	report_misuse(s, object, text);
	return false;
}

static bool check_zones(const struct kmem_cache *s, const void *object, int value)
{
	const unsigned char *at, *o = object;

	if (!(s->flags & SLAB_RED_ZONE))
		return true;
	at = first_other(o + s->object_size, value, right_bytes(s));
	if (at)
		return hurt(s, object, at, "overrun: written behind the object");
	at = first_other(o - s->left, value, s->left);
	if (at)
		return hurt(s, object, at, "underrun: written before the object");
	return true;
}

bool debug_check_used(struct kmem_cache *s, void *object)
{
	return check_zones(s, object, ZONE_USED);
}

bool debug_check_free(struct kmem_cache *s, void *object)
{
	const unsigned char *at, *o = object;

	if (!check_zones(s, object, ZONE_FREE))
		return false;
	if (!(s->flags & SLAB_POISON) || s->ctor || s->flags & SLAB_TYPESAFE_BY_RCU)
		return true;
	at = first_other(o, POISON_FREE, s->object_size - 1);
	if (!at && o[s->object_size - 1] != POISON_END)
		at = o + s->object_size - 1;
	return at ? hurt(s, object, at, "use after free: a free object was written to") : true;
}

void debug_new_slab(struct kmem_cache *s, struct slab *slab)
{
	for (uint32_t i = 0; i < s->objects; i++) {
		void *object = link_object(s, slab, i);

		set_zones(s, object, ZONE_FREE);
		set_poison(s, object);
		if (s->flags & SLAB_STORE_USER)
			memset(track_of(s, object, TRACK_ALLOC), 0, 2 * sizeof(struct track));
	}
}

/* ---- allocation and free --------------------------------------------------------------------- */

void *debug_alloc(struct kmem_cache *s, int node, const void *caller)
{
	void *object;
	bool whole;

	/* A hurt one stays in use for ever: the next may be whole. */
	do {
		object = node_take_one(s, node);
		if (!object)
			return NULL;
		whole = debug_check_free(s, object);
		set_zones(s, object, ZONE_USED);
	} while (!whole);
	set_track(s, object, TRACK_ALLOC, caller);
	return object;
}

/* The zones of a free object differ from those of one in use, all of them. */
static bool zones_say_free(const struct kmem_cache *s, const void *object)
{
	const unsigned char *o = object;

	return s->flags & SLAB_RED_ZONE && !first_other(o - s->left, ZONE_FREE, s->left) &&
	       !first_other(o + s->object_size, ZONE_FREE, right_bytes(s));
}

static bool on_freelist(struct kmem_cache *s, const struct slab *slab, const void *object)
{
	return s->flags & SLAB_CONSISTENCY_CHECKS && node_has_free(s, slab, object);
}

bool debug_retire(struct kmem_cache *s, void *object, const void *caller)
{
	const struct slab *slab = slab_of_object(s, object);

	if (!slab)
		return false;
	if (zones_say_free(s, object) || on_freelist(s, slab, object)) {
		report_misuse(s, object, "double free");
		return false;
	}
	if (!debug_check_used(s, object))
		return false;
	set_track(s, object, TRACK_FREE, caller);
	return true;
}

void debug_free(struct kmem_cache *s, void *object, const void *caller)
{
	if (!debug_retire(s, object, caller))
		return;
	set_zones(s, object, ZONE_FREE);
	set_poison(s, object);
	node_put(s, &object, 1);
}
