// SPDX-License-Identifier: MIT
/*
 * compat_alias.c - the kernel tool's alias listing (-a, -i, -1); see compat.h.
 *
 * One line a target: the kernel's tool split targets whose names differ in case only.
 */
#include "compat.h"

#include "util/name.h"
#include "util/safe.h"

#include <regex.h>
#include <stdlib.h>

struct link {
	const char *alias, *target;
};

struct links {
	struct link *link;
	size_t n;
};

static int compare(const void *pa, const void *pb)
{
	const struct link *a = pa, *b = pb;
	int c = name_compare(a->alias, b->alias);

	return c ? c : name_compare(a->target, b->target);
}

/* The users of one cache that the pattern leaves. */
static void add_links(struct links *l, const struct slabstat_cache *cache, const regex_t *pattern)
{
	const char *target = slabstat_cache_name(cache);
	const bool whole = pattern && regexec(pattern, target, 0, NULL, 0) == 0;

	for (size_t i = 0; i < slabstat_cache_alias_count(cache); i++) {
		const char *alias = slabstat_cache_alias(cache, i);

		if (!pattern || whole || regexec(pattern, alias, 0, NULL, 0) == 0)
			l->link[l->n++] = (struct link){ alias, target };
	}
}

static size_t count_aliases(const struct compat_rows *rows)
{
	size_t n = 0;

	for (size_t i = 0; i < rows->n; i++)
		n += slabstat_cache_alias_count(rows->row[i].cache);
	return n;
}

/* width: at least this many columns, without cutting a longer name. */
static void print_name(const struct view *v, const char *name, int width)
{
	const unsigned flags = v->out->ascii ? SAFE_ASCII : 0;
	char *safe = safe_is_plain(name, flags) ? NULL : safe_text(name, flags);

	fprintf(v->out->f, "%-*s", width, safe ? safe : name);
	free(safe);
}

/* -i: one line a user, in order of the users. */
static void print_inverted(const struct view *v, struct links *l)
{
	qsort(l->link, l->n, sizeof(*l->link), compare);
	for (size_t i = 0; i < l->n; i++) {
		print_name(v, l->link[i].alias, 15);
		fputs(" -> ", v->out->f);
		print_name(v, l->link[i].target, 0);
		fputc('\n', v->out->f);
	}
}

static void print_target(const struct view *v, struct links *l)
{
	qsort(l->link, l->n, sizeof(*l->link), compare);
	fputc('\n', v->out->f);
	print_name(v, l->link[0].target, 12);
	fputs(" <-", v->out->f);
	for (size_t i = 0; i < l->n; i++) {
		fputc(' ', v->out->f);
		print_name(v, l->link[i].alias, 0);
	}
}

/* A target with one user is left out without -1. */
static void print_links(const struct view *v, const struct compat_rows *rows, struct links *l,
			const regex_t *pattern)
{
	const bool inverted = v->r->inverted;
	size_t lines = 0;

	for (size_t i = 0; i < rows->n; i++) {
		const size_t start = inverted ? l->n : 0;
		size_t users;

		l->n = start;
		add_links(l, rows->row[i].cache, pattern);
		users = l->n - start;
		if (users == 0 || (users == 1 && !v->r->single_aliases)) {
			l->n = start;
		} else if (!inverted) {
			print_target(v, l);
			lines++;
		}
	}
	if (inverted)
		print_inverted(v, l);
	else if (lines)
		fputc('\n', v->out->f);
}

static int by_target(const void *pa, const void *pb)
{
	const struct compat_row *a = pa, *b = pb;

	return name_compare(slabstat_cache_name(a->cache), slabstat_cache_name(b->cache));
}

int compat_aliases(const struct view *v)
{
	struct compat_rows rows;
	struct links links = { 0 };
	regex_t pattern;
	bool some;

	if (!compat_select(v, COMPAT_ALL, &rows))
		return 2;
	links.link = calloc(count_aliases(&rows) + 1, sizeof(*links.link));
	if (!links.link) {
		fputs("slabinfo: out of memory\n", stderr);
		compat_free(&rows);
		return 1;
	}
	qsort(rows.row, rows.n, sizeof(*rows.row), by_target);
	some = v->r->pattern && regcomp(&pattern, v->r->pattern, REG_ICASE | REG_NOSUB) == 0;
	print_links(v, &rows, &links, some ? &pattern : NULL);
	if (some)
		regfree(&pattern);
	free(links.link);
	compat_free(&rows);
	return 0;
}
