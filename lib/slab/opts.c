// SPDX-License-Identifier: MIT
/* opts.c - reading SLAB_OPTIONS. */
#include "opts.h"

#include <fnmatch.h>
#include <locale.h>
#include <slab/slab.h>
#include <string.h>

#include "debug.h"
#include "layout.h"
#include "numa.h"
#include "report.h"
#include "util/num.h"

struct option {
	const char *key;
	bool (*set)(struct opts *o, char *value); /* value: NULL where there is no '=' */
	const char *takes;
};

static bool number(const char *value, uint64_t max, uint32_t *out)
{
	uint64_t n;

	if (!value || num_parse_u64(value, &n) || n > max)
		return false;
	*out = (uint32_t)n;
	return true;
}

static bool maybe_number(const char *value, uint64_t max, struct opts_number *out)
{
	bool good = number(value, max, &out->value);

	out->given |= good;
	return good;
}

/* Bytes, with k, m or g behind the number for 2^10, 2^20 or 2^30 of them. */
static bool set_limit(struct opts *o, char *value)
{
	static const char units[] = "kmg";
	const char *p = value, *unit;
	uint64_t n;

	if (!value || num_scan_u64(&p, value + strlen(value), &n) || !n)
		return false;
	unit = *p ? strchr(units, *p | 0x20) : NULL;
	if (*p && (!unit || p[1] || n >> (54 - 10 * (unit - units))))
		return false;
	o->limit_bytes = unit ? n << (10 * (unit - units + 1)) : n;
	return true;
}

static bool set_percpu(struct opts *o, char *value)
{
	static const char *const names[] = { [OPTS_PERCPU_AUTO] = "auto",
					     [OPTS_PERCPU_RSEQ] = "rseq",
					     [OPTS_PERCPU_LOCK] = "lock" };

	for (unsigned int i = 0; value && i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(names[i], value))
			continue;
		o->percpu = (enum opts_percpu)i;
		return true;
	}
	return false;
}

static bool set_cpus(struct opts *o, char *value)
{
	return number(value, 65536, &o->cpus);
}

/* fake:N deals CPUs and memory out over N nodes; off is one node, whatever the machine has. */
static bool set_numa(struct opts *o, char *value)
{
	static const char fake[] = "fake:";
	uint32_t n = 1;

	if (!value || (strcmp(value, "off") && strcmp(value, "auto") &&
		       (strncmp(value, fake, strlen(fake)) ||
			!number(value + strlen(fake), NUMA_MOST, &n) || !n)))
		return false;
	o->numa = (struct opts_number){ .given = strcmp(value, "auto"), .value = n };
	return true;
}

static bool set_min_order(struct opts *o, char *value)
{
	return number(value, LAYOUT_MAX_ORDER, &o->min_order);
}

static bool set_sheaf_capacity(struct opts *o, char *value)
{
	return maybe_number(value, SLAB_SHEAF_MAX, &o->sheaf_capacity);
}

static bool set_min_partial(struct opts *o, char *value)
{
	return maybe_number(value, UINT32_MAX, &o->min_partial);
}

static bool set_cpu_partial(struct opts *o, char *value)
{
	return maybe_number(value, SLAB_CPU_PARTIAL_MAX, &o->cpu_partial);
}

static bool set_nomerge(struct opts *o, char *value)
{
	if (value)
		o->nomerge = value;
	else
		o->nomerge_all = true;
	return !value || *value;
}

/* debug, debug=FZPUA, debug=FZPUA,PATTERN,...: no letters stand for FZPU. */
static bool set_debug(struct opts *o, char *value)
{
	uint32_t flags = 0;

	for (; value && *value && *value != ','; value++) {
		switch (*value) {
		case 'F':
			flags |= SLAB_CONSISTENCY_CHECKS;
			break;
		case 'Z':
			flags |= SLAB_RED_ZONE;
			break;
		case 'P':
			flags |= SLAB_POISON;
			break;
		case 'A':
			flags |= SLAB_FAILSLAB;
			break;
		case 'U':
			flags |= SLAB_STORE_USER;
			break;
		default:
			return false;
		}
	}
	o->debug = flags ? flags : DEBUG_FLAGS;
	o->debug_patterns = value && *value ? value + 1 : NULL;
	return true;
}

/* One of several numbers with commas between; steps *p behind it. */
static bool list_number(const char **p, uint64_t max, uint64_t *out)
{
	const char *end = *p + strcspn(*p, ",");

	if (num_scan_u64(p, end, out) || *p != end || *out > max)
		return false;
	*p += **p == ',';
	return true;
}

/* As the kernel's boot parameter, with what our rules have beyond behind it; times may be -1. */
static bool set_failslab(struct opts *o, char *value)
{
	const char *p = value;
	uint64_t n[5] = { 0 }, times = 0;
	bool always;

	if (!p || !list_number(&p, UINT32_MAX, &n[0]) || !list_number(&p, 100, &n[1]) ||
	    !list_number(&p, UINT64_MAX, &n[2]))
		return false;
	always = !strncmp(p, "-1", 2) && (!p[2] || p[2] == ',');
	if (always)
		p += p[2] ? 3 : 2;
	else if (!list_number(&p, INT64_MAX, &times))
		return false;
	for (unsigned int i = 3; i < 5 && *p; i++)
		if (!list_number(&p, UINT64_MAX, &n[i]))
			return false;
	if (*p)
		return false;
	o->failslab.given = true;
	o->failslab.rule = (struct slab_fault){ .interval = (unsigned int)n[0],
						.probability = (unsigned int)n[1],
						.space = n[2],
						.times = always ? -1 : (long)times,
						.after = n[3],
						.seed = n[4] };
	return true;
}

static bool set_publish(struct opts *o, char *value)
{
	return publish_parse(value ? value : "", &o->publish);
}

/* Windows that the kernel takes; without CAP_SYS_RESOURCE it wants multiples of two seconds. */
static bool set_psi(struct opts *o, char *value)
{
	uint64_t stall = 150, window = 2000;
	const char *p = value, *end = value ? value + strlen(value) : NULL, *file = NULL;

	if (value) {
		if (num_scan_u64(&p, end, &stall) || *p++ != '/' || num_scan_u64(&p, end, &window))
			return false;
		if (*p == ',')
			file = ++p;
		if (file ? !*file : *p)
			return false;
	}
	if (!stall || stall > window || window < 500 || window > 10000)
		return false;
	o->psi = (struct opts_psi){ .given = true,
				    .stall_ms = (uint32_t)stall,
				    .window_ms = (uint32_t)window,
				    .file = file };
	return true;
}

/* SLUB as it stood when bulk calls were measured on it: order 1, small stocks, no sheaves. */
static bool set_preset(struct opts *o, char *value)
{
	if (!value || strcmp(value, "2015"))
		return false;
	o->min_order = 1;
	o->sheaf_capacity = (struct opts_number){ .given = true, .value = 0 };
	o->cpu_partial = (struct opts_number){ .given = true, .value = 13 };
	o->min_partial = (struct opts_number){ .given = true, .value = 5 };
	return true;
}

static const struct option options[] = {
	{ "percpu", set_percpu, "auto, rseq or lock" },
	{ "cpus", set_cpus, "a number of CPUs" },
	{ "min_order", set_min_order, "0 to 3" },
	{ "sheaf_capacity", set_sheaf_capacity, "0 to 1022 objects" },
	{ "min_partial", set_min_partial, "a number of slabs" },
	{ "cpu_partial", set_cpu_partial, "0 to 1000000 objects" },
	{ "nomerge", set_nomerge, "nothing, or PATTERN,..." },
	{ "debug", set_debug, "letters of FZPUA, then ,PATTERN,..." },
	{ "preset", set_preset, "2015" },
	{ "limit", set_limit, "BYTES[kmg]" },
	{ "failslab", set_failslab, "INTERVAL,PROBABILITY,SPACE,TIMES[,AFTER[,SEED]]" },
	{ "publish", set_publish, "words of keep, slow, tree:NAME, 10 to 3600000 (ms)" },
	{ "psi", set_psi, "STALL/WINDOW[,FILE] in ms, WINDOW 500 to 10000" },
	{ "numa", set_numa, "auto, off or fake:NODES" },
};

static void parse_one(struct opts *o, char *word)
{
	char *value = strchr(word, '=');

	if (value)
		*value++ = '\0';
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		if (strcmp(options[i].key, word))
			continue;
		if (!options[i].set(o, value))
			report_warn(
				"SLAB_OPTIONS: bad value in '%s%s%s', passed over; %s takes %s\n",
				word, value ? "=" : "", value ? value : "", word, options[i].takes);
		return;
	}
	report_warn("SLAB_OPTIONS: unknown key '%s', passed over\n", word);
}

void opts_parse(struct opts *o, char *text)
{
	char *rest = text, *word;

	while ((word = strsep(&rest, " \t\n")))
		if (*word)
			parse_one(o, word);
}

uint32_t opts_debug_flags(const struct opts *o, const char *name)
{
	uint32_t flags = !o->debug_patterns || opts_match(o->debug_patterns, name) ? o->debug : 0;

	/* Without the letter A failures are for all. */
	return o->failslab.given && !(o->debug & SLAB_FAILSLAB) ? flags | SLAB_FAILSLAB : flags;
}

/*
 * In the locale "C", which needs no memory: in others fnmatch converts, and to find the conversion
 * takes a lock of the C library's, under which malloc may have been called.
 */
static bool match(const char *pattern, const char *name)
{
	locale_t before = uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
	bool matches = !fnmatch(pattern, name, 0);

	uselocale(before);
	return matches;
}

bool opts_match(const char *patterns, const char *name)
{
	while (patterns && *patterns) {
		size_t len = strcspn(patterns, ",");
		char pattern[256];

		if (len < sizeof(pattern)) {
			memcpy(pattern, patterns, len);
			pattern[len] = '\0';
			if (match(pattern, name))
				return true;
		}
		patterns += len;
		patterns += *patterns == ',';
	}
	return false;
}
