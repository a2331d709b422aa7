// SPDX-License-Identifier: MIT
/*
 * replay.c - what libFuzzer is to a fuzz target, where there is none: goes through a corpus.
 *
 *	NOUN_fuzz [FILE...]	without files: all of tests/fuzz/corpus/NOUN
 *
 * Each file is given whole, then cut at many places, then with single bytes changed: always the
 * same ones, so that a finding comes again. Prints TAP.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CUTS	200
#define CHANGES 200

/* A copy of its own size, so that a read behind its end is one behind the heap's. */
static void run(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);

	if (!copy)
		abort();
	memcpy(copy, data, size);
	LLVMFuzzerTestOneInput(copy, size);
	free(copy);
}

static void run_all(uint8_t *data, size_t size)
{
	static const uint8_t bytes[] = { 0, '\n', ' ', ':', '9', '-', '\t', 0xff };
	size_t step = size / CUTS + 1;
	uint64_t random = 0x9e3779b97f4a7c15u;

	run(data, size);
	for (size_t len = 0; len < size; len += step)
		run(data, len);
	for (int i = 0; size && i < CHANGES; i++) {
		size_t at;
		uint8_t was;

		random = random * 6364136223846793005u + 1442695040888963407u;
		at = (size_t)(random >> 33) % size;
		was = data[at];
		data[at] = bytes[random >> 20 & 7];
		run(data, size);
		data[at] = was;
	}
}

static int replay(const char *path, int number)
{
	FILE *f = fopen(path, "rb");
	uint8_t *data = NULL;
	size_t size = 0, n;
	char buf[4096];

	if (!f) {
		printf("not ok %d - %s: cannot be opened\n", number, path);
		return 1;
	}
	while ((n = fread(buf, 1, sizeof(buf), f)) > 0) {
		data = realloc(data, size + n);
		if (!data)
			abort();
		memcpy(data + size, buf, n);
		size += n;
	}
	fclose(f);
	run_all(data, size);
	free(data);
	printf("ok %d - %s\n", number, path);
	return 0;
}

static int replay_corpus(const char *program)
{
	const char *slash = strrchr(program, '/'), *noun = slash ? slash + 1 : program;
	const char *source = getenv("SLABKIT_SOURCE");
	char dir[4096], path[8192];
	struct dirent *e;
	int count = 0, failed = 0;
	DIR *d;

	snprintf(dir, sizeof(dir), "%s/tests/fuzz/corpus/%.*s", source ? source : ".",
		 (int)(strlen(noun) - strlen("_fuzz")), noun);
	d = opendir(dir);
	if (!d) {
		printf("1..1\nnot ok 1 - %s: no such corpus\n", dir);
		return 1;
	}
	while ((e = readdir(d)) != NULL) {
		if (e->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", dir, e->d_name);
		failed += replay(path, ++count);
	}
	closedir(d);
	printf("1..%d\n", count);
	return failed != 0;
}

int main(int argc, char **argv)
{
	int failed = 0;

	if (argc < 2)
		return replay_corpus(argv[0]);
	for (int i = 1; i < argc; i++)
		failed += replay(argv[i], i);
	printf("1..%d\n", argc - 1);
	return failed != 0;
}
