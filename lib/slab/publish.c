// SPDX-License-Identifier: MIT
/* publish.c - when the page of this process is written. */
#include "publish.h"

#include <errno.h>
#include <limits.h>
#include <slab/slab.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "peek.h"
#include "petition.h"
#include "report.h"
#include "root.h"
#include "thread.h"
#include "util/num.h"

#define PERIOD_MAX_MS 3600000
#define VISITS	      32
#define STACK_BYTES   ((size_t)128 << 10)

static struct publish *const p = &root.publish;

static uint64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

/* ---- options --------------------------------------------------------------------------------- */

static bool is_tree_name(const char *name, size_t len)
{
	static const char fine[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";

	return len && len < sizeof(p->wish.tree) && strspn(name, fine) >= len;
}

static bool is_word(const char *word, size_t len, const char *name)
{
	return strlen(name) == len && !memcmp(word, name, len);
}

static bool parse_word(const char *word, size_t len, struct publish_wish *wish)
{
	const char *at = word;
	uint64_t ms;

	if (is_word(word, len, "keep")) {
		wish->keep = true;
	} else if (is_word(word, len, "slow")) {
		wish->threadless = true;
	} else if (is_word(word, len, "thread")) {
		wish->threadless = false;
	} else if (len > 5 && !memcmp(word, "tree:", 5) && is_tree_name(word + 5, len - 5)) {
		memcpy(wish->tree, word + 5, len - 5);
		wish->tree[len - 5] = '\0';
	} else if (!num_scan_u64(&at, word + len, &ms) && at == word + len &&
		   ms >= PUBLISH_LEAST_MS && ms <= PERIOD_MAX_MS) {
		wish->period_ms = (uint32_t)ms;
	} else {
		return false;
	}
	return true;
}

bool publish_parse(const char *text, struct publish_wish *wish)
{
	struct publish_wish w = { .on = true, .period_ms = PUBLISH_PERIOD_MS };

	while (*text) {
		size_t len = strcspn(text, ",");

		if (!parse_word(text, len, &w))
			return false;
		text += len;
		text += *text == ',';
	}
	*wish = w;
	return true;
}

/* ---- writing; the lock is held --------------------------------------------------------------- */

static int make_page(const struct pubfile_figures *figures, bool tell)
{
	char where[512];
	int err;

	pubfile_leave(&p->file);
	memset(&p->file.head, 0, sizeof(p->file.head));
	p->file.head.flags = (p->wish.threadless ? 0 : WIRE_HAS_THREAD) |
			     (p->wish.keep ? WIRE_KEPT : 0);
	memcpy(p->file.head.tree, p->wish.tree, sizeof(p->wish.tree));
	err = pubfile_create(&p->file, figures, where, sizeof(where));
	if (err && tell)
		report_warn("nothing is published: %s: %s\n", where, strerror(-err));
	p->pid = err ? 0 : getpid();
	return err;
}

/* wait: for the root's lock; a slow path that may hold locks below it does not. */
static int write_page(uint64_t flags, bool wait, bool tell)
{
	struct pubfile_figures figures = { .flags = flags };
	int err;

	if (p->pid && p->pid != getpid())
		return -ECHILD; /* by a bare clone: the page is another process's */
	if (!census_take(&p->census, wait))
		return wait ? -ENOMEM : -EBUSY;
	figures.records = p->census.records.at;
	figures.bytes = p->census.bytes;
	figures.caches = p->census.caches;
	err = p->pid ? pubfile_write(&p->file, &figures) : -ESTALE;
	if (err == -ESTALE)
		err = make_page(&figures, tell);
	p->census.lost += err != 0;
	p->wrote_ms = now_ms();
	return err;
}

/* Everything that is asked; the figures are written anew before each answer. */
static void serve(uint32_t *bell, bool wait)
{
	struct wire_answer answer;
	struct wire_ask ask;

	if (pubfile_ask(&p->file, &ask, bell) != 1)
		return;
	petition_serve(&ask, &answer);
	write_page(0, wait, false);
	pubfile_answer(&p->file, &answer);
}

/* Short at first, so that what dies young leaves figures: as long as the page has been there. */
static uint64_t period_ms(void)
{
	uint64_t age = p->wrote_ms - p->born_ms;

	if (age < PUBLISH_LEAST_MS)
		age = PUBLISH_LEAST_MS;
	return age < p->wish.period_ms ? age : p->wish.period_ms;
}

/* ---- the thread ------------------------------------------------------------------------------ */

/*
 * One turn: what is asked, what is due; then how long to sleep, in ms (-1: until somebody rings).
 * The bell is read first: whoever rings after that ends the sleep before it begins.
 */
static int turn(uint32_t *bell)
{
	uint64_t next;

	serve(bell, true);
	if (peek(root.publish_due))
		return -1; /* nothing happened since the last writing */
	next = p->wrote_ms + period_ms();
	if (now_ms() < next)
		return (int)(next - now_ms()) + 1;
	__atomic_store_n(&root.publish_due, 1, __ATOMIC_SEQ_CST);
	write_page(0, true, false);
	return -1;
}

static void *work(void *arg)
{
	const struct timespec least = { .tv_nsec = PUBLISH_LEAST_MS * 1000000L };
	uint32_t bell = 0;

	for (;;) {
		struct wire_requests *requests;
		uint64_t start = now_ms();
		int ms;

		lock_take(&p->lock, LOCK_PUBLISH);
		if (p->ended || p->turn != (uintptr_t)arg) {
			lock_drop(&p->lock, LOCK_PUBLISH);
			return NULL;
		}
		ms = turn(&bell);
		requests = p->file.requests;
		lock_drop(&p->lock, LOCK_PUBLISH);
		pubfile_wait(requests, bell, ms);
		if (now_ms() < start + PUBLISH_LEAST_MS)
			nanosleep(&least, NULL);
	}
}

/* ---- beginning ------------------------------------------------------------------------------- */

/* A page for this process and somebody who writes it. The lock is held. */
static int begin(bool wait, bool tell)
{
	int err;

	p->pid = 0;
	p->ended = false;
	p->turn++; /* a thread of before, awake or not, is none of this page's */
	err = write_page(0, wait, tell);
	if (err)
		return err;
	p->born_ms = p->wrote_ms;
	p->thread = !p->wish.threadless &&
		    thread_start(work, (void *)(uintptr_t)p->turn, STACK_BYTES);
	poke(p->unhurried, !p->thread);
	/* With a thread it is the thread that sets it, and rings when it is cleared. */
	poke(root.publish_due, !p->thread);
	return 0;
}

/* Threadless: figures when the period is over, and what is asked. */
static void visit_threadless(void)
{
	uint32_t bell;

	if (now_ms() < p->wrote_ms + period_ms() || p->pid != getpid())
		return;
	write_page(0, false, false);
	serve(&bell, false);
}

static void visit_locked(void)
{
	if (!p->begun || p->ended)
		return;
	if (!p->pid) {
		poke(root.publish_due, 0);
		if (begin(false, false) == -EBUSY)
			poke(root.publish_due, 1);
	} else if (!p->thread) {
		visit_threadless();
	} else if (p->pid == getpid() &&
		   __atomic_exchange_n(&root.publish_due, 0, __ATOMIC_SEQ_CST)) {
		pubfile_ring(&p->file);
	}
}

void publish_visit(void)
{
	static __thread unsigned int visits;
	int saved = errno;

	/* Threadless, each visit comes here: the clock is looked at every so often. */
	if (peek(p->unhurried) && ++visits % VISITS)
		return;

	/* Whoever holds it is writing, or is us, in the midst of beginning. */
	if (lock_try(&p->lock)) {
		visit_locked();
		lock_drop_fork(&p->lock);
	}
	errno = saved;
}

/* Not in root_init: an early malloc may come before threads can be made. */
__attribute__((constructor)) static void start(void)
{
	root_init();
	lock_take(&p->lock, LOCK_PUBLISH);
	p->begun = true;
	p->wish = root.opts.publish;
	if (p->wish.on && begin(true, true))
		p->wish.on = false;
	lock_drop(&p->lock, LOCK_PUBLISH);
}

/* ---- the end, and fork ----------------------------------------------------------------------- */

/* The last figures. Whoever ends the process may hold the root's lock: not for ever then. */
static void write_last(void)
{
	const struct timespec nap = { .tv_nsec = 100000 };

	for (int i = 0; i < 50 && write_page(WIRE_LAST, false, false) == -EBUSY; i++)
		nanosleep(&nap, NULL);
}

/* The lock is held. */
static void end(void)
{
	poke(root.publish_due, 0);
	p->ended = true;
	if (!p->pid || p->pid != getpid())
		return;
	if (p->wish.keep)
		write_last();
	else
		pubfile_remove(&p->file);
	pubfile_leave(&p->file);
	p->pid = 0;
}

__attribute__((destructor)) static void stop(void)
{
	lock_take(&p->lock, LOCK_PUBLISH);
	end();
	lock_drop(&p->lock, LOCK_PUBLISH);
}

void publish_before_fork(void)
{
	lock_take_fork(&p->lock);
}

void publish_after_fork(bool child)
{
	if (child && p->pid) {
		pubfile_forget(&p->file);
		p->pid = 0;
		p->thread = false;
		poke(p->unhurried, false);
		poke(root.publish_due, 1);
	}
	lock_drop_fork(&p->lock);
}

/* ---- the program's calls --------------------------------------------------------------------- */

int slab_publish(const char *how)
{
	struct publish_wish wish;
	int err;

	root_init();
	if (!publish_parse(how ? how : "", &wish))
		return -EINVAL;
	lock_take(&p->lock, LOCK_PUBLISH);
	end();
	p->wish = wish;
	p->begun = true;
	err = begin(true, false);
	if (err)
		p->wish.on = false;
	lock_drop(&p->lock, LOCK_PUBLISH);
	return err;
}

void slab_unpublish(void)
{
	lock_take(&p->lock, LOCK_PUBLISH);
	end();
	p->wish.on = false;
	lock_drop(&p->lock, LOCK_PUBLISH);
}

int slab_publish_now(void)
{
	int err = -ENOENT;

	lock_take(&p->lock, LOCK_PUBLISH);
	if (p->wish.on && !p->ended)
		err = write_page(0, true, false);
	lock_drop(&p->lock, LOCK_PUBLISH);
	return err;
}

const char *slab_publish_path(void)
{
	const char *path;

	lock_take(&p->lock, LOCK_PUBLISH);
	path = p->pid == getpid() ? p->file.path : NULL;
	lock_drop(&p->lock, LOCK_PUBLISH);
	return path;
}
