// SPDX-License-Identifier: MIT
/*
 * info.c - mallinfo, mallinfo2, malloc_info and malloc_stats: what the heap holds, in the terms of
 * the C library's manual.
 *
 * Its words were made for one arena that grows at its end. Here the arena is what classes and runs
 * hold of the system's memory, free is what of it no block has (in slabs, in sheaves, in runs, in
 * pages that are kept), and what may be given back is what is kept. Everything is a counter that is
 * read without a lock: where others work meanwhile the figures are each true for some moment.
 */
#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <slab/slab.h>
#include <stdio.h>
#include <string.h>

#include "heap.h"
#include "run.h"
#include "slab/pages.h"
#include "slab/peek.h"
#include "slab/root.h"

struct figures {
	size_t arena, used, free, kept; /* bytes of classes and runs: used + free = arena */
	size_t free_objects;		/* of classes; kept runs have no number */
	size_t maps, maps_bytes;	/* blocks with a mapping of their own */
};

static size_t less(size_t a, size_t b)
{
	return a > b ? a - b : 0;
}

static void take_figures(struct figures *f)
{
	struct run_counts runs;

	root_init();
	memset(f, 0, sizeof(*f));
	run_count(&runs);
	f->maps = peek(heap.maps);
	f->maps_bytes = peek(heap.maps_bytes);
	f->kept = peek(root.pages.dirty_bytes) + runs.kept_bytes;
	f->arena = less(peek(root.pages.used_bytes) + peek(root.pages.dirty_bytes),
			runs.idle_bytes + f->maps_bytes);
	f->used = runs.used_bytes;
	for (unsigned int i = 0; i < CLASSES; i++) {
		struct kmem_cache *s = heap_cache(i);
		struct kmem_cache_stats st;

		if (!s)
			continue;
		kmem_cache_stats(s, &st);
		f->used += st.objects_in_use * st.object_size;
		f->free_objects += less(st.total_objects, st.objects_in_use);
	}
	if (f->used > f->arena)
		f->arena = f->used;
	f->free = f->arena - f->used;
}

/* A number that does not fit in an int is the largest that does. */
static int cut(size_t n)
{
	return n > INT_MAX ? INT_MAX : (int)n;
}

struct mallinfo MALLOC_NAME(mallinfo)(void);

EXPORT struct mallinfo MALLOC_NAME(mallinfo)(void)
{
	struct figures f;

	take_figures(&f);
	return (struct mallinfo){ .arena = cut(f.arena),
				  .ordblks = cut(f.free_objects),
				  .hblks = cut(f.maps),
				  .hblkhd = cut(f.maps_bytes),
				  .uordblks = cut(f.used),
				  .fordblks = cut(f.free),
				  .keepcost = cut(f.kept) };
}

#if __GLIBC_PREREQ(2, 33)
struct mallinfo2 MALLOC_NAME(mallinfo2)(void);

EXPORT struct mallinfo2 MALLOC_NAME(mallinfo2)(void)
{
	struct figures f;

	take_figures(&f);
	return (struct mallinfo2){ .arena = f.arena,
				   .ordblks = f.free_objects,
				   .hblks = f.maps,
				   .hblkhd = f.maps_bytes,
				   .uordblks = f.used,
				   .fordblks = f.free,
				   .keepcost = f.kept };
}
#endif

/* ---- as text --------------------------------------------------------------------------------- */

static void print_class(FILE *out, unsigned int class)
{
	struct kmem_cache *s = heap_cache(class);
	struct kmem_cache_stats st;
	size_t nr_free;

	if (!s)
		return;
	kmem_cache_stats(s, &st);
	nr_free = less(st.total_objects, st.objects_in_use);
	if (nr_free)
		fprintf(out, "<size from=\"%u\" to=\"%u\" total=\"%zu\" count=\"%zu\"/>\n",
			class ? class_size(class - 1) + 1 : 0, class_size(class),
			nr_free * st.object_size, nr_free);
}

int MALLOC_NAME(malloc_info)(int options, FILE *out);

/* The C library's form: one heap, the free objects of each class, then the sums. */
EXPORT int MALLOC_NAME(malloc_info)(int options, FILE *out)
{
	struct figures f;

	if (options) {
		errno = EINVAL;
		return -1;
	}
	take_figures(&f);
	fprintf(out, "<malloc version=\"1\">\n<heap nr=\"0\">\n<sizes>\n");
	for (unsigned int i = 0; i < CLASSES; i++)
		print_class(out, i);
	fprintf(out, "</sizes>\n");
	for (int heaps = 1; heaps >= 0; heaps--) {
		fprintf(out, "<total type=\"rest\" count=\"%zu\" size=\"%zu\"/>\n", f.free_objects,
			f.free);
		if (!heaps)
			fprintf(out, "<total type=\"mmap\" count=\"%zu\" size=\"%zu\"/>\n", f.maps,
				f.maps_bytes);
		fprintf(out, "<system type=\"current\" size=\"%zu\"/>\n", f.arena);
		fprintf(out, "<system type=\"max\" size=\"%zu\"/>\n",
			(size_t)peek(root.pages.held_peak_bytes));
		if (heaps)
			fprintf(out, "</heap>\n");
	}
	fprintf(out, "</malloc>\n");
	return 0;
}

void MALLOC_NAME(malloc_stats)(void);

EXPORT void MALLOC_NAME(malloc_stats)(void)
{
	struct figures f;

	take_figures(&f);
	fprintf(stderr,
		"classes and runs: %zu bytes in use of %zu, %zu kept for new ones\n"
		"mappings of their own: %zu blocks, %zu bytes\n",
		f.used, f.arena, f.kept, f.maps, f.maps_bytes);
}
