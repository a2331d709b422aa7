// SPDX-License-Identifier: MIT
/*
 * machine.c - facts of the machine that was read; see machine.h.
 *
 * The page size of a copy stands in none of its files. But objs_per_slab is what fits in the
 * pages of a slab, rounded down, and doubling the page size at least doubles that: so a single
 * row settles it, and a second one that disagrees shows that the first did not.
 */
#include "slabstat/machine.h"

#include "util/num.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SMALLEST_PAGE 4096u
#define LARGEST_PAGE  (SMALLEST_PAGE << (PAGE_SIZES - 1))
#define PAGE_SIZES    7

unsigned machine_kernel(const char *release)
{
	const char *end = release + strlen(release);
	uint64_t major, minor;

	if (num_scan_u64(&release, end, &major) || major > 0xffff || *release++ != '.' ||
	    num_scan_u64(&release, end, &minor) || minor > 0xffff)
		return 0;
	return SLABSTAT_KERNEL(major, minor);
}

static int keep(struct arena *a, const char *text, size_t len, const char **where)
{
	*where = arena_string(a, text, len);
	return *where ? 0 : -ENOMEM;
}

/* The third word of "Linux version 6.18.44-amd64 (builder) ..."; else osrelease, the word alone. */
static int read_release(struct root *r, struct arena *a, struct slabstat_machine *m)
{
	static const char before[] = "Linux version ";
	char buf[1024];
	const char *release = buf;

	if (root_read_line(r, "proc/version", buf, sizeof(buf)) > 0 &&
	    strncmp(buf, before, sizeof(before) - 1) == 0)
		release = buf + sizeof(before) - 1;
	else if (root_read_line(r, "proc/sys/kernel/osrelease", buf, sizeof(buf)) <= 0)
		return 0;
	m->kernel = machine_kernel(release);
	if (!m->kernel)
		return 0;
	m->cpu_slabs_retired = m->kernel >= SLABSTAT_KERNEL(7, 0);
	return keep(a, release, strcspn(release, " "), &m->release);
}

static int read_string(struct root *r, struct arena *a, const char *path, const char **where)
{
	char buf[4096];
	ssize_t n = root_read_line(r, path, buf, sizeof(buf));

	return n > 0 ? keep(a, buf, (size_t)n, where) : 0;
}

/* How many numbers a list such as "0-3,8" has; 0 where it is none. */
static unsigned read_list(struct root *r, const char *path)
{
	char buf[4096];
	ssize_t n = root_read_line(r, path, buf, sizeof(buf));
	const char *p = buf, *end = buf + n;
	uint64_t first, last, count = 0;

	if (n <= 0)
		return 0;
	for (;;) {
		if (num_scan_u64(&p, end, &first))
			return 0;
		last = first;
		if (*p == '-') {
			p++;
			if (num_scan_u64(&p, end, &last) || last < first)
				return 0;
		}
		count = num_add_sat(count, last - first + 1);
		if (*p != ',')
			break;
		p++;
	}
	return *p == '\0' && count <= 1u << 20 ? (unsigned)count : 0;
}

int machine_read(struct root *r, struct arena *a, struct slabstat_machine *m)
{
	*m = (struct slabstat_machine){ 0 };
	if (r->live)
		m->page_size = (uint64_t)sysconf(_SC_PAGESIZE);
	m->cpus = read_list(r, "sys/devices/system/cpu/possible");
	m->nodes = read_list(r, "sys/devices/system/node/has_memory");
	if (m->nodes == 0)	/* before 3.8 */
		m->nodes = read_list(r, "sys/devices/system/node/has_normal_memory");
	if (read_release(r, a, m) || read_string(r, a, "proc/cmdline", &m->cmdline) ||
	    read_string(r, a, "proc/sys/kernel/random/boot_id", &m->boot_id))
		return -ENOMEM;
	return 0;
}

static int copy(struct slabstat_snapshot *s, const char **text)
{
	return *text ? keep(&s->arena, *text, strlen(*text), text) : 0;
}

int machine_set(struct slabstat_snapshot *s, const struct slabstat_machine *m)
{
	s->machine = *m;
	return copy(s, &s->machine.release) || copy(s, &s->machine.cmdline) ||
	       copy(s, &s->machine.boot_id) ? -ENOMEM : 0;
}

/* The number of kB behind "NAME:" at the start of a line, in bytes. */
static bool find_kb(const char *text, size_t len, const char *name, uint64_t *bytes)
{
	const char *end = text + len;
	size_t name_len = strlen(name);

	for (const char *line = text; line < end; line++) {
		const char *eol = memchr(line, '\n', (size_t)(end - line));

		if (!eol)
			eol = end;
		if ((size_t)(eol - line) > name_len && memcmp(line, name, name_len) == 0 &&
		    line[name_len] == ':') {
			const char *p = line + name_len + 1;

			while (p < eol && *p == ' ')
				p++;
			if (num_scan_u64(&p, eol, bytes))
				return false;
			*bytes = num_mul_sat(*bytes, 1024);
			return true;
		}
		line = eol;
	}
	return false;
}

void machine_meminfo(struct root *r, struct slabstat_meminfo *m)
{
	char buf[8192];
	ssize_t n = root_read(r, r->fd, "proc/meminfo", buf, sizeof(buf));

	*m = (struct slabstat_meminfo){ 0 };
	if (n <= 0 || !find_kb(buf, (size_t)n, "Slab", &m->slab_bytes) ||
	    !find_kb(buf, (size_t)n, "SReclaimable", &m->reclaimable_bytes) ||
	    !find_kb(buf, (size_t)n, "SUnreclaim", &m->unreclaimable_bytes))
		return;
	m->present = true;
}

/* ---- what the caches tell -------------------------------------------------------------------- */

/* What of a value settles a page size: it is exact, and not zero. */
static uint64_t exact(const struct slabstat_cache *c, enum slabstat_field f)
{
	return c->quality[f] == SLABSTAT_EXACT ? c->value[f] : 0;
}

static uint64_t pages_of(const struct slabstat_cache *c)
{
	if (c->quality[SLABSTAT_ORDER] == SLABSTAT_EXACT && c->value[SLABSTAT_ORDER] < 32)
		return (uint64_t)1 << c->value[SLABSTAT_ORDER];
	return exact(c, SLABSTAT_PAGES_PER_SLAB);
}

/*
 * Whether so many objects are what fits in a slab. SLUB keeps nothing in it but objects. SLAB may
 * keep its management there: a head of at most 256 bytes, and 4 bytes an object.
 */
static bool fits(bool slub, uint64_t slab_bytes, uint64_t size, uint64_t objs)
{
	uint64_t most = slab_bytes / size;

	if (objs > most)
		return false;
	return slub ? objs == most : slab_bytes <= 256 || objs >= (slab_bytes - 256) / (size + 4);
}

static void settle_page_size(struct slabstat_snapshot *s)
{
	size_t rows = 0, agree[PAGE_SIZES] = { 0 }, best = 0;

	for (size_t i = 0; i < s->count; i++) {
		const struct slabstat_cache *c = s->cache[i];
		uint64_t size = exact(c, SLABSTAT_SLAB_SIZE), pages = pages_of(c);
		uint64_t objs = exact(c, SLABSTAT_OBJS_PER_SLAB);

		if (size == 0 || pages == 0 || objs == 0 || pages > UINT64_MAX / LARGEST_PAGE)
			continue;
		rows++;
		for (unsigned p = 0; p < PAGE_SIZES; p++)
			agree[p] += fits(s->machine.slub, pages * (SMALLEST_PAGE << p), size, objs);
	}
	for (unsigned p = 1; p < PAGE_SIZES; p++) {
		if (agree[p] > agree[best])
			best = p;
	}
	s->machine.page_size = (uint64_t)SMALLEST_PAGE << best;
	s->machine.page_size_guessed = rows == 0 || agree[best] < rows;
}

/*
 * From 7.0 on cpu_partial is 0 everywhere although ordinary caches (kmalloc) have sheaves. A 6.x
 * kernel booted with debugging for all caches has cpu_partial 0 too, but then no sheaves there:
 * 6.18 gives them only to the few caches that ask.
 */
static bool looks_retired(const struct slabstat_snapshot *s)
{
	bool sheaves = false;

	for (size_t i = 0; i < s->count; i++) {
		const struct slabstat_cache *c = s->cache[i];

		/* A program has caches of both kinds. */
		if (exact(c, SLABSTAT_CPU_PARTIAL) != 0 || cache_has(c, SLABSTAT_SHEAF_OBJS))
			return false;
		if (cache_has(c, SLABSTAT_CPU_PARTIAL) && exact(c, SLABSTAT_SHEAF_CAPACITY) &&
		    (strncmp(c->name, "kmalloc-", 8) == 0 || c->name[0] == ':'))
			sheaves = true;
	}
	return sheaves;
}

static void retire(struct slabstat_snapshot *s)
{
	static const enum slabstat_field gone[] = { SLABSTAT_CPU_SLABS, SLABSTAT_CPU_PARTIAL,
						    SLABSTAT_CPU_PARTIAL_OBJS,
						    SLABSTAT_CPU_PARTIAL_SLABS };

	for (size_t f = 0; f < sizeof(gone) / sizeof(gone[0]); f++) {
		for (size_t i = 0; i < s->count; i++)
			s->cache[i]->quality[gone[f]] = SLABSTAT_ABSENT;
		s->why_absent[gone[f]] = "gone since 7.0";
	}
}

void machine_settle(struct slabstat_snapshot *s)
{
	if (s->machine.page_size == 0)
		settle_page_size(s);
	if (s->machine.kernel == 0 && s->machine.slub && looks_retired(s))
		s->machine.cpu_slabs_retired = true;
	if (s->machine.cpu_slabs_retired)
		retire(s);
}
