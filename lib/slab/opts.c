// SPDX-License-Identifier: MIT
/* opts.c - reading SLAB_OPTIONS. */
#include "opts.h"

#include <slab/slab.h>
#include <string.h>

#include "report.h"
#include "util/num.h"

struct option {
	const char *key;
	bool (*set)(struct opts *o, const char *value);
};

static bool number(const char *value, uint64_t max, uint32_t *out)
{
	uint64_t n;

	if (num_parse_u64(value, &n) || n > max)
		return false;
	*out = (uint32_t)n;
	return true;
}

static bool set_percpu(struct opts *o, const char *value)
{
	if (!strcmp(value, "auto"))
		o->percpu = OPTS_PERCPU_AUTO;
	else if (!strcmp(value, "rseq"))
		o->percpu = OPTS_PERCPU_RSEQ;
	else if (!strcmp(value, "lock"))
		o->percpu = OPTS_PERCPU_LOCK;
	else
		return false;
	return true;
}

static bool set_cpus(struct opts *o, const char *value)
{
	return number(value, 65536, &o->cpus);
}

static bool set_sheaf_capacity(struct opts *o, const char *value)
{
	o->has_sheaf_capacity = number(value, SLAB_SHEAF_MAX, &o->sheaf_capacity);
	return o->has_sheaf_capacity;
}

static const struct option options[] = {
	{ "percpu", set_percpu },
	{ "cpus", set_cpus },
	{ "sheaf_capacity", set_sheaf_capacity },
};

static void parse_one(struct opts *o, char *word)
{
	char *value = strchr(word, '=');

	if (value)
		*value++ = '\0';
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		if (strcmp(options[i].key, word))
			continue;
		if (!options[i].set(o, value ? value : ""))
			report_warn("SLAB_OPTIONS: bad value in '%s=%s', passed over\n", word,
				    value ? value : "");
		return;
	}
	report_warn("SLAB_OPTIONS: unknown key '%s', passed over\n", word);
}

void opts_parse(struct opts *o, const char *text)
{
	while (text && *text) {
		size_t len = strcspn(text, " \t\n");
		char word[256];

		if (len >= sizeof(word)) {
			report_warn("SLAB_OPTIONS: an option of %zu bytes is too long, passed over\n",
				    len);
		} else if (len) {
			memcpy(word, text, len);
			word[len] = '\0';
			parse_one(o, word);
		}
		text += len;
		text += strspn(text, " \t\n");
	}
}
