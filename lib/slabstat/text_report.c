// SPDX-License-Identifier: MIT
/* text_report.c - the report of one cache by the kernel's slabinfo; see text_report.h. */
#include "slabstat/text_report.h"

#include <string.h>

static const char head[] = "Slabcache: ";
static const char aliases[] = " Aliases:";

/* What follows a label in the line, or NULL. The last of that label is meant where from_right. */
static const char *after(const struct line *l, const char *label)
{
	const char *at = memmem(l->text, l->len, label, strlen(label));

	return at ? at + strlen(label) : NULL;
}

static bool number_after(const struct line *l, const char *label, uint64_t *value)
{
	const char *p = after(l, label), *end = l->text + l->len;
	struct word w;

	return p && word_next(&p, end, &w) && word_u64(&w, value);
}

bool report_begins(const struct line *l, struct word *name)
{
	const char *at, *end;

	if (!line_begins(l, head))
		return false;
	/* The name may hold anything; the last " Aliases:" ends it. */
	name->text = l->text + strlen(head);
	for (end = NULL, at = name->text; at;
	     at = memmem(at, (size_t)(l->text + l->len - at), aliases, strlen(aliases))) {
		end = at;
		at++;
	}
	if (!end || end == name->text)
		return false;
	while (end > name->text && line_blank(end[-1]))
		end--;
	name->len = (size_t)(end - name->text);
	return name->len > 0;
}

struct slabstat_cache *report_head(struct text *t, const struct line *l, const struct word *name)
{
	static const enum slabstat_field marked[] = { SLABSTAT_HWCACHE_ALIGN, SLABSTAT_CACHE_DMA,
						      SLABSTAT_DESTROY_BY_RCU,
						      SLABSTAT_RECLAIM_ACCOUNT };
	struct slabstat_cache *c = text_cache(t, name->text, name->len);
	const struct line rest = { name->text + name->len, 0, l->number };
	struct line tail = rest;
	uint64_t value;

	tail.len = (size_t)(l->text + l->len - tail.text);
	if (number_after(&tail, "Aliases:", &value))
		cache_set(c, SLABSTAT_ALIASES, value, SLABSTAT_EXACT);
	if (number_after(&tail, "Order :", &value))
		cache_set(c, SLABSTAT_ORDER, value, SLABSTAT_EXACT);
	if (number_after(&tail, "Objects:", &value))
		cache_set(c, SLABSTAT_OBJECTS, value, SLABSTAT_EXACT);
	/* Each of these has a line of its own below where it is so. */
	for (size_t i = 0; i < sizeof(marked) / sizeof(marked[0]); i++)
		cache_set(c, marked[i], 0, SLABSTAT_EXACT);
	return c;
}

static bool take_mark(struct slabstat_cache *c, const struct line *l)
{
	static const struct {
		const char *text;
		enum slabstat_field field;
	} marks[] = {
		{ "** Hardware cacheline aligned", SLABSTAT_HWCACHE_ALIGN },
		{ "** Memory is allocated in a special DMA zone", SLABSTAT_CACHE_DMA },
		{ "** Slabs are destroyed via RCU", SLABSTAT_DESTROY_BY_RCU },
		{ "** Reclaim accounting active", SLABSTAT_RECLAIM_ACCOUNT },
	};

	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		if (!line_begins(l, marks[i].text))
			continue;
		cache_set(c, marks[i].field, 1, SLABSTAT_EXACT);
		return true;
	}
	return false;
}

/* SlabSiz is page size << order. */
static void take_slab_bytes(struct text *t, const struct slabstat_cache *c, uint64_t bytes)
{
	struct slabstat_machine *m = text_machine(t);
	uint64_t order = c->value[SLABSTAT_ORDER];

	if (m->page_size == 0 && cache_has(c, SLABSTAT_ORDER) && order < 32 &&
	    bytes >> order >= 4096)
		m->page_size = bytes >> order;
}

bool report_line(struct text *t, struct slabstat_cache *c, const struct line *l)
{
	/* Each row: its first label says which it is; then where the values stand. */
	static const struct {
		const char *row, *slabs, *debug, *memory;
		enum slabstat_field size, count, flag, bytes;
	} rows[] = {
		{ "Object :", "Total  :", "Sanity Checks :", "Total:", SLABSTAT_OBJECT_SIZE,
		  SLABSTAT_SLABS, SLABSTAT_SANITY_CHECKS, SLABSTAT_FOOTPRINT },
		{ "SlabObj:", NULL, "Redzoning     :", "Used :", SLABSTAT_SLAB_SIZE,
		  SLABSTAT_NFIELDS, SLABSTAT_RED_ZONE, SLABSTAT_USED },
		{ "SlabSiz:", "Partial:", "Poisoning     :", "Loss :", SLABSTAT_NFIELDS,
		  SLABSTAT_PARTIAL, SLABSTAT_POISON, SLABSTAT_LOSS },
		{ "Loss   :", "CpuSlab:", "Tracking      :", NULL, SLABSTAT_NFIELDS,
		  SLABSTAT_CPU_SLABS, SLABSTAT_STORE_USER, SLABSTAT_NFIELDS },
		{ "Align  :", "Objects:", "Tracing       :", NULL, SLABSTAT_ALIGN,
		  SLABSTAT_OBJS_PER_SLAB, SLABSTAT_TRACE, SLABSTAT_NFIELDS },
	};
	uint64_t value;

	if (take_mark(c, l))
		return true;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *p;

		if (!line_begins(l, rows[i].row))
			continue;
		if (number_after(l, rows[i].row, &value)) {
			if (rows[i].size != SLABSTAT_NFIELDS)
				cache_set(c, rows[i].size, value, SLABSTAT_EXACT);
			else if (line_begins(l, "SlabSiz:"))
				take_slab_bytes(t, c, value);
		}
		if (rows[i].slabs && number_after(l, rows[i].slabs, &value))
			cache_set(c, rows[i].count, value, SLABSTAT_EXACT);
		if (rows[i].memory && number_after(l, rows[i].memory, &value))
			cache_set(c, rows[i].bytes, value, SLABSTAT_EXACT);
		p = after(l, rows[i].debug);
		if (p)
			cache_set(c, rows[i].flag,
				  memmem(p, (size_t)(l->text + l->len - p), "On", 2) != NULL,
				  SLABSTAT_EXACT);
		return true;
	}
	return false;
}
