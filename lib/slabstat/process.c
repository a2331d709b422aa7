// SPDX-License-Identifier: MIT
/* process.c - programs that publish; see process.h. */
#include "slabstat/process.h"

#include "slabstat/ask.h"
#include "util/num.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const state_names[] = {
	[SLABSTAT_PROCESS_RUNS] = "runs",	[SLABSTAT_PROCESS_ENDED] = "ended",
	[SLABSTAT_PROCESS_DIED] = "died",	[SLABSTAT_PROCESS_CHANGED] = "changed",
	[SLABSTAT_PROCESS_FOREIGN] = "foreign", [SLABSTAT_PROCESS_DAMAGED] = "damaged",
};

const char *slabstat_process_state_name(enum slabstat_process_state state)
{
	return (unsigned)state < sizeof(state_names) / sizeof(state_names[0]) ? state_names[state]
									      : NULL;
}

/* ---- identity -------------------------------------------------------------------------------- */

static bool of_this_boot(const struct wire_identity *who)
{
	char boot_id[sizeof(who->boot_id)];

	wire_boot_id(boot_id, sizeof(boot_id));
	return !*boot_id || !*who->boot_id || strcmp(boot_id, who->boot_id) == 0;
}

static bool of_this_namespace(const struct wire_identity *who)
{
	struct stat st;

	return !who->namespace || stat("/proc/self/ns/pid", &st) || st.st_ino == who->namespace;
}

static bool same_program(const struct wire_identity *who)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%" PRIu64 "/exe", who->pid);
	return !who->exe_ino || stat(path, &st) ||
	       (st.st_ino == who->exe_ino && st.st_dev == who->exe_dev);
}

/* That does not change while a page is open. */
static enum wirepage_origin find_origin(const struct wire_identity *who)
{
	if (!of_this_boot(who))
		return WIREPAGE_OTHER_BOOT;
	return of_this_namespace(who) ? WIREPAGE_HERE : WIREPAGE_OTHER_NAMESPACE;
}

enum slabstat_process_state process_state(struct wirepage *p)
{
	const struct wire_identity *who = &p->head.who;
	const enum slabstat_process_state gone =
		p->slot.flags & WIRE_LAST ? SLABSTAT_PROCESS_ENDED : SLABSTAT_PROCESS_DIED;
	uint64_t ticks;
	int ret;

	if (!p->origin)
		p->origin = find_origin(who);
	if (p->origin != WIREPAGE_HERE)
		return p->origin == WIREPAGE_OTHER_BOOT ? gone : SLABSTAT_PROCESS_FOREIGN;
	ret = wire_start_ticks(who->pid, &ticks, NULL);
	if (ret == -ESRCH || (ret == 0 && ticks != who->start_ticks))
		return gone;
	if (ret)
		return SLABSTAT_PROCESS_FOREIGN;
	return same_program(who) ? SLABSTAT_PROCESS_RUNS : SLABSTAT_PROCESS_CHANGED;
}

/* The counters of the process itself, by name. */
uint64_t process_counter(const struct wirepage *p, const char *id)
{
	struct wirepage_record r;
	size_t at = 0;

	while (wirepage_next(p, &at, &r) == 1) {
		unsigned place = 0;

		for (unsigned i = 0; r.type == WIRE_RECORD_PROCESS && i < p->head.counters; i++) {
			struct wire_name n = wirepage_name(p, i);

			if (n.scope != WIRE_PROCESS)
				continue;
			if (strcmp(n.id, id) == 0)
				return wirepage_value(&r, place);
			place++;
		}
	}
	return 0;
}

/* Strings of a page lie in the page. */
static void borrow_strings(const struct wirepage *p, const char *path,
			   struct slabstat_process *process)
{
	process->name = p->head.who.comm;
	process->tree = *p->head.tree ? p->head.tree : NULL;
	process->path = path;
}

void process_describe_figures(const struct wirepage *p, struct slabstat_process *process)
{
	process->wall_ns = (int64_t)p->slot.wall_ns;
	process->mono_ns = (int64_t)p->slot.mono_ns;
	process->caches = p->slot.caches;
	process->used_bytes = process_counter(p, "used_bytes");
	process->mapped_bytes = process_counter(p, "mapped_bytes");
}

void process_describe(struct wirepage *p, const char *path, struct slabstat_process *process)
{
	*process = (struct slabstat_process){
		.state = process_state(p),
		.pid = p->head.who.pid,
		.uid = p->head.uid,
		.born_ns = (int64_t)p->head.born_ns,
		.answers = p->head.flags & WIRE_HAS_THREAD,
	};
	borrow_strings(p, path, process);
	process_describe_figures(p, process);
}

#define FRESH_MS 250 /* for a process that answers to do so */

void process_ask_fresh(const struct wirepage *p)
{
	struct wire_ask a = { .verb = WIRE_ASK_FRESH };
	struct wire_answer answer;

	if (p->head.flags & WIRE_HAS_THREAD)
		ask_process(p, &a, &answer, FRESH_MS);
}

/* ---- the list -------------------------------------------------------------------------------- */

struct slabstat_processes {
	struct entry {
		struct wirepage page;
		struct slabstat_process process;
		char *path;
		ino_t ino;
	} * entry;
	size_t count, room;
	uint64_t only;			   /* pages of this process and no others; 0: all */
	struct slabstat_processes *before; /* whose open pages are taken over; NULL: none */
};

static struct entry *add_entry(struct slabstat_processes *l)
{
	struct entry *more;

	if (l->count == l->room) {
		more = reallocarray(l->entry, l->room ? l->room * 2 : 16, sizeof(*more));
		if (!more)
			return NULL;
		l->entry = more;
		l->room = l->room ? l->room * 2 : 16;
	}
	l->entry[l->count] = (struct entry){ .page = { .fd = -1 } };
	return &l->entry[l->count];
}

/* "PID-START": whose page a file is by its name. */
static bool name_tells(const char *path, uint64_t *pid, uint64_t *ticks)
{
	const char *name = strrchr(path, '/'), *end;

	name = name ? name + 1 : path;
	end = name + strlen(name);
	return !num_scan_u64(&name, end, pid) && *name++ == '-' &&
	       !num_scan_u64(&name, end, ticks) && name == end;
}

/* Others' pages, which may be many or damaged, are not looked into for one. */
static bool is_wanted(const struct slabstat_processes *l, const char *name)
{
	uint64_t pid, ticks;

	return !l->only || (name_tells(name, &pid, &ticks) && pid == l->only);
}

static void set_damaged(struct entry *e, uid_t uid)
{
	uint64_t ticks;

	e->process = (struct slabstat_process){
		.state = SLABSTAT_PROCESS_DAMAGED, .path = e->path, .why = e->page.why, .uid = uid
	};
	name_tells(e->path, &e->process.pid, &ticks);
}

static void read_entry(struct entry *e, int fd, uid_t uid)
{
	int ret = wirepage_open_file(&e->page, fd);

	if (ret == 0)
		ret = wirepage_read(&e->page);
	if (ret == 0) {
		process_describe(&e->page, e->path, &e->process);
		return;
	}
	set_damaged(e, uid);
}

/*
 * A page that is open still. Figures of one whose process is there are left to who wants them, and
 * those of one that was gone before are the last.
 */
static void reread_entry(struct entry *e, uid_t uid)
{
	enum slabstat_process_state state = e->process.state;

	borrow_strings(&e->page, e->path, &e->process);
	if (state == SLABSTAT_PROCESS_ENDED || state == SLABSTAT_PROCESS_DIED)
		return;
	e->process.state = process_state(&e->page);
	if (e->process.state != SLABSTAT_PROCESS_ENDED && e->process.state != SLABSTAT_PROCESS_DIED)
		return;
	if (wirepage_read(&e->page) == 0)
		process_describe(&e->page, e->path, &e->process);
	else
		set_damaged(e, uid);
}

static int compare_pid(const void *key, const void *entry)
{
	uint64_t pid = *(const uint64_t *)key, other = ((const struct entry *)entry)->process.pid;

	return pid < other ? -1 : pid > other;
}

/* The entry of the list before for the same file: an inode that is open is not used again. */
static struct entry *find_before(const struct slabstat_processes *l, const char *path, ino_t ino)
{
	const struct slabstat_processes *o = l->before;
	const struct entry *end = o ? o->entry + o->count : NULL;
	uint64_t pid, ticks;
	struct entry *e;

	if (!o || !o->count || !name_tells(path, &pid, &ticks))
		return NULL;
	e = bsearch(&pid, o->entry, o->count, sizeof(*e), compare_pid);
	while (e && e > o->entry && e[-1].process.pid == pid)
		e--;
	for (; e && e < end && e->process.pid == pid; e++)
		if (e->path && e->ino == ino && strcmp(e->path, path) == 0 &&
		    e->process.state != SLABSTAT_PROCESS_DAMAGED)
			return e;
	return NULL;
}

/* 0; -EMFILE and others: it is there, and cannot be read for want of something of ours. */
static int open_entry(struct entry *e, int dir, const char *name, uid_t uid)
{
	struct stat st;
	int fd;

	fd = openat(dir, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return errno == EMFILE || errno == ENFILE || errno == ENOMEM ? -errno : -ENOENT;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_uid != uid) {
		close(fd);
		return -ENOENT;
	}
	e->ino = st.st_ino;
	read_entry(e, fd, uid);
	return 0;
}

/* One file; what is no plain file, or not of the directory's owner, is none of ours. */
static int add_file(struct slabstat_processes *l, int dir, const char *directory,
		    const struct dirent *d, uid_t uid)
{
	struct entry *e, *old;
	int ret = 0;

	if (!is_wanted(l, d->d_name))
		return 0;
	e = add_entry(l);
	if (!e || asprintf(&e->path, "%s/%s", directory, d->d_name) < 0)
		return -ENOMEM;
	old = find_before(l, e->path, d->d_ino);
	if (old) {
		free(e->path);
		*e = *old;
		*old = (struct entry){ .page = { .fd = -1 } };
		old->process.pid = e->process.pid; /* it is searched by that */
		reread_entry(e, uid);
	} else {
		ret = open_entry(e, dir, d->d_name, uid);
	}
	if (ret == 0)
		l->count++;
	else
		free(e->path);
	return ret == -ENOENT ? 0 : ret;
}

static int add_directory(struct slabstat_processes *l, const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), ret = 0;
	struct dirent *d;
	struct stat st;
	DIR *dir;

	if (fd < 0)
		return 0;
	dir = fdopendir(fd);
	if (!dir || fstat(fd, &st) || (geteuid() && st.st_uid != geteuid())) {
		if (dir)
			closedir(dir);
		else
			close(fd);
		return 0;
	}
	while (ret == 0 && (d = readdir(dir)))
		if (*d->d_name != '.')
			ret = add_file(l, fd, path, d, st.st_uid);
	closedir(dir);
	return ret;
}

/* Directories of every user, for root. */
static int add_everyone(struct slabstat_processes *l)
{
	glob_t g = { 0 };
	int ret = 0;

	glob("/run/user/*/slab", GLOB_NOSORT, NULL, &g);
	glob("/run/slab/*", GLOB_NOSORT | GLOB_APPEND, NULL, &g);
	glob("/dev/shm/slab-*", GLOB_NOSORT | GLOB_APPEND, NULL, &g);
	for (size_t i = 0; ret == 0 && i < g.gl_pathc; i++)
		ret = add_directory(l, g.gl_pathv[i]);
	globfree(&g);
	return ret;
}

static int add_all(struct slabstat_processes *l)
{
	const char *runtime = getenv("XDG_RUNTIME_DIR");
	char path[PATH_MAX], shared[PATH_MAX];
	int ret = geteuid() ? 0 : add_everyone(l);

	for (unsigned i = 0; ret == 0 && wire_directory(i, runtime, geteuid(), path, sizeof(path));
	     i++) {
		/*
		 * Root's own were met among everyone's, unless its runtime directory is elsewhere.
		 */
		if (!geteuid() && (i || !runtime || !strncmp(runtime, "/run/user/", 10)))
			continue;
		snprintf(shared, sizeof(shared), "%s", path);
		ret = add_directory(l, shared);
	}
	return ret;
}

static int compare_entries(const void *a, const void *b)
{
	const struct slabstat_process *p = &((const struct entry *)a)->process;
	const struct slabstat_process *q = &((const struct entry *)b)->process;

	if (p->pid != q->pid)
		return p->pid < q->pid ? -1 : 1;
	return p->born_ns < q->born_ns ? -1 : p->born_ns > q->born_ns;
}

static int fail_listing(struct slabstat *h, int err)
{
	if (err == -ENOMEM)
		return error_memory(h);
	return error_set(h, err, NULL, 0,
			 "%s: more programs publish than pages can be open at a time; raise the "
			 "limit of open files (ulimit -n)",
			 strerror(-err));
}

static int read_pages(struct slabstat *h, uint64_t only, struct slabstat_processes *before,
		      struct slabstat_processes **list)
{
	struct slabstat_processes *l = calloc(1, sizeof(*l));
	int ret = -ENOMEM;

	*list = NULL;
	if (l) {
		l->only = only;
		l->before = before;
		ret = add_all(l);
		l->before = NULL;
	}
	if (ret) {
		slabstat_processes_free(l);
		return fail_listing(h, ret);
	}
	if (l->count)
		qsort(l->entry, l->count, sizeof(*l->entry), compare_entries);
	/* The entries were moved, and the pages' strings with them. */
	for (size_t i = 0; i < l->count; i++)
		if (l->entry[i].process.state != SLABSTAT_PROCESS_DAMAGED)
			borrow_strings(&l->entry[i].page, l->entry[i].path, &l->entry[i].process);
	*list = l;
	return 0;
}

int slabstat_processes_read(struct slabstat *h, struct slabstat_processes **list)
{
	return read_pages(h, 0, NULL, list);
}

int processes_reread(struct slabstat *h, struct slabstat_processes **list)
{
	struct slabstat_processes *before = *list;
	int ret = read_pages(h, 0, before, list);

	slabstat_processes_free(before);
	return ret;
}

void slabstat_processes_free(struct slabstat_processes *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->count; i++) {
		wirepage_close(&l->entry[i].page);
		free(l->entry[i].path);
	}
	free(l->entry);
	free(l);
}

size_t slabstat_processes_count(const struct slabstat_processes *l)
{
	return l->count;
}

const struct slabstat_process *slabstat_processes_get(const struct slabstat_processes *l, size_t i)
{
	return i < l->count ? &l->entry[i].process : NULL;
}

struct wirepage *processes_page(const struct slabstat_processes *l, size_t i)
{
	return l->entry[i].process.state == SLABSTAT_PROCESS_DAMAGED ? NULL : &l->entry[i].page;
}

/* Whether nobody can be writing it. */
static bool is_over(struct entry *e)
{
	uint64_t pid, began, ticks;

	switch (e->process.state) {
	case SLABSTAT_PROCESS_ENDED:
	case SLABSTAT_PROCESS_DIED:
		/* It may have been a moment ago: once more. */
		return process_state(&e->page) == e->process.state;
	case SLABSTAT_PROCESS_DAMAGED:
		/* Perhaps just being made, by the process that its name tells. */
		return name_tells(e->path, &pid, &began) &&
		       (wire_start_ticks(pid, &ticks, NULL) == -ESRCH || ticks != began);
	default:
		return false;
	}
}

int slabstat_processes_clean(struct slabstat *h, const struct slabstat_processes *l, size_t i)
{
	struct entry *e = i < l->count ? &l->entry[i] : NULL;

	if (!e)
		return error_set(h, -EINVAL, NULL, 0, "there is no such process");
	if (!is_over(e))
		return error_set(h, -EBUSY, e->path, 0, "its process may still run: left alone");
	if (unlink(e->path))
		return error_set(h, -errno, e->path, 0, "%s", strerror(errno));
	return 0;
}

/* ---- one of them ----------------------------------------------------------------------------- */

static bool is_page(int fd)
{
	char magic[8];
	struct stat st;

	return !fstat(fd, &st) && S_ISREG(st.st_mode) &&
	       pread(fd, magic, sizeof(magic), 0) == (ssize_t)sizeof(magic) &&
	       wirepage_sniff(magic, sizeof(magic));
}

/*
 * To ask the program for fresh figures takes writing: to a page alone, and to none behind a link.
 */
static int open_to_ask(const char *what)
{
	int fd = open(what, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC), rw = -1;
	struct stat a, b;

	if (fd < 0 || !is_page(fd))
		return fd;
	rw = open(what, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (rw < 0)
		return fd;
	if (fstat(fd, &a) || fstat(rw, &b) || a.st_dev != b.st_dev || a.st_ino != b.st_ino) {
		close(rw);
		return fd;
	}
	close(fd);
	return rw;
}

static int open_path(struct slabstat *h, const char *what, struct wirepage *p, char **path)
{
	int fd = open_to_ask(what), ret;

	if (fd < 0)
		return error_set(h, -errno, what, 0, "%s", strerror(errno));
	ret = wirepage_open_file(p, fd);
	if (ret) {
		error_set(h, ret, what, 0, "%s", p->why);
		wirepage_close(p);
		return ret;
	}
	*path = strdup(what);
	if (*path)
		return 0;
	wirepage_close(p);
	return error_memory(h);
}

static bool is_meant(const struct slabstat_process *process, const char *what)
{
	uint64_t pid;

	if (num_parse_u64(what, &pid) == 0)
		return process->pid == pid;
	return process->name && strcmp(process->name, what) == 0;
}

/* Those that run before those that do not; of the latter the last. */
static int choose(struct slabstat *h, const struct slabstat_processes *l, const char *what,
		  size_t *chosen)
{
	size_t running = 0, others = 0;
	char list[200] = "";

	for (size_t i = 0; i < l->count; i++) {
		const struct slabstat_process *process = &l->entry[i].process;

		if (!is_meant(process, what))
			continue;
		if (process->state == SLABSTAT_PROCESS_RUNS) {
			size_t len = strlen(list);

			snprintf(list + len, sizeof(list) - len, "%s%" PRIu64, running ? ", " : "",
				 process->pid);
			running++;
			*chosen = i;
		} else if (!running) {
			others++;
			*chosen = i;
		}
	}
	if (running > 1)
		return error_set(h, -EEXIST, what, 0,
				 "%zu programs of this name publish: say which by "
				 "number: %s",
				 running, list);
	if (running + others)
		return 0;
	return error_set(h, -ENOENT, what, 0,
			 "no such program publishes its slab caches; start it with "
			 "SLAB_OPTIONS=publish (slabinfo --list-processes shows those that do)");
}

/* The page that was looked at, not what stands at its path by now. */
static int take_page(struct slabstat *h, struct entry *e, struct wirepage *p, char **path)
{
	if (e->process.state == SLABSTAT_PROCESS_DAMAGED)
		return error_set(h, -EBADMSG, e->path, 0, "%s", e->process.why);
	*p = e->page;
	*path = e->path;
	e->page = (struct wirepage){ .fd = -1 };
	e->path = NULL;
	return 0;
}

int process_find(struct slabstat *h, const char *what, struct wirepage *p, char **path)
{
	struct slabstat_processes *l;
	uint64_t pid = 0;
	size_t i = 0;
	int ret;

	*p = (struct wirepage){ .fd = -1 };
	*path = NULL;
	if (strchr(what, '/'))
		return open_path(h, what, p, path);
	if (num_parse_u64(what, &pid))
		pid = 0;
	ret = read_pages(h, pid, NULL, &l);
	if (ret)
		return ret;
	ret = choose(h, l, what, &i);
	if (ret == 0)
		ret = take_page(h, &l->entry[i], p, path);
	slabstat_processes_free(l);
	return ret;
}
