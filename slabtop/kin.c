// SPDX-License-Identifier: MIT
/* kin.c - tracks of families; see kin.h. */
#include "kin.h"

#include <stdlib.h>
#include <string.h>

struct track *kin_track(struct kin *k, const char *name)
{
	size_t low = 0, high = k->count;
	struct track *t;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strcmp(name, k->track[middle]->name);

		if (!order)
			return k->track[middle];
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	if (k->count == k->room) {
		size_t room = k->room ? 2 * k->room : 64;
		struct track **grown = realloc(k->track, room * sizeof(*grown));

		if (!grown)
			return NULL;
		k->track = grown;
		k->room = room;
	}
	t = calloc(1, sizeof(*t));
	if (t)
		t->label = t->name = strdup(name);
	if (!t || !t->name) {
		free(t);
		return NULL;
	}
	memmove(k->track + low + 1, k->track + low, (k->count - low) * sizeof(*k->track));
	k->track[low] = t;
	k->count++;
	return t;
}

void kin_reset(struct kin *k)
{
	for (size_t i = 0; i < k->count; i++)
		memset(k->track[i]->s, 0, sizeof(k->track[i]->s));
}

void kin_free(struct kin *k)
{
	for (size_t i = 0; i < k->count; i++) {
		free(k->track[i]->name);
		free(k->track[i]);
	}
	free(k->track);
	memset(k, 0, sizeof(*k));
}
