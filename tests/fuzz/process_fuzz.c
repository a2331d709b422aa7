// SPDX-License-Identifier: MIT
/*
 * process_fuzz.c - pages of programs that nobody honest wrote.
 *
 * A sum over a mutated page is hardly ever right, so that most would be refused at the door: the
 * sums of head and slots are made right before the page is read, where its sizes allow that. What
 * the source makes of it must then stand up to every reader.
 */
#include "reader.h"

#include "wire/wire.h"

#include <stdlib.h>
#include <string.h>

static void sign_head(unsigned char *data, size_t size, const struct wire_head *h)
{
	uint64_t sum, zero = 0;
	size_t names = (size_t)h->counters * h->counter_bytes;

	if (h->head_bytes > size || h->head_bytes < sizeof(*h) || h->counters > WIRE_FIELDS_MAX ||
	    names > size - h->head_bytes)
		return;
	memcpy(data + offsetof(struct wire_head, sum), &zero, sizeof(zero));
	sum = wire_sum(wire_sum(0, data, h->head_bytes), data + h->head_bytes, names);
	memcpy(data + offsetof(struct wire_head, sum), &sum, sizeof(sum));
}

static void sign_slot(unsigned char *data, size_t size, uint64_t offset)
{
	struct wire_slot slot;

	if (offset > size || size - offset < sizeof(slot))
		return;
	memcpy(&slot, data + offset, sizeof(slot));
	if (slot.bytes > size - offset - sizeof(slot))
		return;
	slot.sum = wire_slot_sum(&slot, data + offset + sizeof(slot));
	memcpy(data + offset, &slot, sizeof(slot));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned char *copy = malloc(size + 1);
	struct wire_head h;

	memcpy(copy, data, size);
	if (size >= sizeof(h)) {
		memcpy(&h, copy, sizeof(h));
		sign_slot(copy, size, h.slot_offset[0]);
		sign_slot(copy, size, h.slot_offset[1]);
		sign_head(copy, size, &h);
	}
	read_as(SLABSTAT_SOURCE_PROCESS, copy, size);
	free(copy);
	return 0;
}
