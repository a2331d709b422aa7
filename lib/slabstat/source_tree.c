// SPDX-License-Identifier: MIT
/*
 * source_tree.c - a slab directory as a listing, one file a line.
 *
 *	:0000024/objects:170 N0=170		CACHE/ATTRIBUTE:VALUE, what `grep -r .` prints there
 *	Acpi-State -> :0000080			an alias and its target; a line of `ls -l` will do
 *						too
 *	dentry/objects:<Permission denied>	a file that could not be read
 *
 * A path before the cache is dropped, "|" stands between the lines of one file. Lines come in any
 * order. The first line met again begins another sample.
 */
#include "slabstat/attr.h"
#include "slabstat/field.h"
#include "slabstat/sample.h"
#include "slabstat/source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct span {
	const char *text;
	size_t len;
};

/* One line of the listing that counts. */
struct entry {
	struct span cache, attr, value;
	unsigned long line;
};

struct tree {
	struct sample_list samples;
	size_t at;
};

/* ---- lines ----------------------------------------------------------------------------------- */

static bool is_attr_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

static bool span_is(struct span s, const char *text)
{
	return s.len == strlen(text) && memcmp(s.text, text, s.len) == 0;
}

static bool same_span(struct span a, struct span b)
{
	return a.len == b.len && memcmp(a.text, b.text, a.len) == 0;
}

/* Attributes that carry no field: they show a listing for what it is. */
static bool is_known_attr(struct span a)
{
	static const char *const others[] = { "ctor",	    "shrink",	"validate", "alloc_calls",
					      "free_calls", "reserved", "ops",	    "cache_dma32" };

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (span_is(a, others[i]))
			return true;
	return attr_find(a.text, a.len) >= 0;
}

/*
 * CACHE/ATTRIBUTE:VALUE. A name may hold ":" and, in a path before it, "/" stands too: the first
 * place where "/word:" has a known attribute for a word is the one.
 */
static bool scan_entry(const struct line *l, struct entry *e)
{
	const char *end = l->text + l->len, *slash = l->text;

	if (!line_is_text(l))
		return false;
	while ((slash = memchr(slash, '/', (size_t)(end - slash))) != NULL) {
		const char *p = ++slash, *name = slash - 1;

		while (p < end && is_attr_char(*p))
			p++;
		e->attr = (struct span){ slash, (size_t)(p - slash) };
		if (p == end || *p != ':' || e->attr.len == 0 || !is_known_attr(e->attr))
			continue;
		e->value = (struct span){ p + 1, (size_t)(end - p - 1) };
		while (name > l->text && name[-1] != '/')
			name--;
		e->cache = (struct span){ name, (size_t)(slash - 1 - name) };
		e->line = l->number;
		return e->cache.len > 0;
	}
	return false;
}

/* "ALIAS -> TARGET", the alias behind what `ls -l` prints before it. */
static bool scan_link(const struct line *l, struct span *alias, struct span *target)
{
	const char *end = l->text + l->len;
	const char *arrow = memmem(l->text, l->len, " -> ", 4), *from = l->text;

	if (!line_is_text(l) || !arrow || arrow == l->text || arrow + 4 == end)
		return false;
	if (line_begins(l, "lrwx"))
		for (from = arrow; from > l->text && !line_blank(from[-1]) && from[-1] != '/';
		     from--)
			;
	*alias = (struct span){ from, (size_t)(arrow - from) };
	*target = (struct span){ arrow + 4, (size_t)(end - arrow - 4) };
	while (alias->len && line_blank(alias->text[alias->len - 1]))
		alias->len--;
	while (memchr(target->text, '/', target->len)) {
		target->text++;
		target->len--;
	}
	return alias->len > 0 && target->len > 0 && !memchr(alias->text, '/', alias->len);
}

/* ---- samples --------------------------------------------------------------------------------- */

static int tree_sniff(const char *text, size_t len)
{
	struct lines r = lines_of(text, len);
	struct line l;
	struct entry e;
	size_t known = 0, lines = 0;

	/* A listing is one from its first lines on, but for what a shell says before. */
	while (lines < 200 && lines_next(&r, &l)) {
		if (l.len == 0)
			continue;
		lines++;
		known += scan_entry(&l, &e);
	}
	return known == 0 ? 0 : known * 2 >= lines ? 95 : known >= 3 ? 70 : 0;
}

static int find_samples(struct tree *x, const char *text, size_t len)
{
	struct lines r = lines_of(text, len);
	struct entry first = { { NULL, 0 }, { NULL, 0 }, { NULL, 0 }, 0 }, e;
	const char *from = text;
	int64_t wall_ns = 0, stamp;
	struct line l;

	for (; lines_next(&r, &l); from = r.next) {
		if (sample_separator(&l, &stamp) && stamp)
			wall_ns = stamp;
		if (!scan_entry(&l, &e))
			continue;
		if (first.line &&
		    !(same_span(e.cache, first.cache) && same_span(e.attr, first.attr)))
			continue;
		/* What stands before the first is read with it. */
		if (sample_add(&x->samples, first.line ? (size_t)(from - text) : 0,
			       first.line ? l.number - 1 : 0, wall_ns))
			return -ENOMEM;
		wall_ns = 0;
		first = e;
	}
	return 0;
}

static int tree_open(struct slabstat_source *src)
{
	struct tree *x = calloc(1, sizeof(*x));

	src->state = x;
	if (!x || find_samples(x, src->text, src->text_len))
		return error_memory(src->h);
	if (x->samples.count == 0)
		return error_set(src->h, -EINVAL, source_label(src), 0,
				 "no line in it is CACHE/ATTRIBUTE:VALUE of a slab directory");
	return 0;
}

static void tree_close(struct slabstat_source *src)
{
	struct tree *x = src->state;

	if (!x)
		return;
	sample_free(&x->samples);
	free(x);
	src->state = NULL;
}

/* ---- caches ---------------------------------------------------------------------------------- */

static int compare_entries(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;
	size_t n = a->cache.len < b->cache.len ? a->cache.len : b->cache.len;
	int order = memcmp(a->cache.text, b->cache.text, n);

	if (order == 0)
		order = a->cache.len < b->cache.len ? -1 : a->cache.len > b->cache.len;
	return order ? order : a->line < b->line ? -1 : a->line > b->line;
}

static int fill_attr(struct slabstat_snapshot *s, struct slabstat_cache *c, const struct entry *e)
{
	int field = attr_find(e->attr.text, e->attr.len), ret;
	struct span value = e->value;
	const char *bar = memchr(value.text, '|', value.len);

	if (value.len && value.text[0] == '<') {
		s->notes.unreadable += field >= 0;
		return 0;
	}
	if (span_is(e->attr, "ctor")) {
		c->ctor = snapshot_string(s, value.text, value.len);
		return c->ctor ? 0 : -ENOMEM;
	}
	if (field < 0)
		return 0;
	if (bar)
		value.len = (size_t)(bar - value.text);
	ret = attr_parse(s, c, (enum slabstat_field)field, value.text, value.len);
	if (ret == -EINVAL) {
		if (s->notes.bad_rows++ == 0 || e->line < s->notes.first_bad_row)
			s->notes.first_bad_row = e->line;
		return 0;
	}
	return ret;
}

/* The entries of a sample, and its links into the snapshot. *entries is owned. */
static int collect(struct lines r, struct slabstat_snapshot *s, struct entry **entries,
		   size_t *count)
{
	struct span alias, target;
	size_t room = 0;
	struct line l;

	while (lines_next(&r, &l)) {
		if (*count == room) {
			struct entry *more = reallocarray(*entries, room = room ? room * 2 : 1024,
							  sizeof(*more));

			if (!more)
				return -ENOMEM;
			*entries = more;
		}
		if (scan_entry(&l, &(*entries)[*count])) {
			(*count)++;
		} else if (scan_link(&l, &alias, &target)) {
			const char *name = snapshot_string(s, alias.text, alias.len);
			const char *to = snapshot_string(s, target.text, target.len);

			if (!name || !to || snapshot_link(s, name, to))
				return -ENOMEM;
			s->notes.links++;
		}
	}
	return 0;
}

static int fill_caches(struct slabstat_snapshot *s, struct entry *entries, size_t count)
{
	struct slabstat_cache *c = NULL;

	if (count)
		qsort(entries, count, sizeof(*entries), compare_entries);
	for (size_t i = 0; i < count; i++) {
		if (i == 0 || !same_span(entries[i].cache, entries[i - 1].cache))
			c = snapshot_add(s, entries[i].cache.text, entries[i].cache.len);
		if (!c || fill_attr(s, c, &entries[i]))
			return -ENOMEM;
	}
	return 0;
}

static void why_absent(struct slabstat_snapshot *s)
{
	for (unsigned f = 0; f < SLABSTAT_NFIELDS; f++) {
		const struct slabstat_field_info *info =
			slabstat_field_info((enum slabstat_field)f);
		const char *why = field_why((enum slabstat_field)f, s->machine.kernel);

		if (info->kind != SLABSTAT_KIND_DERIVED)
			snapshot_why(s, (enum slabstat_field)f,
				     why ? why : "the listing does not have it");
	}
}

static int tree_read(struct slabstat_source *src, const struct slabstat_fieldset *want,
		     struct slabstat_snapshot *s)
{
	struct tree *x = src->state;
	struct entry *entries = NULL;
	size_t count = 0;
	int ret;

	(void)want;
	s->wall_ns = x->samples.at[x->at].wall_ns;
	s->machine.slub = true;
	s->machine.page_size = src->spec.page_size;
	ret = collect(sample_lines(&x->samples, x->at, src->text, src->text_len), s, &entries,
		      &count);
	if (ret == 0)
		ret = fill_caches(s, entries, count);
	free(entries);
	if (ret)
		return error_memory(src->h);
	why_absent(s);
	return 0;
}

static size_t tree_samples(const struct slabstat_source *src)
{
	return ((const struct tree *)src->state)->samples.count;
}

static int tree_seek(struct slabstat_source *src, size_t n)
{
	((struct tree *)src->state)->at = n;
	return 0;
}

const struct source_ops source_tree = {
	.kind = SLABSTAT_SOURCE_TREE,
	.sniff = tree_sniff,
	.open = tree_open,
	.read = tree_read,
	.close = tree_close,
	.samples = tree_samples,
	.seek = tree_seek,
};
