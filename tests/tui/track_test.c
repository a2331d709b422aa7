// SPDX-License-Identifier: MIT
/* track_test.c - which cache is which from sample to sample, and what became of it. */
#include "cmocka_all.h"

#include <string.h>

#include "slabstat/snapshot.h"
#include "track.h"

#define SECOND 1000000000

struct sample {
	const char *name;
	uint64_t slots, footprint;
};

/* A snapshot of the rows up to the one without a name. */
static struct slabstat_snapshot *make(const struct sample *row)
{
	struct slabstat_snapshot *s = snapshot_new(SLABSTAT_SOURCE_SYSFS);

	assert_non_null(s);
	for (; row->name; row++) {
		struct slabstat_cache *c = snapshot_add(s, row->name, strlen(row->name));

		assert_non_null(c);
		cache_set(c, SLABSTAT_SLAB_SIZE, row->slots, SLABSTAT_EXACT);
		cache_set(c, SLABSTAT_FOOTPRINT, row->footprint, SLABSTAT_EXACT);
		cache_set(c, SLABSTAT_OBJECTS, row->footprint / 10, SLABSTAT_EXACT);
	}
	assert_int_equal(snapshot_finish(s), 0);
	return s;
}

static struct slabstat_snapshot *add(struct tracks *t, const struct sample *row, int64_t ns)
{
	struct slabstat_snapshot *s = make(row);

	assert_int_equal(tracks_add(t, s, ns), 0);
	return s;
}

static const struct track *find(const struct tracks *t, const char *name)
{
	for (size_t i = 0; i < tracks_count(t); i++)
		if (strcmp(tracks_at(t, i)->name, name) == 0)
			return tracks_at(t, i);
	return NULL;
}

static void test_growth(void **state)
{
	static const struct sample one[] = { { "a", 8, 100 }, { "b", 8, 500 }, { NULL, 0, 0 } };
	static const struct sample two[] = { { "a", 8, 160 }, { "b", 8, 400 }, { NULL, 0, 0 } };
	static const struct sample three[] = { { "a", 8, 130 }, { "b", 8, 500 }, { NULL, 0, 0 } };
	struct tracks *t = tracks_new();
	const struct track_series *a;
	float history[8];

	(void)state;
	slabstat_snapshot_free(add(t, one, SECOND));
	slabstat_snapshot_free(add(t, two, 3 * (int64_t)SECOND));
	assert_true(find(t, "a")->new_peak);
	assert_false(find(t, "b")->new_peak);
	slabstat_snapshot_free(add(t, three, 4 * (int64_t)SECOND));
	a = &find(t, "a")->s[TRACK_FOOTPRINT];
	assert_int_equal(a->base, 100);
	assert_int_equal(a->previous, 160);
	assert_int_equal(a->last, 130);
	assert_int_equal(a->peak, 160);
	/* Back at the old maximum is no new one. */
	assert_false(find(t, "b")->new_peak);
	assert_int_equal(tracks_samples(t), 3);
	assert_true(tracks_step_seconds(t) == 1 && tracks_span_seconds(t) == 3);
	assert_int_equal(tracks_history(t, find(t, "a"), TRACK_FOOTPRINT, history, 8), 3);
	assert_true(history[0] == 100 && history[1] == 160 && history[2] == 130);
	tracks_free(t);
}

static void test_birth_and_death(void **state)
{
	static const struct sample one[] = { { "a", 8, 100 }, { "c", 8, 70 }, { NULL, 0, 0 } };
	static const struct sample two[] = { { "a", 8, 100 }, { "b", 8, 50 }, { NULL, 0, 0 } };
	struct tracks *t = tracks_new();
	struct slabstat_snapshot *s;

	(void)state;
	slabstat_snapshot_free(add(t, one, SECOND));
	s = add(t, two, 2 * (int64_t)SECOND);
	assert_true(find(t, "b")->born);
	assert_int_equal(find(t, "b")->s[TRACK_FOOTPRINT].base, 0);
	assert_int_equal(find(t, "b")->s[TRACK_FOOTPRINT].last, 50);
	assert_false(tracks_alive(t, find(t, "c")));
	assert_true(tracks_gone(t, find(t, "c")));
	assert_int_equal(find(t, "c")->s[TRACK_FOOTPRINT].last, 0);
	assert_ptr_equal(tracks_of(t, slabstat_snapshot_find(s, "b")), find(t, "b"));
	/* From here on c never was. */
	tracks_restart(t);
	assert_null(find(t, "c"));
	assert_false(find(t, "b")->born);
	assert_int_equal(tracks_samples(t), 1);
	slabstat_snapshot_free(s);
	tracks_free(t);
}

/* Equal names are told apart by slot size, then by order; each keeps its own track. */
static void test_equal_names(void **state)
{
	static const struct sample one[] = {
		{ "x", 8, 1 }, { "x", 16, 2 }, { "x", 8, 3 }, { NULL, 0, 0 }
	};
	static const struct sample two[] = {
		{ "x", 16, 20 }, { "x", 8, 10 }, { "x", 8, 30 }, { NULL, 0, 0 }
	};
	struct tracks *t = tracks_new();

	(void)state;
	slabstat_snapshot_free(add(t, one, SECOND));
	slabstat_snapshot_free(add(t, two, 2 * (int64_t)SECOND));
	assert_int_equal(tracks_count(t), 3);
	for (size_t i = 0; i < 3; i++) {
		const struct track *k = tracks_at(t, i);

		assert_false(k->born);
		assert_int_equal(k->s[TRACK_FOOTPRINT].last, 10 * k->s[TRACK_FOOTPRINT].base);
	}
	tracks_free(t);
}

static void test_amend(void **state)
{
	static const struct sample one[] = { { "a", 8, 100 }, { NULL, 0, 0 } };
	static const struct sample two[] = { { "a", 8, 200 }, { NULL, 0, 0 } };
	static const struct sample again[] = { { "a", 8, 250 }, { "b", 8, 5 }, { NULL, 0, 0 } };
	struct tracks *t = tracks_new();
	const struct track *a;
	struct slabstat_snapshot *s;

	(void)state;
	/* The first sample, read twice: nobody was born. */
	slabstat_snapshot_free(add(t, one, SECOND));
	s = make(one);
	assert_int_equal(tracks_amend(t, s, SECOND), 0);
	assert_false(find(t, "a")->born);
	assert_int_equal(tracks_samples(t), 1);
	slabstat_snapshot_free(s);
	/* The step before stays the one before. */
	slabstat_snapshot_free(add(t, two, 2 * (int64_t)SECOND));
	a = find(t, "a");
	s = make(again);
	assert_int_equal(tracks_amend(t, s, 3 * (int64_t)SECOND), 0);
	assert_ptr_equal(find(t, "a"), a);
	assert_int_equal(a->s[TRACK_FOOTPRINT].previous, 100);
	assert_int_equal(a->s[TRACK_FOOTPRINT].last, 250);
	assert_int_equal(a->s[TRACK_FOOTPRINT].peak, 250);
	assert_true(find(t, "b")->born);
	assert_int_equal(tracks_samples(t), 2);
	slabstat_snapshot_free(s);
	tracks_free(t);
}

/*
 * A jump in a recording: new values in the same tracks, growth from the base, history from the gap.
 */
static void test_reset_and_gap(void **state)
{
	static const struct sample base[] = { { "a", 8, 10 }, { NULL, 0, 0 } };
	static const struct sample later[] = { { "a", 8, 70 }, { "b", 8, 5 }, { NULL, 0, 0 } };
	struct tracks *t = tracks_new();
	const struct track *a;
	float history[8];

	(void)state;
	slabstat_snapshot_free(add(t, later, SECOND));
	a = find(t, "a");
	tracks_reset(t);
	assert_false(tracks_gone(t, find(t, "b")));
	slabstat_snapshot_free(add(t, base, SECOND));
	tracks_gap(t);
	slabstat_snapshot_free(add(t, later, 90 * (int64_t)SECOND));
	assert_ptr_equal(find(t, "a"), a);
	assert_int_equal(a->s[TRACK_FOOTPRINT].base, 10);
	assert_int_equal(a->s[TRACK_FOOTPRINT].last, 70);
	assert_true(tracks_gapped(t));
	assert_int_equal(tracks_history(t, a, TRACK_FOOTPRINT, history, 8), 1);
	assert_true(find(t, "b")->born);
	tracks_free(t);
}

static void test_nothing(void **state)
{
	static const struct sample none[] = { { NULL, 0, 0 } };
	struct tracks *t = tracks_new();

	(void)state;
	slabstat_snapshot_free(add(t, none, SECOND));
	slabstat_snapshot_free(add(t, none, SECOND));
	assert_int_equal(tracks_count(t), 0);
	assert_true(tracks_step_seconds(t) == 0);
	tracks_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_growth),
		cmocka_unit_test(test_birth_and_death),
		cmocka_unit_test(test_equal_names),
		cmocka_unit_test(test_amend),
		cmocka_unit_test(test_reset_and_gap),
		cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
