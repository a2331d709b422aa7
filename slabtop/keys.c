// SPDX-License-Identifier: MIT
/* keys.c - the table of keys; see keys.def. */
#include "keys.h"

#include <ctype.h>
#include <stdbool.h>

#include "columns.h"

struct binding {
	enum action action;
	unsigned where;
	const char *keys, *help;
	int code[4];
};

static const struct binding bindings[] = {
#define KEY(ACTION, WHERE, shown, help, ...) \
	{ ACTION_##ACTION, KEYS_##WHERE, shown, help, { __VA_ARGS__ } },
#define SORT(letter, column, help)
#include "keys.def"
#undef KEY
#undef SORT
};

static const struct sort_letter {
	char letter[2];
	int column;
	const char *help;
} sort_letters[] = {
#define KEY(ACTION, WHERE, shown, help, ...)
#define SORT(letter, column, help) { { letter, '\0' }, column, "sort by " help },
#include "keys.def"
#undef KEY
#undef SORT
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const unsigned places[] = { KEYS_ANY, KEYS_LIST, KEYS_DETAIL, KEYS_TIME, KEYS_COLUMNS };

static bool has_code(const struct binding *b, int key)
{
	for (size_t i = 0; i < COUNT(b->code); i++)
		if (b->code[i] && b->code[i] == key)
			return true;
	return false;
}

static enum action find(int key, unsigned where)
{
	for (size_t i = 0; i < COUNT(bindings); i++)
		if ((bindings[i].where & where) && has_code(&bindings[i], key))
			return bindings[i].action;
	return ACTION_NONE;
}

enum action keys_action(int key, unsigned where)
{
	/* Time takes the arrows and the space bar of lists; either takes those of anywhere. */
	static const unsigned order[] = { KEYS_TIME, KEYS_COLUMNS, KEYS_DETAIL, KEYS_LIST,
					  KEYS_ANY };
	int column;

	for (size_t i = 0; i < COUNT(order); i++) {
		enum action a = order[i] & where ? find(key, order[i]) : ACTION_NONE;

		if (a != ACTION_NONE)
			return a;
	}
	if ((where & KEYS_LIST) && keys_sort_column(key, &column) == 0)
		return ACTION_SORT;
	return ACTION_NONE;
}

int keys_sort_column(int letter, int *column)
{
	if (letter < 0 || letter > 0x7f)
		return -1;
	for (size_t i = 0; i < COUNT(sort_letters); i++)
		if (sort_letters[i].letter[0] == tolower(letter)) {
			*column = sort_letters[i].column;
			return 0;
		}
	return -1;
}

int keys_line(size_t i, struct keys_line *line)
{
	if (i < COUNT(bindings)) {
		*line = (struct keys_line){ bindings[i].where, bindings[i].keys, bindings[i].help };
		return 0;
	}
	i -= COUNT(bindings);
	if (i < COUNT(sort_letters)) {
		*line = (struct keys_line){ KEYS_LIST, sort_letters[i].letter,
					    sort_letters[i].help };
		return 0;
	}
	return -1;
}

const char *keys_place(unsigned where)
{
	switch (where) {
	case KEYS_ANY: return "Everywhere";
	case KEYS_LIST: return "In lists";
	case KEYS_DETAIL: return "In the page of one cache";
	case KEYS_TIME: return "In recordings";
	case KEYS_COLUMNS: return "In the column chooser";
	default: return "";
	}
}

void keys_print(FILE *out)
{
	struct keys_line line;

	for (size_t p = 0; p < COUNT(places); p++) {
		fprintf(out, "%s%s:\n", p ? "\n" : "", keys_place(places[p]));
		for (size_t i = 0; keys_line(i, &line) == 0; i++)
			if (line.where == places[p])
				fprintf(out, "  %-14s %s\n", line.keys, line.help);
	}
}
