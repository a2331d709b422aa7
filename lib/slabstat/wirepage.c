// SPDX-License-Identifier: MIT
/* wirepage.c - the page of a process, read and distrusted; see wirepage.h. */
#include "slabstat/wirepage.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define FRONT_MAX ((size_t)1 << 20)	/* of head and counters */
#define TRIES	  50			/* at figures that are being written */

static int fail(struct wirepage *p, int err, const char *why)
{
	p->why = why;
	return err;
}

/* All of the bytes at an offset, or -ENODATA where the page ends before. */
static int read_at(const struct wirepage *p, uint64_t offset, void *data, size_t bytes)
{
	size_t got = 0;

	if (p->fd < 0) {
		if (offset > p->len || bytes > p->len - offset)
			return -ENODATA;
		memcpy(data, p->text + offset, bytes);
		return 0;
	}
	if (offset > INT64_MAX - bytes)
		return -ENODATA;
	while (got < bytes) {
		ssize_t n = pread(p->fd, (char *)data + got, bytes - got, (off_t)(offset + got));

		if (n == 0)
			return -ENODATA;
		if (n < 0 && errno != EINTR)
			return -errno;
		got += n > 0 ? (size_t)n : 0;
	}
	return 0;
}

/* Figures are written in microseconds; a writer that lost its CPU takes longer. */
static void nap(const struct wirepage *p, unsigned turn)
{
	struct timespec ts = { .tv_nsec = turn < 10 ? 20000 : 500000 };

	if (p->fd >= 0)
		nanosleep(&ts, NULL);
}

/* ---- the head -------------------------------------------------------------------------------- */

bool wirepage_sniff(const char *text, size_t len)
{
	return len >= 8 && memcmp(text, WIRE_MAGIC, 8) == 0;
}

static int check_sizes(struct wirepage *p)
{
	const struct wire_head *h = &p->head;

	if (!wirepage_sniff(h->magic, sizeof(h->magic)))
		return fail(p, -EINVAL, "is not the page of a program");
	if (h->byte_order != WIRE_BYTE_ORDER)
		return fail(p, -EPROTO, "is the page of a machine of another byte order");
	if (h->version != WIRE_VERSION)
		return fail(p, -EPROTO, "is a page of another version than this program reads");
	if (h->head_bytes < sizeof(*h) || h->head_bytes % 8 || h->head_bytes > FRONT_MAX / 2 ||
	    h->counter_bytes < sizeof(struct wire_name) || h->counter_bytes % 8 ||
	    h->counters > WIRE_FIELDS_MAX || h->counter_bytes > FRONT_MAX / 2 / WIRE_FIELDS_MAX)
		return fail(p, -EBADMSG, "is damaged: its head tells sizes that cannot be");
	return 0;
}

static bool sum_is_right(const struct wirepage *p)
{
	uint64_t sum, zero = 0;

	memcpy(p->front + offsetof(struct wire_head, sum), &zero, sizeof(zero));
	sum = wire_sum(wire_sum(0, p->front, p->head.head_bytes), p->names,
		       (size_t)p->head.counters * p->head.counter_bytes);
	return sum == p->head.sum;
}

static int read_front(struct wirepage *p)
{
	size_t bytes = p->head.head_bytes + (size_t)p->head.counters * p->head.counter_bytes;
	char *front = realloc(p->front, bytes);
	int ret;

	if (!front)
		return fail(p, -ENOMEM, "out of memory");
	p->front = front;
	p->names = front + p->head.head_bytes;
	ret = read_at(p, 0, front, bytes);
	if (ret)
		return fail(p, -EBADMSG, "is cut off inside its head");
	/* It may have been written anew since its sizes were read. */
	if (memcmp(front, &p->head, sizeof(p->head)) != 0 || !sum_is_right(p))
		return fail(p, -EBADMSG, "is damaged: the sum of its head is wrong");
	return 0;
}

static int check_names(struct wirepage *p)
{
	memset(p->count, 0, sizeof(p->count));
	for (unsigned i = 0; i < p->head.counters; i++) {
		struct wire_name n = wirepage_name(p, i);

		if (n.scope < WIRE_SCOPES)
			p->count[n.scope]++;
	}
	p->head.who.boot_id[sizeof(p->head.who.boot_id) - 1] = '\0';
	p->head.who.comm[sizeof(p->head.who.comm) - 1] = '\0';
	p->head.tree[sizeof(p->head.tree) - 1] = '\0';
	return 0;
}

static int read_head(struct wirepage *p)
{
	int ret = -EBADMSG;

	for (unsigned turn = 0; turn < TRIES && ret == -EBADMSG; turn++) {
		if (turn)
			nap(p, turn);
		ret = read_at(p, 0, &p->head, sizeof(p->head));
		if (ret == -ENODATA)
			return fail(p, -EINVAL, "is too short for the page of a program");
		if (ret)
			return fail(p, ret, strerror(-ret));
		ret = check_sizes(p);
		if (ret == 0)
			ret = read_front(p);
		if (p->fd < 0)
			break;
	}
	return ret ? ret : check_names(p);
}

int wirepage_open_file(struct wirepage *p, int fd)
{
	struct stat st;

	*p = (struct wirepage){ .fd = fd };
	if (fstat(fd, &st))
		return fail(p, -errno, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return fail(p, -EINVAL, "is not a file");
	return read_head(p);
}

int wirepage_open_text(struct wirepage *p, const char *text, size_t len)
{
	*p = (struct wirepage){ .fd = -1, .text = text, .len = len };
	return read_head(p);
}

void wirepage_close(struct wirepage *p)
{
	if (p->fd >= 0)
		close(p->fd);
	free(p->front);
	free(p->records);
	p->fd = -1;
	p->front = p->records = NULL;
	p->room = 0;
}

struct wire_name wirepage_name(const struct wirepage *p, unsigned i)
{
	struct wire_name n;

	memcpy(&n, p->names + (size_t)i * p->head.counter_bytes, sizeof(n));
	n.id[sizeof(n.id) - 1] = '\0';
	return n;
}

/* ---- figures --------------------------------------------------------------------------------- */

/* Bytes that there are behind an offset. */
static uint64_t bytes_behind(const struct wirepage *p, uint64_t offset)
{
	uint64_t bytes = p->len;
	struct stat st;

	if (p->fd >= 0)
		bytes = fstat(p->fd, &st) || st.st_size < 0 ? 0 : (uint64_t)st.st_size;
	return bytes > offset ? bytes - offset : 0;
}

static bool read_slot_head(const struct wirepage *p, unsigned i, struct wire_slot *slot)
{
	const struct wire_head *h = &p->head;
	uint64_t room = bytes_behind(p, h->slot_offset[i]);

	if (room > h->slot_bytes)
		room = h->slot_bytes;
	return room >= sizeof(*slot) && room <= WIRE_SLOT_MAX &&
	       !read_at(p, h->slot_offset[i], slot, sizeof(*slot)) && slot->number &&
	       slot->number % WIRE_SLOTS == i && slot->bytes <= room - sizeof(*slot) &&
	       slot->bytes % 8 == 0;
}

/* 0; -EBADMSG: not whole at this moment. */
static int read_slot(struct wirepage *p, unsigned i, const struct wire_slot *slot)
{
	if (slot->bytes + 1 > p->room) {
		char *records = realloc(p->records, slot->bytes + 1);

		if (!records)
			return fail(p, -ENOMEM, "out of memory");
		p->records = records;
		p->room = slot->bytes + 1;
	}
	if (read_at(p, p->head.slot_offset[i] + sizeof(*slot), p->records, slot->bytes) ||
	    wire_slot_sum(slot, p->records) != slot->sum)
		return -EBADMSG;
	p->slot = *slot;
	return 0;
}

static int read_latest(struct wirepage *p)
{
	struct wire_slot slot[WIRE_SLOTS];
	bool some[WIRE_SLOTS];
	unsigned first;
	int ret = -EBADMSG;

	for (unsigned i = 0; i < WIRE_SLOTS; i++)
		some[i] = read_slot_head(p, i, &slot[i]);
	first = some[1] && (!some[0] || slot[1].number > slot[0].number);
	if (some[first])
		ret = read_slot(p, first, &slot[first]);
	if (ret == -EBADMSG && some[!first])
		ret = read_slot(p, !first, &slot[!first]);
	return ret;
}

int wirepage_read(struct wirepage *p)
{
	int ret = read_latest(p);

	for (unsigned turn = 0; ret == -EBADMSG && p->fd >= 0 && turn < TRIES; turn++) {
		/* The slots may be elsewhere by now: the head says so. */
		nap(p, turn);
		ret = read_head(p);
		if (ret == 0)
			ret = read_latest(p);
	}
	if (ret == -EBADMSG && !p->why)
		p->why = "has no figures that are whole: cut off, damaged, or never written";
	return ret;
}

/* ---- records --------------------------------------------------------------------------------- */

/* What of a record of this type is values; false: not a type that we know. */
static bool values_of(const struct wirepage *p, unsigned type, size_t *bytes)
{
	static const unsigned char scope[] = {
		[WIRE_RECORD_PROCESS] = WIRE_PROCESS,
		[WIRE_RECORD_CACHE] = WIRE_CACHE,
		[WIRE_RECORD_NODE] = WIRE_NODE,
		[WIRE_RECORD_CPU] = WIRE_CPU,
	};

	*bytes = 0;
	if (type == WIRE_RECORD_NAME)
		return true;
	if (type < WIRE_RECORD_PROCESS || type > WIRE_RECORD_CPU)
		return false;
	*bytes = p->count[scope[type]] * sizeof(uint64_t);
	return true;
}

int wirepage_next(const struct wirepage *p, size_t *at, struct wirepage_record *r)
{
	while (*at < p->slot.bytes) {
		struct wire_record w;
		size_t left = p->slot.bytes - *at, values;
		const char *start = p->records + *at;
		bool known, named;

		if (left < sizeof(w))
			return -EBADMSG;
		memcpy(&w, start, sizeof(w));
		if (w.bytes < sizeof(w) || w.bytes % 8 || w.bytes > left)
			return -EBADMSG;
		*at += w.bytes;
		known = values_of(p, w.type, &values);
		if (!known)
			continue;
		if (values > w.bytes - sizeof(w))
			return -EBADMSG;
		named = w.type == WIRE_RECORD_CACHE || w.type == WIRE_RECORD_NAME;
		*r = (struct wirepage_record){ .type = (enum wire_record_type)w.type,
					       .index = w.index,
					       .values = start + sizeof(w) };
		if (named) {
			r->name = r->values + values;
			if (!memchr(r->name, '\0', w.bytes - sizeof(w) - values) || !*r->name)
				return -EBADMSG;
		}
		return 1;
	}
	return 0;
}

uint64_t wirepage_value(const struct wirepage_record *r, unsigned place)
{
	uint64_t v;

	memcpy(&v, r->values + place * sizeof(v), sizeof(v));
	return v;
}
