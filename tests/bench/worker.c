// SPDX-License-Identifier: MIT
/* worker.c - command line, numbers and sampling of one benchmark process; see worker.h. */
#include "worker.h"

#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "clock.h"
#include "pool.h"

static const struct test {
	const char *name;
	int (*run)(const struct worker *w, char **args);
} tests[] = {
	{ "batch", bench_batch }, { "bulk", bench_bulk },   { "threads", bench_threads },
	{ "cross", bench_cross }, { "many", bench_many },   { "live", bench_live },
	{ "merge", bench_merge }, { "stats", bench_stats },
	{ "rcu", bench_rcu },
};

void die(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	fputs("bench worker: ", stderr);
	vfprintf(stderr, format, ap);
	fputc('\n', stderr);
	va_end(ap);
	exit(1);
}

void emit(double value, const char *unit, const char *name_format, ...)
{
	va_list ap;

	va_start(ap, name_format);
	vprintf(name_format, ap);
	printf(" %.6g %s\n", value, unit);
	va_end(ap);
}

/* SplitMix64. */
uint64_t random_next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

void random_permutation(uint32_t *perm, size_t n, uint64_t seed)
{
	for (size_t i = 0; i < n; i++)
		perm[i] = (uint32_t)i;
	for (size_t i = n; i > 1; i--) {
		size_t j = random_next(&seed) % i;
		uint32_t t = perm[i - 1];

		perm[i - 1] = perm[j];
		perm[j] = t;
	}
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double median(double *values, size_t n)
{
	qsort(values, n, sizeof(*values), compare_doubles);
	return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

static size_t parse_number(const char *text, char **end)
{
	unsigned long long v;

	errno = 0;
	v = strtoull(text, end, 10);
	if (*end == text || *text < '0' || *text > '9' || errno)
		die("'%s' is not a number", text);
	return (size_t)v;
}

/* A number and nothing behind it. */
static size_t parse_whole(const char *text)
{
	char *end;
	size_t v = parse_number(text, &end);

	if (*end)
		die("'%s' is not a number", text);
	return v;
}

size_t parse_list(const char *text, size_t *values, size_t max)
{
	size_t n = 0;
	char *end;

	if (!text)
		die("a list of numbers is missing");
	for (;; text = end + 1) {
		if (n == max)
			die("more than %zu numbers", max);
		values[n++] = parse_number(text, &end);
		if (*end == '\0')
			return n;
		if (*end != ',')
			die("'%s' is not a list of numbers", text);
	}
}

void *map_array(size_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (p == MAP_FAILED)
		die("no memory for %zu bytes", bytes);
	return p;
}

void **map_pointers(const struct worker *w, size_t n)
{
	char *p = map_array(n * sizeof(void *) + 4096);

	return (void **)(p + (w->seed * 328u) % 4096);
}

size_t rss_bytes(void)
{
	char buf[128];
	FILE *f = fopen("/proc/self/statm", "r");
	size_t pages = 0;
	char *second;

	/* A buffer of our own: stdio would call the allocator that is measured. */
	if (!f)
		die("/proc/self/statm: %s", strerror(errno));
	setvbuf(f, NULL, _IONBF, 0);
	if (fgets(buf, sizeof(buf), f) && (second = strchr(buf, ' ')))
		pages = parse_number(second + 1, &second);
	fclose(f);
	return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* The CPUs as the process got them: pins are undone and counted by these. */
static cpu_set_t allowed;

unsigned cpu_count(void)
{
	return (unsigned)CPU_COUNT(&allowed);
}

void unpin(void)
{
	sched_setaffinity(0, sizeof(allowed), &allowed);
}

void pin_to(unsigned i)
{
	cpu_set_t one;
	int cpu = -1;

	for (i = i % cpu_count() + 1; i > 0; i--)
		do
			cpu++;
		while (!CPU_ISSET(cpu, &allowed));
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	if (sched_setaffinity(0, sizeof(one), &one) != 0)
		die("cannot pin to CPU %d: %s", cpu, strerror(errno));
}

long count_preemptions(void)
{
	struct rusage ru;

	getrusage(RUSAGE_THREAD, &ru);
	return ru.ru_nivcsw;
}

void sample_begin(struct sampler *s)
{
	s->preemptions = count_preemptions();
	s->start = clock_ticks();
}

void sample_end(struct sampler *s, double objects)
{
	double ticks = (double)(clock_ticks() - s->start) / objects;

	if (count_preemptions() == s->preemptions)
		s->values[s->n++] = ticks;
	else
		s->disturbed[s->n_disturbed++] = ticks;
}

bool sample_more(const struct sampler *s, unsigned wanted)
{
	size_t max = sizeof(s->values) / sizeof(s->values[0]);

	if (wanted > max / 3)
		wanted = (unsigned)max / 3;
	return s->n < wanted && s->n + s->n_disturbed < 3 * wanted;
}

double sample_median(struct sampler *s)
{
	return s->n ? median(s->values, s->n) : median(s->disturbed, s->n_disturbed);
}

struct pool *make_pool(const struct worker *w, const char *name, size_t capacity)
{
	size_t held = w->seed * 5 % 16;
	struct pool *p = pool_create(name, w->size, capacity + 16, w->pool_flags);

	if (!p)
		die("no pool of %zu-byte objects: %s", w->size, strerror(errno));
	pool_thread_init(p);
	while (held-- > 0)
		if (!pool_alloc(p))
			die("no object of %zu bytes", w->size);
	return p;
}

static int describe(void)
{
	char text[512];

	pool_describe(text, sizeof(text));
	printf("allocator %s\n", text);
	printf("tick_hz %.0f\n", clock_hz());
	return 0;
}

static void usage(void)
{
	fprintf(stderr, "usage: bench-ALLOCATOR describe\n"
			"       bench-ALLOCATOR [-afm] [-n SAMPLES] [-s SEED] TEST SIZE [ARG]...\n"
			"tests:");
	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		fprintf(stderr, " %s", tests[i].name);
	fputc('\n', stderr);
	exit(2);
}

int main(int argc, char **argv)
{
	struct worker w = { .samples = 7 };
	int c;

	while ((c = getopt(argc, argv, "+afmn:s:")) != -1) {
		switch (c) {
		case 'a':
			w.pool_flags |= POOL_ACCOUNT;
			break;
		case 'f':
			w.full = true;
			break;
		case 'm':
			w.pool_flags |= POOL_NO_MERGE;
			break;
		case 'n':
			w.samples = (unsigned)parse_whole(optarg);
			break;
		case 's':
			w.seed = (unsigned)parse_whole(optarg);
			break;
		default:
			usage();
		}
	}
	argv += optind;
	if (argv[0] && strcmp(argv[0], "describe") == 0)
		return describe();
	if (!argv[0] || !argv[1])
		usage();
	w.size = parse_whole(argv[1]);
	if (w.size < sizeof(uint64_t))
		die("objects of %zu bytes: their first word is written", w.size);
	if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0)
		die("sched_getaffinity: %s", strerror(errno));
	pin_to(0);
	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		if (strcmp(argv[0], tests[i].name) == 0)
			return tests[i].run(&w, argv + 2);
	usage();
}
