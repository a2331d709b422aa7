// SPDX-License-Identifier: MIT
/* tracking.c - call sites that the kernel recorded; see tracking.h. */
#include "tracking.h"

#include "util/num.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- files ----------------------------------------------------------------------------------- */

/* Below root, through no symbolic link: a copy may be anybody's. */
static int open_below(const char *root, const char *path)
{
	const struct open_how how = {
		.flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS,
	};
	int dir = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int fd;

	if (dir < 0)
		return -1;
	fd = (int)syscall(SYS_openat2, dir, path, &how, sizeof(how));
	if (fd < 0 && errno == ENOSYS)
		fd = openat(dir, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	close(dir);
	return fd;
}

static FILE *open_file(const char *root, const char *directory, const char *name, const char *file)
{
	struct stat st;
	char *path;
	FILE *f = NULL;
	int fd;

	if (strchr(name, '/') || strcmp(name, "..") == 0 || strcmp(name, ".") == 0)
		return NULL;
	if (asprintf(&path, "%s%s/%s", directory, name, file) < 0)
		return NULL;
	fd = open_below(root, path);
	free(path);
	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		f = fdopen(fd, "r");
	if (!f && fd >= 0)
		close(fd);
	return f;
}

/* A file that exists but has nothing to say (ENOSYS without user tracking) is as good as none. */
static FILE *usable(FILE *f)
{
	int c;

	if (!f)
		return NULL;
	c = getc(f);
	if (c == EOF) {
		fclose(f);
		return NULL;
	}
	ungetc(c, f);
	return f;
}

FILE *tracking_open(const char *root, const struct slabstat_cache *cache, enum tracking_kind kind)
{
	static const char *const directory[] = { "sys/kernel/debug/slab/", "sys/kernel/slab/", "" };
	static const char *const file[2][2] = { { "alloc_traces", "alloc_calls" },
						{ "free_traces", "free_calls" } };
	const char *name = slabstat_cache_name(cache);

	for (size_t i = 0; i < sizeof(directory) / sizeof(directory[0]); i++) {
		FILE *f;

		if (!root && i == 2)
			break;
		f = usable(open_file(root ? root : "/", directory[i], name, file[kind][i > 0]));
		if (f)
			return f;
	}
	return NULL;
}

bool tracking_copy(FILE *in, FILE *out, bool harmless)
{
	char buf[1 << 14];
	bool some = false;
	size_t n;

	while ((n = fread(buf, 1, sizeof(buf), in)) > 0) {
		for (size_t i = 0; harmless && i < n; i++) {
			unsigned char c = (unsigned char)buf[i];

			if ((c < 0x20 && c != '\n' && c != '\t') || c >= 0x7f)
				buf[i] = '?';
		}
		fwrite(buf, 1, n, out);
		some = true;
	}
	return some;
}

/* ---- records --------------------------------------------------------------------------------- */

struct tracking_reader {
	FILE *in;
	char *line, *next; /* next: the line read ahead, or NULL */
	size_t room, next_room;
	char **stack;
	size_t depth, stack_room;
	struct tracking_site site;
};

struct tracking_reader *tracking_reader_new(FILE *in)
{
	struct tracking_reader *r = calloc(1, sizeof(*r));

	if (!r) {
		fclose(in);
		return NULL;
	}
	r->in = in;
	return r;
}

static void clear_stack(struct tracking_reader *r)
{
	for (size_t i = 0; i < r->depth; i++)
		free(r->stack[i]);
	r->depth = 0;
}

void tracking_reader_free(struct tracking_reader *r)
{
	if (!r)
		return;
	clear_stack(r);
	free(r->stack);
	free(r->line);
	free(r->next);
	fclose(r->in);
	free(r);
}

static bool read_line(FILE *in, char **line, size_t *room)
{
	ssize_t n = getline(line, room, in);

	if (n < 0)
		return false;
	if (n && (*line)[n - 1] == '\n')
		(*line)[n - 1] = '\0';
	return true;
}

/* "waste=6144/24": one or more numbers with a character between. Missing ones repeat the last. */
static bool parse_numbers(const char *text, char between, uint64_t *value, size_t n)
{
	const char *end = text + strlen(text);

	for (size_t i = 0; i < n; i++) {
		if (i && *text == between)
			text++;
		else if (i) {
			value[i] = value[i - 1];
			continue;
		}
		if (num_scan_u64(&text, end, &value[i]))
			return false;
	}
	return *text == '\0';
}

static void parse_word(struct tracking_site *s, char *word)
{
	uint64_t v[3];

	if (strncmp(word, "waste=", 6) == 0 && parse_numbers(word + 6, '/', v, 2)) {
		s->has_waste = true;
		s->waste_bytes = v[0];
		s->waste_each_bytes = v[1];
	} else if (strncmp(word, "age=", 4) == 0 && parse_numbers(word + 4, '/', v, 3)) {
		s->has_age = true;
		s->age_min = v[0];
		s->age_avg = v[1];
		s->age_max = v[2];
	} else if (strncmp(word, "pid=", 4) == 0 && parse_numbers(word + 4, '-', v, 2)) {
		s->has_pid = true;
		s->pid_min = v[0];
		s->pid_max = v[1];
	} else if (strncmp(word, "cpus=", 5) == 0) {
		s->cpus = word + 5;
	} else if (strncmp(word, "nodes=", 6) == 0) {
		s->nodes = word + 6;
	}
}

/* "    256 symbol+0x1/0x2 waste=... age=... pid=... cpus=...": false for any other line. */
static bool parse_head(struct tracking_site *s, char *line)
{
	const char *p = line;
	char *word;
	char *rest;

	*s = (struct tracking_site){ 0 };
	while (*p == ' ')
		p++;
	if (num_scan_u64(&p, p + strlen(p), &s->count) || *p != ' ')
		return false;
	rest = line + (p - line) + 1;
	s->symbol = strsep(&rest, " ");
	if (!*s->symbol)
		return false;
	while ((word = strsep(&rest, " ")) != NULL)
		parse_word(s, word);
	return true;
}

static bool is_frame(const char *line)
{
	return strncmp(line, "        ", 8) == 0 && line[8] && line[8] != ' ';
}

static bool push_frame(struct tracking_reader *r, const char *line)
{
	if (r->depth == r->stack_room) {
		size_t room = r->stack_room ? 2 * r->stack_room : 32;
		char **stack = realloc(r->stack, room * sizeof(*stack));

		if (!stack)
			return false;
		r->stack = stack;
		r->stack_room = room;
	}
	r->stack[r->depth] = strdup(line + 8);
	r->depth += r->stack[r->depth] != NULL;
	return true;
}

/* The frames below a head; the line that ends them is kept for the next record. */
static void read_stack(struct tracking_reader *r)
{
	char *line = NULL;
	size_t room = 0;

	clear_stack(r);
	while (read_line(r->in, &line, &room)) {
		if (!is_frame(line)) {
			r->next = line;
			r->next_room = room;
			return;
		}
		if (!push_frame(r, line))
			break;
	}
	free(line);
}

const struct tracking_site *tracking_next(struct tracking_reader *r)
{
	for (;;) {
		if (r->next) {
			free(r->line);
			r->line = r->next;
			r->room = r->next_room;
			r->next = NULL;
		} else if (!read_line(r->in, &r->line, &r->room)) {
			return NULL;
		}
		if (parse_head(&r->site, r->line))
			break;
	}
	read_stack(r);
	r->site.stack = (const char *const *)r->stack;
	r->site.depth = r->depth;
	return &r->site;
}
