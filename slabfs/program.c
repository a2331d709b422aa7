// SPDX-License-Identifier: MIT
/* program.c - programs and their moments; see program.h. */
#include "program.h"

#include "attribute.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#define GLANCE_NS 50000000	/* how old what a glance finds may be */
/* for how long a reader that goes on to other files stays in a moment */
#define BURST_NS  20000000

/*
 * One that was looked at. Its lock is held while a moment of it is taken, which may take a while.
 */
struct program {
	struct program *next;
	uint64_t pid;
	unsigned refs;
	pthread_mutex_t lock;
	struct moment *moment;		/* the last; NULL: none yet */
};

struct programs {
	pthread_mutex_t lock;		/* of the list, and of refs of those in it */
	struct program *first;
};

static int64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

/* ---- moments --------------------------------------------------------------------------------- */

static struct moment *moment_get(struct moment *m)
{
	__atomic_add_fetch(&m->refs, 1, __ATOMIC_RELAXED);
	return m;
}

void moment_put(struct moment *m)
{
	if (!m || __atomic_sub_fetch(&m->refs, 1, __ATOMIC_ACQ_REL))
		return;
	caches_free(&m->caches);
	slabstat_snapshot_free(m->snapshot);
	slabstat_source_close(m->source);
	slabstat_free(m->h);
	free(m);
}

static int note_page(struct moment *m)
{
	const struct slabstat_process *p = slabstat_source_process(m->source);
	struct stat st;

	if (!p || stat(p->path, &st))
		return -ENOENT;
	m->dev = st.st_dev;
	m->ino = st.st_ino;
	m->state = p->state;
	m->uid = (uid_t)p->uid;
	m->born_ns = p->born_ns;
	m->wall_ns = p->wall_ns;
	return 0;
}

static int read_moment(struct moment *m)
{
	char number[24];
	struct slabstat_spec spec = { .process = number };
	int ret;

	snprintf(number, sizeof(number), "%" PRIu64, m->pid);
	m->h = slabstat_new();
	if (!m->h)
		return -ENOMEM;
	ret = slabstat_source_open(m->h, &spec, &m->source);
	if (ret == 0)
		ret = slabstat_source_read(m->source, NULL, &m->snapshot);
	if (ret == 0)
		ret = note_page(m);
	if (ret == 0)
		ret = caches_list(&m->caches, m->snapshot);
	return ret == 0 || ret == -ENOENT || ret == -ENOMEM ? ret : -EIO;
}

static int take_moment(uint64_t pid, pid_t reader, struct moment **moment)
{
	struct moment *m = calloc(1, sizeof(*m));
	int ret;

	*moment = NULL;
	if (!m)
		return -ENOMEM;
	*m = (struct moment){ .refs = 1, .pid = pid, .reader = reader, .asked_ns = now_ns() };
	ret = read_moment(m);
	m->taken_ns = now_ns();
	if (ret)
		moment_put(m);
	else
		*moment = m;
	return ret;
}

/* The page may have gone with its program, or have been left for another. */
static bool is_there(const struct moment *m)
{
	const struct slabstat_process *p = slabstat_source_process(m->source);
	struct stat st;

	return !stat(p->path, &st) && st.st_dev == m->dev && st.st_ino == m->ino;
}

static bool will_do(const struct moment *m, int64_t arrival, pid_t reader, enum program_need need)
{
	if (need == PROGRAM_GLANCE)
		return m->taken_ns >= arrival - GLANCE_NS;
	return m->asked_ns >= arrival ||
	       (reader && m->reader == reader && m->taken_ns >= arrival - BURST_NS);
}

/* ---- programs -------------------------------------------------------------------------------- */

static void put_program(struct programs *all, struct program *p, bool forget)
{
	struct program **at;
	bool last;

	pthread_mutex_lock(&all->lock);
	for (at = &all->first; *at && *at != p; at = &(*at)->next)
		;
	if (forget && *at) {
		*at = p->next;
		p->refs--;
	}
	last = --p->refs == 0;
	pthread_mutex_unlock(&all->lock);
	if (!last)
		return;
	moment_put(p->moment);
	pthread_mutex_destroy(&p->lock);
	free(p);
}

static struct program *get_program(struct programs *all, uint64_t pid)
{
	struct program *p;

	pthread_mutex_lock(&all->lock);
	for (p = all->first; p && p->pid != pid; p = p->next)
		;
	if (!p && (p = calloc(1, sizeof(*p)))) {
		*p = (struct program){ .pid = pid, .refs = 1, .next = all->first };
		pthread_mutex_init(&p->lock, NULL);
		all->first = p;
	}
	if (p)
		p->refs++;
	pthread_mutex_unlock(&all->lock);
	return p;
}

int program_look(struct programs *all, uint64_t pid, pid_t reader, enum program_need need,
		 struct moment **moment)
{
	const int64_t arrival = now_ns();
	struct program *p = get_program(all, pid);
	struct moment *m;
	int ret = 0;

	if (!p)
		return -ENOMEM;
	pthread_mutex_lock(&p->lock);
	m = p->moment;
	if (!m || !will_do(m, arrival, reader, need) || !is_there(m)) {
		ret = take_moment(pid, reader, &m);
		moment_put(p->moment);
		p->moment = m;
	}
	if (m)
		*moment = moment_get(m);
	pthread_mutex_unlock(&p->lock);
	put_program(all, p, ret != 0);
	return ret;
}

static int ask(const struct moment *m, const struct slabstat_cache *cache, int a, uint64_t value)
{
	if (a == ATTRIBUTE_SHRINK)
		return slabstat_source_act(m->source, cache, SLABSTAT_TUNE_SHRINK);
	if (a == ATTRIBUTE_VALIDATE)
		return slabstat_source_act(m->source, cache, SLABSTAT_TUNE_VALIDATE);
	return slabstat_source_tune(m->source, cache, (enum slabstat_field)a, value);
}

int program_write(struct programs *all, const struct moment *m, const struct slabstat_cache *cache,
		  int a, uint64_t value)
{
	struct program *p = get_program(all, m->pid);
	int ret;

	if (!p)
		return -ENOMEM;
	pthread_mutex_lock(&p->lock);
	ret = ask(m, cache, a, value);
	/* Whoever looks next sees what came of it. */
	moment_put(p->moment);
	p->moment = NULL;
	pthread_mutex_unlock(&p->lock);
	put_program(all, p, false);
	return ret == -ENOENT || ret == -ESRCH ? -ENODEV : ret;
}

struct programs *programs_new(void)
{
	struct programs *all = calloc(1, sizeof(*all));

	if (all)
		pthread_mutex_init(&all->lock, NULL);
	return all;
}

void programs_free(struct programs *all)
{
	if (!all)
		return;
	while (all->first) {
		struct program *p = all->first;

		all->first = p->next;
		moment_put(p->moment);
		pthread_mutex_destroy(&p->lock);
		free(p);
	}
	pthread_mutex_destroy(&all->lock);
	free(all);
}

int programs_list(void (*each)(uint64_t pid, void *arg), void *arg)
{
	struct slabstat *h = slabstat_new();
	struct slabstat_processes *list;
	uint64_t last = 0;
	int ret = h ? slabstat_processes_read(h, &list) : -ENOMEM;

	for (size_t i = 0; ret == 0 && i < slabstat_processes_count(list); i++) {
		const struct slabstat_process *p = slabstat_processes_get(list, i);

		if (p->state != SLABSTAT_PROCESS_DAMAGED && p->pid != last)
			each(last = p->pid, arg);
	}
	if (ret == 0)
		slabstat_processes_free(list);
	slabstat_free(h);
	return ret;
}
