/* SPDX-License-Identifier: MIT */
/*
 * slab/slabstat.h - one API over every source of slab cache statistics.
 *
 *	source -> snapshot -> (derive, delta, select) -> whatever you do with it
 *
 * A handle (struct slabstat) keeps the last error. A source is a place that can be read, once or
 * many times: the running kernel, a copied /sys and /proc, a saved file, a recording, a process.
 * Each read gives a snapshot, which never changes afterwards and knows nothing of its source but
 * what stands in it. Nothing here prints, exits or keeps global state; different handles may be
 * used from different threads.
 *
 * Return values are 0 or a negative errno; slabstat_error() then says what failed and where.
 * In comments: *returns owned* - the caller frees it; *borrows* - valid as long as the object it
 * was got from; *takes* - the callee frees it from then on. Every free and close accepts NULL.
 */
#ifndef SLAB_SLABSTAT_H
#define SLAB_SLABSTAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define SLABSTAT_API __attribute__((visibility("default")))
#else
#define SLABSTAT_API
#endif

struct slabstat;
struct slabstat_source;
struct slabstat_snapshot;
struct slabstat_cache;

/* ---- fields ---------------------------------------------------------------------------------- */

/* SLABSTAT_OBJECTS, SLABSTAT_FOOTPRINT, ...: see slabstat_field_info() for what each means. */
enum slabstat_field {
#define FIELD(ID, id, TITLE, UNIT, KIND, FORM, sysfs, SINCE, UNTIL, help) SLABSTAT_##ID,
#define KV(major, minor) 0
#include <slab/fields.def>
#undef FIELD
#undef KV
	SLABSTAT_NFIELDS
};

enum slabstat_unit {
	SLABSTAT_UNIT_NUMBER,
	SLABSTAT_UNIT_OBJS,
	SLABSTAT_UNIT_SLABS,
	SLABSTAT_UNIT_PAGES,
	SLABSTAT_UNIT_BYTES,
	SLABSTAT_UNIT_PERCENT,
	SLABSTAT_UNIT_FLAG
};

enum slabstat_field_kind {
	SLABSTAT_KIND_FACT,	/* fixed while the cache lives */
	SLABSTAT_KIND_TUNABLE,	/* fixed until somebody writes it */
	SLABSTAT_KIND_LEVEL,	/* goes up and down */
	/* only grows, but may wrap at 2^32 a CPU and fall when one goes offline */
	SLABSTAT_KIND_COUNTER,
	SLABSTAT_KIND_DERIVED	/* computed from the others */
};

struct slabstat_field_info {
	const char *id;		/* "footprint_bytes": key in JSON, CSV, recordings, --sort */
	const char *title;	/* "FOOTPRINT": column heading */
	const char *help;	/* one line */
	const char *sysfs;	/* attribute under /sys/kernel/slab/CACHE, or NULL */
	enum slabstat_unit unit;
	enum slabstat_field_kind kind;
	/* first kernel with it, as SLABSTAT_KERNEL(major, minor); 0: always */
	unsigned since;
	unsigned until;		/* last kernel with it; 0: still there */
	bool program;		/* only the page of a program tells it, never a kernel */
};

#define SLABSTAT_KERNEL(major, minor) ((unsigned)(major) << 16 | (unsigned)(minor))

/* slabstat_field_info - borrows constant data; NULL for a number outside the enum. */
SLABSTAT_API const struct slabstat_field_info *slabstat_field_info(enum slabstat_field field);

/* slabstat_field_find - by id or title, ignoring case. The field, or -ENOENT. */
SLABSTAT_API int slabstat_field_find(const char *name);

/* A set of fields; start from { { 0 } }. */
struct slabstat_fieldset {
	uint64_t bits[(SLABSTAT_NFIELDS + 63) / 64];
};

static inline void slabstat_fieldset_add(struct slabstat_fieldset *set, enum slabstat_field f)
{
	set->bits[f / 64] |= (uint64_t)1 << (f % 64);
}

static inline void slabstat_fieldset_remove(struct slabstat_fieldset *set, enum slabstat_field f)
{
	set->bits[f / 64] &= ~((uint64_t)1 << (f % 64));
}

static inline bool slabstat_fieldset_has(const struct slabstat_fieldset *set, enum slabstat_field f)
{
	return set->bits[f / 64] >> (f % 64) & 1;
}

/* slabstat_fieldset_all - every field there is. */
SLABSTAT_API struct slabstat_fieldset slabstat_fieldset_all(void);

/* What is known of one value. Absent is never zero. */
enum slabstat_quality {
	/* the source does not have it, it could not be read, or it is retired */
	SLABSTAT_ABSENT = 0,
	SLABSTAT_EXACT,
	SLABSTAT_ESTIMATE,	/* sampled or guessed by the kernel; shown with ~ */
	SLABSTAT_UPPER,		/* an upper bound; shown with ~ */
	SLABSTAT_LOWER		/* a lower bound; shown with > */
};

/* ---- handle and errors ----------------------------------------------------------------------- */

/* slabstat_new - *returns owned*; NULL only where memory is exhausted. */
SLABSTAT_API struct slabstat *slabstat_new(void);
SLABSTAT_API void slabstat_free(struct slabstat *h);

struct slabstat_error {
	int code;		/* negative errno; 0: no error yet */
	const char *path;	/* file that failed, or NULL */
	unsigned long line;	/* line in it, from 1; 0: none */
	/* one sentence with the reason and, where there is one, the way out */
	const char *text;
};

/* slabstat_error - the last failure; *borrows* until the next call with this handle. */
SLABSTAT_API const struct slabstat_error *slabstat_error(const struct slabstat *h);

/* slabstat_version - "0.1.0". */
SLABSTAT_API const char *slabstat_version(void);

/* ---- sources --------------------------------------------------------------------------------- */

enum slabstat_source_kind {
	/* live: hybrid, else what is readable; a file: by its content */
	SLABSTAT_SOURCE_AUTO,
	SLABSTAT_SOURCE_SYSFS,		/* /sys/kernel/slab or a copy of it */
	/* /proc/slabinfo or a copy: 1.0 to 2.1, with statistics, without heads */
	SLABSTAT_SOURCE_PROCFS,
	SLABSTAT_SOURCE_HYBRID,	/* counts from one read of /proc/slabinfo, the rest from sysfs */
	/* what another tool printed: slabinfo, slabtop -o, vmstat -m */
	SLABSTAT_SOURCE_TEXT,
	SLABSTAT_SOURCE_TREE,		/* a sysfs tree as a listing: cache/attribute:value */
	SLABSTAT_SOURCE_RECORD,	/* a recording of slabinfo record */
	SLABSTAT_SOURCE_PROCESS	/* the shared page of a program that uses libslabkit */
};

/*
 * slabstat_source_kind_name - "sysfs", "procfs", ...; NULL outside the enum. _find: the kind, or
 * -ENOENT.
 */
SLABSTAT_API const char *slabstat_source_kind_name(enum slabstat_source_kind kind);
SLABSTAT_API int slabstat_source_kind_find(const char *name);

#define SLABSTAT_FLAG_EXACT  1u	/* never estimate: walk partial lists where the kernel samples */
#define SLABSTAT_FLAG_SHARES 2u	/* slabs and total_objects with their shares by node, at a cost */
/*
 * The source is read again and again: attribute files of the running kernel stay open, and a copy
 * under a root is taken for a machine that runs: its counts come from /proc/slabinfo, and facts are
 * read again only when another cache appears.
 */
#define SLABSTAT_FLAG_AGAIN  4u
/*
 * With process: the sum of it and of all programs that come from it, also of those that ended and
 * kept their page (publish=keep). process may then be "tree:NAME", all that publish with that word;
 * their pages are removed once they ended and are in the sum.
 */
#define SLABSTAT_FLAG_CHILDREN 8u

/* What to read. Zero-initialise, then set what matters. Strings are copied. */
struct slabstat_spec {
	enum slabstat_source_kind kind;
	/* directory with sys/ and proc/ in it (or a bare slab directory); NULL: live */
	const char *root;
	const char *file;	/* file to read instead; "-" is standard input */
	const void *buffer;	/* or memory, not copied: must outlive the source */
	size_t buffer_size;
	const char *label;	/* name of the buffer in messages */
	/* a program that uses libslabkit: its number, name or page (a path) */
	const char *process;
	uint64_t page_size;	/* bytes, where a file does not tell; 0: deduce it from the rows */
	unsigned flags;		/* SLABSTAT_FLAG_* */
};

/*
 * Programs that publish their caches (slab(7), slab-page(5)). What has a page is found by number,
 * name or path; root finds those of every user.
 */
enum slabstat_process_state {
	SLABSTAT_PROCESS_RUNS,		/* it is there, and its page is its own */
	SLABSTAT_PROCESS_ENDED,		/* in good order; the page was to be kept */
	/* killed, crashed, or of an earlier boot: the figures are its last */
	SLABSTAT_PROCESS_DIED,
	/* it became another program by exec, and left this behind */
	SLABSTAT_PROCESS_CHANGED,
	SLABSTAT_PROCESS_FOREIGN,	/* of another pid namespace: cannot be told from here */
	/* the page cannot be read; why says what is wrong with it */
	SLABSTAT_PROCESS_DAMAGED
};

/* A zero or NULL member is unknown. */
struct slabstat_process {
	enum slabstat_process_state state;
	uint64_t pid, uid;
	const char *name;	/* as in /proc/PID/comm when it began */
	const char *path;	/* of the page */
	const char *tree;	/* which processes belong together, if the program was told */
	const char *why;	/* DAMAGED */
	int64_t born_ns, wall_ns;	/* wall clock: of the page; of its figures */
	int64_t mono_ns;	/* of the figures */
	size_t caches;
	uint64_t used_bytes;	/* of the allocator as a whole, and those mapped for it */
	uint64_t mapped_bytes;
	bool answers;		/* a thread of it answers requests at once */
};

/* slabstat_process_state_name - "runs", "ended", "died", ...; NULL outside the enum. */
SLABSTAT_API const char *slabstat_process_state_name(enum slabstat_process_state state);

/* slabstat_processes_read - all that can be found, in order of number; *returns owned*. */
struct slabstat_processes;
SLABSTAT_API int slabstat_processes_read(struct slabstat *h, struct slabstat_processes **list);
SLABSTAT_API void slabstat_processes_free(struct slabstat_processes *list);
SLABSTAT_API size_t slabstat_processes_count(const struct slabstat_processes *list);
SLABSTAT_API const struct slabstat_process *
slabstat_processes_get(const struct slabstat_processes *list, size_t i);

/*
 * slabstat_processes_clean - remove the page of process i if it ended or died; damaged ones where
 * the name of the file says whose it was. 0; -EBUSY: it runs, or cannot be told; or an error of
 * the file system.
 */
SLABSTAT_API int slabstat_processes_clean(struct slabstat *h, const struct slabstat_processes *list,
					  size_t i);

/*
 * slabstat_source_open - *returns owned* source in *source; it borrows the handle. Errors: -ENOENT
 * and other errors of the file system; -EACCES where only root may read; -ENOMSG where the content
 * is of no known kind; -EINVAL where it does not fit the kind that was asked for.
 */
SLABSTAT_API int slabstat_source_open(struct slabstat *h, const struct slabstat_spec *spec,
				      struct slabstat_source **source);
SLABSTAT_API void slabstat_source_close(struct slabstat_source *source);

/* slabstat_source_kind - what AUTO came to. */
SLABSTAT_API enum slabstat_source_kind slabstat_source_kind(const struct slabstat_source *source);

/* slabstat_source_process - *borrows*, until the next read: whose page was read; NULL: no page. */
SLABSTAT_API const struct slabstat_process *
slabstat_source_process(const struct slabstat_source *source);

/*
 * slabstat_source_read - one snapshot, *returned owned* in *snapshot, with at least the fields of
 * want that the source has (NULL: all). A source may give more where that costs nothing. A live
 * source gives the present at each call; a file with several samples the one it stands at (the
 * first unless slabstat_source_seek was called). A cache that vanishes while it is read is
 * skipped and counted (slabstat_snapshot_notes).
 */
SLABSTAT_API int slabstat_source_read(struct slabstat_source *source,
				      const struct slabstat_fieldset *want,
				      struct slabstat_snapshot **snapshot);

/*
 * slabstat_source_focus - from the next read on, a live source or a root gives every field, and the
 * shares by node, of the caches of this name (slabstat_cache_name), whatever is wanted of the
 * others; NULL: of none. Files give what they have anyway. 0 or -ENOMEM.
 */
SLABSTAT_API int slabstat_source_focus(struct slabstat_source *source, const char *name);

/* slabstat_source_samples - samples in the source; 0: live, read as often as you like. */
SLABSTAT_API size_t slabstat_source_samples(const struct slabstat_source *source);

/*
 * slabstat_source_seek - the next read gives sample n (from 0). -ERANGE past the end, -ESPIPE live.
 */
SLABSTAT_API int slabstat_source_seek(struct slabstat_source *source, size_t n);

/* ---- recordings ------------------------------------------------------------------------------ */

/*
 * A recording is a source of many samples (slab-recording(5)). Opening one reads its index, or
 * makes one where the recorder was killed; a torn end is left out. A recording that has no sample
 * yet opens as well: it has 0 samples, and reading gives -ENODATA.
 */
struct slabstat_recording {
	const char *tool;		/* "slabinfo 0.1.0" */
	/* the command it was made around; command_count words, may be 0 */
	const char *const *command;
	size_t command_count;
	enum slabstat_source_kind source;	/* what was sampled */
	double interval_s;		/* as asked for; 0: none (imported files) */
	int64_t wall_ns, mono_ns;	/* of its beginning; 0: unknown */
	size_t segments;		/* 1, and 1 for each time it was appended to */
	bool complete;			/* the recorder ended it; false: killed, or still at work */
	size_t torn_bytes;		/* at the end, of a line that was never finished */
};

/* slabstat_source_recording - *borrows* facts of a recording; NULL where the source is none. */
SLABSTAT_API const struct slabstat_recording *
slabstat_source_recording(const struct slabstat_source *source);

enum slabstat_mark_kind {
	SLABSTAT_MARK_USER,	/* slabinfo mark, or a line that the command wrote */
	SLABSTAT_MARK_START,	/* a run of the command begins */
	SLABSTAT_MARK_END,	/* it ended; status is its exit status */
	/* the sample that follows is the one to compare; run 0: before the first */
	SLABSTAT_MARK_SETTLED
};

struct slabstat_mark {
	enum slabstat_mark_kind kind;
	const char *text;		/* "" for none */
	unsigned run;			/* from 1; 0: outside any */
	int status;			/* as a shell tells it: 128 + number for a signal */
	int64_t wall_ns, mono_ns;	/* 0: unknown */
	/* the first sample after it; the number of samples if there is none */
	size_t sample;
};

/* slabstat_source_marks - *borrows* the marks in their order; their number in *count. */
SLABSTAT_API const struct slabstat_mark *slabstat_source_marks(const struct slabstat_source *source,
							       size_t *count);

/*
 * slabstat_source_at - which sample a text means, in *n: "first", "last", "peak" (largest
 * footprint; else largest used, else largest loss), a number from 0, a time since the first
 * sample ("90s", "12.5s", "2m", "1h"), a time of day or date as local time ("14:05:30",
 * "2026-01-31 14:05", "2026-01-31T14:05:30"), "@SECONDS" since the epoch, or "mark:TEXT". A time
 * means the last sample that is not later. -EINVAL: no such form; -ERANGE: before the first
 * sample, or past the last by number; -ENOENT: no such mark; -ENODATA: no samples, or no times.
 * Live sources give -ESPIPE.
 */
SLABSTAT_API int slabstat_source_at(struct slabstat_source *source, const char *at, size_t *n);

/* What is known of a sample without reading its caches. 0 and absent: unknown. */
struct slabstat_instant {
	int64_t wall_ns, mono_ns;
	uint64_t footprint_bytes;
	bool has_footprint;
};

/*
 * slabstat_source_instant - of sample n; cheap for a recording when n rises. Errors as for seek and
 * read. Neither this nor slabstat_source_at() keeps what seek chose: seek again before reading.
 */
SLABSTAT_API int slabstat_source_instant(struct slabstat_source *source, size_t n,
					 struct slabstat_instant *instant);

/* How a recording is made. Zero-initialise, then set what matters; nothing is kept but copies. */
#define SLABSTAT_RECORD_APPEND	1u	/* go on in an existing recording of the same boot */
#define SLABSTAT_RECORD_REPLACE	2u	/* take the place of an existing file */
struct slabstat_record_spec {
	const char *tool;
	const char *const *command;
	size_t command_count;
	enum slabstat_source_kind source;
	double interval_s;
	unsigned flags;
};

/* How a sample was taken, besides what its snapshot tells; 0: not told. */
struct slabstat_taken {
	int64_t wall_ns, mono_ns;	/* when, where the snapshot has no times */
	uint64_t cpu_ns;	/* CPU time of the recorder since the sample before */
	double interval_s;	/* in force, where it is not the one asked for */
};

/*
 * slabstat_record_open - start a recording at path with its first sample; *returns owned*. The
 * file appears with the header and that sample in it, or not at all. -EEXIST: path exists and no
 * flag allows it; -EXDEV: APPEND to a recording of another boot; -EBUSY: it is being recorded to;
 * -EINVAL: APPEND to something else than a recording, or to a compressed one. A path that ends in
 * .zst or .gz is written without that ending and compressed by slabstat_record_close(). taken may
 * be NULL.
 */
struct slabstat_record;
SLABSTAT_API int slabstat_record_open(struct slabstat *h, const char *path,
				      const struct slabstat_record_spec *spec,
				      const struct slabstat_snapshot *first,
				      const struct slabstat_taken *taken,
				      struct slabstat_record **record);

/*
 * slabstat_record_sample - append a sample: what changed since the last, or all of it at least
 * every 256. A snapshot of another machine or boot starts a new segment. taken may be NULL.
 * Errors of write(2): what stands in the file before stays readable.
 */
SLABSTAT_API int slabstat_record_sample(struct slabstat_record *record,
					const struct slabstat_snapshot *snapshot,
					const struct slabstat_taken *taken);

/* slabstat_record_mark - append a mark (its sample is ignored). */
SLABSTAT_API int slabstat_record_mark(struct slabstat_record *record,
				      const struct slabstat_mark *mark);

/* slabstat_record_samples - how many this recorder has written; *borrows* the path written to. */
SLABSTAT_API size_t slabstat_record_samples(const struct slabstat_record *record);
SLABSTAT_API const char *slabstat_record_path(const struct slabstat_record *record);

/* slabstat_record_close - write the index, sync, compress where asked; frees record in any case. */
SLABSTAT_API int slabstat_record_close(struct slabstat_record *record);

/*
 * slabstat_mark_append - add a mark to a recording that another process is making. -ENOENT: no
 * such file; -ESRCH: nobody is recording to it; -EINVAL: it is no recording.
 */
SLABSTAT_API int slabstat_mark_append(struct slabstat *h, const char *path,
				      const struct slabstat_mark *mark);

/* ---- snapshots ------------------------------------------------------------------------------- */

SLABSTAT_API void slabstat_snapshot_free(struct slabstat_snapshot *snapshot);

/* The machine that was read, not the one that reads. A zero or NULL member is unknown. */
struct slabstat_machine {
	uint64_t page_size;	/* bytes */
	bool page_size_guessed;	/* nothing in the source settles it: sizes are estimates */
	unsigned cpus;		/* possible CPUs, for bounds */
	unsigned nodes;		/* NUMA nodes with memory */
	unsigned kernel;	/* SLABSTAT_KERNEL(major, minor) */
	const char *release;	/* "6.18.44-amd64" */
	const char *cmdline;	/* kernel command line */
	const char *boot_id;
	bool cpu_slabs_retired;	/* 7.0 and later: no CPU slabs, cpu_partial or slabs_cpu_partial */
	bool slub;		/* the SLUB allocator (objects is an upper bound of those in use) */
};
SLABSTAT_API const struct slabstat_machine *
slabstat_snapshot_machine(const struct slabstat_snapshot *snapshot);

/* What meminfo said, in bytes; present only where it is of the same instant as the caches. */
struct slabstat_meminfo {
	bool present;
	uint64_t slab_bytes, reclaimable_bytes, unreclaimable_bytes;
};
SLABSTAT_API const struct slabstat_meminfo *
slabstat_snapshot_meminfo(const struct slabstat_snapshot *snapshot);

/* What was met while reading. */
struct slabstat_notes {
	size_t vanished;	/* caches that went away while being read */
	/* rows that could not be understood; first_bad_row is the line number */
	size_t bad_rows;
	unsigned long first_bad_row;
	size_t unreadable;	/* attributes that exist but could not be read */
	const char *first_unreadable;	/* "dentry/objects: Permission denied"; NULL: not known */
	size_t clamped;		/* values that a race made impossible */
	size_t dangling;	/* aliases whose target is not there */
	/* caches read from sysfs because no /proc/slabinfo row matched for sure */
	size_t unjoined;
	/* caches with the name of one before: real ones, or samples of one in a file */
	size_t repeats;
	size_t links;		/* symbolic links seen (aliases, before any selection) */
	uint64_t read_ns;	/* what the read itself took */
	size_t syscalls;	/* files opened for it, each by an open, a read and a close */
};
SLABSTAT_API const struct slabstat_notes *
slabstat_snapshot_notes(const struct slabstat_snapshot *snapshot);

/* Wall-clock and monotonic time of the sample in ns; 0: unknown. */
SLABSTAT_API int64_t slabstat_snapshot_wall_ns(const struct slabstat_snapshot *snapshot);
SLABSTAT_API int64_t slabstat_snapshot_mono_ns(const struct slabstat_snapshot *snapshot);
SLABSTAT_API enum slabstat_source_kind
slabstat_snapshot_source(const struct slabstat_snapshot *snapshot);

/* Caches in order of name (case ignored, then bytes), whatever order the source had. *borrows*. */
SLABSTAT_API size_t slabstat_snapshot_count(const struct slabstat_snapshot *snapshot);
SLABSTAT_API const struct slabstat_cache *
slabstat_snapshot_cache(const struct slabstat_snapshot *snapshot, size_t i);

/* slabstat_snapshot_find - by exact name, else by exact alias; NULL. With equal names the first. */
SLABSTAT_API const struct slabstat_cache *
slabstat_snapshot_find(const struct slabstat_snapshot *snapshot, const char *name);

/*
 * slabstat_snapshot_reported - totals that the source itself stated (saved slabinfo -T or -X
 * output, a column of numbers), as a cache without a name; NULL where it stated none. They may be
 * rounded as the text was, and need not equal the sum of the caches there are. *borrows*.
 */
SLABSTAT_API const struct slabstat_cache *
slabstat_snapshot_reported(const struct slabstat_snapshot *snapshot);

/*
 * slabstat_snapshot_has - what the best-known cache has of a field: SLABSTAT_ABSENT means that no
 * cache has it. slabstat_snapshot_why_absent - *borrows* one clause that says why ("this kernel is
 * built without CONFIG_SLUB_STATS", "/proc/slabinfo does not carry it", "gone since 7.0"), or NULL.
 */
SLABSTAT_API enum slabstat_quality slabstat_snapshot_has(const struct slabstat_snapshot *snapshot,
							 enum slabstat_field field);
SLABSTAT_API const char *slabstat_snapshot_why_absent(const struct slabstat_snapshot *snapshot,
						      enum slabstat_field field);

/* ---- caches ---------------------------------------------------------------------------------- */

/*
 * Names are not identities: two caches of one snapshot may have the same name, and any byte but
 * NUL may stand in one. name: the directory or row; label: what people call it (for a merged
 * cache, whose directory is called :A-0000128, its first alias by name; else the name).
 */
SLABSTAT_API const char *slabstat_cache_name(const struct slabstat_cache *cache);
SLABSTAT_API const char *slabstat_cache_label(const struct slabstat_cache *cache);
SLABSTAT_API size_t slabstat_cache_alias_count(const struct slabstat_cache *cache);
SLABSTAT_API const char *slabstat_cache_alias(const struct slabstat_cache *cache, size_t i);
/* slabstat_cache_position - place in the source, from 0, where order matters; 0 for a fold. */
SLABSTAT_API size_t slabstat_cache_position(const struct slabstat_cache *cache);
/* Constructor as the kernel prints it; "" none, NULL unknown. */
SLABSTAT_API const char *slabstat_cache_ctor(const struct slabstat_cache *cache);

/*
 * slabstat_cache_value - the quality; *value (may be NULL) is set unless that is SLABSTAT_ABSENT.
 */
SLABSTAT_API enum slabstat_quality slabstat_cache_value(const struct slabstat_cache *cache,
							enum slabstat_field field, uint64_t *value);

/* slabstat_cache_or - the value, or other where it is absent. */
SLABSTAT_API uint64_t slabstat_cache_or(const struct slabstat_cache *cache,
					enum slabstat_field field, uint64_t other);

/*
 * Shares of a field by NUMA node (fields of form NODE) or by CPU (counters, CPU-partial). Only
 * what the source lists is there: the kernel leaves out zero shares.
 */
struct slabstat_share {
	unsigned index;		/* node or CPU number */
	uint64_t value;
};
/*
 * slabstat_cache_shares - *borrows* n shares in rising order of index; NULL and 0 where there are
 * none.
 */
SLABSTAT_API const struct slabstat_share *slabstat_cache_shares(const struct slabstat_cache *cache,
								enum slabstat_field field,
								size_t *n);

/* ---- derive: one snapshot -------------------------------------------------------------------- */

/*
 * Sums over caches. A field absent in some cache leaves the sum incomplete: n counts the caches
 * that had it, missing those that had not. The quality is the worst that went in, and at best
 * SLABSTAT_LOWER where some are missing. The sum stops at 2^64-1; min and max are 0 for n = 0.
 */
struct slabstat_sum {
	uint64_t sum, min, max;
	size_t n, missing;
	enum slabstat_quality quality;
};

/* slabstat_sum_caches - the sum of one field over an array of caches. */
SLABSTAT_API struct slabstat_sum slabstat_sum_caches(const struct slabstat_cache *const *caches,
						     size_t n, enum slabstat_field field);

/*
 * slabstat_snapshot_total - one field of the whole: what the source stated itself
 * (slabstat_snapshot_reported), else the sum over all caches. SLABSTAT_ABSENT where neither is.
 */
SLABSTAT_API enum slabstat_quality
slabstat_snapshot_total(const struct slabstat_snapshot *snapshot, enum slabstat_field field,
			uint64_t *value);

/*
 * Objects really in use, as bounds. The kernel counts free objects in CPU slabs, CPU-partial
 * slabs and sheaves as in use, so objects is the upper bound; the lower one takes off what these
 * layers can hold: cpu_slabs x objs_per_slab and sheaf_capacity x (3 sheaves a CPU + 10 full
 * sheaves a node). False where the source does not tell enough for a lower bound.
 */
SLABSTAT_API bool slabstat_cache_in_use(const struct slabstat_cache *cache, uint64_t *lower,
					uint64_t *upper);

/* ---- select: filter, sort, first n, families ------------------------------------------------- */

#define SLABSTAT_SORT_LABEL (-1)	/* in struct slabstat_sort_key: by label, then name */

struct slabstat_sort_key {
	int field;		/* enum slabstat_field or SLABSTAT_SORT_LABEL */
	bool ascending;
};

struct slabstat_select {
	/* extended regexes; a cache passes if any matches one of its names */
	const char *const *match;
	size_t match_count;
	/* the kernel tool's: basic, ignoring case, unanchored; NULL: all */
	const char *pattern;
	/* first key first; then label, name, source order */
	const struct slabstat_sort_key *sort;
	size_t sort_count;
	size_t top;			/* keep the first n rows; 0: all */
	bool families;			/* fold kin into one row before sorting */
	bool reverse;			/* the whole order, ties too */
	bool (*keep)(const struct slabstat_cache *cache, void *arg);	/* NULL: all */
	void *arg;
};

/*
 * slabstat_select - rows of a snapshot, *returned owned* in *rows; they borrow from the snapshot,
 * which must outlive them. Absent values sort last in either direction. -EINVAL: a regex does not
 * compile.
 */
struct slabstat_rows;
SLABSTAT_API int slabstat_select(struct slabstat *h, const struct slabstat_snapshot *snapshot,
				 const struct slabstat_select *how, struct slabstat_rows **rows);
SLABSTAT_API void slabstat_rows_free(struct slabstat_rows *rows);
SLABSTAT_API size_t slabstat_rows_count(const struct slabstat_rows *rows);
/* Rows before top cut them. */
SLABSTAT_API size_t slabstat_rows_matched(const struct slabstat_rows *rows);
SLABSTAT_API const struct slabstat_cache *const *
slabstat_rows_caches(const struct slabstat_rows *rows);
/* Members folded into row i (1 for a cache alone); *borrows*. */
SLABSTAT_API size_t slabstat_rows_members(const struct slabstat_rows *rows, size_t i,
					  const struct slabstat_cache *const **members);

/*
 * slabstat_family - the family of a name: "kmalloc-*" for kmalloc-8, kmalloc-cg-1k,
 * kmalloc-rnd-03-64 and dma-kmalloc-64; a trailing number or kernel address becomes "*". A name
 * without kin is its own family. Writes at most size bytes, always terminated; returns the length
 * needed.
 */
SLABSTAT_API size_t slabstat_family(const char *name, char *buf, size_t size);

/* ---- delta: two snapshots -------------------------------------------------------------------- */

/*
 * slabstat_delta - pairs the caches of two snapshots: by name, size and flags, then by alias set
 * where names differ (merge targets change between boots and kernels). *returned owned*; borrows
 * both snapshots. A pair with a NULL side was born or has vanished.
 */
struct slabstat_delta;
struct slabstat_pair {
	const struct slabstat_cache *older, *newer;
};
SLABSTAT_API int slabstat_delta(struct slabstat *h, const struct slabstat_snapshot *older,
				const struct slabstat_snapshot *newer,
				struct slabstat_delta **delta);
SLABSTAT_API void slabstat_delta_free(struct slabstat_delta *delta);
SLABSTAT_API size_t slabstat_delta_count(const struct slabstat_delta *delta);
SLABSTAT_API const struct slabstat_pair *slabstat_delta_pairs(const struct slabstat_delta *delta);

/*
 * slabstat_pair_growth - newer - older of one field, saturated at the ends of int64_t; a side that
 * is not there counts as 0 where the other has the field. The quality is that of a difference: an
 * upper bound less an exact value is an upper bound, less another upper bound an estimate.
 * SLABSTAT_ABSENT where a side that is there has no such field.
 */
SLABSTAT_API enum slabstat_quality slabstat_pair_growth(const struct slabstat_pair *pair,
							enum slabstat_field field, int64_t *growth);

#ifdef __cplusplus
}
#endif

#include <slab/slabstat_tune.h>

#endif
