// SPDX-License-Identifier: MIT
/*
 * slab.c - one slab; and, here at the head, the theory of the allocator.
 *
 * VOCABULARY
 *
 *	object	what the user gets: size bytes at a fixed place in a slab
 *	slab	a block of 4 KiB << order, cut into objects of one cache; its descriptor (struct
 *		slab) lies in the header of the chunk, never among objects
 *	chunk	4 MiB of address space, cut into blocks of one order (pages.h)
 *	sheaf	an array of pointers to free objects that moves as a whole (sheaf.h)
 *	barn	a CPU's stock of full and empty sheaves (barn.h)
 *	block	a CPU's part of a cache: main and spare sheaf, barn, list of partial slabs (cache.h)
 *	node	the partial slabs of a memory node and what they add up to, under one lock (node.h);
 *		on most machines there is one
 *	home	the CPU whose partial list a slab joins: the one that made it, if it is of the
 *		slab's node
 *	near	of the CPU's own memory node, or of memory that was placed by a policy (numa.h)
 *	hole	a page inside a slab in use that the system has back (hole.h)
 *	drain	taking everything out of every CPU's block, while others go on
 *
 * LAYERS. Calls go down only, and each step names the one lock that may be taken on it:
 *
 *	<slab/fast.h>			in the program: the sequence alone, else a call
 *	alloc, bulk, kmalloc		with no memory: reclaim, shrinker (reclaim.h)
 *	   |  restartable sequence, or the block's lock (cpu.h)
 *	sheaf, cpuslab			main and spare; without sheaves, the CPU's slab
 *	   |  barn lock
 *	barn				whole sheaves
 *	   |  node lock
 *	node, detached, slab		freelists
 *	   |  pages lock
 *	pages, slabmap			mmap, munmap, madvise
 *
 * LIFE OF AN OBJECT. Never used, it is a place behind slab.fresh. Allocated, it goes from the slab
 * into a sheaf (a whole sheaf is filled at once) and from there to the user. Freed, it goes into
 * the main sheaf of the CPU that frees, whoever allocated it. Full sheaves go to the barn and come
 * back from there; only when the barn is full, or empty, are slabs touched. A flushed object is
 * chained with others of its slab while the freeing thread still owns it (detached.h), and the
 * chain goes into the slab in one step. An object is written by the allocator only in a slab: its
 * link, masked. Objects with a constructor, and SLAB_TYPESAFE_BY_RCU ones, have the link behind
 * them.
 *
 * STATES OF A SLAB. inuse counts the objects that are not on its freelist, hidden by a hole, nor
 * never used. While holes are dug in a slab ("digging", some dozens at a time) nothing is taken
 * from it, and it stays listed, also when it becomes empty.
 *
 *	state		inuse		listed	frozen	who may change it
 *	new		0		no	no	its maker
 *	partial		< objects	yes	no	holder of the node lock; without sheaves
 *							also whoever puts an object into it
 *	full		= objects	no	no	the same
 *	empty, kept	0		yes	no	the same; nr_partial <= min_partial
 *	empty, leaving	0		no	no	holder of the node lock, then the pages
 *							layer
 *	CPU's own	= objects	no	yes	the block's owner; others add to its
 *							freelist
 *	CPU partial	< objects	no	yes	the same
 *
 * The last two exist only in caches without sheaves. There the word {head, inuse, frozen, seq} is
 * changed by compare-exchange, and by the rule: a step that makes a slab join or leave the node's
 * list is taken with the node lock held, or makes the slab frozen and so its taker's. seq differs
 * for each state, so an exchange never mistakes an old state for the same one come again.
 *
 * LOCK ORDER. Ranks grow downwards; builds with SLABKIT_DEBUG stop at the first lock taken out of
 * order (lock.h).
 *
 *	0 publish	writing the page (publish.h); slow paths only try it
 *	1 root		list of caches, names, making a cache
 *	  pool, shrinker	reserves; the list of shrinkers, whose callbacks run without it
 *	2 drain		one drain of a cache at a time
 *	3 block		one CPU's sheaves; taken by trying, never waited for but in a drain or a
 *			fork
 *	4 barn		one at a time, also in a theft
 *	5 node		no user's code (constructors, hooks) runs under it
 *	6 pages		mapping runs under it, giving back does not
 *	malloc's runs (lib/malloc) have a lock of their own, which is taken before pages'
 *
 * CPU MIGRATION. Right by construction, not by luck: everything a thread does to a block is either
 * one restartable sequence, which commits by a single store or is run anew from its start after any
 * preemption, migration or signal; or done as owner of the block's lock, which stays with the
 * thread, wherever it runs, until it gives it back. Between the two a thread holds nothing but the
 * object in its hand. Why no stale count can be committed is told in cpu.h. A thread that meets an
 * owned block goes round it to the node: nobody waits for a preempted owner.
 *
 * THREAD EXIT leaves nothing behind, because nothing belongs to a thread. A thread that dies as
 * owner of a block (cancelled, or a longjmp out of a signal handler) leaves that block owned: the
 * CPU then works without its sheaves, and drains give it up after two seconds.
 *
 * REMOTE FREE. On one memory node there is none: a free fills the freeing CPU's sheaf. If CPU A
 * only allocates and B only frees, B's barn fills and A's runs dry; after a barn's worth of misses
 * in a row A takes full sheaves from B's barn for empty ones, 1, 2, 4 ... 16 at a time, back to 1
 * at its next flush. Not sooner: two CPUs that each allocate and free in waves would trade objects
 * for ever, and share the cache lines of both. What B flushes goes to the objects' home lists,
 * where A looks first.
 *
 * MEMORY NODES. A chunk is of one node, and so are its slabs and objects; whose policy says
 * otherwise gets chunks that nothing is asked for, which are near to everybody (numa.h). Sheaves
 * and barns hold near objects alone: they are filled from near slabs, stolen from CPUs of the same
 * node, and a free looks at the object's node first. That look may not cost a machine with one node
 * anything, nor change what programs have inlined: with several nodes a block's upper bound is 0
 * even while it is free, so that every push fails; the slow path then finds the object's chunk and
 * pushes by a sequence that compares nodes itself (cpu_push_near), since the thread may have been
 * moved since. Far objects go to their slabs. When near memory is out, far memory is used, round
 * the sheaves.
 *
 * MEMORY RETURN is decided on the way of the free that crosses a bound, or of the allocation that
 * finds no memory; no timer, and no thread unless events of pressure are asked for (pressure.h).
 *	barn	holds what its limit allows; a flow of frees alone halves the limit down to nothing,
 *		misses double it again (barn.h)
 *	node	keeps empty slabs while it has no more than min_partial partial ones; each node by
 *		itself
 *	holes	whole free pages of slabs in use go back on shrink, and under pressure after all
 *		that is empty: by MADV_DONTNEED, like blocks, so that what is held is told truly at
 *		once. (MADV_FREE would spare the fault where a page is wanted again soon, but counts
 *		as held until the system is short, and a limit must know.) The objects on them are
 *		on no freelist.
 *	pages	keeps free pages up to a floor and a sixteenth of those in use; the floor grows by
 *		those that are needed again soon after they were returned (retain.h)
 *
 * FORK. The forking thread takes every lock there is, in rank order, blocks included, so that the
 * child finds every layer at rest (fork.c). Sequences that other threads were in left no trace.
 *
 * FAILURE. Memory comes from one place, pages_alloc (and pages_regain, for a hole), and its NULL
 * goes up through every layer; what a layer had got till then it keeps, consistent. At the top,
 * where no lock is held, reclaim empties caches and asks shrinkers, and the allocation is made
 * again. A CPU that gets no memory for sheaves works without. Bulk allocation gives back what it
 * had and returns 0. Misuse ends in report_misuse, and if the hook lets the program live, the
 * object in question is left alone for good.
 *	seen always, on the slow path: an address that is no object's start, the wrong cache, an
 *		object that is free in its slab already (its link reads as one), a damaged link
 *	seen in caches that watch (debug.h): the same at once, and overruns, use after free, owners
 * Tests make failures: of blocks of pages for everybody, of objects in caches made for it
 * (fault.h).
 *
 * PUBLISHING. Copies of the statistics go into a file for others to read (wire.h); nothing of the
 * allocator lies there. census.c takes them under the root's lock alone, publish.c says when, and
 * pubfile.c writes; a thread of ours does it, or slow paths, which only try locks on that way.
 *
 * STATISTICS (stats.c) are sums over CPUs of words that each have one writer at a time, or are
 * written under a lock; nothing is walked. Each is true for a moment; together they are exact when
 * nobody is at work, and total = in use + in sheaves + in barns + free in slabs always holds by
 * definition of "in use".
 *
 * IF YOU CHANGE
 *	the layout of cpu_block		the sequences of each machine know it; cache.h asserts it.
 *					So do programs: what fast.h names, and what the bounds mean,
 *					changes only with the name of SLAB_FAST_OFFSET
 *	what the fast path loads	bounds before n before main: cpu.h says why
 *	a sheaf's fields		sheaf_bytes, and the power of two with the header
 *	a capacity at run time		only with every block of the cache in one hand (tune.c)
 *	when a slab joins or leaves a list	the table above; check.c walks it, model_test runs
 *						it
 *	the order of locks		lock.h, and fork.c takes them all
 *	anything at all			make check in every variant, make stress
 */
#include "slab.h"

#include "asan.h"
#include "debug.h"
#include "hole.h"
#include "link.h"
#include "peek.h"
#include "report.h"
#include "root.h"

/* ---- making and releasing -------------------------------------------------------------------- */

static void construct(struct kmem_cache *s, struct slab *slab)
{
	for (uint32_t i = 0; i < s->objects; i++)
		s->ctor(link_object(s, slab, i));
}

unsigned int slab_new(struct kmem_cache *s, unsigned int node, unsigned int home,
		      struct slab **slab, unsigned int want)
{
	unsigned int got = pages_alloc(s->order, node, BLOCK_SLAB, home, slab, want);

	/* Its node's lock guards its list: the CPU's only if that is of the node. */
	if (numa_of_cpu(&root.numa, home) != node)
		home = SLAB_NO_HOME;

	for (unsigned int i = 0; i < got; i++) {
		slab[i]->home = (uint16_t)home;
		slab[i]->base += s->left;
		if (s->debug)
			debug_new_slab(s, slab[i]);
		if (s->ctor)
			construct(s, slab[i]);
		if (!s->debug)
			asan_poison(slab[i]->base, pages_block_bytes(slab[i]));
		__atomic_store_n(&slab[i]->cache, s, __ATOMIC_RELEASE);
	}
	return got;
}

/* The last look at objects that nobody will allocate again. */
static void check_released(struct kmem_cache *s, struct slab *slab)
{
	for (uint32_t i = 0; i < slab->fresh; i++)
		debug_check_free(s, link_object(s, slab, i));
}

void slab_release(struct slab *chain)
{
	for (struct slab *slab = chain; slab; slab = slab->next) {
		if (slab->cache->debug)
			check_released(slab->cache, slab);
		else
			asan_unpoison(slab->base, pages_block_bytes(slab));
	}
	if (chain && chain->cache->flags & SLAB_TYPESAFE_BY_RCU)
		rcu_defer_slabs(chain);
	else if (chain)
		pages_free(chain);
}

/* ---- the freelist ---------------------------------------------------------------------------- */

bool slab_on_freelist(struct kmem_cache *s, const struct slab *slab, const void *object)
{
	uint64_t at = (uintptr_t)slab_first_free(s, slab, slab_word(slab));

	if (hole_hides(s, slab, object))
		return true;
	for (uint32_t i = 0; i < s->objects && at && link_in_slab(slab, at); i++) {
		if (at == (uintptr_t)object)
			return true;
		at = link_load(s, (void *)at);
	}
	return false;
}

unsigned int slab_take(struct kmem_cache *s, struct slab *slab, void **p, unsigned int want)
{
	union slab_word w = slab->w;
	void *head = slab_first_free(s, slab, w);
	unsigned int got = 0;

	while (got < want && head) {
		uint64_t next = link_load(s, head);

		if (__builtin_expect(next && !link_in_slab(slab, next), 0)) {
			report_misuse(s, head, "freelist damaged: a free object was written to");
			next = 0;
		}
		link_wipe(s, head);
		p[got++] = head;
		head = (void *)next;
	}
	if (__builtin_expect(slab->holes, 0))
		got += hole_take(s, slab, &head, p + got, want - got);
	while (got < want && !slab->holes && slab->fresh < s->objects) {
		p[got++] = link_object(s, slab, slab->fresh);
		poke(slab->fresh, (uint16_t)(slab->fresh + 1));
	}
	w.head = slab_head_of(s, slab, head);
	w.inuse = (uint16_t)(w.inuse + got);
	poke(slab->w.all, w.all);
	return got;
}

void slab_put(struct kmem_cache *s, struct detached *d)
{
	struct slab *slab = d->slab;
	union slab_word w = slab->w;

	link_store(s, d->tail, slab_first_free(s, slab, w));
	w.head = slab_head_of(s, slab, d->head);
	w.inuse = (uint16_t)(w.inuse - d->count);
	poke(slab->w.all, w.all);
}

/* One step from one state to the next; the count of changes makes each state a new one. */
static bool change(struct slab *slab, union slab_word *old, union slab_word w)
{
	w.seq = old->seq + 1;
	if (!__atomic_compare_exchange_n(&slab->w.all, &old->all, w.all, false, __ATOMIC_ACQ_REL,
					 __ATOMIC_ACQUIRE))
		return false;
	*old = w;
	return true;
}

bool slab_put_word(struct kmem_cache *s, struct detached *d, union slab_word *old, bool frozen)
{
	union slab_word w = *old;

	link_store(s, d->tail, slab_first_free(s, d->slab, w));
	w.head = slab_head_of(s, d->slab, d->head);
	w.inuse = (uint16_t)(w.inuse - d->count);
	w.frozen = frozen;
	return change(d->slab, old, w);
}

void *slab_freeze(struct kmem_cache *s, struct slab *slab, uint32_t *n)
{
	union slab_word old = slab_word(slab), w;
	void *head;

	do {
		head = slab_first_free(s, slab, old);
		*n = s->objects - (uint32_t)old.inuse;
		w = old;
		w.head = 0;
		w.inuse = s->objects;
		w.frozen = true;
	} while (!change(slab, &old, w));
	return head;
}

void slab_mark_frozen(struct slab *slab)
{
	union slab_word old = slab_word(slab), w;

	do {
		w = old;
		w.frozen = true;
	} while (!change(slab, &old, w));
}

bool slab_thaw_full(struct kmem_cache *s, struct slab *slab)
{
	union slab_word old = slab_word(slab), w = old;

	w.frozen = false;
	return old.inuse == s->objects && change(slab, &old, w);
}

union slab_word slab_thaw(struct slab *slab)
{
	union slab_word old = slab_word(slab), w;

	do {
		w = old;
		w.frozen = false;
	} while (!change(slab, &old, w));
	return old;
}

void slab_link_all(struct kmem_cache *s, struct slab *slab)
{
	union slab_word w = { .head = 1 };

	for (uint32_t i = 0; i < s->objects; i++)
		link_store(s, link_object(s, slab, i),
			   i + 1U < s->objects ? link_object(s, slab, i + 1) : NULL);
	poke(slab->fresh, s->objects);
	poke(slab->w.all, w.all);
}

struct slab *slab_of_object(struct kmem_cache *s, void *object)
{
	struct slab *slab = slab_find(&root.map, object);
	const char *what;
	uint32_t index;

	if (__builtin_expect(!slab, 0)) {
		report_misuse(s, object, "free of an address that is no object");
		return NULL;
	}
	if (__builtin_expect(slab->cache == s && slab_is_object(s, slab, object), 1))
		return slab;
	index = link_index(s, slab, object);
	if (slab->cache != s)
		what = "free to the wrong cache";
	else if (link_object(s, slab, index) != object)
		what = "free of an address inside an object";
	else
		what = "free of an object that was never allocated";
	report_misuse(s, object, what);
	return NULL;
}

bool slab_holds(const struct kmem_cache *s, const void *object)
{
	const struct slab *slab = slab_find(&root.map, object);

	return slab && slab->cache == s &&
	       link_index(s, slab, object) * s->size ==
		       (uint32_t)((const char *)object - slab->base);
}
