// SPDX-License-Identifier: MIT
/*
 * layout.c - size, alignment and order, as SLUB chooses them.
 *
 * The order is the smallest that wastes at most a sixteenth of the slab behind the last object
 * (then an eighth, then a quarter, then a half), among those that hold enough objects for the CPUs:
 * 4 * (log2(cpus) rounded up + 1), as far as the largest order holds so many.
 */
#include "layout.h"


#include "debug.h"
#include "pages.h"

#define LINE_BYTES 64

static uint32_t bits(uint32_t x)
{
	return x ? 32U - (uint32_t)__builtin_clz(x) : 0;
}

uint32_t layout_align(uint32_t size, uint32_t align, slab_flags_t flags)
{
	uint32_t line = LINE_BYTES;

	if (flags & SLAB_HWCACHE_ALIGN) {
		while (size <= line / 2)
			line /= 2;
		if (align < line)
			align = line;
	}
	return align < sizeof(void *) ? sizeof(void *) : align;
}

/* The smallest order from min on that leaves at most 1/fraction of itself unused; or max + 1. */
static uint32_t fitting_order(uint32_t size, uint32_t min, uint32_t max, uint32_t fraction)
{
	uint32_t order;

	for (order = min; order <= max; order++) {
		uint32_t bytes = (uint32_t)PAGE_BYTES << order;

		if (bytes >= size && bytes % size <= bytes / fraction)
			break;
	}
	return order;
}

static uint32_t order_for(uint32_t bytes)
{
	uint32_t order = 0;

	while ((uint32_t)PAGE_BYTES << order < bytes)
		order++;
	return order;
}

static uint32_t choose_order(uint32_t size, uint32_t cpus, uint32_t min_order)
{
	uint32_t max_objects = ((uint32_t)PAGE_BYTES << LAYOUT_MAX_ORDER) / size;
	uint32_t objects = 4 * (bits(cpus) + 1), min;

	if (objects > max_objects)
		objects = max_objects ? max_objects : 1;
	min = order_for(objects * size);
	if (min < min_order)
		min = min_order;
	for (uint32_t fraction = 16; fraction > 1; fraction /= 2) {
		uint32_t order = fitting_order(size, min, LAYOUT_MAX_ORDER, fraction);

		if (order <= LAYOUT_MAX_ORDER)
			return order;
	}
	return order_for(size);
}

void layout_set(struct kmem_cache *s, const struct kmem_cache_args *args, uint32_t cpus,
		uint32_t min_order)
{
	uint32_t size = s->object_size, bytes;

	s->align = layout_align(size, args->align, s->flags);
	size = layout_align_up(size, sizeof(void *));
	if (s->debug) {
		size += s->flags & SLAB_RED_ZONE ? sizeof(void *) : 0;
		s->offset = size;
		size += sizeof(void *);
		if (s->flags & SLAB_STORE_USER)
			size += 2 * sizeof(struct track);
		if (s->flags & SLAB_RED_ZONE)
			s->left = s->align;
		size += s->left;
	} else if (args->use_freeptr_offset) {
		s->offset = args->freeptr_offset;
	} else if (s->ctor || s->flags & SLAB_TYPESAFE_BY_RCU) {
		/* What the object holds must outlive its being free: the link goes behind it. */
		s->offset = size;
		size += sizeof(void *);
	}
	s->size = layout_align_up(size, s->align);
	s->order = (uint8_t)choose_order(s->size, cpus, min_order);
	bytes = (uint32_t)PAGE_BYTES << s->order;
	s->objects = (uint16_t)((bytes - s->left) / s->size);
	if (!s->objects) {
		/* The zone before the first object did not fit. */
		s->order++;
		s->objects = (uint16_t)((((uint32_t)PAGE_BYTES << s->order) - s->left) / s->size);
	}
	s->recip = (uint32_t)(((1ULL << 32) + s->size - 1) / s->size);
}
