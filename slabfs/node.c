// SPDX-License-Identifier: MIT
/* node.c - paths; see node.h. */
#include "node.h"

#include "attribute.h"
#include "util/num.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#define ATTRIBUTE_BYTES 4096 /* what sysfs says of each */

/* What every program has, below its number. */
static const struct place {
	const char *path;
	enum node_kind kind;
} places[] = {
	{ "", NODE_CACHES },
	{ "slabinfo", NODE_ROWS },
	{ "proc", NODE_FOLDER },
	{ "proc/slabinfo", NODE_ROWS },
	{ "sys", NODE_FOLDER },
	{ "sys/kernel", NODE_FOLDER },
	{ "sys/kernel/slab", NODE_CACHES },
};

#define PLACES (sizeof(places) / sizeof(places[0]))

/* The name of a place that stands right in a folder; NULL: it does not. */
static const char *name_in(const struct place *p, const char *folder)
{
	size_t len = strlen(folder);
	const char *name = p->path;

	if (strncmp(name, folder, len) != 0 || !name[len])
		return NULL;
	name += len;
	if (len && *name++ != '/')
		return NULL;
	return strchr(name, '/') ? NULL : name;
}

static bool is_place_in(const char *folder, const char *name)
{
	for (size_t i = 0; i < PLACES; i++) {
		const char *known = name_in(&places[i], folder);

		if (known && strcmp(known, name) == 0)
			return true;
	}
	return false;
}

/* ---- finding --------------------------------------------------------------------------------- */

/* "/123/rest": the number, written as we write it, and what follows. */
static const char *split_number(const char *path, uint64_t *pid)
{
	const char *p = path + 1, *end = p + strcspn(p, "/");

	if (*p == '0' || num_scan_u64(&p, end, pid) || p != end)
		return NULL;
	return *end ? end + 1 : end;
}

/* "CACHE" or "CACHE/ATTRIBUTE" in the directory of caches at folder. */
static int find_cache(struct node *n, const char *folder, const char *path)
{
	const size_t len = strcspn(path, "/");
	char name[NAME_MAX + 1];

	if (len > NAME_MAX)
		return -ENAMETOOLONG;
	memcpy(name, path, len);
	name[len] = '\0';
	n->entry = is_place_in(folder, name) ? NULL : caches_find(&n->moment->caches, name);
	if (!n->entry)
		return -ENOENT;
	n->kind = n->entry->target ? NODE_ALIAS : NODE_CACHE;
	if (!path[len])
		return 0;
	if (n->kind == NODE_ALIAS)
		return -ENOTDIR;
	n->kind = NODE_ATTRIBUTE;
	n->attribute = attribute_find(n->entry->cache, path + len + 1);
	return n->attribute < 0 ? n->attribute : 0;
}

static int find_in_program(struct node *n, const char *rest)
{
	static const char slab[] = "sys/kernel/slab/";

	for (size_t i = 0; i < PLACES; i++) {
		if (strcmp(places[i].path, rest) == 0) {
			n->kind = places[i].kind;
			n->place = places[i].path;
			return 0;
		}
	}
	if (strncmp(rest, slab, sizeof(slab) - 1) == 0)
		return find_cache(n, "sys/kernel/slab", rest + sizeof(slab) - 1);
	return find_cache(n, "", rest);
}

static int find(struct programs *all, const char *path, pid_t reader, enum program_need need,
		struct node *n)
{
	const char *rest;
	uint64_t pid;
	int ret;

	*n = (struct node){ .kind = NODE_TOP };
	if (strcmp(path, "/") == 0)
		return 0;
	rest = split_number(path, &pid);
	if (!rest)
		return -ENOENT;
	ret = program_look(all, pid, reader, need, &n->moment);
	if (ret == 0)
		ret = find_in_program(n, rest);
	if (ret)
		node_put(n);
	return ret;
}

int node_find(struct programs *all, const char *path, pid_t reader, enum program_need need,
	      struct node *n)
{
	int ret = find(all, path, reader, need, n);

	/* What a glance does not find may have come since. */
	if (ret == -ENOENT && need == PROGRAM_GLANCE)
		ret = find(all, path, reader, PROGRAM_FRESH, n);
	return ret;
}

void node_put(struct node *n)
{
	moment_put(n->moment);
	n->moment = NULL;
}

/* ---- what it is ------------------------------------------------------------------------------ */

bool node_writable(const struct node *n)
{
	return n->kind == NODE_ATTRIBUTE && attribute_writable(n->attribute) &&
	       n->moment->state == SLABSTAT_PROCESS_RUNS;
}

static uint64_t add_hash(uint64_t hash, const char *text)
{
	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
	return hash;
}

/* By name, and by program too below the number that it may have from another. */
static ino_t number_of(const struct moment *m, const char *directory, const char *name)
{
	const bool below = directory[0] == '/' && directory[1];
	uint64_t hash = 0xcbf29ce484222325u ^ (below ? (uint64_t)m->born_ns : 0);

	hash = add_hash(add_hash(add_hash(hash, below ? directory : ""), "/"), name);
	return (ino_t)(hash | 2);
}

ino_t node_number(const struct node *n, const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');
	char directory[PATH_MAX];

	if (name)
		return number_of(n->moment, path, name);
	if (n->kind == NODE_TOP)
		return 1;
	snprintf(directory, sizeof(directory), "%.*s", (int)(slash - path), path);
	return number_of(n->moment, directory, slash + 1);
}

static mode_t mode_of(const struct node *n)
{
	switch (n->kind) {
	case NODE_TOP:
		return S_IFDIR | 0555;
	case NODE_ALIAS:
		return S_IFLNK | 0777;
	case NODE_ROWS:
		return S_IFREG | 0400;
	case NODE_ATTRIBUTE:
		return S_IFREG | (node_writable(n) ? 0600 : 0400);
	default:
		return S_IFDIR | 0500;
	}
}

void node_stat(const struct node *n, const char *path, struct stat *st)
{
	const struct moment *m = n->moment;

	*st = (struct stat){ .st_mode = mode_of(n), .st_uid = m ? m->uid : geteuid(),
			     .st_gid = getegid() };
	st->st_ino = node_number(n, path, NULL);
	st->st_nlink = S_ISDIR(st->st_mode) ? 2 : 1;
	if (n->kind == NODE_ATTRIBUTE)
		st->st_size = ATTRIBUTE_BYTES;
	else if (n->kind == NODE_ALIAS)
		st->st_size = (off_t)strlen(n->entry->target);
	if (m)
		st->st_mtim = (struct timespec){ m->wall_ns / 1000000000, m->wall_ns % 1000000000 };
	st->st_atim = st->st_ctim = st->st_mtim;
}

/* ---- what stands in it ----------------------------------------------------------------------- */

static int list_places(const char *folder, node_each each, void *arg)
{
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < PLACES; i++) {
		const char *name = name_in(&places[i], folder);

		if (name)
			ret = each(arg, name, places[i].kind == NODE_ROWS ? S_IFREG : S_IFDIR);
	}
	return ret;
}

static int list_caches(const struct node *n, node_each each, void *arg)
{
	const struct caches *l = &n->moment->caches;
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < l->count; i++)
		if (!is_place_in(n->place, l->entry[i].name))
			ret = each(arg, l->entry[i].name, l->entry[i].target ? S_IFLNK : S_IFDIR);
	return ret;
}

static int list_attributes(const struct node *n, node_each each, void *arg)
{
	int ret = 0;

	for (int a = 0; ret == 0 && a < ATTRIBUTES; a++) {
		const char *name = attribute_name(n->entry->cache, a);

		if (name)
			ret = each(arg, name, S_IFREG);
	}
	return ret;
}

struct top_list {
	node_each each;
	void *arg;
	int ret;
};

static void list_program(uint64_t pid, void *arg)
{
	struct top_list *t = arg;
	char name[24];

	snprintf(name, sizeof(name), "%" PRIu64, pid);
	if (t->ret == 0)
		t->ret = t->each(t->arg, name, S_IFDIR);
}

int node_list(const struct node *n, node_each each, void *arg)
{
	struct top_list t = { .each = each, .arg = arg };
	int ret;

	switch (n->kind) {
	case NODE_TOP:
		ret = programs_list(list_program, &t);
		return ret ? ret : t.ret;
	case NODE_CACHES:
		ret = list_places(n->place, each, arg);
		return ret ? ret : list_caches(n, each, arg);
	case NODE_FOLDER:
		return list_places(n->place, each, arg);
	case NODE_CACHE:
		return list_attributes(n, each, arg);
	default:
		return -ENOTDIR;
	}
}

int node_print(const struct node *n, FILE *out)
{
	if (n->kind == NODE_ROWS)
		return attribute_rows(n->moment->snapshot, &n->moment->caches, out);
	attribute_print(n->entry->cache, n->attribute, out);
	return 0;
}
