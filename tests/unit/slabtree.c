// SPDX-License-Identifier: MIT
/* slabtree.c - a small slab directory of plain files in a temporary place. */
#include "slabtree.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void need(int ok, const char *what)
{
	if (!ok) {
		perror(what);
		abort();
	}
}

static void make(const char *base, const char *name, char *path, size_t size)
{
	need(snprintf(path, size, "%s/%s", base, name) < (int)size, "path");
	need(mkdir(path, 0700) == 0, path);
}

void slabtree_set(const struct slabtree *t, const char *cache, const char *attribute,
		  const char *text)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s/%s", t->slab, cache, attribute);
	f = fopen(path, "w");
	need(f != NULL, path);
	need(fputs(text, f) >= 0 && fclose(f) == 0, path);
}

const char *slabtree_get(const struct slabtree *t, const char *cache, const char *attribute)
{
	static char text[64];
	char path[256];
	FILE *f;
	size_t n;

	snprintf(path, sizeof(path), "%s/%s/%s", t->slab, cache, attribute);
	f = fopen(path, "r");
	need(f != NULL, path);
	n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = '\0';
	fclose(f);
	return text;
}

void slabtree_cache(const struct slabtree *t, const char *cache, unsigned size)
{
	static const char *const zero[] = { "sanity_checks", "red_zone", "poison",
					    "store_user",    "trace",	 "aliases",
					    "skip_kfence",   "failslab" };
	char path[256], number[16];

	make(t->slab, cache, path, sizeof(path));
	for (size_t i = 0; i < sizeof(zero) / sizeof(zero[0]); i++)
		slabtree_set(t, cache, zero[i], "0\n");
	snprintf(number, sizeof(number), "%u\n", size);
	slabtree_set(t, cache, "slab_size", number);
	slabtree_set(t, cache, "object_size", number);
	slabtree_set(t, cache, "min_partial", "5\n");
	slabtree_set(t, cache, "cpu_partial", "52\n");
	slabtree_set(t, cache, "remote_node_defrag_ratio", "100\n");
	slabtree_set(t, cache, "shrink", "");
	slabtree_set(t, cache, "validate", "");
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

void slabtree_drop(const struct slabtree *t, const char *cache)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", t->slab, cache);
	need(nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS) == 0, path);
}

static void link_to(const struct slabtree *t, const char *target, const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", t->slab, name);
	need(symlink(target, path) == 0, path);
}

void slabtree_make(struct slabtree *t)
{
	char path[128];

	strcpy(t->root, "/tmp/slabtree.XXXXXX");
	need(mkdtemp(t->root) != NULL, t->root);
	snprintf(t->journal, sizeof(t->journal), "%s/state/slabinfo", t->root);
	make(t->root, "sys", path, sizeof(path));
	make(t->root, "sys/kernel", path, sizeof(path));
	make(t->root, "sys/kernel/slab", t->slab, sizeof(t->slab));
	slabtree_cache(t, ":0000256", 256);
	slabtree_set(t, ":0000256", "aliases", "1\n");
	slabtree_cache(t, "dentry", 192);
	slabtree_set(t, "dentry", "cpu_partial", "120\n");
	link_to(t, ":0000256", "pool");
	link_to(t, ":0000256", "item");
}

void slabtree_remove(struct slabtree *t)
{
	nftw(t->root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}
