/* SPDX-License-Identifier: MIT */
/* serve.h - what the kernel asks of the file system, answered. */
#ifndef SLABFS_SERVE_H
#define SLABFS_SERVE_H

#define FUSE_USE_VERSION 31

#include "program.h"

#include <fuse.h>

/* serve_operations - for fuse_new(), with struct programs as private data. */
extern const struct fuse_operations serve_operations;

#endif
