// SPDX-License-Identifier: MIT
/*
 * holes.c - make slabs with holes, and run a command while they are there.
 *
 *	holes [-m] [-k N] COMMAND [ARGUMENT...]
 *
 * 20000 epoll items, of which all but one in N (8) are deleted: each cache that they come from is
 * left with slabs that are mostly empty. With -m then 16000 areas of one page are mapped, whose
 * objects fill the holes where caches are merged (eventpoll_pwq and anon_vma_chain are of one
 * size) and cannot where they are not. Exits with the command's status. Under `slabinfo record`
 * both moments are marked.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define ITEMS 20000
#define AREAS 16000

static int fail(const char *what)
{
	perror(what);
	exit(125);
}

/* A line in the file that the recorder named is a mark. */
static void mark(const char *text)
{
	const char *path = getenv("SLABINFO_MARKS");
	FILE *f = path ? fopen(path, "a") : NULL;

	if (f) {
		fprintf(f, "%s\n", text);
		fclose(f);
	}
}

/* Many descriptors of one file: each is an item of its own. */
static void make_holes(int keep)
{
	int epoll = epoll_create1(EPOLL_CLOEXEC), file = eventfd(0, EFD_CLOEXEC);
	struct rlimit limit;
	static int fd[ITEMS];

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || epoll < 0 || file < 0)
		fail("holes: setup");
	if (limit.rlim_max < ITEMS + 100)
		limit.rlim_max = ITEMS + 100;
	limit.rlim_cur = limit.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &limit) < 0)
		fail("holes: 20000 descriptors");
	for (int i = 0; i < ITEMS; i++) {
		struct epoll_event event = { .events = EPOLLIN };

		fd[i] = dup(file);
		if (fd[i] < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, fd[i], &event) < 0)
			fail("holes: epoll item");
	}
	for (int i = 0; i < ITEMS; i++)
		if (i % keep && epoll_ctl(epoll, EPOLL_CTL_DEL, fd[i], NULL) < 0)
			fail("holes: delete");
	/* The descriptors themselves are of no use any more, and the command wants none of them. */
	for (int i = 0; i < ITEMS; i++)
		if (i % keep)
			close(fd[i]);
}

/* Neighbours with different rights stay apart, each with an anon_vma of its own. */
static void fill_holes(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	for (int i = 0; i < AREAS; i++) {
		char *p = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			       -1, 0);

		if (p == MAP_FAILED || munmap(p + page, page) < 0)
			fail("holes: map");
		*p = 1;
	}
}

int main(int argc, char **argv)
{
	int option, keep = 8, map = 0, status;
	pid_t pid;

	while ((option = getopt(argc, argv, "+mk:")) != -1) {
		if (option == 'm')
			map = 1;
		else if (option == 'k' && atoi(optarg) > 0)
			keep = atoi(optarg);
		else
			return 125;
	}
	if (optind == argc)
		return 125;
	make_holes(keep);
	mark("holes");
	if (map) {
		fill_holes();
		mark("filled");
	}
	pid = fork();
	if (pid == 0) {
		execvp(argv[optind], argv + optind);
		perror(argv[optind]);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		fail("holes: command");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 125;
}
