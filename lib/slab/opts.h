/* SPDX-License-Identifier: MIT */
/*
 * opts.h - what SLAB_OPTIONS asks for: "key=value key ...", blanks between.
 *
 * Read once, never under AT_SECURE. An unknown key or a bad value gives one warning and is passed
 * over: a typing error in the environment must not stop a program.
 */
#ifndef SLABKIT_SLAB_OPTS_H
#define SLABKIT_SLAB_OPTS_H

#include <slab/slab.h>
#include <stdbool.h>
#include <stdint.h>

#include "publish.h"

enum opts_percpu {
	OPTS_PERCPU_AUTO,
	OPTS_PERCPU_RSEQ,
	OPTS_PERCPU_LOCK,
};

/* A number that may have been given. */
struct opts_number {
	bool given;
	uint32_t value;
};

/* failslab=INTERVAL,PROBABILITY,SPACE,TIMES[,AFTER[,SEED]]: see struct slab_fault. */
struct opts_fault {
	bool given;
	struct slab_fault rule;
};

/* psi[=STALL/WINDOW[,FILE]], in milliseconds: events of pressure on memory; see pressure.h. */
struct opts_psi {
	bool given;
	uint32_t stall_ms, window_ms;
	const char *file; /* NULL: the process's group's, or the system's */
};

struct opts {
	uint64_t limit_bytes; /* limit=BYTES[kKmMgG]; 0: none */
	enum opts_percpu percpu; /* percpu=auto|rseq|lock */
	uint32_t cpus;	    /* cpus=N: CPUs that slab orders are chosen for; 0: this machine's */
	uint32_t min_order; /* min_order=N: of slabs, where objects fit */
	struct opts_number numa; /* numa=off (1 node), numa=fake:N */
	struct opts_number sheaf_capacity; /* for caches that leave it open; 0: no sheaves */
	struct opts_number min_partial;
	struct opts_number cpu_partial;
	struct opts_fault failslab;
	struct opts_psi psi;
	bool nomerge_all;	    /* nomerge */
	const char *nomerge;	    /* nomerge=PATTERN,...: caches that are never merged */
	uint32_t debug;		    /* debug=FZPUA[,PATTERN,...]: SLAB_* flags ... */
	const char *debug_patterns; /* ... for these caches; NULL: for all */
	struct publish_wish publish; /* publish[=keep,slow,MS,tree:NAME] */
};

/* opts_parse - text into o, which holds the defaults. Cuts text up and keeps pointers into it. */
void opts_parse(struct opts *o, char *text);
/* opts_debug_flags - SLAB_* flags that a cache of this name gets beside its own. */
uint32_t opts_debug_flags(const struct opts *o, const char *name);
/* opts_match - whether name is one of a list of shell patterns with commas between. */
bool opts_match(const char *patterns, const char *name);

#endif
