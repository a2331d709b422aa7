// SPDX-License-Identifier: MIT
/* text.c - samples of another tool's output; see text.h. */
#include "slabstat/text.h"

#include <string.h>

/* ---- samples --------------------------------------------------------------------------------- */

void text_begin(struct text *t, const struct line *l)
{
	t->begun = true;
	t->apart = t->content = false;
	if (t->s)
		return;
	if (sample_add(&t->samples, (size_t)(t->raw - t->start), l->number - 1, t->wall_ns))
		t->no_memory = true;
	t->wall_ns = 0;
	if (t->format->close)
		t->format->close(t);
	memset(t->state, 0, t->format->state_size);
}

void text_continue(struct text *t, const struct line *l)
{
	if (!t->begun || (t->apart && t->content))
		text_begin(t, l);
	t->content = true;
}

/* ---- what a sample is read into -------------------------------------------------------------- */

static struct slabstat_cache *or_stand_in(struct text *t, struct slabstat_cache *c)
{
	if (c)
		return c;
	t->no_memory |= t->s != NULL;
	memset(&t->stand_in, 0, sizeof(t->stand_in));
	return &t->stand_in;
}

struct slabstat_cache *text_cache(struct text *t, const char *name, size_t len)
{
	return or_stand_in(t, t->s ? snapshot_add(t->s, name, len) : NULL);
}

struct slabstat_cache *text_reported(struct text *t)
{
	return or_stand_in(t, t->s ? snapshot_report(t->s) : NULL);
}

struct slabstat_machine *text_machine(struct text *t)
{
	return t->s ? &t->s->machine : &t->machine;
}

void text_link(struct text *t, const char *name, size_t len, const char *target, size_t target_len)
{
	const char *link, *to;

	if (!t->s)
		return;
	link = snapshot_string(t->s, name, len);
	to = snapshot_string(t->s, target, target_len);
	if (!link || !to || snapshot_link(t->s, link, to))
		t->no_memory = true;
}

void text_state(struct slabstat_cache *c, enum slabstat_field f, uint64_t value,
		enum slabstat_quality q)
{
	if (!cache_has(c, f) || q == SLABSTAT_EXACT)
		cache_set(c, f, value, q);
}
