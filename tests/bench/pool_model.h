/* SPDX-License-Identifier: MIT */
/*
 * pool_model.h - the limit models of model.h as pools: MODEL is tls or rseq; MODEL_INLINE is 1
 * for code inlined into the loop, 0 for a call into a shared library.
 */
#ifndef BENCH_POOL_MODEL_H
#define BENCH_POOL_MODEL_H

#include <stdio.h>

#include "model.h"

#define POOL_BULK  0
#define POOL_GROWS 0
#define POOL_STATS 0

#define MODEL_GLUE(a, b, c)   a##b##c
#define MODEL_NAME(model, op) MODEL_GLUE(model, _, op)
#define MODEL_FN(op)	      MODEL_NAME(MODEL, op)

struct pool {
	struct model m;
};

static inline struct pool *pool_create(const char *name, size_t size, size_t capacity, int flags)
{
	(void)name;
	(void)flags;
	return (struct pool *)MODEL_FN(create)(size, capacity);
}

static inline void pool_thread_init(struct pool *p)
{
	MODEL_FN(thread_init)(&p->m);
}

static inline void pool_thread_exit(struct pool *p)
{
	(void)p;
}

static inline void *pool_alloc(struct pool *p)
{
#if MODEL_INLINE
	return MODEL_FN(pop)(&p->m);
#else
	return MODEL_FN(alloc)(&p->m);
#endif
}

static inline void pool_free(struct pool *p, void *object)
{
#if MODEL_INLINE
	MODEL_FN(push)(&p->m, object);
#else
	MODEL_FN(free)(&p->m, object);
#endif
}

static inline void pool_trim(struct pool *p)
{
	(void)p;
}

static inline void pool_describe(char *buf, size_t len)
{
	snprintf(buf, len, "model%s", MODEL_INLINE ? ", inlined" : ", called");
}

#endif
