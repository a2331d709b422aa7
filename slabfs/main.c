// SPDX-License-Identifier: MIT
/*
 * main.c - slabfs: programs that publish their slab caches, as files.
 *
 *	options -> mount -> serve (path -> node -> program: a moment of its figures -> text)
 */
#include "serve.h"

#include "cli/complete.h"
#include "util/opts.h"
#include "util/out.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PROGRAM "slabfs"

static const struct opt options[] = {
	{ 'f', "foreground", OPT_NONE, NULL, "stay in the foreground; Ctrl-C unmounts" },
	{ 'o', "options", OPT_REQUIRED, "OPT,...",
	  "options of mount and fuse: allow_other, ro, ..." },
	{ 'h', "help", OPT_NONE, NULL, "this help" },
	{ 'V', "version", OPT_NONE, NULL, "version" },
	OPT_END
};

struct request {
	const char *mountpoint;
	bool foreground;
	struct fuse_args args;
};

static void help(void)
{
	puts("usage: slabfs [options] MOUNTPOINT\n\n"
	     "Programs that publish their slab caches (SLAB_OPTIONS=publish), as files:\n"
	     "MOUNTPOINT/PID/CACHE/ATTRIBUTE as in /sys/kernel/slab, MOUNTPOINT/PID/slabinfo\n"
	     "as /proc/slabinfo.\n\noptions:");
	opts_help(options, stdout);
	puts("\nexample: mkdir -p ~/slab && slabfs ~/slab && cat ~/slab/*/slabinfo; see slabfs(1)\n"
	     "umount: fusermount3 -u MOUNTPOINT");
}

static int no_memory(void)
{
	fputs(PROGRAM ": out of memory\n", stderr);
	return 1;
}

/* Returns -1 to go on, else the exit status. */
static int parse(struct request *r, int argc, char **argv)
{
	struct opts o = { .table = options, .program = PROGRAM };
	int id, ret = -1;

	while (ret < 0 && (id = opts_next(&o, argc, argv)) != OPTS_DONE) {
		if (id == OPTS_ERROR) {
			ret = 2;
		} else if (id == 'h' || id == 'V') {
			if (id == 'h')
				help();
			else
				puts(PROGRAM " " SLABKIT_VERSION);
			ret = 0;
		} else if (id == 'f') {
			r->foreground = true;
		} else if (fuse_opt_add_arg(&r->args, "-o") || fuse_opt_add_arg(&r->args, o.arg)) {
			ret = no_memory();
		}
	}
	if (ret < 0 && o.operand + 1 != argc) {
		fprintf(stderr, PROGRAM ": %s; see slabfs --help\n",
			o.operand == argc ? "where? name a directory to mount on"
					  : "one mount point only");
		ret = 2;
	}
	r->mountpoint = ret < 0 ? argv[o.operand] : NULL;
	opts_free(&o);
	return ret;
}

/* An absolute path: who goes to the background leaves the directory. NULL after a message. */
static char *resolve(const char *mountpoint)
{
	char *path = realpath(mountpoint, NULL);
	struct stat st;

	if (!path && errno == ENOTCONN)
		fprintf(stderr,
			PROGRAM
			": %s: a file system that died is mounted there: fusermount3 -u %s first\n",
			mountpoint, mountpoint);
	else if (!path)
		fprintf(stderr, PROGRAM ": %s: %s\n", mountpoint, strerror(errno));
	else if (stat(path, &st) || S_ISDIR(st.st_mode))
		return path;
	else
		fprintf(stderr, PROGRAM ": %s: is not a directory\n", mountpoint);
	free(path);
	return NULL;
}

static int loop(struct fuse *fuse, const struct request *r)
{
	struct fuse_session *session = fuse_get_session(fuse);
	int ret;

	if (fuse_daemonize(r->foreground) || fuse_set_signal_handlers(session))
		return 1;
	/* A signal ends the loop as well as an unmount does: neither is a failure. */
	ret = fuse_loop_mt(fuse, 0);
	fuse_remove_signal_handlers(session);
	return ret < 0;
}

static int serve(struct request *r, const char *path)
{
	struct programs *programs = programs_new();
	struct fuse *fuse = NULL;
	int ret = 1;

	if (!programs)
		return no_memory();
	fuse = fuse_new(&r->args, &serve_operations, sizeof(serve_operations), programs);
	if (fuse && !fuse_mount(fuse, path)) {
		ret = loop(fuse, r);
		fuse_unmount(fuse);
	} else {
		fprintf(stderr, PROGRAM ": %s: cannot be mounted on\n", path);
	}
	if (fuse)
		fuse_destroy(fuse);
	programs_free(programs);
	return ret;
}

int main(int argc, char **argv)
{
	const struct complete words = { .table = options };
	struct request r = { .args = FUSE_ARGS_INIT(0, NULL) };
	struct out out;
	char *path;
	int ret;

	if (complete_asked(argc, argv)) {
		complete_print(&words, argc - 2, argv + 2, stdout);
		return 0;
	}
	out_start(&out);
	if (fuse_opt_add_arg(&r.args, PROGRAM) || fuse_opt_add_arg(&r.args, "-o") ||
	    fuse_opt_add_arg(&r.args, "fsname=slabfs,subtype=slabfs,default_permissions"))
		return no_memory();
	ret = parse(&r, argc, argv);
	if (ret >= 0) {
		ret = out_finish(&out, PROGRAM) ? 1 : ret;
	} else {
		path = resolve(r.mountpoint);
		ret = path ? serve(&r, path) : 1;
		free(path);
	}
	fuse_opt_free_args(&r.args);
	return ret;
}
