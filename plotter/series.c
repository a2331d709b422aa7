// SPDX-License-Identifier: MIT
/* series.c - a recording as lines over time; see series.h. */
#include "series.h"

#include <errno.h>
#include <math.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot.h"

static const enum slabstat_field total_fields[TOTAL_SHARE] = {
	[TOTAL_FOOTPRINT] = SLABSTAT_FOOTPRINT, [TOTAL_USED] = SLABSTAT_USED,
	[TOTAL_LOSS] = SLABSTAT_LOSS,		[TOTAL_FREE] = SLABSTAT_FREE,
	[TOTAL_PADDING] = SLABSTAT_PADDING,	[TOTAL_TAIL] = SLABSTAT_TAIL,
};

/* What is at hand while a recording is read. */
struct loader {
	struct slabstat *h;
	struct slabstat_source *source;
	struct series *s;
	enum slabstat_field by;
	void *by_name;			/* tsearch tree of tracks */
	size_t room;			/* for s->track */
	const struct slabstat_cache **cache;	/* of the sample at hand */
	size_t cache_room;
	bool timed;
	int64_t start_ns;		/* monotonic, else wall */
	bool monotonic;
};

static int fail(const struct loader *l, const char *path)
{
	const struct slabstat_error *e = slabstat_error(l->h);

	fprintf(stderr, "slabplot: %s: %s\n", path,
		e->text && *e->text ? e->text : strerror(-e->code));
	return 1;
}

static int compare_tracks(const void *a, const void *b)
{
	return strcmp(((const struct track *)a)->name, ((const struct track *)b)->name);
}

static void keep_node(void *node)
{
	(void)node;	/* tracks belong to the series; only the tree goes */
}

static void track_free(struct track *t)
{
	if (t) {
		for (size_t i = 0; i < t->alias_count; i++)
			free(t->alias[i]);
		free(t->alias);
		free(t->name);
		free(t->point);
	}
	free(t);
}

static struct track *track_get(struct loader *l, const char *name)
{
	struct track key = { .name = (char *)name }, *t;
	struct track **slot = tfind(&key, &l->by_name, compare_tracks);

	if (slot)
		return *slot;
	if (l->s->track_count == l->room) {
		size_t room = l->room ? l->room * 2 : 64;
		struct track **grown = realloc(l->s->track, room * sizeof(struct track *));

		if (!grown)
			return NULL;
		l->s->track = grown;
		l->room = room;
	}
	t = calloc(1, sizeof(*t));
	if (t) {
		t->name = strdup(name);
		t->peak = NAN;
	}
	if (!t || !t->name || !tsearch(t, &l->by_name, compare_tracks)) {
		track_free(t);
		return NULL;
	}
	l->s->track[l->s->track_count++] = t;
	return t;
}

/* Who shares the cache, from the first sample that tells. */
static int track_aliases(struct track *t, const struct slabstat_cache *c)
{
	size_t n = slabstat_cache_alias_count(c);

	if (t->alias || n == 0)
		return 0;
	t->alias = calloc(n, sizeof(*t->alias));
	if (!t->alias)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		t->alias[i] = strdup(slabstat_cache_alias(c, i));
		if (!t->alias[i])
			return -ENOMEM;
		t->alias_count++;
	}
	return 0;
}

static int track_push(struct track *t, size_t sample, double value)
{
	if (t->count == t->room) {
		size_t room = t->room ? t->room * 2 : 8;
		struct track_point *grown = realloc(t->point, room * sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		t->point = grown;
		t->room = room;
	}
	t->point[t->count++] = (struct track_point){ sample, value };
	return 0;
}

/* One more value of a sample. Equal names of one sample add up: no picture could part them. */
static int track_add(struct track *t, size_t sample, double value)
{
	struct track_point *last = t->count ? &t->point[t->count - 1] : NULL;

	t->sum += value;
	if (t->seen == sample + 1) {
		if (last->sample != sample)
			return track_push(t, sample, last->value + value);
		last->value += value;
		return 0;
	}
	t->seen = sample + 1;
	t->samples++;
	if (last && last->value == value)
		return 0;
	return track_push(t, sample, value);
}

static int load_tracks(struct loader *l, const struct slabstat_snapshot *snap, size_t sample)
{
	for (size_t i = 0; i < slabstat_snapshot_count(snap); i++) {
		const struct slabstat_cache *c = slabstat_snapshot_cache(snap, i);
		struct track *t;
		uint64_t v;

		if (!slabstat_cache_value(c, l->by, &v))
			continue;
		t = track_get(l, slabstat_cache_label(c));
		if (!t || track_aliases(t, c) || track_add(t, sample, (double)v))
			return -ENOMEM;
	}
	for (size_t i = 0; i < l->s->track_count; i++) {
		struct track *t = l->s->track[i];
		const struct track_point *last = t->count ? &t->point[t->count - 1] : NULL;

		/* A cache that is gone has no value any more. */
		if (last && t->seen != sample + 1 && !isnan(last->value) &&
		    track_push(t, sample, NAN))
			return -ENOMEM;
		last = t->count ? &t->point[t->count - 1] : NULL;
		if (last && !isnan(last->value))
			t->peak = fmax(t->peak, last->value);
	}
	return 0;
}

static double total_of(struct loader *l, const struct slabstat_snapshot *snap,
		       enum slabstat_field f)
{
	size_t n = slabstat_snapshot_count(snap);
	const struct slabstat_cache *reported = slabstat_snapshot_reported(snap);
	struct slabstat_sum sum;
	uint64_t v;

	if (reported && slabstat_cache_value(reported, f, &v))
		return (double)v;
	for (size_t i = 0; i < n; i++)
		l->cache[i] = slabstat_snapshot_cache(snap, i);
	sum = slabstat_sum_caches(l->cache, n, f);
	/* No caches, as before the first program of a recording ran, take nothing. */
	return sum.n || n == 0 ? (double)sum.sum : NAN;
}

/* Seconds since the first sample of the file; NAN where the sample has no time. */
static double seconds_of(struct loader *l, const struct slabstat_snapshot *snap)
{
	int64_t ns =
		l->monotonic ? slabstat_snapshot_mono_ns(snap) : slabstat_snapshot_wall_ns(snap);

	return ns ? (double)(ns - l->start_ns) / 1e9 : NAN;
}

static int load_sample(struct loader *l, size_t file_sample, size_t sample)
{
	struct slabstat_fieldset want = { { 0 } };
	struct slabstat_snapshot *snap;
	struct series *s = l->s;
	size_t n;
	int ret;

	for (int t = 0; t < TOTAL_SHARE; t++)
		slabstat_fieldset_add(&want, total_fields[t]);
	if (l->by != SLABSTAT_NFIELDS)
		slabstat_fieldset_add(&want, l->by);
	ret = slabstat_source_seek(l->source, file_sample);
	if (ret == 0)
		ret = slabstat_source_read(l->source, &want, &snap);
	if (ret)
		return ret;
	n = slabstat_snapshot_count(snap);
	if (n > l->cache_room) {
		free(l->cache);
		l->cache = calloc(n, sizeof(*l->cache));
		l->cache_room = l->cache ? n : 0;
		if (!l->cache) {
			slabstat_snapshot_free(snap);
			return -ENOMEM;
		}
	}
	s->seconds[sample] = l->timed ? seconds_of(l, snap) : (double)file_sample;
	if (isnan(s->seconds[sample]))
		s->seconds[sample] = sample ? s->seconds[sample - 1] : 0;
	for (int t = 0; t < TOTAL_SHARE; t++)
		s->total[t][sample] = total_of(l, snap, total_fields[t]);
	s->total[TOTAL_SHARE][sample] = s->total[TOTAL_FOOTPRINT][sample] > 0 ?
		100 * s->total[TOTAL_LOSS][sample] / s->total[TOTAL_FOOTPRINT][sample] : NAN;
	if (l->by != SLABSTAT_NFIELDS)
		ret = load_tracks(l, snap, sample);
	slabstat_snapshot_free(snap);
	return ret;
}

/* Whether the samples have times, which clock they are by, and where that stood at the first. */
static void find_start(struct loader *l, size_t samples)
{
	struct slabstat_instant first, last;

	if (slabstat_source_instant(l->source, 0, &first) ||
	    slabstat_source_instant(l->source, samples - 1, &last))
		return;
	l->monotonic = first.mono_ns && last.mono_ns && last.mono_ns >= first.mono_ns;
	l->start_ns = l->monotonic ? first.mono_ns : first.wall_ns;
	l->timed = l->monotonic || (first.wall_ns && last.wall_ns > first.wall_ns);
}

/* numbered: there is more than one run to tell apart. NULL: a mark that nobody wants to see. */
static char *mark_text(const struct slabstat_mark *m, bool numbered)
{
	char *text = NULL;

	switch (m->kind) {
	case SLABSTAT_MARK_USER:
		return strdup(m->text);
	case SLABSTAT_MARK_START:
		if (!numbered)
			return strdup("start");
		return asprintf(&text, "run %u", m->run) < 0 ? NULL : text;
	case SLABSTAT_MARK_END:
		if (!numbered)
			return strdup("end");
		return asprintf(&text, "end %u", m->run) < 0 ? NULL : text;
	default:
		return NULL;
	}
}

static bool several_runs(const struct slabstat_mark *mark, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (mark[i].run > 1)
			return true;
	}
	return false;
}

static void load_marks(struct loader *l, size_t from, size_t to)
{
	size_t count;
	const struct slabstat_mark *mark = slabstat_source_marks(l->source, &count);
	struct series *s = l->s;
	bool numbered = several_runs(mark, count);

	s->mark = calloc(count ? count : 1, sizeof(*s->mark));
	for (size_t i = 0; s->mark && i < count; i++) {
		int64_t ns = l->monotonic ? mark[i].mono_ns : mark[i].wall_ns;
		char *text = mark_text(&mark[i], numbered);
		bool inside = mark[i].sample >= from && mark[i].sample <= to;
		double at = l->timed && ns ? (double)(ns - l->start_ns) / 1e9 :
			    inside ? s->seconds[mark[i].sample - from] : NAN;

		if (!text || !(at >= s->seconds[0] && at <= s->seconds[to - from])) {
			free(text);
			continue;
		}
		s->mark[s->mark_count++] = (struct mark){ at, text };
	}
}

static bool has_word(const char *text, const char *word)
{
	const char *at = text;
	size_t len = strlen(word);

	for (; at && (at = strstr(at, word)); at += len) {
		if ((at == text || at[-1] == ' ') && (at[len] == '\0' || at[len] == ' '))
			return true;
	}
	return false;
}

/* "6.18.44, slab_nomerge, make -j2" from what the recording says of itself. */
static char *about(struct slabstat_source *source, const struct slabstat_machine *m)
{
	const struct slabstat_recording *r = slabstat_source_recording(source);
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);
	const char *comma = "";

	if (!f)
		return NULL;
	if (m->release) {
		fputs(m->release, f);
		comma = ", ";
	}
	if (m->cmdline &&
	    (has_word(m->cmdline, "slab_nomerge") || has_word(m->cmdline, "slub_nomerge"))) {
		fprintf(f, "%sslab_nomerge", comma);
		comma = ", ";
	}
	for (size_t i = 0; r && i < r->command_count; i++)
		fprintf(f, "%s%s", i ? " " : comma, r->command[i]);
	fclose(f);
	return text;
}

char *series_name(const char *path)
{
	static const char *const endings[] = { ".zst", ".gz", ".rec", ".txt" };
	const char *slash = strrchr(path, '/');
	char *name = strdup(slash ? slash + 1 : path);

	for (size_t i = 0; name && i < sizeof(endings) / sizeof(endings[0]); i++) {
		size_t len = strlen(name), end = strlen(endings[i]);

		if (len > end && strcmp(name + len - end, endings[i]) == 0)
			name[len - end] = '\0';
	}
	return name;
}

static int by_peak(const void *a, const void *b)
{
	const struct track *x = *(struct track *const *)a, *y = *(struct track *const *)b;
	double px = isnan(x->peak) ? -1 : x->peak, py = isnan(y->peak) ? -1 : y->peak;

	return px != py ? (px < py ? 1 : -1) : strcmp(x->name, y->name);
}

static int resolve(struct loader *l, const char *path, const char *at, const char *option,
		   size_t *n)
{
	if (!at || slabstat_source_at(l->source, at, n) == 0)
		return 0;
	fprintf(stderr, "slabplot: %s: %s %s: %s\n", path, option, at, slabstat_error(l->h)->text);
	return 1;
}

static int load_range(struct loader *l, const char *path, const struct series_range *range,
		      size_t *from, size_t *to)
{
	size_t samples = slabstat_source_samples(l->source);

	if (samples == 0) {
		fprintf(stderr, "slabplot: %s: no samples in it\n", path);
		return 1;
	}
	*from = 0;
	*to = samples - 1;
	if (resolve(l, path, range->from, "--from", from) ||
	    resolve(l, path, range->to, "--to", to))
		return 1;
	if (*to < *from) {
		fprintf(stderr, "slabplot: %s: --to %s is before --from %s\n", path,
			range->to ? range->to : "last", range->from ? range->from : "first");
		return 1;
	}
	return 0;
}

static int load_about(struct loader *l, const char *path)
{
	struct slabstat_fieldset none = { { 0 } };
	struct slabstat_snapshot *snap;
	int ret = slabstat_source_seek(l->source, 0);

	if (ret == 0)
		ret = slabstat_source_read(l->source, &none, &snap);
	if (ret)
		return fail(l, path);
	l->s->about = about(l->source, slabstat_snapshot_machine(snap));
	slabstat_snapshot_free(snap);
	l->s->path = strdup(path);
	l->s->name = series_name(path);
	return l->s->about && l->s->path && l->s->name ? 0 : plot_no_memory();
}

static int load_samples(struct loader *l, const char *path, size_t from, size_t to)
{
	struct series *s = l->s;

	s->count = to - from + 1;
	s->timed = l->timed;
	s->seconds = calloc(s->count, sizeof(double));
	if (!s->seconds)
		return plot_no_memory();
	for (int t = 0; t < TOTAL_COUNT; t++) {
		s->total[t] = calloc(s->count, sizeof(double));
		if (!s->total[t])
			return plot_no_memory();
	}
	for (size_t i = from; i <= to; i++) {
		int ret = load_sample(l, i, i - from);

		if (ret)
			return ret == -ENOMEM ? plot_no_memory() : fail(l, path);
	}
	return 0;
}

int series_load(const char *path, const struct series_range *range, enum slabstat_field by,
		struct series **out)
{
	struct slabstat_spec spec = { .file = path };
	struct loader l = { .h = slabstat_new(), .s = calloc(1, sizeof(struct series)), .by = by };
	size_t from, to;
	int ret;

	if (!l.h || !l.s)
		ret = plot_no_memory();
	else if (slabstat_source_open(l.h, &spec, &l.source))
		ret = fail(&l, path);
	else
		ret = load_range(&l, path, range, &from, &to);
	if (ret == 0) {
		find_start(&l, slabstat_source_samples(l.source));
		ret = load_about(&l, path);
	}
	if (ret == 0)
		ret = load_samples(&l, path, from, to);
	if (ret == 0) {
		load_marks(&l, from, to);
		if (l.s->track_count)
			qsort(l.s->track, l.s->track_count, sizeof(l.s->track[0]), by_peak);
		*out = l.s;
	} else {
		series_free(l.s);
	}
	tdestroy(l.by_name, keep_node);
	free(l.cache);
	slabstat_source_close(l.source);
	slabstat_free(l.h);
	return ret;
}

void series_free(struct series *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->track_count; i++)
		track_free(s->track[i]);
	free(s->track);
	for (size_t i = 0; i < s->mark_count; i++)
		free(s->mark[i].text);
	free(s->mark);
	for (int t = 0; t < TOTAL_COUNT; t++)
		free(s->total[t]);
	free(s->seconds);
	free(s->about);
	free(s->name);
	free(s->path);
	free(s);
}

double *series_dense(const struct series *s, const struct track *t)
{
	double *v = malloc(s->count * sizeof(*v)), now = NAN;
	size_t next = 0;

	for (size_t i = 0; v && i < s->count; i++) {
		while (next < t->count && t->point[next].sample <= i)
			now = t->point[next++].value;
		v[i] = now;
	}
	return v;
}

double series_mean(const double *v, size_t n)
{
	double sum = 0;
	size_t there = 0;

	for (size_t i = 0; i < n; i++) {
		if (!isnan(v[i])) {
			sum += v[i];
			there++;
		}
	}
	return there ? sum / (double)there : NAN;
}

double series_max(const double *v, size_t n)
{
	double max = NAN;

	for (size_t i = 0; i < n; i++)
		max = fmax(max, v[i]);
	return max;
}

bool series_has(const double *v, size_t n)
{
	return !isnan(series_max(v, n));
}
