// SPDX-License-Identifier: MIT
/* report.c - what a report says beyond the kernel tool's; see report.h. */
#include "report.h"

#include "columns.h"
#include "util/num.h"
#include "util/safe.h"

#include <inttypes.h>
#include <stdlib.h>

#define LABEL 12

static void start(FILE *f, const char *label)
{
	fprintf(f, "  %-*s", LABEL, label);
}

static void put_size(const struct view *v, uint64_t bytes)
{
	char human[NUM_HUMAN_SIZE];

	if (v->r->exact_bytes)
		fprintf(v->out->f, "%" PRIu64, bytes);
	else
		fputs(num_human_bytes(bytes, human), v->out->f);
}

/* ---- figures --------------------------------------------------------------------------------- */

/* Of a program; a CPU's own slab hides free objects there too. */
static bool known_in_use(const struct slabstat_cache *c)
{
	return slabstat_cache_value(c, SLABSTAT_IN_USE_OBJS, NULL) != SLABSTAT_ABSENT &&
	       !slabstat_cache_or(c, SLABSTAT_CPU_SLABS, 0);
}

/* "126 (CPU 0: 100, CPU 1: 26)" */
static void put_shares(FILE *f, const struct slabstat_cache *c, enum slabstat_field field,
		       const char *unit)
{
	size_t n;
	const struct slabstat_share *share = slabstat_cache_shares(c, field, &n);

	fprintf(f, "%" PRIu64, slabstat_cache_or(c, field, 0));
	for (size_t i = 0; i < n; i++)
		fprintf(f, "%s%s %u: %" PRIu64, i ? ", " : " (", unit, share[i].index,
			share[i].value);
	if (n)
		fputc(')', f);
}

static void print_cached(const struct view *v, const struct slabstat_cache *c)
{
	uint64_t cached;
	enum slabstat_quality q = slabstat_cache_value(c, SLABSTAT_CACHED_OBJS, &cached);
	FILE *f = v->out->f;

	if (q == SLABSTAT_ABSENT)
		return;
	start(f, "Cached");
	fprintf(f, "%s%" PRIu64 " free objects: sheaves ", quality_mark(q), cached);
	put_shares(f, c, SLABSTAT_SHEAF_OBJS, "CPU");
	fputs(", barns ", f);
	put_shares(f, c, SLABSTAT_BARN_OBJS, "node");
	fprintf(f, ", grace periods %" PRIu64 "\n", slabstat_cache_or(c, SLABSTAT_RCU_OBJS, 0));
}

static void print_barn(const struct view *v, const struct slabstat_cache *c)
{
	uint64_t hit;
	enum slabstat_quality q = slabstat_cache_value(c, SLABSTAT_SHEAF_HIT_PERCENT, &hit);

	if (q != SLABSTAT_ABSENT) {
		start(v->out->f, "Hits");
		fprintf(v->out->f,
			"%s%" PRIu64 "%% of allocations from sheaves; %" PRIu64
			" went round them\n",
			quality_mark(q), hit, slabstat_cache_or(c, SLABSTAT_ALLOC_BYPASS, 0));
	}
	if (slabstat_cache_value(c, SLABSTAT_BARN_HIT_PERCENT, &hit) == SLABSTAT_ABSENT)
		return;
	start(v->out->f, "Barn");
	fprintf(v->out->f, "%" PRIu64 "%% of %" PRIu64 " visits for a full sheaf found one", hit,
		slabstat_cache_or(c, SLABSTAT_BARN_GET, 0) +
			slabstat_cache_or(c, SLABSTAT_BARN_GET_FAIL, 0));
	fprintf(v->out->f, "; %" PRIu64 " sheaves came back, %" PRIu64 " more went to slabs\n",
		slabstat_cache_or(c, SLABSTAT_BARN_PUT, 0),
		slabstat_cache_or(c, SLABSTAT_BARN_PUT_FAIL, 0));
}

static void print_in_use(const struct view *v, const struct slabstat_cache *c)
{
	uint64_t lower, upper, total;
	FILE *f = v->out->f;
	bool bounded = slabstat_cache_in_use(c, &lower, &upper);

	if (!bounded && slabstat_cache_value(c, SLABSTAT_OBJECTS, &upper) == SLABSTAT_ABSENT)
		return;
	start(f, "In use");
	if (bounded && lower != upper)
		fprintf(f, "%" PRIu64 " to %" PRIu64 " objects: %s %" PRIu64 " %s", lower, upper,
			known_in_use(c) ? "others were at work, and up to" :
					  "CPU slabs and sheaves may hold up to",
			upper - lower, known_in_use(c) ? "moved" : "free ones");
	else if (bounded)
		fprintf(f, "%" PRIu64 " objects", upper);
	else
		fprintf(f, "at most %" PRIu64 " objects (the source tells no lower bound)", upper);
	if (slabstat_cache_value(c, SLABSTAT_TOTAL_OBJECTS, &total) != SLABSTAT_ABSENT)
		fprintf(f, ", room for %" PRIu64, total);
	fputc('\n', f);
}

static bool put_part(const struct view *v, const struct slabstat_cache *c,
		     enum slabstat_field field, const char *word, bool some)
{
	uint64_t value;
	enum slabstat_quality q = slabstat_cache_value(c, field, &value);

	if (q == SLABSTAT_ABSENT)
		return some;
	fprintf(v->out->f, "%s%s %s", some ? " + " : "", word, quality_mark(q));
	put_size(v, value);
	return true;
}

static void print_loss(const struct view *v, const struct slabstat_cache *c)
{
	uint64_t loss, gain;
	enum slabstat_quality q = slabstat_cache_value(c, SLABSTAT_LOSS, &loss);
	bool some = false;

	if (q == SLABSTAT_ABSENT)
		return;
	start(v->out->f, "Loss");
	fputs(quality_mark(q), v->out->f);
	put_size(v, loss);
	fputs(" = ", v->out->f);
	some = put_part(v, c, SLABSTAT_FREE, "free", some);
	some = put_part(v, c, SLABSTAT_PADDING, "padding", some);
	some = put_part(v, c, SLABSTAT_TAIL, "tail", some);
	if (!some)
		fputs("unknown parts", v->out->f);
	fputc('\n', v->out->f);
	if (slabstat_cache_value(c, SLABSTAT_DEFRAG, &gain) != SLABSTAT_ABSENT && gain) {
		start(v->out->f, "Packing");
		fputs("the partial slabs would give back ", v->out->f);
		put_size(v, gain);
		fputc('\n', v->out->f);
	}
}

static void print_sheaves(const struct view *v, const struct slabstat_cache *c)
{
	uint64_t capacity;

	if (slabstat_cache_value(c, SLABSTAT_SHEAF_CAPACITY, &capacity) == SLABSTAT_ABSENT)
		return;
	start(v->out->f, "Sheaves");
	if (capacity)
		fprintf(v->out->f, "%" PRIu64 " objects each\n", capacity);
	else
		fputs("none\n", v->out->f);
}

static void print_nodes(const struct view *v, const struct slabstat_cache *c)
{
	const struct slabstat_share *slabs, *partial;
	size_t n, m, at = 0;

	slabs = slabstat_cache_shares(c, SLABSTAT_SLABS, &n);
	partial = slabstat_cache_shares(c, SLABSTAT_PARTIAL, &m);
	for (size_t i = 0; i < n; i++) {
		uint64_t partials = 0;

		while (at < m && partial[at].index < slabs[i].index)
			at++;
		if (at < m && partial[at].index == slabs[i].index)
			partials = partial[at].value;
		start(v->out->f, i ? "" : "Nodes");
		fprintf(v->out->f, "node %u: %" PRIu64 " slabs, %" PRIu64 " of them partial\n",
			slabs[i].index, slabs[i].value, partials);
	}
}

/* ---- words ----------------------------------------------------------------------------------- */

static void put_name(const struct view *v, const char *name)
{
	char *safe = safe_text(name, v->out->ascii ? SAFE_ASCII : 0);

	fputs(safe ? safe : "?", v->out->f);
	free(safe);
}

static void print_users(const struct view *v, const struct slabstat_cache *c)
{
	const size_t n = slabstat_cache_alias_count(c);

	if (n == 0)
		return;
	start(v->out->f, "Users");
	for (size_t i = 0; i < n; i++) {
		fputs(i ? ", " : "", v->out->f);
		put_name(v, slabstat_cache_alias(c, i));
	}
	fputc('\n', v->out->f);
}

static void print_ctor(const struct view *v, const struct slabstat_cache *c)
{
	const char *ctor = slabstat_cache_ctor(c);

	if (!ctor || !*ctor)
		return;
	start(v->out->f, "Constructor");
	put_name(v, ctor);
	fputc('\n', v->out->f);
}

/* ---- tunables -------------------------------------------------------------------------------- */

struct slabstat_tune *report_tune(const struct view *v)
{
	const struct slabstat_machine *m = slabstat_snapshot_machine(v->s);
	const struct slabstat_tune_spec spec = {
		.root = v->r->source.root,
		.process = v->r->source.process,
		.journal = "/var/lib/slabinfo", /* looking and acting leave it alone */
		.kernel = m->kernel,
		.cpu_slabs_retired = m->cpu_slabs_retired,
		.page_size = m->page_size,
	};
	struct slabstat_tune *tune;

	if (v->r->source.files || slabstat_tune_open(v->h, &spec, &tune))
		return NULL;
	return tune;
}

/* The value as the snapshot has it; whether it may be written, where there is a directory. */
static bool print_tunable(const struct view *v, const struct slabstat_cache *c,
			  struct slabstat_tune *tune, enum slabstat_field field, bool first)
{
	struct slabstat_tunable look = { 0 };
	bool looked = tune && slabstat_tune_look(tune, slabstat_cache_name(c), field, &look) == 0;
	FILE *f = v->out->f;
	uint64_t value;
	bool known = slabstat_cache_value(c, field, &value) != SLABSTAT_ABSENT;

	if ((!known && !looked) || (field == SLABSTAT_SHEAF_CAPACITY && !look.present) ||
	    (looked && !known && !look.present && !look.why))
		return false;
	start(f, first ? "Tunables" : "");
	fprintf(f, "%-24s", slabstat_field_info(field)->id);
	if (known)
		fprintf(f, " %6" PRIu64, value);
	else
		fputs("      -", f);
	if (look.present)
		fputs(look.writable ? "  writable" : "  read-only", f);
	if (look.why)
		fprintf(f, "%s%s", look.present ? ": " : "  ", look.why);
	fputc('\n', f);
	return true;
}

static void print_tunables(const struct view *v, const struct slabstat_cache *c,
			   struct slabstat_tune *tune)
{
	bool some = false;
	int field;

	for (size_t i = 0; (field = slabstat_tune_field(i)) >= 0; i++)
		some |= print_tunable(v, c, tune, (enum slabstat_field)field, !some);
}

void report_additions(const struct view *v, struct slabstat_tune *tune,
		      const struct slabstat_cache *cache, const char *name)
{
	fprintf(v->out->f, "\n%s, beyond the kernel tool's report\n", name);
	print_in_use(v, cache);
	print_cached(v, cache);
	print_barn(v, cache);
	print_loss(v, cache);
	print_users(v, cache);
	print_ctor(v, cache);
	print_nodes(v, cache);
	print_sheaves(v, cache);
	print_tunables(v, cache, tune);
}
