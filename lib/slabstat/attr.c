// SPDX-License-Identifier: MIT
/* attr.c - the text of one sysfs attribute; see attr.h. */
#include "slabstat/attr.h"

#include "slabstat/field.h"
#include "util/num.h"

#include <errno.h>
#include <string.h>

int attr_find(const char *name, size_t len)
{
	for (int f = 0; f < SLABSTAT_NFIELDS; f++) {
		const char *sysfs = slabstat_field_info((enum slabstat_field)f)->sysfs;

		if (sysfs && strncmp(sysfs, name, len) == 0 && sysfs[len] == '\0')
			return f;
	}
	return -ENOENT;
}

/* "48(6)": two numbers; any other form: one. */
static int scan_value(const char **p, const char *end, bool pair, uint64_t value[2])
{
	int ret = num_scan_u64(p, end, &value[0]);

	if (ret || !pair)
		return ret;
	if (*p == end || *(*p)++ != '(')
		return -EINVAL;
	ret = num_scan_u64(p, end, &value[1]);
	if (ret)
		return ret;
	return *p == end || *(*p)++ != ')' ? -EINVAL : 0;
}

/* The next " N0=4" of a tail; 1 at its end. */
static int scan_share(const char **p, const char *end, char letter, bool pair, uint64_t *index,
		      uint64_t value[2])
{
	while (*p < end && (**p == ' ' || **p == '\n' || **p == '\r'))
		(*p)++;
	if (*p == end)
		return 1;
	if (*(*p)++ != letter || num_scan_u64(p, end, index) || *index > UINT32_MAX)
		return -EINVAL;
	if (*p == end || *(*p)++ != '=')
		return -EINVAL;
	return scan_value(p, end, pair, value);
}

int attr_parse(struct slabstat_snapshot *s, struct slabstat_cache *c, enum slabstat_field field,
	       const char *text, size_t len)
{
	enum field_form form = field_form(field);
	bool pair = form == FORM_CPUSLABS;
	char letter = form == FORM_NODE ? 'N' : form == FORM_PLAIN ? '\0' : 'C';
	const char *p = text, *end = text + len, *tail;
	uint64_t total[2], value[2], index;
	int ret;

	if (form == FORM_NONE || scan_value(&p, end, pair, total))
		return -EINVAL;
	if (pair)
		field = SLABSTAT_CPU_PARTIAL_OBJS;
	/* Look at the whole tail before any of it is kept. */
	tail = p;
	while ((ret = scan_share(&p, end, letter, pair, &index, value)) == 0)
		;
	if (ret < 0)
		return -EINVAL;
	cache_set(c, field, total[0], SLABSTAT_EXACT);
	if (pair)
		cache_set(c, SLABSTAT_CPU_PARTIAL_SLABS, total[1], SLABSTAT_EXACT);
	while (scan_share(&tail, end, letter, pair, &index, value) == 0) {
		if (snapshot_share(s, c, field, (unsigned)index, value[0]) ||
		    (pair &&
		     snapshot_share(s, c, SLABSTAT_CPU_PARTIAL_SLABS, (unsigned)index, value[1])))
			return -ENOMEM;
	}
	return 0;
}
