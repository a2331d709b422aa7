/* SPDX-License-Identifier: MIT */
/*
 * wire.h - the page that a process publishes its slab caches in: the one contract between
 * libslabkit, which writes it, and libslabstat, which reads it.
 *
 *	head		once: sizes, offsets, who the process is
 *	counters	once: name, scope, kind and unit of every number that follows (counters.def)
 *	requests	what others ask of the process, and its answer
 *	slot 0, slot 1	the figures, written in turn: one is whole while the other is written
 *
 * The page holds copies; no state of the allocator lives in it. Whoever writes a part puts a sum
 * over it into it, in one write, so that a reader who comes in between sees that it did, and takes
 * the other slot or tries again. A slot is valid if its sum is right; of two valid ones the one
 * with the higher number counts. Killed at any moment, the writer leaves one valid slot behind.
 *
 * Nobody maps what the other side may truncate: both read and write by pread and pwrite. The one
 * mapping is that of the requests, for a futex to sleep on, and nobody touches its memory.
 *
 * All numbers are of the machine's byte order. A reader trusts no size, offset or text of a page:
 * it may be of another version, cut off, or made to harm. See slab-page(5).
 */
#ifndef SLABKIT_WIRE_H
#define SLABKIT_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define WIRE_MAGIC	"slabpage" /* 8 bytes, no terminator */
#define WIRE_BYTE_ORDER 0x01020304u
#define WIRE_VERSION	1u
#define WIRE_SLOTS	2

/* What no honest page exceeds: a reader's defence, not a promise. */
#define WIRE_FIELDS_MAX 512u
#define WIRE_SLOT_MAX	((uint64_t)256 << 20)

/* The unit of slab orders, whatever the machine's pages are. */
#define WIRE_ORDER_BYTES 4096

/* A value that the process does not know. */
#define WIRE_ABSENT UINT64_MAX

enum wire_scope { WIRE_PROCESS, WIRE_CACHE, WIRE_NODE, WIRE_CPU, WIRE_SCOPES };
enum wire_kind { WIRE_FACT, WIRE_TUNABLE, WIRE_LEVEL, WIRE_COUNTER };
enum wire_unit {
	WIRE_NUMBER,
	WIRE_OBJS,
	WIRE_SLABS,
	WIRE_BYTES,
	WIRE_FLAG,
	WIRE_NS,
};

/* The values of each scope, in the order of their places. */
struct wire_process {
#define PROCESS(id, KIND, UNIT) uint64_t id;
#include "wire/counters.def"
};
struct wire_cache {
#define CACHE(id, KIND, UNIT) uint64_t id;
#include "wire/counters.def"
};
struct wire_node {
#define NODE(id, KIND, UNIT) uint64_t id;
#include "wire/counters.def"
};
struct wire_cpu {
#define CPU(id, KIND, UNIT) uint64_t id;
#include "wire/counters.def"
};
#define WIRE_COUNTERS                                                              \
	((sizeof(struct wire_process) + sizeof(struct wire_cache) +                \
	  sizeof(struct wire_node) + sizeof(struct wire_cpu)) / sizeof(uint64_t))

/* A process as the kernel tells it from every other of this boot. */
struct wire_identity {
	uint64_t pid;
	uint64_t start_ticks;	/* /proc/PID/stat, 22nd field */
	uint64_t namespace;	/* inode of /proc/PID/ns/pid; 0: unknown */
	uint64_t exe_dev, exe_ino; /* of /proc/PID/exe; 0: unknown */
	uint64_t parent_pid, parent_start_ticks;
	char boot_id[40];
	char comm[32];
};

struct wire_head {
	char magic[8];
	uint32_t byte_order;
	uint32_t version;
	uint32_t head_bytes;	/* of this struct; the counters follow */
	uint32_t counter_bytes; /* of one struct wire_name */
	uint32_t counters;
	uint32_t request_bytes;
	uint64_t request_offset;
	uint64_t slot_offset[WIRE_SLOTS];
	uint64_t slot_bytes; /* room of each */
	uint64_t uid;
	uint64_t cpus, nodes;
	uint64_t born_ns;  /* wall clock */
	uint64_t flags;	   /* WIRE_* */
	struct wire_identity who;
	char tree[40];	   /* which processes belong together, as asked for; or "" */
	uint64_t sum;	   /* over head and counters, itself taken as 0 */
};

#define WIRE_HAS_THREAD 1u /* a thread of the process answers requests at once */
#define WIRE_KEPT	2u /* the page stays when the process ends */

/* One counter; its place among those of its scope is its order in the table. */
struct wire_name {
	char id[32];
	uint8_t scope, kind, unit, pad[5];
};

struct wire_slot {
	uint64_t number; /* from 1; slot number % 2 */
	uint64_t bytes;	 /* of the records that follow */
	uint64_t wall_ns, mono_ns;
	uint64_t flags;
	uint64_t caches;
	uint64_t sum; /* over this and the records, itself taken as 0 */
};

#define WIRE_LAST 1u /* written when the process ended in good order */

/*
 * Records follow each other, each a multiple of 8 bytes. A cache is followed by its names, nodes
 * and CPUs; nodes and CPUs that never had anything are left out.
 */
enum wire_record_type {
	WIRE_RECORD_PROCESS = 1, /* values of the scope */
	WIRE_RECORD_CACHE,	 /* values, then its name */
	WIRE_RECORD_NAME,	 /* a further name of the cache before it */
	WIRE_RECORD_NODE,	 /* values; index is the node */
	WIRE_RECORD_CPU,	 /* values; index is the CPU */
};

struct wire_record {
	uint32_t bytes; /* with this head */
	uint16_t type;
	uint16_t index;
};

/* ---- requests -------------------------------------------------------------------------------- */

enum wire_verb {
	WIRE_ASK_FRESH = 1, /* write the figures now */
	WIRE_ASK_TUNE,	    /* key = value for the cache of this serial */
	WIRE_ASK_SHRINK,
	WIRE_ASK_VALIDATE,
};

/* Written by who asks, while it holds a flock(2) on the page: one at a time. */
struct wire_ask {
	uint64_t number; /* another one each time; 0: none yet */
	uint64_t verb;
	uint64_t serial;
	uint64_t value;
	char key[32];
	uint64_t sum;
};

/* Written by the process. result: as the call of slab.h gives it. */
struct wire_answer {
	uint64_t number; /* of the ask; by then it has been done */
	int64_t result;
	uint64_t value;	 /* what stands there now */
	uint64_t sum;
};

struct wire_requests {
	uint32_t bell; /* a futex: changed and woken by who asks */
	uint32_t pad;
	struct wire_ask ask;
	struct wire_answer answer;
};

/* ---- what both sides need -------------------------------------------------------------------- */

/* wire_sum - over bytes, going on from before (0: the beginning). Finds torn parts, not forgery. */
uint64_t wire_sum(uint64_t before, const void *data, size_t bytes);
uint64_t wire_head_sum(const struct wire_head *head, const void *counters, size_t bytes);
uint64_t wire_slot_sum(const struct wire_slot *slot, const void *records);
uint64_t wire_ask_sum(const struct wire_ask *ask);
uint64_t wire_answer_sum(const struct wire_answer *answer);

/* wire_names - the table of counters.def, WIRE_COUNTERS of them. */
extern const struct wire_name wire_names[WIRE_COUNTERS];

/*
 * wire_start_ticks - when a process began, in clock ticks since boot; parent (may be NULL): its
 * parent. 0 or a negative errno: -ESRCH there is none, or it has ended.
 */
int wire_start_ticks(uint64_t pid, uint64_t *ticks, uint64_t *parent);
/* wire_boot_id - of this boot, or "". */
void wire_boot_id(char *text, size_t size);

/* wire_identify - what is to be known of a process that runs. 0 or a negative errno. */
int wire_identify(uint64_t pid, struct wire_identity *who);

/*
 * wire_directory - the i-th place where pages of a user are looked for, in the order in which a
 * process tries them: $XDG_RUNTIME_DIR/slab (runtime may be NULL), /run/slab/UID,
 * /dev/shm/slab-UID. False behind the last, or where it does not fit.
 */
bool wire_directory(unsigned int i, const char *runtime, uid_t uid, char *path, size_t size);

#endif
