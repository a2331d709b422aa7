// SPDX-License-Identifier: MIT
/* attribute.c - the text of the files of a cache; see attribute.h. */
#include "attribute.h"

#include "util/num.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- which ----------------------------------------------------------------------------------- */

/* slabs_cpu_partial has a form of its own and is two fields; programs have no such figure. */
static bool is_shown(int a)
{
	return a != SLABSTAT_CPU_PARTIAL_OBJS && a != SLABSTAT_CPU_PARTIAL_SLABS;
}

const char *attribute_name(const struct slabstat_cache *c, int a)
{
	if (a == ATTRIBUTE_SHRINK)
		return "shrink";
	if (a == ATTRIBUTE_VALIDATE)
		return "validate";
	if (a < 0 || a >= ATTRIBUTES || !is_shown(a) ||
	    slabstat_cache_value(c, (enum slabstat_field)a, NULL) == SLABSTAT_ABSENT)
		return NULL;
	return slabstat_field_info((enum slabstat_field)a)->sysfs;
}

int attribute_find(const struct slabstat_cache *c, const char *name)
{
	for (int a = 0; a < ATTRIBUTES; a++) {
		const char *known = attribute_name(c, a);

		if (known && strcmp(known, name) == 0)
			return a;
	}
	return -ENOENT;
}

bool attribute_writable(int a)
{
	return a == SLABSTAT_MIN_PARTIAL || a == SLABSTAT_CPU_PARTIAL ||
	       a == SLABSTAT_SHEAF_CAPACITY || a == ATTRIBUTE_SHRINK || a == ATTRIBUTE_VALIDATE;
}

/* ---- text ------------------------------------------------------------------------------------ */

void attribute_print(const struct slabstat_cache *c, int a, FILE *out)
{
	const enum slabstat_field f = (enum slabstat_field)a;
	const struct slabstat_share *share;
	uint64_t value = 0;
	char letter;
	size_t n;

	if (a >= SLABSTAT_NFIELDS)
		return;
	/* What only grows is told by CPU, what goes up and down by node. */
	letter = slabstat_field_info(f)->kind == SLABSTAT_KIND_COUNTER ? 'C' : 'N';
	slabstat_cache_value(c, f, &value);
	fprintf(out, "%" PRIu64, value);
	share = slabstat_cache_shares(c, f, &n);
	for (size_t i = 0; i < n; i++)
		if (share[i].value)
			fprintf(out, " %c%u=%" PRIu64, letter, share[i].index, share[i].value);
	putc('\n', out);
}

int attribute_parse(int a, const char *text, size_t size, uint64_t *value)
{
	const char *end = text + size;
	int ret;

	if (a >= SLABSTAT_NFIELDS) {
		*value = 1;
		return size && *text == '1' ? 0 : -EINVAL;
	}
	if (text < end && *text == '+')
		text++;
	ret = num_scan_u64(&text, end, value);
	if (text < end && *text == '\n')
		text++;
	return text < end ? -EINVAL : ret;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static const enum slabstat_field columns[] = {
	SLABSTAT_OBJECTS,	SLABSTAT_TOTAL_OBJECTS, SLABSTAT_SLAB_SIZE,
	SLABSTAT_OBJS_PER_SLAB, SLABSTAT_ORDER,		SLABSTAT_SLABS,
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

/* A name is one word or several, never a line. */
static void print_name(const char *name, FILE *out)
{
	int width = 17;

	for (; *name; name++, width--)
		putc((unsigned char)*name < ' ' ? '?' : *name, out);
	for (; width > 0; width--)
		putc(' ', out);
}

/* A row has no way to leave a figure out: without one of them there is none. */
static void print_row(const struct slabstat_cache *c, const char *name, FILE *out)
{
	uint64_t v[COLUMNS];

	for (size_t i = 0; i < COLUMNS; i++)
		if (slabstat_cache_value(c, columns[i], &v[i]) == SLABSTAT_ABSENT)
			return;
	print_name(name, out);
	fprintf(out, " %6" PRIu64 " %6" PRIu64 " %6" PRIu64 " %4" PRIu64 " %4" PRIu64, v[0], v[1],
		v[2], v[3], v[4] < 64 ? (uint64_t)1 << v[4] : 0);
	fprintf(out, " : tunables %4u %4u %4u : slabdata %6" PRIu64 " %6" PRIu64 " %6u\n", 0, 0, 0,
		v[5], v[5], 0);
}

static int newest_first(const void *a, const void *b)
{
	size_t p = slabstat_cache_position(*(const struct slabstat_cache *const *)a);
	size_t q = slabstat_cache_position(*(const struct slabstat_cache *const *)b);

	return p < q ? 1 : p > q ? -1 : 0;
}

int attribute_rows(const struct slabstat_snapshot *s, const struct caches *names, FILE *out)
{
	size_t n = slabstat_snapshot_count(s);
	const struct slabstat_cache **cache = calloc(n + 1, sizeof(*cache));

	if (!cache)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		cache[i] = slabstat_snapshot_cache(s, i);
	qsort(cache, n, sizeof(*cache), newest_first);
	fputs("slabinfo - version: 2.1\n"
	      "# name            <active_objs> <num_objs> <objsize> <objperslab> <pagesperslab> : "
	      "tunables <limit> <batchcount> <sharedfactor> : "
	      "slabdata <active_slabs> <num_slabs> <sharedavail>\n",
	      out);
	for (size_t i = 0; i < n; i++)
		print_row(cache[i], caches_row_name(names, cache[i]), out);
	free(cache);
	return 0;
}
