// SPDX-License-Identifier: MIT
/* form_opts.c - how a verb prints its table; see form_opts.h. */
#include "form_opts.h"

#include "util/num.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int form_opts_take(struct form_opts *f, int id, const char *arg, const char *program)
{
	uint64_t n;

	switch (id) {
	case FORM_OPT_TOP:
		if (num_parse_u64(arg, &n) || n > SIZE_MAX)
			return opts_usage(program, "not a number of rows:", arg);
		f->top = (size_t)n;
		return 0;
	case FORM_OPT_JSON:
		f->json = true;
		return 0;
	case FORM_OPT_CSV:
		f->csv = true;
		return 0;
	case 'H':
		f->tabs = true;
		return 0;
	case 'b':
		f->bytes = true;
		return 0;
	case FORM_OPT_COLOR:
		if (out_color_parse(arg, &f->color))
			return opts_usage(program, "not auto, always or never:", arg);
		return 0;
	default:
		return -1;
	}
}

bool form_opts_prose(const struct form_opts *f)
{
	return !f->json && !f->csv && !f->tabs;
}

struct table_options form_opts_table(const struct form_opts *f, const struct out *out)
{
	struct table_options o = {
		.form = f->csv ? TABLE_CSV : f->tabs ? TABLE_TABS : TABLE_ALIGNED,
		.no_heading = f->tabs && !f->csv,
		.exact = f->bytes || !form_opts_prose(f),
		.fit = out->width > 0,
	};

	return o;
}

void form_delta(struct table *t, const struct form_opts *f, double bytes, enum out_style style)
{
	char buf[NUM_HUMAN_SIZE];

	if (!isfinite(bytes)) {
		table_absent(t);
		return;
	}
	if (f->bytes || !form_opts_prose(f)) {
		form_signed(t, bytes, 0, style);
		return;
	}
	bytes = fmin(fmax(bytes, -9.2e18), 9.2e18);
	table_text(t, num_human_delta((int64_t)llround(bytes), buf), style);
}

void form_signed(struct table *t, double value, int digits, enum out_style style)
{
	char buf[64];

	if (!isfinite(value)) {
		table_absent(t);
		return;
	}
	snprintf(buf, sizeof(buf), "%+.*f", digits, value);
	/* No trailing zeros, and no sign before nothing. */
	if (strchr(buf, '.')) {
		size_t n = strlen(buf);

		while (buf[n - 1] == '0')
			buf[--n] = '\0';
		if (buf[n - 1] == '.')
			buf[n - 1] = '\0';
	}
	table_text(t, strcmp(buf, "+0") == 0 || strcmp(buf, "-0") == 0 ? "0" : buf, style);
}
