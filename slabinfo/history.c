// SPDX-License-Identifier: MIT
/* history.c - every sample of a source as columns; see history.h. */
#include "history.h"

#include "slabstat/merged.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows ------------------------------------------------------------------------------------ */

static size_t hash_text(const char *text)
{
	size_t h = 5381;

	for (; *text; text++)
		h = h * 33 ^ (unsigned char)*text;
	return h;
}

static int fill_row(struct history_row *row, const char *name, const char *label)
{
	memset(row, 0, sizeof(*row));
	row->name = strdup(name);
	row->label = strdup(label);
	row->reclaimable = true;
	if (!row->name || !row->label)
		return -ENOMEM;
	return 0;
}

static void free_row(struct history_row *row)
{
	free(row->name);
	free(row->label);
	free(row->users);
	for (int v = 0; v < HISTORY_VALUES; v++) {
		free(row->value[v]);
		free(row->run[v]);
	}
}

static int rehash(struct history *y)
{
	size_t buckets = y->buckets ? y->buckets * 2 : 512;
	size_t *bucket = calloc(buckets, sizeof(*bucket));

	if (!bucket)
		return -ENOMEM;
	free(y->bucket);
	y->bucket = bucket;
	y->buckets = buckets;
	for (size_t i = 0; i < y->rows; i++) {
		size_t *slot = &bucket[hash_text(y->row[i].name) % buckets];

		y->row[i].next = *slot;
		*slot = i + 1;
	}
	return 0;
}

static struct history_row *add_row(struct history *y, const char *name, const char *label,
				   size_t occurrence)
{
	struct history_row *row;
	size_t *slot;

	if (y->rows >= y->buckets && rehash(y) != 0)
		return NULL;
	if (y->rows == y->room) {
		size_t room = y->room ? y->room * 2 : 256;

		row = realloc(y->row, room * sizeof(*row));
		if (!row)
			return NULL;
		y->row = row;
		y->room = room;
	}
	row = &y->row[y->rows];
	if (fill_row(row, name, label) != 0) {
		free_row(row);
		return NULL;
	}
	row->occurrence = occurrence;
	slot = &y->bucket[hash_text(name) % y->buckets];
	row->next = *slot;
	*slot = ++y->rows;
	return row;
}

static struct history_row *row_of(struct history *y, const char *name, const char *label,
				  size_t occurrence)
{
	size_t i = y->buckets ? y->bucket[hash_text(name) % y->buckets] : 0;

	for (; i > 0; i = y->row[i - 1].next) {
		if (y->row[i - 1].occurrence == occurrence && strcmp(y->row[i - 1].name, name) == 0)
			return &y->row[i - 1];
	}
	return add_row(y, name, label, occurrence);
}

/* ---- one sample ------------------------------------------------------------------------------ */

/* What one sample tells of a row; a family adds up its members. */
static int add_value(struct history *y, struct history_row *row, enum history_value v, size_t n,
		     double value)
{
	if (!row->has[v]) {
		row->value[v] = calloc(y->points, sizeof(double));
		row->run[v] = calloc(y->runs + 1, sizeof(double));
		if (!row->value[v] || !row->run[v])
			return -ENOMEM;
	}
	row->has[v] = true;
	row->all[v] += value;
	if (n == 0)
		row->start[v] += value;
	if (n + 1 == y->samples)
		row->end[v] += value;
	if (n % y->stride == 0)
		row->value[v][n / y->stride] += value;
	for (size_t i = 0; y->runs && i <= y->runs; i++) {
		if (y->settled[i] == n)
			row->run[v][i] += value;
	}
	return 0;
}

static void note_peak(struct history_row *row, size_t n, double value)
{
	if (value > row->peak || (n == 0 && row->peak == 0)) {
		row->peak = value;
		row->peak_sample = n;
	}
}

static void note_reclaim(struct history_row *row, const struct slabstat_cache *c)
{
	uint64_t value;

	if (slabstat_cache_value(c, SLABSTAT_RECLAIM_ACCOUNT, &value) == SLABSTAT_ABSENT) {
		row->reclaimable = false;
		return;
	}
	row->known_reclaim = true;
	row->reclaimable &= value != 0;
}

static int add_cache(struct history *y, struct history_row *row, size_t n,
		     const struct slabstat_cache *c)
{
	uint64_t value, size;
	int ret = 0;

	note_reclaim(row, c);
	if (row->sum_at != n + 1) {
		row->sum_at = n + 1;
		row->sum = 0;
	}
	if (slabstat_cache_value(c, SLABSTAT_FOOTPRINT, &value) != SLABSTAT_ABSENT) {
		ret = add_value(y, row, HISTORY_FOOTPRINT, n, (double)value);
		row->sum += (double)value;
	}
	note_peak(row, n, row->sum);
	if (ret == 0 && slabstat_cache_value(c, SLABSTAT_LOSS, &value) != SLABSTAT_ABSENT)
		ret = add_value(y, row, HISTORY_LOSS, n, (double)value);
	if (ret != 0 || slabstat_cache_value(c, SLABSTAT_OBJECTS, &value) == SLABSTAT_ABSENT)
		return ret;
	ret = add_value(y, row, HISTORY_OBJECTS, n, (double)value);
	if (ret == 0 && slabstat_cache_value(c, SLABSTAT_SLAB_SIZE, &size) != SLABSTAT_ABSENT)
		ret = add_value(y, row, HISTORY_LIVE, n, (double)value * (double)size);
	return ret;
}

/* Caches of equal names stand side by side and keep their order. */
static size_t occurrence_of(const struct slabstat_snapshot *s, size_t i)
{
	const char *name = slabstat_cache_name(slabstat_snapshot_cache(s, i));
	size_t first = i;

	while (first > 0 &&
	       strcmp(slabstat_cache_name(slabstat_snapshot_cache(s, first - 1)), name) == 0)
		first--;
	return i - first;
}

/* Everybody who shares a merged cache: one of them is what grows. */
static char *users_of(const struct slabstat_cache *c)
{
	size_t n = slabstat_cache_alias_count(c), size = 1;
	char *users, *end;

	for (size_t i = 0; i < n; i++)
		size += strlen(slabstat_cache_alias(c, i)) + 2;
	users = end = n > 1 ? malloc(size) : NULL;
	for (size_t i = 0; users && i < n; i++) {
		end = stpcpy(end, i > 0 ? ", " : "");
		end = stpcpy(end, slabstat_cache_alias(c, i));
	}
	return users;
}

/* Once a row: who shares the cache, and what is counted together for it. */
static int note_users(struct history *y, struct history_row *row, const struct slabstat_cache *c)
{
	int ret;

	if (row->users_noted)
		return 0;
	row->users_noted = true;
	row->users = users_of(c);
	if (!y->merged)
		return 0;
	ret = merged_cache(y->merged, row->label);
	for (size_t i = 0; ret == 0 && i < slabstat_cache_alias_count(c); i++)
		ret = merged_share(y->merged, row->label, slabstat_cache_alias(c, i));
	return ret;
}

static struct history_row *cache_row(struct history *y, const struct slabstat_snapshot *s, size_t i)
{
	const struct slabstat_cache *c = slabstat_snapshot_cache(s, i);
	struct history_row *row =
		row_of(y, slabstat_cache_name(c), slabstat_cache_label(c), occurrence_of(s, i));

	return row && note_users(y, row, c) == 0 ? row : NULL;
}

static struct history_row *family_row(struct history *y, const struct slabstat_cache *c)
{
	const char *label = slabstat_cache_label(c);
	size_t len = slabstat_family(label, NULL, 0);
	char *family = malloc(len + 1);
	struct history_row *row = NULL;

	if (family) {
		slabstat_family(label, family, len + 1);
		row = row_of(y, family, family, 0);
	}
	free(family);
	return row;
}

static int add_caches(struct history *y, size_t n, const struct slabstat_snapshot *s, bool families)
{
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < slabstat_snapshot_count(s); i++) {
		const struct slabstat_cache *c = slabstat_snapshot_cache(s, i);
		struct history_row *row = families ? family_row(y, c) : cache_row(y, s, i);

		ret = row ? add_cache(y, row, n, c) : -ENOMEM;
	}
	return ret;
}

static int add_total(struct history *y, size_t n, const struct slabstat_snapshot *s)
{
	static const struct {
		enum slabstat_field field;
		enum history_value value;
	} parts[] = {
		{ SLABSTAT_FOOTPRINT, HISTORY_FOOTPRINT },
		{ SLABSTAT_OBJECTS, HISTORY_OBJECTS },
		{ SLABSTAT_LOSS, HISTORY_LOSS },
		{ SLABSTAT_USED, HISTORY_USED },
	};
	uint64_t value;
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (slabstat_snapshot_total(s, parts[i].field, &value) == SLABSTAT_ABSENT)
			continue;
		ret = add_value(y, &y->total, parts[i].value, n, (double)value);
		if (parts[i].value == HISTORY_FOOTPRINT)
			note_peak(&y->total, n, (double)value);
	}
	return ret;
}

static void add_time(struct history *y, size_t n, const struct slabstat_snapshot *s,
		     int64_t *first_ns)
{
	int64_t ns = slabstat_snapshot_mono_ns(s) ? slabstat_snapshot_mono_ns(s) :
						    slabstat_snapshot_wall_ns(s);
	double x = (double)n;

	if (n == 0) {
		*first_ns = ns;
		y->timed = ns > 0;
	}
	if (y->timed)
		x = (double)(ns - *first_ns) / 1e9;
	if (n % y->stride == 0)
		y->x[n / y->stride] = x;
	y->length = x;
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* Samples that were taken after each run had settled. */
static int find_runs(struct history *y, const struct slabstat_source *source)
{
	size_t count, found = 0;
	const struct slabstat_mark *mark = slabstat_source_marks(source, &count);

	y->settled = calloc(count + 1, sizeof(*y->settled));
	if (!y->settled)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		if (mark[i].kind == SLABSTAT_MARK_SETTLED && mark[i].run == found &&
		    mark[i].sample < y->samples)
			y->settled[found++] = mark[i].sample;
	}
	/* One run alone says nothing about runs. */
	y->runs = found > 2 ? found - 1 : 0;
	return 0;
}

static int read_samples(struct history *y, struct slabstat_source *source, bool families)
{
	int64_t first_ns = 0;
	int ret = 0;

	for (size_t n = 0; ret == 0 && n < y->samples; n++) {
		struct slabstat_snapshot *s;

		ret = slabstat_source_seek(source, n);
		if (ret == 0)
			ret = slabstat_source_read(source, NULL, &s);
		if (ret != 0)
			return ret;
		add_time(y, n, s, &first_ns);
		ret = add_total(y, n, s);
		if (ret == 0)
			ret = add_caches(y, n, s, families);
		slabstat_snapshot_free(s);
	}
	return ret;
}

int history_read(struct history *y, struct slabstat_source *source, bool families,
		 struct merged *merged)
{
	int ret;

	memset(y, 0, sizeof(*y));
	y->merged = families ? NULL : merged;
	y->samples = slabstat_source_samples(source);
	y->stride = (y->samples + HISTORY_POINTS - 1) / HISTORY_POINTS;
	if (y->stride == 0)
		y->stride = 1;
	y->points = (y->samples + y->stride - 1) / y->stride;
	y->x = calloc(y->points + 1, sizeof(*y->x));
	ret = y->x ? find_runs(y, source) : -ENOMEM;
	if (ret == 0)
		ret = fill_row(&y->total, "", "");
	return ret != 0 ? ret : read_samples(y, source, families);
}

void history_free(struct history *y)
{
	for (size_t i = 0; i < y->rows; i++)
		free_row(&y->row[i]);
	free_row(&y->total);
	free(y->row);
	free(y->bucket);
	free(y->settled);
	free(y->x);
	memset(y, 0, sizeof(*y));
}

enum history_value history_leak_value(const struct history_row *row)
{
	return row->has[HISTORY_LIVE] ? HISTORY_LIVE : HISTORY_FOOTPRINT;
}
