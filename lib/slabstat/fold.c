// SPDX-License-Identifier: MIT
/* fold.c - one record that stands for several caches; see fold.h. */
#include "slabstat/fold.h"
#include "slabstat/derive.h"
#include "util/num.h"

#include <string.h>

enum how { SUM, COMMON, LATER };

/* The table of fields says how each folds: percentages come later, from the sums. */
static enum how how_to_fold(unsigned field)
{
#define KV(major, minor) 0
#define FIELD(ID, id, TITLE, UNIT, KIND, ...)                                                      \
	SLABSTAT_UNIT_##UNIT == SLABSTAT_UNIT_PERCENT &&                                           \
				SLABSTAT_KIND_##KIND == SLABSTAT_KIND_DERIVED ?                    \
			LATER :                                                                    \
	SLABSTAT_KIND_##KIND == SLABSTAT_KIND_FACT ||                                              \
				SLABSTAT_KIND_##KIND == SLABSTAT_KIND_TUNABLE ?                    \
			COMMON :                                                                   \
			SUM,
	static const unsigned char table[] = {
#include <slab/fields.def>
	};
#undef FIELD
#undef KV

	return (enum how)table[field];
}

static void fold_common(struct slabstat_cache *fold, enum slabstat_field f,
			const struct slabstat_cache *const *members, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (members[i]->quality[f] != members[0]->quality[f] ||
		    members[i]->value[f] != members[0]->value[f])
			return;
	fold->value[f] = members[0]->value[f];
	fold->quality[f] = members[0]->quality[f];
}

/* Add one cache's shares to a list; both are in rising order of index. */
static int add_shares(struct arena *a, struct share_list *list, const struct share_list *more)
{
	struct slabstat_share *both;
	size_t n = 0, i = 0, k = 0;

	both = arena_alloc(a, (list->count + more->count) * sizeof(*both));
	if (!both)
		return -1;
	while (i < list->count || k < more->count) {
		const struct slabstat_share *left = i < list->count ? &list->share[i] : NULL;
		const struct slabstat_share *right = k < more->count ? &more->share[k] : NULL;

		if (!right || (left && left->index <= right->index)) {
			both[n] = *left;
			i++;
			if (right && right->index == left->index) {
				both[n].value = num_add_sat(left->value, right->value);
				k++;
			}
		} else {
			both[n] = *right;
			k++;
		}
		n++;
	}
	list->share = both;
	list->count = n;
	return 0;
}

static int fold_shares(struct arena *a, struct slabstat_cache *fold, const struct slabstat_cache *c)
{
	for (const struct share_list *from = c->shares; from; from = from->next) {
		struct share_list *to = fold->shares;

		while (to && to->field != from->field)
			to = to->next;
		if (!to) {
			to = arena_alloc(a, sizeof(*to));
			if (!to)
				return -1;
			to->field = from->field;
			to->next = fold->shares;
			fold->shares = to;
		}
		if (add_shares(a, to, from))
			return -1;
	}
	return 0;
}

struct slabstat_cache *fold_caches(struct arena *a, const char *name,
				   const struct slabstat_cache *const *members, size_t n)
{
	struct slabstat_cache *fold = arena_alloc(a, sizeof(*fold));

	if (!fold)
		return NULL;
	fold->name = fold->label = arena_string(a, name, strlen(name));
	if (!fold->name)
		return NULL;
	fold->position = members[0]->position;
	for (unsigned f = 0; f < SLABSTAT_NFIELDS; f++) {
		if (how_to_fold(f) == SUM) {
			struct slabstat_sum s = slabstat_sum_caches(members, n, f);

			cache_set(fold, f, s.sum, s.quality);
		} else if (how_to_fold(f) == COMMON) {
			fold_common(fold, f, members, n);
		}
	}
	for (size_t i = 0; i < n; i++)
		if (fold_shares(a, fold, members[i]))
			return NULL;
	derive_percents(fold);
	return fold;
}
