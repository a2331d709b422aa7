// SPDX-License-Identifier: MIT
/* wire.c - what the writer and the readers of a page share; see wire.h. */
#include "wire/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ROW(SCOPE, id, KIND, UNIT) { #id, WIRE_##SCOPE, WIRE_##KIND, WIRE_##UNIT, { 0 } },
const struct wire_name wire_names[WIRE_COUNTERS] = {
#define PROCESS(id, KIND, UNIT) ROW(PROCESS, id, KIND, UNIT)
#include "wire/counters.def"
#define CACHE(id, KIND, UNIT) ROW(CACHE, id, KIND, UNIT)
#include "wire/counters.def"
#define NODE(id, KIND, UNIT) ROW(NODE, id, KIND, UNIT)
#include "wire/counters.def"
#define CPU(id, KIND, UNIT) ROW(CPU, id, KIND, UNIT)
#include "wire/counters.def"
};

/* ---- sums ------------------------------------------------------------------------------------ */

#define LANES 4

static inline uint64_t stir(uint64_t h, uint64_t word)
{
	h = (h ^ word) * 0x9e3779b97f4a7c15ULL;
	return h ^ (h >> 29);
}

/* Four lanes, so that multiplications overlap; every part is a multiple of 8 bytes. */
uint64_t wire_sum(uint64_t before, const void *data, size_t bytes)
{
	uint64_t lane[LANES] = { before + 1, before + 2, before + 3, before + 4 }, word;
	const char *p = data;
	size_t words = bytes / sizeof(word), i = 0;

	for (; i + LANES <= words; i += LANES) {
		for (unsigned int k = 0; k < LANES; k++) {
			memcpy(&word, p + (i + k) * sizeof(word), sizeof(word));
			lane[k] = stir(lane[k], word);
		}
	}
	for (; i < words; i++) {
		memcpy(&word, p + i * sizeof(word), sizeof(word));
		lane[0] = stir(lane[0], word);
	}
	return stir(stir(stir(stir(bytes, lane[0]), lane[1]), lane[2]), lane[3]);
}

uint64_t wire_head_sum(const struct wire_head *head, const void *counters, size_t bytes)
{
	struct wire_head copy = *head;

	copy.sum = 0;
	return wire_sum(wire_sum(0, &copy, sizeof(copy)), counters, bytes);
}

uint64_t wire_slot_sum(const struct wire_slot *slot, const void *records)
{
	struct wire_slot copy = *slot;

	copy.sum = 0;
	return wire_sum(wire_sum(0, &copy, sizeof(copy)), records, slot->bytes);
}

uint64_t wire_ask_sum(const struct wire_ask *ask)
{
	return wire_sum(0, ask, offsetof(struct wire_ask, sum));
}

uint64_t wire_answer_sum(const struct wire_answer *answer)
{
	return wire_sum(0, answer, offsetof(struct wire_answer, sum));
}

/* ---- processes ------------------------------------------------------------------------------- */

/*
 * A small file of /proc; its length, or a negative errno. No stream: this may run in an allocator.
 */
static ssize_t read_small(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -errno;
	n = read(fd, text, size - 1);
	if (n < 0)
		n = -errno;
	close(fd);
	text[n < 0 ? 0 : n] = '\0';
	return n;
}

/* Field n (from 3 on) of a stat line: those before it end at the last parenthesis. */
static bool stat_field(const char *text, unsigned int n, uint64_t *value)
{
	const char *p = strrchr(text, ')');
	char *end;

	for (unsigned int field = 2; p && field < n; field++)
		p = strchr(p + 1, ' ');
	if (!p)
		return false;
	errno = 0;
	*value = strtoull(p + 1, &end, 10);
	return end != p + 1 && !errno;
}

int wire_start_ticks(uint64_t pid, uint64_t *ticks, uint64_t *parent)
{
	char path[64], text[1024];
	uint64_t above;
	ssize_t n;
	char state;

	snprintf(path, sizeof(path), "/proc/%llu/stat", (unsigned long long)pid);
	n = read_small(path, text, sizeof(text));
	if (n == -ENOENT)
		return -ESRCH;
	if (n < 0)
		return (int)n;
	if (!stat_field(text, 22, ticks) || !stat_field(text, 4, &above))
		return -EINVAL;
	/* What nobody has waited for has an entry, and no memory. */
	state = strrchr(text, ')')[2];
	if (state == 'Z' || state == 'X')
		return -ESRCH;
	if (parent)
		*parent = above;
	return 0;
}

static void identify_files(uint64_t pid, struct wire_identity *who)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%llu/ns/pid", (unsigned long long)pid);
	if (!stat(path, &st))
		who->namespace = st.st_ino;
	snprintf(path, sizeof(path), "/proc/%llu/exe", (unsigned long long)pid);
	if (!stat(path, &st)) {
		who->exe_dev = st.st_dev;
		who->exe_ino = st.st_ino;
	}
}

static void read_word(const char *path, char *word, size_t size)
{
	if (read_small(path, word, size) < 0)
		return;
	word[strcspn(word, "\n")] = '\0';
}

void wire_boot_id(char *text, size_t size)
{
	*text = '\0';
	read_word("/proc/sys/kernel/random/boot_id", text, size);
}

int wire_identify(uint64_t pid, struct wire_identity *who)
{
	char path[64];
	int err;

	memset(who, 0, sizeof(*who));
	who->pid = pid;
	err = wire_start_ticks(pid, &who->start_ticks, &who->parent_pid);
	if (err)
		return err;
	if (who->parent_pid)
		wire_start_ticks(who->parent_pid, &who->parent_start_ticks, NULL);
	identify_files(pid, who);
	snprintf(path, sizeof(path), "/proc/%llu/comm", (unsigned long long)pid);
	read_word(path, who->comm, sizeof(who->comm));
	wire_boot_id(who->boot_id, sizeof(who->boot_id));
	return 0;
}

bool wire_directory(unsigned int i, const char *runtime, uid_t uid, char *path, size_t size)
{
	int n = -1;

	switch (i) {
	case 0:
		if (!runtime || *runtime != '/')
			runtime = "/run/user/none"; /* no such place: the next one */
		n = snprintf(path, size, "%s/slab", runtime);
		break;
	case 1:
		n = snprintf(path, size, "/run/slab/%u", (unsigned int)uid);
		break;
	case 2:
		n = snprintf(path, size, "/dev/shm/slab-%u", (unsigned int)uid);
		break;
	}
	return n > 0 && (size_t)n < size;
}
