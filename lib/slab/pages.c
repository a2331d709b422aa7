// SPDX-License-Identifier: MIT
/* pages.c - chunks, their blocks, and giving memory back. */
#include "pages.h"

#include <errno.h>
#include <slab/slab.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "peek.h"
#include "root.h"

#define RANGES 128 /* given back in one call */
#define RUNS   16  /* of a chunk: 256 KiB, 64 blocks of one page */
/* linux/pidfd.h has it as PIDFD_SELF_THREAD_GROUP, from 6.15 on. */
#define PIDFD_SELF_PROCESS   (-10001)
#define HEADER_BYTES(blocks) (sizeof(struct chunk) + (size_t)(blocks) * sizeof(struct slab))

_Static_assert(sizeof(struct slab) == 64, "one line a descriptor");
_Static_assert(RETAIN_ORDERS == PAGES_MAX_ORDER + 1, "each order");

/* Fault injection: every map and every block counts. */
static bool allowed(struct pages *pg)
{
	uint64_t left = peek(pg->allowance);

	while (left > 1)
		if (__atomic_compare_exchange_n(&pg->allowance, &left, left - 1, true,
						__ATOMIC_RELAXED, __ATOMIC_RELAXED))
			return true;
	return !left;
}

void slab_fail_pages(long after)
{
	root_init();
	poke(root.pages.allowance, after < 0 ? 0 : (uint64_t)after + 1);
}

/* ---- what is held, and the limit of it ------------------------------------------------------- */

/* Under the lock. */
static bool has_room(const struct pages *pg, size_t bytes)
{
	uint64_t limit = peek(pg->limit_bytes), held = peek(pg->held_bytes);

	return !limit || (held <= limit && bytes <= limit - held);
}

/* Bytes that there is room for; under the lock, which uncharge needs not. */
static void charge(struct pages *pg, size_t bytes)
{
	uint64_t held = __atomic_add_fetch(&pg->held_bytes, bytes, __ATOMIC_RELAXED);

	if (held > peek(pg->held_peak_bytes))
		poke(pg->held_peak_bytes, held);
}

/* What the system has got back already. */
static void uncharge(struct pages *pg, size_t bytes)
{
	__atomic_sub_fetch(&pg->held_bytes, bytes, __ATOMIC_RELAXED);
}

void pages_set_limit(uint64_t bytes)
{
	lock_take(&root.pages.lock, LOCK_PAGES);
	poke(root.pages.limit_bytes, bytes);
	lock_drop(&root.pages.lock, LOCK_PAGES);
}

static void *map(size_t bytes, int flags)
{
	void *p;

	if (!allowed(&root.pages))
		return NULL;
	p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
	return p == MAP_FAILED ? NULL : p;
}

void *pages_map(size_t bytes)
{
	void *p = has_room(&root.pages, bytes) ? map(bytes, MAP_NORESERVE) : NULL;

	if (p)
		charge(&root.pages, bytes);
	return p;
}

/* ---- chunks ---------------------------------------------------------------------------------- */

/* A mapping at a multiple of the chunk size or more: map more, cut the ends off. */
static char *map_aligned(size_t bytes, size_t align, int flags)
{
	size_t slack = align - PAGE_BYTES, head;
	char *raw, *base;

	if (bytes > SIZE_MAX - align)
		return NULL;
	raw = map(bytes + slack, flags);
	if (!raw)
		return NULL;
	base = (char *)(((uintptr_t)raw + slack) & ~(uintptr_t)(align - 1));
	head = (size_t)(base - raw);
	if (head)
		munmap(raw, head);
	if (slack - head)
		munmap(base + bytes, slack - head);
	return base;
}

static void list_move(struct chunk *c, struct chunk **to)
{
	if (c->list == to)
		return;
	if (c->list) {
		if (c->prev)
			c->prev->next = c->next;
		else
			*c->list = c->next;
		if (c->next)
			c->next->prev = c->prev;
	}
	c->list = to;
	c->prev = NULL;
	c->next = NULL;
	if (to) {
		c->next = *to;
		if (c->next)
			c->next->prev = c;
		*to = c;
	}
}

/* The list that a chunk's free blocks put it on. */
static void list_place(struct chunk *c)
{
	struct pages_order *o = &root.pages.order[c->node][c->order];

	list_move(c, c->nr_dirty ? &o->dirty : c->nr_free ? &o->clean : &o->full);
}

/* The pages of a chunk's header; what is left of its last block is never touched. */
static size_t header_bytes(unsigned int nr_blocks)
{
	return (HEADER_BYTES(nr_blocks) + root.page_bytes - 1) & ~(root.page_bytes - 1);
}

/* With room for one of its blocks. */
static struct chunk *chunk_new(unsigned int order, unsigned int node)
{
	struct pages *pg = &root.pages;
	size_t block = PAGE_BYTES << order;
	size_t header = header_bytes((unsigned int)(CHUNK_BYTES / block));
	struct chunk *c;
	char *base;

	if (!has_room(pg, header + block))
		return NULL;
	base = map_aligned(CHUNK_BYTES, CHUNK_BYTES, MAP_NORESERVE);
	c = (struct chunk *)base;
	if (!base)
		return NULL;
	if (slabmap_set(&root.map, base, c)) {
		munmap(base, CHUNK_BYTES);
		return NULL;
	}
	numa_bind(&root.numa, base, CHUNK_BYTES, node);
	c->map_bytes = CHUNK_BYTES;
	c->shift = PAGE_SHIFT_MIN + order;
	c->order = (uint8_t)order;
	c->node = (uint8_t)node;
	c->nr_blocks = (uint16_t)(CHUNK_BYTES / block);
	c->first = (uint16_t)((HEADER_BYTES(c->nr_blocks) + block - 1) / block);
	c->nr_free = c->nr_blocks - c->first;
	for (unsigned int i = c->first; i < c->nr_blocks; i++)
		c->free[i / 64] |= 1ULL << (i % 64);
	pg->mapped_bytes += CHUNK_BYTES;
	charge(pg, header);
	list_place(c);
	return c;
}

/* The lowest block of a bitmap that has one. */
static unsigned int bitmap_first(const uint64_t *map)
{
	unsigned int w = 0;

	while (!map[w])
		w++;
	return w * 64 + (unsigned int)__builtin_ctzll(map[w]);
}

/*
 * A block in one of the runs that CPU home has of each chunk, so that what the processor fetches
 * beside and ahead of its objects is its own; when these are used up, the lowest of all.
 */
static unsigned int bitmap_near(const struct chunk *c, const uint64_t *map, unsigned int home)
{
	unsigned int step = root.nr_cpus < RUNS ? root.nr_cpus : RUNS;
	unsigned int run_blocks = (unsigned int)(CHUNK_BYTES / RUNS >> c->shift);

	for (unsigned int r = home % step; run_blocks && r < RUNS; r += step) {
		unsigned int bit = r * run_blocks;
		uint64_t run = map[bit / 64] >> (bit % 64) & ~0ULL >> (64 - run_blocks);

		if (run)
			return bit + (unsigned int)__builtin_ctzll(run);
	}
	return bitmap_first(map);
}

static struct slab *chunk_take(struct chunk *c, enum block_kind kind, unsigned int home)
{
	struct pages *pg = &root.pages;
	unsigned int i = bitmap_near(c, c->nr_dirty ? c->dirty : c->free, home);
	uint64_t bit = 1ULL << (i % 64);
	struct slab *slab = &c->slab[i];

	c->free[i / 64] &= ~bit;
	c->nr_free--;
	if (c->dirty[i / 64] & bit) {
		c->dirty[i / 64] &= ~bit;
		c->nr_dirty--;
		poke_sub(pg->dirty_bytes, PAGE_BYTES << c->order);
		retain_note_kept(&pg->retain, pg->dirty_bytes);
	} else {
		charge(pg, PAGE_BYTES << c->order);
		retain_note_new(&pg->retain, c->order, PAGE_BYTES << c->order);
	}
	poke_add(pg->used_bytes, PAGE_BYTES << c->order);
	list_place(c);
	*slab = (struct slab){ .base = (char *)c + ((size_t)i << c->shift),
			       .kind = (uint8_t)kind,
			       .order = c->order,
			       .node = c->node };
	return slab;
}

/* A chunk with a free block, if that is held already or may be. */
static struct chunk *find_free(unsigned int order, unsigned int node)
{
	struct pages *pg = &root.pages;
	struct pages_order *o = &pg->order[node][order];

	if (o->dirty)
		return o->dirty;
	if (!o->clean)
		return chunk_new(order, node);
	return has_room(pg, PAGE_BYTES << order) ? o->clean : NULL;
}

static unsigned int take_blocks(unsigned int order, unsigned int node, enum block_kind kind,
				unsigned int home, struct slab **slab, unsigned int want)
{
	struct pages *pg = &root.pages;
	unsigned int got;

	lock_take(&pg->lock, LOCK_PAGES);
	for (got = 0; got < want; got++) {
		struct chunk *c = find_free(order, node);

		if (!c || !allowed(pg))
			break;
		slab[got] = chunk_take(c, kind, home);
	}
	lock_drop(&pg->lock, LOCK_PAGES);
	return got;
}

/* Out of memory: free blocks of other sizes hold some. False: there are none. */
static bool give_back_all(void)
{
	bool any = peek(root.pages.dirty_bytes);

	if (any)
		pages_purge(0);
	return any;
}

unsigned int pages_alloc(unsigned int order, unsigned int node, enum block_kind kind,
			 unsigned int home, struct slab **slab, unsigned int want)
{
	unsigned int got = take_blocks(order, node, kind, home, slab, want);

	if (__builtin_expect(!got, 0) && give_back_all())
		got = take_blocks(order, node, kind, home, slab, want);
	return got;
}

struct slab *pages_alloc_any(unsigned int order, unsigned int node, enum block_kind kind,
			     unsigned int home)
{
	unsigned int n = numa_indices(&root.numa);
	struct slab *slab;

	for (unsigned int i = 0; i < n; i++)
		if (pages_alloc(order, (node + i) % n, kind, home, &slab, 1))
			return slab;
	return NULL;
}

/* ---- mappings of their own ------------------------------------------------------------------- */

static struct chunk *chunk_of(const struct slab *slab)
{
	return (struct chunk *)((uintptr_t)slab & ~(uintptr_t)(CHUNK_BYTES - 1));
}

/* Where the block starts: behind the header's page, or at the first multiple of align. */
static size_t own_head(size_t align)
{
	return align > root.page_bytes ? align : root.page_bytes;
}

/* The map finds it by its header and, when that is in another chunk's place, by its base. */
static int own_enter(struct chunk *c, char *base)
{
	if (slabmap_set(&root.map, c, c))
		return -ENOMEM;
	if (base < (char *)c + CHUNK_BYTES || !slabmap_set(&root.map, base, c))
		return 0;
	slabmap_set(&root.map, c, NULL);
	return -ENOMEM;
}

static void own_leave(struct chunk *c)
{
	slabmap_set(&root.map, c->slab[0].base, NULL);
	slabmap_set(&root.map, c, NULL);
}

static struct slab *own_fill(struct chunk *c, size_t map_bytes, size_t head)
{
	struct pages *pg = &root.pages;
	struct slab *slab = &c->slab[0];

	c->map_bytes = map_bytes;
	c->shift = CHUNK_SHIFT;
	c->order = PAGES_ORDER_OWN;
	c->node = (uint8_t)root.numa.policy;
	c->nr_blocks = 1;
	slab->base = (char *)c + head;
	slab->kind = BLOCK_LARGE;
	slab->large_bytes = map_bytes - head;
	pg->mapped_bytes += map_bytes;
	poke_add(pg->used_bytes, map_bytes);
	charge(pg, map_bytes);
	list_move(c, &pg->own);
	return slab;
}

static struct slab *take_own(size_t map_bytes, size_t head)
{
	size_t place = head > CHUNK_BYTES ? head : CHUNK_BYTES;
	struct pages *pg = &root.pages;
	struct chunk *c = NULL;
	struct slab *slab;

	lock_take(&pg->lock, LOCK_PAGES);
	if (has_room(pg, map_bytes))
		c = (struct chunk *)map_aligned(map_bytes, place, 0);
	if (c && own_enter(c, (char *)c + head)) {
		munmap(c, map_bytes);
		c = NULL;
	}
	slab = c ? own_fill(c, map_bytes, head) : NULL;
	lock_drop(&pg->lock, LOCK_PAGES);
	return slab;
}

struct slab *pages_alloc_own(size_t bytes, size_t align)
{
	size_t head = own_head(align), map_bytes;
	struct slab *slab;

	if (bytes > PTRDIFF_MAX - 2 * CHUNK_BYTES || head > PTRDIFF_MAX - 2 * CHUNK_BYTES - bytes)
		return NULL;
	map_bytes = (bytes + head + root.page_bytes - 1) & ~(root.page_bytes - 1);
	slab = take_own(map_bytes, head);
	if (!slab && give_back_all())
		slab = take_own(map_bytes, head);
	return slab;
}

struct slab *pages_alloc_large(size_t bytes, unsigned int node)
{
	struct slab *slab = NULL;

	if (bytes <= PAGE_BYTES << PAGES_MAX_ORDER) {
		unsigned int order = 0;

		while (PAGE_BYTES << order < bytes)
			order++;
		slab = pages_alloc_any(order, node, BLOCK_LARGE, 0);
		if (slab)
			slab->large_bytes = PAGE_BYTES << order;
		return slab;
	}
	slab = pages_alloc_own(bytes, 0);
	if (slab) {
		chunk_of(slab)->node = (uint8_t)node;
		numa_bind(&root.numa, slab->base, slab->large_bytes, node);
	}
	return slab;
}

/* Its pages go to a new place, under the lock; NULL: it stays. */
static struct chunk *own_move(struct chunk *c, size_t map_bytes)
{
	struct chunk *to = (struct chunk *)map_aligned(map_bytes, CHUNK_BYTES, 0);

	if (!to)
		return NULL;
	if (slabmap_set(&root.map, to, to) ||
	    mremap(c, c->map_bytes, map_bytes, MREMAP_MAYMOVE | MREMAP_FIXED, to) == MAP_FAILED) {
		slabmap_set(&root.map, to, NULL);
		munmap(to, map_bytes);
		return NULL;
	}
	slabmap_set(&root.map, c, NULL);
	return to;
}

struct slab *pages_resize_own(struct slab *slab, size_t bytes)
{
	struct pages *pg = &root.pages;
	struct chunk *c = chunk_of(slab), *to = NULL;
	size_t head = (size_t)(slab->base - (char *)c), old = c->map_bytes, map_bytes;

	if (head >= CHUNK_BYTES || bytes > PTRDIFF_MAX - 2 * CHUNK_BYTES - head)
		return NULL;
	map_bytes = (bytes + head + root.page_bytes - 1) & ~(root.page_bytes - 1);
	lock_take(&pg->lock, LOCK_PAGES);
	list_move(c, NULL);
	if (map_bytes <= old || has_room(pg, map_bytes - old)) {
		if (mremap(c, old, map_bytes, 0) != MAP_FAILED)
			to = c;
		else if (map_bytes > old)
			to = own_move(c, map_bytes);
	}
	if (to) {
		pg->mapped_bytes -= old;
		poke_sub(pg->used_bytes, old);
		uncharge(pg, old);
		to->list = NULL;
		slab = own_fill(to, map_bytes, head);
	} else {
		list_move(c, &pg->own);
	}
	lock_drop(&pg->lock, LOCK_PAGES);
	return to ? slab : NULL;
}

/* ---- giving back ----------------------------------------------------------------------------- */

/* Takes the chunk out of every list and of the map; the caller unmaps it with the lock dropped. */
static void chunk_forget(struct chunk *c)
{
	struct pages *pg = &root.pages;

	list_move(c, NULL);
	slabmap_set(&root.map, c, NULL);
	pg->mapped_bytes -= c->map_bytes;
}

/* Returns a chunk that is forgotten to the system, with so many dirty blocks. */
static void chunk_unmap(struct chunk *c, unsigned int nr_dirty)
{
	size_t held = c->map_bytes;

	if (c->order != PAGES_ORDER_OWN)
		held = header_bytes(c->nr_blocks) + ((size_t)nr_dirty << c->shift);
	munmap(c, c->map_bytes);
	uncharge(&root.pages, held);
}

static size_t hole_bytes(const struct slab *slab)
{
	return (size_t)__builtin_popcount(slab->holes) * root.page_bytes;
}

/* The rest of blocks with holes: what is dirty has all its pages. */
static void discard_rests(const struct slab *chain)
{
	struct iovec range[RANGES];
	unsigned int n = 0;

	for (const struct slab *slab = chain; slab; slab = slab->next) {
		if (!slab->holes)
			continue;
		range[n++] = (struct iovec){ .iov_base = slab->base,
					     .iov_len = pages_block_bytes(slab) };
		if (n == RANGES) {
			pages_discard(range, n);
			n = 0;
		}
	}
	if (n)
		pages_discard(range, n);
}

/* Under the lock: a block is free, and dirty or clean. */
static void chunk_put(struct chunk *c, const struct slab *slab)
{
	unsigned int i = (unsigned int)(slab - c->slab);
	struct pages *pg = &root.pages;
	size_t bytes = (PAGE_BYTES << c->order) - hole_bytes(slab);

	c->free[i / 64] |= 1ULL << (i % 64);
	c->nr_free++;
	poke_sub(pg->used_bytes, bytes);
	if (slab->holes) {
		uncharge(pg, bytes);
	} else {
		c->dirty[i / 64] |= 1ULL << (i % 64);
		c->nr_dirty++;
		poke_add(pg->dirty_bytes, bytes);
	}
	list_place(c);
}

void pages_free(struct slab *chain)
{
	struct pages *pg = &root.pages;
	struct chunk *gone = NULL;
	uint64_t bound;

	discard_rests(chain);
	lock_take(&pg->lock, LOCK_PAGES);
	while (chain) {
		struct slab *slab = chain;
		struct chunk *c = chunk_of(slab);

		chain = slab->next;
		slab->kind = BLOCK_FREE;
		slab->cache = NULL;
		if (c->order == PAGES_ORDER_OWN) {
			poke_sub(pg->used_bytes, c->map_bytes);
			own_leave(c);
		} else {
			chunk_put(c, slab);
			/* With dirty blocks it goes when these do. */
			if (c->nr_dirty || c->nr_free < c->nr_blocks - c->first)
				continue;
		}
		chunk_forget(c);
		c->next = gone;
		gone = c;
	}
	bound = retain_bound(&pg->retain, pg->dirty_bytes, pg->used_bytes);
	if (pg->dirty_bytes <= bound)
		bound = 0;
	lock_drop(&pg->lock, LOCK_PAGES);
	while (gone) {
		struct chunk *c = gone;

		gone = c->next;
		chunk_unmap(c, 0);
	}
	if (bound)
		pages_purge(bound - (bound < 2 * CHUNK_BYTES ? bound / 2 : CHUNK_BYTES));
}

/*
 * Gives ranges back in one system call, which costs one flush of translations, where the kernel
 * takes that for a process itself (6.15); else range by range.
 */
void pages_discard(const struct iovec *range, unsigned int n)
{
	int saved = errno;
#ifdef SYS_process_madvise
	size_t bytes = 0;

	for (unsigned int i = 0; i < n; i++)
		bytes += range[i].iov_len;
	if (n > 1 && syscall(SYS_process_madvise, PIDFD_SELF_PROCESS, range, (size_t)n,
			     MADV_DONTNEED, 0U) == (long)bytes)
		n = 0;
#endif
	for (unsigned int i = 0; i < n; i++)
		madvise(range[i].iov_base, range[i].iov_len, MADV_DONTNEED);
	errno = saved;
}

void pages_lend(const struct iovec *range, unsigned int n)
{
	struct pages *pg = &root.pages;
	size_t bytes = 0;

	for (unsigned int i = 0; i < n; i++)
		bytes += range[i].iov_len;
	if (!bytes)
		return;
	pages_discard(range, n);
	lock_take(&pg->lock, LOCK_PAGES);
	poke_sub(pg->used_bytes, bytes);
	uncharge(pg, bytes);
	lock_drop(&pg->lock, LOCK_PAGES);
}

bool pages_regain(void)
{
	struct pages *pg = &root.pages;
	size_t bytes = root.page_bytes;
	bool room;

	lock_take(&pg->lock, LOCK_PAGES);
	room = has_room(pg, bytes) && allowed(pg);
	if (room) {
		poke_add(pg->used_bytes, bytes);
		charge(pg, bytes);
	}
	lock_drop(&pg->lock, LOCK_PAGES);
	return room;
}

/* Gives back runs of blocks; what does not fill pages of the machine stays. */
static void give_back(struct chunk *c, const uint64_t *blocks)
{
	size_t page = root.page_bytes;
	struct iovec range[RANGES];
	unsigned int n = 0;

	for (unsigned int i = c->first; i < c->nr_blocks; i++) {
		unsigned int start = i;
		uintptr_t from, to;

		while (i < c->nr_blocks && blocks[i / 64] >> (i % 64) & 1)
			i++;
		if (i == start)
			continue;
		from = ((uintptr_t)c + ((uintptr_t)start << c->shift) + page - 1) & ~(page - 1);
		to = ((uintptr_t)c + ((uintptr_t)i << c->shift)) & ~(page - 1);
		if (from >= to)
			continue;
		range[n++] = (struct iovec){ .iov_base = (void *)from, .iov_len = to - from };
		if (n == RANGES) {
			pages_discard(range, n);
			n = 0;
		}
	}
	pages_discard(range, n);
}

/* One chunk with dirty blocks, the largest orders first: fewer calls for more bytes. */
static struct chunk *find_dirty(void)
{
	for (int order = PAGES_MAX_ORDER; order >= 0; order--)
		for (unsigned int node = 0; node < numa_indices(&root.numa); node++)
			if (root.pages.order[node][order].dirty)
				return root.pages.order[node][order].dirty;
	return NULL;
}

void pages_purge(uint64_t keep)
{
	struct pages *pg = &root.pages;
	struct chunk *c;

	lock_take(&pg->lock, LOCK_PAGES);
	while (pg->dirty_bytes > keep && (c = find_dirty())) {
		uint64_t blocks[CHUNK_WORDS];
		unsigned int n = c->nr_dirty;
		bool whole = c->nr_free == c->nr_blocks - c->first;

		/* Neither free nor used while the lock is dropped. */
		memcpy(blocks, c->dirty, sizeof(blocks));
		memset(c->dirty, 0, sizeof(c->dirty));
		poke_sub(pg->dirty_bytes, (uint64_t)n << c->shift);
		if (keep)
			retain_note_gone(&pg->retain, c->order, (uint64_t)n << c->shift);
		if (whole) {
			chunk_forget(c);
		} else {
			for (unsigned int w = 0; w < CHUNK_WORDS; w++)
				c->free[w] &= ~blocks[w];
			c->nr_free -= (uint16_t)n;
			c->nr_dirty = 0;
			list_place(c);
		}
		lock_drop(&pg->lock, LOCK_PAGES);
		if (whole) {
			chunk_unmap(c, n);
		} else {
			give_back(c, blocks);
			uncharge(pg, (size_t)n << c->shift);
		}
		lock_take(&pg->lock, LOCK_PAGES);
		if (whole)
			continue;
		for (unsigned int w = 0; w < CHUNK_WORDS; w++)
			c->free[w] |= blocks[w];
		c->nr_free += (uint16_t)n;
		list_place(c);
	}
	if (!keep)
		retain_init(&pg->retain);
	lock_drop(&pg->lock, LOCK_PAGES);
}

static void walk_chunks(struct chunk *c, void (*fn)(struct slab *slab, void *arg), void *arg)
{
	for (; c; c = c->next)
		for (unsigned int i = c->first; i < c->nr_blocks; i++)
			if (c->slab[i].kind != BLOCK_FREE)
				fn(&c->slab[i], arg);
}

void pages_walk(unsigned int node, void (*fn)(struct slab *slab, void *arg), void *arg)
{
	struct pages *pg = &root.pages;

	lock_take(&pg->lock, LOCK_PAGES);
	for (unsigned int order = 0; order <= PAGES_MAX_ORDER; order++) {
		const struct pages_order *o = &pg->order[node][order];

		walk_chunks(o->dirty, fn, arg);
		walk_chunks(o->clean, fn, arg);
		walk_chunks(o->full, fn, arg);
	}
	lock_drop(&pg->lock, LOCK_PAGES);
}

void pages_init(void)
{
	retain_init(&root.pages.retain);
}
