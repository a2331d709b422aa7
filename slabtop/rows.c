// SPDX-License-Identifier: MIT
/*
 * rows.c - the rows that several views share: caches that pass the filter, folded or not.
 *
 * The library selects by name and folds kin; the order by any column, growth included, is the
 * list's. A search that marks instead of hiding selects twice and walks both.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "top.h"

/* Run the selection; with a pattern that does not compile, without it. */
static int select_rows(struct top *t, const char *pattern, bool families,
		       bool (*keep)(const struct slabstat_cache *c, void *arg), void *arg,
		       struct slabstat_rows **rows)
{
	struct slabstat_select how = {
		.match = &pattern, .match_count = pattern ? 1 : 0, .families = families,
		.keep = keep, .arg = arg,
	};

	return slabstat_select(t->h, t->feed.snapshot, &how, rows);
}

/* The history of a folded row: the sum of its members', its peak the largest sum that was seen. */
static struct track *fold_tracks(const struct top *t, const struct slabstat_cache *const *member,
				 size_t n, const char *name, struct track *into)
{
	float history[TRACK_HISTORY];
	char *keep_name = into->name;
	uint64_t peak[TRACK_QUANTITIES];
	size_t have;

	for (int w = 0; w < TRACK_QUANTITIES; w++)
		peak[w] = into->s[w].peak;
	memset(into, 0, sizeof(*into));
	into->name = keep_name ? keep_name : strdup(name);
	into->label = into->name;
	into->born = true;
	for (size_t i = 0; i < n; i++) {
		const struct track *k = tracks_of(t->tracks, member[i]);

		if (k)
			track_fold(into, k);
	}
	into->new_peak = false;
	for (int w = 0; w < TRACK_QUANTITIES; w++) {
		have = tracks_history(t->tracks, into, (enum track_what)w, history, TRACK_HISTORY);
		for (size_t i = 0; i + 1 < have; i++)
			if ((uint64_t)history[i] > peak[w])
				peak[w] = (uint64_t)history[i];
		if (into->s[w].last > peak[w]) {
			into->new_peak |= w == TRACK_FOOTPRINT && have > 1;
			peak[w] = into->s[w].last;
		}
		into->s[w].peak = peak[w];
	}
	return into;
}

static struct track *family_track(struct top *t, const struct slabstat_rows *rows, size_t i)
{
	const struct slabstat_cache *const *member;
	size_t n = slabstat_rows_members(rows, i, &member);
	const char *name = slabstat_cache_label(slabstat_rows_caches(rows)[i]);
	struct track *into;

	if (n == 1)
		return tracks_of(t->tracks, member[0]);
	into = kin_track(&t->kin, name);
	return into ? fold_tracks(t, member, n, name, into) : NULL;
}

static int add_rows(struct top *t, struct grid *l, const struct slabstat_rows *rows,
		    const struct slabstat_rows *matching)
{
	const struct slabstat_cache *const *cache = slabstat_rows_caches(rows);
	size_t next = 0;

	for (size_t i = 0; i < slabstat_rows_count(rows); i++) {
		const struct slabstat_cache *const *member;
		struct row row = { .cache = cache[i], .name = slabstat_cache_label(cache[i]) };

		row.members = slabstat_rows_members(rows, i, &member);
		row.track = family_track(t, rows, i);
		if (!row.track)
			return -ENOMEM;
		if (matching && next < slabstat_rows_count(matching) &&
		    strcmp(slabstat_cache_label(slabstat_rows_caches(matching)[next]), row.name) ==
			    0) {
			row.match = true;
			next++;
		}
		if (grid_add(l, &row) != 0)
			return -ENOMEM;
	}
	return 0;
}

int rows_fill(struct top *t, bool families, bool (*keep)(const struct slabstat_cache *c, void *arg),
	      void *arg)
{
	struct grid *l = &t->list[t->view];
	struct slabstat_rows *rows = NULL, *matching = NULL;
	int err, bad = 0;

	if (t->pattern) {
		bad = select_rows(t, t->pattern, families, keep, arg, &matching);
		if (bad == -ENOMEM)
			return bad;
	}
	if (matching && t->hide) {
		rows = matching;
		err = 0;
	} else {
		err = select_rows(t, NULL, families, keep, arg, &rows);
	}
	if (!err)
		err = add_rows(t, l, rows, matching);
	if (matching != rows)
		slabstat_rows_free(matching);
	/* The lists of other views still have the names of these rows. */
	for (int v = 0; v < VIEW_COUNT; v++)
		if (v != (int)t->view)
			grid_clear(&t->list[v]);
	slabstat_rows_free(t->rows);
	t->rows = rows;
	return err ? err : bad;
}
