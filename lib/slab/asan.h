/* SPDX-License-Identifier: MIT */
/*
 * asan.h - free objects are poisoned while AddressSanitizer is compiled in.
 *
 * An object is accessible from the moment an allocation returns it until a free takes it. The
 * allocator's own accesses to free objects (their links) are kept out of the check.
 */
#ifndef SLABKIT_SLAB_ASAN_H
#define SLABKIT_SLAB_ASAN_H

#include <stddef.h>

#if defined(__SANITIZE_ADDRESS__)
#define SLABKIT_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SLABKIT_ASAN 1
#endif
#endif

#ifdef SLABKIT_ASAN
#include <sanitizer/asan_interface.h>
#define asan_poison(p, n)   __asan_poison_memory_region((p), (n))
#define asan_unpoison(p, n) __asan_unpoison_memory_region((p), (n))
#define ASAN_IGNORE	    __attribute__((no_sanitize("address"), noinline))
#else
#define asan_poison(p, n)   ((void)(p), (void)(n))
#define asan_unpoison(p, n) ((void)(p), (void)(n))
#define ASAN_IGNORE
#endif

#endif
