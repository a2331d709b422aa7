// SPDX-License-Identifier: MIT
/* model.c - the limit models behind a shared-library call; see model.h. */
#include "model.h"

#include <sys/mman.h>
#include <unistd.h>

MODEL_EXPORT __thread struct model_tls model_tls;

static void *map_bytes(size_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

/* A full array: capacity objects of one mapping, lowest address on top. NULL: no memory. */
static void **fill_slots(size_t size, size_t capacity)
{
	void **slots = map_bytes(capacity * sizeof(*slots));
	char *objects = map_bytes(capacity * size);

	if (!slots || !objects)
		return NULL;
	for (size_t i = 0; i < capacity; i++)
		slots[i] = objects + (capacity - 1 - i) * size;
	return slots;
}

struct model *tls_create(size_t size, size_t capacity)
{
	struct model *m = map_bytes(sizeof(*m));

	if (!m)
		return NULL;
	m->size = size;
	m->capacity = capacity;
	tls_thread_init(m);
	return m;
}

void tls_thread_init(struct model *m)
{
	if (model_tls.slots)
		return;
	model_tls.slots = fill_slots(m->size, m->capacity);
	model_tls.n = model_tls.slots ? m->capacity : 0;
}

void *tls_alloc(struct model *m)
{
	return tls_pop(m);
}

void tls_free(struct model *m, void *object)
{
	tls_push(m, object);
}

#ifdef MODEL_HAS_RSEQ
struct model *rseq_create(size_t size, size_t capacity)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	struct model *m = map_bytes(sizeof(*m));

	if (!m || cpus < 1 || __rseq_size == 0)
		return NULL;
	m->cpus = map_bytes((size_t)cpus << MODEL_CPU_SHIFT);
	if (!m->cpus)
		return NULL;
	for (long c = 0; c < cpus; c++) {
		struct model_cpu *cpu = (void *)((char *)m->cpus + (c << MODEL_CPU_SHIFT));

		cpu->slots = fill_slots(size, capacity);
		cpu->n = cpu->slots ? capacity : 0;
	}
	return m;
}

void rseq_thread_init(struct model *m)
{
	(void)m;
}

void *rseq_alloc(struct model *m)
{
	return rseq_pop(m);
}

void rseq_free(struct model *m, void *object)
{
	rseq_push(m, object);
}
#endif
