/* SPDX-License-Identifier: MIT */
/*
 * node.h - what stands at a path.
 *
 *	/PID/slabinfo			also as /PID/proc/slabinfo
 *	/PID/CACHE/ATTRIBUTE		also as /PID/sys/kernel/slab/CACHE/ATTRIBUTE
 *	/PID/ALIAS -> CACHE
 *
 * so that /PID is a root for what reads a copy of /sys and /proc. A cache that is called as a
 * folder is found below sys/kernel/slab only.
 */
#ifndef SLABFS_NODE_H
#define SLABFS_NODE_H

#include "program.h"

#include <stdio.h>
#include <sys/stat.h>

enum node_kind {
	NODE_TOP,
	NODE_FOLDER,	/* what stands in it is fixed */
	NODE_CACHES,	/* caches, and what is fixed */
	NODE_ROWS,	/* slabinfo */
	NODE_CACHE,
	NODE_ALIAS,
	NODE_ATTRIBUTE,
};

struct node {
	enum node_kind kind;
	const char *place;		/* FOLDER, CACHES, ROWS: path below the program */
	struct moment *moment;		/* all but TOP */
	const struct caches_entry *entry;	/* CACHE, ALIAS, ATTRIBUTE */
	int attribute;
};

/* node_find - *returned owned* in *n (node_put). 0 or a negative errno; reader as in program.h. */
int node_find(struct programs *all, const char *path, pid_t reader, enum program_need need,
	      struct node *n);
void node_put(struct node *n);

/*
 * node_number - the inode number of the node at path, or (name not NULL) of what is called so in
 * the directory at path.
 */
ino_t node_number(const struct node *n, const char *path, const char *name);

/* node_stat - as stat(2) is to show it. */
void node_stat(const struct node *n, const char *path, struct stat *st);

/* node_writable - whether it may be written to: a setting of a program that runs. */
bool node_writable(const struct node *n);

/* node_list - calls each with a name and the type (S_IFDIR, ...) of everything in a directory. */
typedef int (*node_each)(void *arg, const char *name, mode_t type);
int node_list(const struct node *n, node_each each, void *arg);

/* node_print - the content of a file. 0 or -ENOMEM. */
int node_print(const struct node *n, FILE *out);

#endif
