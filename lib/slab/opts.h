/* SPDX-License-Identifier: MIT */
/*
 * opts.h - what SLAB_OPTIONS asks for: "key=value key=value ...", blanks between.
 *
 * Read once, never under AT_SECURE. An unknown key or a bad value gives one warning and is passed
 * over: a typing error in the environment must not stop a program.
 */
#ifndef SLABKIT_SLAB_OPTS_H
#define SLABKIT_SLAB_OPTS_H

#include <stdbool.h>
#include <stdint.h>

enum opts_percpu {
	OPTS_PERCPU_AUTO,
	OPTS_PERCPU_RSEQ,
	OPTS_PERCPU_LOCK,
};

struct opts {
	enum opts_percpu percpu; /* percpu=auto|rseq|lock */
	uint32_t cpus;		 /* cpus=N: CPUs that slab orders are chosen for; 0: this machine's */
	bool has_sheaf_capacity;
	uint32_t sheaf_capacity; /* sheaf_capacity=N: for caches that leave it open; 0: no sheaves */
};

/* opts_parse - text (may be NULL) into o, which holds the defaults. */
void opts_parse(struct opts *o, const char *text);

#endif
