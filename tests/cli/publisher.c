// SPDX-License-Identifier: MIT
/*
 * publisher.c - a program that uses libslabkit and does what standard input says, a line at a time;
 * each line is answered by one, so that a script knows when it has been done.
 *
 *	create CACHE SIZE [nomerge|nosheaf|debug|reclaim]
 *	alloc CACHE N		free CACHE N		walk CACHE (objects in use, by its own
 *							count)
 *	tune CACHE KEY VALUE	get CACHE KEY		shrink CACHE
 *	publish [HOW]		now			path
 *	fork			the child goes on with standard input, the parent waits for it
 *	exec			becomes itself anew
 */
#include <errno.h>
#include <slab/slab.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CACHES	64
#define OBJECTS 100000

static struct {
	char name[64];
	struct kmem_cache *s;
	void *p[OBJECTS];
	unsigned int n;
} cache[CACHES];
static unsigned int caches;

static unsigned int find(const char *name)
{
	for (unsigned int i = 0; i < caches; i++)
		if (!strcmp(cache[i].name, name))
			return i;
	fprintf(stderr, "publisher: no cache %s\n", name);
	exit(2);
}

static long create(char **word)
{
	const char *how = word[3] ? word[3] : "";
	struct kmem_cache_args args = { .sheaf_capacity =
						strcmp(how, "nosheaf") ? 0 : SLAB_NO_SHEAVES };
	slab_flags_t flags = !strcmp(how, "nomerge") ? SLAB_NO_MERGE :
			     !strcmp(how, "reclaim") ? SLAB_RECLAIM_ACCOUNT :
			     !strcmp(how, "debug")   ? SLAB_RED_ZONE | SLAB_POISON :
						       0;

	snprintf(cache[caches].name, sizeof(cache[caches].name), "%s", word[1]);
	cache[caches].s = kmem_cache_create(word[1], (unsigned int)atoi(word[2]), &args, flags);
	return cache[caches++].s ? 0 : -errno;
}

static long alloc(char **word)
{
	unsigned int i = find(word[1]), n = (unsigned int)atoi(word[2]);

	for (; n && cache[i].n < OBJECTS; n--)
		cache[i].p[cache[i].n++] = kmem_cache_alloc(cache[i].s, GFP_KERNEL);
	return cache[i].n;
}

static long release(char **word)
{
	unsigned int i = find(word[1]), n = (unsigned int)atoi(word[2]);

	for (; n && cache[i].n; n--)
		kmem_cache_free(cache[i].s, cache[i].p[--cache[i].n]);
	return cache[i].n;
}

static long walk(char **word)
{
	struct kmem_cache *s = cache[find(word[1])].s;
	struct kmem_cache_stats st;

	if (kmem_cache_validate(s))
		return -1;
	kmem_cache_stats(s, &st);
	return (long)st.objects_in_use;
}

static long tune(char **word)
{
	return kmem_cache_tune(cache[find(word[1])].s, word[2], strtoul(word[3], NULL, 10));
}

static long get(char **word)
{
	unsigned long value = 0;
	int err = kmem_cache_tunable(cache[find(word[1])].s, word[2], &value);

	return err ? err : (long)value;
}

static long shrink(char **word)
{
	return kmem_cache_shrink(cache[find(word[1])].s);
}

static long publish(char **word)
{
	return slab_publish(word[1]);
}

static long now(char **word)
{
	(void)word;
	return slab_publish_now();
}

static long go_on_in_child(char **word)
{
	pid_t pid;
	int status;

	(void)word;
	pid = fork();
	if (!pid)
		return getpid();
	waitpid(pid, &status, 0);
	exit(WEXITSTATUS(status));
}

static long exec_self(char **word)
{
	(void)word;
	execl("/proc/self/exe", "publisher", NULL);
	return -errno;
}

static const struct {
	const char *name;
	int words;
	long (*run)(char **word);
} commands[] = {
	{ "create", 3, create }, { "alloc", 3, alloc },	    { "free", 3, release },
	{ "walk", 2, walk },	 { "tune", 4, tune },	    { "get", 3, get },
	{ "shrink", 2, shrink }, { "publish", 1, publish }, { "now", 1, now },
	{ "fork", 1, go_on_in_child }, { "exec", 1, exec_self },
};

static void obey(char **word, int words)
{
	if (!strcmp(word[0], "path")) {
		printf("%s\n", slab_publish_path() ? slab_publish_path() : "none");
		return;
	}
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		if (strcmp(commands[i].name, word[0]) || words < commands[i].words)
			continue;
		printf("%ld\n", commands[i].run(word));
		return;
	}
	fprintf(stderr, "publisher: not a command: %s\n", word[0]);
	exit(2);
}

int main(void)
{
	char line[256];

	setvbuf(stdout, NULL, _IOLBF, 0);
	setvbuf(stdin, NULL, _IONBF, 0); /* a child and another image read on where we stopped */
	printf("%d\n", (int)getpid());
	while (fgets(line, sizeof(line), stdin)) {
		char *word[8] = { NULL }, *rest = line;
		int words = 0;

		while (words < 7 && (word[words] = strsep(&rest, " \n")))
			words += *word[words] != '\0';
		word[words] = NULL;
		if (words)
			obey(word, words);
	}
	return 0;
}
