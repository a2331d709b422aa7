/* SPDX-License-Identifier: MIT */
/*
 * worker.h - one process of the benchmark: one test on one allocator, one line a figure.
 *
 * A line is "name value unit", where unit is ticks (per object: one allocation and its free),
 * ratio, bytes, count or ns. The driver starts a fresh process for each repetition and does all
 * statistics across processes.
 */
#ifndef BENCH_WORKER_H
#define BENCH_WORKER_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct worker {
	unsigned seed;	  /* of this repetition: permutations and address offsets follow it */
	unsigned samples; /* per figure; their median is printed */
	int pool_flags;
	size_t size; /* of an object */
	bool full;   /* take the time that a careful run may take */
};

/* The tests; lists are NULL-terminated texts of the command line after the size. */
int bench_batch(const struct worker *w, char **args);
int bench_bulk(const struct worker *w, char **args);
int bench_threads(const struct worker *w, char **args);
int bench_cross(const struct worker *w, char **args);
int bench_many(const struct worker *w, char **args);
int bench_live(const struct worker *w, char **args);
int bench_merge(const struct worker *w, char **args);
int bench_stats(const struct worker *w, char **args);
int bench_rcu(const struct worker *w, char **args);

/* ---- printing and failing */

__attribute__((format(printf, 3, 4))) void emit(double value, const char *unit,
						const char *name_format, ...);
__attribute__((format(printf, 1, 2), noreturn)) void die(const char *format, ...);

/* ---- numbers */

uint64_t random_next(uint64_t *state);
void random_permutation(uint32_t *perm, size_t n, uint64_t seed);
double median(double *values, size_t n);

/* "1,2,4" to numbers; returns how many, at most max; dies on anything else. */
size_t parse_list(const char *text, size_t *values, size_t max);

/* ---- the machine */

/* Zeroed memory that no benchmarked allocator knows of, touched; never given back. */
void *map_array(size_t bytes);
/* An array of n pointers at an offset within its page that follows the seed. */
void **map_pointers(const struct worker *w, size_t n);
size_t rss_bytes(void);
unsigned cpu_count(void);
/* Pins the caller to the i-th CPU that the process may use, modulo their number. */
void pin_to(unsigned i);
void unpin(void);

/* ---- sampling */

/* How often the calling thread lost its CPU against its will. */
long count_preemptions(void);

struct sampler {
	double values[64];
	double disturbed[64]; /* the thread was preempted meanwhile: a last resort */
	size_t n, n_disturbed;
	long preemptions;
	uint64_t start;
};

void sample_begin(struct sampler *s);
/* Ends a sample of so many objects. */
void sample_end(struct sampler *s, double objects);
/* True until there are enough samples, or thrice as many attempts. */
bool sample_more(const struct sampler *s, unsigned wanted);
double sample_median(struct sampler *s);

/* ---- the loop that several tests share: n allocations, then n frees through perm */

struct pool;
void run_rounds(struct pool *p, void **v, const uint32_t *perm, size_t n, size_t rounds,
		bool touch);
/* The pool of this test, with a few objects held so that addresses vary with the seed. */
struct pool *make_pool(const struct worker *w, const char *name, size_t capacity);

#endif
