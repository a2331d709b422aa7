// SPDX-License-Identifier: MIT
/* once.c - the output of procps slabtop -o; see once.h. */
#include "once.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/num.h"
#include "util/out.h"
#include "util/safe.h"

struct line {
	const struct slabstat_cache *cache;
	uint64_t objs, active, size, per_slab, pages, slabs, active_slabs, bytes;
	unsigned use;
	uint64_t key;			/* what it is sorted by */
	size_t place;			/* in the source: ties stay in its order */
};

struct head {
	uint64_t active_objs, objs, active_slabs, slabs, active_caches, caches, active_size, size;
	uint64_t least, most;
};

/* SLUB has no inactive slabs; only /proc/slabinfo of the SLAB allocator counts them apart. */
static void make_line(struct line *l, const struct slabstat_cache *c, uint64_t page_size)
{
	l->cache = c;
	l->objs = slabstat_cache_or(c, SLABSTAT_TOTAL_OBJECTS, 0);
	l->active = slabstat_cache_or(c, SLABSTAT_OBJECTS, 0);
	l->size = slabstat_cache_or(c, SLABSTAT_SLAB_SIZE,
				    slabstat_cache_or(c, SLABSTAT_OBJECT_SIZE, 0));
	l->per_slab = slabstat_cache_or(c, SLABSTAT_OBJS_PER_SLAB, 0);
	l->pages = slabstat_cache_or(c, SLABSTAT_PAGES_PER_SLAB, 0);
	l->slabs = slabstat_cache_or(c, SLABSTAT_SLABS, 0);
	l->active_slabs = slabstat_cache_or(c, SLABSTAT_ACTIVE_SLABS, l->slabs);
	l->bytes = num_mul_sat(num_mul_sat(l->slabs, l->pages), page_size);
	l->use = l->objs ? (unsigned)(100 * ((float)l->active / (float)l->objs)) : 0;
	l->place = slabstat_cache_position(c);
}

static uint64_t sort_key(const struct line *l, char letter)
{
	switch (letter) {
	case 'a': return l->active;
	case 'b': return l->per_slab;
	case 'c': return l->bytes;
	case 'l': return l->slabs;
	case 'v': return l->active_slabs;
	case 'p': return l->pages;
	case 's': return l->size;
	case 'u': return l->use;
	default: return l->objs;
	}
}

static int by_key(const void *pa, const void *pb)
{
	const struct line *a = pa, *b = pb;

	if (a->key != b->key)
		return a->key > b->key ? -1 : 1;
	return a->place < b->place ? -1 : a->place > b->place;
}

static int by_name(const void *pa, const void *pb)
{
	const struct line *a = pa, *b = pb;
	int order = strcoll(slabstat_cache_label(a->cache), slabstat_cache_label(b->cache));

	return order ? order : a->place < b->place ? -1 : a->place > b->place;
}

static struct head add_up(const struct line *l, size_t n)
{
	struct head h = { .caches = n, .least = UINT64_MAX };

	for (size_t i = 0; i < n; i++) {
		h.active_objs += l[i].active;
		h.objs += l[i].objs;
		h.active_slabs += l[i].active_slabs;
		h.slabs += l[i].slabs;
		h.active_caches += l[i].objs > 0;
		h.active_size = num_add_sat(h.active_size, num_mul_sat(l[i].active, l[i].size));
		h.size = num_add_sat(h.size, num_mul_sat(l[i].objs, l[i].size));
		if (l[i].size < h.least)
			h.least = l[i].size;
		if (l[i].size > h.most)
			h.most = l[i].size;
	}
	if (!n)
		h.least = 0;
	return h;
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0.0;
}

/*
 * Kibibytes as procps 4.0.6 scales them: digits alone, or with --human the first unit in which
 * "1.5Mi" or "153Mi" fits into five characters.
 */
static const char *scaled(uint64_t kib, bool human, char buf[32])
{
	static const char units[] = "KMGTP";
	double value = (double)kib;

	snprintf(buf, 32, "%" PRIu64, kib);
	if (!human)
		return buf;
	if (snprintf(buf, 32, "%" PRIu64 "B", num_mul_sat(kib, 1024)) <= 4)
		return buf;
	for (size_t i = 0; units[i]; i++, value /= 1024)
		if (snprintf(buf, 32, "%.1f%ci", (double)(float)value, units[i]) <= 5 ||
		    snprintf(buf, 32, "%lu%ci", (unsigned long)value, units[i]) <= 5)
			break;
	return buf;
}

static void print_head(const struct head *h, const struct options *o, FILE *out)
{
	static const char *const label[] = {
		"Active / Total Objects (% used)", "Active / Total Slabs (% used)",
		"Active / Total Caches (% used)", "Active / Total Size (% used)",
		"Minimum / Average / Maximum Object",
	};
	const uint64_t pair[][2] = { { h->active_objs, h->objs }, { h->active_slabs, h->slabs },
				     { h->active_caches, h->caches } };
	char a[32], b[32];

	for (int i = 0; i < 3; i++)
		fprintf(out, " %-35s: %" PRIu64 " / %" PRIu64 " (%.1f%%)\n", label[i], pair[i][0],
			pair[i][1], percent(pair[i][0], pair[i][1]));
	if (o->compat_406)
		fprintf(out, " %-35s: %s / %s (%.1f%%)\n", label[3],
			scaled(h->active_size / 1024, o->human, a),
			scaled(h->size / 1024, o->human, b), percent(h->active_size, h->size));
	else
		fprintf(out, " %-35s: %.2fK / %.2fK (%.1f%%)\n", label[3],
			(double)h->active_size / 1024, (double)h->size / 1024,
			percent(h->active_size, h->size));
	fprintf(out, " %-35s: %.2fK / %.2fK / %.2fK\n\n", label[4], (double)h->least / 1024,
		h->objs ? (double)(h->size / h->objs) / 1024 : 0.0, (double)h->most / 1024);
}

static void print_lines(const struct line *l, size_t n, const struct options *o, FILE *out)
{
	char a[32];

	if (o->compat_406)
		fprintf(out, "%-80s\n",
			"    OBJS   ACTIVE  USE OBJ SIZE  SLABS OBJ/SLAB CACHE SIZE NAME");
	else
		fprintf(out, "%-78s\n",
			"  OBJS ACTIVE  USE OBJ SIZE  SLABS OBJ/SLAB CACHE SIZE NAME");
	for (size_t i = 0; i < n; i++, l++) {
		char *safe =
			isatty(fileno(out)) ? safe_text(slabstat_cache_label(l->cache), 0) : NULL;
		const char *name = safe ? safe : slabstat_cache_label(l->cache);

		if (o->compat_406)
			fprintf(out,
				"%8" PRIu64 " %8" PRIu64 " %3u%% %7.2fK %6" PRIu64 " %8" PRIu64
				" %10s %-23s\n",
				l->objs, l->active, l->use, (double)l->size / 1024, l->slabs,
				l->per_slab, scaled(l->bytes / 1024, o->human, a), name);
		else
			fprintf(out,
				"%6" PRIu64 " %6" PRIu64 " %3u%% %7.2fK %6" PRIu64 " %8" PRIu64
				" %9" PRIu64 "K %-23s\n",
				l->objs, l->active, l->use, (double)l->size / 1024, l->slabs,
				l->per_slab, l->bytes / 1024, name);
		free(safe);
	}
}

static int print_rows(const struct slabstat_rows *rows, uint64_t page_size, const struct options *o)
{
	size_t n = slabstat_rows_count(rows);
	struct line *l = malloc((n ? n : 1) * sizeof(*l));
	struct out out;
	struct head h;

	if (!l) {
		fprintf(stderr, "%s: out of memory\n", PROGRAM);
		return 1;
	}
	for (size_t i = 0; i < n; i++) {
		make_line(&l[i], slabstat_rows_caches(rows)[i], page_size);
		l[i].key = sort_key(&l[i], o->sort_letter);
	}
	qsort(l, n, sizeof(*l), o->sort_letter == 'n' ? by_name : by_key);
	out_start(&out);
	h = add_up(l, n);
	print_head(&h, o, out.f);
	print_lines(l, n, o, out.f);
	free(l);
	return out_finish(&out, PROGRAM);
}

/* As procps: one read of /proc/slabinfo is the whole live picture. */
static struct slabstat_snapshot *read_source(struct slabstat *h, const struct options *o)
{
	struct source_opts source = o->source;

	if (source_opts_is_system(&source) && !source.root && source.from == SLABSTAT_SOURCE_AUTO &&
	    access("/proc/slabinfo", R_OK) == 0)
		source.from = SLABSTAT_SOURCE_PROCFS;
	return source_opts_read(h, &source, 0, NULL, PROGRAM);
}

int once_run(const struct options *o)
{
	struct slabstat_select how = { .match = &o->match, .match_count = o->match ? 1 : 0 };
	struct slabstat *h = slabstat_new();
	struct slabstat_snapshot *s = h ? read_source(h, o) : NULL;
	struct slabstat_rows *rows = NULL;
	int status = 1;

	if (s && slabstat_select(h, s, &how, &rows) != 0) {
		cli_print_error(h, PROGRAM);
		status = 2;
	} else if (s) {
		uint64_t page_size = slabstat_snapshot_machine(s)->page_size;

		status = print_rows(rows, page_size ? page_size : (uint64_t)sysconf(_SC_PAGESIZE),
				    o);
	}
	slabstat_rows_free(rows);
	slabstat_snapshot_free(s);
	slabstat_free(h);
	return status;
}
