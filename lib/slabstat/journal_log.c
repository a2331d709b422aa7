// SPDX-License-Identifier: MIT
/*
 * journal_log.c - reading the journal back; see journal.h.
 *
 * A line that was cut off, or that makes no sense, is skipped and counted: what it would have said
 * did not happen yet, or can be found out from the lines that stand before it.
 */
#include "slabstat/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "slabstat/rule.h"
#include "util/num.h"

const char *const journal_results[] = {
	[SLABSTAT_CHANGE_PLANNED] = "planned", [SLABSTAT_CHANGE_MADE] = "made",
	[SLABSTAT_CHANGE_UNDONE] = "undone", [SLABSTAT_CHANGE_FOREIGN] = "foreign",
	[SLABSTAT_CHANGE_GONE] = "gone", [SLABSTAT_CHANGE_FAILED] = "failed",
};

#define RESULTS (sizeof(journal_results) / sizeof(journal_results[0]))

#define WORDS_MAX 16

/* A line taken apart in place: verb, number, key=value pairs. */
struct line {
	char *verb;
	uint64_t id;
	struct {
		const char *key;
		char *value;	/* still coded */
	} word[WORDS_MAX];
	size_t words;
};

static int hex(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static char *decode(char *text)
{
	char *to = text;

	for (const char *from = text; *from; ) {
		if (*from == '%') {
			int high = hex(from[1]), low = high < 0 ? -1 : hex(from[2]);

			if (low < 0 || !(high | low))
				return NULL;
			*to++ = (char)(high << 4 | low);
			from += 3;
		} else {
			*to++ = *from++;
		}
	}
	*to = '\0';
	return text;
}

static bool take_apart(char *text, struct line *line)
{
	char *save, *word = strtok_r(text, " ", &save);
	bool ended = false;

	*line = (struct line){ .verb = word };
	word = word ? strtok_r(NULL, " ", &save) : NULL;
	if (!word || num_parse_u64(word, &line->id) || !line->id || line->id > JOURNAL_LAST)
		return false;
	while (!ended && (word = strtok_r(NULL, " ", &save))) {
		char *equal = strchr(word, '=');

		ended = !strcmp(word, ".");
		if (ended)
			break;
		if (!equal || line->words == WORDS_MAX)
			return false;
		*equal = '\0';
		line->word[line->words].key = word;
		line->word[line->words++].value = equal + 1;
	}
	return ended && !strtok_r(NULL, " ", &save);
}

static char *coded(const struct line *line, const char *key)
{
	for (size_t i = 0; i < line->words; i++)
		if (!strcmp(line->word[i].key, key))
			return line->word[i].value;
	return NULL;
}

static const char *plain(const struct line *line, const char *key)
{
	char *value = coded(line, key);

	return value ? decode(value) : NULL;
}

static bool number(const struct line *line, const char *key, uint64_t *value)
{
	const char *text = coded(line, key);

	return text && !num_parse_u64(text, value);
}

static bool tunable(const struct line *line, enum slabstat_field *field)
{
	const char *key = coded(line, "key");
	int f = key ? slabstat_field_find(key) : -ENOENT;

	if (f < 0 || !rule_exists((enum slabstat_field)f))
		return false;
	*field = (enum slabstat_field)f;
	return true;
}

static const char *keep(struct journal_log *log, const char *text)
{
	return text ? arena_string(&log->arena, text, strlen(text)) : NULL;
}

static struct journal_entry *find_entry(struct journal_log *log, uint64_t id)
{
	for (size_t i = log->count; i-- > 0; )
		if (log->entry[i].entry.id == id)
			return &log->entry[i];
	return NULL;
}

static int64_t parse_time(const char *text)
{
	struct tm tm = { .tm_sec = 0 };
	const char *end = text ? strptime(text, "%Y-%m-%dT%H:%M:%SZ", &tm) : NULL;

	return end && !*end ? (int64_t)timegm(&tm) : 0;
}

/* 0, -EINVAL for a line that makes no sense, -ENOMEM. */
static int take_begin(struct journal_log *log, const struct line *line)
{
	struct journal_entry *e;
	uint64_t pid;

	if (log->count && line->id <= log->entry[log->count - 1].entry.id)
		return -EINVAL;
	if (log->count == log->room) {
		size_t more = log->room ? 2 * log->room : 32;

		e = reallocarray(log->entry, more, sizeof(*e));
		if (!e)
			return -ENOMEM;
		log->entry = e;
		log->room = more;
	}
	e = &log->entry[log->count];
	*e = (struct journal_entry){ .boot = keep(log, plain(line, "boot")) };
	e->entry.id = (unsigned long)line->id;
	e->entry.wall_s = parse_time(plain(line, "time"));
	e->entry.pid = number(line, "pid", &pid) && pid <= INT32_MAX ? (long)pid : 0;
	e->entry.directory = keep(log, plain(line, "dir"));
	e->entry.what = keep(log, plain(line, "what"));
	e->entry.command = keep(log, plain(line, "command"));
	e->temporary = coded(line, "temporary") != NULL;
	if (!e->boot || !e->entry.directory || !e->entry.what)
		return -EINVAL;
	log->count++;
	return 0;
}

static int take_users(struct journal_log *log, struct slabstat_change *c, char *list)
{
	size_t n = 0;
	const char **users;

	if (!*list)
		return 0;
	for (const char *p = list; p; p = strchr(p + 1, ','))
		n++;
	users = arena_alloc(&log->arena, n * sizeof(*users));
	if (!users)
		return -ENOMEM;
	c->users = users;
	for (char *save, *word = strtok_r(list, ",", &save); word;
	     word = strtok_r(NULL, ",", &save)) {
		const char *user = keep(log, decode(word));

		if (!user)
			return -EINVAL;
		users[c->user_count++] = user;
	}
	return 0;
}

int journal_entry_grow(struct journal_entry *e)
{
	size_t more = e->room ? 2 * e->room : 4;
	struct slabstat_change *change;
	struct journal_mark *mark;

	if (e->entry.count < e->room)
		return 0;
	change = reallocarray(e->change, more, sizeof(*change));
	if (!change)
		return -ENOMEM;
	e->change = change;
	e->entry.changes = change;
	mark = reallocarray(e->mark, more, sizeof(*mark));
	if (!mark)
		return -ENOMEM;
	e->mark = mark;
	e->room = more;
	return 0;
}

static int take_set(struct journal_log *log, struct journal_entry *e, const struct line *line)
{
	const char *identity = plain(line, "identity");
	char *users = coded(line, "users");
	struct slabstat_change c = { .state = SLABSTAT_CHANGE_PLANNED };
	int err = journal_entry_grow(e);

	if (err)
		return err;
	c.cache = c.name = keep(log, plain(line, "cache"));
	if (!c.cache || !identity || strlen(identity) >= TUNEDIR_IDENTITY_SIZE || !users ||
	    !tunable(line, &c.field) || !number(line, "old", &c.old) ||
	    !number(line, "new", &c.wanted))
		return -EINVAL;
	err = take_users(log, &c, users);
	if (err)
		return err;
	c.stored = c.wanted;
	e->change[e->entry.count] = c;
	e->mark[e->entry.count] = (struct journal_mark){ .got = false };
	strcpy(e->mark[e->entry.count].identity, identity);
	e->entry.count++;
	return 0;
}

/*
 * Lines of one entry mostly come in the order of its changes: look on from where the last was
 * found.
 */
static int find_change(const struct journal_entry *e, const struct line *line, size_t *at)
{
	const char *cache = plain(line, "cache");
	enum slabstat_field field;

	if (!cache || !tunable(line, &field))
		return -EINVAL;
	for (size_t k = 0; k < e->entry.count; k++) {
		size_t i = (*at + k) % e->entry.count;

		if (e->change[i].field == field && !strcmp(e->change[i].cache, cache)) {
			*at = i;
			return 0;
		}
	}
	return -EINVAL;
}

static int take_value(struct journal_entry *e, const struct line *line, size_t *at)
{
	bool back = !strcmp(line->verb, "back");
	const char *result = back ? coded(line, "result") : "made";
	uint64_t value;

	if (find_change(e, line, at) || !number(line, "value", &value) || !result)
		return -EINVAL;
	for (size_t i = 0; i < RESULTS; i++) {
		if (strcmp(journal_results[i], result))
			continue;
		e->change[*at].state = (enum slabstat_change_state)i;
		if (!back) {
			e->change[*at].stored = value;
			e->mark[*at].got = true;
		}
		e->mark[*at].closed = i == SLABSTAT_CHANGE_UNDONE || i == SLABSTAT_CHANGE_GONE;
		return 0;
	}
	return -EINVAL;
}

static int take_line(struct journal_log *log, char *text, size_t *at)
{
	struct journal_entry *e;
	struct line line;

	if (!*text || *text == '#')
		return 0;
	if (!take_apart(text, &line))
		return -EINVAL;
	if (!strcmp(line.verb, "begin"))
		return take_begin(log, &line);
	e = find_entry(log, line.id);
	if (!e)
		return -EINVAL;
	if (!strcmp(line.verb, "set"))
		return take_set(log, e, &line);
	if (!strcmp(line.verb, "got") || !strcmp(line.verb, "back"))
		return take_value(e, &line, at);
	if (!strcmp(line.verb, "end"))
		e->ended = true;
	else if (!strcmp(line.verb, "close"))
		e->closed = true;
	else
		return -EINVAL;
	return 0;
}

static int read_lines(struct journal_log *log, FILE *in)
{
	char *text = NULL;
	size_t room = 0, at = 0;
	ssize_t len;
	int err = 0;

	while (!err && (len = getline(&text, &room, in)) > 0) {
		if (text[len - 1] == '\n')
			text[--len] = '\0';
		err = strlen(text) == (size_t)len ? take_line(log, text, &at) : -EINVAL;
		if (err == -EINVAL) {
			log->bad_lines++;
			err = 0;
		}
	}
	if (!err && ferror(in))
		err = -EIO;
	free(text);
	return err;
}

int journal_read(struct slabstat *h, const char *directory, struct journal_log *log, bool *locked)
{
	int fd = -1, err = journal_open(h, directory, O_RDONLY, &fd);
	FILE *in = err ? NULL : fdopen(fd, "r");

	if (locked)
		*locked = !err && journal_locked(fd);
	if (err)
		return err == -ENOENT || err == -ENOTDIR ? 0 : err;
	if (!in) {
		close(fd);
		return error_memory(h);
	}
	err = read_lines(log, in);
	fclose(in);
	if (err) {
		journal_log_free(log);
		return error_set(h, err, directory, 0, "cannot read the journal: %s",
				 strerror(-err));
	}
	return 0;
}

void journal_entry_free(struct journal_entry *e)
{
	free(e->change);
	free(e->mark);
}

void journal_log_free(struct journal_log *log)
{
	for (size_t i = 0; i < log->count; i++)
		journal_entry_free(&log->entry[i]);
	free(log->entry);
	arena_free(&log->arena);
	*log = (struct journal_log){ .entry = NULL };
}
