// SPDX-License-Identifier: MIT
/* tunepage.c - tuning through the page of a program; see tunepage.h. */
#include "slabstat/tunepage.h"

#include "slabstat/source_process.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tunepage {
	struct slabstat_source *source;
	struct slabstat_snapshot *names, *now;
	char *path;
};

int tunepage_open(struct slabstat *h, const char *process, struct tunepage **tp)
{
	const struct slabstat_spec spec = { .process = process };
	struct tunepage *t = calloc(1, sizeof(*t));
	int ret;

	*tp = NULL;
	if (!t)
		return error_memory(h);
	ret = slabstat_source_open(h, &spec, &t->source);
	if (ret == 0)
		ret = slabstat_source_read(t->source, NULL, &t->names);
	if (ret == 0) {
		t->path = strdup(slabstat_source_process(t->source)->path);
		ret = t->path ? 0 : error_memory(h);
	}
	if (ret)
		tunepage_close(t);
	else
		*tp = t;
	return ret;
}

void tunepage_close(struct tunepage *tp)
{
	if (!tp)
		return;
	slabstat_snapshot_free(tp->names);
	slabstat_snapshot_free(tp->now);
	slabstat_source_close(tp->source);
	free(tp->path);
	free(tp);
}

const struct slabstat_snapshot *tunepage_names(const struct tunepage *tp)
{
	return tp->names;
}

const char *tunepage_path(const struct tunepage *tp)
{
	return tp->path;
}

static int read_now(struct tunepage *tp)
{
	slabstat_snapshot_free(tp->now);
	tp->now = NULL;
	return slabstat_source_read(tp->source, NULL, &tp->now);
}

/* The handle is the serial, which is the cache's position. */
static const struct slabstat_cache *find_serial(const struct slabstat_snapshot *s, size_t serial)
{
	for (size_t i = 0; i < slabstat_snapshot_count(s); i++)
		if (slabstat_cache_position(slabstat_snapshot_cache(s, i)) == serial)
			return slabstat_snapshot_cache(s, i);
	return NULL;
}

int tunepage_cache(struct tunepage *tp, const char *name, char *identity, size_t size)
{
	const struct slabstat_cache *c;
	size_t serial;
	int ret = read_now(tp);

	if (ret)
		return ret;
	c = slabstat_snapshot_find(tp->now, name);
	if (!c)
		return -ENOENT;
	serial = slabstat_cache_position(c);
	if (serial > INT32_MAX)
		return -EOVERFLOW;
	if (identity)
		snprintf(identity, size, "%zu", serial);
	return (int)serial;
}

int tunepage_read(struct tunepage *tp, int cache, const char *attribute, uint64_t *value)
{
	int field = slabstat_field_find(attribute), ret = field < 0 ? -ENOENT : read_now(tp);
	const struct slabstat_cache *c;

	if (ret)
		return ret;
	c = find_serial(tp->now, (size_t)cache);
	return c && slabstat_cache_value(c, (enum slabstat_field)field, value) != SLABSTAT_ABSENT ?
		       0 : -ENOENT;
}

static uint64_t verb_of(const char *attribute)
{
	return strcmp(attribute, "shrink") == 0   ? WIRE_ASK_SHRINK :
	       strcmp(attribute, "validate") == 0 ? WIRE_ASK_VALIDATE :
						    WIRE_ASK_TUNE;
}

int tunepage_write(struct tunepage *tp, int cache, const char *attribute, uint64_t value)
{
	struct wire_ask ask = { .verb = verb_of(attribute),
				.serial = (uint64_t)cache,
				.value = value };

	if (strlen(attribute) >= sizeof(ask.key))
		return -ENOENT;
	strcpy(ask.key, attribute);
	return source_process_ask(tp->source, &ask);
}

int tunepage_writable(struct tunepage *tp, int cache, const char *attribute)
{
	static const char *const keys[] = { "min_partial", "cpu_partial", "sheaf_capacity",
					    "shrink", "validate" };
	bool known = false;
	uint64_t value;
	int ret;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		known |= strcmp(attribute, keys[i]) == 0;
	if (!known)
		return -ENOENT;
	ret = verb_of(attribute) == WIRE_ASK_TUNE ? tunepage_read(tp, cache, attribute, &value) :
						    read_now(tp);
	return ret ? ret : source_process_may_ask(tp->source);
}
