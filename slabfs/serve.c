// SPDX-License-Identifier: MIT
/*
 * serve.c - the operations of the file system; see serve.h.
 *
 * The kernel keeps nothing of ours: names and attributes are asked for each time, and files are
 * read past its page cache. What a file says is fixed when it is opened.
 */
#include "serve.h"

#include "attribute.h"
#include "node.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A file that was opened. */
struct handle {
	struct node node;
	struct stat st;
	char *text;
	size_t size;
};

static struct programs *programs(void)
{
	return fuse_get_context()->private_data;
}

static pid_t reader(void)
{
	return fuse_get_context()->pid;
}

static struct handle *handle_of(const struct fuse_file_info *fi)
{
	return fi ? (struct handle *)(uintptr_t)fi->fh : NULL;
}

static void *serve_init(struct fuse_conn_info *conn, struct fuse_config *config)
{
	(void)conn;
	config->use_ino = 1;
	config->direct_io = 1;
	config->entry_timeout = config->attr_timeout = config->negative_timeout = 0;
	return programs();
}

static int serve_getattr(const char *path, struct stat *st, struct fuse_file_info *fi)
{
	const struct handle *f = handle_of(fi);
	struct node n;
	int ret;

	if (f) {
		*st = f->st;
		return 0;
	}
	ret = node_find(programs(), path, reader(), PROGRAM_GLANCE, &n);
	if (ret)
		return ret;
	node_stat(&n, path, st);
	node_put(&n);
	return 0;
}

static int serve_readlink(const char *path, char *target, size_t size)
{
	struct node n;
	int ret = node_find(programs(), path, reader(), PROGRAM_GLANCE, &n);

	if (ret)
		return ret;
	if (n.kind == NODE_ALIAS)
		snprintf(target, size, "%s", n.entry->target);
	else
		ret = -EINVAL;
	node_put(&n);
	return ret;
}

/* ---- directories ----------------------------------------------------------------------------- */

struct listing {
	const struct node *node;
	const char *path;
	void *buffer;
	fuse_fill_dir_t fill;
};

static int fill_one(void *arg, const char *name, mode_t type)
{
	const struct listing *l = arg;
	const struct stat st = { .st_mode = type, .st_ino = node_number(l->node, l->path, name) };

	return l->fill(l->buffer, name, &st, 0, 0) ? -ENOMEM : 0;
}

static int serve_readdir(const char *path, void *buffer, fuse_fill_dir_t fill, off_t offset,
			 struct fuse_file_info *fi, enum fuse_readdir_flags flags)
{
	struct node n;
	struct listing l = { .node = &n, .path = path, .buffer = buffer, .fill = fill };
	int ret = node_find(programs(), path, reader(), PROGRAM_FRESH, &n);

	(void)offset;
	(void)fi;
	(void)flags;
	if (ret)
		return ret;
	if (fill_one(&l, ".", S_IFDIR) || fill_one(&l, "..", S_IFDIR))
		ret = -ENOMEM;
	else
		ret = node_list(&n, fill_one, &l);
	node_put(&n);
	return ret;
}

/* ---- files ----------------------------------------------------------------------------------- */

static void free_handle(struct handle *f)
{
	node_put(&f->node);
	free(f->text);
	free(f);
}

static int print_text(struct handle *f)
{
	FILE *out = open_memstream(&f->text, &f->size);
	int ret = out ? node_print(&f->node, out) : -ENOMEM;

	return out && fclose(out) ? -ENOMEM : ret;
}

/* As sysfs has it, root may not write to what takes nothing either. */
static int may_open(const struct node *n, int flags)
{
	if (n->kind != NODE_ATTRIBUTE && n->kind != NODE_ROWS)
		return -EISDIR;
	return (flags & O_ACCMODE) != O_RDONLY && !node_writable(n) ? -EACCES : 0;
}

static int serve_open(const char *path, struct fuse_file_info *fi)
{
	struct handle *f = calloc(1, sizeof(*f));
	int ret;

	if (!f)
		return -ENOMEM;
	ret = node_find(programs(), path, reader(), PROGRAM_FRESH, &f->node);
	if (ret == 0)
		ret = may_open(&f->node, fi->flags);
	if (ret == 0)
		ret = print_text(f);
	if (ret) {
		free_handle(f);
		return ret;
	}
	node_stat(&f->node, path, &f->st);
	fi->fh = (uint64_t)(uintptr_t)f;
	return 0;
}

static int serve_read(const char *path, char *buffer, size_t size, off_t offset,
		      struct fuse_file_info *fi)
{
	const struct handle *f = handle_of(fi);

	(void)path;
	if (offset < 0 || (uint64_t)offset >= f->size)
		return 0;
	if (size > f->size - (size_t)offset)
		size = f->size - (size_t)offset;
	memcpy(buffer, f->text + offset, size);
	return (int)size;
}

/* Each write is a store of its own, wherever in the file. */
static int serve_write(const char *path, const char *buffer, size_t size, off_t offset,
		       struct fuse_file_info *fi)
{
	const struct handle *f = handle_of(fi);
	uint64_t value;
	int ret = attribute_parse(f->node.attribute, buffer, size, &value);

	(void)path;
	(void)offset;
	if (ret == 0)
		ret = program_write(programs(), f->node.moment, f->node.entry->cache,
				    f->node.attribute, value);
	return ret ? ret : (int)size;
}

/* "echo 5 >" truncates first, which means nothing here. */
static int serve_truncate(const char *path, off_t size, struct fuse_file_info *fi)
{
	struct node n;
	int ret = node_find(programs(), path, reader(), PROGRAM_GLANCE, &n);

	(void)size;
	(void)fi;
	if (ret)
		return ret;
	ret = node_writable(&n) ? 0 : -EACCES;
	node_put(&n);
	return ret;
}

static int serve_release(const char *path, struct fuse_file_info *fi)
{
	(void)path;
	free_handle(handle_of(fi));
	return 0;
}

const struct fuse_operations serve_operations = {
	.init = serve_init,
	.getattr = serve_getattr,
	.readlink = serve_readlink,
	.readdir = serve_readdir,
	.open = serve_open,
	.read = serve_read,
	.write = serve_write,
	.truncate = serve_truncate,
	.release = serve_release,
};
