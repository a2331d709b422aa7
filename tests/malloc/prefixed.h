/* SPDX-License-Identifier: MIT */
/* prefixed.h - what prefixed.c has. */
#ifndef SLABKIT_TESTS_PREFIXED_H
#define SLABKIT_TESTS_PREFIXED_H

#include <malloc.h>
#include <stddef.h>
#include <stdio.h>

void *shim_malloc(size_t size);
void *shim_calloc(size_t n, size_t size);
void *shim_realloc(void *p, size_t size);
void *shim_reallocarray(void *p, size_t n, size_t size);
void *shim_aligned_alloc(size_t align, size_t size);
void *shim_memalign(size_t align, size_t size);
int shim_posix_memalign(void **out, size_t align, size_t size);
void *shim_valloc(size_t size);
void *shim_pvalloc(size_t size);
void shim_free(void *p);
void shim_free_sized(void *p, size_t size);
void shim_free_aligned_sized(void *p, size_t align, size_t size);
size_t shim_malloc_usable_size(void *p);
int shim_malloc_trim(size_t pad);
struct mallinfo2 shim_mallinfo2(void);
int shim_malloc_info(int options, FILE *out);

#endif
