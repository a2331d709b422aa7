// SPDX-License-Identifier: MIT
/* columns.c - headings, values and texts of columns; see columns.h. */
#include "columns.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "canvas.h"
#include "graph.h"
#include "util/num.h"

/* Below this fill, and above this many bytes lost, a cache is worth a look. */
#define LOW_FILL_PERCENT 50
#define LOW_FILL_LOSS (1u << 20)

static const struct extra {
	const char *id, *title, *help;
	int width;
	bool left;
	enum track_what what;
} extras[] = {
	[COLUMN_DELTA - COLUMN_DELTA] = { "delta_bytes", "DELTA",
		"footprint gained or lost since the sample before", 10, false, TRACK_FOOTPRINT },
	[COLUMN_RATE - COLUMN_DELTA] = { "rate_bytes", "RATE/S",
		"footprint gained or lost a second since the sample before", 10, false,
		TRACK_FOOTPRINT },
	[COLUMN_SINCE - COLUMN_DELTA] = { "since_bytes", "SINCE",
		"footprint gained or lost since the beginning", 10, false, TRACK_FOOTPRINT },
	[COLUMN_SINCE_RATE - COLUMN_DELTA] = { "since_rate_bytes", "SINCE/S",
		"footprint gained or lost a second since the beginning", 10, false,
		TRACK_FOOTPRINT },
	[COLUMN_PEAK - COLUMN_DELTA] = { "peak_bytes", "PEAK",
		"largest footprint since the beginning", 10, false, TRACK_FOOTPRINT },
	[COLUMN_HISTORY - COLUMN_DELTA] = { "history", "HISTORY",
		"footprint of the last samples, between their least and their most",
		COLUMN_GRAPH, true, TRACK_FOOTPRINT },
	[COLUMN_OBJ_DELTA - COLUMN_DELTA] = { "delta_objs", "OBJDELTA",
		"objects gained or lost since the sample before", 8, false, TRACK_OBJECTS },
	[COLUMN_OBJ_RATE - COLUMN_DELTA] = { "rate_objs", "OBJRATE/S",
		"objects gained or lost a second since the sample before", 9, false,
		TRACK_OBJECTS },
	[COLUMN_OBJ_SINCE - COLUMN_DELTA] = { "since_objs", "OBJSINCE",
		"objects gained or lost since the beginning", 8, false, TRACK_OBJECTS },
	[COLUMN_OBJ_PEAK - COLUMN_DELTA] = { "peak_objs", "OBJPEAK",
		"most objects since the beginning", 8, false, TRACK_OBJECTS },
	[COLUMN_MEMBERS - COLUMN_DELTA] = { "members", "MEMBERS",
		"caches in the row", 7, false, TRACK_FOOTPRINT },
	[COLUMN_USERS - COLUMN_DELTA] = { "users", "USERS",
		"other names that share the cache", 20, true, TRACK_FOOTPRINT },
};

static const struct extra *extra_of(int column)
{
	return column >= COLUMN_DELTA && column < COLUMN_COUNT ? &extras[column - COLUMN_DELTA]
							       : NULL;
}

static bool is_field(int column)
{
	return column >= 0 && column < SLABSTAT_NFIELDS;
}

const char *column_id(int column)
{
	if (column == COLUMN_NAME)
		return "name";
	if (is_field(column))
		return slabstat_field_info((enum slabstat_field)column)->id;
	return extra_of(column) ? extra_of(column)->id : "";
}

const char *column_title(int column, char buf[COLUMN_TEXT])
{
	if (column == COLUMN_NAME)
		return "NAME";
	if (is_field(column))
		return slabstat_field_info((enum slabstat_field)column)->title;
	if (column >= COLUMN_NODE) {
		snprintf(buf, COLUMN_TEXT, "N%d", column - COLUMN_NODE);
		return buf;
	}
	return extra_of(column) ? extra_of(column)->title : "";
}

const char *column_help(int column)
{
	if (column == COLUMN_NAME)
		return "name of the cache";
	if (is_field(column))
		return slabstat_field_info((enum slabstat_field)column)->help;
	if (column >= COLUMN_NODE)
		return "footprint on this node";
	return extra_of(column) ? extra_of(column)->help : "";
}

int column_find(const char *name)
{
	char buf[COLUMN_TEXT];

	for (int c = COLUMN_NAME; c < COLUMN_COUNT; c++)
		if (strcasecmp(column_id(c), name) == 0 ||
		    strcasecmp(column_title(c, buf), name) == 0)
			return c;
	return COLUMN_NONE;
}

void column_needs(int column, struct slabstat_fieldset *fields)
{
	if (is_field(column))
		slabstat_fieldset_add(fields, (enum slabstat_field)column);
	if (column >= COLUMN_NODE)
		slabstat_fieldset_add(fields, SLABSTAT_SLABS);
}

bool column_ascending(int column)
{
	return column == COLUMN_NAME || column == COLUMN_USERS;
}

bool column_left(int column)
{
	return column == COLUMN_NAME || (extra_of(column) && extra_of(column)->left);
}

int column_width(int column, const struct column_style *style)
{
	static const int units[] = {
		[SLABSTAT_UNIT_NUMBER] = 7, [SLABSTAT_UNIT_OBJS] = 7, [SLABSTAT_UNIT_SLABS] = 6,
		[SLABSTAT_UNIT_PAGES] = 3, [SLABSTAT_UNIT_BYTES] = 9, [SLABSTAT_UNIT_PERCENT] = 4,
		[SLABSTAT_UNIT_FLAG] = 1,
	};
	const struct extra *x = extra_of(column);
	char buf[COLUMN_TEXT];
	int title = (int)strlen(column_title(column, buf)), width;

	(void)style;
	if (x)
		width = x->width;
	else if (column >= COLUMN_NODE)
		width = 9;
	else
		width = is_field(column)
				? units[slabstat_field_info((enum slabstat_field)column)->unit]
				: 0;
	return width > title ? width : title;
}

static struct value plain(enum slabstat_quality quality, uint64_t magnitude)
{
	return (struct value){ quality, false, magnitude };
}

static struct value difference(uint64_t now, uint64_t then)
{
	return now >= then ? (struct value){ SLABSTAT_EXACT, false, now - then } :
			     (struct value){ SLABSTAT_EXACT, true, then - now };
}

static struct value per_second(struct value v, double seconds)
{
	double rate;

	if (seconds <= 0)
		return plain(SLABSTAT_ABSENT, 0);
	rate = (double)v.magnitude / seconds + 0.5;
	v.magnitude = rate < 0x1p64 ? (uint64_t)rate : UINT64_MAX;
	return v;
}

/* A share of slabs times the bytes of a slab; a node that is not listed has none. */
static struct value node_value(const struct slabstat_cache *c, unsigned node)
{
	uint64_t slabs, footprint, share = 0;
	size_t n = 0;
	const struct slabstat_share *shares;
	enum slabstat_quality q;

	if (!c)
		return plain(SLABSTAT_ABSENT, 0);
	shares = slabstat_cache_shares(c, SLABSTAT_SLABS, &n);
	q = slabstat_cache_value(c, SLABSTAT_FOOTPRINT, &footprint);
	if (q == SLABSTAT_ABSENT ||
	    slabstat_cache_value(c, SLABSTAT_SLABS, &slabs) == SLABSTAT_ABSENT || (!n && slabs))
		return plain(SLABSTAT_ABSENT, 0);
	for (size_t i = 0; i < n; i++)
		if (shares[i].index == node)
			share = shares[i].value;
	return plain(q, num_muldiv(footprint, share, slabs));
}

static struct value extra_value(int column, const struct row *row, const struct tracks *t)
{
	const struct track_series *s = &row->track->s[extra_of(column)->what];
	bool two = tracks_samples(t) > 1;

	if (column == COLUMN_MEMBERS)
		return plain(SLABSTAT_EXACT, row->members);
	if (column == COLUMN_USERS)
		return row->cache ? plain(SLABSTAT_EXACT, slabstat_cache_alias_count(row->cache)) :
				    plain(SLABSTAT_ABSENT, 0);
	if (!s->known)
		return plain(SLABSTAT_ABSENT, 0);
	switch (column) {
	case COLUMN_DELTA:
	case COLUMN_OBJ_DELTA:
		return two ? difference(s->last, s->previous) : plain(SLABSTAT_ABSENT, 0);
	case COLUMN_RATE:
	case COLUMN_OBJ_RATE:
		return two ? per_second(difference(s->last, s->previous), tracks_step_seconds(t)) :
			     plain(SLABSTAT_ABSENT, 0);
	case COLUMN_SINCE:
	case COLUMN_OBJ_SINCE:
		return two ? difference(s->last, s->base) : plain(SLABSTAT_ABSENT, 0);
	case COLUMN_SINCE_RATE:
		return two ? per_second(difference(s->last, s->base), tracks_span_seconds(t)) :
			     plain(SLABSTAT_ABSENT, 0);
	case COLUMN_PEAK:
	case COLUMN_OBJ_PEAK:
		return plain(tracks_gapped(t) ? SLABSTAT_LOWER : SLABSTAT_EXACT, s->peak);
	default:	/* the graph sorts by what it ends with */
		return plain(SLABSTAT_EXACT, s->last);
	}
}

struct value column_value(int column, const struct row *row, const struct tracks *tracks)
{
	enum slabstat_quality q;
	uint64_t v = 0;

	if (column >= COLUMN_NODE)
		return node_value(row->cache, (unsigned)(column - COLUMN_NODE));
	if (extra_of(column))
		return extra_value(column, row, tracks);
	if (!is_field(column) || !row->cache)
		return plain(SLABSTAT_ABSENT, 0);
	q = slabstat_cache_value(row->cache, (enum slabstat_field)column, &v);
	return plain(q, v);
}

int value_compare(struct value a, struct value b)
{
	bool no_a = a.quality == SLABSTAT_ABSENT, no_b = b.quality == SLABSTAT_ABSENT;
	int order;

	if (no_a || no_b)
		return no_b - no_a;
	if (a.negative != b.negative)
		return a.magnitude || b.magnitude ? b.negative - a.negative : 0;
	order = a.magnitude < b.magnitude ? -1 : a.magnitude > b.magnitude;
	return a.negative ? -order : order;
}

char *bytes_text(uint64_t bytes, bool exact, char buf[COLUMN_TEXT])
{
	if (exact)
		snprintf(buf, COLUMN_TEXT, "%" PRIu64, bytes);
	else
		num_human_bytes(bytes, buf);
	return buf;
}

char *value_text(enum slabstat_field field, enum slabstat_quality quality, uint64_t value,
		 bool exact, char buf[COLUMN_TEXT])
{
	enum slabstat_unit unit = slabstat_field_info(field)->unit;
	const char *mark = quality == SLABSTAT_LOWER ? ">" : quality == SLABSTAT_EXACT ? "" : "~";
	char human[COLUMN_TEXT];

	if (quality == SLABSTAT_ABSENT)
		return strcpy(buf, "-");
	if (unit == SLABSTAT_UNIT_BYTES)
		snprintf(buf, COLUMN_TEXT, "%s%.90s", mark, bytes_text(value, exact, human));
	else
		snprintf(buf, COLUMN_TEXT, "%s%" PRIu64 "%s", mark, value,
			 unit == SLABSTAT_UNIT_PERCENT ? "%" : "");
	return buf;
}

char *growth_text(struct value v, bool bytes, bool exact, const char *suffix, char buf[COLUMN_TEXT])
{
	const char *sign = !v.magnitude ? "" : v.negative ? "-" : "+";
	char text[COLUMN_TEXT];

	if (v.quality == SLABSTAT_ABSENT)
		return strcpy(buf, "-");
	if (bytes && v.magnitude)
		bytes_text(v.magnitude, exact, text);
	else
		snprintf(text, sizeof(text), "%" PRIu64, v.magnitude);
	snprintf(buf, COLUMN_TEXT, "%s%.80s%s", sign, text, suffix);
	return buf;
}

static unsigned growth_role(struct value v)
{
	if (v.quality == SLABSTAT_ABSENT || !v.magnitude)
		return ROLE_PLAIN;
	return v.negative ? ROLE_SHRINK : ROLE_GROWTH;
}

static unsigned field_role(enum slabstat_field f, const struct row *row, uint64_t value)
{
	switch (f) {
	case SLABSTAT_FILL_PERCENT:
	case SLABSTAT_EFFICIENCY_PERCENT:
		return value < LOW_FILL_PERCENT &&
		       slabstat_cache_or(row->cache, SLABSTAT_LOSS, 0) >= LOW_FILL_LOSS ?
			       ROLE_LOW : ROLE_PLAIN;
	default:
		return ROLE_PLAIN;
	}
}

static char *extra_text(int column, const struct row *row, const struct column_style *style,
			char buf[COLUMN_TEXT], unsigned *role)
{
	const struct extra *x = extra_of(column);
	struct value v = extra_value(column, row, style->tracks);
	float value[COLUMN_GRAPH];
	size_t n;

	switch (column) {
	case COLUMN_HISTORY:
		n = tracks_history(style->tracks, row->track, x->what, value, COLUMN_GRAPH);
		*role = ROLE_BAR;
		return graph_line(value, n, COLUMN_GRAPH, style->unicode, buf, COLUMN_TEXT);
	case COLUMN_MEMBERS:
		snprintf(buf, COLUMN_TEXT, "%" PRIu64, v.magnitude);
		return buf;
	case COLUMN_PEAK:
		*role = row->track->new_peak ? ROLE_GROWTH : ROLE_PLAIN;
		return value_text(SLABSTAT_FOOTPRINT, v.quality, v.magnitude, style->exact, buf);
	case COLUMN_OBJ_PEAK:
		return value_text(SLABSTAT_OBJECTS, v.quality, v.magnitude, style->exact, buf);
	default:
		*role = growth_role(v);
		return growth_text(v, x->what == TRACK_FOOTPRINT, style->exact, "", buf);
	}
}

char *column_text(int column, const struct row *row, const struct column_style *style,
		  char buf[COLUMN_TEXT], unsigned *role)
{
	enum slabstat_quality q;
	struct value v;
	uint64_t n = 0;

	*role = ROLE_PLAIN;
	if (column >= COLUMN_NODE) {
		v = column_value(column, row, style->tracks);
		return value_text(SLABSTAT_FOOTPRINT, v.quality, v.magnitude, style->exact, buf);
	}
	if (extra_of(column))
		return extra_text(column, row, style, buf, role);
	if (!is_field(column) || !row->cache)
		return strcpy(buf, "-");
	q = slabstat_cache_value(row->cache, (enum slabstat_field)column, &n);
	if (q != SLABSTAT_ABSENT)
		*role = field_role((enum slabstat_field)column, row, n);
	return value_text((enum slabstat_field)column, q, n, style->exact, buf);
}
