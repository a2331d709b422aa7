// SPDX-License-Identifier: MIT
/* config.c - columns from one time to the next; see config.h. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "top.h"
#include "util/newfile.h"

/* $XDG_CONFIG_HOME or ~/.config, then our directory and file; "" where neither is set. */
static void config_path(char *buf, size_t size)
{
	const char *base = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	int n = -1;

	/* A relative path is to be ignored, says the XDG specification. */
	if (base && *base == '/')
		n = snprintf(buf, size, "%s/slabkit/slabtop", base);
	else if (home && *home == '/')
		n = snprintf(buf, size, "%s/.config/slabkit/slabtop", home);
	if (n < 0 || (size_t)n >= size)
		buf[0] = '\0';
}

static int view_by_name(const char *name)
{
	for (int v = 0; v < VIEW_COUNT; v++)
		if (views[v]->columns && v != VIEW_NODES && strcmp(views[v]->name, name) == 0)
			return v;
	return -1;
}

/* "NAME = column column ... [sort column]"; a column stands in a list once. */
static void take_line(struct top *t, char *line)
{
	char *save, *word = strtok_r(line, " \t\n", &save);
	int column[COLUMN_COUNT], view = word ? view_by_name(word) : -1, c;
	bool sort = false, there[COLUMN_COUNT] = { false };
	size_t n = 0;

	if (view < 0 || !(word = strtok_r(NULL, " \t\n", &save)) || strcmp(word, "=") != 0)
		return;
	while ((word = strtok_r(NULL, " \t\n", &save)) != NULL) {
		if (strcmp(word, "sort") == 0) {
			sort = true;
			continue;
		}
		c = column_find(word);
		if (c == COLUMN_NONE)
			continue;
		if (sort) {
			t->list[view].sort = c;
		} else if (c != COLUMN_NAME && !there[c]) {
			there[c] = true;
			column[n++] = c;
		}
	}
	grid_set_columns(&t->list[view], column, n);
}

/* NULL: there is none. A pipe in its place must not keep the screen waiting. */
static FILE *open_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	FILE *f;

	if (fd < 0)
		return NULL;
	f = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? fdopen(fd, "r") : NULL;
	if (!f)
		close(fd);
	return f;
}

void config_load(struct top *t)
{
	char path[512], *line = NULL;
	size_t room = 0;
	FILE *f;

	config_path(path, sizeof(path));
	f = *path ? open_file(path) : NULL;
	if (!f)
		return;
	while (getline(&line, &room, f) > 0)
		if (*line != '#')
			take_line(t, line);
	free(line);
	fclose(f);
}

static int make_parents(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		int err;

		*slash = '\0';
		err = mkdir(path, 0700) == 0 || errno == EEXIST ? 0 : -errno;
		*slash = '/';
		if (err)
			return err;
	}
	return 0;
}

static void write_lists(const struct top *t, FILE *f)
{
	fprintf(f, "# Columns of slabtop's lists; slabtop --list-columns names them all.\n");
	for (int v = 0; v < VIEW_COUNT; v++) {
		const struct grid *l = &t->list[v];

		if (!views[v]->columns || v == VIEW_NODES)
			continue;
		fprintf(f, "%s =", views[v]->name);
		for (size_t i = 0; i < l->columns; i++)
			fprintf(f, " %s", column_id(l->column[i]));
		fprintf(f, " sort %s\n", column_id(l->sort));
	}
}

/* A full disk or a crash leaves the old file. */
int config_save(const struct top *t, char *buf, unsigned long size)
{
	struct newfile file;
	struct stat st;
	int err;

	config_path(buf, size);
	if (!*buf) {
		snprintf(buf, size, "$XDG_CONFIG_HOME");
		return -ENOENT;
	}
	/* As open_file(): it must not wait for somebody who reads a pipe. */
	if (stat(buf, &st) == 0 && S_ISFIFO(st.st_mode))
		return -ENXIO;
	err = make_parents(buf);
	if (!err)
		err = newfile_open(&file, buf);
	if (err)
		return err;
	write_lists(t, file.f);
	return newfile_close(&file, true);
}
