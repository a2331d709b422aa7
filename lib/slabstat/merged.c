// SPDX-License-Identifier: MIT
/* merged.c - which caches have to be counted together; see merged.h. */
#include "slabstat/merged.h"

#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A name; the sets are trees of them, each with its root as the one that speaks for it. */
struct member {
	char *name;
	struct member *up;	/* itself: the root */
	struct member *next;	/* all of them */
	bool cache;		/* some cache goes by this name */
	size_t users;		/* that share it */
	char *label;		/* of the whole set, at the root; NULL: not made yet */
};

struct merged {
	void *by_name;		/* tsearch tree */
	struct member *all;
};

struct merged *merged_new(void)
{
	return calloc(1, sizeof(struct merged));
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct member *)a)->name, ((const struct member *)b)->name);
}

static void keep_node(void *node)
{
	(void)node;	/* members hang in the list as well */
}

void merged_free(struct merged *m)
{
	if (!m)
		return;
	tdestroy(m->by_name, keep_node);
	while (m->all) {
		struct member *next = m->all->next;

		free(m->all->name);
		free(m->all->label);
		free(m->all);
		m->all = next;
	}
	free(m);
}

static struct member *member_of(struct merged *m, const char *name)
{
	struct member key = { .name = (char *)name }, *new;
	struct member **slot = tfind(&key, &m->by_name, compare_names);

	if (slot)
		return *slot;
	new = calloc(1, sizeof(*new));
	if (new)
		new->name = strdup(name);
	if (!new || !new->name || !tsearch(new, &m->by_name, compare_names)) {
		if (new)
			free(new->name);
		free(new);
		return NULL;
	}
	new->up = new;
	new->next = m->all;
	m->all = new;
	return new;
}

static struct member *root_of(struct member *x)
{
	while (x->up != x)
		x = x->up = x->up->up;
	return x;
}

int merged_cache(struct merged *m, const char *label)
{
	struct member *x = member_of(m, label);

	if (!x)
		return -ENOMEM;
	x->cache = true;
	return 0;
}

int merged_share(struct merged *m, const char *label, const char *user)
{
	struct member *x = member_of(m, label), *y = member_of(m, user);

	if (!x || !y)
		return -ENOMEM;
	x->users++;
	root_of(y)->up = root_of(x);
	return 0;
}

/* The name of a set, from all that are in it. */
static char *make_label(const struct merged *m, const struct member *root)
{
	const struct member *first = NULL;
	size_t caches = 0;
	char *label;

	for (struct member *x = m->all; x; x = x->next) {
		if (!x->cache || root_of(x) != root)
			continue;
		caches++;
		if (!first || x->users > first->users ||
		    (x->users == first->users && strcmp(x->name, first->name) < 0))
			first = x;
	}
	if (caches < 2)
		return strdup(first ? first->name : root->name);
	return asprintf(&label, "%s (+%zu)", first->name, caches - 1) < 0 ? NULL : label;
}

const char *merged_label(struct merged *m, const char *label)
{
	struct member *root = member_of(m, label);

	if (!root)
		return NULL;
	root = root_of(root);
	if (!root->label)
		root->label = make_label(m, root);
	return root->label;
}
