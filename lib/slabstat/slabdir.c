// SPDX-License-Identifier: MIT
/* slabdir.c - one slab directory; see slabdir.h. */
#include "slabstat/slabdir.h"

#include "slabstat/attr.h"
#include "slabstat/field.h"
#include "util/num.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* An attribute is at most one page of the largest kind. */
#define TEXT_SIZE ((size_t)64 << 10)
#define PATH_SIZE ((size_t)NAME_MAX + 1 + 64)

/*
 * So many caches without an attribute, and none with it, mean that the kernel has none. A copy
 * may lack single files, so it is asked longer.
 */
#define LACKS_LIVE 3
#define LACKS_COPY 32

int slabdir_open(struct slabdir *d, struct root *r)
{
	*d = (struct slabdir){ .root = r, .fd = -1, .at = -1 };
	d->text = malloc(TEXT_SIZE);
	d->path = malloc(PATH_SIZE);
	if (!d->text || !d->path) {
		slabdir_close(d);
		return error_memory(r->h);
	}
	d->fd = root_openat(r, r->fd, r->slab, O_RDONLY | O_DIRECTORY);
	if (d->fd < 0) {
		int ret = root_error(r, d->fd, r->slab);

		slabdir_close(d);
		return ret;
	}
	return 0;
}

static void leave_cache(struct slabdir *d)
{
	if (d->at >= 0)
		close(d->at);
	d->at = -1;
	d->at_cache = NULL;
}

void slabdir_close(struct slabdir *d)
{
	if (d->fd >= 0)
		close(d->fd);
	leave_cache(d);
	free(d->text);
	free(d->path);
	facts_free(&d->facts);
	kept_stop(&d->kept);
	*d = (struct slabdir){ .fd = -1, .at = -1 };
}

bool slabdir_readable(struct root *r)
{
	int fd = root_openat(r, r->fd, r->slab, O_RDONLY | O_DIRECTORY);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	char path[PATH_SIZE];
	bool readable = true;
	struct dirent *e;

	if (!dir) {
		if (fd >= 0)
			close(fd);
		return false;
	}
	while ((e = readdir(dir)) != NULL) {
		if (e->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/slab_size", e->d_name);
		if (faccessat(fd, path, R_OK, AT_EACCESS) == 0)
			break;
		readable = errno != EACCES && errno != EPERM;
		if (!readable)
			break;
	}
	closedir(dir);
	return readable;
}

/* ---- names and links ------------------------------------------------------------------------- */

/* Some file systems leave d_type to fstatat. */
static unsigned char type_of(const struct slabdir *d, const struct dirent *e)
{
	struct stat st;

	if (e->d_type != DT_UNKNOWN)
		return e->d_type;
	if (fstatat(d->fd, e->d_name, &st, AT_SYMLINK_NOFOLLOW))
		return DT_UNKNOWN;
	return S_ISDIR(st.st_mode) ? DT_DIR : S_ISLNK(st.st_mode) ? DT_LNK : DT_REG;
}

/* A copy may have hidden folders that are none; a program's cache may have such a name. */
static bool is_dotted_cache(const struct slabdir *d, const char *name)
{
	char path[PATH_SIZE];

	if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
		return false;
	snprintf(path, sizeof(path), "%s/slab_size", name);
	return faccessat(d->fd, path, F_OK, 0) == 0;
}

/* What an entry is that the last listing did not have. */
static int add_entry(struct slabdir *d, const struct dirent *e)
{
	unsigned char type = type_of(d, e);
	enum facts_kind kind = type == DT_DIR ? FACTS_CACHE : FACTS_OTHER;
	char target[PATH_MAX];
	ssize_t n = -1;

	if (type == DT_LNK)
		n = readlinkat(d->fd, e->d_name, target, sizeof(target) - 1);
	if (n >= 0) {		/* else gone, or no longer a link */
		target[n] = '\0';
		kind = FACTS_LINK;
	}
	return facts_add(&d->facts, (unsigned long)e->d_ino, e->d_name, kind,
			 kind == FACTS_LINK ? target : NULL);
}

static int list_entries(struct slabdir *d, DIR *dir)
{
	struct dirent *e;
	int ret = 0;

	facts_begin(&d->facts);
	for (errno = 0; ret == 0 && (e = readdir(dir)) != NULL; errno = 0) {
		if (e->d_name[0] == '.' && !is_dotted_cache(d, e->d_name))
			continue;
		if (!facts_next(&d->facts, (unsigned long)e->d_ino, e->d_name))
			ret = add_entry(d, e);
	}
	return ret ? ret : -errno;
}

/* In order of name, in which the snapshot wants them. */
static int take_listing(struct slabdir *d, struct slabstat_snapshot *s)
{
	const struct facts_entry *e;

	for (size_t i = 0; (e = facts_entry(&d->facts, i)) != NULL; i++) {
		if (e->kind == FACTS_LINK) {
			s->notes.links++;
			if (snapshot_link(s, e->name, e->target))
				return -ENOMEM;
		} else if (e->kind == FACTS_CACHE) {
			struct slabstat_cache *c = snapshot_add(s, e->name, strlen(e->name));

			if (!c)
				return -ENOMEM;
			c->position = e->place;
		}
	}
	return 0;
}

int slabdir_list(struct slabdir *d, struct slabstat_snapshot *s)
{
	int fd = root_openat(d->root, d->fd, ".", O_RDONLY | O_DIRECTORY);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	int ret, same;

	leave_cache(d);
	if (!dir) {
		ret = fd < 0 ? fd : -errno;
		if (fd >= 0)
			close(fd);
		return root_error(d->root, ret, d->root->slab);
	}
	ret = list_entries(d, dir);
	closedir(dir);
	same = ret ? ret : facts_end(&d->facts);
	ret = same < 0 ? same : take_listing(d, s);
	if (same < 0)
		facts_free(&d->facts);
	if (same <= 0)
		kept_reset(&d->kept, s->count);
	return ret ? root_error(d->root, ret, d->root->slab) : 0;
}

/* ---- attributes ------------------------------------------------------------------------------ */

struct slabstat_fieldset slabdir_fields(const struct slabstat_fieldset *want,
					const struct slabstat_machine *m)
{
	struct slabstat_fieldset set = want ? *want : slabstat_fieldset_all();

	field_add_inputs(&set);
	if (m->page_size == 0) {	/* to be told from what fits in a slab */
		slabstat_fieldset_add(&set, SLABSTAT_SLAB_SIZE);
		slabstat_fieldset_add(&set, SLABSTAT_OBJS_PER_SLAB);
		slabstat_fieldset_add(&set, SLABSTAT_ORDER);
	}
	if (m->kernel == 0) {		/* whether CPU slabs are retired, too */
		slabstat_fieldset_add(&set, SLABSTAT_CPU_PARTIAL);
		slabstat_fieldset_add(&set, SLABSTAT_SHEAF_CAPACITY);
	}
	/* One attribute carries both of these. */
	if (slabstat_fieldset_has(&set, SLABSTAT_CPU_PARTIAL_SLABS))
		slabstat_fieldset_add(&set, SLABSTAT_CPU_PARTIAL_OBJS);
	for (int n = 0; n < SLABSTAT_NFIELDS; n++) {
		const struct slabstat_field_info *info =
			slabstat_field_info((enum slabstat_field)n);

		if (!info->sysfs || n == SLABSTAT_CPU_PARTIAL_SLABS ||
		    (m->kernel && info->until && m->kernel > info->until))
			slabstat_fieldset_remove(&set, (enum slabstat_field)n);
	}
	return set;
}

/*
 * The text of one attribute, or a negative errno. In the running kernel two components are looked
 * up at once. In a copy each is opened by itself, lest it be a link: there the directory of the
 * cache is opened once and kept until the next cache.
 */
static ssize_t read_attr(struct slabdir *d, const struct slabstat_cache *c, const char *attr)
{
	if (d->root->live) {
		snprintf(d->path, PATH_SIZE, "%s/%s", c->name, attr);
		return root_read(d->root, d->fd, d->path, d->text, TEXT_SIZE);
	}
	if (d->at_cache != c) {
		leave_cache(d);
		d->at = root_openat(d->root, d->fd, c->name, O_PATH | O_DIRECTORY);
		if (d->at < 0)
			return d->at;
		d->at_cache = c;
	}
	return root_read(d->root, d->at, attr, d->text, TEXT_SIZE);
}

/*
 * A directory that the kernel has taken down has no attributes left, the size of a slot among them.
 */
static bool is_there(struct slabdir *d, const char *cache)
{
	struct stat st;

	snprintf(d->path, PATH_SIZE, "%s/%s", cache, "slab_size");
	if (fstatat(d->fd, d->path, &st, AT_SYMLINK_NOFOLLOW) == 0)
		return true;
	snprintf(d->path, PATH_SIZE, "%s/%s", cache, "object_size");
	return fstatat(d->fd, d->path, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

/*
 * The id of a merged cache says its slot size and whether it is reclaimable: ":aA-0000192". In the
 * running kernel that saves two files a cache.
 */
static bool read_id(struct slabstat_cache *c, enum slabstat_field f)
{
	const char *p = c->name + 1, *end = p + strlen(p);
	bool reclaim = false;
	uint64_t size;

	for (; p < end && strchr("dDaFAt", *p); p++)
		reclaim |= *p == 'a';
	if (p > c->name + 1 && (p == end || *p++ != '-'))
		return false;
	if (num_scan_u64(&p, end, &size) || p != end)
		return false;
	cache_set(c, f, f == SLABSTAT_SLAB_SIZE ? size : reclaim, SLABSTAT_EXACT);
	return true;
}

static int refuse(const struct slabdir *d, const struct slabstat_cache *c, const char *attr,
		  int code)
{
	char *path;

	if (asprintf(&path, "%s/%s/%s", d->root->slab, c->name, attr) < 0)
		return root_error(d->root, code, d->root->slab);
	root_error(d->root, code, path);
	free(path);
	return code;
}

/* An attribute that could not be read: gone with its cache, never there, or refused. */
static int miss(struct slabdir *d, struct slabstat_snapshot *s, struct slabstat_cache *c,
		enum slabstat_field f, int code)
{
	const char *attr = slabstat_field_info(f)->sysfs;

	switch (code) {
	case -ENOMEM:
	case -EMFILE:
	case -ENFILE:
		return root_error(d->root, code, d->root->slab);
	case -ENOENT:
	case -ENODEV:
		if (d->seen[f] || code == -ENODEV) {
			if (!is_there(d, c->name))
				return -ENOENT;
			if (code == -ENODEV)
				snapshot_unreadable(s, c, f, code);
		} else if (d->lacks[f] < LACKS_COPY) {
			d->lacks[f]++;
		}
		return 0;
	case -EACCES:
	case -EPERM:
		if (!d->any && d->root->live)
			return refuse(d, c, attr, code);
		break;
	}
	snapshot_unreadable(s, c, f, code);
	d->seen[f] = true;
	return 0;
}

/* Read from where it stays open; open it and leave it so the first time. */
static ssize_t read_kept(struct slabdir *d, const struct slabstat_cache *c, enum slabstat_field f)
{
	int fd = kept_find(&d->kept, c->position, f);
	ssize_t n;

	if (fd >= 0)
		return kept_read(fd, d->text, TEXT_SIZE);
	snprintf(d->path, PATH_SIZE, "%s/%s", c->name, slabstat_field_info(f)->sysfs);
	fd = root_openat(d->root, d->fd, d->path, O_RDONLY);
	if (fd < 0)
		return fd;
	n = kept_read(fd, d->text, TEXT_SIZE);
	if (n < 0 || !kept_add(&d->kept, c->position, f, fd))
		close(fd);
	return n;
}

static int read_field(struct slabdir *d, struct slabstat_snapshot *s, struct slabstat_cache *c,
		      enum slabstat_field f)
{
	bool keep = d->kept.on && !facts_last(&d->facts, f);
	ssize_t n = keep ? read_kept(d, c, f) : read_attr(d, c, slabstat_field_info(f)->sysfs);
	int ret;

	if (n < 0)
		return miss(d, s, c, f, (int)n);
	d->seen[f] = d->any = true;
	ret = attr_parse(s, c, f, d->text, (size_t)n);
	if (ret == -EINVAL) {
		snapshot_unreadable(s, c, f, ret);
		return 0;
	}
	return ret ? error_memory(d->root->h) : 0;
}

/* The first field of a set from n on; SLABSTAT_NFIELDS past the last. */
static int next_field(const struct slabstat_fieldset *set, int n)
{
	for (; n < SLABSTAT_NFIELDS; n = (n / 64 + 1) * 64) {
		uint64_t rest = set->bits[n / 64] >> (n % 64);

		if (rest)
			return n + __builtin_ctzll(rest);
	}
	return SLABSTAT_NFIELDS;
}

bool slabdir_grows(const struct slabstat_cache *c)
{
	return strncmp(c->name, "kmalloc-", strlen("kmalloc-")) == 0;
}

int slabdir_read(struct slabdir *d, struct slabstat_snapshot *s, struct slabstat_cache *c,
		 const struct slabstat_fieldset *fields)
{
	unsigned limit = d->root->live ? LACKS_LIVE : LACKS_COPY;
	size_t before = d->root->opened;
	bool any = false;

	for (int n = next_field(fields, 0); n < SLABSTAT_NFIELDS; n = next_field(fields, n + 1)) {
		enum slabstat_field f = (enum slabstat_field)n;
		int ret;

		if (cache_has(c, f) || (!d->seen[f] && d->lacks[f] >= limit) ||
		    !slabstat_field_info(f)->sysfs)
			continue;
		if (facts_get(&d->facts, c->position, f, &c->value[f])) {
			c->quality[f] = SLABSTAT_EXACT;
			continue;
		}
		if (d->root->live && c->name[0] == ':' &&
		    (f == SLABSTAT_SLAB_SIZE || f == SLABSTAT_RECLAIM_ACCOUNT) && read_id(c, f))
			continue;
		ret = read_field(d, s, c, f);
		if (ret)
			return ret;
		any |= cache_has(c, f);
		if (c->quality[f] == SLABSTAT_EXACT)
			facts_put(&d->facts, c->position, f, c->value[f]);
	}
	return d->root->opened > before && !any && !is_there(d, c->name) ? -ENOENT : 0;
}

int slabdir_read_ctor(struct slabdir *d, struct slabstat_snapshot *s, struct slabstat_cache *c)
{
	ssize_t n = read_attr(d, c, "ctor");

	if (n < 0)
		return 0;
	while (n > 0 && (d->text[n - 1] == '\n' || d->text[n - 1] == ' '))
		n--;
	c->ctor = snapshot_string(s, d->text, (size_t)n);
	return c->ctor ? 0 : error_memory(d->root->h);
}

void slabdir_why(const struct slabdir *d, struct slabstat_snapshot *s)
{
	unsigned kernel = s->machine.kernel;

	for (int n = 0; n < SLABSTAT_NFIELDS; n++) {
		enum slabstat_field f = (enum slabstat_field)n;
		const struct slabstat_field_info *info = slabstat_field_info(f);

		if (field_only_slab(f)) {
			snapshot_why(s, f, "only the SLAB allocator has it");
		} else if (f == SLABSTAT_ACTIVE_SLABS) {
			snapshot_why(s, f, "only /proc/slabinfo carries it");
		} else if (info->sysfs && d->seen[f]) {
			snapshot_why(s, f, "it could not be read");
		} else if (info->sysfs && d->lacks[f]) {
			const char *why = field_why(f, kernel);

			snapshot_why(s, f, why ? why : "this kernel does not have it");
		}
	}
}
