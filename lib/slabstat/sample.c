// SPDX-License-Identifier: MIT
/* sample.c - where the samples of a text begin; see sample.h. */
#include "slabstat/sample.h"
#include "slabstat/stamp.h"

#include <errno.h>
#include <stdlib.h>

int sample_add(struct sample_list *list, size_t offset, unsigned long line, int64_t wall_ns)
{
	if (list->count == list->room) {
		size_t room = list->room ? list->room * 2 : 16;
		struct sample *more = reallocarray(list->at, room, sizeof(*more));

		if (!more)
			return -ENOMEM;
		list->at = more;
		list->room = room;
	}
	list->at[list->count++] = (struct sample){ offset, line, wall_ns };
	return 0;
}

void sample_free(struct sample_list *list)
{
	free(list->at);
	*list = (struct sample_list){ 0 };
}

struct lines sample_lines(const struct sample_list *list, size_t n, const char *text, size_t len)
{
	size_t from = list->at[n].offset, to = n + 1 < list->count ? list->at[n + 1].offset : len;
	struct lines r = lines_of(text + from, to - from);

	r.number = list->at[n].line;
	return r;
}

bool sample_separator(const struct line *l, int64_t *wall_ns)
{
	*wall_ns = 0;
	return line_begins(l, "Sample #") || stamp_scan(l->text, l->len, wall_ns);
}
