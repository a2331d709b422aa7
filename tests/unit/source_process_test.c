// SPDX-License-Identifier: MIT
/* source_process_test.c - pages as bytes: what they say, and what is wrong with them. */
#include "cmocka_all.h"

#include <errno.h>
#include <slab/slabstat.h>
#include <stdlib.h>
#include <string.h>

#include "wire/wire.h"

/* A page of our own making: its counters are not those of counters.def, nor in their order. */
#define ROOM 4096
struct made {
	union {
		unsigned char bytes[2 * ROOM];
		struct wire_head head;
		uint64_t align;
	};
	struct wire_name name[32];
	unsigned int names;
	size_t records; /* bytes in the slot */
};

static void add_name(struct made *m, enum wire_scope scope, const char *id)
{
	struct wire_name *n = &m->name[m->names++];

	memset(n, 0, sizeof(*n));
	strcpy(n->id, id);
	n->scope = (uint8_t)scope;
}

static void begin(struct made *m)
{
	memset(m, 0, sizeof(*m));
	add_name(m, WIRE_CPU, "sheaf_objs");
	add_name(m, WIRE_CACHE, "slab_size");
	add_name(m, WIRE_CACHE, "of_another_version");
	add_name(m, WIRE_CACHE, "objs_per_slab");
	add_name(m, WIRE_CACHE, "object_size");
	add_name(m, WIRE_CACHE, "order");
	add_name(m, WIRE_CACHE, "rcu_objs");
	add_name(m, WIRE_CACHE, "in_motion_objs");
	add_name(m, WIRE_CACHE, "footprint_bytes"); /* not theirs to compute */
	add_name(m, WIRE_CACHE, "mergeable");
	add_name(m, WIRE_NODE, "objects");
	add_name(m, WIRE_NODE, "total_objects");
	add_name(m, WIRE_NODE, "slabs");
	add_name(m, WIRE_NODE, "barn_objs");
	add_name(m, WIRE_PROCESS, "page_bytes");
}

static unsigned char *slot_of(struct made *m, unsigned int i)
{
	return m->bytes + ROOM + i * (ROOM / 2);
}

static void add_record(struct made *m, unsigned int slot, unsigned int type, unsigned int index,
		       const uint64_t *values, size_t n, const char *text)
{
	unsigned char *p = slot_of(m, slot) + sizeof(struct wire_slot) + m->records;
	size_t bytes = 8 + n * 8 + (text ? (strlen(text) + 8) / 8 * 8 : 0);
	struct wire_record r = { .bytes = (uint32_t)bytes,
				 .type = (uint16_t)type,
				 .index = (uint16_t)index };

	memcpy(p, &r, sizeof(r));
	if (n)
		memcpy(p + 8, values, n * 8);
	if (text)
		strcpy((char *)p + 8 + n * 8, text);
	m->records += bytes;
}

static void sign_slot(struct made *m, unsigned int i, uint64_t number)
{
	struct wire_slot s = {
		.number = number, .bytes = m->records, .wall_ns = number * 1000000000, .caches = 1
	};

	s.sum = wire_slot_sum(&s, slot_of(m, i) + sizeof(s));
	memcpy(slot_of(m, i), &s, sizeof(s));
	m->records = 0;
}

static void sign_head(struct made *m)
{
	struct wire_head *h = &m->head;

	memcpy(h->magic, WIRE_MAGIC, 8);
	h->byte_order = WIRE_BYTE_ORDER;
	h->version = h->version ? h->version : WIRE_VERSION;
	h->head_bytes = sizeof(*h);
	h->counter_bytes = sizeof(struct wire_name);
	h->counters = m->names;
	h->slot_bytes = ROOM / 2;
	for (unsigned int i = 0; i < 2; i++)
		h->slot_offset[i] = ROOM + i * (ROOM / 2);
	memcpy(m->bytes + sizeof(*h), m->name, m->names * sizeof(*m->name));
	h->sum = wire_head_sum(h, m->name, m->names * sizeof(*m->name));
}

/* 20 objects of 100 in a slab of 4096 bytes (40 fit), 5 in sheaves, 3 in the barn, 2 behind RCU. */
static void fill(struct made *m, unsigned int slot, uint64_t number, uint64_t motion)
{
	const uint64_t process = 4096, cache[] = { 102, 7, 40, 100, 0, 2, motion, 99999, 0 };
	const uint64_t node[] = { 20, 40, 1, 3 }, cpu[] = { 2, 3 };

	add_record(m, slot, WIRE_RECORD_PROCESS, 0, &process, 1, NULL);
	add_record(m, slot, WIRE_RECORD_CACHE, 0, cache, 9, "things");
	add_record(m, slot, 77, 0, cache, 3, "of another version");
	add_record(m, slot, WIRE_RECORD_NODE, 1, node, 4, NULL);
	add_record(m, slot, WIRE_RECORD_CPU, 0, &cpu[0], 1, NULL);
	add_record(m, slot, WIRE_RECORD_CPU, 5, &cpu[1], 1, NULL);
	sign_slot(m, slot, number);
}

/* What comes of it: a snapshot, or NULL and the error. */
static struct slabstat_snapshot *read_bytes(struct slabstat *h, const void *data, size_t size)
{
	const struct slabstat_spec spec = { .buffer = data, .buffer_size = size, .label = "page" };
	struct slabstat_snapshot *s = NULL;
	struct slabstat_source *source;

	if (slabstat_source_open(h, &spec, &source))
		return NULL;
	slabstat_source_read(source, NULL, &s);
	slabstat_source_close(source);
	return s;
}

static uint64_t value(const struct slabstat_snapshot *s, enum slabstat_field f,
		      enum slabstat_quality want)
{
	uint64_t v = 0;

	assert_int_equal(slabstat_cache_value(slabstat_snapshot_find(s, "things"), f, &v), want);
	return v;
}

static void test_values(void **state)
{
	struct slabstat *h = slabstat_new();
	const struct slabstat_share *share;
	struct slabstat_snapshot *s;
	struct made m;
	size_t n;

	(void)state;
	begin(&m);
	fill(&m, 1, 1, 0);
	sign_head(&m);
	s = read_bytes(h, m.bytes, sizeof(m.bytes));
	assert_non_null(s);
	assert_int_equal(slabstat_snapshot_source(s), SLABSTAT_SOURCE_PROCESS);
	assert_int_equal(slabstat_snapshot_wall_ns(s), 1000000000);
	assert_int_equal(value(s, SLABSTAT_SHEAF_OBJS, SLABSTAT_EXACT), 5);
	share = slabstat_cache_shares(slabstat_snapshot_find(s, "things"), SLABSTAT_SHEAF_OBJS, &n);
	assert_int_equal(n, 2);
	assert_int_equal(share[1].index, 5);
	assert_int_equal(share[1].value, 3);
	assert_int_equal(value(s, SLABSTAT_CACHED_OBJS, SLABSTAT_EXACT), 10);
	assert_int_equal(value(s, SLABSTAT_IN_USE_OBJS, SLABSTAT_EXACT), 10);
	assert_int_equal(value(s, SLABSTAT_FOOTPRINT, SLABSTAT_EXACT), 4096);
	assert_int_equal(value(s, SLABSTAT_IN_USE, SLABSTAT_EXACT) +
				 value(s, SLABSTAT_CACHED, SLABSTAT_EXACT) +
				 value(s, SLABSTAT_FREE, SLABSTAT_EXACT) +
				 value(s, SLABSTAT_PADDING, SLABSTAT_EXACT) +
				 value(s, SLABSTAT_TAIL, SLABSTAT_EXACT),
			 4096);
	assert_int_equal(slabstat_snapshot_has(s, SLABSTAT_MIN_PARTIAL), SLABSTAT_ABSENT);
	assert_non_null(slabstat_snapshot_why_absent(s, SLABSTAT_MIN_PARTIAL));
	slabstat_snapshot_free(s);
	slabstat_free(h);
}

/* With objects in motion it is an estimate, between bounds. */
static void test_motion(void **state)
{
	struct slabstat *h = slabstat_new();
	struct slabstat_snapshot *s;
	uint64_t low, high;
	struct made m;

	(void)state;
	begin(&m);
	fill(&m, 0, 2, 4);
	sign_head(&m);
	s = read_bytes(h, m.bytes, sizeof(m.bytes));
	assert_int_equal(value(s, SLABSTAT_IN_USE_OBJS, SLABSTAT_ESTIMATE), 10);
	assert_true(slabstat_cache_in_use(slabstat_snapshot_find(s, "things"), &low, &high));
	assert_int_equal(low, 6);
	assert_int_equal(high, 14);
	slabstat_snapshot_free(s);
	slabstat_free(h);
}

/* The later of two; the earlier while the later is not whole; neither. */
static void test_slots(void **state)
{
	struct slabstat *h = slabstat_new();
	struct slabstat_snapshot *s;
	struct made m;

	(void)state;
	begin(&m);
	fill(&m, 1, 7, 0);
	fill(&m, 0, 8, 4);
	sign_head(&m);
	s = read_bytes(h, m.bytes, sizeof(m.bytes));
	assert_int_equal(slabstat_snapshot_wall_ns(s), 8000000000);
	slabstat_snapshot_free(s);
	slot_of(&m, 0)[sizeof(struct wire_slot) + 30] ^= 1;
	s = read_bytes(h, m.bytes, sizeof(m.bytes));
	assert_int_equal(slabstat_snapshot_wall_ns(s), 7000000000);
	slabstat_snapshot_free(s);
	slot_of(&m, 1)[sizeof(struct wire_slot) + 30] ^= 1;
	assert_null(read_bytes(h, m.bytes, sizeof(m.bytes)));
	assert_int_equal(slabstat_error(h)->code, -EBADMSG);
	slabstat_free(h);
}

static void refuse(struct slabstat *h, const void *data, size_t size, int code)
{
	struct slabstat_snapshot *s = read_bytes(h, data, size);

	if (s)
		slabstat_snapshot_free(s);
	assert_null(s);
	assert_int_equal(slabstat_error(h)->code, code);
	assert_non_null(slabstat_error(h)->text);
}

static void test_refused(void **state)
{
	struct slabstat *h = slabstat_new();
	struct made m, bad;

	(void)state;
	begin(&m);
	fill(&m, 1, 1, 0);
	sign_head(&m);
	bad = m;
	bad.head.version = 2;
	sign_head(&bad);
	refuse(h, bad.bytes, sizeof(bad.bytes), -EPROTO);
	bad = m;
	bad.head.byte_order = 0x04030201;
	refuse(h, bad.bytes, sizeof(bad.bytes), -EPROTO);
	bad = m;
	bad.head.nodes++; /* the sum does not know of it */
	refuse(h, bad.bytes, sizeof(bad.bytes), -EBADMSG);
	bad = m;
	bad.head.counters = 0x10000000;
	refuse(h, bad.bytes, sizeof(bad.bytes), -EBADMSG);
	bad = m;
	bad.head.slot_offset[0] = bad.head.slot_offset[1] = UINT64_MAX - 8;
	bad.head.sum = wire_head_sum(&bad.head, bad.name, bad.names * sizeof(*bad.name));
	refuse(h, bad.bytes, sizeof(bad.bytes), -EBADMSG);
	for (size_t size = 8; size < ROOM; size += 8)
		assert_null(read_bytes(h, m.bytes, size));
	slabstat_free(h);
}

/* Records that lead out of their slot, with sums that are right. */
static void test_records(void **state)
{
	static const uint32_t bytes[] = { 0, 4, 9, 16, 4000, UINT32_MAX };
	struct slabstat *h = slabstat_new();
	struct made m;

	(void)state;
	for (unsigned int i = 0; i < 6; i++) {
		unsigned char *second;
		size_t records;

		begin(&m);
		fill(&m, 1, 1, 0);
		records = ((struct wire_slot *)slot_of(&m, 1))->bytes;
		second = slot_of(&m, 1) + sizeof(struct wire_slot) + 16;
		memcpy(second, &bytes[i], 4);
		m.records = records;
		sign_slot(&m, 1, 1);
		sign_head(&m);
		refuse(h, m.bytes, sizeof(m.bytes), -EBADMSG);
	}
	slabstat_free(h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),	cmocka_unit_test(test_motion),
		cmocka_unit_test(test_slots),	cmocka_unit_test(test_refused),
		cmocka_unit_test(test_records),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
